"""Plain text as a stream of lines in bounded memory, without a Python string for any line."""

from collections.abc import Iterator
from contextlib import closing

from tertium._native import Texts, concatenate, split_lines
from tertium.errors import InputError
from tertium.text.files import BLOCK, TextFile

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")

LONGEST = 1 << 28
"""Bytes of a line that can be a segment; a small compressed file may hold one that fills memory."""


class LineCursor:
    """A place in a file from which lines are taken as native columns.

    A byte-order mark at the start stays part of the first line, because sacreBLEU scores it
    so: a file has the same score here as there.
    """

    __slots__ = (
        "_ended",
        "_name",
        "_numbered",
        "_piece",
        "_rest",
        "_rewinds",
        "_stream",
        "_used",
    )

    def __init__(self, file: TextFile) -> None:
        self._name = file.name
        self._stream = file.open()
        self._rewinds = not file.compression
        self._piece = Texts([])  # lines that were split, of which `_used` are taken
        self._used = 0
        self._rest = b""  # the unfinished line at the end of the last block
        self._numbered = 0  # lines split so far
        self._ended = False

    def take(self, count: int) -> Texts:
        """The next lines; fewer than ``count`` only at the end of the file."""
        parts: list[Texts] = []
        while count > 0 and self._fill():
            size = min(count, len(self._piece) - self._used)
            whole = size == len(self._piece)
            stop = self._used + size
            parts.append(self._piece if whole else self._piece.take(slice(self._used, stop)))
            self._used = stop
            count -= size
        return parts[0] if len(parts) == 1 else concatenate(parts)

    def take_some(self) -> Texts:
        """Some next lines, as many as come cheaply; none at the end of the file."""
        return self.take(len(self._piece) - self._used) if self._fill() else Texts([])

    def count_rest(self) -> int:
        """How many lines are left after those taken; they are counted, not checked."""
        count = len(self._piece) - self._used
        last = b"\n"
        while not self._ended:
            block = self._rest + self._stream.read(BLOCK)
            self._rest = b""
            self._ended = not block
            count += block.count(b"\n")
            last = block[-1:] or last
        return count + (last != b"\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _fill(self) -> bool:
        """Split the next block if all lines are taken; say whether there are lines."""
        while self._used == len(self._piece) and not self._ended:
            self._piece, self._used = self._split_block(), 0
        return self._used < len(self._piece)

    def _split_block(self) -> Texts:
        block, size = self._rest, BLOCK
        while True:
            fresh = self._stream.read(size)
            block = block + fresh if block else fresh
            # Of a compressed file a short read does not promise the end, an empty one does.
            self._ended = len(fresh) < size if self._rewinds else not fresh
            texts, consumed, bad = split_lines(block, self._ended)
            if bad >= 0:
                if not self._numbered and block.startswith(UTF_16_MARKS):
                    raise InputError(
                        f"{self._name}: UTF-16, as PowerShell writes it, expected UTF-8 text; "
                        "'iconv -f UTF-16 -t UTF-8' makes it"
                    )
                raise InputError(
                    f"{self._name}:{self._numbered + bad + 1}: invalid UTF-8, expected UTF-8 text"
                )
            if consumed or self._ended:
                break
            if len(block) > LONGEST:
                raise InputError(
                    f"{self._name}:{self._numbered + 1}: a line of more than {LONGEST >> 20} MiB, "
                    "expected segments"
                )
            size = max(size, len(block))  # a long line: doubling keeps the cost linear
        self._numbered += len(texts)
        self._rest = b""
        if self._rewinds and consumed < len(block):
            # Reading the unfinished line again is cheaper than copying the whole next block.
            self._stream.back(len(block) - consumed)
        else:
            self._rest = block[consumed:]
        return texts


def numbered_lines(file: TextFile) -> Iterator[tuple[int, str]]:
    """Every line as a string with its number, for formats that need strings.

    There a byte-order mark would be part of a name or a mark-up sign, so it is dropped.
    """
    number = 0
    with closing(LineCursor(file)) as cursor:
        while len(texts := cursor.take_some()):
            for line in texts.to_list():
                number += 1
                text = line or ""
                yield number, text.removeprefix("\ufeff") if number == 1 else text
