"""MaxSim (Chan & Ng 2008): n-grams of lemmas and tags, matched by maximum weight."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option, ratio
from tertium.metrics.matching.similarity import grams, matching_missing, similarity
from tertium.metrics.resources.synonyms import WORDNET, SynonymFunction, Thesaurus, wordnet_missing
from tertium.metrics.resources.taggers import TaggedWord, Tagger
from tertium.text.references import AnyReferences, Hypotheses, aligned

Words: TypeAlias = list[TaggedWord]

TAGGER: Final = Tagger("hanta", "en")


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxSim(Metric):
    """Mean over segments, references and n = 1 … 3 of F = PR / (αP + (1 − α)R), α = 0.8.

    Precision and recall are of n-grams of (lemma, tag): those that are equal, those with equal
    lemmas, and the weight of a maximum matching of the others, in which words count half for
    equal tags and half for synonyms. Tokens without a letter or digit are left out, and so is
    an n that is too long for both sides.
    """

    name: ClassVar[str] = "maxsim"
    title: ClassVar[str] = "MaxSim"
    summary: ClassVar[str] = "the best pairing of lemmas, parts of speech and synonyms"
    citation: ClassVar[str] = "Chan & Ng 2008"

    pipeline: Tagger = option(
        TAGGER, "what gives lemmas and tags: spacy:NAME or hanta:en", always=True
    )
    synonyms: Thesaurus = option(
        Thesaurus(WORDNET), "synonym sets: wordnet, a file, or none", always=True, file=True
    )
    order: int = option(3, "longest n-gram")
    alpha: float = option(0.8, "weight of recall against precision")
    references: Literal["average", "best"] = option("average", "what several references count")

    def __post_init__(self) -> None:
        if isinstance(self.pipeline, str):
            object.__setattr__(self, "pipeline", Tagger.parse(self.pipeline))
        if isinstance(self.synonyms, str):
            object.__setattr__(self, "synonyms", Thesaurus.parse(self.synonyms))
        if self.order < 1:
            raise OptionError(f"{self.name}: found order {self.order}, expected at least 1")
        if not 0 <= self.alpha <= 1:
            raise OptionError(f"{self.name}: found alpha={self.alpha}, expected 0 to 1")

    @classmethod
    def missing(cls) -> str | None:
        return TAGGER.missing or wordnet_missing() or matching_missing()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("similarity", "segments")

    def signature(self, references: str | int = 1) -> str:
        """The identity, with the versions of tagger and synonyms found here."""
        known = replace(self, pipeline=self.pipeline.pinned(), synonyms=self.synonyms.pinned())
        return Metric.signature(known, references)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        synonyms = self.synonyms.function()
        columns = shared.prepared(("maxsim", self.pipeline), self._tagged_columns)
        rows = [
            self._row(hypothesis or [], [other for other in others if other is not None], synonyms)
            for hypothesis, *others in zip(self._tagged(texts), *columns, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), 2)

    def _tagged_columns(self, columns: tuple[Texts, ...]) -> list[list[Words | None]]:
        return [self._tagged(column) for column in columns]

    def _tagged(self, column: Texts) -> list[Words | None]:
        texts = column.to_list()
        tagged = self.pipeline.tag([text or "" for text in texts])
        return [
            None if text is None else [word for word in words if any(map(str.isalnum, word.text))]
            for text, words in zip(texts, tagged, strict=True)
        ]

    def _row(
        self, hypothesis: Words, references: Sequence[Words], synonyms: SynonymFunction
    ) -> tuple[float, float]:
        """The similarity and 1; nothing for a segment without a word on either side."""
        if not hypothesis and not any(references):
            return 0.0, 0.0
        similarities = [self._similarity(hypothesis, words, synonyms) for words in references]
        return (
            max(similarities)
            if self.references == "best"
            else sum(similarities) / len(similarities)
        ), 1.0

    def _similarity(self, hypothesis: Words, reference: Words, synonyms: SynonymFunction) -> float:
        longest = max(1, min(self.order, max(len(hypothesis), len(reference))))
        scores = [self._f_score(hypothesis, reference, n, synonyms) for n in range(1, longest + 1)]
        return sum(scores) / longest

    def _f_score(
        self, hypothesis: Words, reference: Words, n: int, synonyms: SynonymFunction
    ) -> float:
        ours, theirs = grams(hypothesis, n), grams(reference, n)
        if not ours or not theirs:
            return float(not ours and not theirs)
        common = similarity(ours, theirs, synonyms)
        # With P = m/h and R = m/r the fraction is m / (α r + (1 − α) h); so written, it is
        # exactly 1 for equal sides.
        return common / (len(ours) + self.alpha * (len(theirs) - len(ours)))

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        return 100 * ratio(rows[..., 0], rows[..., 1], empty=1.0)
