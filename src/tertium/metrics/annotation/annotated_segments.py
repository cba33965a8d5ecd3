"""Metrics over annotations: what a segment's text holds besides words, and how it is read.

The contract stays as it is, for the text of a segment *is* its annotation: a parse in
CoNLL-U, words with their alignment, or whatever else a metric can read. A metric over such
segments says how one is read and which statistics a hypothesis and its references give.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows
from tertium.text.references import AnyReferences, Hypotheses, References, aligned

Annotation = TypeVar("Annotation")
Column: TypeAlias = list[Annotation | None]


class FormError(ValueError):
    """A segment that is not of the expected form; ``line`` is counted inside the segment."""

    def __init__(self, found: str, expected: str, *, line: int | None = None) -> None:
        place = "" if line is None else f", line {line}"
        super().__init__(f"{place}: found {found}, expected {expected}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationMetric(Metric, Generic[Annotation]):
    """A metric that reads an annotation from the text of every segment.

    References are read once for all systems. What is malformed is an error with the number of
    the segment and, where there are several, of the line.
    """

    @abstractmethod
    def read(self, segment: str) -> Annotation:
        """The annotation that a segment's text holds, or a `FormError`."""

    @abstractmethod
    def row(self, hypothesis: Annotation, references: Sequence[Annotation]) -> Sequence[float]:
        """The statistics of one segment."""

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        columns = read_references(shared, self.read, key=self)
        rows = [
            self.row(hypothesis, [one for one in others if one is not None])
            for hypothesis, *others in zip(read_hypotheses(texts, self.read), *columns, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))


def read_hypotheses(texts: Texts, read: Callable[[str], Annotation]) -> list[Annotation]:
    """The annotation of every hypothesis."""
    return [one for one in read_column(texts, "hypotheses", read) if one is not None]


def read_references(
    references: References, read: Callable[[str], Annotation], *, key: Hashable
) -> list[Column[Annotation]]:
    """The annotations of every reference, made once and kept; ``None`` where one is missing."""
    return references.prepared(key, partial(_read_columns, read=read))


def _read_columns(
    columns: tuple[Texts, ...], *, read: Callable[[str], Annotation]
) -> list[Column[Annotation]]:
    places = (f"reference set {number}" for number in range(1, len(columns) + 1))
    return [read_column(column, place, read) for column, place in zip(columns, places, strict=True)]


def read_column(texts: Texts, place: str, read: Callable[[str], Annotation]) -> Column[Annotation]:
    """Every segment read; ``place`` names the column in an error."""
    found: Column[Annotation] = []
    for number, text in enumerate(texts.to_list(), 1):
        try:
            found.append(None if text is None else read(text))
        except FormError as error:
            raise InputError(f"{place}: segment {number}{error}") from None
    return found
