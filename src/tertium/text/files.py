"""Files as streams of bytes: opened once, pipes held, compression undone, damage named.

The first bytes of a file say how it is compressed and whether it is UTF-16 or UTF-32; both are
undone here, so that every reader sees UTF-8 (or the bytes of a binary format).
"""

import codecs
import io
import os
import stat
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from importlib import import_module
from itertools import chain
from os import PathLike
from typing import Any, BinaryIO, ClassVar, cast

from tertium.errors import InputError, MissingExtraError
from tertium.installation import install_hint
from tertium.text.memory import PARSED, Budget

BLOCK = 1 << 20


IN_MEMORY = 1 << 25
"""Bytes of a pipe from which on they are spooled to a disk."""


SIGNATURES = {
    b"\x1f\x8b\x08": ".gz",
    b"\xfd7zXZ\0": ".xz",
    b"(\xb5/\xfd": ".zst",
    **{b"BZh%d1AY&SY" % level: ".bz2" for level in range(1, 10)},
}
"""How compressed files begin, whatever they are called."""

UNICODE_MARKS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\0?\0": "utf-16-le",
    b"\0<\0?": "utf-16-be",
}
"""Byte-order marks, longest first, and how XML without one begins (its appendix F)."""

SIGNATURE_SIZE = 16

PEEKED = 1 << 16
"""Bytes that tell the format: more than a hundred lines of most texts."""

HELD_OPEN = 64
"""Files that stay open between passes."""

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")


class TextFile:
    """A file that is opened once and gone through many times, by several threads if need be.

    ``name`` is what the user called it: it stands at the front of every error. ``data`` is what a
    pipe or an upload brought; without it the bytes are on disk under that name. What its first
    bytes say (compression, encoding, format) is found out once. Where a reader gives out one
    structure after the other, ``budget`` counts the lines of each.
    """

    __slots__ = ("_beginning", "_descriptor", "_signature", "budget", "data", "format", "name")

    def __init__(
        self, name: str, data: "bytes | Spool | None" = None, budget: Budget | None = None
    ) -> None:
        self.name = name
        self.data = data
        self.budget = budget
        self.format: str | None = None  # what `tertium.text.formats.content` found it to be
        self._descriptor: Descriptor | None = None
        self._signature: bytes | None = None
        self._beginning: bytes | None = None

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
            if not stat.S_ISREG(mode):
                with io.FileIO(name) as stream:
                    # Pipes such as <(zcat …) can be read only once.
                    return cls(name=name, data=kept(stream))
            file = cls(name=name)
            file.raw().close()
        except (OSError, ValueError) as error:
            raise unreadable(name, error) from None
        return file

    def within(self, budget: Budget) -> "TextFile":
        """The same file, whose lines are counted by a budget."""
        file = TextFile(self.name, self.data, budget)
        file.format, file._descriptor = self.format, self._descriptor
        file._signature, file._beginning = self._signature, self._beginning
        return file

    @property
    def compression(self) -> str:
        """The extension of the compression, by content and else by name, or an empty string."""
        return _compression(self.name, self.signature)

    @property
    def signature(self) -> bytes:
        """The first bytes as they are, which tell compression and encoding."""
        if self._signature is None:
            with closing(self.raw()) as raw:
                self._signature = _first_bytes(self.name, raw)
        return self._signature

    @property
    def beginning(self) -> bytes:
        """The first `PEEKED` of the decompressed bytes, which tell the format."""
        if self._beginning is None:
            with closing(self.open()) as stream:
                self._beginning = stream.read(PEEKED)
        return self._beginning

    def open(self) -> "Stream":
        """A new stream of the decompressed bytes."""
        return Stream(self.name, self.raw(), self.signature)

    def raw(self) -> BinaryIO:
        """A new stream of the bytes as they are."""
        try:
            if isinstance(self.data, Spool):
                return self.data.open()
            if self.data is not None:
                return io.BytesIO(self.data)
            if self._descriptor is None and Descriptor.may_be_held():
                self._descriptor = Descriptor(os.open(self.name, os.O_RDONLY | os.O_CLOEXEC))
            return self._descriptor.open() if self._descriptor else io.FileIO(self.name)
        except (OSError, ValueError) as error:
            raise unreadable(self.name, error) from None

    def read(self, *, growth: int = PARSED) -> bytes:
        """All the decompressed bytes, for formats that are read as a whole.

        ``growth`` is how much memory a byte becomes when its format is taken apart.
        """
        budget = Budget(self.name, byte=growth)
        blocks: list[bytes] = []
        with closing(self.open()) as stream:
            while block := stream.read(BLOCK):
                budget.add(size=len(block))
                blocks.append(block)
        return b"".join(blocks)


def compression_of(name: str) -> str:
    """The compression that the last extension names, or an empty string.

    >>> compression_of("ref.en.gz"), compression_of("ref.en")
    ('.gz', '')
    """
    extension = extension_of(name)
    return extension if extension in COMPRESSIONS else ""


def extension_of(name: str) -> str:
    """The last extension, in lower case."""
    return os.path.splitext(name)[1].lower()


def uncompressed_name(name: str) -> str:
    """The name without the extension of a compression."""
    return name[: len(name) - len(compression_of(name))]


def is_pattern(name: str) -> bool:
    """Whether a name has wildcards; what is there by that very name is a file all the same.

    >>> is_pattern("out/*.txt"), is_pattern("out/a.txt")
    (True, False)
    """
    return any(sign in name for sign in "*?[") and not os.path.lexists(name)


def readable(name: str) -> str:
    r"""A file's name as it was written, though Python took a poor locale's word for its bytes.

    >>> readable("\udcc3\udc87elik"), readable("no \udcff UTF-8") == "no \udcff UTF-8"
    ('Çelik', True)
    """
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return name


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


class Descriptor:
    """An open file that several readers share, each with an offset of its own.

    It is closed when nobody reads it any more. Only `HELD_OPEN` files stay open between passes: a
    corpus has few, but a folder of scores may have thousands, and systems allow some hundreds.
    """

    __slots__ = ("number",)

    count: ClassVar[int] = 0

    def __init__(self, number: int) -> None:
        self.number = number
        Descriptor.count += 1

    @staticmethod
    def may_be_held() -> bool:
        """Whether one more file may stay open; Windows cannot read at an offset."""
        return Descriptor.count < HELD_OPEN and hasattr(os, "pread")

    def open(self) -> BinaryIO:
        """A new stream of the bytes."""
        return cast("BinaryIO", _OffsetReader(self))

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        if hasattr(self, "number"):  # else it could not be made
            Descriptor.count -= 1
            close(self.number)


class Spool(Descriptor):
    """Bytes on a disk, in a file without a name that goes when nobody needs it any more."""

    __slots__ = ()

    def __init__(self, blocks: Iterable[bytes]) -> None:
        tempfile = import_module("tempfile")
        try:
            with tempfile.TemporaryFile(buffering=0) as file:
                for block in blocks:
                    while block := block[file.write(block) :]:
                        pass
                super().__init__(os.dup(file.fileno()))
        except OSError as error:
            raise InputError(
                f"{tempfile.gettempdir()}: {error.strerror or error}, expected room for all that "
                "the pipe brings (TMPDIR names another directory)"
            ) from None


class _OffsetReader(io.RawIOBase):
    """An offset of its own in a file that others read at the same time."""

    def __init__(self, source: Descriptor) -> None:
        self._source = source  # which stays open as long as it is read
        self._offset = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return self.readall()
        # Not by `readinto`, which would copy the bytes once more.
        data = os.pread(self._source.number, size, self._offset)
        self._offset += len(data)
        return data

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._source.number, [buffer], self._offset)
        self._offset += count
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        starts = (0, self._offset, os.fstat(self._source.number).st_size)
        self._offset = starts[whence] + offset
        return self._offset

    def tell(self) -> int:
        return self._offset


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
    """The decompressed bytes of an open file; damage is an error that names the file.

    UTF-16 and UTF-32 with a byte-order mark become UTF-8 without one. ``rewinds`` says that the
    bytes are those of the file, so that `back` can go back in it.
    """

    __slots__ = ("_damages", "_encoding", "_name", "_raw", "_stream", "compression", "rewinds")

    def __init__(self, name: str, raw: BinaryIO, signature: bytes = b"") -> None:
        self._name = name
        self._raw = raw
        self._stream: Any = raw
        self._damages: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error)
        self.compression = _compression(name, signature)
        # What is compressed is looked at on the first read, where damage becomes an error.
        self._encoding: str | None = "" if self.compression else marked_encoding(signature)
        self.rewinds = not self.compression and not self._encoding
        # Imported on use: most files are not compressed, and start-up time is felt.
        match self.compression:
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
            case _ if self._encoding:
                self._stream = _Transcoder(name, raw, self._encoding)

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes (all for −1); none at the end."""
        try:
            if self.compression and self._encoding is not None:
                if encoding := marked_encoding(self._stream.peek(SIGNATURE_SIZE)):
                    self._stream = _Transcoder(self._name, self._stream, encoding)
                self._encoding = None
            data: bytes = self._stream.read(size)
        except self._damages as error:
            if not self.compression:
                raise unreadable(self._name, error) from None
            found = str(error) or type(error).__name__
            raise InputError(
                f"{self._name}: damaged ({found}), expected a whole {self.compression} file"
            ) from None
        return data

    def back(self, size: int) -> None:
        """Go back, so that the next read repeats the last ``size`` bytes (not compressed)."""
        self._stream.seek(-size, io.SEEK_CUR)

    def close(self) -> None:
        """Close the file as well as what decompresses it."""
        self._stream.close()
        self._raw.close()


def _first_bytes(name: str, raw: BinaryIO) -> bytes:
    """As many as tell what a file is; the system may hand them out in several pieces."""
    start = b""
    try:
        while len(start) < SIGNATURE_SIZE and (piece := raw.read(SIGNATURE_SIZE - len(start))):
            start += piece
    except OSError as error:
        raise unreadable(name, error) from None
    return start


def _compression(name: str, start: bytes) -> str:
    by_content = (kind for sign, kind in SIGNATURES.items() if start.startswith(sign))
    return next(by_content, "") or compression_of(name)


def marked_encoding(start: bytes) -> str:
    r"""UTF-16 or UTF-32 by the first bytes of a text; an empty string for everything else.

    >>> marked_encoding("mark".encode("utf-16")), marked_encoding(b"\xef\xbb\xbfmark")
    ('utf-16', '')
    """
    return next((codec for mark, codec in UNICODE_MARKS.items() if start.startswith(mark)), "")


class _Transcoder:
    """UTF-8 of a stream in another encoding of Unicode."""

    def __init__(self, name: str, stream: Any, encoding: str) -> None:
        self._name = name
        self._stream = stream
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._ready = b""
        self._ended = False

    def read(self, size: int) -> bytes:
        parts, held = [self._ready], len(self._ready)
        while not self._ended and (size < 0 or held < size):
            block = self._stream.read(BLOCK)
            self._ended = not block
            try:
                parts.append(self._decoder.decode(block, final=self._ended).encode())
            except UnicodeError:
                raise InputError(
                    f"{self._name}: invalid {self._encoding.upper()}, expected what its byte-order "
                    "mark says"
                ) from None
            held += len(parts[-1])
        data = b"".join(parts)
        size = len(data) if size < 0 else size
        self._ready = data[size:]
        return data[:size]

    def close(self) -> None:
        self._stream.close()


class _ZstandardReader(io.RawIOBase):
    """Frames one after the other; unlike the package's own reader it notices a cut file."""

    # Compressed bytes at a time. A block of four bytes can stand for 128 kB, so this bounds what
    # comes out at once to 32 MB; larger steps are no faster.
    _STEP = 1 << 10

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
