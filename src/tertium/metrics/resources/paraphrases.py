"""A table of paraphrases, of which a corpus needs only what its references say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.lines import LineCursor
from tertium.text.tokenizers import Lowercase, fold

_EXPECTED: Final = "three lines an entry: probability, phrase, paraphrase"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrases:
    """Phrase → what may stand for it; phrases are words joined by single spaces."""

    of: Mapping[str, frozenset[str]]
    longest: int
    """Words of the longest phrase."""
    longest_other: int
    """Words of the longest paraphrase."""


def read_paraphrases(
    path: str, sentences: Iterable[Sequence[str]], *, lowercase: Lowercase
) -> Paraphrases:
    """The entries of a table that concern these sentences, in both directions.

    The form is that of Meteor's tables: three lines an entry, probability, phrase and
    paraphrase. The probability is not used.
    """
    wanted = _Phrases(sentences)
    paraphrases: dict[str, set[str]] = {}
    for lines in _entries(path):
        first, second = (fold(side, lowercase) for side in (lines[1::3], lines[2::3]))
        # Most entries concern no sentence, and there are millions: what is done for each counts.
        known = wanted.up_to(max(map(str.count, chain(first, second), repeat(" ")), default=-1) + 1)
        for phrase, other in zip(first, second, strict=True):
            if phrase in known and phrase != other:
                paraphrases.setdefault(phrase, set()).add(other)
            if other in known and phrase != other:
                paraphrases.setdefault(other, set()).add(phrase)
    return Paraphrases(
        of={phrase: frozenset(others) for phrase, others in paraphrases.items()},
        longest=max(map(size, paraphrases), default=0),
        longest_other=max(
            (size(other) for others in paraphrases.values() for other in others), default=0
        ),
    )


class _Phrases:
    """The phrases of some sentences, made up to the length that is asked for."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self._sentences = list(sentences)
        self._longest = max(map(len, self._sentences), default=0)
        self._known: set[str] = set()
        self._length = 0

    def up_to(self, length: int) -> AbstractSet[str]:
        """All phrases of so many words or fewer, and perhaps longer ones."""
        while self._length < min(length, self._longest):
            self._length += 1
            for words in self._sentences:
                self._known.update(phrases(words, self._length))
        return self._known


def size(phrase: str) -> int:
    """The number of words."""
    return phrase.count(" ") + 1


def phrases(words: Sequence[str], length: int) -> Iterator[str]:
    """The phrases of so many words, from left to right."""
    for start in range(len(words) - length + 1):
        yield " ".join(words[start : start + length])


def _entries(path: str) -> Iterator[list[str]]:
    """The lines of whole entries, some thousands at a time."""
    rest: list[str] = []
    number = 1
    with closing(LineCursor(TextFile.find(path))) as cursor:
        while len(texts := cursor.take_some()):
            lines = rest + [line or "" for line in texts.to_list()]
            whole = len(lines) - len(lines) % 3
            rest = lines[whole:]
            del lines[whole:]
            _check(path, number, lines)
            yield lines
            number += whole
    if rest:
        raise InputError(
            f"{path}:{number}: found {counted(len(rest), 'line')}, expected {_EXPECTED}"
        )


def _check(path: str, number: int, lines: list[str]) -> None:
    try:
        for _ in map(float, lines[::3]):
            pass
    except ValueError as error:
        start = next(index for index in range(0, len(lines), 3) if not _is_number(lines[index]))
        raise InputError(
            f"{path}:{number + start}: found '{lines[start]}', expected {_EXPECTED}"
        ) from error
    if not all(lines):
        start = lines.index("")
        raise InputError(f"{path}:{number + start}: found no phrase, expected {_EXPECTED}")


def _is_number(text: str) -> bool:
    return decimal(text) is not None
