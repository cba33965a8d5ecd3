"""Structures into files: complete or not at all, compressed if the name says so."""

import io
import os
from collections.abc import Iterable

from tertium.text.written.drafts import drafted


def write_pieces(pieces: Iterable[str], path: str | os.PathLike[str]) -> None:
    """Write text, one piece at a time; the file has all of it or stays what it was."""
    with drafted(path, compressed=True) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        try:
            text.writelines(pieces)
        finally:
            text.detach()  # flushes, and leaves the stream to who opened it
