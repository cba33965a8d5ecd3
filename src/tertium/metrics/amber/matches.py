"""Synonyms and paraphrases in AMBER's matching, as Chen and Kuhn (2011, section 4) propose.

A hypothesis is brought as near to its references as the tables allow; AMBER then sees that text.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.resources.paraphrases import Paraphrases, phrases
from tertium.metrics.resources.synonyms import SynonymFunction
from tertium.text.tokenizers import Tokenizer

# The affix list of AMBER's text type 6: prefixes, roots and suffixes that split words.

SECTIONS: Final = ("prefixes", "roots", "suffixes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Affixes:
    """Word parts: English, and the Greek and Latin ones that English shares with others."""

    prefixes: tuple[str, ...]
    roots: tuple[str, ...]
    suffixes: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Affixes":
        """Read ``[section]`` headings with an entry a line; ``#`` begins a comment.

        >>> lines = ["[prefixes]", "un", "[roots]", "do  # as in redo", "[suffixes]", "ing"]
        >>> Affixes.parse(chr(10).join(lines)).roots
        ('do',)
        """
        sections: dict[str, list[str]] = {name: [] for name in SECTIONS}
        entries: list[str] | None = None
        for number, line in enumerate(text.splitlines(), 1):
            entry = line.partition("#")[0].strip()
            heading = entry.removeprefix("[").removesuffix("]")
            if entry == f"[{heading}]" and heading in sections:
                entries = sections[heading]
            elif entry and (entries is None or entry.startswith("[")):
                raise InputError(
                    f"affix list, line {number}: found '{entry}', "
                    "expected a heading [prefixes], [roots] or [suffixes]"
                )
            elif entry and entries is not None:
                entries.append(entry)
        return cls(**{name: tuple(entries) for name, entries in sections.items()})


def shipped_affixes() -> Affixes:
    """The list that comes with the package."""
    path = files("tertium") / "data" / "affixes.txt"
    return Affixes.parse(path.read_text(encoding="utf-8"))


@cache
def native_affixes() -> _native.AffixList:
    """The shipped list as the native core takes it."""
    affixes = shipped_affixes()
    return _native.AffixList(affixes.prefixes, affixes.roots, affixes.suffixes)


# AMBER's text types (Chen and Kuhn 2011, section 2.5): what one run of it sees as words.

TEXT_TYPES: Final = {
    0: "original",
    1: "normalised",
    2: "first 4 letters",
    3: "last 4 letters",
    4: "first 4 and last 2 letters",
    5: "pieces of 4 letters",
    6: "prefix, root, suffix",
    7: "long words only",
}
"""All but the original are tokenised and lower-cased."""


def normalised_texts(texts: Texts, tokenizer: Tokenizer) -> Texts:
    """The text of type 1, of which the types behind it are made."""
    lower = tokenizer.native_texts(texts, lowercase=True)
    (words,) = _native.amber_texts(lower, tokenizer.native_name, [1], native_affixes(), 0)
    return words


def typed_texts(
    texts: Texts, words: Texts, types: Sequence[int], *, short_word: int
) -> list[Texts]:
    """The text of each type, its words separated by blanks; ``words`` is the text of type 1.

    >>> column = Texts(["The Gangs, recently"])
    >>> words = normalised_texts(column, Tokenizer("13a"))
    >>> for text in typed_texts(column, words, (0, 4), short_word=4):
    ...     print(text[0])
    The Gangs, recently
    the gang gs , rece ly
    """
    original = [number for number in types if number == 0]
    others = [number for number in types if number != 0]
    cut: list[Texts] = []
    if original:
        cut += _native.amber_texts(texts, "none", original, native_affixes(), short_word)
    if others:
        cut += _native.amber_texts(words, "none", others, native_affixes(), short_word)
    by_type = dict(zip([*original, *others], cut, strict=True))
    return [by_type[number] for number in types]


Words: TypeAlias = list[str]

NO_PARAPHRASES: Final = Paraphrases(of={}, longest=0, longest_other=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionTables:
    """What may stand for what."""

    paraphrases: Paraphrases
    synonyms: SynonymFunction

    def adapted(self, hypotheses: Texts, columns: Sequence[Texts]) -> Texts:
        """Hypotheses whose words are separated by blanks, in the words of their references."""
        return Texts(
            [
                None if text is None else " ".join(self._adapted(text.split(), others))
                for text, *others in zip(
                    hypotheses.to_list(), *(column.to_list() for column in columns), strict=True
                )
            ]
        )

    def _adapted(self, words: Words, others: Sequence[str | None]) -> Words:
        references = [text.split() for text in others if text is not None]
        return self._by_synonyms(self._by_paraphrases(words, references), references)

    def _by_paraphrases(self, words: Words, references: Sequence[Words]) -> Words:
        """Phrases that no reference has become listed ones that one has: left first, long first."""
        listed, own = self._listed(references)
        adapted: Words = []
        start = 0
        while start < len(words):
            for length in range(min(self.paraphrases.longest_other, len(words) - start), 0, -1):
                phrase = " ".join(words[start : start + length])
                if phrase in listed and phrase not in own:
                    adapted += listed[phrase].split()
                    start += length
                    break
            else:
                adapted.append(words[start])
                start += 1
        return adapted

    def _listed(self, references: Sequence[Words]) -> tuple[Mapping[str, str], set[str]]:
        """Paraphrase → the first phrase of a reference that it may stand for; all such phrases."""
        listed: dict[str, str] = {}
        own: set[str] = set()
        longest = max(self.paraphrases.longest, self.paraphrases.longest_other)
        for length in range(1, longest + 1):
            for reference in references:
                for phrase in phrases(reference, length):
                    own.add(phrase)
                    for other in sorted(self.paraphrases.of.get(phrase, ())):
                        listed.setdefault(other, phrase)
        return listed, own

    def _by_synonyms(self, words: Words, references: Sequence[Words]) -> Words:
        """Words that no reference has become the first synonym that is still to be said."""
        wanted: Counter[str] = Counter()
        for reference in references:
            wanted |= Counter(reference)
        missing = wanted - Counter(words)
        adapted = list(words)
        for index, word in enumerate(words):
            sets = frozenset() if word in wanted else self.synonyms(word)
            replacement = (
                next(
                    (other for other in missing if missing[other] and sets & self.synonyms(other)),
                    None,
                )
                if sets
                else None
            )
            if replacement is not None:
                adapted[index] = replacement
                missing[replacement] -= 1
        return adapted
