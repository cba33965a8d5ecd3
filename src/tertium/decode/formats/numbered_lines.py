"""What the readers share: numbered lines, numbers that are numbers, damages counted or raised."""

import codecs
from collections.abc import Iterator
from contextlib import closing

from tertium.errors import InputError
from tertium.text.files import BLOCK, TextFile
from tertium.text.numbers.decimals import decimal


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
        return [one for _, one in _decoded_one_by_one(data, number, name)]
    lines = text.split("\n")
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def _decoded_one_by_one(
    data: bytes, number: int, name: str
) -> Iterator[tuple[int, str | InputError]]:
    for place, line in enumerate(data.split(b"\n"), number):
        try:
            yield place, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            found = f"found byte 0x{line[error.start]:02x}"
            yield place, InputError(f"{name}: line {place}: {found}, expected UTF-8")


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
    return bool(text) and not any(one in text for one in " \t\n\r")


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
