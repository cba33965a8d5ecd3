"""A metric of ``torchmetrics``: ``update`` with batches of texts, ``compute``, ``reset``."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from tertium.errors import InputError, OptionError
from tertium.integrations.packages import package, ready
from tertium.metrics.contract.table import AnyMetric
from tertium.text.references import SegmentReferences

State: TypeAlias = Literal["rows", "sum"]


_TorchMetric: Any = package("torchmetrics", "torchmetrics", "torchmetrics").Metric


class TertiumScore(_TorchMetric):  # type: ignore[misc]
    """The score of all texts so far, as a tensor of one number of double precision.

    ``state`` says what is kept: the statistics of every segment, a few numbers for each, or only
    their sum. Rows give the bits of `tertium.score`; so does the sum for metrics that count, such
    as BLEU, TER or WER, as sums of whole numbers are exact. Between processes rows are put one
    after the other and sums are added.
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self, metric: AnyMetric = "bleu", *, state: State = "rows", **options: Any
    ) -> None:
        if state not in {"rows", "sum"}:
            raise OptionError(f"state: found '{state}', expected rows or sum")
        super().__init__(**options)
        self.metric = ready(metric)
        self.state = state
        torch = _torch()
        if state == "rows":
            self.add_state("rows", default=[], dist_reduce_fx="cat")
        else:
            zeros = torch.zeros(len(self.metric.columns), dtype=torch.float64)
            self.add_state("total", default=zeros, dist_reduce_fx="sum")
            self.add_state("segments", default=torch.tensor(0), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """The direction of the metric, for those who keep the best."""
        return self.metric.higher_is_better

    def update(self, preds: Sequence[str], target: Sequence[SegmentReferences]) -> None:
        """Take a batch: texts, and for each its reference or a list of several."""
        if isinstance(preds, str):
            raise InputError("preds: found one string, expected one for each segment")
        rows = _torch().from_numpy(self.metric.statistics(preds, target)).to(self.device)
        if self.state == "rows":
            self.rows.append(rows)
        else:
            self.total += rows.sum(dim=0)
            self.segments += len(rows)

    def compute(self) -> Any:
        """The score of everything that has been taken since the last reset."""
        torch = _torch()
        if self.state == "rows":
            rows = torch.cat(self.rows) if isinstance(self.rows, list) and self.rows else self.rows
            count, total = len(rows), rows
            if count:
                total = rows.cpu().numpy().sum(axis=0)
        else:
            count, total = int(self.segments), self.total.cpu().numpy()
        if not count:
            raise InputError("compute: found 0 segments, expected at least one update")
        return torch.tensor(float(self.metric.score(total)), dtype=torch.float64)


def _torch() -> Any:
    return package("torch", "torchmetrics", "torchmetrics")
