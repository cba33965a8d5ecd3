"""What Meteor 1.5 chooses for each language: stages, parameters, weights, names of its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

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
