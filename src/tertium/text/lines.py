"""Plain text as a stream of lines in bounded memory, without a Python string for any line."""

import sys
from collections.abc import Iterator
from contextlib import closing

from tertium._native import Texts, concatenate, split_lines
from tertium.errors import InputError
from tertium.text.files import BLOCK, TextFile
from tertium.text.memory import LINE, OBJECT, Budget

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

USUAL = 128
"""Bytes of a line of a file that is not known yet."""

SMALLEST, LARGEST = 1 << 16, 1 << 23
"""Bytes of a block, which is a multiple of the smallest."""

LONGEST = 1 << 28
"""Bytes of a line that can be a segment; a small compressed file may hold one that fills memory."""


LONG_LINE = 4
"""Bytes of memory for a byte of a line that is longer than a block."""


class LineCursor:
    """A place in a file from which lines are taken as native columns.

    A byte-order mark at the start stays part of the first line, because sacreBLEU scores it
    so: a file has the same score here as there.
    """

    __slots__ = ("_bytes", "_ended", "_name", "_numbered", "_rest", "_rewinds", "_stream")

    def __init__(self, file: TextFile) -> None:
        self._name = file.name
        self._stream = file.open()
        self._rewinds = self._stream.rewinds
        self._rest = b""  # what is left of the last block, if it cannot be read again
        self._numbered = 0  # lines taken so far
        self._bytes = 0  # of them
        self._ended = False

    def take(self, count: int) -> Texts:
        """The next lines; fewer than ``count`` only at the end of the file."""
        parts: list[Texts] = []
        budget = Budget(self._name, row=LINE, rows="lines")
        while count > 0 and not self._ended:
            before = self._bytes
            # A block of empty lines costs many times its size: one line too many is enough to tell.
            most = min(count, budget.rows_left + 1)
            parts.append(self._split_block(most, self._bytes_of(most)))
            count -= len(parts[-1])
            budget.add(rows=len(parts[-1]), size=self._bytes - before)
        return parts[0] if len(parts) == 1 else concatenate(parts)

    def take_some(self) -> Texts:
        """Some next lines, as many as come cheaply; none at the end of the file."""
        return Texts([]) if self._ended else self._split_block(sys.maxsize, BLOCK)

    def count_rest(self) -> int:
        """How many lines are left after those taken; they are counted, not checked."""
        count = 0
        last = b"\n"
        while not self._ended:
            block = self._rest + self._stream.read(BLOCK)
            self._rest = b""
            self._ended = not block
            count += block.count(b"\n")
            last = block[-1:] or last
        return count + (last != b"\n")

    @property
    def size(self) -> int:
        """Bytes of the lines taken so far."""
        return self._bytes

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _bytes_of(self, count: int) -> int:
        """About as many bytes as so many lines have, so that one block mostly holds them."""
        average = self._bytes / self._numbered if self._numbered else USUAL
        expected = 1.02 * average * min(count, LARGEST)
        # Blocks of the same size are given the same memory again.
        return min(SMALLEST * (2 + int(expected) // SMALLEST), LARGEST)

    def _split_block(self, count: int, size: int) -> Texts:
        block = self._rest
        while True:
            wanted, at_end = size - len(block), False
            if wanted > 0:
                fresh = self._stream.read(wanted)
                block = block + fresh if block else fresh
                # Of a compressed file a short read does not promise the end, an empty one does.
                at_end = len(fresh) < wanted if self._rewinds else not fresh
            texts, consumed, bad = split_lines(block, at_end, count)
            if bad >= 0:
                raise InputError(
                    f"{self._name}:{self._numbered + bad + 1}: invalid UTF-8, expected UTF-8 text"
                )
            if consumed or at_end:
                break
            if len(block) > LONGEST:
                raise InputError(
                    f"{self._name}:{self._numbered + 1}: a line of more than {LONGEST >> 20} MiB, "
                    "expected segments"
                )
            Budget(f"{self._name}:{self._numbered + 1}", byte=LONG_LINE).add(size=len(block))
            size = 2 * max(size, len(block))  # a long line: doubling keeps the cost linear
        self._numbered += len(texts)
        self._bytes += consumed
        left = len(block) - consumed
        self._ended = at_end and not left
        if self._rewinds and left:
            # Reading it again is cheaper than copying the whole next block.
            self._stream.back(left)
        else:
            self._rest = block[consumed:]
        return texts


def numbered_lines(file: TextFile, *, held: bool = True) -> Iterator[tuple[int, str]]:
    """Every line as a string with its number, for formats that need strings.

    There a byte-order mark would be part of a name or a mark-up sign, so it is dropped. Lines that
    are ``held`` by the caller, in one form or another, are counted.
    """
    number = read = 0
    budget = Budget(file.name, row=OBJECT, rows="lines")
    with closing(LineCursor(file)) as cursor:
        while len(texts := cursor.take_some()):
            if held:
                budget.add(rows=len(texts), size=cursor.size - read)
                read = cursor.size
            for line in texts.to_list():
                number += 1
                text = line or ""
                yield number, text.removeprefix("\ufeff") if number == 1 else text
