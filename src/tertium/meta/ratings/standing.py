"""Where systems stand by people's ratings: means, pairs tested, clusters by the rule of WMT.

Two systems are compared on the segments that both were rated on: signs of the differences of their
means are exchanged (a permutation test for pairs). Where they share fewer than two segments,
Welch's t test compares all their segments. Holm's correction covers all pairs. A line is drawn
between two systems if every system above it is significantly better than every system below it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.inference.choices import DEFAULT_SEED
from tertium.inference.corrections import holm
from tertium.installation import scipy_for
from tertium.meta.agreement.json_numbers import or_none
from tertium.meta.ratings.judge_consistency import without_repeats
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.many_judges import Ratings

TRIALS: Final = 2000
_AT_ONCE: Final = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One system among the others; ``cluster`` counts from 1, the best."""

    system: str
    value: float
    error: float
    """Standard error of the value over segments; NaN of a single one."""
    segments: int
    ratings: int
    cluster: int
    best: int
    worst: int
    """The ranks that the tests leave possible."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "system": self.system,
            "value": self.value,
            "error": or_none(self.error),
            "segments": self.segments,
            "ratings": self.ratings,
            "cluster": self.cluster,
            "ranks": [self.best, self.worst],
        }


def standings(
    ratings: Ratings, *, alpha: float = 0.05, trials: int = TRIALS, seed: int = DEFAULT_SEED
) -> tuple[Standing, ...]:
    """The systems from best to worst; a system without a rating is not among them."""
    single = without_repeats(ratings)
    table = single.judgments().segments
    if table is None:
        return ()
    rated = [one for one in range(len(table)) if np.isfinite(table[one]).any()]
    means = {one: float(np.nanmean(table[one])) for one in rated}
    order = sorted(rated, key=lambda one: -means[one])
    differs = _differs(table[order], alpha=alpha, trials=trials, rng=np.random.default_rng(seed))
    clusters = _clusters(differs)
    found = []
    for place, one in enumerate(order):
        values = table[one][np.isfinite(table[one])]
        size = len(values)
        found.append(
            Standing(
                system=ratings.systems[one],
                value=means[one],
                error=float(values.std(ddof=1) / size**0.5) if size > 1 else float("nan"),
                segments=size,
                ratings=int((single.system == one).sum()),
                cluster=clusters[place],
                best=1 + int(differs[place, :place].sum()),
                worst=len(order) - int(differs[place, place + 1 :].sum()),
            )
        )
    return tuple(found)


def _differs(
    table: Floats, *, alpha: float, trials: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Which systems differ significantly after Holm's correction."""
    pairs = list(combinations(range(len(table)), 2))
    # With fewer, Holm could find nothing among so many pairs.
    trials = max(trials, 2 * ceil(len(pairs) / alpha))
    adjusted = holm([_p_value(table[a], table[b], trials, rng) for a, b in pairs])
    result = np.zeros((len(table), len(table)), dtype=np.bool_)
    for (a, b), p_value in zip(pairs, adjusted.tolist(), strict=True):
        result[a, b] = result[b, a] = p_value <= alpha
    return result


def _p_value(first: Floats, second: Floats, trials: int, rng: np.random.Generator) -> float:
    both = np.isfinite(first) & np.isfinite(second)
    if both.sum() > 1:
        differences = first[both] - second[both]
        # Equal sums of other orders differ in their last digits.
        least = abs(differences.sum()) * (1 - 1e-12)
        step = max(1, _AT_ONCE // len(differences))
        extreme = 0
        for start in range(0, trials, step):
            shape = (min(step, trials - start), len(differences))
            signs = rng.integers(0, 2, shape, dtype=np.int8) * 2.0 - 1.0
            extreme += int((np.abs(signs @ differences) >= least).sum())
        return (1 + extreme) / (1 + trials)
    with scipy_for("Welch's t-test"):
        from scipy.stats import ttest_ind

    one, other = first[np.isfinite(first)], second[np.isfinite(second)]
    if min(len(one), len(other)) < 2 or (one.std() == 0 and other.std() == 0):
        return 1.0
    return float(ttest_ind(one, other, equal_var=False).pvalue)


def _clusters(differs: NDArray[np.bool_]) -> Sequence[int]:
    """The cluster of each system, from 1, in order."""
    found, number = [], 1
    for place in range(len(differs)):
        if place and differs[:place, place:].all():
            number += 1
        found.append(number)
    return found
