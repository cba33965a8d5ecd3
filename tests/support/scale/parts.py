"""Parts of a corpus in files of their own, and their statistics."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tertium.evaluation import evaluate_inputs
from tertium.results import Evaluation
from tertium.scored.statistics_file import KEY, Header
from tertium.text.input_files import open_inputs

METRICS = ("bleu[reference_length=average]", "chrf", "ribes", "ter")


class Texts:
    """A corpus with two references, two systems and documents, of which parts are written."""

    def __init__(self, folder: Path, segments: int, seed: int = 1) -> None:
        random = np.random.default_rng(seed)
        words = np.array(["the", "cat", "sat", "on", "mat", "أكل", "猫", "naïve", "a", "b"])
        self.folder, self.segments = folder, segments
        self.lines = [
            [" ".join(words[random.integers(0, 10, size)]) for size in sizes]
            for sizes in random.integers(1, 9, (4, segments)).tolist()
        ]
        self.documents = [f"{'web' if i % 3 else 'news'}\td{i // 4}" for i in range(segments)]

    def evaluated(self, start: int, stop: int, **options: Any) -> Evaluation:
        """The scores of some segments, read from files."""
        names = []
        for number, lines in enumerate([*self.lines, self.documents]):
            path = self.folder / f"{number}.{start}.{stop}{'.tsv' if number == 4 else ''}"
            path.write_text("".join(f"{one}\n" for one in lines[start:stop]), encoding="utf-8")
            names.append(str(path))
        inputs = open_inputs(
            names[:2], names[2:4], documents=names[4] if stop > start else None, names=["x", "y"]
        )
        return evaluate_inputs(inputs, options.pop("metrics", METRICS), **options)

    def part(self, start: int, stop: int, **options: Any) -> str:
        """The file of the statistics of some segments."""
        path = str(self.folder / f"part.{start}.{stop}.parquet")
        self.evaluated(start, stop, statistics=path, first_segment=start + 1, **options)
        return path

    def parts(self, cuts: Sequence[int], **options: Any) -> list[str]:
        """Files of statistics of neighbouring parts."""
        ends = [0, *sorted(cuts), self.segments]
        return [self.part(*pair, **options) for pair in pairwise(ends)]


def changed(path: Path, **changes: Any) -> Path:
    """The file with a header that says something else."""
    from pyarrow import parquet

    table = parquet.read_table(path)
    header = Header.from_json(parquet.ParquetFile(path).metadata.metadata[KEY], "")
    told = Header(**{name: getattr(header, name) for name in header.__slots__} | changes)
    other = path.with_name("changed.parquet")
    parquet.write_table(table.replace_schema_metadata({KEY: told.to_json()}), other)
    return other
