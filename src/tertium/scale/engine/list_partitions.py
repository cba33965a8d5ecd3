"""Files of n-best lists, and those that belong to them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.segments import Segments
from tertium.decode.formats.table import FormatOptions
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.scale.engine.places import check_keys, files_of, states_of
from tertium.text.files import TextFile


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
