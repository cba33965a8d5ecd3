"""Whose scores they are: name, model, version, precision and direction of a foreign metric."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import option
from tertium.metrics.foreign.segment_metric import SegmentMetric

UNKNOWN: Final = "unknown"
Direction = Literal["auto", "yes", "no"]

_ERRORS: Final = re.compile(
    r"(metricx|mqm|h?ter|terp|tercom|[wcp]er|character|eed)(?![a-z])", flags=re.IGNORECASE
)
"""How the names of metrics begin that count errors, and so are better the lower they are."""


_CORPUS_LEVEL: Final = frozenset({"bleu", "spbleu", "f200spbleu", "chrf", "chrf2", "chrf++", "ter"})
"""Names under which a corpus score is expected that is no mean over segments."""


def counts_errors(name: str) -> bool:
    """Whether lower is better under this name, as far as that is established.

    >>> counts_errors("MetricX-24"), counts_errors("TER"), counts_errors("TERRA"), counts_errors("")
    (True, True, False, False)
    """
    return _ERRORS.match(name) is not None


class _ByInstance:
    """An attribute that classes have, too: the class's is a word for all, an instance has its own.

    Lists of metrics ask the class, results ask the metric.
    """

    def __init__(self, of_class: object, of_metric: Callable[[Any], object]) -> None:
        self._of_class = of_class
        self._of_metric = of_metric

    def __get__(self, metric: object | None, owner: type) -> object:
        return self._of_class if metric is None else self._of_metric(metric)


def by_instance(of_class: object, of_metric: Callable[[Any], object]) -> Any:
    """A class variable of the contract that is an option of foreign metrics."""
    return _ByInstance(of_class, of_metric)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMetric(SegmentMetric):
    """A metric that others compute, under a name of its own.

    What is not told stays ``unknown`` in the signature, where every reader sees it.
    """

    elsewhere: ClassVar[bool] = True
    title: ClassVar[str] = by_instance("scores", lambda metric: metric.shown_name)
    higher_is_better: ClassVar[bool] = by_instance(True, lambda metric: metric.is_gain)

    label: str = option("", "what it is called in tables", spelled="name")
    model: str = option(UNKNOWN, "the model behind it", always=True)
    release: str = option(
        UNKNOWN, "the version of what computes it", spelled="version", key="release", always=True
    )
    precision: str = option(UNKNOWN, "of its arithmetic, such as fp16", always=True)
    higher: Direction = option("auto", "whether more is better", always=True)

    @property
    def shown_name(self) -> str:
        """The name in tables."""
        return self.label or self.name

    @property
    def is_gain(self) -> bool:
        """Whether more is better: as told, else unless the name is that of an error rate."""
        if self.higher == "auto":
            return not counts_errors(self.shown_name)
        return self.higher == "yes"

    def signature(self, references: str | int = 1) -> str:
        """The identity with the direction that is used, be it told or known by name."""
        settled = replace(self, higher="yes" if self.is_gain else "no", label=self.shown_name)
        return Metric.signature(settled, references)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Which parts of its identity nobody told."""
        sentences = []
        if self.shown_name.lower() in _CORPUS_LEVEL:
            sentences.append("a mean of segment scores, which is not the corpus score of that name")
        parts = {"model": self.model, "version": self.release}
        unknown = [name for name, value in parts.items() if value == UNKNOWN]
        if unknown:
            told = f"{' and '.join(unknown)} unknown"
            sentences.append(f"{told}, so others cannot make these scores again")
        return tuple(sentences)
