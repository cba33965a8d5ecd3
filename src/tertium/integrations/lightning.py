"""A callback of PyTorch Lightning that logs scores of what was collected in validation."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from tertium.errors import InputError
from tertium.evaluation import score
from tertium.integrations.packages import package
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plurals import counted
from tertium.results import Score
from tertium.text.references import References, SegmentReferences

Reader: TypeAlias = Callable[[Any, Any], tuple[Sequence[str], Sequence[SegmentReferences]]]
"""From what ``validation_step`` gave back and its batch to hypotheses and references."""


# The same program has two names; who has the older one alone is served, too.
_OLDER: Final = find_spec("lightning") is None and find_spec("pytorch_lightning") is not None
_NAME: Final = "pytorch_lightning" if _OLDER else "lightning.pytorch"
_Callback: Any = package(_NAME, "lightning", "lightning").Callback


class TranslationScores(_Callback):  # type: ignore[misc]
    """Scores over all validation batches, logged as ``val_bleu`` and so on.

    ``validation_step`` returns a dictionary with the texts ``hypotheses`` and ``references``; the
    latter may be in the batch instead. For any other form give ``read``. The log keeps numbers of
    single precision; ``scores`` has them whole, with signatures.
    """

    def __init__(
        self,
        metrics: Sequence[AnyMetric] = ("bleu", "chrf"),
        *,
        prefix: str = "val_",
        read: Reader | None = None,
        show_progress: bool = False,
    ) -> None:
        self.metrics = tuple(as_metric(metric) for metric in metrics)
        self.prefix = prefix
        self.read = read or texts_of
        self.show_progress = show_progress
        self.scores: dict[str, Score] = {}
        """Of the last validation, by the metrics' names."""
        self._hypotheses: list[str] = []
        self._references: list[SegmentReferences] = []

    def on_validation_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin anew."""
        self._hypotheses, self._references = [], []

    def on_validation_batch_end(  # noqa: PLR0917 - as Lightning calls it
        self,
        trainer: Any,
        pl_module: Any,
        outputs: Any,
        batch: Any,
        batch_idx: int,
        dataloader_idx: int = 0,
    ) -> None:
        """Collect the texts of a batch."""
        hypotheses, references = self.read(outputs, batch)
        if len(hypotheses) != len(references):
            raise InputError(
                f"validation batch {batch_idx + 1}: {counted(len(hypotheses), 'hypothesis')}, "
                f"expected {len(references)} (references)"
            )
        self._hypotheses += hypotheses
        self._references += references

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        """Score everything, that of other processes too, and log it."""
        hypotheses, references = gathered(self._hypotheses, self._references)
        if not hypotheses:
            raise InputError("validation: found 0 segments, expected at least one")
        shared = References.of(references)
        scores = [score(hypotheses, shared, metric) for metric in self.metrics]
        self.scores = {one.metric.spec: one for one in scores}
        pl_module.log_dict(
            {f"{self.prefix}{name}": one.value for name, one in self.scores.items()},
            prog_bar=self.show_progress,
            on_step=False,
            on_epoch=True,
        )


def texts_of(outputs: Any, batch: Any) -> tuple[Sequence[str], Sequence[SegmentReferences]]:
    """Hypotheses and references of a validation step that gives them back by these names."""
    columns = []
    for name in ("hypotheses", "references"):
        places = [
            source for source in (outputs, batch) if isinstance(source, Mapping) and name in source
        ]
        if not places:
            raise InputError(
                f"validation_step: found no '{name}', expected a dictionary that has it, or "
                "read=… for another form"
            )
        columns.append(places[0][name])
    hypotheses, references = columns
    return hypotheses, references


def gathered(
    hypotheses: list[str], references: list[SegmentReferences]
) -> tuple[list[str], list[SegmentReferences]]:
    """The texts of all processes, in the order of their ranks."""
    distributed = package("torch.distributed", "lightning", "lightning")
    if not (distributed.is_available() and distributed.is_initialized()):
        return hypotheses, references
    parts: list[Any] = [None] * distributed.get_world_size()
    distributed.all_gather_object(parts, (hypotheses, references))
    return [text for one, _ in parts for text in one], [text for _, one in parts for text in one]
