"""What every adapter offers, over the three things that its engine does in its own way."""

import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

from tertium import _native
from tertium.arrow import Pairs, ready
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric
from tertium.results import Score
from tertium.scale.adapters.partial import Partial, total_score

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
        for place, name in (("hypotheses", self.hypotheses), ("references", self.references)):
            if name not in columns:
                raise InputError(
                    f"{place}: found no column '{name}', expected one of {', '.join(columns)}"
                )

    def check_names(self, columns: Sequence[str]) -> None:
        """Refuse a table that has a column with the name of a new one."""
        names = [*columns, *(name for name, _ in self.metrics)]
        for place, name in enumerate(names):
            if place >= len(columns) and name in names[:place]:
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
