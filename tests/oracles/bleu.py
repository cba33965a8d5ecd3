"""BLEU and BLEU-SBP as the papers write them, one line per formula."""

from collections import Counter
from collections.abc import Sequence
from math import exp, log

Segments = Sequence[tuple[list[str], list[list[str]]]]
"""(hypothesis, references) of each segment, as lists of words."""


def grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    """g_n(w): the multiset of n-grams."""
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def matches(hypothesis: list[str], references: list[list[str]], n: int) -> int:
    """|g_n(c) ∩ ∪_j g_n(r_j)|: counts clipped to their maximum over the references."""
    union: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        union |= grams(reference, n)
    return (grams(hypothesis, n) & union).total()


def precision(segments: Segments, n: int) -> float:
    """pr_n over the corpus."""
    total = sum(grams(hypothesis, n).total() for hypothesis, _ in segments)
    matched = sum(matches(hypothesis, references, n) for hypothesis, references in segments)
    return matched / total if total else 0.0


def reference_length(hypothesis: list[str], references: list[list[str]], choice: str) -> float:
    """The effective length: closest (ties shorter), shortest or the real mean."""
    lengths = [len(reference) for reference in references]
    if choice == "closest":
        return min(lengths, key=lambda length: (abs(length - len(hypothesis)), length))
    return min(lengths) if choice == "shortest" else sum(lengths) / len(lengths)


def phi(x: float) -> float:
    """φ(x) = exp(1 − 1/x), at most 1."""
    return 0.0 if x == 0 else exp(min(0.0, 1 - 1 / x))


def brevity(segments: Segments, choice: str) -> float:
    """One penalty for the whole corpus: φ(Σ|c| / Σ|r|)."""
    hypothesis = sum(len(words) for words, _ in segments)
    reference = sum(reference_length(words, others, choice) for words, others in segments)
    return phi(hypothesis / reference) if reference else 1.0


def strict_brevity(segments: Segments, choice: str) -> float:
    """φ(Σ min{|c_i|, |r_i|} / Σ|r_i|), Chiang et al. 2008, equation 5."""
    lengths = [(len(words), reference_length(words, others, choice)) for words, others in segments]
    reference = sum(r for _, r in lengths)
    return phi(sum(min(c, r) for c, r in lengths) / reference) if reference else 1.0


def bleu(
    segments: Segments, *, order: int = 4, choice: str = "closest", strict: bool = False
) -> float:
    """Bp · exp(Σ 1/N ln pr_n), unsmoothed, 0 to 100."""
    precisions = [precision(segments, n) for n in range(1, order + 1)]
    if min(precisions) == 0:
        return 0.0
    penalty = (strict_brevity if strict else brevity)(segments, choice)
    return 100 * penalty * exp(sum(map(log, precisions)) / order)
