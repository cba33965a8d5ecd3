"""Krippendorff's α and WMT's κ as plainly as their definitions read."""

from collections.abc import Sequence
from itertools import combinations


def krippendorff_alpha(units: Sequence[Sequence[float]], scale: str) -> float:
    """Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": α = 1 − D_o / D_e.

    Each unit is the list of its ratings.
    """
    pairable = [unit for unit in units if len(unit) > 1]
    values = [value for unit in pairable for value in unit]
    n = len(values)
    domain = sorted(set(values))
    count = {value: values.count(value) for value in domain}

    def distance(c: float, k: float) -> float:
        if scale == "nominal":
            return float(c != k)
        if scale == "interval":
            return (c - k) ** 2
        low, high = min(c, k), max(c, k)
        between = sum(count[g] for g in domain if low <= g <= high)
        return float(c != k) * (between - (count[c] + count[k]) / 2) ** 2

    # o_ck: how often c and k stand in the same unit, each unit weighing its number of ratings.
    observed = sum(
        distance(unit[i], unit[j]) / (len(unit) - 1)
        for unit in pairable
        for i in range(len(unit))
        for j in range(len(unit))
        if i != j
    )
    expected = sum(count[c] * count[k] * distance(c, k) for c in domain for k in domain)
    return 1 - (n - 1) * observed / expected


def wmt_kappa(
    judgments: Sequence[tuple[int, int, int, int, int]], *, same_judge: bool
) -> tuple[float, int]:
    """κ over all pairs of judgments (segment, judge, system A, system B, verdict of A).

    P(E) = P(A>B)² + P(A=B)² + P(A<B)², with P(A=B) the share of ties and the rest halved.
    """
    agreed = pairs = 0
    for (s1, j1, a1, b1, v1), (s2, j2, a2, b2, v2) in combinations(judgments, 2):
        if (s1, {a1, b1}) != (s2, {a2, b2}) or (j1 == j2) != same_judge:
            continue
        pairs += 1
        agreed += v1 == (v2 if a1 == a2 else -v2)
    ties = sum(verdict == 0 for *_, verdict in judgments) / len(judgments)
    chance = ties**2 + 2 * ((1 - ties) / 2) ** 2
    return (agreed / pairs - chance) / (1 - chance), pairs
