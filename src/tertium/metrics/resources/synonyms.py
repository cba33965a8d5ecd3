"""Synonym sets of words: WordNet as Meteor's tables have it, a file, or none."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.metrics.meteor.presets import LANGUAGES
from tertium.metrics.resources.pinned import File, checked, split_checksum
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

SynonymFunction: TypeAlias = Callable[[str], frozenset[int]]
"""Takes a word, returns the numbers of the synonym sets it belongs to."""

WORDNET: Final = "wordnet"
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """``wordnet`` (from Meteor's tables), ``none``, or a file.

    A file has two lines for every word: the word, and the numbers of its synonym sets. The
    ``checksum``, where given (``wordnet@1a2b3c4d``), must be that of what is found.
    """

    name: str
    checksum: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> "Thesaurus":
        """Read ``name`` or ``name@checksum``."""
        return cls(*split_checksum(text))

    def __str__(self) -> str:
        return self.name + (f"@{self.checksum}" if self.checksum else "")

    def pinned(self) -> "Thesaurus":
        """The same with the checksum of what is found here."""
        return self if self.name == NONE else replace(self, checksum=self._loaded()[0])

    def function(self) -> SynonymFunction:
        """The synonym sets of a word; those without any are synonyms of nothing."""
        return (lambda _: frozenset()) if self.name == NONE else self._loaded()[1]

    def _loaded(self) -> tuple[str, SynonymFunction]:
        if self.name == WORDNET:
            checksum, function = _wordnet()
            return checked("synonyms 'wordnet'", checksum, self.checksum), function
        file = File(self.name, self.checksum)
        return file.checksum, _read(file)


def wordnet_missing() -> str | None:
    """What to install for ``wordnet``, if it is not there."""
    if _meteor_program() is not None:
        return None
    return (
        f"synonyms '{WORDNET}': Meteor's tables are not installed; "
        f"{install_hint('meteor')}, or synonyms={NONE}"
    )


def _meteor_program() -> Path | None:
    from tertium.metrics.meteor.table_cache import find_resources

    return find_resources(LANGUAGES["en"], folder="", paraphrases="").jar


@cache
def _wordnet() -> tuple[str, SynonymFunction]:
    from tertium.metrics.meteor.table_cache import open_lexicon

    program = _meteor_program()
    if program is None:
        raise MissingExtraError(wordnet_missing())
    lexicon = open_lexicon(program, LANGUAGES["en"])
    return lexicon.checksum[:8], cache(lambda word: frozenset(lexicon.synsets(word)))


@cache
def _read(file: File) -> SynonymFunction:
    sets: dict[str, frozenset[int]] = {}
    lines = [line for _, line in numbered_lines(TextFile.find(file.path))]
    if len(lines) % 2:
        raise InputError(
            f"{file.path}: found {counted(len(lines), 'line')}, expected two for every word"
        )
    for number, (word, numbers) in enumerate(zip(lines[::2], lines[1::2], strict=True), 1):
        try:
            sets[word.strip()] = frozenset(map(int, numbers.split()))
        except ValueError:
            raise InputError(
                f"{file.path}:{2 * number}: found '{numbers}', expected numbers of synonym sets"
            ) from None
    return lambda word: sets.get(word, frozenset())
