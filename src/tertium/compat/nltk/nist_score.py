"""``nltk.translate.nist_score``: NIST (Doddington 2002) as NLTK computes it.

With one reference it is mteval's. With several NLTK takes, for each order, the one reference of a
segment that gives most information, where mteval clips by all of them: use tertium's ``nist`` for
mteval's number.
"""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Final, TypeAlias

from tertium.compat.nltk.tokens import Sentence, check_sizes, ngrams

Gram: TypeAlias = tuple[Hashable, ...]

_BETA: Final = math.log(0.5) / math.log(1.5) ** 2
"""So that two thirds of the reference's length halve the score."""


def sentence_nist(references: Sequence[Sentence], hypothesis: Sentence, n: int = 5) -> float:
    """NIST of one segment, with information from its references alone."""
    return corpus_nist([references], [hypothesis], n)


def corpus_nist(
    list_of_references: Sequence[Sequence[Sentence]], hypotheses: Sequence[Sentence], n: int = 5
) -> float:
    """NIST of a corpus. An order that no hypothesis is long enough for adds nothing."""
    check_sizes("corpus_nist", list_of_references, hypotheses)
    information = _information(list_of_references, n)
    precision, length, reference_length = 0.0, 0, 0
    for order in range(1, n + 1):
        gain, total = 0.0, 0
        for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
            counts = Counter(ngrams(hypothesis, order))
            grams = counts.total()
            # Equally informative references count by their length, the longest of them.
            best, longest = max(
                (_gain(counts, Counter(ngrams(reference, order)), information), len(reference))
                for reference in references
            )
            gain, total = gain + best, total + grams
            length, reference_length = length + len(hypothesis), reference_length + longest
        precision += gain / total if total else 0.0
    return precision * nist_length_penalty(reference_length, length)


def _information(list_of_references: Sequence[Sequence[Sentence]], n: int) -> dict[Gram, float]:
    """log₂(count of w₁ … wₙ₋₁ / count of w₁ … wₙ) in all references."""
    counts: Counter[Gram] = Counter()
    words = 0
    for references in list_of_references:
        for reference in references:
            words += len(reference)
            for order in range(1, n + 1):
                counts.update(ngrams(reference, order))
    return {
        gram: math.log2((counts[gram[:-1]] if len(gram) > 1 else words) / count)
        for gram, count in list(counts.items())
    }


def _gain(
    hypothesis: Counter[Gram], reference: Counter[Gram], information: Mapping[Gram, float]
) -> float:
    return sum(information[gram] * count for gram, count in (hypothesis & reference).items())


def nist_length_penalty(ref_len: float, hyp_len: float) -> float:
    """exp(β ln²(c/r)) where c < r, else 1; a half where c is two thirds of r."""
    if not hyp_len or not ref_len:
        return 0.0
    return math.exp(_BETA * math.log(min(1.0, hyp_len / ref_len)) ** 2)
