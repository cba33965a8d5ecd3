"""Pairs of a hypothesis and its references, in batches that know how to be written again."""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

from tertium._native import Texts
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.column_roles import TEXT, ColumnRoles, TableBuilder, in_role
from tertium.text.corpus import Corpus, System
from tertium.text.file_names import is_pattern
from tertium.text.files import TextFile, kept
from tertium.text.formats.content import file_format
from tertium.text.formats.quoting import Quoting
from tertium.text.inputs import Inputs, require_a_reference
from tertium.text.keyed_segments import Records
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import (
    NamedRows,
    json_row,
    named_rows,
    parquet_modules,
    readable_parquet,
)
from tertium.text.reader import STDIN
from tertium.text.references import References

BATCH: Final = 1 << 14
"""Pairs in memory at a time."""

TABLES: Final = ("tsv", "csv", "jsonl", "parquet", "xlsx")
_READ: Final = {"source", "reference", "hypothesis", TEXT}


class Batch(NamedTuple):
    """Some pairs, and what they are made of in their file: cells, lines or a piece of a table."""

    corpus: Corpus
    system: System
    rows: Any


class ColumnRows(NamedTuple):
    """Rows that are still columns: many are written, or dropped, without a Python string."""

    columns: tuple[Texts, ...]

    def __iter__(self) -> Iterator[tuple[str | None, ...]]:  # type: ignore[override]
        return zip(*(column.to_list() for column in self.columns), strict=True)


class PairSource(Protocol):
    """Where pairs come from. ``kind`` says what rows are: texts, lines of JSON or Arrow."""

    kind: str

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of rows that are texts."""
        ...

    def batches(self) -> Generator[Batch, None, None]:
        """All pairs, a bounded number at a time."""
        ...


class AlignedFiles:
    """Files side by side: plain text is read as it is needed, other formats are held."""

    kind = "texts"

    def __init__(self, inputs: Inputs) -> None:
        if len(inputs.systems) != 1:
            found = f"found {counted(len(inputs.systems), 'system')}"
            raise InputError(f"{inputs.name}: {found}, expected one, whose pairs are filtered")
        self._inputs = inputs
        self._first = next(inputs.chunks(1))

    @property
    def names(self) -> tuple[str, ...]:
        """As tables call them: these can be read again."""
        count = len(self._first.corpus.references.columns)
        several = [f"reference_{number}" for number in range(1, count + 1)]
        references = several if count > 1 else ["reference"]
        source = [] if self._first.corpus.sources is None else ["source"]
        return ("hypothesis", *references, *source)

    def batches(self) -> Generator[Batch, None, None]:
        """Neighbouring segments."""
        with closing(self._inputs.chunks(BATCH)) as chunks:
            for corpus, system in ((one.corpus, one.systems[0]) for one in chunks):
                sources = [] if corpus.sources is None else [corpus.sources]
                columns = (system.hypotheses, *corpus.references.columns, *sources)
                yield Batch(corpus, system, ColumnRows(columns))


class TableRows:
    """One table: TSV and CSV by cells, JSON by lines, Parquet by pieces; none is held whole."""

    def __init__(
        self, file: TextFile, form: str, columns: ColumnRoles, quoting: Quoting = "auto"
    ) -> None:
        self.kind = {"jsonl": "lines", "parquet": "arrow"}.get(form, "texts")
        self._file, self._form, self._columns = file, form, columns
        self._quoting: Quoting = quoting

    @property
    def names(self) -> tuple[str, ...]:
        """The header, if the format has one."""
        if self._form == "jsonl":
            return ()
        return tuple(self._rows().header or ())

    @property
    def schema(self) -> Any:
        """Of Parquet: types and metadata of all columns."""
        with self._parquet() as table:
            return table.schema_arrow

    def batches(self) -> Generator[Batch, None, None]:
        """Neighbouring rows."""
        match self._form:
            case "jsonl":
                yield from self._of_lines()
            case "parquet":
                yield from self._of_arrow()
            case _:
                yield from self._of_cells()

    def _of_cells(self) -> Iterator[Batch]:
        header, rows = self._rows()
        names = header or []
        roles = {name: key.role for name in names if (key := self._columns.key(name))}
        # Of several columns an empty cell is a reference that does not exist.
        references = [name for name, role in roles.items() if role == "reference"]
        optional = references if len(references) > 1 else []
        start = 0
        while some := list(islice(rows, BATCH)):
            builder = self._builder(start)
            for place, row in some:
                for name in optional:
                    row[name] = row[name] or None
                builder.add(place, self._read(row))
            cells = [tuple(row[name] or "" for name in names) for _, row in some]
            yield self._batch(builder.records(), start, cells)
            start += len(some)
        if not start:
            self._batch(TableBuilder(self._file.name, self._columns, names).records(), 0, [])

    def _of_lines(self) -> Iterator[Batch]:
        lines = numbered_lines(self._file, held=False)
        start = 0
        while some := list(islice(lines, BATCH)):
            builder = self._builder(start)
            for number, line in some:
                place = f"{self._file.name}:{number}"
                builder.add(place, self._read(json_row(line, place)))
            yield self._batch(builder.records(), start, [line for _, line in some])
            start += len(some)

    def _of_arrow(self) -> Iterator[Batch]:
        wanted = [name for name in self.names if self._role(name) in _READ]
        start = 0
        arrow, _ = parquet_modules(self._file.name)
        with readable_parquet(self._file.name, arrow), self._parquet() as table:
            for piece in table.iter_batches(batch_size=BATCH):
                builder = self._builder(start)
                for number, row in enumerate(piece.select(wanted).to_pylist(), start + 1):
                    builder.add(f"{self._file.name}: row {number}", row)
                yield self._batch(builder.records(), start, piece)
                start += piece.num_rows

    def _parquet(self) -> Any:
        import io

        arrow, parquet = parquet_modules(self._file.name)
        held = self._file.data is not None or self._file.compression
        with readable_parquet(self._file.name, arrow):
            return parquet.ParquetFile(io.BytesIO(self._file.read()) if held else self._file.name)

    def _rows(self) -> NamedRows:
        return named_rows(self._file, self._form, self._columns.key, self._quoting, held=False)

    def _builder(self, start: int) -> TableBuilder:
        return TableBuilder(self._file.name, self._columns, first=start)

    def _role(self, name: str) -> str | None:
        key = self._columns.key(name)
        return None if key is None else key.role

    def _read(self, row: Mapping[str, object]) -> dict[str, object]:
        return {name: cell for name, cell in row.items() if self._role(name) in _READ}

    def _batch(self, records: Records, start: int, rows: Any) -> Batch:
        name = self._file.name
        place = f"{name}: row {start + 1}"
        records = in_role(records, "reference")
        for role, column in (("reference", records.references), ("hypothesis", records.systems)):
            if not column:
                wanted = "' or '".join(self._columns.renamed.get(role, (role,)))
                raise InputError(f"{place}: found no {role}, expected a column '{wanted}'")
        if len(records.systems) > 1:
            found = f"found {counted(len(records.systems), 'system')}"
            raise InputError(f"{place}: {found}, expected one (--columns hypothesis=COLUMN)")
        require_a_reference(records.references, name, start)
        corpus = Corpus(
            references=References(records.references), name=name, sources=records.source
        )
        return Batch(corpus, System(name=name, hypotheses=records.systems[0][1]), rows)


def open_pairs(
    references: Sequence[str | PathLike[str]],
    hypotheses: str | PathLike[str] | None,
    opened: Callable[..., Inputs],
    *,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    stdin: BinaryIO | None = None,
    quoting: Quoting = "auto",
) -> PairSource:
    """One table that has both sides is streamed; else ``opened`` are the files side by side."""
    if len(references) == 1 and hypotheses is None:
        first = fspath(references[0])
        if is_pattern(first) or Path(first).is_dir():
            return AlignedFiles(opened())
        piped = first == STDIN
        file = TextFile("stdin", kept(stdin or sys.stdin.buffer)) if piped else TextFile.find(first)
        form = file_format(file, format)
        if form in TABLES:
            return TableRows(file, form, ColumnRoles.of(columns), quoting)
        if piped:
            return AlignedFiles(opened(stdin=file.raw()))
    return AlignedFiles(opened())
