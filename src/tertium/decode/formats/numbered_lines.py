"""What the readers share: numbered lines, numbers that are numbers, damages counted or raised."""

import codecs
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from math import isfinite
from typing import Any, Final

import numpy as np

from tertium.decode.structures.arrays import Floats
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.text.decimals import decimal
from tertium.text.files import BLOCK, TextFile
from tertium.text.named_rows import check_json


class Damages:
    """What to do about a structure that cannot be read: an error, or one more in the count.

    ``skip`` says which. ``messages`` are the errors that were not raised, ``segments`` the numbers
    of n-best lists that they were in, as far as these are known. A lattice or forest that cannot
    be read is one damage, however much is wrong with it.
    """

    __slots__ = ("messages", "segments", "skip")

    def __init__(self, *, skip: bool = False) -> None:
        self.skip = skip
        self.messages: list[str] = []
        self.segments: set[int] = set()

    @property
    def count(self) -> int:
        """How much was left out."""
        return len(self.messages)

    @property
    def first(self) -> str:
        """The first error that was not raised; empty if there was none."""
        return self.messages[0] if self.messages else ""

    @property
    def reason(self) -> str:
        """What an error adds that finds nothing: it may be that all of it was damaged."""
        return f" (the first of {self.count} damaged: {self.first})" if self.count else ""

    def add(self, error: InputError, segment: int | None = None) -> None:
        """Raise the error, or count it."""
        if not self.skip:
            raise error
        self.messages.append(str(error))
        if segment is not None:
            self.segments.add(segment)

    def include(self, others: "Damages") -> None:
        """Count those of another read, too."""
        self.messages += others.messages
        self.segments |= others.segments


def numbered_lines(file: TextFile, damages: Damages) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers from 1 on; one that is no text is a damage."""
    for first, lines in line_blocks(file):
        for number, line in enumerate(lines, first):
            if isinstance(line, InputError):
                damages.add(line)
            else:
                yield number, line


def lines_or_errors(file: TextFile) -> Iterator[tuple[int, str | InputError]]:
    """The lines of a file, or what is wrong with them; one block is in memory at a time."""
    for number, lines in line_blocks(file):
        yield from enumerate(lines, number)


def line_blocks(file: TextFile) -> Iterator[tuple[int, "list[str] | list[str | InputError]"]]:
    """The same, many at a time, with the number of the first."""
    number = 1
    with closing(file.open()) as stream:
        rest = b""
        while block := stream.read(BLOCK):
            whole, newline, tail = block.rpartition(b"\n")
            if file.budget is not None:
                file.budget.add(rows=block.count(b"\n"), size=len(block))
            if not newline:
                rest += block
                continue
            lines = _decoded(rest + whole, number, file.name)
            yield number, lines
            number += len(lines)
            rest = tail
        if rest:
            yield number, _decoded(rest, number, file.name)


def _decoded(data: bytes, number: int, name: str) -> "list[str] | list[str | InputError]":
    if number == 1:
        data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return [line for _, line in _decoded_one_by_one(data, number, name)]
    lines = text.split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def _decoded_one_by_one(
    data: bytes, number: int, name: str
) -> Iterator[tuple[int, str | InputError]]:
    for index, line in enumerate(data.split(b"\n"), number):
        try:
            yield index, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            found = f"found byte 0x{line[error.start]:02x}"
            yield index, InputError(f"{name}: line {index}: {found}, expected UTF-8")


def cut(text: str) -> list[str]:
    """The parts between blanks and tabs; other spaces are part of words.

    >>> cut("  a b c ")
    ['a', 'b', 'c']
    """
    parts = text.replace("\t", " ").split(" ")
    return [part for part in parts if part] if "" in parts else parts


def is_one(text: str) -> bool:
    """Whether text is a single part of a line: no blanks, tabs or line breaks in it.

    >>> is_one("a"), is_one("a b"), is_one("")
    (True, False, False)
    """
    return bool(text) and not any(blank in text for blank in " \t\n\r")


def number(text: str) -> float:
    """A finite number in decimal digits, or a ValueError that says what was found.

    >>> number("-1.5e3")
    -1500.0
    """
    value = decimal(text)
    if value is None:
        raise ValueError(f"found {shortened(text)}, expected a finite number")
    return value


def is_number(text: str) -> bool:
    """Whether `number` can read it.

    >>> is_number("-1.5"), is_number("nan"), is_number("1_0")
    (True, False, False)
    """
    return decimal(text) is not None


def whole_number(text: str) -> int:
    """A number from 0 on that 31 bits can hold, in plain digits."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < 2**31):
        raise ValueError(f"found {shortened(text)}, expected a whole number from 0 on")
    return int(text)


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number.

    >>> number_text(-2.0), number_text(0.1)
    ('-2', '0.1')
    """
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def shortened(text: str, longest: int = 40) -> str:
    """Text as an error quotes it: what cannot be printed escaped, the end left out if long."""
    return repr(text if len(text) <= longest else f"{text[: longest - 1]}…")


# Log-probabilities of sampled texts: the model's scores, and a feature to weigh beside others.

LOGPROBS: Final = "logprobs"
"""What the feature is called, for ``tune`` and ``rerank``."""

IMPOSSIBLE: Final = -1e6
"""What −∞ and null are read as: finite, so that it can be weighed, and e to it is 0."""


def log_probability(value: Any, name: str) -> float:
    """A number; null, and −∞ in any of the ways JSON gets it, are `IMPOSSIBLE`."""
    if value is None or (isinstance(value, str) and value.lower() in {"-inf", "-infinity"}):
        return IMPOSSIBLE
    if type(value) not in {int, float}:
        raise ValueError(f"{name}: found {shortened(str(value))}, expected a number or null")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if number == float("-inf"):
        return IMPOSSIBLE
    if not isfinite(number):
        raise ValueError(f"{name}: found {number}, expected a number, -Infinity or null")
    return number


def log_probabilities(values: Sequence[Any], name: str) -> Floats | None:
    """A number for each; None if there is none but null, for then all are as likely."""
    if all(value is None for value in values):
        return None
    return np.array([log_probability(value, name) for value in values], dtype=np.float64)


def with_log_probabilities(nbest: NBest, values: Floats | None) -> NBest:
    """The list with log-probabilities as its first feature, and as its scores if it has none."""
    if values is None:
        return nbest
    return replace(
        nbest,
        feature_names=(LOGPROBS, *nbest.feature_names),
        features=np.column_stack((values, nbest.features)),
        scores=values if nbest.scores is None else nbest.scores,
    )


# JSON objects, one a line, from whoever wrote them.


def read_lists(
    file: TextFile, damages: Damages, made: Callable[[dict[str, Any], int], NBest]
) -> Iterator[NBest]:
    """The list that is made of each object of a file, and of its place among them."""
    place, last = 0, -1
    for line_number, text in numbered_lines(file, damages):
        if not text.strip():
            continue
        try:
            value = made(parsed_object(text), place)
        except (ValueError, InputError) as error:
            # Which one it was can only be told by its neighbour.
            last += 1
            damages.add(InputError(f"{file.name}: line {line_number}: {error}"), last)
        else:
            last = value.segment
            yield value
        place += 1


def parsed_object(text: str) -> dict[str, Any]:
    """The object on a line; a ValueError for anything else, however deep or broken."""
    check_json(text, "the line")
    try:
        value = json.loads(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise ValueError(f"found no JSON ({error}), expected an object") from None
    return as_object(value, "the line")


def as_object(value: Any, name: str) -> dict[str, Any]:
    """The value itself, if it is an object."""
    if isinstance(value, dict):
        return value
    raise ValueError(f"{name}: found {shortened(str(value))}, expected an object")


def as_list(value: Any, name: str) -> list[Any]:
    """The value itself, if it is a list."""
    if isinstance(value, list):
        return value
    raise ValueError(f"{name}: found {shortened(str(value))}, expected a list")
