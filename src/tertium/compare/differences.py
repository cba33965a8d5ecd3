"""Words and n-grams that one system gets right and the other wrong, ranked by log-odds."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.compare.grams import CutCorpus, Gram
from tertium.errors import OptionError
from tertium.plain import Plain

PRIOR: Final = 5.0
"""Differences each way that are taken for granted before any is seen."""
_RANKED_AT_ONCE: Final = 16
"""For each n-gram that is shown so many are ranked; further ones only if these are not enough."""

GramCounts: TypeAlias = NDArray[np.int64]
"""How often each n-gram, by its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GramDifference(Plain):
    """One n-gram: how often only the system has it right, and how often only the baseline."""

    PLAIN = "ngram=text gained lost log_odds"

    words: Gram
    gained: int
    lost: int
    log_odds: float

    @property
    def text(self) -> str:
        """The n-gram as people read it."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class GramDifferences(Plain):
    """What one system gained over the baseline and what it lost, largest log-odds first."""

    system: str
    baseline: str
    prior: float
    gained: tuple[GramDifference, ...]
    lost: tuple[GramDifference, ...]


def log_odds(gained: float, lost: float, prior: float = PRIOR) -> float:
    """The logarithm of (gained + prior) / (lost + prior).

    These are the odds, under a symmetric Beta prior, that it is the system which has an n-gram
    right where only one of the two has it. Places where both are right or both wrong say
    nothing about a difference and do not count, as in McNemar's test (1947). The prior keeps
    what was seen once or twice from being ranked above what was seen often.

    >>> round(log_odds(15, 0), 3), log_odds(4, 4)
    (1.386, 0.0)
    """
    return log((gained + prior) / (lost + prior))


def gram_differences(
    cut: CutCorpus, orders: range, *, top: int = 5, prior: float = PRIOR
) -> tuple[GramDifferences, ...]:
    """Every system but the first against the first."""
    if prior <= 0:
        raise OptionError(f"prior: found {prior:g}, expected a number above 0")
    numbered = cut.numbered
    grams = numbered.reference_grams(orders)
    entries, vocabulary = grams.entries, numbered.vocabulary
    baseline = grams.count(*numbered.systems[0])

    def gram_of(number: int) -> Gram:
        return tuple(vocabulary[word] for word in grams.words(number))

    def summed(changes: NDArray[np.int32]) -> GramCounts:
        places = np.flatnonzero(changes > 0)  # few: most n-grams are right in both or in none
        counts = np.bincount(entries[places], changes[places], minlength=grams.grams)
        return counts.astype(np.int64)

    results = []
    for name, system in zip(cut.names[1:], numbered.systems[1:], strict=True):
        changes = grams.count(*system) - baseline
        gained, lost = summed(changes), summed(-changes)
        results.append(
            GramDifferences(
                system=name,
                baseline=cut.names[0],
                prior=prior,
                gained=ranked_differences(gained, lost, gram_of, top, prior, sign=1),
                lost=ranked_differences(gained, lost, gram_of, top, prior, sign=-1),
            )
        )
    return tuple(results)


def ranked_differences(
    gained: GramCounts,
    lost: GramCounts,
    gram_of: Callable[[int], Gram],
    top: int,
    prior: float,
    *,
    sign: int,
) -> tuple[GramDifference, ...]:
    """The n-grams whose log-odds have this sign; ties by frequency, length, then alphabet.

    An n-gram inside a longer one with the same counts says nothing new and is left out.
    ``gram_of`` has the words of an n-gram, by its place in ``gained`` and ``lost``.
    """
    more, less = (gained, lost) if sign > 0 else (lost, gained)
    candidates = np.flatnonzero(more > less)

    def first_of(numbers: NDArray[np.intp]) -> tuple[GramDifference, ...]:
        differences = [
            GramDifference(
                words=gram_of(number),
                gained=int(gained[number]),
                lost=int(lost[number]),
                log_odds=sign * log_odds(int(more[number]), int(less[number]), prior),
            )
            for number in numbers.tolist()
        ]
        differences.sort(
            key=lambda gram: (
                -sign * gram.log_odds,
                -gram.gained - gram.lost,
                -len(gram.words),
                gram.words,
            )
        )
        shown: list[GramDifference] = []
        for difference in differences:
            if len(shown) == top:
                break
            if not any(_explains(longer, difference) for longer in shown):
                shown.append(difference)
        return tuple(shown)

    odds = (more[candidates] + prior) / (less[candidates] + prior)
    count = _RANKED_AT_ONCE * top
    while count < len(candidates):
        least = np.partition(odds, -count)[-count]
        # Rounding must not part n-grams whose log-odds are the same.
        shown = first_of(candidates[odds >= least * (1 - 1e-9)])
        if len(shown) == top:
            return shown
        count *= _RANKED_AT_ONCE
    return first_of(candidates)


def _explains(longer: GramDifference, shorter: GramDifference) -> bool:
    size = len(shorter.words)
    inside = (
        longer.words[start : start + size] == shorter.words
        for start in range(len(longer.words) - size + 1)
    )
    return (longer.gained, longer.lost) == (shorter.gained, shorter.lost) and any(inside)
