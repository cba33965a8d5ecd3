"""NIST as Doddington (2002) writes it, equation 3."""

from collections import Counter
from math import exp, log, log2

from tests.oracles.bleu import Segments, grams


def information(
    segments: Segments, order: int, *, mteval: bool = False
) -> dict[tuple[str, ...], float]:
    """info(w1…wn) = log2(count(w1…wn−1) / count(w1…wn)), over all references.

    In mteval a history that is the text "0" is false, and so none.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for _, references in segments:
        for reference in references:
            counts[()] += len(reference)
            for n in range(1, order + 1):
                counts += grams(reference, n)
    histories = {gram: gram[:-1] for gram in counts if gram}
    if mteval:
        histories = {gram: () if past == ("0",) else past for gram, past in histories.items()}
    return {gram: log2(counts[past] / counts[gram]) for gram, past in histories.items()}


def nist(segments: Segments, order: int = 5, *, mteval: bool = False) -> float:
    """Σ_n (information matched / n-grams) · exp(β log² min(1, |c| / mean |r|))."""
    info = information(segments, order, mteval=mteval)
    score = 0.0
    for n in range(1, order + 1):
        matched, total = 0.0, 0
        for hypothesis, references in segments:
            union: Counter[tuple[str, ...]] = Counter()
            for reference in references:
                union |= grams(reference, n)
            found = grams(hypothesis, n) & union
            matched += sum(count * info[gram] for gram, count in found.items())
            total += grams(hypothesis, n).total()
        score += matched / total if total else 0.0
    hypothesis_words = sum(len(hypothesis) for hypothesis, _ in segments)
    reference_words = sum(sum(map(len, references)) / len(references) for _, references in segments)
    beta = log(0.5) / log(1.5) ** 2
    return score * exp(beta * log(min(1.0, hypothesis_words / reference_words)) ** 2)
