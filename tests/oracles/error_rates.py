"""Word error rates, written as their definitions read."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import TypeAlias

Words: TypeAlias = Sequence[str]


def edit_distance(hypothesis: Words, reference: Words) -> int:
    """Levenshtein's distance by the textbook table, row by row."""
    row = list(range(len(reference) + 1))
    for words, word in enumerate(hypothesis, start=1):
        previous, row = row, [words]
        for position, expected in enumerate(reference, start=1):
            replaced = previous[position - 1] + (word != expected)
            row.append(min(previous[position] + 1, row[position - 1] + 1, replaced))
    return row[-1]


def word_error_rate(
    hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], *, best_rate: bool = False
) -> float:
    """(I + D + S) / |r| over the corpus, as a fraction."""
    edits, length = 0.0, 0.0
    for hypothesis, alternatives in zip(hypotheses, references, strict=True):
        found = [(edit_distance(hypothesis, r), len(r)) for r in alternatives]
        if best_rate:
            fewest, words = min(found, key=lambda pair: rate(*pair))
            edits += fewest
            length += words
        else:
            edits += min(found)[0]
            length += fmean(words for _, words in found)
    return rate(edits, length)


def position_independent_error_rate(
    hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], *, clip: str = "segment"
) -> float:
    """max(|c|, |r|) minus the common bag of words, over |r|, as a fraction."""
    errors, length = 0.0, 0.0
    matches, hypothesis_words, reference_words = 0, 0, 0
    for hypothesis, alternatives in zip(hypotheses, references, strict=True):
        common = [(Counter(hypothesis) & Counter(r)).total() for r in alternatives]
        wrong = [
            max(len(hypothesis), len(r)) - m for r, m in zip(alternatives, common, strict=True)
        ]
        errors += min(wrong)
        length += fmean(len(r) for r in alternatives)
        rates = [rate(w, len(r)) for w, r in zip(wrong, alternatives, strict=True)]
        chosen = rates.index(min(rates))
        matches += common[chosen]
        hypothesis_words += len(hypothesis)
        reference_words += len(alternatives[chosen])
    if clip == "segment":
        return rate(errors, length)
    surplus = max(0, hypothesis_words - reference_words)
    return rate(reference_words - matches + surplus, reference_words)


def rate(errors: float, length: float) -> float:
    """Errors for each word; nothing to recognise and nothing wrong is perfect."""
    if length == 0:
        return 0.0 if errors == 0 else float("inf")
    return errors / length
