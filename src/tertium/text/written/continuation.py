"""Files of lines that a run which was ended midway can go on with."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import IO, Any, Final

from tertium.errors import InputError, TertiumError
from tertium.text.files import BLOCK, TextFile
from tertium.text.written.drafts import drafted

EVERY: Final = 0.5
"""Seconds after which finished lines are given to the system, where no kill can reach them."""


def fingerprint(file: TextFile) -> str:
    """What tells a file from others, quickly: its size and the start of its bytes."""
    with file.raw() as raw:
        size = raw.seek(0, os.SEEK_END)
        raw.seek(0)
        return f"{size} bytes, {sha256(raw.read(BLOCK)).hexdigest()[:16]}"


class Continuation:
    """Lines on their way into a file; ``lines`` are there from a run before."""

    def __init__(self, stream: IO[bytes], lines: int) -> None:
        self.lines = lines
        self._stream = stream

    def write(self, lines: Iterable[str]) -> None:
        """Add lines, each with its end."""
        told = monotonic()
        for line in lines:
            self._stream.write(line.encode("utf-8", "backslashreplace"))
            if monotonic() - told > EVERY:
                self._stream.flush()
                told = monotonic()


@contextmanager
def continued(
    path: str | PathLike[str], identity: Mapping[str, Any]
) -> Iterator[Continuation | None]:
    """A file whose finished lines outlive whatever ends the run; ``None`` if it is complete.

    They are in ``PATH.part`` until the context ends without an error, and ``PATH.part.json`` says
    by what ``identity`` they were made: text and numbers of JSON, which a run that goes on must
    have in common with the one before. A line that was cut is made again.
    """
    target = Path(path).resolve()  # a link stays a link
    part = target.with_name(f"{target.name}.part")
    note = target.with_name(f"{target.name}.part.json")
    said = json.loads(json.dumps(identity))
    try:
        before = _noted(note)
        if before is not None:
            _check_same(str(path), before, said)
            if not part.exists():  # it was ended after the last step but one
                note.unlink()
                yield None
                return
        elif part.exists() and part.stat().st_size:
            found = f"found {part.name} without {note.name}"
            raise InputError(f"{path}: {found}, expected both or neither to go on with")
        with part.open("ab+") as stream:
            _lock(stream, part)
            if before is None:
                with drafted(note) as file:
                    file.write(json.dumps(said, ensure_ascii=False, indent=1).encode())
            yield Continuation(stream, _whole_lines(stream))
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
        note.unlink()
    except OSError as error:
        found = error.strerror or str(error)
        raise TertiumError(f"{path}: {found}, expected a file to write") from None


def _noted(note: Path) -> dict[str, Any] | None:
    if not note.exists():
        return None
    try:
        found = json.loads(note.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{note}: found no object of JSON, expected what a run before wrote")
    return found


def _check_same(path: str, known: dict[str, Any], now: dict[str, Any]) -> None:
    for key in {**now, **known}:
        if known.get(key) != now.get(key):
            raise InputError(
                f"{path}: {key}: found {_shown(now.get(key))}, expected {_shown(known.get(key))} "
                f"as the run had that is to go on; without {path}.part and {path}.part.json it "
                "begins anew"
            )


def _shown(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _whole_lines(stream: IO[bytes]) -> int:
    """Count the lines that have an end, and cut off one that has none."""
    stream.seek(0)
    lines = size = end = 0
    while block := stream.read(BLOCK):
        lines += block.count(b"\n")
        last = block.rfind(b"\n")
        end = size + last + 1 if last >= 0 else end
        size += len(block)
    stream.truncate(end)
    stream.seek(0, os.SEEK_END)
    return lines


def _lock(stream: IO[bytes], part: Path) -> None:
    """Let nobody else write to the file while it is open, where the system can do that."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise TertiumError(f"{part}: found another run that writes it, expected none") from None
