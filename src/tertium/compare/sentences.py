"""The segments on which two systems differ most, with what each has right marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tertium.compare.grams import CutCorpus, Words, expected_grams, grams_of
from tertium.inference.rows import MetricRows
from tertium.metrics.base import Metric
from tertium.text.corpus import Corpus, System

Span: TypeAlias = tuple[int, int]

_LONGEST = 12
"""Words in a row that are looked for at once; longer stretches are found in pieces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A text and the stretches of it, as code points from start to end, that are right."""

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

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {"text": self.text, "right": [list(span) for span in self.spans]}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePair:
    """One segment in two translations; ``number`` counts from 1."""

    number: int
    baseline_score: float
    system_score: float
    references: tuple[str, ...]
    baseline: Marked
    system: Marked

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.system_score - self.baseline_score

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "segment": self.number,
            "baseline_score": self.baseline_score,
            "system_score": self.system_score,
            "delta": self.delta,
            "references": list(self.references),
            "baseline": self.baseline.to_dict(),
            "system": self.system.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceDifferences:
    """Where a system is furthest ahead of the baseline, and where furthest behind."""

    system: str
    baseline: str
    metric: Metric
    better: tuple[SentencePair, ...]
    worse: tuple[SentencePair, ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "system": self.system,
            "baseline": self.baseline,
            "metric": self.metric.spec,
            "better": [one.to_dict() for one in self.better],
            "worse": [one.to_dict() for one in self.worse],
        }


def sentence_differences(
    corpus: Corpus, systems: Sequence[System], cut: CutCorpus, group: MetricRows, *, top: int = 5
) -> tuple[SentenceDifferences, ...]:
    """Every system but the first against the first, by the metric's scores of segments."""
    metric = group.metric.for_segments()
    scores = metric.score(group.rows)

    def pair(place: int, number: int) -> SentencePair:
        return SentencePair(
            number=place + 1,
            baseline_score=float(scores[0, place]),
            system_score=float(scores[number, place]),
            references=tuple(corpus.references.of_segment(place)),
            baseline=_marked(systems[0], cut, 0, place),
            system=_marked(systems[number], cut, number, place),
        )

    results = []
    for number in range(1, len(systems)):
        gains = scores[number] - scores[0]
        gains = gains if metric.higher_is_better else -gains
        order = np.argsort(-gains, kind="stable"), np.argsort(gains, kind="stable")
        better = [place for place in order[0][:top].tolist() if gains[place] > 0]
        worse = [place for place in order[1][:top].tolist() if gains[place] < 0]
        results.append(
            SentenceDifferences(
                system=systems[number].name,
                baseline=systems[0].name,
                metric=metric,
                better=tuple(pair(place, number) for place in better),
                worse=tuple(pair(place, number) for place in worse),
            )
        )
    return tuple(results)


def _marked(system: System, cut: CutCorpus, number: int, place: int) -> Marked:
    words = cut.systems[number][place]
    right = right_words(words, cut.references[place])
    return marked(system.hypotheses[place] or "", words, right, fold=cut.cutter.lowercase is True)


def right_words(words: Words, references: Sequence[Words]) -> list[bool]:
    """Which words of a hypothesis are right, each reference word used once.

    Long stretches that a reference has too are taken first: where a word occurs twice and once
    is right, it is the one in the right company.

    >>> right_words("the dog saw the cat".split(), ["a dog and the cat".split()])
    [False, True, False, True, True]
    """
    longest = min(_LONGEST, len(words))
    left = expected_grams(references, range(1, 2))
    known = expected_grams(references, range(1, longest + 1))
    right = [False] * len(words)
    for size in range(longest, 0, -1):
        for start in range(len(words) - size + 1):
            stretch = tuple(words[start : start + size])
            if stretch not in known or any(right[start : start + size]):
                continue
            needed = grams_of(stretch, range(1, 2))
            if needed <= left:
                left -= needed
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
