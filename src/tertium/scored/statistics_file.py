"""Files of statistics: their headers, and their rows, a piece at a time."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.scored.slices import Numbers, reference_lengths
from tertium.text.corpus import Chunk, Corpus
from tertium.text.named_rows import parquet_modules, readable_parquet, whole_batches
from tertium.text.output_files import draft_of
from tertium.version import __version__

# What a file of statistics says of itself, so that its rows are known again.

KEY: Final = b"tertium"
"""The header's key in the metadata of the Parquet file."""

LABELS: Final = {
    "document": "documents",
    "genre": "genres",
    "paragraph": "paragraphs",
    "id": "ids",
}
"""Columns of the file that have a label for every segment, and the fields of a corpus they are."""

SEGMENT: Final = "segment"
LENGTH: Final = "reference_length"
"""Columns that every file has: the number of each segment, and the words of its references."""


def check_statistics_name(path: str) -> None:
    """Refuse a name that does not say Parquet, which is what will be written."""
    if not path.endswith(".parquet"):
        raise OptionError(f"statistics: found {path}, expected a name that ends in .parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMetric(Plain):
    """A metric as it was when rows were made."""

    spec: str
    signature: str
    columns: tuple[str, ...]
    fitted: bool = False
    """Whether the rows depend on all references of the corpus, so that none can be added."""

    @classmethod
    def of(cls, metric: Metric, references: str) -> Self:
        """What must be known of a metric."""
        return cls(
            spec=metric.recipe,
            signature=metric.signature(references),
            columns=metric.columns,
            fitted=metric.needs_fit,
        )

    @property
    def identity(self) -> str:
        """The signature without the number of references, which may differ between parts."""
        return self.signature.partition("|")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """All of it; ``first_segment`` is there if the rows are of a part of a corpus."""

    version: str
    corpus: str
    references: str
    systems: tuple[str, ...]
    metrics: tuple[KnownMetric, ...]
    labels: tuple[str, ...]
    first_segment: int | None

    def to_json(self) -> str:
        """The text that stands in the file."""
        return json.dumps(
            {
                "version": self.version,
                "first_segment": self.first_segment,
                "corpus": self.corpus,
                "references": self.references,
                "systems": list(self.systems),
                "labels": list(self.labels),
                "metrics": [metric.to_dict() for metric in self.metrics],
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str | bytes, place: str) -> Self:
        """The header of a file; an error says that it is damaged."""
        try:
            told = json.loads(text)
            return cls(
                version=told["version"],
                first_segment=told["first_segment"],
                corpus=told["corpus"],
                references=told["references"],
                systems=tuple(told["systems"]),
                labels=tuple(told["labels"]),
                metrics=tuple(
                    KnownMetric(**{**metric, "columns": tuple(metric["columns"])})
                    for metric in told["metrics"]
                ),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{place}: found a header without sense ({error!r}), "
                "expected what 'tertium score --statistics' writes"
            ) from None

    @property
    def columns(self) -> list[str]:
        """The names of all columns of statistics, those of a system and metric together."""
        return [
            f"{system}/{metric.spec}/{column}"
            for system in self.systems
            for metric in self.metrics
            for column in metric.columns
        ]

    def built(self, place: str, given: Sequence[AnyMetric] = ()) -> tuple[Metric, ...]:
        """The metrics, ready to score rows; ``given`` are those that no text describes.

        They must be what they were when the rows were made.
        """
        if self.version != __version__:
            raise InputError(
                f"{place}: found statistics of tertium {self.version}, expected {__version__}, "
                "which reads them: score again"
            )
        known = {metric.spec: metric for metric in map(as_metric, given)}
        return tuple(self._built(metric, place, known) for metric in self.metrics)

    def _built(self, known: KnownMetric, location: str, given: dict[str, Metric]) -> Metric:
        try:
            metric = given.get(known.spec) or as_metric(known.spec)
        except TertiumError as error:
            raise InputError(f"{location}: {error}") from None
        now = KnownMetric.of(metric, self.references)
        if (now.identity, now.columns) != (known.identity, known.columns):
            raise InputError(
                f"{location}: found {known.spec} as {known.signature} "
                f"({', '.join(known.columns)}), "
                f"expected {now.signature} ({', '.join(now.columns)})"
            )
        return metric


# Rows into a Parquet file: complete or not there at all.


class StatisticsWriter:
    """Writes the rows of each chunk as they come, under another name until all are there.

    ``first_segment`` says that the rows are of a part of a corpus, and where it begins there.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        metrics: Sequence[Metric],
        systems: Sequence[str],
        *,
        first_segment: int | None = None,
    ) -> None:
        name = os.fspath(path)
        check_statistics_name(name)
        if first_segment is not None and first_segment < 1:
            raise OptionError(f"first_segment: found {first_segment}, expected at least 1")
        specs = [metric.spec for metric in metrics]
        for spec in specs:
            if specs.count(spec) > 1:
                raise OptionError(f"statistics: found {spec} twice, expected each metric once")
        self.name, self.metrics, self.systems = name, tuple(metrics), tuple(systems)
        self.first_segment = first_segment
        self._arrow, self._parquet = parquet_modules(name)
        self._target = Path(name).resolve()  # a link stays a link
        self._draft = draft_of(self._target)
        self._stream: Any = None
        self._writer: Any = None
        self._written = 0
        self._counts: set[str] = set()
        self._header: Header | None = None

    @property
    def may_be_empty(self) -> bool:
        """Whether no segment is something to be written: a part of a corpus may have none."""
        return self.first_segment is not None

    def __enter__(self) -> Self:
        try:
            self._stream = self._draft.open("wb")
        except OSError as error:
            raise self._refusal(error) from None
        return self

    def add(self, chunk: Chunk, rows: Sequence[Sequence[Rows]]) -> None:
        """The rows of the next segments, of each system by each metric."""
        parts = [part for some in rows for part in some]
        self.write(chunk.corpus, reference_lengths(chunk.corpus), np.concatenate(parts, axis=1))

    def write(self, corpus: Corpus, lengths: Numbers, statistics: Rows) -> None:
        """The same with all columns of statistics in one array, and the references' lengths."""
        self._counts.add(corpus.references.count)
        header = self._header = self._header or self._opened(corpus)
        start = (self.first_segment or 1) + self._written
        labels = [getattr(corpus, LABELS[label]) for label in header.labels]
        columns = [
            np.arange(start, start + len(corpus)),
            *(self._arrow.array(label, self._arrow.string()) for label in labels),
            lengths,
            *np.ascontiguousarray(statistics.T),
        ]
        try:
            schema = self._writer.schema
            self._writer.write_batch(self._arrow.record_batch(columns, schema=schema))
        except OSError as error:
            raise self._refusal(error) from None
        self._written += len(corpus)

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None and self._header is not None:
                self._finish(self._header)
        except OSError as error:
            raise self._refusal(error) from None
        finally:
            if self._writer is not None:
                with suppress(OSError):  # a full disk has been told of already
                    self._writer.close()
            with suppress(OSError):
                self._stream.close()
            self._draft.unlink(missing_ok=True)

    def _opened(self, corpus: Corpus) -> Header:
        """The header as far as it is known, of which the file's columns follow."""
        arrow = self._arrow
        header = Header(
            version=__version__,
            corpus=corpus.name,
            references=corpus.references.count,
            systems=self.systems,
            metrics=tuple(KnownMetric.of(metric, "1") for metric in self.metrics),
            labels=tuple(key for key, kind in LABELS.items() if getattr(corpus, kind) is not None),
            first_segment=self.first_segment,
        )
        fields = [
            (SEGMENT, arrow.int64()),
            *((label, arrow.string()) for label in header.labels),
            (LENGTH, arrow.float64()),
            *((column, arrow.float64()) for column in header.columns),
        ]
        schema = arrow.schema(fields)
        self._writer = self._parquet.ParquetWriter(self._stream, schema, compression="zstd")
        return header

    def _finish(self, header: Header) -> None:
        references = self._counts.pop() if len(self._counts) == 1 else "var"
        metrics = tuple(KnownMetric.of(metric, references) for metric in self.metrics)
        whole = replace(header, references=references, metrics=metrics)
        self._writer.add_key_value_metadata({KEY: whole.to_json().encode()})
        self._writer.close()
        self._stream.flush()
        os.fsync(self._stream.fileno())  # before another machine looks for it
        self._stream.close()
        self._draft.replace(self._target)

    def _refusal(self, error: OSError) -> TertiumError:
        return TertiumError(f"{self.name}: {error.strerror or error}, expected a file to write")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Neighbouring segments: labels by field of a corpus, and all columns of statistics."""

    labels: dict[str, list[str]]
    lengths: Numbers = field(repr=False)
    statistics: Rows = field(repr=False)

    def __len__(self) -> int:
        return len(self.lengths)

    def between(self, start: int, stop: int) -> "Block":
        """Some of the segments."""
        return Block(
            labels={kind: labels[start:stop] for kind, labels in self.labels.items()},
            lengths=self.lengths[start:stop],
            statistics=self.statistics[start:stop],
        )

    def rows(self, header: Header) -> Iterator[tuple[int, int, Rows]]:
        """The rows of each system (by number) under each metric, laid out as metrics make them.

        Sums of floating-point numbers depend on that order.
        """
        start = 0
        for s in range(len(header.systems)):
            for m, metric in enumerate(header.metrics):
                stop = start + len(metric.columns)
                yield s, m, np.ascontiguousarray(self.statistics[:, start:stop])
                start = stop


def joined(blocks: Sequence[Block]) -> Block:
    """One block of several that follow each other, at least one."""
    if len(blocks) == 1:
        return blocks[0]
    kinds = blocks[0].labels
    return Block(
        labels={
            kind: [label for block in blocks for label in block.labels[kind]] for kind in kinds
        },
        lengths=np.concatenate([block.lengths for block in blocks]),
        statistics=np.concatenate([block.statistics for block in blocks]),
    )


def regular(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """The same segments in blocks of that size, but for the last; one empty block for none."""
    waiting: list[Block] = []
    count = done = 0
    for block in blocks:
        start = 0
        while count + len(block) - start >= size:
            stop = start + size - count
            yield joined([*waiting, block.between(start, stop)])
            waiting, count, start, done = [], 0, stop, done + 1
        if start < len(block) or not waiting:
            waiting.append(block.between(start, len(block)))
            count += len(block) - start
    if waiting and (count or not done):
        yield joined(waiting)


class StatisticsFile:
    """A file that `StatisticsWriter` wrote, opened; its rows are read when asked for."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.name = os.fspath(path)
        self._arrow, parquet = parquet_modules(self.name)
        if not os.path.isfile(self.name):  # noqa: PTH113 (the same question, and no import)
            found = "a folder" if os.path.isdir(self.name) else "no file"  # noqa: PTH112
            raise InputError(f"{self.name}: found {found}, expected a file of statistics")
        with readable_parquet(self.name, self._arrow):
            self._file: Any = parquet.ParquetFile(self.name)
        told = (self._file.metadata.metadata or {}).get(KEY)
        if told is None:
            raise InputError(
                f"{self.name}: found a table without a header of tertium's, "
                "expected what 'tertium score --statistics' writes"
            )
        self.header = Header.from_json(told, self.name)
        self._check_columns()

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def first(self) -> int:
        """The number of the first segment."""
        return self.header.first_segment or 1

    @property
    def last(self) -> int:
        """The number of the last segment, one less than the first if there is none."""
        return self.first + len(self) - 1

    def blocks(self) -> Iterator[Block]:
        """All segments, in pieces of bounded size; one empty block for none."""
        with readable_parquet(self.name, self._arrow):
            for batch in whole_batches(self._file):
                yield self._block(batch)
        if not len(self):
            nothing = np.zeros((0, len(self.header.columns)))
            labels: dict[str, list[str]] = {LABELS[label]: [] for label in self.header.labels}
            yield Block(labels=labels, lengths=np.zeros(0), statistics=nothing)

    def _block(self, batch: Any) -> Block:
        known = len(self.header.labels)
        labels = {
            LABELS[label]: batch.column(index).to_pylist()
            for index, label in enumerate(self.header.labels, 1)
        }
        columns = batch.columns[known + 2 :]
        return Block(
            labels=labels,
            lengths=batch.column(known + 1).to_numpy(zero_copy_only=False),
            statistics=np.stack(
                [column.to_numpy(zero_copy_only=False) for column in columns], axis=1
            ),
        )

    def _check_columns(self) -> None:
        """Whoever has changed the table by other means has left the header as it was."""
        labels = self.header.labels
        expected = ["segment", *labels, LENGTH, *self.header.columns]
        found = list(self._file.schema_arrow.names)
        if found != expected or any(label not in LABELS for label in labels):
            odd = next((column for column in expected if column not in found), "other columns")
            raise InputError(
                f"{self.name}: found {counted(len(found), 'column')}, expected the {len(expected)} "
                "that "
                f"its header tells (look for '{odd}')"
            )
