"""Structures into files: complete or not at all, compressed if the name says so."""

import io
import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from tertium.errors import OptionError, TertiumError
from tertium.text.file_names import compression_of

_MODULES = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}


def write_pieces(pieces: Iterable[str], path: str | os.PathLike[str]) -> None:
    """Write text, one piece at a time; the file has all of it or stays what it was."""
    name = os.fspath(path)
    compression = compression_of(name)
    if compression and compression not in _MODULES:
        raise OptionError(f"{name}: found {compression}, expected one of {', '.join(_MODULES)}")
    target = Path(name).resolve()  # a link stays a link
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with draft.open("xb") as raw, _text(raw, compression) as stream:
            stream.writelines(pieces)
        draft.replace(target)
    except OSError as error:
        raise TertiumError(f"{name}: {error.strerror}, expected a file to write") from None
    finally:
        draft.unlink(missing_ok=True)


def _text(raw: Any, compression: str) -> TextIO:
    if compression:
        raw = import_module(_MODULES[compression]).open(raw, "wb")
    return io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
