"""What every adapter offers, over the three things that its engine does in its own way."""

import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from tertium import _native
from tertium.arrow import Pairs, ready
from tertium.errors import InputError, MissingExtraError, OptionError, TertiumError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.table import AnyMetric
from tertium.plurals import counted
from tertium.results import Score

# Rows of a table added up batch by batch: the same bits as in one sum over all of them.
#
# Sums of whole numbers do not depend on their order, and the statistics of most metrics are whole.
# Those of others (RIBES, TER with three references) are rounded at each step, so their rows are
# added one after the other in the order of the table, as `tertium.score` does.

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
        total = cls(metric)
        return total if all(total.add(partial) for partial in partials) else None

    def add(self, partial: Partial) -> bool:
        """Another batch; False if its rows should have been kept."""
        if partial.error is not None:
            raise InputError(partial.error)
        if not partial.segments:
            return True
        self.segments += partial.segments
        self.missing += partial.missing
        self.counts.add(partial.references)
        if partial.rows is None:
            self.total = self.total + np.frombuffer(partial.total)
            return self.exact and bool((self.total < _EXACT_BELOW).all())
        rows = np.frombuffer(partial.rows).reshape(partial.segments, -1)
        self.exact = False
        # A sum of nothing but this batch must be NumPy's own.
        whole = (
            rows if self.segments == partial.segments else np.concatenate([self.total[None], rows])
        )
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
    parts = list(partials)
    counts = {part.references for part in parts if part.segments}
    return Partial(
        segments=sum(part.segments for part in parts),
        missing=sum(part.missing for part in parts),
        references=next(iter(counts)) if len(counts) == 1 else "var",
        rows=b"".join(part.rows or b"" for part in parts),
        error=next((part.error for part in parts if part.error is not None), None),
    )


# What is done to each batch of a table, wherever that is: columns added, or rows added up.

Metrics: TypeAlias = AnyMetric | Sequence[AnyMetric] | Mapping[str, AnyMetric]
"""One metric, several, or several by the names that their columns shall have."""
Kind: TypeAlias = Literal["statistics", "scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Metrics by the names of their columns, and the columns of text that they judge.

    It is a value that can be sent to workers.
    """

    kind: Kind
    metrics: tuple[tuple[str, Metric], ...]
    hypotheses: str
    references: str

    @classmethod
    def of(cls, kind: Kind, metrics: Metrics, hypotheses: str, references: str) -> "Task":
        """The task of metrics as users name them."""
        named: Iterable[tuple[str | None, AnyMetric]]
        if isinstance(metrics, Mapping):
            named = metrics.items()
        elif isinstance(metrics, Sequence) and not isinstance(metrics, str):
            named = [(None, metric) for metric in metrics]
        else:
            named = [(None, metrics)]
        ending = "_statistics" if kind == "statistics" else ""
        chosen = [(name, ready(metric)) for name, metric in named]
        if not chosen:
            raise OptionError("metrics: found none, expected at least one")
        columns = tuple((name or metric.spec + ending, metric) for name, metric in chosen)
        return cls(kind=kind, metrics=columns, hypotheses=hypotheses, references=references)

    def check_texts(self, columns: Sequence[str]) -> None:
        """Refuse a table without the texts."""
        for location, name in (("hypotheses", self.hypotheses), ("references", self.references)):
            if name not in columns:
                raise InputError(
                    f"{location}: found no column '{name}', expected one of {', '.join(columns)}"
                )

    def check_names(self, columns: Sequence[str]) -> None:
        """Refuse a table that has a column with the name of a new one."""
        names = [*columns, *(name for name, _ in self.metrics)]
        for index, name in enumerate(names):
            if index >= len(columns) and name in names[:index]:
                raise InputError(
                    f"column '{name}': found it twice, expected another name for that of the "
                    "metric, as in {'NAME': METRIC}"
                )

    def check_sendable(self) -> None:
        """Refuse metrics that other processes cannot be given, before an engine tries to."""
        for _, metric in self.metrics:
            try:
                pickle.dumps(metric)
            except (TypeError, AttributeError, pickle.PicklingError):
                raise OptionError(
                    f"{metric.spec}: found a metric that cannot be sent to workers, expected "
                    "another: what is bound to references stays in one process, as in Polars and "
                    "DuckDB"
                ) from None

    def pairs(self, table: Any) -> Pairs:
        """The texts of a pyarrow table or batch."""
        return Pairs.of(table.column(self.hypotheses), table.column(self.references))

    def columns(self, pairs: Pairs) -> dict[str, Any]:
        """The new columns."""
        return {name: getattr(pairs, self.kind)(metric) for name, metric in self.metrics}

    def extended(self, table: Any) -> Any:
        """A pyarrow table or batch with the new columns."""
        for name, column in self.columns(self.pairs(table)).items():
            table = table.append_column(name, column)
        return table

    def partial(self, table: Any, *, keep: bool) -> Partial:
        """What the score of a whole table must know of one batch, by the first metric."""
        return Partial.of(lambda: self.pairs(table), self.metrics[0][1], keep=keep)


def leave_processors_to_the_engine() -> None:
    """One thread for a batch: an engine has as many workers as there are processors.

    Who sets TERTIUM_THREADS knows better.
    """
    if "TERTIUM_THREADS" not in os.environ:
        _native.set_worker_count(1)


def engine_package(name: str, extra: str) -> Any:
    """A package that only users of that engine have."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise MissingExtraError(
            f"tertium.scale.adapters.{extra}: the package {package} is missing, "
            f"expected for tables of that engine: {install_hint(extra)}"
        ) from None


HYPOTHESES: Final = "hypothesis"
REFERENCES: Final = "reference"


class Adapter(ABC):
    """Metrics on the tables of one engine."""

    def statistics(
        self,
        table: Any,
        metrics: Metrics = "bleu",
        *,
        hypotheses: str = HYPOTHESES,
        references: str = REFERENCES,
    ) -> Any:
        """The table with a column of statistics for each metric, such as ``bleu_statistics``.

        ``hypotheses`` is a column of text, ``references`` one of text or of lists of text. Where
        either is null, so is the row. A mapping of ``metrics`` gives the new columns their names.
        """
        return self._extended(table, Task.of("statistics", metrics, hypotheses, references))

    def scores(
        self,
        table: Any,
        metrics: Metrics = "bleu",
        *,
        hypotheses: str = HYPOTHESES,
        references: str = REFERENCES,
    ) -> Any:
        """The table with a column of segments' scores for each metric, such as ``bleu``."""
        return self._extended(table, Task.of("scores", metrics, hypotheses, references))

    def score(
        self,
        table: Any,
        metric: AnyMetric = "bleu",
        *,
        hypotheses: str = HYPOTHESES,
        references: str = REFERENCES,
    ) -> Score:
        """The score of the whole table, the bits of which are those of `tertium.score`.

        Rows without texts are refused: nothing is left out silently.
        """
        task = Task.of("statistics", metric, hypotheses, references)
        task.check_texts(self.names(table))
        return total_score(task.metrics[0][1], lambda keep: self.partials(table, task, keep=keep))

    def _extended(self, table: Any, task: Task) -> Any:
        names = self.names(table)
        task.check_texts(names)
        task.check_names(names)
        return self.extended(table, task)

    @abstractmethod
    def names(self, table: Any) -> Sequence[str]:
        """The columns of a table."""

    @abstractmethod
    def extended(self, table: Any, task: Task) -> Any:
        """The table with the columns of the task."""

    @abstractmethod
    def partials(self, table: Any, task: Task, *, keep: bool) -> Iterable[Partial]:
        """`Task.partial` of each batch, in the order of the table."""
