"""Slices of a corpus: its segments by genre, by document or by length of the reference."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium._native import Texts
from tertium.choices import Slicing
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.ngram.bleu import Bleu
from tertium.plain import Plain
from tertium.text.corpus import Corpus, System

# Bands that numbers fall into: lengths, frequencies, ratios. Every number has one band.


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands(Plain):
    """Half-open intervals between edges that rise: below the first, …, from the last on."""

    PLAIN = "edges labels"

    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in zip(self.edges, self.edges[1:], strict=False))
        if not self.edges or not rises or self.edges[0] <= 0:
            found = " ".join(f"{edge:g}" for edge in self.edges) or "none"
            raise OptionError(f"band edges: found {found}, expected numbers above 0 that rise")

    def __len__(self) -> int:
        return len(self.edges) + 1

    def of(self, numbers: ArrayLike) -> NDArray[np.intp]:
        """The index of every number's band."""
        return np.searchsorted(np.asarray(self.edges), np.asarray(numbers), side="right")

    def counts(self, numbers: ArrayLike) -> tuple[int, ...]:
        """How many numbers every band has."""
        return tuple(np.bincount(self.of(numbers), minlength=len(self)).tolist())

    @property
    def labels(self) -> tuple[str, ...]:
        """The bands in words.

        >>> Bands(edges=(1, 2, 5)).labels
        ('0', '1', '2–4', '5+')
        >>> Bands(edges=(0.5, 1)).labels
        ('<0.5', '0.5–1', '1+')
        """
        starts = (0, *self.edges)
        inner = [self._label(a, b) for a, b in zip(starts, self.edges, strict=False)]
        return (*inner, f"{self.edges[-1]:g}+")

    def _label(self, start: float, end: float) -> str:
        if not all(edge == int(edge) for edge in self.edges):
            return f"{start:g}–{end:g}" if start else f"<{end:g}"
        return f"{start:g}" if end == start + 1 else f"{start:g}–{end - 1:g}"


LENGTHS: Final = Bands(edges=(10, 20, 30, 40, 50, 60))
"""Words in a reference: the bands of every slicing by length."""


Places: TypeAlias = NDArray[np.intp]
Numbers: TypeAlias = NDArray[np.float64]
Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slices:
    """Segments under labels: ``of_segment`` is the place of each one's label in ``labels``.

    Every label has at least one segment.
    """

    labels: tuple[str, ...]
    of_segment: Places = field(repr=False)

    @classmethod
    def of(cls, labels: Sequence[str]) -> "Slices":
        """Slices in alphabetical order.

        >>> slices = Slices.of(["web", "news", "web"])
        >>> slices.labels, slices.counts
        (('news', 'web'), (1, 2))
        >>> slices.sums(np.array([[1.0], [2.0], [4.0]])).tolist()
        [[2.0], [5.0]]
        """
        order = sorted(set(labels))
        places = {label: index for index, label in enumerate(order)}
        of_segment = np.fromiter((places[label] for label in labels), np.intp, len(labels))
        return cls(labels=tuple(order), of_segment=of_segment)

    @classmethod
    def by_band(cls, bands: Bands, numbers: ArrayLike) -> "Slices":
        """The bands that have any segment, from small to large."""
        present, of_segment = np.unique(bands.of(numbers), return_inverse=True)
        labels = bands.labels
        return cls(labels=tuple(labels[band] for band in present.tolist()), of_segment=of_segment)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many segments each slice has."""
        return tuple(np.bincount(self.of_segment, minlength=len(self)).tolist())

    @property
    def places(self) -> dict[str, Places]:
        """The segments of each slice."""
        order = np.argsort(self.of_segment, kind="stable")
        ends = np.cumsum(self.counts)
        return dict(zip(self.labels, np.split(order, ends), strict=False))  # nothing is behind all

    def sums(self, numbers: Numbers, axis: int = -2) -> Numbers:
        """Rows of segments, or other numbers along an axis, as one for each slice.

        To the last digit what the segments of a slice alone would add up to.
        """
        segments = np.moveaxis(numbers, axis, 0)
        parts = [segments[some].sum(axis=0) for some in self.places.values()]
        return np.stack(parts, axis=axis) if parts else numbers


def numbered(labels: Iterable[Label]) -> tuple[tuple[Label, ...], Places]:
    """The different labels as they come up, and the place of each one's among them.

    >>> numbered(["b", "a", "b"])
    (('b', 'a'), array([0, 1, 0]))
    """
    places: dict[Label, int] = {}
    of_segment = np.fromiter((places.setdefault(label, len(places)) for label in labels), np.intp)
    return tuple(places), of_segment


def sums_of(numbers: Numbers, of_segment: Places, axis: int = -2) -> Numbers:
    """Numbers of segments along an axis, added up by place in one pass; none may be empty."""
    order = np.argsort(of_segment, kind="stable")
    ordered = of_segment[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return np.add.reduceat(np.take(numbers, order, axis=axis), starts, axis=axis)


# Words of systems and references, counted once for all that asks for lengths.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lengths:
    """Words by the tokenizer 13a, whatever a metric counts itself.

    ``words`` and ``closest`` are (systems, segments): each output, and the reference nearest to
    it in length. ``references`` is the mean length of each segment's references.
    """

    words: Numbers = field(repr=False)
    closest: Numbers = field(repr=False)
    references: Numbers = field(repr=False)


def lengths_of(
    corpus: Corpus, systems: Sequence[System], scored: Sequence[tuple[Metric, Rows]] = ()
) -> Lengths:
    """Count words, unless BLEU is among what is ``scored``: its rows end in both lengths."""
    plain = Bleu(order=1)
    counted = next((rows for metric, rows in scored if _counts_alike(metric, plain)), None)
    if counted is None:
        counted = np.stack([plain.rows_of(system, corpus) for system in systems])
    return Lengths(
        words=counted[..., -2], closest=counted[..., -1], references=reference_lengths(corpus)
    )


def _counts_alike(metric: Metric, plain: Bleu) -> bool:
    return type(metric) is Bleu and all(
        getattr(metric, name) == getattr(plain, name)
        for name in ("tokenizer", "lowercase", "punctuation", "reference_length")
    )


def reference_lengths(corpus: Corpus) -> Numbers:
    """Words in the references of each segment, the mean where there are several."""
    mean = Bleu(order=1, reference_length="average")
    return mean.statistics(Texts([""] * len(corpus)), corpus.references)[:, -1]


def slices_of(corpus: Corpus, by: Slicing, *, lengths: Numbers | None = None) -> Slices:
    """The segments by genre, document or length; an error where there are no such labels.

    ``lengths`` are the `reference_lengths`, where they are known already.
    """
    if by == "length":
        return Slices.by_band(LENGTHS, reference_lengths(corpus) if lengths is None else lengths)
    return Slices.of(corpus.labels(by))
