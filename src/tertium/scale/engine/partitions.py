"""Parts of a corpus that lie in files of their own: which files belong together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.scale.engine.places import check_keys, files_of, name_of, states_of
from tertium.text.input_files import open_inputs
from tertium.text.inputs import Inputs


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
        columns = {role: (one,) if isinstance(one, str) else tuple(one) for role, one in given}
        return PartitionReading(
            format=self.format,
            columns=tuple(columns.items()),
            names=None if self.names is None else tuple(self.names),
            num_refs=self.num_refs,
            inline_codes=self.inline_codes,
            quoting=self.quoting,
        )
