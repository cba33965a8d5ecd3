"""Metrics on data frames of Spark; the workers need tertium and pyarrow, too.

Spark starts its workers by the command in the variable PYSPARK_PYTHON. On one machine that is best
``sys.executable``, so that they have what the driver has.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tertium.errors import MissingExtraError
from tertium.scale.adapters.adapter import (
    Adapter,
    Partial,
    Task,
    engine_package,
    leave_processors_to_the_engine,
)


class Spark(Adapter):
    """Statistics are ``array<double>``, as Spark has no lists of fixed size."""

    def names(self, table: Any) -> Sequence[str]:
        columns: list[str] = table.columns
        return columns

    def extended(self, table: Any, task: Task) -> Any:
        task.check_sendable()
        types = engine_package("pyspark.sql.types", "spark")
        double = types.DoubleType()
        new = double if task.kind == "scores" else types.ArrayType(double)
        fields = [types.StructField(name, new) for name, _ in task.metrics]
        schema = types.StructType([*table.schema.fields, *fields])

        def extended(batches: Iterator[Any]) -> Iterator[Any]:
            leave_processors_to_the_engine()
            for batch in batches:
                yield _extended(batch, task)

        return table.mapInArrow(extended, schema)

    def partials(self, table: Any, task: Task, *, keep: bool) -> Iterator[Partial]:
        task.check_sendable()

        def partials(batches: Iterator[Any]) -> Iterator[Any]:
            leave_processors_to_the_engine()
            arrow = engine_package("pyarrow", "parquet")
            for batch in batches:
                yield from task.partial(batch, keep=keep).table(arrow).to_batches()

        names = dict.fromkeys((task.hypotheses, task.references))
        texts = table.select(*(f"`{name}`" for name in names))
        try:
            # All partitions at once, and in their order.
            rows = texts.mapInArrow(partials, _PARTIAL).collect()
        except Exception as error:
            if "No module named 'tertium" not in str(error):
                raise
            raise MissingExtraError(
                "Spark's workers: found a Python without tertium, expected one that has it: start "
                f"the session with the variable PYSPARK_PYTHON, here {sys.executable}"
            ) from None
        for row in rows:
            yield Partial.read(row.asDict())


def _extended(batch: Any, task: Task) -> Any:
    arrow = engine_package("pyarrow", "parquet")
    for name, column in task.columns(task.pairs(batch)).items():
        lists = task.kind == "statistics"
        new = column.cast(arrow.list_(arrow.float64())) if lists else column
        batch = batch.append_column(name, new)
    return batch


_PARTIAL: Final = (
    "segments bigint, missing bigint, references string, total binary, rows binary, error string"
)
_ADAPTER: Final = Spark()
statistics, scores, score = _ADAPTER.statistics, _ADAPTER.scores, _ADAPTER.score
