"""A metric of Hugging Face's ``evaluate``: ``evaluate.load(SCRIPT, "chrf")``, without a network.

``evaluate`` copies this file to a folder of its own and takes the class that it finds in it.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tertium.evaluation import score
from tertium.integrations.packages import package
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.text.references import References

SCRIPT = __file__
"""What ``evaluate.load`` and ``evaluate.combine`` take for a path."""

_DESCRIPTION = "Metrics of machine translation by tertium."
_INPUTS = """
predictions: texts. references: a text for each, or a list of texts where there are several.
metrics: the metrics, as tertium names them; those of the module if none are given.
Gives the score of each metric by its name, and how it was made under "<name> signature".
"""


class Tertium(package("evaluate", "evaluate", "evaluate").Metric):  # type: ignore[misc]
    """One metric or several: ``Tertium("bleu")``, ``Tertium("bleu[tokenizer=intl]", "chrf")``."""

    def __init__(self, config_name: str | None = None, *more: str, **options: Any) -> None:
        names = (config_name or "bleu", *more)
        self.metrics = tuple(as_metric(name) for name in names)
        # It becomes the name of a folder.
        super().__init__(config_name=quote(" ".join(names), safe="[]=, "), **options)

    def _info(self) -> Any:
        evaluate = package("evaluate", "evaluate", "evaluate")
        datasets = package("datasets", "evaluate", "evaluate")
        text = datasets.Value("string")
        several = datasets.Sequence(text, id="references")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation="\n".join(metric.citation for metric in self.metrics),
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": several}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str] | Sequence[Sequence[str]],
        metrics: Sequence[AnyMetric] | None = None,
    ) -> dict[str, float | str]:
        chosen = self.metrics if metrics is None else tuple(map(as_metric, metrics))
        shared = References.of(references)
        scores: dict[str, float | str] = {}
        for metric in chosen:
            result = score(predictions, shared, metric)
            scores[metric.spec] = result.value
            scores[f"{metric.spec} signature"] = result.signature
        return scores
