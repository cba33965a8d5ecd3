"""Files of statistics: their headers, and their rows, a piece at a time."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Self

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Rows
from tertium.scored.slices import Numbers
from tertium.scored.statistics_header import KEY, LABELS, LENGTH, Header
from tertium.text.named_rows import parquet_modules, readable_parquet


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
        labels={kind: [one for block in blocks for one in block.labels[kind]] for kind in kinds},
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
            for batch in self._file.iter_batches():
                yield self._block(batch)
        if not len(self):
            nothing = np.zeros((0, len(self.header.columns)))
            labels: dict[str, list[str]] = {LABELS[one]: [] for one in self.header.labels}
            yield Block(labels=labels, lengths=np.zeros(0), statistics=nothing)

    def _block(self, batch: Any) -> Block:
        known = len(self.header.labels)
        labels = {
            LABELS[label]: batch.column(place).to_pylist()
            for place, label in enumerate(self.header.labels, 1)
        }
        columns = batch.columns[known + 2 :]
        return Block(
            labels=labels,
            lengths=batch.column(known + 1).to_numpy(zero_copy_only=False),
            statistics=np.stack([one.to_numpy(zero_copy_only=False) for one in columns], axis=1),
        )

    def _check_columns(self) -> None:
        """Whoever has changed the table by other means has left the header as it was."""
        labels = self.header.labels
        expected = ["segment", *labels, LENGTH, *self.header.columns]
        found = list(self._file.schema_arrow.names)
        if found != expected or any(label not in LABELS for label in labels):
            odd = next((one for one in expected if one not in found), "other columns")
            raise InputError(
                f"{self.name}: found {len(found)} columns, expected the {len(expected)} that "
                f"its header tells (look for '{odd}')"
            )
