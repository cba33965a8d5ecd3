"""Metrics on relations of DuckDB, and as functions of its SQL."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tertium.arrow import ready
from tertium.arrow import scores as scores_of
from tertium.metrics.contract.table import AnyMetric
from tertium.scale.adapters.adapter import Adapter, Partial, Task, engine_package

_BATCH: Final = 100_000
"""Rows at a time, where DuckDB's own vectors have 2,048."""


class DuckDB(Adapter):
    """A relation becomes a pyarrow ``RecordBatchReader``: batches that are judged as they come.

    DuckDB has one open result for each connection. So what the reader gives goes to another
    connection, to a Parquet file or into memory, with ``read_all()``.
    """

    def names(self, table: Any) -> Sequence[str]:
        columns: list[str] = table.columns
        return columns

    def extended(self, table: Any, task: Task) -> Any:
        arrow = engine_package("pyarrow", "parquet")
        reader = table.to_arrow_reader(_BATCH)
        empty = task.extended(reader.schema.empty_table())
        batches = (task.extended(batch) for batch in reader)
        return arrow.RecordBatchReader.from_batches(empty.schema, batches)

    def partials(self, table: Any, task: Task, *, keep: bool) -> Iterator[Partial]:
        for batch in table.to_arrow_reader(_BATCH):
            yield task.partial(batch, keep=keep)


def register(
    connection: Any, metric: AnyMetric = "bleu", name: str | None = None, *, several: bool = False
) -> str:
    """Make a metric a function of a connection's SQL, and say under which name.

    ``SELECT chrf(mt, ref) FROM …`` gives segments' scores. With ``several`` the second argument
    is a list of references. DuckDB calls it for 2,048 rows at a time.

    >>> import duckdb
    >>> with duckdb.connect() as connection:
    ...     register(connection, "wer")
    ...     connection.sql("SELECT wer('a cat', 'a dog')").fetchall()
    'wer'
    [(50.0,)]
    """
    chosen = ready(metric)
    function = name or chosen.name.replace("-", "_").replace(".", "_")
    connection.create_function(
        function,
        lambda ours, theirs: scores_of(chosen, ours, theirs),
        ["VARCHAR", "VARCHAR[]" if several else "VARCHAR"],
        "DOUBLE",
        type="arrow",
        null_handling="special",
    )
    return function


_ADAPTER: Final = DuckDB()
statistics, scores, score = _ADAPTER.statistics, _ADAPTER.scores, _ADAPTER.score
