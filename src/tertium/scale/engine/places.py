"""The files that a path names: itself, those of a folder, those of a pattern, be it a URL."""

import os
import re
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.text.file_names import FORMATS, compression_of, system_name
from tertium.text.files import file_system, is_url, unreadable
from tertium.text.many.file_set import expression


def files_of(path: str) -> list[str]:
    """The files in the order of their `keys`; what begins with a dot or _ is none of them."""
    if path == "-":
        raise InputError("-: found standard input, expected files that workers can read")
    found = _of_url(path) if is_url(path) else _local(path)
    chosen = [one for one in found if _is_data(one, path)]
    if not chosen:
        raise InputError(f"{path}: found no file, expected at least one partition")
    return sorted(chosen, key=lambda one: (_key(one, path), one))


def keys_of(path: str, files: Sequence[str]) -> list[str]:
    """What tells each file of a path from the others, by which it is matched with other paths'.

    It is what wildcards stand for, or the name in the folder without what tells the format; one
    file alone has an empty key.
    """
    return [_key(file, path) for file in files]


def check_keys(path: str, files: Sequence[str], other: str, others: Sequence[str]) -> None:
    """Refuse files of two paths that are not called alike; of as many files on both sides."""
    found, expected = keys_of(path, files), keys_of(other, others)
    for ours, theirs in zip(found, expected, strict=True):
        if ours != theirs and ours and theirs:
            raise InputError(f"{path}: found a file '{ours}', expected '{theirs}' (as {other})")


def _key(file: str, path: str) -> str:
    if file == path:
        return ""
    if has_magic(path):
        match = re.fullmatch(expression(path), file)
        return "/".join(match.groups()) if match else file
    inner = file.removeprefix(path).lstrip("/")
    plain = inner.removesuffix(compression_of(inner))
    suffix = Path(plain).suffix
    return plain.removesuffix(suffix) if suffix.lower() in FORMATS else plain


def _local(path: str) -> list[str]:
    if os.path.isdir(path):  # noqa: PTH112 (a string is wanted, as the user wrote it)
        return [str(one) for one in Path(path).rglob("*") if one.is_file()]
    if has_magic(path) and not Path(path).exists():
        found = glob(path, recursive=True)  # noqa: PTH207 (of any pattern, from any folder)
        return [one for one in found if Path(one).is_file()]
    return [path]


def _of_url(path: str) -> list[str]:
    system, inner = file_system(path)
    scheme = path.partition("://")[0]
    try:
        if has_magic(inner):
            found: list[str] = system.glob(inner)
        elif system.isdir(inner):
            found = system.find(inner)
        else:
            return [path]
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return [f"{scheme}://{one}" for one in found]


def _is_data(file: str, path: str) -> bool:
    """Whether a file of a folder has data: programs leave marks such as _SUCCESS beside it."""
    if file == path:
        return True
    inner = file.removeprefix(path) if file.startswith(path) else Path(file).name
    return not any(part.startswith((".", "_")) for part in inner.split("/") if part)


def name_of(path: str) -> str:
    """What the system in the files of a path is called: as the file, or the folder of several.

    >>> name_of("out/mine.txt"), name_of("out/mine/"), name_of("out/mine/part-*.parquet")
    ('mine', 'mine', 'mine')
    """
    if has_magic(path):
        path = path[: path.rindex("/", 0, path.index(next(filter(has_magic, path))) + 1)]
    return system_name(path.rstrip("/"))


def state_of(file: str) -> list[Any]:
    """What changes when a file does: its name, its size and when it was written."""
    if is_url(file):
        system, inner = file_system(file)
        try:
            told = system.info(inner)
        except (OSError, ValueError) as error:
            raise unreadable(file, error) from None
        times = (told.get(key) for key in ("mtime", "LastModified", "ETag", "etag"))
        return [file, told.get("size"), str(next((one for one in times if one), ""))]
    try:
        told = Path(file).stat()
    except OSError as error:
        raise unreadable(file, error) from None
    return [file, told.st_size, str(told.st_mtime_ns)]


def states_of(files: Sequence[str]) -> list[list[Any]]:
    """`state_of` each."""
    return [state_of(file) for file in files]
