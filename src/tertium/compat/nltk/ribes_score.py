"""``nltk.translate.ribes_score``: RIBES (Isozaki et al. 2010) as NLTK computes it.

NLTK looks for a word's counterpart in the context to its right first, RIBES 1.03.1 to its left,
and NLTK gives 0 where a single word corresponds; tertium's ``ribes`` has the numbers of 1.03.1.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from tertium.errors import InputError
from tertium.plurals import counted

MAX_ALIGNMENT_LEN = 2000
"""Longer sentences are refused: repeated words make the search for unique contexts slow."""


class RibesInputError(InputError, ValueError):
    """A corpus whose sides do not fit together, or a sentence that is too long."""


def sentence_ribes(
    references: Sequence[Sequence[Any]],
    hypothesis: Sequence[Any],
    alpha: float = 0.25,
    beta: float = 0.10,
) -> float:
    """τ · p^α · bp^β, by the reference that gives most; 0 without a reference or a word.

    >>> sentence_ribes(["John hit Bob yesterday".split()], "Bob hit John yesterday".split())
    0.5
    """
    if not references or not hypothesis:
        return 0.0
    scores: list[float] = []
    for reference in references:
        ranks = word_rank_alignment(reference, hypothesis)
        precision = len(ranks) / len(hypothesis)
        brevity = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
        scores.append(kendall_tau(ranks) * precision**alpha * brevity**beta)
    return max(scores)


def corpus_ribes(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    alpha: float = 0.25,
    beta: float = 0.10,
) -> float:
    """The mean over segments."""
    if not hypotheses:
        return 0.0
    if len(list_of_references) != len(hypotheses):
        raise RibesInputError(
            f"corpus_ribes: the number of reference sets is {len(list_of_references)}, "
            f"expected {len(hypotheses)}, the number of hypotheses"
        )
    scores = [
        sentence_ribes(references, hypothesis, alpha, beta)
        for references, hypothesis in zip(list_of_references, hypotheses, strict=True)
    ]
    return sum(scores) / len(scores)


def position_of_ngram(ngram: tuple[Any, ...], sentence: Sequence[Any]) -> int | None:
    """Where the n-gram stands first, if it does.

    >>> position_of_ngram(("b", "c"), "abcbc")
    1
    """
    size = len(ngram)
    starts = range(len(sentence) - size + 1)
    return next((i for i in starts if tuple(sentence[i : i + size]) == ngram), None)


def word_rank_alignment(
    reference: Sequence[Any],
    hypothesis: Sequence[Any],
    character_based: bool = False,  # noqa: ARG001, FBT001, FBT002 - NLTK's, and unused there, too
) -> list[int]:
    """The reference positions of the words that correspond, in the hypothesis's order.

    A word that both sides have once corresponds. Another one does by the shortest context to its
    right or left that both sides have once. Tokens need not be hashable.

    >>> word_rank_alignment("the boy read the book".split(), "the book was read by the boy".split())
    [3, 4, 2, 0, 1]
    """
    longest = max(len(reference), len(hypothesis))
    if longest > MAX_ALIGNMENT_LEN:
        raise RibesInputError(
            f"word_rank_alignment: found {counted(longest, 'word')}, expected at most "
            f"{MAX_ALIGNMENT_LEN} "
            "(MAX_ALIGNMENT_LEN of this module can be raised)"
        )
    ranks = (_rank(index, reference, hypothesis) for index in range(len(hypothesis)))
    return [rank for rank in ranks if rank is not None]


def _rank(index: int, reference: Sequence[Any], hypothesis: Sequence[Any]) -> int | None:
    word = hypothesis[index]
    theirs = [i for i, other in enumerate(reference) if other == word]
    ours = [i for i, other in enumerate(hypothesis) if other == word]
    if not theirs:
        return None
    if len(theirs) == len(ours) == 1:
        return theirs[0]
    # Positions of the word whose contexts are still those of this one, to either side.
    right, left = (theirs, ours), (list(theirs), list(ours))
    for window in range(1, min(max(index, len(hypothesis) - index + 1), len(reference))):
        for step, positions in ((window, right), (-window, left)):
            if not 0 <= index + step < len(hypothesis):
                continue
            neighbor = hypothesis[index + step]
            for places, sentence in zip(positions, (reference, hypothesis), strict=True):
                places[:] = [
                    i
                    for i in places
                    if 0 <= i + step < len(sentence) and sentence[i + step] == neighbor
                ]
            if len(positions[0]) == len(positions[1]) == 1:
                return positions[0][0]
    return None


def find_increasing_sequences(worder: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Runs of two or more ranks that grow by one.

    >>> list(find_increasing_sequences([7, 8, 9, 10, 6, 0, 1, 2]))
    [(7, 8, 9, 10), (0, 1, 2)]
    """
    run: list[int] = []
    for rank in worder:
        if run and rank != run[-1] + 1:
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(rank)
    if len(run) > 1:
        yield tuple(run)


def kendall_tau(
    worder: Sequence[int],
    normalize: bool = True,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float:
    """Kendall's τ of the ranks, from 0 to 1 if normalized; the least for fewer than two."""
    tau = -1.0
    if len(worder) > 1:
        increasing = sum(earlier < later for earlier, later in combinations(worder, 2))
        tau = 2 * increasing / math.comb(len(worder), 2) - 1
    return (tau + 1) / 2 if normalize else tau


def spearman_rho(
    worder: Sequence[int],
    normalize: bool = True,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float:
    """1 − Σd² / C(n + 1, 3), from 0 to 1 if normalized."""
    differences = sum((rank - index) ** 2 for index, rank in enumerate(worder))
    rho = 1 - differences / math.comb(len(worder) + 1, 3)
    return (rho + 1) / 2 if normalize else rho
