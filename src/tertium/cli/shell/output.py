"""Where results go: standard output, or a file that is replaced only when complete."""

import sys
from collections.abc import Iterable

from tertium.errors import TertiumError


def check_output(path: str | None) -> None:
    """Refuse a place that cannot be written to before any work is done."""
    if path is None:
        return
    from pathlib import Path

    folder = Path(path).absolute().parent
    if Path(path).is_dir() or not folder.is_dir():
        found = "a folder" if Path(path).is_dir() else f"no folder {folder}"
        raise TertiumError(f"{path}: found {found}, expected a file to write")


def write_output(lines: Iterable[str], path: str | None = None) -> None:
    """Write the lines; a file has all of them or stays what it was. ``-`` is standard output."""
    if path is None or path in {"-", "/dev/stdout"}:
        sys.stdout.writelines(lines)
        return
    from io import TextIOWrapper

    from tertium.text.output_files import drafted

    with drafted(path) as stream:
        file = TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="\n")
        try:
            file.writelines(lines)
        finally:
            file.detach()  # flushes, and leaves the stream to who opened it
