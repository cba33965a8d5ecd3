"""Metrics on datasets of Ray Data; the workers need tertium, too."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tertium.scale.adapters.adapter import (
    Adapter,
    Partial,
    Task,
    engine_package,
    leave_processors_to_the_engine,
)


class Ray(Adapter):
    """Each block is one batch, and each batch has one thread, as Ray has a task per processor."""

    def names(self, table: Any) -> Sequence[str]:
        columns: list[str] | None = table.columns()
        return columns or []

    def extended(self, table: Any, task: Task) -> Any:
        task.check_sendable()

        def extended(block: Any) -> Any:
            leave_processors_to_the_engine()
            return task.extended(block)

        return _mapped(table, extended)

    def partials(self, table: Any, task: Task, *, keep: bool) -> Iterator[Partial]:
        task.check_sendable()

        def partial(block: Any) -> Any:
            leave_processors_to_the_engine()
            return task.partial(block, keep=keep).table(engine_package("pyarrow", "parquet"))

        mapped = _mapped(table, partial)
        mapped.context.execution_options.preserve_order = True
        yield from map(Partial.read, mapped.iter_rows())


def _mapped(dataset: Any, function: Any) -> Any:
    return dataset.map_batches(function, batch_format="pyarrow", batch_size=None)


_ADAPTER: Final = Ray()
statistics, scores, score = _ADAPTER.statistics, _ADAPTER.scores, _ADAPTER.score
