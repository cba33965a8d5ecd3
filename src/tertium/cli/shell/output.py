"""Where results go: standard output, or a file that is replaced only when complete."""

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tertium.errors import TertiumError

if TYPE_CHECKING:
    from pathlib import Path


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
    from pathlib import Path

    try:
        _write_file(lines, Path(path))
    except OSError as error:
        raise TertiumError(f"{path}: {error.strerror}, expected a file to write") from None


def _write_file(lines: Iterable[str], path: "Path") -> None:
    if _is_channel(path):
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
        return
    target = path.resolve()  # a link stays a link
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with draft.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(lines)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _is_channel(path: "Path") -> bool:
    """Whether text is to flow there: a pipe, a device, or what ``/dev/fd/3`` points to."""
    return path.absolute().parts[1:2] == ("dev",) or (path.exists() and not path.is_file())
