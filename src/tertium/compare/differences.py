"""Words and n-grams that one system gets right and the other wrong, ranked by log-odds."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log
from typing import Final

from tertium.compare.grams import CutCorpus, Gram, expected_grams, right_grams
from tertium.errors import OptionError
from tertium.plain import Plain

PRIOR: Final = 5.0
"""Differences each way that are taken for granted before any is seen."""


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
    expected = [expected_grams(references, orders) for references in cut.references]
    baseline = list(_right(cut.systems[0], expected, orders))
    results = []
    for name, hypotheses in zip(cut.names[1:], cut.systems[1:], strict=True):
        gained, lost = _changes(baseline, _right(hypotheses, expected, orders))
        results.append(
            GramDifferences(
                system=name,
                baseline=cut.names[0],
                prior=prior,
                gained=ranked_differences(gained, lost, top, prior, sign=1),
                lost=ranked_differences(gained, lost, top, prior, sign=-1),
            )
        )
    return tuple(results)


def _right(
    hypotheses: Iterable[list[str]], expected: Iterable[Counter[Gram]], orders: range
) -> Iterator[Counter[Gram]]:
    for words, wanted in zip(hypotheses, expected, strict=True):
        yield right_grams(words, wanted, orders)


def _changes(
    baseline: Iterable[Counter[Gram]], system: Iterable[Counter[Gram]]
) -> tuple[Counter[Gram], Counter[Gram]]:
    gained: Counter[Gram] = Counter()
    lost: Counter[Gram] = Counter()
    for before, after in zip(baseline, system, strict=True):
        for gram in before.keys() | after.keys() if before != after else ():
            change = after.get(gram, 0) - before.get(gram, 0)
            if change > 0:
                gained[gram] += change
            elif change < 0:
                lost[gram] -= change
    return gained, lost


def ranked_differences(
    gained: Counter[Gram], lost: Counter[Gram], top: int, prior: float, *, sign: int
) -> tuple[GramDifference, ...]:
    """The n-grams whose log-odds have this sign; ties by frequency, length, then alphabet.

    An n-gram inside a longer one with the same counts says nothing new and is left out.
    """
    more, less = (gained, lost) if sign > 0 else (lost, gained)
    found = [
        (-log_odds(count, less[gram], prior), -count - less[gram], -len(gram), gram)
        for gram, count in more.items()
        if count > less[gram]
    ]
    found.sort()
    kept: list[GramDifference] = []
    for odds, _, _, gram in found:
        if len(kept) == top:
            break
        one = GramDifference(
            words=gram, gained=gained[gram], lost=lost[gram], log_odds=-sign * odds
        )
        if not any(_explains(longer, one) for longer in kept):
            kept.append(one)
    return tuple(kept)


def _explains(longer: GramDifference, shorter: GramDifference) -> bool:
    size = len(shorter.words)
    inside = (
        longer.words[start : start + size] == shorter.words
        for start in range(len(longer.words) - size + 1)
    )
    return (longer.gained, longer.lost) == (shorter.gained, shorter.lost) and any(inside)
