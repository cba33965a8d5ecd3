"""AMBER (Chen and Kuhn 2011): BLEU with recall, ten penalties and words taken apart."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal, NamedTuple, Self

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.amber.matches import (
    NO_PARAPHRASES,
    TEXT_TYPES,
    SubstitutionTables,
    normalised_texts,
    typed_texts,
)
from tertium.metrics.amber.quality import (
    GAPS,
    PENALTIES,
    Continuity,
    Layout,
    Mask,
    Mixture,
    PenaltyShape,
    Quality,
    Strategy,
    Weighting,
    penalties,
    quality,
)
from tertium.metrics.contract.base import (
    Component,
    Metric,
    PenalisedLengths,
    Rows,
    Scores,
    bound,
    matched_and_missed,
    option,
    ratio,
)
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.options import punctuation_option
from tertium.metrics.contract.word_metric import told
from tertium.metrics.edit.terp import read_words
from tertium.metrics.resources.paraphrases import Paraphrases, read_paraphrases
from tertium.metrics.resources.pinned import File
from tertium.metrics.resources.synonyms import NONE, Thesaurus
from tertium.plain import Plain
from tertium.text.references import AnyReferences, Hypotheses, References, aligned
from tertium.text.tokenizers import THIRTEEN_A, Tokenizer

# What an AMBER score is made of, as plain numbers for people and programs.


class TypeBreakdown(NamedTuple):
    """One text type, with or without tf-idf; arrays over the rows that were scored."""

    text_type: int
    weighting: Weighting
    quality: Quality
    penalties: Mapping[str, Scores]
    penalty: Scores
    value: Scores
    seen: Mask
    """Whether either side has a word of this type."""


def mean_of(runs: Sequence[TypeBreakdown]) -> Scores:
    """The mean of the runs that see a word; 1 where none does, since nothing is wrong then."""
    values = np.stack([run.value for run in runs])
    seen = np.stack([run.seen for run in runs])
    return ratio((values * seen).sum(axis=0), seen.sum(axis=0), empty=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyPrecisions:
    """Precision of each order under one matching strategy."""

    strategy: Strategy
    precisions: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """One penalty: its value, its weight, and value ** weight, which multiplies the score."""

    name: str
    value: float
    weight: float
    weighted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBreakdown:
    """One run in numbers; ``value`` = ``score`` × ``penalty``."""

    text_type: int
    title: str
    weighting: Weighting
    strategies: tuple[StrategyPrecisions, ...]
    precisions: tuple[float, ...]
    recalls: tuple[float, ...]
    average_precision: float
    f_mean: float
    average_f: float
    score: float
    penalties: tuple[Penalty, ...]
    penalty: float
    value: float

    @property
    def label(self) -> str:
        """The run in a few words."""
        return f"type {self.text_type}" + ("" if self.weighting == "none" else ", tf-idf")

    def components(self) -> tuple[Component, ...]:
        """The parts in the order in which the paper puts them together; shares are ×100."""
        parts = [
            Component(
                f"{n}-gram precision",
                100 * precision,
                ", ".join(
                    f"{strategy.strategy} {100 * strategy.precisions[n - 1]:.1f}"
                    for strategy in self.strategies
                ),
            )
            for n, precision in enumerate(self.precisions, 1)
        ]
        parts += [Component(f"{n}-gram recall", 100 * r) for n, r in enumerate(self.recalls, 1)]
        parts += [
            Component("AvgP", 100 * self.average_precision, "geometric mean of precisions"),
            Component("Fmean", 100 * self.f_mean, "F of mean precision and recall"),
            Component("AvgF", 100 * self.average_f, "mean of F of each order"),
            Component("score part", 100 * self.score, "mixed by θ1, θ2"),
        ]
        parts += [
            Component(
                penalty.name.upper(), penalty.value, f"^{penalty.weight:g} = {penalty.weighted:.4f}"
            )
            for penalty in self.penalties
        ]
        parts += [
            Component("penalty", self.penalty, "product of the penalties"),
            Component("score × penalty", 100 * self.value, self.title),
        ]
        return tuple(part._replace(group=self.label) for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown(Plain):
    """The runs of AMBER; ``value`` is the mean of those that see a word.

    All numbers are fractions, not ×100.
    """

    runs: tuple[RunBreakdown, ...]
    value: float

    @classmethod
    def of(cls, runs: Sequence[TypeBreakdown], weights: Mapping[str, float]) -> "Breakdown":
        """The runs of a single row."""
        return cls(
            runs=tuple(_in_numbers(run, weights) for run in runs),
            value=float(mean_of(runs)),
        )


def _in_numbers(run: TypeBreakdown, weights: Mapping[str, float]) -> RunBreakdown:
    parts = run.quality
    return RunBreakdown(
        text_type=run.text_type,
        title=TEXT_TYPES[run.text_type],
        weighting=run.weighting,
        strategies=tuple(
            StrategyPrecisions(strategy=strategy, precisions=tuple(values.tolist()))
            for strategy, values in parts.by_strategy.items()
        ),
        precisions=tuple(parts.precisions.tolist()),
        recalls=tuple(parts.recalls.tolist()),
        average_precision=float(parts.average_precision),
        f_mean=float(parts.f_mean),
        average_f=float(parts.average_f),
        score=float(parts.score),
        penalties=tuple(
            Penalty(
                name=name,
                value=float(value),
                weight=weights[name],
                weighted=float(value ** weights[name]),
            )
            for name, value in run.penalties.items()
        ),
        penalty=float(run.penalty),
        value=float(run.value),
    )


_WEIGHT: Final = "weight of the {} penalty"
_PARSERS: Final[Mapping[str, Callable[[str], object]]] = {
    "tokenizer": Tokenizer.parse,
    "synonyms": Thesaurus.parse,
    "stop_words": File.parse,
    "paraphrases": File.parse,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amber(Metric):
    """score × penalty, averaged over runs on differently prepared text.

    The score mixes the geometric mean of n-gram precisions with F-measures that favour
    recall; the penalty is a weighted product of ten. With several references the one closest
    in length counts for lengths and word order, the union of all for n-grams.
    """

    name: ClassVar[str] = "amber"
    title: ClassVar[str] = "AMBER"
    summary: ClassVar[str] = "BLEU with recall, ten penalties and parts of words"
    citation: ClassVar[str] = "Chen and Kuhn 2011"
    penalised_lengths: ClassVar[PenalisedLengths] = "segment"

    tokenizer: Tokenizer = option(
        THIRTEEN_A, "how text is cut into words, except for type 0", key="tok", always=True
    )
    punctuation: bool = punctuation_option()
    types: tuple[int, ...] = option((1, 4, 6), "text types, 0 to 7, that are averaged")
    order: int = option(4, "N: longest n-gram of precision")
    recall_order: int = option(1, "M: longest n-gram of recall")
    strategies: tuple[Strategy, ...] = option(
        ("ngram", "fixed-gap", "flexible-gap"), "how n-grams are matched for precision"
    )
    skip_limit: int | None = option(
        4, "most words that a skip n-gram leaves out; without limit all n-word choices count"
    )
    tfidf: Literal["none", "tf-idf", "none+tf-idf"] = option("none", "weights of n-grams")
    short_word: int = option(4, "words with fewer letters are short, for SWDP and in type 7")
    stop_words: File | None = option(
        None,
        "file of words that count as short in SWDP, and only they do; else by letters",
        file=True,
    )
    synonyms: Thesaurus = option(
        Thesaurus(NONE), "synonym sets for matching: wordnet, a file, or none", file=True
    )
    paraphrases: File | None = option(
        None, "file of paraphrases for matching, in the form of Meteor's", file=True
    )
    spearman: Literal["published", "standard"] = option(
        "published", "Σd² as in the paper's formula, or 6·Σd²"
    )
    continuity: Continuity = option(
        "printed", "equation 14 as it is printed, by the mean, with the other sign, or as SBP"
    )
    alpha: float = option(0.9, "α: weight of recall in F", tunable=True)
    theta1: float = option(0.3, "θ1: share of the geometric mean precision", tunable=True)
    theta2: float = option(0.5, "θ2: share of the F of mean precision and recall", tunable=True)
    ckp_beta: float = option(3.0, "β: exponent of the chunk penalty", tunable=True)
    ckp_gamma: float = option(0.1, "γ: size of the chunk penalty", tunable=True)
    sbp: float = option(0.3, _WEIGHT.format("strict brevity"), tunable=True)
    srp: float = option(0.1, _WEIGHT.format("strict redundancy"), tunable=True)
    csbp: float = option(0.15, _WEIGHT.format("character brevity"), tunable=True)
    csrp: float = option(0.05, _WEIGHT.format("character redundancy"), tunable=True)
    swdp: float = option(0.1, _WEIGHT.format("short word difference"), tunable=True)
    lwdp: float = option(0.2, _WEIGHT.format("long word difference"), tunable=True)
    ckp: float = option(1.0, _WEIGHT.format("chunk"), tunable=True)
    ctp: float = option(0.8, _WEIGHT.format("continuity"), tunable=True)
    nscp: float = option(0.5, _WEIGHT.format("Spearman's correlation"), tunable=True)
    nkcp: float = option(2.0, _WEIGHT.format("Kendall's correlation"), tunable=True)
    word_weights: tuple[_native.WordWeights, ...] | None = bound()

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=0.014, power=2)

    def __post_init__(self) -> None:
        for name, parse in _PARSERS.items():  # a name is enough
            if isinstance(given := getattr(self, name), str):
                object.__setattr__(self, name, parse(given))
        object.__setattr__(self, "tokenizer", told(self.tokenizer, punctuation=self.punctuation))
        self._check_choice("types", self.types, TEXT_TYPES)
        self._check_choice("strategies", self.strategies, ("ngram", *GAPS))
        for name, least in (("order", 1), ("recall_order", 1), ("short_word", 0)):
            if getattr(self, name) < least:
                raise OptionError(
                    f"{self.name}: found {name}={getattr(self, name)}, expected at least {least}"
                )
        if self.skip_limit is not None and self.skip_limit < 0:
            raise OptionError(
                f"{self.name}: found skip_limit={self.skip_limit}, expected 0 or more, or none"
            )
        for one in self.options:
            value = getattr(self, one.name)
            if one.tunable and not (np.isfinite(value) and value >= 0):
                raise OptionError(
                    f"{self.name}: found {one.name}={value}, expected a finite number, 0 or more"
                )
        if self.alpha > 1 or self.theta1 + self.theta2 > 1 + 1e-12:
            raise OptionError(
                f"{self.name}: found alpha={self.alpha}, theta1={self.theta1}, "
                f"theta2={self.theta2}, expected alpha and theta1 + theta2 at most 1"
            )

    def _check_choice(
        self, name: str, chosen: tuple[object, ...], known: Collection[object]
    ) -> None:
        if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(known):
            raise OptionError(
                f"{self.name}: found {name}={'+'.join(map(str, chosen))}, expected some of "
                f"{', '.join(map(str, known))}, each once"
            )

    @property
    def needs_fit(self) -> bool:
        """Whether words are weighed by all references."""
        return self.tfidf != "none"

    @property
    def layout(self) -> Layout:
        """Where the statistics of a text type stand in its part of a row."""
        return Layout(
            order=self.order,
            counted=max(self.order, self.recall_order, 2),  # the chunk penalty needs bigrams
            gaps=tuple(gap for gap in GAPS if gap in self.strategies),
            weighted=self.needs_fit,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{number}:{name}" for number in self.types for name in self.layout.columns)

    def fit(self, references: AnyReferences) -> Self:
        if not self.needs_fit:
            return self
        prepared = self._prepared(References.of(references))
        return replace(self, word_weights=tuple(map(_native.WordWeights, prepared)))

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        fitted = self if self.word_weights else self.fit(shared)
        layout = self.layout
        parts = [
            _native.amber_statistics(
                text,
                prepared,
                order=layout.order,
                counted=layout.counted,
                strategies=layout.gaps,
                skip_limit=self.skip_limit,
                weights=weights,
            )
            for text, prepared, weights in zip(
                self._adapted(texts, shared),
                self._prepared(shared),
                fitted.word_weights or [None] * len(self.types),
                strict=True,
            )
        ]
        return np.concatenate(parts, axis=1)

    def pair_statistics(self, hypotheses: Texts, references: Texts) -> Rows | None:
        """A row for each pair, by hypothesis and then by reference.

        None with synonyms or paraphrases, for which each pair has a hypothesis of its own.
        """
        if self.paraphrases or self.synonyms.name != NONE:
            return None
        layout = self.layout
        weights = self.word_weights or [None] * len(self.types)
        parts = [
            _native.amber_pairs(
                text,
                prepared,
                order=layout.order,
                counted=layout.counted,
                strategies=layout.gaps,
                skip_limit=self.skip_limit,
                weights=weight,
            )
            for text, prepared, weight in zip(
                self._typed(hypotheses), self._build((references,)), weights, strict=True
            )
        ]
        return np.concatenate(parts, axis=1)

    def signature(self, references: str | int = 1) -> str:
        """The identity, with the checksum of the synonyms found here."""
        known = replace(self, synonyms=self.synonyms.pinned(), word_weights=None)
        return Metric.signature(known, references)

    def _adapted(self, texts: Texts, references: References) -> list[Texts]:
        """The hypotheses of each text type, in the words of their references as far as asked."""
        words = normalised_texts(texts, self.tokenizer)
        if self.paraphrases or self.synonyms.name != NONE:
            table, columns = references.prepared(
                ("amber-matching", self.tokenizer, self.paraphrases), self._matching
            )
            tables = SubstitutionTables(paraphrases=table, synonyms=self.synonyms.function())
            words = tables.adapted(words, columns)
        return typed_texts(texts, words, self.types, short_word=self.short_word)

    def _matching(self, columns: tuple[Texts, ...]) -> tuple[Paraphrases, list[Texts]]:
        """The paraphrases that concern the references, and the references in words."""
        words = [normalised_texts(column, self.tokenizer) for column in columns]
        if self.paraphrases is None:
            return NO_PARAPHRASES, words
        sentences = (text.split() for column in words for text in column.to_list() if text)
        return read_paraphrases(self.paraphrases.path, sentences, lowercase=True), words

    def _prepared(self, references: References) -> list[_native.AmberReferences]:
        """The references of each text type, made once and kept."""
        key = ("amber", self.types, self.tokenizer, self.short_word, self.stop_words)
        return references.prepared(key, self._build)

    def _build(self, columns: tuple[Texts, ...]) -> list[_native.AmberReferences]:
        stop_words = None
        if self.stop_words:
            listed = read_words(self.stop_words.path)
            stop_words = sorted({*listed, *map(str.lower, listed)})
        by_type = zip(*map(self._typed, columns), strict=True)
        return [
            _native.AmberReferences(list(texts), self.short_word, stop_words) for texts in by_type
        ]

    def _typed(self, texts: Texts) -> list[Texts]:
        words = normalised_texts(texts, self.tokenizer)
        return typed_texts(texts, words, self.types, short_word=self.short_word)

    def score(self, rows: Rows) -> Scores:
        return 100 * mean_of(self.runs(rows))

    def runs(self, rows: Rows) -> list[TypeBreakdown]:
        """Every text type, without and with tf-idf as asked for; AMBER is their mean."""
        rows = np.asarray(rows, dtype=np.float64)
        layout = self.layout
        mixture = Mixture(
            order=self.order,
            recall_order=self.recall_order,
            alpha=self.alpha,
            theta1=self.theta1,
            theta2=self.theta2,
        )
        shape = PenaltyShape(
            order=self.order,
            ckp_beta=self.ckp_beta,
            ckp_gamma=self.ckp_gamma,
            spearman=self.spearman,
            continuity=self.continuity,
        )
        weightings: tuple[Weighting, ...] = ("none", "tf-idf")
        runs = []
        parts = np.split(rows, len(self.types), axis=-1)
        for number, part in zip(self.types, parts, strict=True):
            counts = layout.counts(part)
            values = penalties(counts, shape)
            penalty = np.prod([values[name] ** getattr(self, name) for name in PENALTIES], axis=0)
            for weighting in weightings:
                if weighting not in self.tfidf.split("+"):
                    continue
                qualities = quality(counts, self.strategies, weighting, mixture)
                runs.append(
                    TypeBreakdown(
                        text_type=number,
                        weighting=weighting,
                        quality=qualities,
                        penalties=values,
                        penalty=penalty,
                        value=np.minimum(qualities.score * penalty, 1.0),
                        seen=counts["segments"] > 0,
                    )
                )
        return runs

    def breakdown(self, row: Rows) -> Breakdown:
        """What the score of one row, or sum of rows, is made of."""
        return Breakdown.of(self.runs(row), {name: getattr(self, name) for name in PENALTIES})

    def components(self, row: Rows) -> tuple[Component, ...]:
        return tuple(part for run in self.breakdown(row).runs for part in run.components())

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        shared = References.of([list(references)])
        adapted = self._adapted(Texts([hypothesis]), shared)
        columns = [self._typed(Texts([text])) for text in references]
        lines = []
        for number, *texts in zip(self.types, adapted, *columns, strict=True):
            words, *others = ((text[0] or "").split() for text in texts)
            lines.append(f"type {number}, {TEXT_TYPES[number]}: {texts[0][0]}")
            for n in range(1, self.order + 1):
                matched, _ = matched_and_missed(words, others, n)
                lines.append(f"{n}-grams matched: {' · '.join(matched) or 'none'}")
        return lines

    def describe(self, row: Rows) -> str:
        return ", ".join(
            f"{run.label} = {100 * run.value:.1f} "
            f"(score {100 * run.score:.1f}, penalty {run.penalty:.3f})"
            for run in self.breakdown(row).runs
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AmberBasic(Amber):
    """AMBER(1): the run on tokenised, lower-cased words alone ("basic preprocessing")."""

    name: ClassVar[str] = "amber-basic"
    title: ClassVar[str] = "AMBER(1)"
    summary: ClassVar[str] = "AMBER on whole words only"

    types: tuple[int, ...] = option((1,), "text types, 0 to 7, that are averaged")

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=0.0045, power=2)
