"""METEOR's matching stage by stage, as Banerjee & Lavie (2005) write it: every pairing tried."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.oracles.meteor import Alignment, chunks

Related = Callable[[str, str], bool]
"""Whether a word of the hypothesis may be paired with one of the reference."""


class Outcome(NamedTuple):
    """Pairs of each stage, and chunks of all of them."""

    pairs: tuple[int, ...]
    crossings: int
    chunks: int


def pairings(
    hypothesis: Sequence[str], reference: Sequence[str], related: Related, place: int = 0
) -> Iterator[Alignment]:
    """All ways to pair related words so that no word is used twice; empty words are taken."""
    if place == len(reference):
        yield ()
        return
    for rest in pairings(hypothesis, reference, related, place + 1):
        yield rest
        used = {i for i, _ in rest}
        for i, word in enumerate(hypothesis):
            if word and reference[place] and i not in used and related(word, reference[place]):
                yield ((i, place), *rest)


def crossings(alignment: Alignment) -> int:
    """Pairs of pairs whose words stand in opposite order."""
    return sum((i - k) * (j - m) < 0 for i, j in alignment for k, m in alignment) // 2


def cost(alignment: Alignment) -> tuple[int, ...]:
    """The paper's two criteria, and the two that decide where it leaves a choice."""
    distance = sum(abs(i - j) for i, j in alignment)
    return -len(alignment), crossings(alignment), chunks(alignment), distance


def outcomes(
    hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Related]
) -> set[Outcome]:
    """What may come of it; more than one where two pairings of a stage are equally good."""
    found: set[tuple[tuple[int, ...], Alignment]] = {((), ())}
    for related in stages:
        following = set()
        for sizes, fixed in found:
            left = [
                ["" if k in {pair[side] for pair in fixed} else word for k, word in enumerate(text)]
                for side, text in enumerate((hypothesis, reference))
            ]
            ways = [(*fixed, *way) for way in pairings(left[0], left[1], related)]
            best = min(map(cost, ways))
            following |= {
                ((*sizes, len(way) - len(fixed)), tuple(sorted(way)))
                for way in ways
                if cost(way) == best
            }
        found = following
    return {Outcome(sizes, crossings(way), chunks(way)) for sizes, way in found}
