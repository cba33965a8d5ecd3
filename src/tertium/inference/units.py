"""What is resampled: single segments, or whole documents.

Segments of one document share its topic, its author and its difficulty. A resample that draws
segments one by one takes them for independent, and finds scores surer than they are. Statistics
are additive, so whole documents need no test of their own: the rows of each document are summed
first, and every test then sees fewer rows.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import RESAMPLINGS, Resampling
from tertium.errors import InputError, OptionError
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Rows, Scores
from tertium.plurals import counted
from tertium.results import USUAL_LEVEL, Unit
from tertium.scored.slices import numbered, sums_of

FEWEST_UNITS: Final = 10
"""With fewer the bootstrap's p-values are far too small, and tests are made by randomization, which
holds for any number."""

FEWEST_FOR_INTERVALS: Final[dict[Unit, int]] = {"segment": 120, "document": 20}
"""With fewer, skewed as segments and documents are, an interval of 95 % may hold the truth in less
than 93 % of the cases (experiments/simulations)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Units:
    """What is drawn as a whole; ``of_segment`` has the unit of every segment."""

    unit: Unit
    count: int
    of_segment: NDArray[np.intp] = field(repr=False)

    def __str__(self) -> str:
        return counted(self.count, self.unit)

    @property
    def few(self) -> bool:
        """Too few for the bootstrap's p-values."""
        return self.count < FEWEST_UNITS

    @property
    def rough(self) -> bool:
        """Too few for intervals that hold what they promise."""
        return self.count < FEWEST_FOR_INTERVALS[self.unit]

    def sums(self, rows: Rows) -> Rows:
        """The rows of the segments, (…, segments, K), as one row for each unit."""
        if rows.shape[-2] != len(self.of_segment):
            raise InputError(
                f"documents: found {len(self.of_segment)} labels, "
                f"expected {rows.shape[-2]} (segments)"
            )
        if self.unit == "segment":
            return rows
        return sums_of(rows, self.of_segment)


def units_of(
    segments: int, documents: Sequence[Hashable] | None, resample: Resampling = "auto"
) -> Units:
    """The units of some segments, whose documents may be known.

    ``auto`` means documents where there are at least two: a single one cannot be drawn in any
    other way, and what is asked then is asked of its segments.

    >>> str(units_of(4, ["a", "b", "a", "c"]))
    '3 documents'
    >>> str(units_of(4, ["a", "b", "a", "c"], "segments"))
    '4 segments'
    >>> str(units_of(4, None))
    '4 segments'
    """
    if resample not in RESAMPLINGS:
        raise OptionError(f"resample: found '{resample}', expected {', '.join(RESAMPLINGS)}")
    if resample == "documents" and documents is None:
        raise InputError(
            "resample: found no document labels, expected a file of documents (--documents), "
            "a table with a column 'document', or SGML/XML that names them"
        )
    if documents is not None and resample != "segments":
        known, places = numbered(documents)
        if len(known) > 1 or resample == "documents":
            return Units(unit="document", count=len(known), of_segment=places)
    return Units(unit="segment", count=segments, of_segment=np.arange(segments))


@cache
def widening(unit: Unit, units: int, level: float = USUAL_LEVEL) -> float:
    """How much wider than its resamples a bootstrap by documents must be (Hesterberg 2015).

    Resamples of n units vary by √((n − 1)/n) less than samples do, and like the normal
    distribution where Student's t would be right. Segments are many, and stay as sacreBLEU has
    them.

    >>> [round(widening("document", units), 3) for units in (10, 40, 99)]
    [1.217, 1.045, 1.018]
    >>> widening("segment", 10)
    1.0
    """
    if unit == "segment" or units < 2:
        return 1.0
    return float(widened(units, np.array(units - 1), level))


def widened(units: int, freedom: Scores, level: float = USUAL_LEVEL) -> Scores:
    """`widening` where the variance of the units is known with so many degrees of freedom."""
    with scipy_for("intervals by documents", otherwise=", or resample segments"):
        from scipy.special import ndtri, stdtrit  # takes longer to import than all the rest

    tail = (1 + level) / 2
    ratio: Scores = stdtrit(freedom, tail) / ndtri(tail) * np.sqrt(units / max(units - 1, 1))
    return ratio
