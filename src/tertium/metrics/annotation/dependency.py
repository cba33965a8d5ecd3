"""Overlap of dependencies: parses compared as bags of (head, relation, word)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from tertium.metrics.annotation.parses import (
    AnnotationMetric,
    FormError,
    ParsedWord,
    Sentence,
    segment_parses,
)
from tertium.metrics.contract.base import Metric, Rows, Scores, case_option, option, ratio
from tertium.metrics.resources.synonyms import NONE, SynonymFunction, Thesaurus

Triple: TypeAlias = tuple[str | None, str | None, str]
"""Head (``None``: the word is the root), relation (``None``: not asked for) and word."""
Parses: TypeAlias = tuple[Counter[Triple], ...]
"""The triples of each parse of a segment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyOverlap(AnnotationMetric[Parses]):
    """F₁ of the triples that hypothesis and reference share: 2m / (|T| + |R|), corpus counts.

    Every segment is CoNLL-U: files named .conllu are read so, and tables may hold it in a
    column. After Owczarzak et al. (2007), with the user's parser in the place of an LFG
    parser. The best reference of a segment counts and, where a segment has several parses, the
    pair of parses that agrees best.

    As in the metric of DCU (He et al. 2010), ``synonyms`` let a word stand for one of the
    reference that the hypothesis lacks, and ``partial`` credits half a triple of which the head or
    the word agrees.
    """

    name: ClassVar[str] = "dependency"
    title: ClassVar[str] = "DEP"
    summary: ClassVar[str] = "grammatical relations in common; reads parses (CoNLL-U)"
    citation: ClassVar[str] = "Owczarzak et al. 2007, He et al. 2010"
    segment_form: ClassVar[str] = "CoNLL-U"

    labelled: bool = option(True, "relations must agree too")
    words: Literal["lemma", "form"] = option("lemma", "what stands for a word")
    lowercase: bool = case_option()
    subtypes: bool = option(True, "nsubj:pass is not nsubj")
    punctuation: bool = option(True, "count words that are attached as punct")
    measure: Literal["f", "precision", "recall"] = option("f", "which of the three is the score")
    partial: bool = option(False, "half a match if only the head or the word agrees")
    synonyms: Thesaurus = option(
        Thesaurus(NONE), "synonym sets of lemmas: wordnet, a file, or none"
    )

    def __post_init__(self) -> None:
        if isinstance(self.synonyms, str):
            object.__setattr__(self, "synonyms", Thesaurus.parse(self.synonyms))

    def signature(self, references: str | int = 1) -> str:
        """The identity, with the version of the synonyms found here."""
        return Metric.signature(replace(self, synonyms=self.synonyms.pinned()), references)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "hypothesis_triples", "reference_triples")

    def read(self, segment: str) -> Parses:
        return tuple(
            Counter(triple for sentence in sentences for triple in self._triples(sentence))
            for sentences in segment_parses(segment)
        )

    def _triples(self, sentence: Sentence) -> Iterator[Triple]:
        named = [self._named(word) for word in sentence]
        for word, name in zip(sentence, named, strict=True):
            relation = self._relation(word)
            if self.punctuation or word.relation.partition(":")[0] != "punct":
                yield (named[word.head - 1] if word.head else None, relation, name)

    def _named(self, word: ParsedWord) -> str:
        if self.words == "lemma" and not word.lemma:
            raise FormError(
                f"no lemma of '{word.form}'", "one for every word, or words=form", line=word.line
            )
        name = word.lemma if self.words == "lemma" else word.form
        return name.lower() if self.lowercase else name

    def _relation(self, word: ParsedWord) -> str | None:
        if not word.relation and (self.labelled or not self.punctuation):
            raise FormError(
                f"no relation of '{word.form}'",
                "one for every word, or labelled=no with punctuation=yes",
                line=word.line,
            )
        if not self.labelled:
            return None
        return word.relation if self.subtypes else word.relation.partition(":")[0]

    def row(self, hypothesis: Parses, references: Sequence[Parses]) -> Sequence[float]:
        rows = [
            (self._matches(ours, theirs), float(ours.total()), float(theirs.total()))
            for ours in hypothesis
            for parses in references
            for theirs in parses
        ]
        return max(rows, key=lambda row: float(self.score(np.array(row, dtype=np.float64))))

    def _matches(self, hypothesis: Counter[Triple], reference: Counter[Triple]) -> float:
        if self.synonyms.name != NONE:
            hypothesis = _renamed(hypothesis, reference, self.synonyms.function())
        if not self.partial:
            return float((hypothesis & reference).total())
        return sum((_without(hypothesis, i) & _without(reference, i)).total() for i in (0, 2)) / 2

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        matches, hypothesis, reference = np.moveaxis(rows, -1, 0)
        parts = {
            "f": (2 * matches, hypothesis + reference),
            "precision": (matches, hypothesis),
            "recall": (matches, reference),
        }
        nothing = (hypothesis == 0) & (reference == 0)
        return 100 * np.where(nothing, 1.0, ratio(*parts[self.measure]))

    def describe(self, row: Rows) -> str:
        matches, hypothesis, reference = row
        precision, recall = (100 * ratio(matches, whole) for whole in (hypothesis, reference))
        return (
            f"(P = {precision:.1f} R = {recall:.1f} "
            f"matches = {matches:.0f} hyp_triples = {hypothesis:.0f} "
            f"ref_triples = {reference:.0f})"
        )


def _without(triples: Counter[Triple], index: int) -> Counter[tuple[str | None, ...]]:
    """The triples without their heads, or without their words."""
    counts: Counter[tuple[str | None, ...]] = Counter()
    for triple, count in triples.items():
        counts[triple[:index] + triple[index + 1 :]] += count
    return counts


def _renamed(
    hypothesis: Counter[Triple], reference: Counter[Triple], synonyms: SynonymFunction
) -> Counter[Triple]:
    """The hypothesis with words of the reference in the place of synonyms.

    Only words that the other side lacks are renamed, each to one word, in alphabetical order.
    """
    ours, theirs = (
        {name for head, _, word in triples for name in (head, word) if name is not None}
        for triples in (hypothesis, reference)
    )
    free = sorted(theirs - ours)
    names: dict[str | None, str] = {}
    for word in sorted(ours - theirs):
        sets = synonyms(word)
        same = next((word for word in free if not sets.isdisjoint(synonyms(word))), None)
        if same is not None:
            names[word] = same
            free.remove(same)
    renamed: Counter[Triple] = Counter()
    for (head, relation, word), count in hypothesis.items():
        renamed[names.get(head, head), relation, names.get(word, word)] += count
    return renamed
