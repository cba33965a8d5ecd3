"""Line search by trying every step, and paths of graphs one by one."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product

Numbers = Sequence[float]


def dot(a: Numbers, b: Numbers) -> Fraction:
    """Σ aᵢ·bᵢ without rounding."""
    return sum((Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)), Fraction(0))


def best_hypothesis(features: Sequence[Numbers], weights: Sequence[Fraction]) -> int:
    """The first of those with the highest score."""
    scores = [
        sum((Fraction(x) * w for x, w in zip(row, weights, strict=True)), Fraction(0))
        for row in features
    ]
    return scores.index(max(scores))


def crossings(
    lists: Sequence[Sequence[Numbers]], point: Numbers, direction: Numbers
) -> list[Fraction]:
    """Every step at which two hypotheses of a segment score the same."""
    found = set()
    for features in lists:
        for one, other in combinations(features, 2):
            difference = [a - b for a, b in zip(one, other, strict=True)]
            slope, height = dot(difference, direction), dot(difference, point)
            if slope != 0:
                found.add(-height / slope)
    return sorted(found)


def steps_to_try(changes: Sequence[Fraction]) -> list[Fraction]:
    """One step between each two changes, and one beyond the outermost."""
    if not changes:
        return [Fraction(0)]
    middles = [(a + b) / 2 for a, b in pairwise(changes)]
    return [changes[0] - 1, *middles, changes[-1] + 1]


def sums_along(
    lists: Sequence[Sequence[Numbers]],
    statistics: Sequence[Sequence[Numbers]],
    point: Numbers,
    direction: Numbers,
) -> dict[Fraction, tuple[float, ...]]:
    """The statistics of the model's choices, added up, at every step worth trying."""
    found: dict[Fraction, tuple[float, ...]] = {}
    for step in steps_to_try(crossings(lists, point, direction)):
        weights = [Fraction(w) + step * Fraction(d) for w, d in zip(point, direction, strict=True)]
        chosen = [
            rows[best_hypothesis(features, weights)]
            for features, rows in zip(lists, statistics, strict=True)
        ]
        found[step] = tuple(map(sum, zip(*chosen, strict=True)))
    return found


def best_on_line(
    lists: Sequence[Sequence[Numbers]],
    statistics: Sequence[Sequence[Numbers]],
    point: Numbers,
    direction: Numbers,
    score: Callable[[tuple[float, ...]], float],
) -> float:
    """The highest score anywhere on the line."""
    return max(map(score, sums_along(lists, statistics, point, direction).values()))


Edge = tuple[int, Sequence[int], Sequence[int], Numbers]
"""Head, tails, symbols (a word, or −1 − k for the k-th tail), features."""


def derivations(
    edges: Sequence[Edge], node: int
) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
    """The words and the features of every way to derive a node."""
    for head, tails, symbols, features in edges:
        if head != node:
            continue
        for parts in product(*(list(derivations(edges, tail)) for tail in tails)):
            words: list[int] = []
            for symbol in symbols:
                words += [symbol] if symbol >= 0 else parts[-1 - symbol][0]
            totals = [features, *(part[1] for part in parts)]
            yield tuple(words), tuple(map(sum, zip(*totals, strict=True)))
