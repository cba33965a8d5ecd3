"""What every adapter offers, over the three things that its engine does in its own way."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Final

from tertium.metrics.contract.table import AnyMetric
from tertium.results import Score
from tertium.scale.adapters.partial import Partial, total_score
from tertium.scale.adapters.task import Metrics, Task

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
