"""Rows into a Parquet file: complete or not there at all."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np

from tertium.errors import OptionError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.scored.lengths import reference_lengths
from tertium.scored.slices import Numbers
from tertium.scored.statistics_header import (
    KEY,
    LABELS,
    LENGTH,
    SEGMENT,
    Header,
    KnownMetric,
    check_statistics_name,
)
from tertium.text.corpus import Chunk, Corpus
from tertium.text.named_rows import parquet_modules
from tertium.text.written.drafts import draft_of
from tertium.version import __version__


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
            *(self._arrow.array(one, self._arrow.string()) for one in labels),
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
            metrics=tuple(KnownMetric.of(one, "1") for one in self.metrics),
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
        metrics = tuple(KnownMetric.of(one, references) for one in self.metrics)
        whole = replace(header, references=references, metrics=metrics)
        self._writer.add_key_value_metadata({KEY: whole.to_json().encode()})
        self._writer.close()
        self._stream.flush()
        os.fsync(self._stream.fileno())  # before another machine looks for it
        self._draft.replace(self._target)

    def _refusal(self, error: OSError) -> TertiumError:
        return TertiumError(f"{self.name}: {error.strerror or error}, expected a file to write")
