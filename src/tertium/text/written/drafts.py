"""Files that are complete or not there at all: written under another name, then renamed."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import IO, Final

from tertium.errors import MissingExtraError, TertiumError
from tertium.installation import install_hint
from tertium.text.file_names import compression_of

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
