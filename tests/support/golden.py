"""Golden outputs of other people's programs (folder `shared/oracles`)."""

import gzip
from pathlib import Path
from typing import NamedTuple


class Golden(NamedTuple):
    """One golden file: values by measure, the corpus value and those of the segments."""

    corpus: dict[str, str]
    segments: dict[str, dict[int, str]]

    def column(self, measure: str) -> list[float]:
        """A measure of every segment, in order."""
        values = self.segments[measure]
        return [float(values[i]) for i in range(len(values))]


def read_golden(folder: Path, stem: str) -> Golden:
    """Read `<stem>.tsv` or `<stem>.tsv.gz`."""
    path = folder / f"{stem}.tsv"
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        text = gzip.decompress((folder / f"{stem}.tsv.gz").read_bytes()).decode()
    corpus: dict[str, str] = {}
    segments: dict[str, dict[int, str]] = {}
    for line in text.splitlines():
        if line.startswith("# "):
            continue
        segment, measure, value = line.split("\t")
        if segment == "corpus":
            corpus[measure] = value
        elif segment.isdigit():
            segments.setdefault(measure, {})[int(segment)] = value
    return Golden(corpus, segments)


def lines(path: Path) -> list[str]:
    """The segments of a plain text file, split at newlines only."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
