"""How far judges agree beyond chance: Krippendorff's α for ratings, Cohen's κ for rankings.

α (Krippendorff, 2004) compares the disagreement within what was rated twice with that between
any two ratings: α = 1 − D_observed / D_expected. κ (Cohen, 1960) is taken as WMT took it,
κ = (P(A) − P(E)) / (1 − P(E)): P(A) is how often two judgments of the same two outputs say the
same of better, worse and tie, and P(E) = P(tie)² + 2 ((1 − P(tie)) / 2)².
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.installation import scipy_for
from tertium.meta.ratings.judgments import Comparisons, Floats
from tertium.plain import Plain
from tertium.suggestions import did_you_mean

Scale: TypeAlias = Literal["nominal", "ordinal", "interval"]
SCALES: Final[tuple[Scale, ...]] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappa(Plain):
    """Cohen's κ of preferences; ``pairs`` are the pairs of judgments that were compared."""

    kappa: float
    observed: float
    expected: float
    pairs: int


def krippendorff_alpha(
    units: NDArray[Any], values: NDArray[Any], scale: Scale = "interval"
) -> float:
    """Krippendorff's α of ``values`` where equal ``units`` say that the same was rated.

    NaN if nothing was rated twice, or if all ratings of such units are the same, when chance
    alone would agree too. For ordinal ratings the distance is that of mid-ranks, which is
    what Krippendorff's sum over the ranks between comes to.
    """
    if scale not in SCALES:
        raise OptionError(did_you_mean("scale of ratings", scale, SCALES))
    _, unit, counts = np.unique(units, return_inverse=True, return_counts=True)
    several = counts[unit] > 1
    kept: Floats = np.asarray(values, dtype=np.float64)[several]
    if len(kept) < 2:
        return float("nan")
    _, unit, sizes = np.unique(unit[several], return_inverse=True, return_counts=True)
    numbers = kept
    if scale == "ordinal":
        with scipy_for("agreement of judges"):
            from scipy.stats import rankdata

        numbers = rankdata(kept)
    distances = _kinds if scale == "nominal" else _squares
    expected = distances(np.zeros_like(unit), numbers)[0]
    if expected <= 0:
        return float("nan")
    observed = (distances(unit, numbers) / (sizes - 1)).sum()
    return float(1 - (len(kept) - 1) * observed / expected)


def _squares(unit: NDArray[Any], values: Floats) -> Floats:
    """The sum of (x − y)² over the pairs of ratings of each unit."""
    centred = values - values.mean()  # squares of large numbers would lose digits
    sums = np.bincount(unit, weights=centred)
    squares = np.bincount(unit, weights=centred**2)
    distances: Floats = np.maximum(np.bincount(unit) * squares - sums**2, 0.0)
    return distances


def _kinds(unit: NDArray[Any], values: Floats) -> Floats:
    """The number of pairs of different ratings of each unit."""
    _, kind = np.unique(values, return_inverse=True)
    cells, counts = np.unique(np.stack([unit, kind]), axis=1, return_counts=True)
    alike = np.bincount(cells[0], weights=counts.astype(np.float64) ** 2)
    return (np.bincount(unit).astype(np.float64) ** 2 - alike) / 2


def wmt_kappa(comparisons: Comparisons, *, same_judge: bool = False) -> Kappa | None:
    """κ of preferences between two judges, or between a judge's first and second thoughts.

    None if no two such judgments are of the same two outputs.
    """
    items = same_outputs(comparisons)
    first = np.minimum(comparisons.better, comparisons.worse)
    verdict = np.where(comparisons.tie, 0, np.where(comparisons.better == first, 1, -1))
    agreed = pairs = 0
    order = np.argsort(items, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(items[order])) + 1):
        if len(group) > 1:
            judges, said = comparisons.judge[group], verdict[group]
            wanted = np.triu((judges[:, None] == judges) == same_judge, k=1)
            pairs += int(wanted.sum())
            agreed += int((wanted & (said[:, None] == said)).sum())
    if not pairs:
        return None
    observed = agreed / pairs
    ties = float(comparisons.tie.mean())
    expected = ties**2 + (1 - ties) ** 2 / 2
    kappa = (observed - expected) / (1 - expected) if expected < 1 else float("nan")
    return Kappa(kappa=kappa, observed=observed, expected=expected, pairs=pairs)


def same_outputs(comparisons: Comparisons) -> NDArray[np.int64]:
    """A number for each comparison, equal where the same two outputs were compared."""
    low = np.minimum(comparisons.better, comparisons.worse)
    high = np.maximum(comparisons.better, comparisons.worse)
    table = np.stack([comparisons.segment, low, high])
    return np.unique(table, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)
