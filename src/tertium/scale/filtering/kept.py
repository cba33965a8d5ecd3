"""What was kept, written as it comes: tables of each kind, or files side by side."""

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import compress
from os import PathLike, fspath
from typing import IO, Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import tabbed_lines
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Scores
from tertium.plurals import counted
from tertium.scale.filtering.pairs import Batch, ColumnRows, PairSource, TableRows
from tertium.text.file_names import compression_of, format_of
from tertium.text.named_rows import parquet_modules
from tertium.text.written.drafts import STANDARD_OUTPUT, drafted

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
            yield _Texts([enter(drafted(one, compressed=True)) for one in texts])
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
        found = compression_of(name)
        raise OptionError(f"{name}: found {found}, expected none, as Parquet is compressed itself")
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
        return self._lines([(*row, repr(one)) for row, one in zip(rows, scores, strict=True)])

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
        for place, row in enumerate(rows):
            value = {
                n: cell for n, cell in zip(self._columns, row, strict=True) if cell is not None
            }
            if scores is not None:
                value[SCORE] = scores[place]
            found.append(json.dumps(value, ensure_ascii=False) + "\n")
        return "".join(found)


class _JsonLines(_Stream):
    """Lines of JSON as they are, the score put in before the last brace."""

    def _text(self, rows: list[Any], scores: list[float] | None) -> str:
        if scores is None:
            return "".join(f"{line}\n" for line in rows)
        return "".join(self._with(line, one) for line, one in zip(rows, scores, strict=True))

    def _with(self, line: str, score: float) -> str:
        if f'"{SCORE}"' in line and SCORE in json.loads(line):
            raise InputError(f"{self._name}: found a '{SCORE}' already, expected none")
        return f'{line.rstrip()[:-1]}, "{SCORE}": {score!r}}}\n'


@contextmanager
def _parquet(pairs: PairSource, name: str, *, scores: bool) -> Iterator[PairSink]:
    """A table of Arrow's; one made of texts has columns of strings."""
    arrow, parquet = parquet_modules(name)
    held = isinstance(pairs, TableRows) and pairs.kind == "arrow"
    fields = [(one, arrow.string()) for one in pairs.names]
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
            arrays = [arrow.array(one, arrow.string()) for one in columns]
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
    if len({fspath(one) for one in outputs}) < len(outputs):
        raise OptionError("texts: found one file twice, expected different files")
