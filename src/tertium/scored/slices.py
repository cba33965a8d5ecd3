"""Slices of a corpus: its segments by genre, by document or by length of the reference."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.scored.bands import Bands

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
        places = {label: place for place, label in enumerate(order)}
        of_segment = np.fromiter((places[label] for label in labels), np.intp, len(labels))
        return cls(labels=tuple(order), of_segment=of_segment)

    @classmethod
    def by_band(cls, bands: Bands, numbers: ArrayLike) -> "Slices":
        """The bands that have any segment, from small to large."""
        found, of_segment = np.unique(bands.of(numbers), return_inverse=True)
        labels = bands.labels
        return cls(labels=tuple(labels[band] for band in found.tolist()), of_segment=of_segment)

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
    of_segment = np.fromiter((places.setdefault(one, len(places)) for one in labels), np.intp)
    return tuple(places), of_segment


def sums_of(numbers: Numbers, of_segment: Places, axis: int = -2) -> Numbers:
    """Numbers of segments along an axis, added up by place in one pass; none may be empty."""
    order = np.argsort(of_segment, kind="stable")
    ordered = of_segment[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return np.add.reduceat(np.take(numbers, order, axis=axis), starts, axis=axis)
