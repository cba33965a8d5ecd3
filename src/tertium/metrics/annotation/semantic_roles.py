"""Overlap of semantic roles (Giménez & Màrquez 2007): who does what to whom, and when."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from tertium.metrics.annotation.annotated_segments import AnnotationMetric, FormError
from tertium.metrics.annotation.roles import LABELERS, Proposition, RoleWord, read_propositions
from tertium.metrics.contract.base import Rows, Scores, case_option, option, ratio

RoleItems: TypeAlias = Counter[tuple[object, ...]]
"""What is compared: role, perhaps predicate, and a word, all words or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticRoles(AnnotationMetric[RoleItems]):
    """Σ min / Σ max of the counts of both sides, over roles and the words that fill them.

    The default is SR-Oᵣ(⋆): words in roles of the same label. ``match=filler`` is SR-Mᵣ(⋆), whole
    fillers; ``match=role`` is SR-Oᵣ, labels whatever their words; ``verbs=yes`` asks for the same
    predicate, too (SR-Oᵣᵥ, SR-Mᵣᵥ). The best reference of a segment counts.
    """

    name: ClassVar[str] = "semantic-roles"
    title: ClassVar[str] = "SR"
    summary: ClassVar[str] = "who does what to whom; reads semantic roles (CoNLL)"
    citation: ClassVar[str] = "Giménez & Màrquez 2007"
    segment_form: ClassVar[str] = "semantic roles in CoNLL columns"

    match: Literal["words", "filler", "role"] = option(
        "words", "what must agree in a role: words, the whole filler, or its label alone"
    )
    labelled: bool = option(True, "roles must have the same label")
    verbs: bool = option(False, "roles must belong to the same predicate")
    words: Literal["form", "lemma"] = option("form", "what stands for a word")
    lowercase: bool = case_option()
    punctuation: bool = option(True, "count words without a letter or digit")
    fillers: Literal["subtree", "head"] = option(
        "subtree", "what fills a role that stands at a head: all below it, or the head"
    )
    corpus: Literal["segments", "counts"] = option(
        "segments", "a corpus has the mean of its segments, or the share of its counts"
    )
    labeler: str = option("", "entry point that labels plain text; none: segments have roles")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("common", "all", "share", "segments")

    def read(self, segment: str) -> RoleItems:
        if self.labeler:
            (propositions,) = LABELERS[self.labeler]([segment])
        else:
            propositions = read_propositions(segment, subtrees=self.fillers == "subtree")
        return self.items(propositions)

    def items(self, propositions: Sequence[Proposition]) -> RoleItems:
        """What is compared of some propositions."""
        items: RoleItems = Counter()
        for proposition in propositions:
            verb = self._named(proposition.predicate, lemma=True) if self.verbs else None
            for label, filler in proposition.roles:
                kind = (label if self.labelled else None, verb)
                words = [self._named(word) for word in filler if self._counts(word)]
                if self.match == "words":
                    items.update((*kind, word) for word in words)
                elif self.match == "filler":
                    items[(*kind, *words)] += 1
                else:
                    items[kind] += 1
        return items

    def _counts(self, word: RoleWord) -> bool:
        return self.punctuation or any(map(str.isalnum, word.form))

    def _named(self, word: RoleWord, *, lemma: bool = False) -> str:
        if self.words == "lemma" and not word.lemma:
            raise FormError(f"no lemma of '{word.form}'", "one for every word, or words=form")
        name = word.lemma or word.form if lemma or self.words == "lemma" else word.form
        return name.lower() if self.lowercase else name

    def row(self, hypothesis: RoleItems, references: Sequence[RoleItems]) -> Sequence[float]:
        rows = []
        for reference in references:
            common, union = (hypothesis & reference).total(), (hypothesis | reference).total()
            rows.append((common, union, common / union, 1.0) if union else (0.0, 0.0, 0.0, 0.0))
        return max(rows, key=lambda row: row[2] if row[3] else 1.0)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        start = 0 if self.corpus == "counts" else 2
        return 100 * ratio(rows[..., start], rows[..., start + 1], empty=1.0)

    def describe(self, row: Rows) -> str:
        common, union, _, segments = row
        return f"(common = {common:.0f} of {union:.0f} in {segments:.0f} segments with roles)"
