"""The options of METEOR: what a language decides, what is installed, what fits together."""

from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric, option
from tertium.metrics.contract.options import Option, options_of
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
            able = ", ".join(code for code, one in LANGUAGES.items() if one.apostrophes)
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
        found, wanted = self._installed(), self.resources.names
        if wanted is None:
            return found
        for name in wanted:
            if name not in found.names:
                raise MissingExtraError(
                    f"{self.name}: resource '{name}' for language '{self.language}' was not "
                    f"found; {install_hint('meteor')}"
                )
        return found.only(wanted)

    def _needed(self, found: Resources) -> Resources:
        """What the stages use of it; function words and abbreviations are always used."""
        return replace(
            found,
            stemmer=found.stemmer if self._uses("snowball") else None,
            paraphrases=found.paraphrases if "paraphrase" in self.stages else None,
        )

    def _uses(self, stemmer: Stemmer) -> bool:
        return "stem" in self.stages and self.stemmer == stemmer

    def _possible(self, found: Resources) -> tuple[Stage, ...]:
        able = {
            "exact": True,
            "stem": self.language == "en" if self.stemmer == "porter" else bool(found.stemmer),
            "synonym": found.jar is not None and self.language == "en",
            "paraphrase": found.paraphrases is not None,
        }
        return tuple(stage for stage in STAGES if able[stage])

    def _defaults(self, found: Resources) -> dict[str, object]:
        """What the preset has for the language where nothing is given."""
        preset = preset_named(self.name, self.preset)
        setting = preset.setting(self.preset, self.language)
        possible = self._possible(found)
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
        found = self._installed()
        return {
            **self._defaults(found),
            "resources": ResourceNames(self._needed(found).names),
        }

    @property
    def options(self) -> tuple[Option, ...]:
        derived = self._derived()
        return tuple(
            one._replace(default=derived.get(one.name, one.default))
            for one in options_of(type(self))
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
