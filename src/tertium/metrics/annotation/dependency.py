"""Overlap of dependencies: parses compared as bags of (head, relation, word)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from tertium.metrics.annotation.annotated_segments import AnnotationMetric, FormError
from tertium.metrics.annotation.parses import ParsedWord, Sentence, parsed_sentences
from tertium.metrics.contract.base import Rows, Scores, case_option, option, ratio

Triple: TypeAlias = tuple[str | None, str | None, str]
"""Head (``None``: the word is the root), relation (``None``: not asked for) and word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyOverlap(AnnotationMetric[Counter[Triple]]):
    """F₁ of the triples that hypothesis and reference share: 2m / (|T| + |R|), corpus counts.

    Every segment is CoNLL-U: files named .conllu are read so, and tables may hold it in a
    column. After Owczarzak et al. (2007), with the user's parser in the place of an LFG
    parser. The best reference of a segment counts.
    """

    name: ClassVar[str] = "dependency"
    title: ClassVar[str] = "DEP"
    summary: ClassVar[str] = "grammatical relations in common; reads parses (CoNLL-U)"
    citation: ClassVar[str] = "Owczarzak et al. 2007"
    segment_form: ClassVar[str] = "CoNLL-U"

    labelled: bool = option(True, "relations must agree too")
    words: Literal["lemma", "form"] = option("lemma", "what stands for a word")
    lowercase: bool = case_option()
    subtypes: bool = option(True, "nsubj:pass is not nsubj")
    punctuation: bool = option(True, "count words that are attached as punct")
    measure: Literal["f", "precision", "recall"] = option("f", "which of the three is the score")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "hypothesis_triples", "reference_triples")

    def read(self, segment: str) -> Counter[Triple]:
        sentences = parsed_sentences(segment)
        return Counter(triple for sentence in sentences for triple in self._triples(sentence))

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

    def row(
        self, hypothesis: Counter[Triple], references: Sequence[Counter[Triple]]
    ) -> Sequence[float]:
        rows = [((hypothesis & one).total(), hypothesis.total(), one.total()) for one in references]
        return max(rows, key=lambda row: float(self.score(np.array(row, dtype=np.float64))))

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
