"""Scores that were computed before, from a file, as a metric."""

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import ClassVar, Final, Literal, Self

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.options import Option, bound, option
from tertium.metrics.contract.table import METRICS
from tertium.metrics.foreign.alignment import TablePart, aligned_scores
from tertium.metrics.foreign.identity import ForeignMetric, counts_errors
from tertium.metrics.foreign.score_files import level_of, metric_of, read_scores
from tertium.metrics.foreign.score_table import Column, ForeignScores
from tertium.metrics.foreign.segment_metric import SegmentScore, Sources
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.references import AnyReferences, Hypotheses

SYSTEM: Final = "{system}"
"""Stands in the name of a file for that of the system whose scores it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileScores(ForeignMetric):
    """A column of a file that has a score for every segment of every system.

    The layouts are those of mt-metrics-eval (``NAME-REF.seg.score``), MetricX's and COMET's
    output, WMT25's TSV, any table with a column of systems or hypotheses, and a number a line.
    """

    name: ClassVar[str] = "scores"
    summary: ClassVar[str] = "scores that a file has, such as those of COMET"

    file: str = option("", "the file; {system} in its name stands for each system's", file=True)
    column: str = option("", "of several columns of scores, this one")
    system: str = option("", "whose scores they are, if the file does not say so")
    pair: str = option("", "of several language pairs, this one")
    first: Literal["auto", "0", "1"] = option("auto", "the number of the first segment")
    digest: str = option("", "what tells these scores from others, where the file is not there")
    segments: int | None = bound()

    @property
    def needs_fit(self) -> bool:
        """A file is of a whole corpus, whose segments must all be there."""
        return True

    @property
    def refusal(self) -> str:
        """Why text that somebody makes up has no score."""
        return f"{self.title} is read from a file, which has no scores of other texts"

    @property
    def shown_name(self) -> str:
        """The name told, else the one that the file has for the column."""
        if self.label or not self.file:
            return self.label or self.name
        if SYSTEM in self.file:
            return self.column or self.name
        table = read_scores(self.file)
        if not self.column and len(table.scores) > 1:
            return metric_of(self.file)  # a column for each system
        return table.title(table.column(self.column))

    @property
    def is_gain(self) -> bool:
        """Whether more is better: as told, as the layout says, or as the name lets expect."""
        if self.higher != "auto" or not self.file:
            return _told(self.higher, self.shown_name)
        files = files_of_pattern(self.file)
        tables = [read_scores(file) for file in files or [self.file] if SYSTEM not in file]
        if not tables:
            return _told(self.higher, self.shown_name)
        columns = [self.column] if self.column else list(tables[0].scores)
        if tables[0].gains or any(column in tables[0].errors for column in columns):
            return tables[0].gains
        # An error rate that is nowhere above zero was turned around.
        positive = any(_positive(table, column) for table in tables for column in columns)
        return not counts_errors(self.shown_name) or not positive

    @property
    def spec(self) -> str:
        """The name, which needs no folder; a name that another metric has says whose it is."""
        if not (self.file or self.digest):  # a store knows scores by all that was told of them
            return self.written(Option.to_text)
        name = self.shown_name
        return f"{self.name}[name={name}]" if name.lower() in METRICS else name

    @property
    def recipe(self) -> str:
        """A text that parses to a metric for rows that are there: the file is not in it."""
        return self._settled.written(Option.to_text)

    @property
    def _settled(self) -> Self:
        """The metric without its file, with all that is read from there."""
        if not self.file:
            return self
        return replace(
            self,
            file="",
            system="",
            label=self.shown_name,
            higher="yes" if self.is_gain else "no",
            digest=_digest(self.file),
        )

    def signature(self, references: str | int = 1) -> str:
        """The identity, and what tells this file from one with other scores, wherever it is."""
        return ForeignMetric.signature(self._settled, references)

    def bind(self, corpus: Corpus) -> Self:
        """Hold for this corpus alone: numbers of segments are those of its segments."""
        if not self.file:
            raise OptionError("scores: found no file, expected scores[file=FILE]")
        if SYSTEM not in self.file and self.column:
            read_scores(self.file).column(self.column)
        return replace(self, segments=len(corpus))

    def fit(self, references: AnyReferences) -> Self:
        """Refuse: references alone do not say which systems and segments are meant."""
        raise InputError(f"{self.refusal}, expected the systems that were scored")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        """Refuse: texts alone do not say which system they are of."""
        raise InputError(f"{self.refusal}, expected the systems that were scored")

    def scores(
        self, sources: Sources, hypotheses: object, references: object
    ) -> list[SegmentScore]:
        """Refuse, as `statistics` does."""
        raise InputError(f"{self.refusal}, expected the systems that were scored")

    def rows_of(self, system: System, corpus: Corpus) -> Rows:
        """The scores that the file has for this system."""
        if self.segments is not None and self.segments != len(corpus):
            raise InputError(
                f"{self.title}: found {counted(len(corpus), 'segment')}, expected the "
                f"{self.segments} "
                "that the scores are of"
            )
        table = read_scores(self.file.replace(SYSTEM, system.name))
        own = system.name if SYSTEM in self.file and not self.system else self.system
        choice = TablePart(column=self.column, pair=self.pair, system=own, first=self.first)
        return scores_in_rows(aligned_scores(table, choice, system, corpus))


def scores_in_rows(values: Column) -> Rows:
    """Rows (sum, count) of scores, of which some may be NaN."""
    there = ~np.isnan(values)
    return np.stack([np.where(there, values, 0.0), there.astype(float)], axis=1)


def files_of_pattern(path: str) -> list[str]:
    """The files that a name with {system} stands for; the file itself if it has none."""
    if SYSTEM not in path:
        return [path]
    whole = Path(path)
    parts = next(n for n, part in enumerate(whole.parts) if SYSTEM in part)
    pattern = "/".join(escape(part).replace(escape(SYSTEM), "*") for part in whole.parts[parts:])
    return sorted(
        str(match) for match in Path(*whole.parts[:parts]).glob(pattern) if match.is_file()
    )


def _digest(path: str) -> str:
    """What tells the scores from others: of several files, of all and their names."""
    if SYSTEM not in path:
        return read_scores(path).digest
    digests = [(Path(file).name, read_scores(file).digest) for file in files_of_pattern(path)]
    return hashlib.sha256(repr(digests).encode()).hexdigest()[:12] if digests else ""


def _told(higher: str, name: str) -> bool:
    return not counts_errors(name) if higher == "auto" else higher == "yes"


def _positive(table: ForeignScores, column: str) -> bool:
    return bool(np.nanmax(table.scores[column], initial=-np.inf) > 0)


# All the metrics that files and folders of scores hold.

FOLDER: Final = "metric-scores"


def metrics_of_files(
    paths: Iterable[str | os.PathLike[str]], *, pair: str = "", systems: Sequence[str] = ()
) -> list[FileScores]:
    """A metric for each column of scores, under the name that the file has for it.

    A folder is one of mt-metrics-eval: a test set's, its ``metric-scores``, or that of a
    language pair there. ``pair`` chooses among several. A table with a column for each of the
    ``systems`` is one metric, called after the file.
    """
    return [metric for path in paths for metric in _metrics(os.fspath(path), pair, systems)]


def _metrics(path: str, pair: str, systems: Sequence[str]) -> list[FileScores]:
    if SYSTEM in path:
        return _of_pattern(path, pair)
    if not Path(path).is_dir():
        table = read_scores(path)
        if len(table.scores) > 1 and table.is_wide(systems):
            return [FileScores(file=path, label=metric_of(path), pair=_pair_in(table, pair))]
        return _of_columns(path, table, pair)
    files = sorted(
        str(child) for child in _folder(path, pair).iterdir() if level_of(child.name) == "seg"
    )
    if not files:
        raise InputError(f"{path}: found no NAME.seg.score, expected those of mt-metrics-eval")
    return [FileScores(file=file, label=metric_of(file)) for file in files]


def _of_columns(path: str, table: ForeignScores, pair: str) -> list[FileScores]:
    several = len(table.scores) > 1
    return [
        FileScores(
            file=path,
            column=column if several else "",
            label=table.title(column),
            pair=_pair_in(table, pair),
        )
        for column in table.scores
    ]


def _pair_in(table: ForeignScores, pair: str) -> str:
    """The language pair, of a file that tells any."""
    return "" if table.pairs is None else pair


def _of_pattern(path: str, pair: str) -> list[FileScores]:
    """The columns of one of the files, which all have the same, each under its name."""
    files = files_of_pattern(path)
    if not files:
        return [FileScores(file=path, label=_name_of_pattern(path))]
    table = read_scores(files[0])
    if len(table.scores) == 1:
        return [FileScores(file=path, label=_name_of_pattern(path), pair=_pair_in(table, pair))]
    return _of_columns(path, table, pair)


def _name_of_pattern(path: str) -> str:
    """What the files of all systems have in common: the rest of their name, or their folder."""
    place = Path(path)
    stem = metric_of(place.name).replace(SYSTEM, "").strip(".-_")
    return stem or place.parent.name


def _folder(path: str, pair: str) -> Path:
    """The folder with the files of one language pair."""
    top = Path(path)
    inner = top / FOLDER
    folder = inner if inner.is_dir() else top
    pairs = sorted(child.name for child in folder.iterdir() if child.is_dir())
    if any(level_of(child.name) for child in folder.iterdir()) or not pairs:
        return folder
    if pair and pair not in pairs:
        raise InputError(f"{folder}: found {', '.join(pairs)}, expected {pair}")
    if not pair and len(pairs) > 1:
        raise InputError(
            f"{folder}: found {', '.join(pairs)}, expected one of them: {folder / pairs[0]}"
        )
    return folder / (pair or pairs[0])
