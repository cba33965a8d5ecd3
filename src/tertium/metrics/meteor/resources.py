"""The resources of one METEOR: their names in the signature, opened tables, words looked up."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, Final, Literal

from tertium import _native
from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.meteor.languages import Language, Stage
from tertium.metrics.meteor.presets import Stemmer
from tertium.metrics.meteor.stems import meteor_stems
from tertium.metrics.meteor.table_cache import (
    Resources,
    cache_folder,
    open_lexicon,
    open_paraphrases,
)


@dataclass(frozen=True, slots=True)
class ResourceNames:
    """What may be used: ``any``, ``none``, or names joined by +, perhaps with checksums.

    A checksum (``paraphrase-en.gz@1a2b3c4d``) must be that of what is found; it does not make
    a different metric, since with other tables there is none at all.

    >>> str(ResourceNames.parse("PyStemmer@2.2.0.3+meteor-1.5.jar"))
    'PyStemmer@2.2.0.3+meteor-1.5.jar'
    """

    EXPECTED: ClassVar[str] = "any, none or names joined by +"

    names: tuple[str, ...] | None = None
    checksums: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, text: str) -> "ResourceNames":
        """Read what ``str`` writes."""
        if text == "any":
            return cls()
        if text == "none":
            return cls(())
        pairs = [
            part.rpartition("@") if "@" in part else (part, "", "") for part in text.split("+")
        ]
        return cls(tuple(name for name, _, _ in pairs), tuple(check for _, _, check in pairs))

    def __str__(self) -> str:
        if self.names is None:
            return "any"
        parts = (f"{name}@{self.checksum(name)}".removesuffix("@") for name in self.names)
        return "+".join(parts) or "none"

    def checksum(self, name: str) -> str:
        """The checksum given for a name, or nothing."""
        pairs = dict(zip(self.names or (), self.checksums, strict=False))
        return pairs.get(name, "")

    def within(self, names: tuple[str, ...]) -> "ResourceNames":
        """Only these names, with their checksums."""
        return ResourceNames(names, tuple(map(self.checksum, names)))


ANY: Final = ResourceNames()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How text becomes words, and what is looked up for each of them."""

    language: Language
    function_words: Language
    stages: tuple[Stage, ...]
    stemmer: Stemmer
    normalize: Literal["yes", "lower", "no"]
    keep_punctuation: bool


def opened(reading: Reading, found: Resources) -> "Tables":
    """The tables of some resources, the same ones again as long as their files are the same."""
    return _opened(reading, found, found.state, cache_folder())


@lru_cache(maxsize=8)
def _opened(reading: Reading, found: Resources, *_: object) -> "Tables":
    return Tables(reading, found)


class Tables:
    """Opened tables, and columns of text as words that were looked up in them."""

    def __init__(self, reading: Reading, found: Resources) -> None:
        self._reading = reading
        self.lexicon = (
            open_lexicon(found.jar, reading.language, reading.function_words) if found.jar else None
        )
        self.phrases = open_paraphrases(found.paraphrases) if found.paraphrases else None
        checksums = [found.stemmer] if found.stemmer else []
        checksums += [table.checksum[:8] for table in (self.lexicon, self.phrases) if table]
        self.found = ResourceNames(found.names, tuple(checksums))
        self.key = ("meteor", reading, str(self.found))
        """Two with equal keys read a text in the same way."""

    def check(self, place: str, wanted: ResourceNames) -> None:
        """Raise if other tables were asked for than there are."""
        for name in wanted.names or ():
            expected = wanted.checksum(name)
            if expected and expected != self.found.checksum(name):
                raise OptionError(
                    f"{place}: found {name}@{self.found.checksum(name)}, expected {name}@{expected}"
                )

    def words(
        self, columns: tuple[Texts, ...], base: _native.MeteorWords | None
    ) -> _native.MeteorWords:
        """Columns of text as words, every distinct one looked up once."""
        words = _native.MeteorWords([self._normalized(column) for column in columns], base)
        fresh = words.fresh_words()
        words.learn(
            lowercased=fresh.lower(),
            stems=self._stems(fresh) if "stem" in self._reading.stages else None,
            lexicon=self.lexicon,
            synonyms="synonym" in self._reading.stages,
            phrases=self.phrases,
        )
        return words

    def split(self, text: str) -> list[str]:
        """The words of one text."""
        return _native.tokenize("none", self._normalized(Texts([text])))[0]

    def _stems(self, words: Texts) -> Texts:
        porter = self._reading.stemmer == "porter"  # whose rules are for lower case
        forms = [word or "" for word in (words.lower() if porter else words).to_list()]
        if porter:
            return Texts(_native.porter_stems(forms))
        return Texts(meteor_stems(self._reading.language.name, forms))

    def _normalized(self, column: Texts) -> Texts:
        reading = self._reading
        if reading.normalize == "no":
            return column
        if reading.normalize == "yes" and reading.language.apostrophes:
            column = _native.meteor_normalize(
                column,
                apostrophes=reading.language.apostrophes,
                keep_punctuation=reading.keep_punctuation,
                lexicon=self.lexicon,
            )
        return column.lower()
