"""Files as streams of bytes: pipes kept, compression undone, damages reported by name."""

import io
import os
import stat
import zlib
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import Any, BinaryIO, NamedTuple, cast

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.text.file_names import compression_of

BLOCK = 1 << 20


IN_MEMORY = 1 << 25
"""Bytes of a pipe from which on they are kept on a disk."""


MOST_AT_ONCE = 1 << 29
"""Bytes that a compressed file may become in memory: a small one may hold what fills it."""


class TextFile(NamedTuple):
    """A file that can be read again and again; what a pipe brings is kept for that.

    ``name`` is what the user called it: it stands at the front of every error.
    """

    name: str
    data: "bytes | Spool | None" = None

    def __repr__(self) -> str:
        return f"TextFile(name={self.name!r})"

    @classmethod
    def find(cls, path: str | PathLike[str]) -> "TextFile":
        """The file at a path, checked to be readable before any work starts.

        A URL such as ``s3://bucket/file`` is read now, by fsspec.
        """
        name = os.fspath(path)
        if is_url(name):
            return cls(name=name, data=_fetched(name))
        try:
            mode = os.stat(name).st_mode
            if stat.S_ISDIR(mode):
                raise InputError(f"{name}: is a directory, expected a file")
            with io.FileIO(name) as stream:
                # Pipes such as <(zcat …) can be read only once.
                return cls(name=name, data=None if stat.S_ISREG(mode) else kept(stream))
        except (OSError, ValueError) as error:
            raise unreadable(name, error) from None

    @property
    def compression(self) -> str:
        """The extension of the compression, or an empty string."""
        return compression_of(self.name)

    def open(self) -> "Stream":
        """A new stream of the decompressed bytes."""
        return Stream(self.name, self.raw())

    def raw(self) -> BinaryIO:
        """A new stream of the bytes as they are."""
        try:
            if isinstance(self.data, Spool):
                return self.data.open()
            return io.FileIO(self.name) if self.data is None else io.BytesIO(self.data)
        except OSError as error:
            raise unreadable(self.name, error) from None

    def read(self) -> bytes:
        """All the decompressed bytes, for formats that are read as a whole."""
        with closing(self.open()) as stream:
            if not self.compression:
                return stream.read(-1)
            blocks: list[bytes] = []
            while block := stream.read(BLOCK):
                blocks.append(block)
                if len(blocks) * BLOCK > MOST_AT_ONCE:
                    raise InputError(
                        f"{self.name}: more than {MOST_AT_ONCE >> 20} MiB when decompressed, "
                        "expected less in a format that is read as a whole"
                    )
            return b"".join(blocks)


def is_url(name: str) -> bool:
    """Whether a file lies in a place that only fsspec can read."""
    return "://" in name


def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL, and what the file is called there."""
    try:
        fsspec = import_module("fsspec")
    except ImportError:
        raise MissingExtraError(
            f"{url}: the package fsspec is missing, expected for URLs: {install_hint('dask')}"
        ) from None
    try:
        system, inner = fsspec.core.url_to_fs(url)
    except (OSError, ValueError, ImportError) as error:
        raise unreadable(url, error) from None
    return system, inner


def _fetched(url: str) -> bytes:
    system, inner = file_system(url)
    try:
        data: bytes = system.cat_file(inner)
    except (OSError, ValueError) as error:
        raise unreadable(url, error) from None
    return data


class Spool:
    """Bytes on a disk, in a file without a name that goes when nobody needs it any more."""

    __slots__ = ("__weakref__", "number")

    def __init__(self, blocks: Iterable[bytes]) -> None:
        tempfile = import_module("tempfile")
        file = tempfile.TemporaryFile(buffering=0)
        import_module("weakref").finalize(self, file.close)
        try:
            for block in blocks:
                while block := block[file.write(block) :]:
                    pass
        except OSError as error:
            raise InputError(
                f"{tempfile.gettempdir()}: {error.strerror or error}, expected room for all that "
                "the pipe brings (TMPDIR names another place)"
            ) from None
        self.number: int = file.fileno()

    def open(self) -> BinaryIO:
        """A new stream of the bytes."""
        return cast("BinaryIO", _SpoolReader(self))


class _SpoolReader(io.RawIOBase):
    """A place of its own in a file that others read at the same time."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool  # which lives as long as somebody reads it
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = os.preadv(self._spool.number, [buffer], self._at)
        self._at += found
        return found

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        starts = (0, self._at, os.fstat(self._spool.number).st_size)
        self._at = starts[whence] + offset
        return self._at

    def tell(self) -> int:
        return self._at


def kept(stream: Any) -> bytes | Spool:
    """All the bytes of a stream that can be read only once: in memory, or on a disk if many."""
    blocks: list[bytes] = []
    size = 0
    while size <= IN_MEMORY and (block := stream.read(BLOCK)):
        blocks.append(block)
        size += len(block)
    if size <= IN_MEMORY:
        return b"".join(blocks)
    return Spool(chain(blocks, iter(lambda: stream.read(BLOCK), b"")))


class Stream:
    """The decompressed bytes of an open file; damage is an error that names the file."""

    __slots__ = ("_damages", "_name", "_raw", "_stream")

    def __init__(self, name: str, raw: BinaryIO) -> None:
        self._name = name
        self._raw = raw
        self._stream: BinaryIO = raw
        self._damages: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        # Imported on use: most files are not compressed, and start-up time is felt.
        match compression_of(name):
            case ".gz":
                self._stream = import_module("gzip").GzipFile(fileobj=raw)
            case ".bz2":
                self._stream = import_module("bz2").BZ2File(raw)
            case ".xz":
                lzma = import_module("lzma")
                self._stream = lzma.LZMAFile(raw)
                self._damages += (lzma.LZMAError,)
            case ".zst":
                zstandard = _zstandard(name, raw)
                self._stream = io.BufferedReader(_ZstandardReader(raw, zstandard), BLOCK)
                self._damages += (zstandard.ZstdError,)

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes (all for −1); none at the end."""
        try:
            return self._stream.read(size)
        except self._damages as error:
            compression = compression_of(self._name)
            if not compression:
                raise unreadable(self._name, error) from None
            found = str(error) or type(error).__name__
            raise InputError(
                f"{self._name}: damaged ({found}), expected a whole {compression} file"
            ) from None

    def back(self, size: int) -> None:
        """Go back, so that the next read repeats the last ``size`` bytes (not compressed)."""
        self._stream.seek(-size, io.SEEK_CUR)

    def close(self) -> None:
        """Close the file as well as what decompresses it."""
        self._stream.close()
        self._raw.close()


class _ZstandardReader(io.RawIOBase):
    """Frames one after the other; unlike the package's own reader it notices a cut file."""

    _STEP = 1 << 14  # compressed bytes at a time, which bounds how much comes out

    def __init__(self, raw: BinaryIO, zstandard: Any) -> None:
        self._raw = raw
        self._zstandard = zstandard
        self._frame: Any = None
        self._fresh = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            self._fresh = self._fresh or self._raw.read(self._STEP)
            if not self._fresh:
                if self._frame is not None:
                    raise EOFError("it ends inside a frame")
                return 0
            if self._frame is None:
                self._frame = self._zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(self._frame.decompress(self._fresh))
            self._fresh = self._frame.unused_data
            if self._frame.eof:
                self._frame = None
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def _zstandard(name: str, raw: BinaryIO) -> Any:
    try:
        return import_module("zstandard")
    except ImportError:
        raw.close()
        raise MissingExtraError(
            f"{name}: the package zstandard is missing, "
            f"expected for .zst files: {install_hint('zst')}"
        ) from None


def unreadable(name: str, error: Exception) -> InputError:
    """What the system said of a file, in one line."""
    found = getattr(error, "strerror", None) or " ".join(str(error).split())
    found = found or type(error).__name__
    return InputError(f"{name}: {found[:1].lower()}{found[1:]}, expected a readable file")
