"""Scores that were computed before, from a file, as a metric."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, Self

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.options import bound, option
from tertium.metrics.foreign.alignment import Choice, aligned_scores
from tertium.metrics.foreign.identity import ForeignMetric, counts_errors
from tertium.metrics.foreign.score_files import read_scores
from tertium.metrics.foreign.score_table import Column, ScoreTable
from tertium.metrics.foreign.segment_metric import SegmentScore, Sources
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

    file: str = option("", "the file; {system} in its name stands for each system's")
    column: str = option("", "of several columns of scores, this one")
    system: str = option("", "whose scores they are, if the file does not say so")
    pair: str = option("", "of several language pairs, this one")
    first: Literal["auto", "0", "1"] = option("auto", "the number of the first segment")
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
        return table.title(table.column(self.column))

    @property
    def is_gain(self) -> bool:
        """Whether more is better: as told, as the layout says, or as the name lets expect."""
        if self.higher != "auto" or not self.file or SYSTEM in self.file:
            return _told(self.higher, self.shown_name)
        table = read_scores(self.file)
        column = table.column(self.column)
        if table.gains or column in table.errors:
            return table.gains
        # An error rate that is nowhere above zero was turned around.
        return not counts_errors(self.shown_name) or not _positive(table, column)

    def signature(self, references: str | int = 1) -> str:
        """The identity, and what tells this file from one with other scores."""
        whole = ForeignMetric.signature(self, references)
        if not self.file or SYSTEM in self.file:
            return whole
        *front, version = whole.split("|")
        return "|".join([*front, f"digest:{read_scores(self.file).digest}", version])

    def bind(self, corpus: Corpus) -> Self:
        """Hold for this corpus alone: numbers of segments are those of its segments."""
        if not self.file:
            raise OptionError("scores: found no file, expected scores[file=FILE]")
        if SYSTEM not in self.file:
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
                f"{self.title}: found {len(corpus)} segments, expected the {self.segments} "
                "that the scores are of"
            )
        table = read_scores(self.file.replace(SYSTEM, system.name))
        own = system.name if SYSTEM in self.file and not self.system else self.system
        choice = Choice(column=self.column, pair=self.pair, system=own, first=self.first)
        return scores_in_rows(aligned_scores(table, choice, system, corpus))


def scores_in_rows(values: Column) -> Rows:
    """Rows (sum, count) of scores, of which some may be NaN."""
    there = ~np.isnan(values)
    return np.stack([np.where(there, values, 0.0), there.astype(float)], axis=1)


def _told(higher: str, name: str) -> bool:
    return not counts_errors(name) if higher == "auto" else higher == "yes"


def _positive(table: ScoreTable, column: str) -> bool:
    return bool(np.nanmax(table.scores[column], initial=-np.inf) > 0)
