"""Translation edit rate: edits, among them shifts of whole blocks, per reference word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypedDict

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.options import case_sensitive_option
from tertium.metrics.contract.pictures import Picture, counting, of_shifts
from tertium.metrics.edit.alignment import (
    Aligning,
    ShiftAlignment,
    alignment_lines,
    shift_alignment,
)
from tertium.text.references import AnyReferences, Hypotheses, aligned


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationEditRate(Aligning, Metric):
    """(I + D + S + shifts) / |r|, Snover et al. 2006; fewest edits over mean reference length.

    The search for shifts is greedy and full of limits, so a program is the definition:
    sacreBLEU 2.6.0, or tercom 0.8.0 with ``behaviour="tercom"``. They cut odd text differently
    and, with ``normalized``, sacreBLEU cuts references twice, which parts ``in-law's,`` where
    tercom does not. On plain text their results hardly ever differ.
    """

    name: ClassVar[str] = "ter"
    title: ClassVar[str] = "TER"
    summary: ClassVar[str] = "edits and moved phrases per reference word"
    citation: ClassVar[str] = "Snover et al. 2006"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = np.inf

    case_sensitive: bool = case_sensitive_option()
    words: Literal["tercom"] = option(
        "tercom", "how text is cut into words", key="tok", always=True
    )
    normalized: bool = option(False, "undo markup, cut off punctuation", key="norm", always=True)
    punctuation: bool = option(True, "keep punctuation", key="punct", always=True)
    asian_support: bool = option(
        False, "cut and remove Chinese and Japanese characters too", key="asian", always=True
    )
    behaviour: Literal["sacrebleu", "tercom"] = option(
        "sacrebleu", "which program's results are given"
    )
    shift_length: int = option(10, "most words that move together")
    shift_distance: int = option(50, "farthest that they move")
    beam: int | None = option(
        None, "cells of the edit table that are looked at: the program's own (25 or 20) if none"
    )

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=5, power=4) if self.behaviour == "tercom" else None

    def __post_init__(self) -> None:
        least = {"shift_length": 0, "shift_distance": 0, "beam": 1}
        for name, smallest in least.items():
            value = getattr(self, name)
            if value is not None and value < smallest:
                raise OptionError(f"ter: found {name} {value}, expected at least {smallest}")

    @property
    def columns(self) -> tuple[str, ...]:
        return (
            "edits",
            "reference_length",
            "insertions",
            "deletions",
            "substitutions",
            "shifts",
        )

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        key = ("ter", self.case_sensitive, self._rules, self.behaviour)
        prepared = shared.prepared(key, self._references)
        try:
            return _native.ter_statistics(
                self._cut(texts),
                prepared,
                **self.search_limits,
            )
        except ValueError as error:  # only tercom's table can be too large
            raise InputError(f"ter: {error}") from None

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        edits, length = rows[..., 0], rows[..., 1]
        return 100 * np.where(length == 0, edits > 0, ratio(edits, length))

    def align(self, hypothesis: str, reference: str) -> ShiftAlignment:
        """The shifts and edits that turn the reference into the hypothesis, for printing.

        >>> print(TranslationEditRate().align("on the mat the cat sat", "the cat sat on the mat"))
        shift 3 words from 0 to 3: on the mat
        REF: the cat sat on the mat
        HYP: the cat sat on the mat
        """
        texts = self._cut(Texts([hypothesis]))
        columns = self._cut_references((Texts([reference]),))
        shifts, moves = _native.ter_paths(
            texts,
            _native.TokenizedReferences(columns, "none"),
            0,
            **self.search_limits,
        )[0]
        return shift_alignment(texts, columns[0], shifts, moves)

    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> tuple[list[str], tuple[Picture, ...]]:
        aligned = [self.align(hypothesis, reference) for reference in references]
        pictures = [of_shifts(alignment) for alignment in aligned]
        return alignment_lines(aligned), counting(pictures, [picture.edits for picture in pictures])

    def describe(self, row: Rows) -> str:
        _, length, insertions, deletions, substitutions, shifts = row
        return (
            f"(I = {insertions:.0f} D = {deletions:.0f} S = {substitutions:.0f} "
            f"shifts = {shifts:.0f} ref_len = {length:g})"
        )

    @property
    def search_limits(self) -> "SearchLimits":
        """How the native core is to search."""
        return {
            "original": self._original,
            "shift_length": self.shift_length,
            "shift_distance": self.shift_distance,
            "beam": self.beam if self.beam is not None else BEAMS[self.behaviour],
            "shifts_tried": SHIFTS_TRIED,
        }

    def cut(self, hypotheses: Texts, references: Texts) -> tuple[Texts, Texts]:
        """Both sides as the native core is to see them, words between blanks."""
        return self._cut(hypotheses), self._cut_references((references,))[0]

    @property
    def _original(self) -> bool:
        return self.behaviour == "tercom"

    @property
    def _rules(self) -> tuple[bool, bool, bool]:
        return self.normalized, self.punctuation, self.asian_support

    def _cut(self, texts: Texts) -> Texts:
        if not self.case_sensitive:
            texts = texts.lower()
        return texts if self._plain else self._words_of(texts)

    def _cut_references(self, columns: tuple[Texts, ...]) -> list[Texts]:
        cut = [self._cut(column) for column in columns]
        if self._plain or self._original:
            return cut
        return [self._words_of(column) for column in cut]  # sacreBLEU cuts references twice

    def _references(self, columns: tuple[Texts, ...]) -> _native.TokenizedReferences:
        return _native.TokenizedReferences(self._cut_references(columns), "none")

    def _words_of(self, texts: Texts) -> Texts:
        return _native.tercom_texts(
            texts,
            normalized=self.normalized,
            punctuation=self.punctuation,
            asian=self.asian_support,
            original=self._original,
        )

    @property
    def _plain(self) -> bool:
        """Whether splitting at blanks, which the native core does anyway, is all there is."""
        return self.punctuation and not self.normalized and not self._original


class SearchLimits(TypedDict):
    """Which program's search it is, and where it ends."""

    original: bool
    shift_length: int
    shift_distance: int
    beam: int
    shifts_tried: int


SHIFTS_TRIED = 1000
"""After so many, sacreBLEU takes a segment as it stands. tercom never gives up."""

BEAMS = {"sacrebleu": 25, "tercom": 20}
