"""The published parameters of METEOR, by version and by what they were tuned to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tertium.errors import OptionError
from tertium.suggestions import did_you_mean

# What Meteor 1.5 chooses for each language: stages, parameters, weights, names of its files.

Stage: TypeAlias = Literal["exact", "stem", "synonym", "paraphrase"]

STAGES: Final[tuple[Stage, ...]] = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Parameters of the score, and the stages with their weights."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: Mapping[Stage, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """One language of Meteor 1.5."""

    name: str
    """As its tables in the jar and its Snowball stemmer are called."""
    code: str
    """As its paraphrase table is called."""
    setting: Setting
    has_stemmer: bool = True
    apostrophes: Literal["before", "behind", "alone"] | None = None
    """How its tokenizer cuts at apostrophes; None where Meteor has no tokenizer."""


def tuned(alpha: float, beta: float, gamma: float, delta: float, **weights: float) -> Setting:
    """Parameters, and the weights of stages by name."""
    chosen = {stage: weights[stage] for stage in STAGES if stage in weights}
    return Setting(alpha=alpha, beta=beta, gamma=gamma, delta=delta, weights=chosen)


# Denkowski & Lavie 2014 and the defaults of the program: tuned to human rankings …
_ENGLISH = tuned(0.85, 0.2, 0.6, 0.75, exact=1.0, stem=0.6, synonym=0.8, paraphrase=0.6)
_CZECH = tuned(0.95, 0.2, 0.6, 0.8, exact=1.0, paraphrase=0.4)
_FRENCH = tuned(0.9, 1.4, 0.6, 0.65, exact=1.0, stem=0.2, paraphrase=0.4)
_SPANISH = tuned(0.65, 1.3, 0.5, 0.8, exact=1.0, stem=0.8, paraphrase=0.6)
_GERMAN = tuned(0.95, 1.0, 0.55, 0.55, exact=1.0, stem=0.8, paraphrase=0.2)
_RUSSIAN = tuned(0.75, 1.4, 0.7, 0.5, exact=1.0, stem=0.5, paraphrase=0.5)
# … and the same for every language without such data.
_UNTUNED = tuned(0.75, 1.4, 0.7, 0.5, exact=1.0, stem=0.5)
_UNKNOWN = tuned(0.75, 1.4, 0.7, 0.5, exact=1.0)

LANGUAGES: Final = {
    "en": Language(name="english", code="en", setting=_ENGLISH, apostrophes="before"),
    "cz": Language(name="czech", code="cz", setting=_CZECH, has_stemmer=False, apostrophes="alone"),
    "de": Language(name="german", code="de", setting=_GERMAN, apostrophes="alone"),
    "es": Language(name="spanish", code="es", setting=_SPANISH, apostrophes="alone"),
    "fr": Language(name="french", code="fr", setting=_FRENCH, apostrophes="behind"),
    "ru": Language(name="russian", code="ru", setting=_RUSSIAN, apostrophes="alone"),
    "da": Language(name="danish", code="da", setting=_UNTUNED),
    "fi": Language(name="finnish", code="fi", setting=_UNTUNED),
    "hu": Language(name="hungarian", code="hu", setting=_UNTUNED),
    "it": Language(name="italian", code="it", setting=_UNTUNED),
    "nl": Language(name="dutch", code="nl", setting=_UNTUNED),
    "no": Language(name="norwegian", code="no", setting=_UNTUNED),
    "pt": Language(name="portuguese", code="pt", setting=_UNTUNED),
    "ro": Language(name="romanian", code="ro", setting=_UNTUNED),
    "sv": Language(name="swedish", code="se", setting=_UNTUNED),
    "tr": Language(name="turkish", code="tr", setting=_UNTUNED),
    "other": Language(name="other", code="other", setting=_UNKNOWN, has_stemmer=False),
}

ALIASES: Final = {"cs": "cz", "se": "sv", "xx": "other"}
"""Other codes for the same languages; Meteor takes them too."""


Stemmer: TypeAlias = Literal["snowball", "porter"]
Alignment: TypeAlias = Literal["global", "stages"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Preset:
    """How one version of METEOR scores."""

    settings: Mapping[str, Setting]
    """By language."""
    stemmer: Stemmer = "snowball"
    """Of English; the other languages have Snowball's."""
    alignment: Alignment = "stages"

    def setting(self, name: str, language: str) -> Setting:
        """The parameters for a language; an error if there are none."""
        if language not in self.settings:
            raise OptionError(
                f"preset {name}: found language '{language}', expected one of "
                f"{', '.join(self.settings)}"
            )
        return self.settings[language]

    def stemmer_of(self, language: str) -> Stemmer:
        """The stemmer for a language."""
        return self.stemmer if language == "en" else "snowball"


def _old(alpha: float, beta: float, gamma: float, *stages: str) -> Setting:
    """δ = ½ weighs all words alike, as before there were function words."""
    return tuned(alpha, beta, gamma, 0.5, **dict.fromkeys(("exact", *stages), 1.0))


def _english(alpha: float, beta: float, gamma: float) -> Setting:
    return _old(alpha, beta, gamma, "stem", "synonym")


def _every_language(alpha: float, beta: float, gamma: float) -> dict[str, Setting]:
    return dict.fromkeys(LANGUAGES, _english(alpha, beta, gamma))


def _latest(alpha: float, beta: float, gamma: float, delta: float, *weights: float) -> Preset:
    named = dict(zip(("exact", "stem", "synonym", "paraphrase"), weights, strict=True))
    setting = tuned(alpha, beta, gamma, delta, **named)
    return Preset(settings={"en": setting}, alignment="global")


PRESETS: Final[Mapping[str, Preset]] = {
    # Denkowski & Lavie 2011 and 2014; 1.3, 1.4 and 1.5 have the same.
    "1.5": Preset(
        settings={code: language.setting for code, language in LANGUAGES.items()},
        alignment="global",
    ),
    "1.5-adequacy": _latest(0.75, 1.4, 0.45, 0.7, 1.0, 1.0, 0.6, 0.8),
    "1.5-hter": _latest(0.4, 1.5, 0.35, 0.55, 1.0, 0.2, 0.6, 0.8),
    "1.5-tune": _latest(0.5, 1.0, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5),
    # The program of 2009, which had Snowball's stemmers.
    "1.0": Preset(
        settings={
            "en": _english(0.8, 2.5, 0.4),
            "cz": _old(0.8, 0.83, 0.28),
            "fr": _old(0.76, 0.5, 1.0, "stem"),
            "es": _old(0.95, 0.5, 0.75, "stem"),
            "de": _old(0.95, 1.0, 0.98, "stem"),
        }
    ),
    "1.0-ranking": Preset(
        settings={
            "en": _english(0.95, 0.5, 0.5),
            "cz": _old(0.95, 0.5, 0.45),
            "fr": _old(0.9, 0.5, 0.55, "stem"),
            "es": _old(0.9, 0.5, 0.55, "stem"),
            "de": _old(0.9, 3.0, 0.15, "stem"),
        }
    ),
    "1.0-hter": Preset(settings={"en": _english(0.65, 1.8, 0.45)}),
    # Lavie & Agarwal 2007, the setting of Chiang et al. 2008; for every language here.
    "0.6": Preset(settings=_every_language(0.81, 0.83, 0.28), stemmer="porter"),
    # What the program of 2007 has inside.
    "0.6-program": Preset(
        settings={
            "en": _english(0.8, 0.83, 0.28),
            "cz": _old(0.8, 0.83, 0.28),
            "fr": _old(0.76, 0.5, 1.0, "stem"),
            "es": _old(0.95, 0.5, 0.75, "stem"),
            "de": _old(0.95, 1.0, 0.98, "stem"),
        },
        stemmer="porter",
    ),
    # Banerjee & Lavie 2005: 10PR / (R + 9P) and ½ (chunks / matches)³.
    "2005": Preset(settings=_every_language(0.9, 3.0, 0.5), stemmer="porter"),
}


def preset_named(metric: str, name: str) -> Preset:
    """A preset; an unknown name is an error that says what is near."""
    if name not in PRESETS:
        raise OptionError(did_you_mean(f"preset of {metric}", name, PRESETS))
    return PRESETS[name]
