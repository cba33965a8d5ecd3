"""Parts of a corpus that lie in files of their own: which files belong together."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from io import BytesIO
from pathlib import Path
from typing import Any

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.segments import Segments
from tertium.decode.formats.table import FormatOptions
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.file_sets import expression
from tertium.text.files import TextFile, compression_of, file_system, is_url, unreadable
from tertium.text.formats.table import EXTENSIONS, system_name
from tertium.text.input_files import open_inputs
from tertium.text.inputs import Inputs

# The files that a path names: itself, those of a folder, those of a pattern, be it a URL.


def files_of(path: str) -> list[str]:
    """The files in the order of their `keys`; what begins with a dot or _ is none of them."""
    if path == "-":
        raise InputError("-: found standard input, expected files that workers can read")
    files = _of_url(path) if is_url(path) else _local(path)
    chosen = [file for file in files if _is_data(file, path)]
    if not chosen:
        raise InputError(f"{path}: found no file, expected at least one partition")
    return sorted(chosen, key=lambda file: (_key(file, path), file))


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
    return plain.removesuffix(suffix) if suffix.lower() in EXTENSIONS else plain


def _local(path: str) -> list[str]:
    if os.path.isdir(path):  # noqa: PTH112 (a string is wanted, as the user wrote it)
        return [str(file) for file in Path(path).rglob("*") if file.is_file()]
    if has_magic(path) and not Path(path).exists():
        paths = glob(path, recursive=True)  # noqa: PTH207 (of any pattern, from any folder)
        return [path for path in paths if Path(path).is_file()]
    return [path]


def _of_url(path: str) -> list[str]:
    system, inner = file_system(path)
    scheme = path.partition("://")[0]
    try:
        if has_magic(inner):
            paths: list[str] = system.glob(inner)
        elif system.isdir(inner):
            paths = system.find(inner)
        else:
            return [path]
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return [f"{scheme}://{path}" for path in paths]


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
        return [file, told.get("size"), str(next((time for time in times if time), ""))]
    try:
        told = Path(file).stat()
    except OSError as error:
        raise unreadable(file, error) from None
    return [file, told.st_size, str(told.st_mtime_ns)]


def states_of(files: Sequence[str]) -> list[list[Any]]:
    """`state_of` each."""
    return [state_of(file) for file in files]


# Files of n-best lists, and those that belong to them.


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPartition:
    """A file of n-best lists, and what belongs to it: its own, or that of all lists.

    With references or sources of its own its segments are counted from 0 on.
    """

    number: int
    lists: str
    candidates: str | None = None
    references: tuple[str, ...] = ()
    source: str | None = None

    @property
    def name(self) -> str:
        """What an error calls it."""
        return self.lists

    @property
    def files(self) -> tuple[str, ...]:
        """All of its files."""
        return (self.lists, *filter(None, (self.candidates, self.source)), *self.references)

    def state(self) -> list[Any]:
        """What changes when one of its files does."""
        return states_of(self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReading:
    """How files of lists are read."""

    format: str | None = None
    options: FormatOptions = field(default_factory=FormatOptions)
    skip_bad: bool = False

    def segments(self, path: str) -> Segments:
        """The lists of a file."""
        return Segments(
            [TextFile.find(path)],
            format=self.format,
            options=self.options,
            damages=Damages(skip=self.skip_bad),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionedLists:
    """Where n-best lists are, and what belongs to them; paths are as in `PartitionedCorpus`.

    References and sources are one file of all segments, by the numbers of the lists, or as many
    files as there are of lists: then the segments of every file are counted from 0 on, and the
    result counts them through.
    """

    lists: Sequence[str]
    candidates: Sequence[str] = ()
    references: Sequence[str] = ()
    source: str | None = None
    reading: ListReading = field(default_factory=ListReading)

    def partitions(self) -> list[ListPartition]:
        """The files that belong together."""
        lists = [file for path in self.lists for file in files_of(path)]
        candidates = [file for path in self.candidates for file in files_of(path)]
        if candidates and len(candidates) != len(lists):
            raise InputError(
                f"{self.candidates[0]}: found {counted(len(candidates), 'file')}, expected "
                f"{len(lists)} (as "
                f"{self.lists[0]})"
            )
        if candidates and len(self.candidates) == len(self.lists) == 1:
            check_keys(self.candidates[0], candidates, self.lists[0], lists)
        references = [self._beside(path, len(lists)) for path in self.references]
        source = self._beside(self.source, len(lists)) if self.source else [None] * len(lists)
        return [
            ListPartition(
                number=number,
                lists=file,
                candidates=candidates[number] if candidates else None,
                references=tuple(str(files[number]) for files in references),
                source=source[number],
            )
            for number, file in enumerate(lists)
        ]

    def _beside(self, path: str, count: int) -> list[str | None]:
        files = files_of(path)
        if len(files) not in {1, count}:
            raise InputError(
                f"{path}: found {counted(len(files), 'file')}, expected {count} (as "
                f"{self.lists[0]}) or one "
                "of all segments"
            )
        if len(files) == count and len(self.lists) == 1:
            check_keys(path, files, self.lists[0], files_of(self.lists[0]))
        return [*files] * (count if len(files) == 1 else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Partition:
    """The files of one part: each reference set, each system, and what else is known.

    ``names`` tell what systems that would be called after a file are called in all parts.
    """

    number: int
    references: tuple[str, ...]
    systems: tuple[str, ...] = ()
    source: str | None = None
    documents: str | None = None
    names: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """What an error calls it."""
        return self.references[0]

    @property
    def files(self) -> tuple[str, ...]:
        """All of its files."""
        return (*self.references, *self.systems, *filter(None, (self.source, self.documents)))

    def state(self) -> list[Any]:
        """What changes when one of its files does."""
        return states_of(self.files)


def partitions_of(
    references: Sequence[str],
    systems: Sequence[str] = (),
    *,
    source: str | None = None,
    documents: str | None = None,
) -> list[Partition]:
    """The partitions that paths name, in order; all paths must name as many files."""
    if not references:
        raise InputError("references: found no file, expected at least one")
    given = [*references, *systems, *filter(None, (source, documents))]
    lists = {path: files_of(path) for path in given}
    first = references[0]
    for path, files in lists.items():
        if len(files) != len(lists[first]):
            raise InputError(
                f"{path}: found {counted(len(files), 'file')}, expected {len(lists[first])} (as "
                f"{first})"
            )
        check_keys(path, files, first, lists[first])
    return [
        Partition(
            number=number,
            references=tuple(lists[path][number] for path in references),
            systems=tuple(lists[path][number] for path in systems),
            source=lists[source][number] if source else None,
            documents=lists[documents][number] if documents else None,
            names=tuple((lists[path][number], name_of(path)) for path in systems or references),
        )
        for number in range(len(lists[first]))
    ]


class _NoHypotheses(BytesIO):
    """Where a single run would go on to ask the user for them."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def read(self, _: int | None = -1, /) -> bytes:
        raise InputError(
            f"{self.name}: found no hypotheses, expected a column 'hypothesis' or files of systems"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionReading:
    """How the files of every partition are read."""

    format: str = "auto"
    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    names: tuple[str, ...] | None = None
    num_refs: int = 1
    inline_codes: str = "drop"
    quoting: str = "auto"

    def opened(self, partition: Partition, *, systems: bool = True, labels: bool = True) -> Inputs:
        """The files of a partition."""
        return open_inputs(
            partition.references,
            partition.systems if systems else None,
            source=partition.source,
            documents=partition.documents,
            format=self.format,
            columns=dict(self.columns) or None,
            names=self.names if systems else None,
            num_refs=self.num_refs,
            stdin=_NoHypotheses(partition.name),
            labels=labels,
            called=dict(partition.names),
            inline_codes=self.inline_codes,
            quoting=self.quoting,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionedCorpus:
    """Where the texts of a corpus and its systems are, and how they are read.

    Every path is a file, a folder of files, a pattern of names or a URL of one of these, and all
    have as many files: the first of each belong together. Without ``systems`` the hypotheses are
    in the files of references, which are tables then. The rest is as in
    `tertium.text.input_files.open_inputs`.
    """

    references: Sequence[str]
    systems: Sequence[str] = ()
    source: str | None = None
    documents: str | None = None
    format: str = "auto"
    columns: Mapping[str, str | Sequence[str]] | None = None
    names: Sequence[str] | None = None
    num_refs: int = 1
    inline_codes: str = "drop"
    quoting: str = "auto"

    def partitions(self) -> list[Partition]:
        """The files that belong together."""
        return partitions_of(
            self.references, self.systems, source=self.source, documents=self.documents
        )

    def reading(self) -> PartitionReading:
        """How workers read them."""
        given = (self.columns or {}).items()
        columns = {
            role: (value,) if isinstance(value, str) else tuple(value) for role, value in given
        }
        return PartitionReading(
            format=self.format,
            columns=tuple(columns.items()),
            names=None if self.names is None else tuple(self.names),
            num_refs=self.num_refs,
            inline_codes=self.inline_codes,
            quoting=self.quoting,
        )
