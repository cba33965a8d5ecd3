"""What people said of systems, and what a metric says of them: the two sides of every agreement.

Ratings are people's, scores are metrics'. Higher ratings are always better; readers turn round
what has the other direction.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.plain import Plain

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion(Plain):
    """Something that was left out, why, and how much of it; nothing is dropped silently.

    ``pair`` is the language pair that it concerns; empty concerns all that was read with it.
    """

    PLAIN = "reason count example"

    reason: str
    count: int
    example: str = ""
    pair: str = ""

    def __str__(self) -> str:
        noun, blank, rest = self.reason.partition(" ")
        if self.count == 1 and noun.isalpha():
            noun = noun.removesuffix("s")
        example = f" (such as {self.example})" if self.example else ""
        return f"{self.count} {noun}{blank}{rest}{example}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparisons:
    """Preferences between two systems on a segment, one per place of the arrays.

    ``better`` and ``worse`` are indices of systems, ``segment`` counts from 0, ``judge`` is any
    number that tells judges apart. Where ``tie`` is set, neither was preferred.
    """

    segment: Indices = field(repr=False)
    judge: Indices = field(repr=False)
    better: Indices = field(repr=False)
    worse: Indices = field(repr=False)
    tie: Flags = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("segment", "judge", "better", "worse"):
            object.__setattr__(self, name, _frozen(_whole(getattr(self, name), name)))
        object.__setattr__(self, "tie", _frozen(np.array(self.tie, dtype=np.bool_)))
        shapes = {
            name: np.shape(getattr(self, name))
            for name in ("segment", "judge", "better", "worse", "tie")
        }
        if len(set(shapes.values())) > 1 or len(shapes["tie"]) != 1:
            raise InputError(f"comparisons: found shapes {shapes}, expected one length for all")
        for name in ("segment", "better", "worse"):
            if (getattr(self, name) < 0).any():
                raise InputError(f"comparisons: found a negative {name}, expected from 0 on")
        if (self.better == self.worse).any():
            place = int(np.flatnonzero(self.better == self.worse)[0])
            raise InputError(
                f"comparison {place}: found system {self.better[place]} against itself, "
                "expected two systems"
            )

    def __len__(self) -> int:
        return len(self.tie)

    def take(self, chosen: NDArray[Any]) -> "Comparisons":
        """Those at some places, or where a mask is set."""
        return Comparisons(
            segment=self.segment[chosen],
            judge=self.judge[chosen],
            better=self.better[chosen],
            worse=self.worse[chosen],
            tie=self.tie[chosen],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgments:
    """The ratings of some systems under one criterion; higher is better.

    ``values`` are the ratings of whole systems, shape (systems,); ``segments`` those of single
    segments, shape (systems, segments); NaN says that nobody rated. ``comparisons`` are there
    where people ranked instead of rating. ``omitted`` are systems that were left out on purpose;
    a score of them is no surprise. ``documents`` has the document of every segment; None
    where documents are not known. ``located`` says whether segments are numbered as in the test
    set: what is not cannot be held against scores of segments.
    """

    name: str
    criterion: str
    systems: tuple[str, ...]
    values: Floats = field(repr=False)
    segments: Floats | None = field(default=None, repr=False)
    comparisons: Comparisons | None = field(default=None, repr=False)
    exclusions: tuple[Exclusion, ...] = ()
    omitted: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    located: bool = True

    def __post_init__(self) -> None:
        _set_numbers(self, f"{self.name} {self.criterion}")
        width = None if self.segments is None else self.segments.shape[1]
        if self.documents is not None and width not in {None, len(self.documents)}:
            raise InputError(
                f"{self.name} {self.criterion}: found documents of {len(self.documents)} segments, "
                f"expected {width} (ratings)"
            )
        if self.comparisons is not None and len(self.comparisons):
            top = int(max(self.comparisons.better.max(), self.comparisons.worse.max()))
            if top >= len(self.systems):
                raise InputError(
                    f"{self.name} comparisons: found system {top}, "
                    f"expected below {len(self.systems)} (systems)"
                )
            last = int(self.comparisons.segment.max())
            if self.segments is not None and last >= self.segments.shape[1]:
                raise InputError(
                    f"{self.name} comparisons: found segment {last}, "
                    f"expected below {self.segments.shape[1]} (segments)"
                )

    @property
    def ratings(self) -> int:
        """How many ratings of segments there are."""
        return 0 if self.segments is None else int(np.isfinite(self.segments).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricScores:
    """The scores of some systems by one metric, in the shapes of `Judgments`.

    ``metric`` is the spec or, for published scores, the name that was published.
    """

    metric: str
    systems: tuple[str, ...]
    values: Floats = field(repr=False)
    segments: Floats | None = field(default=None, repr=False)
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        _set_numbers(self, self.metric)


def _set_numbers(table: Judgments | MetricScores, location: str) -> None:
    """Check names and shapes, and keep arrays that nobody can change."""
    systems = tuple(table.systems)
    object.__setattr__(table, "systems", systems)
    _check_names(systems, location)
    values = _floats(table.values, f"{location} values")
    if values.shape != (len(systems),):
        raise InputError(
            f"{location} values: found shape {values.shape}, expected ({len(systems)},) (systems)"
        )
    object.__setattr__(table, "values", values)
    if table.segments is None:
        return
    segments = _floats(table.segments, f"{location} segments")
    if segments.ndim != 2 or len(segments) != len(systems):
        raise InputError(
            f"{location} segments: found shape {segments.shape}, "
            f"expected ({len(systems)}, segments) (systems)"
        )
    object.__setattr__(table, "segments", segments)


def _check_names(systems: Sequence[str], location: str) -> None:
    if not systems:
        raise InputError(f"{location}: found no systems, expected at least one")
    for name in systems:
        if systems.count(name) > 1:
            raise InputError(f"{location}: found system '{name}' twice, expected different names")


def _floats(given: Any, location: str) -> Floats:
    try:
        array = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{location}: {error}, expected an array of numbers") from None
    if np.isinf(array).any():
        raise InputError(f"{location}: found an infinite number, expected finite ones or NaN")
    frozen: Floats = _frozen(array)
    return frozen


def _whole(given: Any, name: str) -> Indices:
    array = np.asarray(given)
    if array.size and (array.dtype.kind not in "iu" or abs(array).max() > np.iinfo(np.int32).max):
        raise InputError(f"comparisons: found {name} of {array.dtype}, expected whole numbers")
    return array.astype(np.int32)


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


# Numbers for JSON.


def or_none(value: float) -> float | None:
    """The number, or null for JSON, which knows no NaN.

    >>> or_none(0.5), or_none(float("nan"))
    (0.5, None)
    """
    return None if math.isnan(value) else value
