"""GTM as Melamed, Green and Turian (2003) describe it, with the conventions of program 1.4."""

from collections.abc import Iterator, Sequence
from statistics import fmean

Words = Sequence[str]
BREAK = None
"""Stands after each reference and equals no word."""


def run_length(
    hypothesis: Sequence[str | None], reference: Sequence[str | None], i: int, j: int
) -> int:
    """How many words are equal and still free from places i and j on."""
    length = 0
    while (
        i + length < len(hypothesis)
        and j + length < len(reference)
        and hypothesis[i + length] is not BREAK
        and hypothesis[i + length] == reference[j + length]
    ):
        length += 1
    return length


def greedy_runs(hypothesis: Words, references: Sequence[Words]) -> Iterator[int]:
    """The longest run that is left, time and again; ties to the later places."""
    free: list[str | None] = list(hypothesis)
    text: list[str | None] = [word for words in references for word in [*words, BREAK]]
    while True:
        length, i, j = max(
            (run_length(free, text, i, j), i, j) for i in range(len(free)) for j in range(len(text))
        )
        if length == 0:
            return
        yield length
        for step in range(length):
            free[i + step] = text[j + step] = BREAK


def match_size(hypothesis: Words, references: Sequence[Words], exponent: float) -> float:
    """(Σ length^e)^(1/e) over runs, of no more words than either text has (the mean reference)."""
    room = min(len(hypothesis), fmean(map(len, references)))
    if room == 0:
        return 0.0
    total = 0.0
    for length in greedy_runs(hypothesis, references):
        counted = min(length, room)
        room -= counted
        total += counted**exponent
        if room == 0:
            break
    return float(total ** (1 / exponent))


def f_score(size: float, hypothesis_length: float, reference_length: float) -> float:
    """2PR / (P + R), with P = size / |c| and R = size / |r|."""
    if size == 0:
        return 0.0
    precision, recall = size / hypothesis_length, size / reference_length
    return 2 * precision * recall / (precision + recall)


def gtm(segments: Sequence[tuple[Words, Sequence[Words]]], exponent: float = 1.2) -> float:
    """F of the sums over the corpus, as a fraction."""
    size = sum(match_size(hypothesis, references, exponent) for hypothesis, references in segments)
    hypothesis_length = sum(len(hypothesis) for hypothesis, _ in segments)
    reference_length = sum(fmean(map(len, references)) for _, references in segments)
    return f_score(size, hypothesis_length, reference_length)
