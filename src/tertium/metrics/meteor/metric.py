"""METEOR (Banerjee & Lavie 2005; Denkowski & Lavie 2014), equal to Meteor 1.5.

Its options depend on each other: a language decides some, what is installed others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium._native import Texts
from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Component, Metric, Rows, Scores, option, ratio
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.pictures import Match, Picture, counting, of_matches
from tertium.metrics.meteor.presets import (
    ALIASES,
    LANGUAGES,
    PRESETS,
    STAGES,
    Alignment,
    Stage,
    Stemmer,
    preset_named,
)
from tertium.metrics.meteor.resources import ANY, Reading, ResourceNames, Tables, opened
from tertium.metrics.meteor.table_cache import Resources, find_resources
from tertium.suggestions import did_you_mean
from tertium.text.references import AnyReferences, Hypotheses, References, aligned


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorOptions(Metric):
    """Everything that decides a METEOR score.

    Parameters, stages and weights that are not given are those of the preset for the language;
    what is not installed is left out of them. After construction every field has its value.
    """

    language: str = option("en", f"of the texts: {', '.join(LANGUAGES)}")
    preset: str = option("1.5", f"published parameters for what follows: {', '.join(PRESETS)}")
    alpha: float = option(None, "weight of recall", tunable=True)
    beta: float = option(None, "exponent of the fragmentation", tunable=True)
    gamma: float = option(None, "weight of the fragmentation", tunable=True)
    delta: float = option(None, "weight of content words; 0.5 is that of the others", tunable=True)
    stages: tuple[Stage, ...] = option(None, "ways to match, as far as installed", always=True)
    weights: tuple[float, ...] = option(None, "of each stage's matches", tunable=True)
    stemmer: Stemmer = option(None, "Snowball's as in Meteor 1.5, or Porter's (English only)")
    alignment: Alignment = option(
        None, "all stages searched at once as in 1.5, or one after the other as up to 1.0"
    )
    normalize: Literal["yes", "lower", "no"] = option(
        "yes", "tokenise and fold case as Meteor's -norm, fold case only, or neither", key="norm"
    )
    keep_punctuation: bool = option(True, "punctuation marks count as words", key="punct")
    function_words: str = option(
        "en", "language of their list; Meteor 1.5 takes the English one for every language"
    )
    beam: int = option(40, "partial alignments kept in the search")
    folder: str = option("", "where Meteor's files are; in pycocoevalcap if not given", file=True)
    paraphrases: str = option(
        "", "a table of paraphrases; the one in the folder if not given", file=True
    )
    resources: ResourceNames = option(
        ANY, "name@checksum of what is used, joined by +; none; any that is found", always=True
    )

    def __post_init__(self) -> None:
        if isinstance(self.resources, str):
            object.__setattr__(self, "resources", ResourceNames.parse(self.resources))
        for name in ("language", "function_words"):
            code = ALIASES.get(getattr(self, name), getattr(self, name))
            if code not in LANGUAGES:
                raise OptionError(did_you_mean(f"language of {self.name}", code, LANGUAGES))
            object.__setattr__(self, name, code)
        preset = preset_named(self.name, self.preset)
        preset.setting(self.preset, self.language)
        if self.stemmer is None:
            object.__setattr__(self, "stemmer", preset.stemmer_of(self.language))
        if self.alignment is None:
            object.__setattr__(self, "alignment", preset.alignment)
        allowed = self._allowed()
        if self.stages is not None:
            self._check_stages(allowed)
        for name, value in self._defaults(allowed).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        # What the stages do not need is no part of the metric.
        used = self.resources.within(self._needed(allowed).names)
        object.__setattr__(self, "resources", used)
        self._check_values()

    def _check_stages(self, allowed: Resources) -> None:
        known = [stage for stage in STAGES if stage in self.stages]
        if list(self.stages) != known or "exact" not in known:
            raise OptionError(
                f"{self.name}: found stages {'+'.join(self.stages)}, expected exact and some of "
                "stem, synonym, paraphrase, in this order"
            )
        possible = self._possible(allowed)
        for stage in self.stages:
            if stage not in possible:
                raise self._impossible(stage)

    def _impossible(self, stage: Stage) -> OptionError | MissingExtraError:
        language = LANGUAGES[self.language]
        if stage == "synonym" and self.language != "en":
            return OptionError(
                f"{self.name}: found stage 'synonym' for language '{self.language}', expected "
                "language en, the only one with synonyms"
            )
        if stage == "stem" and self.stemmer == "porter":
            return OptionError(
                f"{self.name}: found stemmer=porter for language '{self.language}', expected "
                "snowball: Porter's is for English"
            )
        if stage == "stem" and not language.has_stemmer:
            return OptionError(
                f"{self.name}: found stage 'stem' for language '{self.language}', expected one "
                "with a stemmer"
            )
        needs = {"stem": "a stemmer", "synonym": "a table of synonyms"}
        way = "" if self.language == "en" or stage == "stem" else " or give paraphrases=FILE"
        return MissingExtraError(
            f"{self.name}: stage '{stage}' needs {needs.get(stage, 'a table of paraphrases')} for "
            f"language '{self.language}', found none; {install_hint('meteor')}{way}"
        )

    def _check_weights(self) -> None:
        if len(self.weights) != len(self.stages):
            raise OptionError(
                f"{self.name}: found {len(self.weights)} weights, "
                f"expected {len(self.stages)} (stages {'+'.join(self.stages)})"
            )
        if not all(0 <= weight <= 1 for weight in self.weights) or not any(self.weights):
            raise OptionError(
                f"{self.name}: found weights={'+'.join(map(str, self.weights))}, "
                "expected numbers from 0 to 1, not all 0"
            )

    def _check_values(self) -> None:
        self._check_weights()
        for name in ("alpha", "delta"):
            if not 0 <= getattr(self, name) <= 1:
                raise OptionError(
                    f"{self.name}: found {name}={getattr(self, name)}, expected 0 to 1"
                )
        for name in ("beta", "gamma"):
            if not 0 <= getattr(self, name) < np.inf:
                raise OptionError(
                    f"{self.name}: found {name}={getattr(self, name)}, "
                    "expected a finite number from 0 on"
                )
        if self.alignment == "stages" and "paraphrase" in self.stages:
            raise OptionError(
                f"{self.name}: found stage 'paraphrase' with alignment=stages, expected "
                "alignment=global: the other pairs single words"
            )
        if self.beam < 1:
            raise OptionError(f"{self.name}: found beam={self.beam}, expected at least 1")
        if self.normalize == "yes" and LANGUAGES[self.language].apostrophes is None:
            able = ", ".join(code for code, language in LANGUAGES.items() if language.apostrophes)
            raise OptionError(
                f"{self.name}: found normalize=yes for language '{self.language}', expected "
                f"lower or no (Meteor has tokenizers for {able})"
            )
        if self.normalize != "yes" and not self.keep_punctuation:
            raise OptionError(
                f"{self.name}: found keep_punctuation=no with normalize={self.normalize}, "
                "expected normalize=yes: its tokenizer removes the punctuation"
            )

    @property
    def case_sensitive(self) -> bool:
        """Whether capitals make another word."""
        return self.normalize == "no"

    def _installed(self) -> Resources:
        language = LANGUAGES[self.language]
        return find_resources(language, folder=self.folder, paraphrases=self.paraphrases)

    def _allowed(self) -> Resources:
        """What is installed, as far as it may be used."""
        installed, wanted = self._installed(), self.resources.names
        if wanted is None:
            return installed
        for name in wanted:
            if name not in installed.names:
                raise MissingExtraError(
                    f"{self.name}: resource '{name}' for language '{self.language}' was not "
                    f"found; {install_hint('meteor')}"
                )
        return installed.only(wanted)

    def _needed(self, resources: Resources) -> Resources:
        """What the stages use of it; function words and abbreviations are always used."""
        return replace(
            resources,
            stemmer=resources.stemmer if self._uses("snowball") else None,
            paraphrases=resources.paraphrases if "paraphrase" in self.stages else None,
        )

    def _uses(self, stemmer: Stemmer) -> bool:
        return "stem" in self.stages and self.stemmer == stemmer

    def _possible(self, resources: Resources) -> tuple[Stage, ...]:
        able = {
            "exact": True,
            "stem": self.language == "en" if self.stemmer == "porter" else bool(resources.stemmer),
            "synonym": resources.jar is not None and self.language == "en",
            "paraphrase": resources.paraphrases is not None,
        }
        return tuple(stage for stage in STAGES if able[stage])

    def _defaults(self, resources: Resources) -> dict[str, object]:
        """What the preset has for the language where nothing is given."""
        preset = preset_named(self.name, self.preset)
        setting = preset.setting(self.preset, self.language)
        possible = self._possible(resources)
        stages = tuple(stage for stage in setting.weights if stage in possible)
        chosen = stages if self.stages is None else self.stages
        return {
            "alpha": setting.alpha,
            "beta": setting.beta,
            "gamma": setting.gamma,
            "delta": setting.delta,
            "stemmer": preset.stemmer_of(self.language),
            "alignment": preset.alignment,
            "stages": stages,
            # A stage that the preset lacks counts half, as for untuned languages.
            "weights": tuple(setting.weights.get(stage, 0.5) for stage in chosen),
        }

    def _derived(self) -> dict[str, object]:
        """The options that follow from the others, with the values they then have."""
        resources = self._installed()
        return {
            **self._defaults(resources),
            "resources": ResourceNames(self._needed(resources).names),
        }

    @property
    def options(self) -> tuple[Option, ...]:
        derived = self._derived()
        return tuple(
            setting._replace(default=derived.get(setting.name, setting.default))
            for setting in options_of(type(self))
        )

    def with_options(self, **changes: object) -> Self:
        # What only followed from the other options follows anew.
        reset: dict[str, object] = {
            name: ANY if name == "resources" else None
            for name, value in self._derived().items()
            if getattr(self, name) == value
        }
        return Metric.with_options(self, **{**reset, **changes})

    def signature(self, references: str | int = 1) -> str:
        pinned = replace(self, resources=self.tables().found)
        return Metric.signature(pinned, references)

    def tables(self) -> Tables:
        """The tables, opened; an error if a checksum was given and is another."""
        reading = Reading(
            language=LANGUAGES[self.language],
            function_words=LANGUAGES[self.function_words],
            stages=self.stages,
            stemmer=self.stemmer,
            normalize=self.normalize,
            keep_punctuation=self.keep_punctuation,
        )
        tables = opened(reading, self._needed(self._allowed()))
        tables.check(self.name, self.resources)
        return tables


_BASIC_COLUMNS: Final = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
    "chunks",
)
_STAGE_COLUMNS: Final = (
    "hypothesis_content",
    "reference_content",
    "hypothesis_function",
    "reference_function",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meteor(MeteorOptions):
    """Fα of aligned words times 1 − γ (chunks / matches)^β, for the best reference.

    Words match as they are, by stem, by synonym and by paraphrase; a match of stage i counts
    wᵢ, a content word δ and a function word 1 − δ. The alignment has the most matches, then
    the fewest chunks of words in the same order. A corpus adds up the best references' counts.
    """

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words aligned by form, stem, synonym, paraphrase"
    citation: ClassVar[str] = "Denkowski & Lavie 2014"

    @property
    def columns(self) -> tuple[str, ...]:
        matches = (f"{stage}_{kind}" for stage in self.stages for kind in _STAGE_COLUMNS)
        return (*_BASIC_COLUMNS, *matches, "unread")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        tables = self.tables()
        prepared = shared.prepared(tables.key, partial(tables.words, base=None))
        kernel = partial(_native.meteor_statistics, by_stage=self.alignment == "stages")
        rows = self._rows(kernel, texts, prepared, tables)
        return np.column_stack([rows, _unread(rows, texts, shared)])

    def pair_statistics(self, hypotheses: Texts, references: Texts) -> Rows:
        """A row for every hypothesis against every reference, by hypothesis.

        Only the search for all stages at once has a kernel over pairs.
        """
        tables = self.tables()
        prepared = tables.words((references,), base=None)
        rows = self._rows(_native.meteor_pairs, hypotheses, prepared, tables)
        blank = np.logical_and.outer(_blank(hypotheses), _blank(references)).reshape(-1)
        return np.column_stack([rows, ~rows[:, :2].any(axis=1) & ~blank])

    def _rows(
        self,
        kernel: Callable[..., Rows],
        hypotheses: Texts,
        references: _native.MeteorWords,
        tables: Tables,
    ) -> Rows:
        return kernel(
            tables.words((hypotheses,), base=references),
            references,
            stages=list(self.stages),
            weights=list(self.weights),
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            delta=self.delta,
            beam=self.beam,
            phrases=tables.phrases,
        )

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        nothing = (rows[..., 0] == 0) & (rows[..., 1] == 0) & (rows[..., -1] == 0)
        quality = self.mean(rows) * (1 - self.penalty(rows))
        return np.where(nothing, 100.0, 100.0 * np.maximum(quality, 0.0))

    def mean(self, rows: Rows) -> Scores:
        """Fα = P·R / (α·P + (1 − α)·R)."""
        precision, recall = self.rates(rows)
        return ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall)

    def rates(self, rows: Rows) -> tuple[Scores, Scores]:
        """Precision and recall of weighted words."""
        return self._rate(rows, 0), self._rate(rows, 1)

    def _rate(self, rows: Rows, side: int) -> Scores:
        function_words = rows[..., 2 + side]
        content_words = rows[..., side] - function_words
        length = self.delta * content_words + (1 - self.delta) * function_words
        weights = np.array(self.weights)
        content = (rows[..., 5 + side : -1 : 4] * weights * self.delta).sum(axis=-1)
        function = (rows[..., 7 + side : -1 : 4] * weights * (1 - self.delta)).sum(axis=-1)
        return ratio(content + function, length)

    def penalty(self, rows: Rows) -> Scores:
        """γ (chunks / matches)^β; no chunk is counted for a text that is wholly one."""
        matches = rows[..., 5:-1].sum(axis=-1) / 2
        return np.asarray(self.gamma * ratio(rows[..., 4], matches) ** self.beta)

    def components(self, row: Rows) -> tuple[Component, ...]:
        precision, recall = (float(rate) for rate in self.rates(row))
        matched = row[5:-1].reshape(len(self.stages), 4)
        return (
            Component("precision", 100 * precision, f"{row[0]:.0f} words"),
            Component("recall", 100 * recall, f"{row[1]:.0f} reference words"),
            Component("F mean", 100 * float(self.mean(row)), f"α = {self.alpha:g}"),
            Component("fragmentation penalty", float(self.penalty(row)), f"{row[4]:.0f} chunks"),
            *(
                Component(
                    f"{stage} matches",
                    float(counts[0] + counts[2]),
                    f"weight {weight:g}, {counts[0]:.0f} content, {counts[2]:.0f} function words",
                )
                for stage, weight, counts in zip(self.stages, self.weights, matched, strict=True)
            ),
        )

    def pictures(self, hypothesis: str, references: Sequence[str]) -> tuple[Picture, ...]:
        tables = self.tables()
        words = tables.split(hypothesis)
        laid_out = [
            of_matches(words, tables.split(reference), matches)
            for reference, (_, matches) in zip(
                references, self._alignments(tables, hypothesis, references), strict=True
            )
        ]
        if len(laid_out) == 1:
            return counting(laid_out, [0.0])
        scores = self.score(
            self.statistics(
                [hypothesis] * len(references), [[reference] for reference in references]
            )
        )
        return counting(laid_out, (-scores).tolist())

    def _alignments(
        self, tables: Tables, hypothesis: str, references: Sequence[str]
    ) -> list[tuple[int, list[Match]]]:
        """For each reference the chunks and matches (stage, start, length, place, width)."""
        columns = tuple(Texts([text]) for text in references)
        base = tables.words(columns, base=None)
        return _native.meteor_alignments(
            tables.words((Texts([hypothesis]),), base=base),
            base,
            0,
            stages=list(self.stages),
            beam=self.beam,
            by_stage=self.alignment == "stages",
            phrases=tables.phrases,
        )

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        tables = self.tables()
        alignments = self._alignments(tables, hypothesis, references)
        words = tables.split(hypothesis)
        lines = []
        for reference, (chunks, matches) in zip(references, alignments, strict=True):
            others = tables.split(reference)
            lines.append(f"{chunks} chunks with: {reference}")
            for stage, start, length, place, width in sorted(matches, key=lambda match: match[1]):
                ours = " ".join(words[start : start + length])
                theirs = " ".join(others[place : place + width])
                lines.append(f"  {stage:<10} {start + 1}–{place + 1}  {ours} | {theirs}")
        return lines

    def describe(self, row: Rows) -> str:
        precision, recall = self.rates(row)
        return (
            f"(P = {precision:.3f} R = {recall:.3f} F = {self.mean(row):.3f} "
            f"penalty = {self.penalty(row):.3f} chunks = {row[4]:.0f} "
            f"hyp_len = {row[0]:.0f} ref_len = {row[1]:.0f})"
        )


def _blank(texts: Texts) -> NDArray[np.bool_]:
    return np.array([not (text or "").strip() for text in texts.to_list()], dtype=np.bool_)


def _unread(rows: Rows, texts: Texts, references: References) -> Rows:
    """1 where a segment has text but no word of it was counted; that scores 0, as in the jar."""
    unread = np.zeros(len(rows))
    for i in np.flatnonzero(~rows[:, :2].any(axis=1)).tolist():
        unread[i] = any((text or "").strip() for text in (texts[i], *references.of_segment(i)))
    return unread


@dataclass(frozen=True, slots=True, kw_only=True)
class Meteor06(Meteor):
    """METEOR 0.6 as Chiang et al. (2008) used it: exact, Porter stem, synonym, one after the other.

    All words and all matches are worth the same.
    """

    name: ClassVar[str] = "meteor-0.6"
    title: ClassVar[str] = "METEOR-0.6"
    summary: ClassVar[str] = "METEOR as in version 0.6: Porter stems, matched stage by stage"
    citation: ClassVar[str] = "Lavie & Agarwal 2007"

    preset: str = option("0.6", f"published parameters for what follows: {', '.join(PRESETS)}")
