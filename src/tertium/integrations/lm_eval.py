"""Metrics of the Language Model Evaluation Harness: ``tertium_bleu``, ``tertium_chrf`` and so on.

Who imports this module has registered them all. A task in YAML imports it by one line::

    metric_list:
      - metric: tertium_chrf
        word_order: 2
        aggregation: !function tertium.integrations.lm_eval.corpus_score
        higher_is_better: true
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from tertium.errors import InputError, OptionError
from tertium.evaluation import score
from tertium.integrations.packages import package
from tertium.metrics.contract.table import METRICS, as_metric


class Judged(NamedTuple):
    """What is kept of one document until all are there."""

    spec: str
    hypothesis: str
    references: tuple[str, ...]


def corpus_score(items: Sequence[Judged]) -> float:
    """The aggregation: the score of all documents together."""
    specs = {item[0] for item in items}
    if len(specs) != 1:
        found = ", ".join(sorted(specs)) or "no document"
        raise InputError(f"corpus_score: found {found}, expected documents of one metric")
    hypotheses = [item[1] for item in items]
    return score(hypotheses, [list(item[2]) for item in items], specs.pop()).value


def judged(
    name: str, *, references: Sequence[Any], predictions: Sequence[str], **options: object
) -> Judged:
    """The metric as the harness calls it for one document; options are those of the metric."""
    (hypothesis,), (gold,) = predictions, references
    several = (gold,) if isinstance(gold, str) else tuple(gold)
    return Judged(spec_of(name, options), hypothesis, several)


def spec_of(name: str, options: Mapping[str, object]) -> str:
    """A metric's text form of its name and options, checked."""
    words = {True: "yes", False: "no"}
    pairs = [
        f"{key}={words[value] if isinstance(value, bool) else value}"
        for key, value in options.items()
    ]
    return as_metric(f"{name}[{','.join(pairs)}]" if pairs else name).recipe


def several_references(
    column: str, *specs: str
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, Judged]]:
    """``process_results`` for documents with a list of references in ``column``.

    The harness itself asks a metric about one reference after the other. The task's file of
    functions has ``process_results = several_references("references", "bleu", "chrf")``, and its
    YAML names ``process_results: !function utils.process_results`` beside the metrics.
    """
    chosen = [as_metric(spec).recipe for spec in specs]
    if not chosen:
        raise OptionError("several_references: found no metric, expected at least one")

    def process_results(document: Mapping[str, Any], results: Sequence[str]) -> dict[str, Judged]:
        if column not in document:
            raise InputError(
                f"document: found no column '{column}' (but {', '.join(document)}), "
                "expected references"
            )
        given = document[column]
        texts = (given,) if isinstance(given, str) else tuple(given)
        return {f"tertium_{spec}": Judged(spec, results[0], texts) for spec in chosen}

    return process_results


def _register() -> None:
    """Tell the harness of every metric, and of the aggregation by the name ``tertium``."""
    registry = package("lm_eval.api.registry", "lm_eval", "lm-eval")
    # Its own come first: it fills an empty table only.
    package("lm_eval.api.metrics", "lm_eval", "lm-eval")
    if "tertium" in registry.AGGREGATION_REGISTRY:
        return
    registry.register_aggregation("tertium")(corpus_score)
    for name in METRICS:
        registry.register_metric(
            metric=f"tertium_{name}",
            higher_is_better=METRICS[name].higher_is_better,
            output_type="generate_until",
            aggregation="tertium",
        )(partial(judged, name))


_register()
