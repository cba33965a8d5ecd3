"""The segments that make most of a difference, with what each system has right marked."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from tertium.compare.grams import CutCorpus, Gram, Words, expected_grams
from tertium.inference.p_values import tie_width
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.plain import Plain
from tertium.text.corpus import Corpus, System

Span: TypeAlias = tuple[int, int]

_LONGEST = 12
"""Words in a row that are looked for at once; longer stretches are found in pieces."""
_STRETCHES = range(1, _LONGEST + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Plain):
    """A text and the stretches of it, as code points from start to end, that are right."""

    PLAIN = "text right=spans"

    text: str
    spans: tuple[Span, ...]

    @property
    def bracketed(self) -> str:
        """The text with brackets around what is right.

        >>> Marked(text="the cat sat", spans=((0, 7),)).bracketed
        '[the cat] sat'
        """
        parts, end = [], 0
        for start, stop in self.spans:
            parts += [self.text[end:start], "[", self.text[start:stop], "]"]
            end = stop
        return "".join([*parts, self.text[end:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair(Plain):
    """One segment in two translations; ``number`` counts from 1.

    ``effect`` is the part that it has in the difference of the corpus scores.
    """

    PLAIN = "segment=number effect baseline_score system_score delta references baseline system"

    number: int
    effect: float
    baseline_score: float
    system_score: float
    references: tuple[str, ...]
    baseline: Marked
    system: Marked

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.system_score - self.baseline_score


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceDifferences(Plain):
    """What a system's lead over the baseline comes from, and what speaks against it.

    ``delta`` is the difference of the corpus scores.
    """

    PLAIN = "system baseline metric=metric.spec delta better worse"

    system: str
    baseline: str
    metric: Metric
    delta: float
    better: tuple[SentencePair, ...]
    worse: tuple[SentencePair, ...]


def sentence_differences(
    corpus: Corpus, systems: Sequence[System], cut: CutCorpus, group: MetricRows, *, top: int = 5
) -> tuple[SentenceDifferences, ...]:
    """Every system but the first against the first, by what each segment does to the scores."""
    metric = group.metric.for_segments()
    scores = metric.score(group.rows)
    corpus_scores = group.observed
    # The segments that tell most are often the same ones for many systems, and so is the baseline.
    expected = cache(lambda segment: expected_grams(cut.references[segment], _STRETCHES))

    @cache
    def marked_output(number: int, segment: int) -> Marked:
        words = cut.systems[number][segment]
        right = _right(words, expected(segment))
        text = systems[number].hypotheses[segment] or ""
        return marked(text, words, right, fold=cut.cutter.lowercase is True)

    def pair(place: int, number: int, effect: float) -> SentencePair:
        return SentencePair(
            number=place + 1,
            effect=effect,
            baseline_score=float(scores[0, place]),
            system_score=float(scores[number, place]),
            references=tuple(corpus.references.of_segment(place)),
            baseline=marked_output(0, place),
            system=marked_output(number, place),
        )

    results = []
    for number in range(1, len(systems)):
        parts = effects(group.metric, group.rows[0], group.rows[number])
        gains = parts if metric.higher_is_better else -parts
        order = np.argsort(-gains, kind="stable"), np.argsort(gains, kind="stable")
        better = [index for index in order[0][:top].tolist() if gains[index] > 0]
        worse = [index for index in order[1][:top].tolist() if gains[index] < 0]
        results.append(
            SentenceDifferences(
                system=systems[number].name,
                baseline=systems[0].name,
                metric=metric,
                delta=corpus_scores[number] - corpus_scores[0],
                better=tuple(pair(index, number, float(parts[index])) for index in better),
                worse=tuple(pair(index, number, float(parts[index])) for index in worse),
            )
        )
    return tuple(results)


def effects(metric: Metric, baseline: Rows, system: Rows) -> Scores:
    """What each segment has to do with the difference of two corpus scores.

    It is what the baseline gains if it takes over the system's output of this segment, and what
    the system loses if it takes over the baseline's, the mean of both. For a mean of segment
    scores these are the same, and all of them add up to the difference; a line of one word weighs
    as little as it does in the score. Differences within rounding are none.
    """
    before, after = baseline.sum(axis=0), system.sum(axis=0)
    change = system - baseline
    scores = float(metric.score(before)), float(metric.score(after))
    gained = metric.score(before + change) - scores[0]
    kept = scores[1] - metric.score(after - change)
    result: Scores = (gained + kept) / 2
    result[np.abs(result) <= tie_width(*scores)] = 0
    return result


def right_words(words: Words, references: Sequence[Words]) -> list[bool]:
    """Which words of a hypothesis are right, each reference word used once.

    Long stretches that a reference has too are taken first: where a word occurs twice and once
    is right, it is the one in the right company.

    >>> right_words("the dog saw the cat".split(), ["a dog and the cat".split()])
    [False, True, False, True, True]
    """
    return _right(words, expected_grams(references, _STRETCHES))


def _right(words: Words, known: Counter[Gram]) -> list[bool]:
    left = Counter({gram[0]: count for gram, count in known.items() if len(gram) == 1})
    right = [False] * len(words)
    for size in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            stretch = tuple(words[start : start + size])
            if stretch not in known or any(right[start : start + size]):
                continue
            needed = Counter(stretch)
            if all(count <= left[word] for word, count in needed.items()):
                left.subtract(needed)
                right[start : start + size] = [True] * size
    return right


def marked(text: str, words: Words, right: Sequence[bool], *, fold: bool = False) -> Marked:
    """The text with its right words found again; as words if the tokenizer changed letters."""
    searched = text.lower() if fold else text
    places = _places(searched, words) if len(searched) == len(text) else None
    if places is None:
        text = " ".join(words)
        places = _places(text, words) or []
    spans: list[Span] = []
    for (start, stop), good, before in zip(places, right, [False, *right], strict=False):
        if good and before and spans:
            spans[-1] = (spans[-1][0], stop)
        elif good:
            spans.append((start, stop))
    return Marked(text=text, spans=tuple(spans))


def _places(text: str, words: Words) -> list[Span] | None:
    """Where the words are, one after the other, with nothing but space between them."""
    places, end = [], 0
    for word in words:
        start = text.find(word, end)
        if start < 0 or text[end:start].strip():
            return None
        end = start + len(word)
        places.append((start, end))
    return places
