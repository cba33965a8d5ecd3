"""Pairs kept by a score: read, scored and written as they come."""

import csv
import io
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import compress, islice
from math import isnan
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts, tabbed_lines
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plurals import counted
from tertium.text.column_roles import TEXT, ColumnRoles, TableBuilder, in_role
from tertium.text.corpus import Corpus, System
from tertium.text.files import TextFile, compression_of, is_pattern, kept
from tertium.text.formats.content import file_format
from tertium.text.formats.quoting import Quoting, check_quoting
from tertium.text.formats.table import format_of
from tertium.text.input_files import STDIN, open_inputs
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
from tertium.text.output_files import STANDARD_OUTPUT, drafted
from tertium.text.references import References
from tertium.version import __version__

# Pairs of a hypothesis and its references, in batches that know how to be written again.

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
            for corpus, system in ((chunk.corpus, chunk.systems[0]) for chunk in chunks):
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
                location = f"{self._file.name}:{number}"
                builder.add(location, self._read(json_row(line, location)))
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
        location = f"{name}: row {start + 1}"
        records = in_role(records, "reference")
        for role, column in (("reference", records.references), ("hypothesis", records.systems)):
            if not column:
                wanted = "' or '".join(self._columns.renamed.get(role, (role,)))
                raise InputError(f"{location}: found no {role}, expected a column '{wanted}'")
        if len(records.systems) > 1:
            found = f"found {counted(len(records.systems), 'system')}"
            raise InputError(f"{location}: {found}, expected one (--columns hypothesis=COLUMN)")
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


# What was kept, written as it comes: tables of each kind, or files side by side.

FORMS: Final = ("tsv", "csv", "jsonl", "parquet")
SCORE: Final = "score"
AnyPath: TypeAlias = str | PathLike[str]
Choices: TypeAlias = NDArray[np.bool_]


class PairSink(Protocol):
    """A place for kept pairs."""

    def write(self, batch: Batch, keep: Choices, scores: Scores) -> None:
        """Those pairs of a batch that ``keep`` is true of."""
        ...


@contextmanager
def kept_as(
    pairs: PairSource,
    output: AnyPath,
    *,
    texts: Sequence[AnyPath] = (),
    form: str | None = None,
    scores: bool = False,
) -> Iterator[PairSink]:
    """What writes the pairs: plain ``texts``, a file for each column, or one table.

    The form of a table is the one asked for, else that of the output's name, else that of the
    pairs, TSV for plain text. Lines of JSON and Parquet are kept as they are: in their own form.
    When the context ends without an error, the files are there, and none before.
    """
    if texts:
        _check_texts(pairs, texts, scores=scores)
        with ExitStack() as stack:
            enter = stack.enter_context
            yield _Texts([enter(drafted(text, compressed=True)) for text in texts])
        return
    name = fspath(output)
    chosen = _form(pairs, name, form)
    if scores and SCORE in pairs.names:
        raise InputError(f"{name}: found a column '{SCORE}' already, expected none")
    if chosen == "parquet":
        with _parquet(pairs, name, scores=scores) as table:
            yield table
        return
    writers: dict[str, Callable[..., PairSink]] = {"csv": _Commas, "jsonl": _Objects, "tsv": _Tabs}
    with drafted(output, compressed=True) as stream:
        if pairs.kind == "lines":
            yield _JsonLines(stream, name, scores=scores)
        else:
            yield writers[chosen](stream, name, pairs.names, scores=scores)


def _form(pairs: PairSource, name: str, form: str | None) -> str:
    own = {"lines": "jsonl", "arrow": "parquet"}.get(pairs.kind)
    named = format_of(name)
    chosen = form or (named if named in FORMS else own or "tsv")
    if own is not None and chosen != own:
        raise OptionError(f"{name}: found {chosen}, expected {own} as the pairs have it")
    if chosen == "parquet" and name in STANDARD_OUTPUT:
        raise OptionError("-o: found standard output, expected a file for Parquet")
    if chosen == "parquet" and compression_of(name):
        compression = compression_of(name)
        raise OptionError(
            f"{name}: found {compression}, expected none, as Parquet is compressed itself"
        )
    return chosen


class _Stream(ABC):
    """One file of text; ``name`` is its place in an error."""

    def __init__(self, stream: IO[bytes], name: str, *, scores: bool) -> None:
        self._stream, self._name, self._scores = stream, name, scores

    def write(self, batch: Batch, keep: Choices, scores: Scores) -> None:
        rows = list(compress(batch.rows, keep.tolist()))
        said = scores[keep].tolist() if self._scores else None
        self._stream.write(self._text(rows, said).encode())

    @abstractmethod
    def _text(self, rows: list[Any], scores: list[float] | None) -> str:
        """Rows as they are written, with their scores if there are any."""


class _Table(_Stream):
    """One file with named columns."""

    def __init__(
        self, stream: IO[bytes], name: str, columns: Sequence[str], *, scores: bool
    ) -> None:
        super().__init__(stream, name, scores=scores)
        self._columns = list(columns)
        stream.write(self._header().encode())

    def _header(self) -> str:
        return self._lines([[*self._columns, *([SCORE] if self._scores else [])]])

    def _text(self, rows: list[Any], scores: list[float] | None) -> str:
        if scores is None:
            return self._lines(rows)
        return self._lines([(*row, repr(score)) for row, score in zip(rows, scores, strict=True)])

    @abstractmethod
    def _lines(self, rows: Sequence[Sequence[str | None]]) -> str:
        """Rows of cells in the format of the table."""


class _Tabs(_Table):
    def write(self, batch: Batch, keep: Choices, scores: Scores) -> None:
        if self._scores or not isinstance(batch.rows, ColumnRows):
            super().write(batch, keep, scores)
            return
        try:
            self._stream.write(tabbed_lines(batch.rows.columns, keep))
        except ValueError:  # there is a tab in a text, which the other way shows
            super().write(batch, keep, scores)

    def _lines(self, rows: Sequence[Sequence[str | None]]) -> str:
        lines = ["\t".join([cell or "" for cell in row]) for row in rows]
        text = "".join(f"{line}\n" for line in lines)
        width = len(rows[0]) if rows else 0
        if text.count("\t") > max(0, width - 1) * len(rows):
            cell = next(cell for row in rows for cell in row if cell and "\t" in cell)
            raise InputError(
                f"{self._name}: found a text with a tab, {cell[:40]!r}, expected none in "
                "TSV; JSON lines and files side by side can have it"
            )
        return text


class _Commas(_Table):
    def _lines(self, rows: Sequence[Sequence[str | None]]) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()


class _Objects(_Stream):
    """Texts as lines of JSON; a reference that does not exist is left out."""

    def __init__(
        self, stream: IO[bytes], name: str, columns: Sequence[str], *, scores: bool
    ) -> None:
        super().__init__(stream, name, scores=scores)
        self._columns = list(columns)

    def _text(self, rows: list[Any], scores: list[float] | None) -> str:
        found = []
        for index, row in enumerate(rows):
            value = {
                n: cell for n, cell in zip(self._columns, row, strict=True) if cell is not None
            }
            if scores is not None:
                value[SCORE] = scores[index]
            found.append(json.dumps(value, ensure_ascii=False) + "\n")
        return "".join(found)


class _JsonLines(_Stream):
    """Lines of JSON as they are, the score put in before the last brace."""

    def _text(self, rows: list[Any], scores: list[float] | None) -> str:
        if scores is None:
            return "".join(f"{line}\n" for line in rows)
        return "".join(self._with(line, score) for line, score in zip(rows, scores, strict=True))

    def _with(self, line: str, score: float) -> str:
        if f'"{SCORE}"' in line and SCORE in json.loads(line):
            raise InputError(f"{self._name}: found a '{SCORE}' already, expected none")
        return f'{line.rstrip()[:-1]}, "{SCORE}": {score!r}}}\n'


@contextmanager
def _parquet(pairs: PairSource, name: str, *, scores: bool) -> Iterator[PairSink]:
    """A table of Arrow's; one made of texts has columns of strings."""
    arrow, parquet = parquet_modules(name)
    held = isinstance(pairs, TableRows) and pairs.kind == "arrow"
    fields = [(name, arrow.string()) for name in pairs.names]
    schema = pairs.schema if held else arrow.schema(fields)  # type: ignore[attr-defined]
    if scores:
        schema = schema.append(arrow.field(SCORE, arrow.float64()))
    with (
        drafted(name) as stream,
        parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        yield _ArrowTable(arrow, writer, schema, scores=scores)


class _ArrowTable:
    def __init__(self, arrow: Any, writer: Any, schema: Any, *, scores: bool) -> None:
        self._arrow, self._writer, self._schema, self._scores = arrow, writer, schema, scores

    def write(self, batch: Batch, keep: Choices, scores: Scores) -> None:
        arrow = self._arrow
        if isinstance(batch.rows, list | ColumnRows):
            rows = list(compress(batch.rows, keep.tolist()))
            width = len(self._schema.names) - self._scores
            columns = list(zip(*rows, strict=True)) if rows else [()] * width
            arrays = [arrow.array(column, arrow.string()) for column in columns]
        else:
            arrays = batch.rows.filter(arrow.array(keep)).columns
        if self._scores:
            arrays = [*arrays, arrow.array(scores[keep])]
        self._writer.write_batch(arrow.record_batch(arrays, schema=self._schema))


class _Texts:
    """A file of plain text for each column, line by line."""

    def __init__(self, streams: Sequence[IO[bytes]]) -> None:
        self._streams = streams

    def write(self, batch: Batch, keep: Choices, _: Scores) -> None:
        for column, stream in zip(batch.rows.columns, self._streams, strict=True):
            stream.write(tabbed_lines([column], keep))


def _check_texts(pairs: PairSource, outputs: Sequence[AnyPath], *, scores: bool) -> None:
    if scores:
        raise OptionError("scores: found plain text to write, expected a table for a column more")
    if isinstance(pairs, TableRows):
        raise OptionError("texts: found a table to filter, expected files of plain text")
    if len(outputs) != len(pairs.names):
        found, expected = len(outputs), ", ".join(pairs.names)
        raise OptionError(
            f"texts: found {counted(found, 'file')}, expected {len(pairs.names)}: {expected}"
        )
    if len({fspath(output) for output in outputs}) < len(outputs):
        raise OptionError("texts: found one file twice, expected different files")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """How many pairs there were, and what became of them.

    A pair ``unscored`` has no score by this metric, and is not kept.
    """

    metric: str
    signature: str
    minimum: float | None
    maximum: float | None
    pairs: int
    kept: int
    below: int
    above: int
    unscored: int

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": __version__,
            **{name: getattr(self, name) for name in Filtered.__slots__},
        }

    def __str__(self) -> str:
        dropped = [
            f"{self.below} below {self.minimum:g}" if self.below else "",
            f"{self.above} above {self.maximum:g}" if self.above else "",
            f"{self.unscored} without a score" if self.unscored else "",
        ]
        rest = ", ".join(filter(None, dropped))
        share = f" ({self.kept / self.pairs:.1%})" if self.pairs else ""
        kept = f"kept {self.kept} of {counted(self.pairs, 'pair')}{share}"
        return f"{kept}; {rest}" if rest else kept


def filter_pairs(
    references: AnyPath | Sequence[AnyPath],
    hypotheses: AnyPath | None = None,
    *,
    output: AnyPath,
    metric: AnyMetric = "chrf",
    minimum: float | None = None,
    maximum: float | None = None,
    scores: bool = False,
    texts: Sequence[AnyPath] = (),
    form: str | None = None,
    source: AnyPath | None = None,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    num_refs: int = 1,
    stdin: BinaryIO | None = None,
    inline_codes: str = "drop",
    quoting: str = "auto",
    step: Callable[[int], None] = lambda _: None,
) -> Filtered:
    """Write the pairs whose score is from ``minimum`` to ``maximum``, and count the others.

    ``references`` is a table with both sides, of which whole rows are kept, or files beside
    ``hypotheses``; what they may be is what `tertium.text.input_files.open_inputs` says. The
    ``output`` is a table, with a column of ``scores`` if asked for; or ``texts`` are files, one for
    the hypotheses, each reference and the source. ``step`` is told how many pairs were done.
    """
    chosen = _of_pairs(as_metric(metric))
    _check_bounds(minimum, maximum)
    given = [references] if isinstance(references, str | PathLike) else list(references)
    opened = partial(
        open_inputs,
        given,
        () if hypotheses is None else hypotheses,
        source=source,
        format=format,
        columns=columns,
        num_refs=num_refs,
        stdin=stdin,
        inline_codes=inline_codes,
        quoting=quoting,
    )
    pairs = open_pairs(
        given,
        source if hypotheses is None else hypotheses,  # a file of sources stands beside a table
        opened,
        format=format,
        columns=columns,
        stdin=stdin,
        quoting=check_quoting(quoting),
    )
    found, kept, below, above = 0, 0, 0, 0
    counts: set[str] = set()
    low = -np.inf if minimum is None else minimum
    high = np.inf if maximum is None else maximum
    with (
        kept_as(pairs, output, texts=texts, form=form, scores=scores) as place,
        closing(pairs.batches()) as batches,
    ):
        for batch in batches:
            values = chosen.score(chosen.rows_of(batch.system, batch.corpus))
            keep = (values >= low) & (values <= high)
            place.write(batch, keep, values)
            counts.add(batch.corpus.references.count)
            found += len(values)
            kept += int(keep.sum())
            below += int((values < low).sum())
            above += int((values > high).sum())
            step(len(values))
    return Filtered(
        metric=chosen.spec,
        signature=chosen.signature(counts.pop() if len(counts) == 1 else "var"),
        minimum=minimum,
        maximum=maximum,
        pairs=found,
        kept=kept,
        below=below,
        above=above,
        unscored=found - kept - below - above,
    )


def _of_pairs(metric: Metric) -> Metric:
    if metric.waits_for_fit:
        raise OptionError(
            f"{metric.spec}: found pairs that are read one after the other, expected a metric that "
            "needs not see all references first"
        )
    return metric.for_segments()


def _check_bounds(minimum: float | None, maximum: float | None) -> None:
    if minimum is None and maximum is None:
        raise OptionError("filter: found no bound, expected a minimum or a maximum of the score")
    for name, bound in (("minimum", minimum), ("maximum", maximum)):
        if bound is not None and isnan(bound):
            raise OptionError(f"{name}: found nan, expected a number")
    if minimum is not None and maximum is not None and minimum > maximum:
        raise OptionError(f"minimum: found {minimum:g}, expected at most {maximum:g} (maximum)")
