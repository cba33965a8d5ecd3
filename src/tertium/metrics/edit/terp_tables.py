"""What TER-Plus reads: text in its own normalisation, phrase tables, lists of stop words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tertium._native import Texts
from tertium.errors import InputError
from tertium.metrics.resources.paraphrases import phrases
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.numbers.decimals import decimal

_ALONE: Final = re.compile(r"([{-~\[-` -&(-+:-@/])")
_STOP_AT_END: Final = re.compile(r"[ \t\n\x0b\f\r]([^,. \t]+)([.,])[ \t\n\x0b\f\r]")
_DASH: Final = re.compile(r"([0-9])-")
_PUNCTUATION: Final = re.compile(r'[.,?:;!"()]')
_ENTRY: Final = re.compile(r"([0-9.eE-]+)\s+(?:([0-9.eE-]+)\s+)?<p>(.*)</p>\s+<p>(.*)</p>")


def cut_text(text: str, *, normalized: bool, punctuation: bool) -> str:
    """One segment as TERp sees it: like tercom, but a word keeps its inner full stops.

    >>> cut_text("the u.s. can't, it said.", normalized=True, punctuation=True)
    "the u.s. can't , it said ."
    """
    text = " ".join(text.split())
    if normalized:
        text = text.replace("<skipped>", "")
        for mark, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
            text = text.replace(f"&{mark};", character)
        text = _ALONE.sub(r" \1 ", f" {text} ").replace("'s ", " 's ")
        text = _STOP_AT_END.sub(r"\1 \2 ", text)  # at least two other spaces are before it
        text = _DASH.sub(r"\1 - ", text)
    if not punctuation:
        text = _PUNCTUATION.sub("", text)
    return " ".join(text.split())


def cut_texts(texts: Texts, *, case_sensitive: bool, normalized: bool, punctuation: bool) -> Texts:
    """A whole column; missing segments stay missing."""
    folded = texts if case_sensitive else texts.lower()
    return Texts(
        [
            text if text is None else cut_text(text, normalized=normalized, punctuation=punctuation)
            for text in folded.to_list()
        ]
    )


@dataclass(frozen=True, slots=True)
class PhraseEntry:
    """Words of a reference, words of a hypothesis that may stand for them, how probably."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    probability: float


def read_phrases(path: str, sentences: Sequence[Sequence[str]]) -> tuple[PhraseEntry, ...]:
    """The entries of a table whose reference side stands in one of the sentences.

    A line is ``probability <p>reference words</p> <p>hypothesis words</p>``. With two numbers
    the phrase has two entries, both in this direction: TERp's manual says that the second is
    the opposite direction's, but its program, and so its published results, say otherwise.
    """
    known: dict[int, set[str]] = {}
    found = []
    for entry in _entries(path):
        size = len(entry.reference)
        if size not in known:
            known[size] = {one for words in sentences for one in phrases(words, size)}
        if " ".join(entry.reference) in known[size]:
            found.append(entry)
    return tuple(found)


def _entries(path: str) -> Iterator[PhraseEntry]:
    for number, line in numbered_lines(TextFile.find(path)):
        if not line.strip():
            continue
        match = _ENTRY.fullmatch(line.strip())
        if match is None:
            raise InputError(
                f"{path}:{number}: found '{line.strip()}', expected a probability (or two), "
                "<p>reference words</p> and <p>hypothesis words</p>"
            )
        first, second, reference, hypothesis = match.groups()
        sides = tuple(reference.split()), tuple(hypothesis.split())
        if not all(sides) or sides[0] == sides[1]:
            continue  # TERp's manual: such a line says nothing
        for probability in (first, second):
            if probability is not None:
                yield PhraseEntry(*sides, _probability(probability, path, number))


def _probability(text: str, path: str, number: int) -> float:
    value = decimal(text)
    if value is None or value < 0:
        raise InputError(f"{path}:{number}: found '{text}', expected a number of at least 0")
    return value


def read_words(path: str) -> frozenset[str]:
    """The words of a file."""
    return frozenset(
        word for _, line in numbered_lines(TextFile.find(path)) for word in line.split()
    )
