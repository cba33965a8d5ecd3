"""Rows of a table added up batch by batch: the same bits as in one sum over all of them.

Sums of whole numbers do not depend on their order, and the statistics of most metrics are whole.
Those of others (RIBES, TER with three references) are rounded at each step, so their rows are added
one after the other in the order of the table, as `tertium.score` does.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tertium.arrow import Pairs
from tertium.errors import InputError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.plurals import counted
from tertium.results import Score

_STEPS: Final = 1024.0
"""Halves, quarters and so on down to this part are as good as whole numbers."""
_EXACT_BELOW: Final = 2.0**53 / _STEPS
"""From here on a sum of such numbers may have been rounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """One batch: the sum of its rows, and the rows themselves where their order matters.

    An error of ours travels as one line, however an engine would wrap an exception.
    """

    segments: int = 0
    missing: int = 0
    references: str = ""
    total: bytes = b""
    rows: bytes | None = None
    error: str | None = None

    @classmethod
    def of(cls, pairs: Callable[[], Pairs], metric: Metric, *, keep: bool = False) -> "Partial":
        """The batch of some pairs; ``keep`` keeps rows whose order does not matter, too."""
        try:
            texts = pairs()
            rows = texts.rows(metric)
        except TertiumError as error:
            return cls(error=str(error))
        return cls(
            segments=len(rows),
            missing=int(texts.nulls.sum()),
            references=texts.references.count,
            total=rows.sum(axis=0).tobytes(),
            rows=rows.tobytes() if keep or not _free_of_order(rows) else None,
        )

    def table(self, arrow: Any) -> Any:
        """The batch as a table of one row, which any engine can carry."""
        record = {name: [getattr(self, name)] for name in COLUMNS}
        return arrow.Table.from_pydict(record, schema=schema(arrow))

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> "Partial":
        """One that an engine has carried."""
        return cls(**{name: record[name] for name in COLUMNS})


COLUMNS: Final = tuple(Partial.__dataclass_fields__)


def schema(arrow: Any) -> Any:
    """The columns of a carried batch."""
    types = arrow.int64(), arrow.int64(), arrow.string(), arrow.binary(), arrow.binary()
    return arrow.schema(list(zip(COLUMNS, (*types, arrow.string()), strict=True)))


def total_score(metric: Metric, partials: Callable[[bool], Iterable[Partial]]) -> Score:
    """The score of all batches; ``partials`` makes them in order, and with True keeps all rows.

    They are made twice only if rows of some batches matter and a later one has kept none.
    """
    if len(metric.columns) == 1:  # NumPy adds up a single column by halves: it must be whole
        total = _Sum.of(metric, [_joined(partials(True))])
    else:
        total = _Sum.of(metric, partials(False)) or _Sum.of(metric, partials(True))
    if total is None:
        raise AssertionError("batches without the rows that were asked for")
    return total.score()


class _Sum:
    """Batches added up as they come."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric
        self.total: Rows = np.zeros(len(metric.columns))
        self.exact = True
        self.segments = self.missing = 0
        self.counts: set[str] = set()

    @classmethod
    def of(cls, metric: Metric, partials: Iterable[Partial]) -> "_Sum | None":
        """The sum; None where rows are missing whose order turns out to matter."""
        found = cls(metric)
        return found if all(found.add(one) for one in partials) else None

    def add(self, one: Partial) -> bool:
        """Another batch; False if its rows should have been kept."""
        if one.error is not None:
            raise InputError(one.error)
        if not one.segments:
            return True
        self.segments += one.segments
        self.missing += one.missing
        self.counts.add(one.references)
        if one.rows is None:
            self.total = self.total + np.frombuffer(one.total)
            return self.exact and bool((self.total < _EXACT_BELOW).all())
        rows = np.frombuffer(one.rows).reshape(one.segments, -1)
        self.exact = False
        # A sum of nothing but this batch must be NumPy's own.
        whole = rows if self.segments == one.segments else np.concatenate([self.total[None], rows])
        self.total = whole.sum(axis=0)
        return True

    def score(self) -> Score:
        if not self.segments:
            raise InputError("references: 0 segments, expected at least one")
        if self.missing:
            raise InputError(
                f"table: found {counted(self.missing, 'row')} of {self.segments} without a "
                "hypothesis or without a reference, expected none: leave them out first"
            )
        return Score(
            metric=self.metric,
            value=float(self.metric.score(self.total)),
            statistics=self.total,
            references=next(iter(self.counts)) if len(self.counts) == 1 else "var",
        )


def _free_of_order(rows: Rows) -> bool:
    """Whether rows have the same sum in any order, as whole numbers have."""
    steps = rows * _STEPS
    return bool((rows >= 0).all() and (steps == np.rint(steps)).all())


def _joined(partials: Iterable[Partial]) -> Partial:
    """All batches as one."""
    found = list(partials)
    counts = {one.references for one in found if one.segments}
    return Partial(
        segments=sum(one.segments for one in found),
        missing=sum(one.missing for one in found),
        references=next(iter(counts)) if len(counts) == 1 else "var",
        rows=b"".join(one.rows or b"" for one in found),
        error=next((one.error for one in found if one.error is not None), None),
    )
