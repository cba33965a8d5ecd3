"""What is done to each batch of a table, wherever that is: columns added, or rows added up."""

import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, TypeAlias

from tertium import _native
from tertium.arrow import Pairs, ready
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric
from tertium.scale.adapters.partial import Partial

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
