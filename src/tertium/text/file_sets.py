"""Plain text in the files of a folder or of a pattern, which are read as one."""

import os
import re
from collections.abc import Sequence
from contextlib import closing
from glob import iglob
from pathlib import Path, PurePath
from typing import NamedTuple

from tertium._native import Texts, concatenate
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile, compression_of, is_pattern
from tertium.text.formats.content import file_format
from tertium.text.formats.table import system_name
from tertium.text.inputs import Columns, Cursor, Feed
from tertium.text.lines import LineCursor


class FileSet(NamedTuple):
    """Files of plain text, one after the other; ``keys`` are what tells each from the others.

    The key of a file is what the wildcards of the pattern stand for, in a folder its name there
    without extensions that say the format.
    """

    name: str
    keys: tuple[str, ...]
    files: tuple[TextFile, ...]

    def sizes(self) -> tuple[int, ...]:
        """How many lines each file has."""
        return tuple(_count(file) for file in self.files)

    @property
    def labels(self) -> None:
        """Plain text has none."""

    @property
    def has_systems(self) -> bool:
        """Plain text has one text for each segment."""
        return False

    def reference_feed(self, _num_refs: int) -> Feed:
        """The lines of all files."""
        return self.source_feed()

    def source_feed(self) -> Feed:
        """The lines of all files."""
        return FilesFeed(name=self.name, files=self.files)

    def sources_beside(self) -> None:
        """Plain text has one text for each segment."""

    def system_feeds(self, name: str | None = None) -> list[tuple[str, Feed]]:
        """One system, which is called after the folder."""
        parts = [
            part for part in PurePath(self.name).parts if not any(sign in part for sign in "*?[")
        ]
        return [(name or (system_name(parts[-1]) if parts else self.name), self.source_feed())]


def find_set(name: str) -> FileSet:
    """The files of a pattern such as ``out/*.txt`` (``**`` for folders too), or of a folder."""
    if is_pattern(name):
        return _of_pattern(name)
    return _of_folder(name)


def common_sizes(sets: Sequence[FileSet]) -> tuple[int, ...]:
    """The lines of each file, which are the same in all sets, or an error."""
    first = sets[0]
    sizes = first.sizes()
    for other in sets[1:]:
        if other is first:
            continue
        for one, two in ((first, other), (other, first)):
            known = set(two.keys)
            lacking = next((key for key in one.keys if key not in known), None)
            if lacking is not None:
                raise InputError(f"{two.name}: found no file '{lacking}', expected as {one.name}")
        counts = zip(other.files, other.sizes(), first.files, sizes, strict=True)
        for file, found, like, expected in counts:
            if found != expected:
                raise InputError(
                    f"{file.name}: {counted(found, 'segment')}, "
                    f"expected {expected} (reference {like.name})"
                )
    return sizes


def _of_pattern(name: str) -> FileSet:
    # iglob, not Path.glob: it takes patterns that begin anywhere, and hides names with a dot.
    paths = [path for path in iglob(name, recursive=True) if Path(path).is_file()]  # noqa: PTH207
    if not paths:
        raise InputError(f"{name}: found no file, expected files with such names")
    wildcards = re.compile(expression(os.path.normpath(name)))
    keys = {}
    for path in paths:
        match = wildcards.fullmatch(os.path.normpath(path))
        keys[path] = "/".join(match.groups()) if match else path
    return _made(name, keys)


def _of_folder(name: str) -> FileSet:
    folder = Path(name)
    hidden = (path for path in sorted(folder.rglob("*")) if path.is_file())
    paths = [path for path in hidden if not _is_hidden(path.relative_to(folder))]
    if not paths:
        raise InputError(f"{name}: found no file, expected some of plain text")
    keys = {str(path): str(path.relative_to(folder)) for path in paths}
    return _made(name, {path: _without_extensions(key) for path, key in keys.items()})


def _made(name: str, keys: dict[str, str]) -> FileSet:
    ordered = sorted(keys, key=lambda path: (keys[path], path))
    for path in ordered:
        if (kind := file_format(TextFile.find(path))) != "text":
            found = f"{path}: found {kind}"
            raise InputError(f"{found}, expected plain text in files that are read as one")
    return FileSet(
        name=name,
        keys=tuple(keys[path] for path in ordered),
        # Opened again when their turn comes: thousands of files cannot stay open.
        files=tuple(map(TextFile, ordered)),
    )


def expression(pattern: str) -> str:
    """The pattern as a regular expression with a group for each wildcard.

    >>> import re
    >>> re.fullmatch(expression("o.t/*/a-[0-9]?.txt"), "o.t/x/a-17.txt").groups()
    ('x', '1', '7')
    """
    parts = re.split(r"(\*\*/?|\*|\?|\[!?\]?[^\]]*\])", pattern)
    said = {"**/": "((?:.*/)?)", "**": "(.*)", "*": "([^/]*)", "?": "([^/])"}
    texts = []
    for part in parts:
        if part in said:
            texts.append(said[part])
        elif len(part) > 1 and part.startswith("[") and part.endswith("]"):
            texts.append(f"({part.replace('[!', '[^', 1)})")
        else:
            texts.append(re.escape(part))
    return "".join(texts)


def _without_extensions(name: str) -> str:
    plain = name.removesuffix(compression_of(name))
    return plain.removesuffix(".txt")


def _is_hidden(path: PurePath) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _count(file: TextFile) -> int:
    with closing(LineCursor(file)) as cursor:
        return cursor.count_rest()


class FilesFeed(NamedTuple):
    """The lines of all the files; ``name`` is their place in an error about them together."""

    name: str
    files: tuple[TextFile, ...]

    def open(self) -> Cursor:
        """A cursor before the first line of the first file."""
        return _FilesCursor(self.files)


class _FilesCursor:
    __slots__ = ("_lines", "_next", "_rest")

    def __init__(self, files: tuple[TextFile, ...]) -> None:
        self._rest = files
        self._next = 0
        self._lines: LineCursor | None = None

    def take(self, count: int) -> Columns:
        parts: list[Texts] = []
        left = count
        while left > 0 and self._open():
            part = self._lines.take(left) if self._lines else Texts([])
            parts.append(part)
            if len(part) < left:
                self.close()
            left -= len(part)
        return (parts[0] if len(parts) == 1 else concatenate(parts),)

    def count_rest(self) -> int:
        count = 0
        while self._open():
            count += self._lines.count_rest() if self._lines else 0
            self.close()
        return count

    def close(self) -> None:
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def _open(self) -> bool:
        """Open the next file if none is open; say whether there is one."""
        if self._lines is None and self._next < len(self._rest):
            self._lines = LineCursor(self._rest[self._next])
            self._next += 1
        return self._lines is not None
