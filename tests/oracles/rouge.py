"""ROUGE as Lin (2004) defines it, with the conventions of the program ROUGE-1.5.5."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

Words = Sequence[str]


@dataclass(frozen=True)
class Overlap:
    """What one reference shares with the hypothesis, and what each text has of it."""

    matches: float
    reference: float
    hypothesis: float
    quality: float


@dataclass(frozen=True)
class Scores:
    precision: float
    recall: float
    f: float


def words(text: str) -> list[str]:
    """Case folded; runs of ASCII letters and digits (a hyphen stands alone and is dropped)."""
    return re.findall("[a-z0-9]+", re.sub("[A-Z]", lambda letter: letter[0].lower(), text))


def ratio(matches: float, total: float) -> float:
    return matches / total if total else 0.0


def of_counts(hypothesis: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]) -> Overlap:
    """Clipped matches; the program compares references by recall to five decimals."""
    matches = (hypothesis & reference).total()
    recall = round(ratio(matches, reference.total()), 5)
    return Overlap(matches, reference.total(), hypothesis.total(), recall)


def rouge_n(n: int) -> Callable[[Words, Words], Overlap]:
    """Section 2: n-gram co-occurrence."""

    def grams(text: Words) -> Counter[tuple[str, ...]]:
        return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))

    return lambda hypothesis, reference: of_counts(grams(hypothesis), grams(reference))


def rouge_s(skip: int | None, *, unigrams: bool) -> Callable[[Words, Words], Overlap]:
    """Sections 5 and 6: skip bigrams; with unigrams, all but the last word."""

    def pairs(text: Words) -> Counter[tuple[str, ...]]:
        reach = len(text) if skip is None else skip + 1
        found = Counter(
            (first, second)
            for i, first in enumerate(text)
            for second in text[i + 1 : i + 1 + reach]
        )
        alone = Counter((word,) for word in text[:-1]) if unigrams else Counter()
        return Counter[tuple[str, ...]](found) + Counter[tuple[str, ...]](alone)

    return lambda hypothesis, reference: of_counts(pairs(hypothesis), pairs(reference))


def longest_common_subsequence(first: Words, second: Words) -> int:
    """Section 3: the textbook recurrence, row by row."""
    row = [0] * (len(second) + 1)
    for word in first:
        previous, row = row, [0]
        for j, other in enumerate(second):
            row.append(previous[j] + 1 if word == other else max(previous[j + 1], row[j]))
    return row[-1]


def rouge_l(hypothesis: Words, reference: Words) -> Overlap:
    matches = longest_common_subsequence(reference, hypothesis)
    recall = ratio(matches, len(reference))
    return Overlap(matches, len(reference), len(hypothesis), recall)


def weighted_hits(hypothesis: Words, reference: Words, weight: float) -> list[bool]:
    """Section 4: which reference words the weighted common subsequence hits.

    ``best`` is the table c of the paper, ``run`` its table w; the way back through the table
    prefers to go up, as the program does.
    """
    rows, columns = range(1, len(reference) + 1), range(1, len(hypothesis) + 1)
    best = [[0.0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    run = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i in rows:
        for j in columns:
            if reference[i - 1] == hypothesis[j - 1]:
                k = run[i - 1][j - 1]
                best[i][j] = best[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                best[i][j] = max(best[i - 1][j], best[i][j - 1])
    hits = [False] * len(reference)
    i, j = len(reference), len(hypothesis)
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            hits[i] = True
        elif best[i - 1][j] >= best[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return hits


def rouge_w(weight: float, *, once: bool = False) -> Callable[[Words, Words], Overlap]:
    """f(k) = k^weight of each run of hits, over f of both lengths.

    The program applies f to the reference length twice; ``once`` is the paper's definition.
    """

    def overlap(hypothesis: Words, reference: Words) -> Overlap:
        hits = weighted_hits(hypothesis, reference, weight)
        lengths = [len(list(group)) for hit, group in groupby(hits) if hit]
        matches = sum(length**weight for length in lengths)
        most = len(reference) ** weight
        total = most if once else most**weight
        quality = ratio(matches, most) ** (1 / weight)
        return Overlap(matches, total, len(hypothesis) ** weight, quality)

    return overlap


def rouge(
    hypothesis: Words,
    references: Sequence[Words],
    overlap: Callable[[Words, Words], Overlap],
    *,
    best: bool = False,
    alpha: float = 0.5,
    root: float = 1.0,
) -> Scores:
    """Precision, recall and F; ``root`` undoes the weight of ROUGE-W."""
    found = [overlap(hypothesis, reference) for reference in references]
    if best:
        found = [max(found, key=lambda one: one.quality)]
    matches = sum(one.matches for one in found)
    precision = ratio(matches, sum(one.hypothesis for one in found)) ** (1 / root)
    recall = ratio(matches, sum(one.reference for one in found)) ** (1 / root)
    mean = (1 - alpha) * precision + alpha * recall
    return Scores(precision, recall, precision * recall / mean if mean else 0.0)
