"""The published parameters of METEOR, by version and by what they were tuned to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tertium.errors import OptionError
from tertium.metrics.meteor.languages import LANGUAGES, Setting, tuned
from tertium.suggestions import did_you_mean

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
        settings={code: one.setting for code, one in LANGUAGES.items()}, alignment="global"
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
