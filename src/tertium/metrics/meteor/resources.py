"""The resources of one METEOR: their names in the signature, opened tables, words looked up."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import ClassVar, Final, Literal, TypeAlias

from tertium import _native
from tertium._native import Texts
from tertium.errors import OptionError
from tertium.metrics.meteor.presets import Language, Stage, Stemmer
from tertium.metrics.meteor.table_cache import (
    Resources,
    cache_folder,
    open_lexicon,
    open_paraphrases,
)

# Stems as the Snowball stemmers inside Meteor 1.5 make them, by way of the newer PyStemmer.
#
# The program carries Snowball of 2010, PyStemmer 2.2 that of 2021. The newer one knows a few
# endings and letters more. A word that has one of them is stemmed in disguise: letters that the
# old rules treat alike stand in for those that the new rules notice, and are put back afterwards.

Finish: TypeAlias = Callable[[str, str], str]
"""Takes a word and its stem, returns the stem that the program has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRules:
    """What has to be done about one language's words."""

    hidden: tuple[tuple[re.Pattern[str], str], ...] = ()
    """Letters, and those of the same number that stand in for them."""
    finish: Finish | None = None
    finished: re.Pattern[str] = re.compile("")
    """The words that ``finish`` is for."""

    def disguise(self, word: str) -> str:
        """A word of the same length that the new rules take for what the old ones see."""
        for letters, stand_in in self.hidden:
            word = letters.sub(stand_in, word)
        return word

    def restore(self, word: str, disguised: str, stem: str) -> str:
        """The stem of a disguised word with the letters of the word itself."""
        if word != disguised:
            stem = (
                "".join(
                    own if own != other == letter else letter
                    for own, other, letter in zip(word, disguised, stem, strict=False)
                )
                + stem[len(word) :]
            )
        if self.finish and self.finished.search(word):
            return self.finish(word, stem)
        return stem


def meteor_stems(language: str, words: Sequence[str]) -> list[str]:
    """The stems of some words, in a language as Snowball names it."""
    # Every word is new, so the stemmer's own cache would only cost.
    stem = import_module("Stemmer").Stemmer(language, 0).stemWords
    rules = OLD_RULES.get(language)
    if rules is None:
        return list(stem(words))
    if language == "german":  # old and new, this comes before everything else
        words = [word.replace("ß", "ss") for word in words]
    disguised = list(map(rules.disguise, words))
    return list(map(rules.restore, words, disguised, stem(disguised)))


def _french(word: str, stem: str) -> str:
    """-ë is an ending behind gu in the region RV: aiguë, aigu."""
    vowels = "aeiouyâàëéêèïîôûù"
    # What the stemmer takes for consonants: u behind q, u and i between vowels, y beside one.
    word = re.sub(
        f"(?<=q)u|(?<=[{vowels}])[ui](?=[{vowels}])|(?<=[{vowels}])y|y(?=[{vowels}])", "H", word
    )
    start = re.match(f"[{vowels}]{{2}}.|par|col|tap|.[^{vowels}]*[{vowels}]", word)
    inside = start is not None and start.end() <= len(stem) - len("guë")
    return stem[:-1] if stem.endswith("guë") and inside else stem


def _region(word: str, vowels: str, times: int = 1) -> int:
    """Behind the first letter that is no vowel and follows a vowel; R2 where done twice."""
    match = re.match(f"(?:[^{vowels}]*[{vowels}]+[^{vowels}]){{{times}}}", word)
    return match.end() if match else len(word)


def _portuguese(word: str, stem: str) -> str:
    """-logía and -ución are endings of the old rules, as in Spanish."""
    marked = word.replace("ã", "a~").replace("õ", "o~")
    for ending, rest in (("logías?", "log"), ("ución|uciones", "u")):
        match = re.search(f"(?:{ending})$", marked)
        if match and match.start() >= _region(marked, "aeiouáéíóúâêô", 2):
            kept = marked[: match.start()] + rest
            return kept.replace("a~", "ã").replace("o~", "õ")
    return stem


_CONSONANTS: Final = "bcdfghjklmnpqrstvwxz"


def _danish(word: str, stem: str) -> str:
    """Whatever is no vowel is made single at the end, digits and marks included."""
    if stem[-1:] != stem[-2:-1] or stem[-1:] in _CONSONANTS + "aeiouyæåø":
        return stem
    region = max(3, _region(word, "aeiouyæåø"))
    return stem[:-1] if region < len(stem) else stem


def _finnish(word: str, stem: str) -> str:
    """As in Danish, of the last letter that is no vowel; vowels may stand behind it."""
    del word
    head = stem.rstrip("aeiouyäö")
    if len(head) < 2 or head[-1] != head[-2] or head[-1] in _CONSONANTS:
        return stem
    return head[:-1] + stem[len(head) :]


_FINNISH_END: Final = "(?:kin|kaan|kään|ko|kö|han|hän|pa|pä)?$"

OLD_RULES: Final[Mapping[str, OldRules]] = {
    # -nisse loses no more than its -e: ergebnisse, ergebniss.
    "german": OldRules(hidden=((re.compile("n(?=isse[ns]?$)"), "k"),)),
    # ë and ï are vowels of their own, like ô, and not e and i with a mark.
    "french": OldRules(
        hidden=((re.compile("[ëï]"), "ô"),),
        finish=_french,
        finished=re.compile("guë(?:s|ments?)?$"),
    ),
    # ё is no vowel and not е.
    "russian": OldRules(hidden=((re.compile("ё"), "ђ"),)),
    # õ and û mean ő and ű, which themselves are unknown letters.
    "hungarian": OldRules(
        hidden=(
            (re.compile("[őű]"), "ŏ"),
            (re.compile("õ"), "ő"),
            (re.compile("û"), "ű"),
        )
    ),
    # -logia and -ução are no endings, -logía and -ución are.
    "portuguese": OldRules(
        hidden=((re.compile("(?<=lo)g(?=ias?$)"), "b"), (re.compile("(?<=u)ç(?=ão$|ões$)"), "b")),
        finish=_portuguese,
        finished=re.compile("logías?$|ución$|uciones$"),
    ),
    "danish": OldRules(finish=_danish, finished=re.compile(r"(.)\1", re.DOTALL)),
    # A fault of the program: endings that have a condition of their own never match.
    "finnish": OldRules(
        hidden=(
            (re.compile(f"d(?=en{_FINNISH_END})"), "q"),
            (re.compile(f"tt(?=en{_FINNISH_END})"), "qq"),
            (re.compile(f"s(?=(?:ii|ee)n{_FINNISH_END})"), "x"),
        ),
        finish=_finnish,
        finished=re.compile(r"(.)\1", re.DOTALL),
    ),
}


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


def opened(reading: Reading, resources: Resources) -> "Tables":
    """The tables of some resources, the same ones again as long as their files are the same."""
    return _opened(reading, resources, resources.state, cache_folder())


@lru_cache(maxsize=8)
def _opened(reading: Reading, resources: Resources, *_: object) -> "Tables":
    return Tables(reading, resources)


class Tables:
    """Opened tables, and columns of text as words that were looked up in them."""

    def __init__(self, reading: Reading, resources: Resources) -> None:
        self._reading = reading
        self.lexicon = (
            open_lexicon(resources.jar, reading.language, reading.function_words)
            if resources.jar
            else None
        )
        self.phrases = open_paraphrases(resources.paraphrases) if resources.paraphrases else None
        checksums = [resources.stemmer] if resources.stemmer else []
        checksums += [table.checksum[:8] for table in (self.lexicon, self.phrases) if table]
        self.found = ResourceNames(resources.names, tuple(checksums))
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
