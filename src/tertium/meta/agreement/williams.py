"""Williams' test: does one metric correlate better with people than another? (Williams 1959).

Proposed for metrics by Graham & Baldwin (2014): the two correlations are not independent, since
both metrics scored the same systems, and the closer the metrics are to one another the smaller a
difference can be told from chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, nan, sqrt
from typing import Any, Final

import numpy as np

from tertium.errors import InputError
from tertium.installation import scipy_for
from tertium.meta.agreement.correlation import pearson
from tertium.meta.ratings.judgments import Floats, or_none
from tertium.plurals import counted

LEAST_SYSTEMS: Final = 4


def williams_p_value(
    r12: float,
    r13: float,
    r23: float,
    systems: int,
    *,
    two_sided: bool = False,
    freedom: int | None = None,
) -> float:
    """The p-value of r12 > r13, where 1 are people, 2 and 3 are metrics.

    t = (r12 − r13) √((n − 1)(1 + r23)) / √(2K (n − 1)/(n − 3) + (r12 + r13)²/4 (1 − r23)³),
    K = 1 − r12² − r13² − r23² + 2 r12 r13 r23, has n − 3 degrees of freedom if not said
    otherwise. NaN where it is not defined, as for two metrics that are the same but for scale.
    """
    if systems < LEAST_SYSTEMS:
        raise InputError(
            f"Williams' test: found {counted(systems, 'system')}, expected at least {LEAST_SYSTEMS}"
        )
    statistic = _statistic(r12, r13, r23, systems)
    degrees = systems - 3 if freedom is None else freedom
    return float(_p_values(np.array(statistic), degrees, two_sided=two_sided))


def _p_values(statistics: Floats, freedom: int, *, two_sided: bool) -> Floats:
    """How often Student's t is so great, or beyond it on either side."""
    with scipy_for("Williams' test"):
        from scipy.special import stdtr  # takes longer to import than all the rest

    if two_sided:
        return np.asarray(2 * stdtr(freedom, -np.abs(statistics)))
    return np.asarray(stdtr(freedom, -statistics))


def _statistic(r12: float, r13: float, r23: float, n: int) -> float:
    """Williams' t of n systems, NaN where it is not defined."""
    if not all(map(isfinite, (r12, r13, r23))):
        return nan
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if spread <= 0 or r23 <= -1:
        return nan
    return (r12 - r13) * sqrt((n - 1) * (1 + r23) / spread)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WilliamsTests:
    """Every pair of metrics; a row's p-value says that it beats the metric of the column.

    The matrices have the shape (metrics, metrics), NaN where the row's absolute correlation is
    not the greater one, as in the tables of Graham & Baldwin. Two habits are in use:

    - ``p_values``: t has n − 3 degrees of freedom, as in the paper and in mt-metrics-eval.
    - ``p_values_published``: n − 2, what the script published with the paper printed: it called
      the R package psych, which took n − 2 until November 2014.
    """

    metrics: tuple[str, ...]
    correlations: Floats
    p_values: Floats = field(repr=False)
    p_values_published: Floats = field(repr=False)
    systems: int
    two_sided: bool

    def p_value(self, metric: str, other: str) -> float:
        """That of one pair, whichever of the two is ahead."""
        a, b = self.metrics.index(metric), self.metrics.index(other)
        p_value = self.p_values[a, b]
        return float(self.p_values[b, a] if np.isnan(p_value) else p_value)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not defined is null."""
        return {
            "test": "Williams",
            "two_sided": self.two_sided,
            "systems": self.systems,
            "metrics": list(self.metrics),
            "pearson": _with_nulls(self.correlations),
            "p_values": _with_nulls(self.p_values),
            "p_values_published": _with_nulls(self.p_values_published),
        }


def williams_tests(
    ratings: Floats, scores: Floats, metrics: Sequence[str], *, two_sided: bool = False
) -> WilliamsTests:
    """Test all pairs of metrics; ``scores`` are (metrics, systems), ``ratings`` (systems,).

    Absolute correlations are compared: an error rate is as good as its negative.
    """
    ratings, scores = np.asarray(ratings, np.float64), np.asarray(scores, np.float64)
    if scores.shape != (len(metrics), len(ratings)):
        raise InputError(
            f"scores: found shape {scores.shape}, "
            f"expected ({len(metrics)}, {len(ratings)}) (metrics, systems)"
        )
    if np.isnan(ratings).any() or np.isnan(scores).any():
        raise InputError("Williams' test: found NaN, expected every system rated and scored")
    if len(ratings) < LEAST_SYSTEMS:
        raise InputError(
            f"Williams' test: found {counted(len(ratings), 'system')}, expected at least "
            f"{LEAST_SYSTEMS}"
        )
    correlations = pearson(ratings, scores)
    # Turned so that all go with the ratings: the correlation of two metrics turns with them.
    turned = scores * np.where(correlations < 0, -1.0, 1.0)[:, np.newaxis]
    absolute = np.abs(correlations).tolist()
    n = len(ratings)
    statistics = np.full((len(metrics), len(metrics)), np.nan)
    for row, first in enumerate(absolute):
        between = pearson(turned[row], turned).tolist()
        for column, second in enumerate(absolute):
            if first > second:
                statistics[row, column] = _statistic(first, second, between[column], n)
    p_values, published = (
        _p_values(statistics, freedom, two_sided=two_sided) for freedom in (n - 3, n - 2)
    )
    return WilliamsTests(
        metrics=tuple(metrics),
        correlations=correlations,
        p_values=p_values,
        p_values_published=published,
        systems=len(ratings),
        two_sided=two_sided,
    )


def _with_nulls(values: Floats) -> Any:
    """Nested lists, with null for JSON where a number is NaN."""
    if values.ndim > 1:
        return [_with_nulls(row) for row in values]
    return [or_none(value) for value in values.tolist()]
