"""Agreement with people, pair by pair, as plainly as Python allows.

A matrix is a list of rows, one row a system, one column a segment; ``None`` is not rated. Groups
are those of mt-metrics-eval: all outputs ("none"), the outputs for a segment ("item"), or those
of a system ("system").
"""

from collections import Counter
from itertools import combinations
from math import sqrt

Matrix = list[list[float | None]]
Group = list[tuple[float, float]]


def groups(ratings: Matrix, scores: Matrix, grouping: str) -> list[Group]:
    """Pairs of rating and score that belong together; those without a rating left out."""
    count = {"none": 1, "item": len(ratings[0]), "system": len(ratings)}[grouping]
    found: list[Group] = [[] for _ in range(count)]
    for system, row in enumerate(ratings):
        for segment, rating in enumerate(row):
            score = scores[system][segment]
            if rating is not None and score is not None:
                place = {"none": 0, "item": segment, "system": system}[grouping]
                found[place].append((rating, score))
    return found


def kinds(group: Group, epsilon: float = 0.0) -> Counter[str]:
    """What people and the metric say of every pair of a group."""
    found: Counter[str] = Counter()
    for (h1, m1), (h2, m2) in combinations(group, 2):
        metric_tie = abs(m1 - m2) <= epsilon
        if h1 == h2:
            found["tied_both" if metric_tie else "tied_ratings"] += 1
        elif metric_tie:
            found["tied_scores"] += 1
        else:
            found["concordant" if (h1 > h2) == (m1 > m2) else "discordant"] += 1
    return found


def tau_b(group: Group) -> float | None:
    """Kendall's τ-b: (C − D) / √((C + D + T_scores)(C + D + T_ratings))."""
    n = kinds(group)
    untied = n["concordant"] + n["discordant"]
    product = (untied + n["tied_scores"]) * (untied + n["tied_ratings"])
    return (n["concordant"] - n["discordant"]) / sqrt(product) if product else None


def accuracy(group: Group, epsilon: float = 0.0) -> float | None:
    """acc_eq = (C + T_both) / (C + D + T_ratings + T_scores + T_both), Deutsch et al. 2023."""
    n = kinds(group, epsilon)
    pairs = sum(n.values())
    return (n["concordant"] + n["tied_both"]) / pairs if pairs else None


def pearson(group: Group) -> float | None:
    """Pearson's r; None where a side is constant."""
    if len({h for h, _ in group}) < 2 or len({m for _, m in group}) < 2:
        return None
    n = len(group)
    mean_h, mean_m = sum(h for h, _ in group) / n, sum(m for _, m in group) / n
    both = sum((h - mean_h) * (m - mean_m) for h, m in group)
    h2 = sum((h - mean_h) ** 2 for h, _ in group)
    m2 = sum((m - mean_m) ** 2 for _, m in group)
    return both / sqrt(h2 * m2)


def mean(values: list[float | None]) -> tuple[float | None, int]:
    """The mean of those that are defined, and how many they are."""
    known = [value for value in values if value is not None]
    return (sum(known) / len(known) if known else None), len(known)


def best_epsilon(some: list[Group]) -> tuple[float, float]:
    """The best mean accuracy of the groups and the smallest ε that reaches it, by trying all."""
    pairs = [pair for group in some for pair in combinations(group, 2)]
    candidates = sorted({0.0, *(abs(m1 - m2) for (_, m1), (_, m2) in pairs)})
    best = (-1.0, 0.0)
    for epsilon in candidates:
        value, _ = mean([accuracy(group, epsilon) for group in some])
        if value is not None and value > best[0] + 1e-11:
            best = (value, epsilon)
    return best


def swept_epsilon(some: list[Group]) -> tuple[float, float]:
    """The same for many pairs: sort them by distance, and let one after the other become a tie."""
    used = [group for group in some if len(group) > 1]
    value = 0.0
    changes: list[tuple[float, float]] = []
    for group in used:
        weight = 1 / (len(group) * (len(group) - 1) / 2 * len(used))
        for (h1, m1), (h2, m2) in combinations(group, 2):
            right = h1 != h2 and m1 != m2 and (h1 > h2) == (m1 > m2)
            value += weight * right
            changes.append((abs(m1 - m2), weight * ((h1 == h2) - right)))
    changes.sort()
    best = (-1.0, 0.0)
    if not changes or changes[0][0] > 0:
        best = (value, 0.0)
    for place, (distance, change) in enumerate(changes):
        value += change
        last = place + 1 == len(changes) or changes[place + 1][0] > distance
        if last and value > best[0] + 1e-11:
            best = (value, distance)
    return best


def kendall_like(
    preferences: list[tuple[int, int, int]], scores: Matrix, ties: str
) -> float | None:
    """τ of the WMT tasks over (segment, better, worse); ``ties`` is what a metric's tie is.

    wrong: as bad as the opposite order (WMT10–12, daRR); out: ignored (WMT13); none: in the
    denominator alone (WMT14).
    """
    above = below = 0
    for segment, better, worse in preferences:
        a, b = scores[better][segment], scores[worse][segment]
        assert a is not None
        assert b is not None
        if a == b:
            above -= ties == "wrong"
            below += ties != "out"
        else:
            above += 1 if a > b else -1
            below += 1
    return above / below if below else None


def darr(ratings: Matrix, points: float = 25.0) -> list[tuple[int, int, int]]:
    """Preferences of direct assessments that differ by so many points or more."""
    found = []
    for segment in range(len(ratings[0])):
        for a, b in combinations(range(len(ratings)), 2):
            x, y = ratings[a][segment], ratings[b][segment]
            if x is not None and y is not None and abs(x - y) >= points:
                found.append((segment, a, b) if x > y else (segment, b, a))
    return found


def williams_t(r12: float, r13: float, r23: float, n: int) -> float:
    """Williams' t (Graham & Baldwin 2014)."""
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    above = (r12 - r13) * sqrt((n - 1) * (1 + r23))
    return above / sqrt(2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)


def soft_accuracy(
    ratings: list[list[float]], scores: list[list[float]], signs: list[list[int]]
) -> float:
    """Thompson et al. 2024: 1 − mean |p of people − p of the metric|, every permutation by hand."""

    def p_value(first: list[float], second: list[float]) -> float:
        observed = sum(first) - sum(second)
        reached = 0
        for permutation in signs:
            pairs = zip(first, second, permutation, strict=True)
            reached += sum(sign * (a - b) for a, b, sign in pairs) >= observed
        return reached / len(signs)

    systems = range(len(ratings))
    pairs = [(a, b) for a in systems for b in systems if a < b]
    differences = [
        abs(p_value(ratings[a], ratings[b]) - p_value(scores[a], scores[b])) for a, b in pairs
    ]
    return 1 - sum(differences) / len(differences)
