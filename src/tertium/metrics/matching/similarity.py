"""N-grams of two sentences, paired so that they are as similar as can be (Chan & Ng 2008)."""

from collections.abc import Callable, Hashable, Sequence, Sized
from importlib.util import find_spec
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.installation import install_hint, scipy_for
from tertium.metrics.resources.synonyms import SynonymFunction
from tertium.metrics.resources.taggers import TaggedWord

Gram: TypeAlias = tuple[TaggedWord, ...]

LIMIT: Final = 25_000_000
"""Pairs of n-grams that may be weighed against each other: 200 MB, a few thousand words."""


def matching_missing() -> str | None:
    """What to install, if the package that finds the best matching is not there."""
    if find_spec("scipy") is not None:
        return None
    return f"maxsim: package 'scipy' is not installed; {install_hint('stats')}"


def grams(words: Sequence[TaggedWord], n: int) -> list[Gram]:
    """The n-grams of a sentence, from left to right."""
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]


def similarity(
    hypothesis: Sequence[Gram], reference: Sequence[Gram], synonyms: SynonymFunction
) -> float:
    """What the n-grams of two sentences have in common, at most that of the shorter.

    First those with the same lemmas and tags are paired, then those with the same lemmas, then
    the others by a matching of maximum weight.
    """
    matches = 0
    for key in (_lemmas_and_tags, _lemmas):
        size = len(hypothesis)
        hypothesis, reference = _without_equal(hypothesis, reference, key)
        matches += size - len(hypothesis)
    if not hypothesis or not reference:
        return float(matches)
    with scipy_for("maxsim"):
        from scipy.optimize import linear_sum_assignment

    weights = _weights(hypothesis, reference, synonyms)
    return matches + float(weights[linear_sum_assignment(weights, maximize=True)].sum())


def _lemmas_and_tags(gram: Gram) -> Hashable:
    return tuple((word.lemma, word.tag) for word in gram)


def _lemmas(gram: Gram) -> Hashable:
    return tuple(word.lemma for word in gram)


def _without_equal(
    hypothesis: Sequence[Gram], reference: Sequence[Gram], key: Callable[[Gram], Hashable]
) -> tuple[list[Gram], list[Gram]]:
    """What is left of both when equal ones are paired, the leftmost first."""
    places: dict[Hashable, list[int]] = {}
    for index in reversed(range(len(reference))):
        places.setdefault(key(reference[index]), []).append(index)
    left, paired = [], set()
    for gram in hypothesis:
        if same := places.get(key(gram)):
            paired.add(same.pop())
        else:
            left.append(gram)
    return left, [gram for place, gram in enumerate(reference) if place not in paired]


def _weights(
    hypothesis: Sequence[Gram], reference: Sequence[Gram], synonyms: SynonymFunction
) -> NDArray[np.float64]:
    """Sim of every pair: the mean over positions, 0 if a position has nothing in common."""
    check_size("maxsim", hypothesis, reference)
    total = np.zeros((len(hypothesis), len(reference)))
    possible = np.ones(total.shape, dtype=bool)
    for ours, theirs in zip(
        zip(*hypothesis, strict=True), zip(*reference, strict=True), strict=True
    ):
        here = word_weights(ours, theirs, synonyms)
        total += here
        possible &= here > 0
    return np.where(possible, total / len(hypothesis[0]), 0.0)


def check_size(metric: str, hypothesis: Sized, reference: Sized) -> None:
    """Refuse a segment whose pairs of n-grams would not fit into memory."""
    if len(hypothesis) * len(reference) > LIMIT:
        raise InputError(
            f"{metric}: found a segment with {len(hypothesis)} and {len(reference)} n-grams that "
            f"differ, expected at most {LIMIT} pairs"
        )


def word_weights(
    ours: Sequence[TaggedWord], theirs: Sequence[TaggedWord], synonyms: SynonymFunction
) -> NDArray[np.float64]:
    """[I(tags equal) + Syn(lemmas)] / 2 of every pair of words."""
    our_tags, their_tags = _numbered([word.tag for word in ours], [word.tag for word in theirs])
    our_lemmas = list(dict.fromkeys(word.lemma for word in ours))
    their_lemmas = list(dict.fromkeys(word.lemma for word in theirs))
    their_sets = [(lemma, synonyms(lemma)) for lemma in their_lemmas]
    # A lemma is its own synonym, be it in the table or not.
    related = np.array(
        [
            [lemma == other or not mine.isdisjoint(sets) for other, sets in their_sets]
            for lemma, mine in ((lemma, synonyms(lemma)) for lemma in our_lemmas)
        ]
    )
    our_places, _ = _numbered([word.lemma for word in ours], [])
    their_places, _ = _numbered([word.lemma for word in theirs], [])
    agreeing = our_tags[:, None] == their_tags[None, :]
    weights: NDArray[np.float64] = 0.5 * agreeing + 0.5 * related[our_places][:, their_places]
    return weights


def _numbered(
    ours: Sequence[str], theirs: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Texts as numbers, in the order of their first appearance."""
    numbers: dict[str, int] = {}
    first, second = (
        np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.intp)
        for texts in (ours, theirs)
    )
    return first, second
