"""Files that are written: complete or not there at all, or gone on with after a kill."""

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import IO, Any, Final

from tertium.errors import InputError, MissingExtraError, TertiumError
from tertium.installation import install_hint
from tertium.text.files import BLOCK, TextFile, compression_of

STANDARD_OUTPUT: Final = ("-", "/dev/stdout")


@contextmanager
def drafted(path: str | PathLike[str], *, compressed: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose bytes are the file's if nothing is raised; else the file stays what it was.

    ``-`` is standard output; what flows (a pipe, a device) is written as it comes. With
    ``compressed`` the extension of the name is what the bytes are compressed by.
    """
    name = os.fspath(path)
    try:
        with _opened(name) as stream:
            if not compressed or not compression_of(name):
                yield stream
                return
            with _compressing(name, stream) as packed:
                yield packed
    except OSError as error:
        if isinstance(error, BrokenPipeError) or name in STANDARD_OUTPUT:
            raise  # whoever reads has seen enough; or it is for the whole command to say
        found = error.strerror or str(error)
        raise TertiumError(f"{name}: {found}, expected a file to write") from None


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name in STANDARD_OUTPUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if _is_channel(path):
        with path.open("ab") as stream:
            yield stream
        return
    target = path.resolve()  # a link stays a link
    draft = draft_of(target)
    try:
        with draft.open("xb") as stream:
            yield stream
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def draft_of(target: Path) -> Path:
    """A name beside the file's own that nobody has used: a kill leaves drafts behind.

    The number of the process would not do, which is the same each time in a container.
    """
    return target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}")


def _is_channel(path: Path) -> bool:
    """Whether text is to flow there: a pipe, a device, or what ``/dev/fd/3`` points to."""
    return path.absolute().parts[1:2] == ("dev",) or (path.exists() and not path.is_file())


def _compressing(name: str, stream: IO[bytes]) -> IO[bytes]:
    match compression_of(name):
        case ".gz":
            # Without a time and at a quick level: the same text is the same file.
            packed = import_module("gzip").GzipFile("", "wb", 5, stream, mtime=0)
        case ".bz2":
            packed = import_module("bz2").BZ2File(stream, "wb")
        case ".xz":
            packed = import_module("lzma").LZMAFile(stream, "wb")
        case _:
            try:
                zstandard = import_module("zstandard")
            except ImportError:
                raise MissingExtraError(
                    f"{name}: the package zstandard is missing, "
                    f"expected for .zst files: {install_hint('zst')}"
                ) from None
            packed = zstandard.ZstdCompressor().stream_writer(stream, closefd=False)
    return io.BufferedWriter(packed)


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
