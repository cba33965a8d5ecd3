"""IOB tags: from tags of words to entities.

One reading serves IOB1 and IOB2, which differ only in when an entity may begin with I (Tjong
Kim Sang and Veenstra 1999): wherever the word before belongs to no entity of the same type. With
E and S (IOBES) or L and U (BILOU) the last word is marked too, so a missing end can be told.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tertium.errors import InputError

OUTSIDE: Final = "O"
TAG: Final = re.compile(r"O|[BIESLU]-\S.*")


class Tagged(NamedTuple):
    """A word with its tag and the number of its line."""

    line: int
    word: str
    tag: str


def entity_spans(
    name: str, words: Sequence[Tagged], *, closed: bool
) -> Iterator[tuple[int, int, str]]:
    """First word, last word and label of each entity; ``name`` is the file's in an error.

    ``closed`` says that the end of an entity is marked.

    >>> words = [Tagged(1, "New", "I-LOC"), Tagged(2, "York", "I-LOC"), Tagged(3, "!", "O")]
    >>> list(entity_spans("x.conll", words, closed=False))
    [(0, 1, 'LOC')]
    """
    start, label = 0, ""
    for place, (line, _, tag) in enumerate(words):
        kind, _, this = tag.partition("-")
        continues = kind in "IEL" and this == label
        if closed and (bool(label) != (kind in "IEL") or (kind in "IEL" and not continues)):
            expected = f"I-{label} or E-{label}" if label else "O or the beginning of an entity"
            raise InputError(f"{name}:{line}: found tag '{tag}', expected {expected}")
        if label and not continues:
            yield start, place - 1, label
        if not continues:
            start, label = place, this
        if kind in "ESLU":
            yield start, place, label
            label = ""
    if label and closed:
        raise InputError(f"{name}:{words[-1].line}: found no end of {label}, expected E-{label}")
    if label:
        yield start, len(words) - 1, label
