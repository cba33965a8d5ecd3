"""Entailment features that need no model, after Padó et al. (2009).

A good translation and its reference entail each other. Padó et al. let a regression weigh the
features of a system that recognizes entailment; these are the ones that need neither a parser nor
a model: how far words are aligned in both directions, and whether numbers, negation, modality and
names disagree. Weights are options, so ``tertium meta fit`` fits them to ratings.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

import numpy as np

from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option, ratio
from tertium.text.references import AnyReferences, Hypotheses, aligned
from tertium.text.tokenizers import THIRTEEN_A

FEATURES: Final = ("omitted", "added", "numbers", "negation", "modality", "names")

_NEGATIONS: Final = frozenset(
    {"no", "not", "n't", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere"}
    | {"without", "cannot", "hardly", "scarcely", "barely"}
)
_MODALS: Final = {
    **dict.fromkeys(("can", "could", "able", "cannot"), "ability"),
    **dict.fromkeys(("may", "might", "perhaps", "maybe", "possibly", "probably"), "possibility"),
    **dict.fromkeys(("must", "should", "ought", "shall", "has to", "have to"), "obligation"),
    **dict.fromkeys(("will", "would"), "future"),
}
_GROUPING: Final = re.compile(r"(?<=\d),(?=\d{3}\b)")
"""The comma in 1,000."""


class TextFacts(NamedTuple):
    """What is compared of a text."""

    words: Counter[str]
    numbers: Counter[str]
    negated: bool
    modalities: frozenset[str]
    names: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntailmentFeatures(Metric):
    """100 · (1 − Σ weight · feature), at least 0; each feature is the mean over segments.

    ``omitted`` and ``added`` are the shares of reference and hypothesis words without a
    counterpart on the other side; ``numbers``, ``modality`` and ``names`` the share of those of
    either side that not both have; ``negation`` is 1 if one side alone is negated. The reference
    with the best score counts. Word lists are English.
    """

    name: ClassVar[str] = "entailment"
    title: ClassVar[str] = "RTE"
    summary: ClassVar[str] = "words, numbers, negation, modality and names that disagree"
    citation: ClassVar[str] = "Padó et al. 2009"

    omitted: float = option(0.5, "weight of reference words that are omitted", tunable=True)
    added: float = option(0.5, "weight of words that the reference has not", tunable=True)
    numbers: float = option(0.1, "weight of numbers that differ", tunable=True)
    negation: float = option(0.1, "weight of one side being negated", tunable=True)
    modality: float = option(0.1, "weight of modality that differs", tunable=True)
    names: float = option(0.1, "weight of capitalized names that differ", tunable=True)

    def __post_init__(self) -> None:
        for feature, weight in zip(FEATURES, self.weights, strict=True):
            if not (weight >= 0 and np.isfinite(weight)):
                raise OptionError(f"entailment: found {feature}={weight}, expected a number from 0")

    @property
    def weights(self) -> tuple[float, ...]:
        """The weight of each feature."""
        return tuple(getattr(self, feature) for feature in FEATURES)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*FEATURES, "segments")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        columns = shared.prepared("entailment", _facts_of_columns)
        rows = [
            self._row(hypothesis, [other for other in others if other is not None])
            for hypothesis, *others in zip(_facts(texts), *columns, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def _row(self, hypothesis: TextFacts | None, references: Sequence[TextFacts]) -> list[float]:
        ours = hypothesis or text_facts([])
        rows = [disagreements(ours, theirs) for theirs in references]
        return min(rows, key=lambda row: float(np.dot(self.weights, row[:-1])))

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        means = ratio(rows[..., :-1], rows[..., -1:], empty=0.0)
        score: Scores = 100 * np.maximum(0.0, 1 - means @ np.array(self.weights))
        return score

    def describe(self, row: Rows) -> str:
        means = ratio(row[:-1], row[-1:], empty=0.0)
        shown = (f"{name} = {mean:.3f}" for name, mean in zip(FEATURES, means, strict=True))
        return f"({' '.join(shown)})"


def disagreements(hypothesis: TextFacts, reference: TextFacts) -> list[float]:
    """The features of a pair of texts, and 1; all of them 0 if neither has a word."""
    if not hypothesis.words and not reference.words:
        return [0.0] * (len(FEATURES) + 1)
    common = (hypothesis.words & reference.words).total()
    ours, theirs = hypothesis.words.total(), reference.words.total()
    if not ours or not theirs:
        return [1.0] * (len(FEATURES) + 1)
    return [
        1 - common / theirs,
        1 - common / ours,
        _apart(hypothesis.numbers, reference.numbers),
        float(hypothesis.negated != reference.negated),
        _apart(Counter(hypothesis.modalities), Counter(reference.modalities)),
        _apart(hypothesis.names, reference.names),
        1.0,
    ]


def _apart(one: Counter[str], other: Counter[str]) -> float:
    union = (one | other).total()
    return 1 - (one & other).total() / union if union else 0.0


def text_facts(tokens: Sequence[str]) -> TextFacts:
    """What is compared of a text, from its tokens.

    >>> facts = text_facts("Ann can not pay 1,000 euros to Bob .".split())
    >>> sorted(facts.names), sorted(facts.numbers), facts.negated, sorted(facts.modalities)
    (['bob'], ['1000'], True, ['ability'])
    """
    kept = [word for word in tokens if any(map(str.isalnum, word))]
    lowered = [_GROUPING.sub("", word.lower()) for word in kept]
    return TextFacts(
        words=Counter(lowered),
        numbers=Counter(word for word in lowered if word[0].isdigit()),
        negated=any(word in _NEGATIONS or word.endswith("n't") for word in lowered),
        modalities=frozenset(
            _MODALS[word]
            for word in (*lowered, *map(" ".join, pairwise(lowered)))
            if word in _MODALS
        ),
        # The first word of a text is capitalized whatever it is, and 'I' is no name.
        names=Counter(word.lower() for word in kept[1:] if word[0].isupper() and len(word) > 1),
    )


def _facts(column: Texts) -> list[TextFacts | None]:
    texts = column.to_list()
    cut = THIRTEEN_A.cut_all(column, lowercase=False)
    return [
        None if text is None else text_facts(tokens)
        for text, tokens in zip(texts, cut, strict=True)
    ]


def _facts_of_columns(columns: tuple[Texts, ...]) -> list[list[TextFacts | None]]:
    return [_facts(column) for column in columns]
