"""Outputs of a training run, scored as they appear in a folder."""

import re
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.evaluation import evaluate
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plurals import counted
from tertium.results import Score, SystemScores
from tertium.text.corpus import Corpus, System
from tertium.text.files import TextFile, is_pattern
from tertium.text.formats.content import file_format
from tertium.text.formats.table import format_of, system_name
from tertium.text.input_files import open_inputs
from tertium.text.lines import LineCursor
from tertium.version import __version__

AnyPath: TypeAlias = str | PathLike[str]
Stamp: TypeAlias = tuple[int, int]
"""Size and time of a file: while they stay, so does what was found."""

UNFINISHED: Final = (".tmp", ".part", "~")
"""How names end that are changed when the file is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A file that was complete, and its scores."""

    file: str
    segments: int
    result: SystemScores
    warnings: tuple[str, ...] = ()

    @property
    def scores(self) -> tuple[Score, ...]:
        """One for each metric."""
        return self.result.scores

    def to_dict(self) -> dict[str, Any]:
        """For a line of JSON."""
        keys = ("metric", "score", "signature", "higher_is_better")
        scores = [score.to_dict() for score in self.scores]
        return {
            "version": __version__,
            "file": self.file,
            "system": self.result.system,
            "segments": self.segments,
            "scores": [{key: score[key] for key in keys} for score in scores],
        }


class Follower:
    """A folder, or the files of a pattern, looked at again and again.

    A file is complete if it has as many segments as there are references and ends with the end of
    a line, or, without that, has not changed since the look before. It is scored once; one that is
    written anew is scored anew. Files ``known`` by name are left alone. ``waiting`` says of all
    others what they lack.
    """

    def __init__(
        self,
        references: AnyPath | Sequence[AnyPath],
        folder: AnyPath,
        metrics: Sequence[AnyMetric] = DEFAULT_METRICS,
        *,
        known: Collection[str] = (),
        source: AnyPath | None = None,
        num_refs: int = 1,
        format: str = "auto",  # noqa: A002 (the word that users know)
        inline_codes: str = "drop",
        quoting: str = "auto",
    ) -> None:
        self._folder = fspath(folder)
        if not is_pattern(self._folder) and not Path(self._folder).is_dir():
            raise InputError(f"{self._folder}: found no folder, expected one to look into")
        self._format = format
        inputs = open_inputs(
            references,
            None,
            source=source,
            num_refs=num_refs,
            format=format,
            inline_codes=inline_codes,
            quoting=quoting,
        )
        self._corpus: Corpus = inputs.load().corpus
        if not len(self._corpus):
            raise InputError(f"{inputs.name}: 0 segments, expected at least one")
        # References are read and prepared once for all files.
        self.metrics = [as_metric(metric).bind(self._corpus) for metric in metrics]
        self._known = set(known)
        self._done: dict[str, Stamp] = {}
        self._seen: dict[str, Stamp] = {}
        self._tried: dict[str, tuple[Stamp, bool]] = {}
        self.waiting: dict[str, str] = {}

    def look(self) -> Iterator[Followed]:
        """Score what has become complete since the last look, in the order of names."""
        for path in self._paths():
            try:
                about = path.stat()
            except OSError:  # it is gone already
                continue
            name, stamp = str(path), (about.st_size, about.st_mtime_ns)
            unchanged = self._seen.get(name) == stamp
            self._seen[name] = stamp
            if name in self._known or self._done.get(name) == stamp:
                continue
            if self._tried.get(name) == (stamp, unchanged):
                continue  # nothing to be learned from another look
            self._tried[name] = (stamp, unchanged)
            texts = self._complete(path, unchanged=unchanged)
            if texts is not None:
                self._done[name] = stamp
                self.waiting.pop(name, None)
                yield self._scored(name, texts)

    def _paths(self) -> list[Path]:
        if is_pattern(self._folder):
            from glob import iglob

            paths = (Path(match) for match in iglob(self._folder, recursive=True))  # noqa: PTH207
        else:
            paths = Path(self._folder).iterdir()
        kept = [
            path
            for path in paths
            if not path.name.startswith(".")
            and not path.name.endswith(UNFINISHED)
            and format_of(path.name) == "text"  # what is inside is looked at when it is read
            and path.is_file()
        ]
        return sorted(kept, key=lambda path: (_numbers_apart(str(path)), str(path)))

    def _told(self) -> str:
        """Outputs are plain text; a format that was told may be that of the references."""
        return "text" if self._format == "text" else "auto"

    def _complete(self, path: Path, *, unchanged: bool) -> Texts | None:
        """The segments, if the file has all of them."""
        name, expected = str(path), len(self._corpus)
        try:
            file = TextFile.find(path)
            if (kind := file_format(file, self._told())) != "text":
                raise InputError(f"{name}: found {kind}, expected plain text")  # noqa: TRY301
            with closing(LineCursor(file)) as cursor:
                texts = cursor.take(expected + 1)
                lines = len(texts) + cursor.count_rest()
            ended = bool(file.compression) or _ends_with_line(path)
        except (InputError, OSError) as error:
            self.waiting[name] = str(error)
            return None
        if lines != expected:
            self.waiting[name] = f"{name}: {counted(lines, 'segment')}, expected {expected}"
        elif not (ended or unchanged):
            self.waiting[name] = f"{name}: found no end of the last line, expected it or no change"
        else:
            return texts
        return None

    def _scored(self, name: str, texts: Texts) -> Followed:
        system = System(name=system_name(name), hypotheses=texts)
        evaluation = evaluate(self._corpus, [system], self.metrics)
        return Followed(
            file=name,
            segments=evaluation.segments,
            result=evaluation.systems[0],
            warnings=tuple(evaluation.warnings),
        )


def follow(
    references: AnyPath | Sequence[AnyPath],
    folder: AnyPath,
    metrics: Sequence[AnyMetric] = DEFAULT_METRICS,
    *,
    every: float = 5.0,
    known: Collection[str] = (),
) -> Iterator[Followed]:
    """The scores of each file as it is complete, for ever; `Follower` says when that is.

    The folder is looked into ``every`` so many seconds.
    """
    follower = Follower(references, folder, metrics, known=known)
    return look_again(follower, every=every)


def look_again(follower: Follower, *, every: float) -> Iterator[Followed]:
    """What is found, now and every so many seconds, until somebody stops asking."""
    if not 0 < every < float("inf"):
        raise OptionError(f"every: found {every:g} seconds, expected more than 0")
    while True:
        yield from follower.look()
        time.sleep(every)


def _ends_with_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, 2)
        if file.tell() == 0:
            return True
        file.seek(-1, 2)
        return file.read(1) == b"\n"


def _numbers_apart(name: str) -> list[tuple[int, str]]:
    """A name to sort by, in which step-9 comes before step-10.

    >>> sorted(["step-10", "step-9", "step-a"], key=_numbers_apart)
    ['step-9', 'step-10', 'step-a']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(int(part), "") if part[0] in "0123456789" else (1 << 62, part) for part in parts]
