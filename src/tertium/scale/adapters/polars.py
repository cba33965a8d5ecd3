"""Metrics on frames of Polars, lazy ones too, and as an expression."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tertium.arrow import Pairs
from tertium.metrics.contract.table import AnyMetric
from tertium.scale.adapters.adapter import (
    HYPOTHESES,
    REFERENCES,
    Adapter,
    Partial,
    Task,
    engine_package,
)

_BATCH: Final = 100_000


class Polars(Adapter):
    """A lazy frame stays lazy, and is judged batch by batch where Polars streams."""

    def names(self, table: Any) -> Sequence[str]:
        columns: list[str] = table.lazy().collect_schema().names()
        return columns

    def extended(self, table: Any, task: Task) -> Any:
        polars = engine_package("polars", "polars")

        def extended(frame: Any) -> Any:
            pairs = Pairs.of(frame[task.hypotheses], frame[task.references])
            columns = task.columns(pairs).items()
            return frame.with_columns(polars.Series(name, column) for name, column in columns)

        if isinstance(table, polars.DataFrame):
            return extended(table)
        schema = {**table.collect_schema(), **_types(task, polars)}
        return table.map_batches(extended, schema=schema, streamable=True)

    def partials(self, table: Any, task: Task, *, keep: bool) -> Iterator[Partial]:
        names = dict.fromkeys((task.hypotheses, task.references))
        texts = table.lazy().select(*names)
        for frame in texts.collect_batches(chunk_size=_BATCH, maintain_order=True):
            yield task.partial(frame.to_arrow(), keep=keep)


def expression(
    metric: AnyMetric = "bleu", *, hypotheses: Any = HYPOTHESES, references: Any = REFERENCES
) -> Any:
    """The segments' scores as an expression; both sides may be names or expressions.

    >>> import polars
    >>> frame = polars.DataFrame({"mt": ["A cat", "a dog"], "ref": ["a cat", "a dog"]})
    >>> small = expression("wer", hypotheses=polars.col("mt").str.to_lowercase(), references="ref")
    >>> frame.select(small)["wer"].to_list()
    [0.0, 0.0]
    """
    polars = engine_package("polars", "polars")
    task = Task.of("scores", metric, "ours", "theirs")
    ((name, _),) = task.metrics

    def judged(both: Any) -> Any:
        pairs = Pairs.of(both.struct["ours"], both.struct["theirs"])
        return polars.Series(name, task.columns(pairs)[name])

    sides = polars.struct(ours=_column(hypotheses), theirs=_column(references))
    return sides.map_batches(judged, polars.Float64, is_elementwise=True).alias(name)


def _column(side: Any) -> Any:
    return engine_package("polars", "polars").col(side) if isinstance(side, str) else side


def _types(task: Task, polars: Any) -> dict[str, Any]:
    if task.kind == "scores":
        return dict.fromkeys((name for name, _ in task.metrics), polars.Float64)
    return {
        name: polars.Array(polars.Float64, len(metric.columns)) for name, metric in task.metrics
    }


_ADAPTER: Final = Polars()
statistics, scores, score = _ADAPTER.statistics, _ADAPTER.scores, _ADAPTER.score
