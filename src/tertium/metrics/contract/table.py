"""The table of metrics: those of the catalog, and what other packages offer by entry points."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from tertium.lazy import LazyTable
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.catalog import CATALOG
from tertium.metrics.contract.spec import Spec

AnyMetric: TypeAlias = Metric | str
AnyMetrics: TypeAlias = AnyMetric | Sequence[AnyMetric]

METRICS: Final[LazyTable[type[Metric]]] = LazyTable(
    "metric",
    {name: entry.location for name, entry in CATALOG.items()},
    group="tertium.metrics",
)
"""Metric name → its class; imported when asked for, so start-up stays short."""


def several_metrics(metrics: AnyMetrics) -> tuple[AnyMetric, ...]:
    """One metric, or several, as several."""
    return (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics)


def as_metric(metric: AnyMetric) -> Metric:
    """A metric as it is, or the one that a text describes."""
    return metric if isinstance(metric, Metric) else parse_metric(metric)


def parse_metric(text: str) -> Metric:
    """The metric that a spec or a signature describes; a signature's keys may be short ones.

    >>> parse_metric("bleu[order=2,lowercase=yes]").spec
    'bleu[lowercase=yes,order=2]'
    >>> parse_metric("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp").spec
    'bleu[tokenizer=intl,lowercase=yes]'
    >>> parse_metric("chrF2++|#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0").spec
    'chrf[word_order=2]'
    """
    return parse_spec(text).build()


def parse_spec(text: str) -> Spec:
    """What a spec or a signature sets, for who has defaults of their own for the rest.

    >>> spec = parse_spec("bleu[order=2]")
    >>> spec.sets("order"), spec.sets("tokenizer"), spec.build(tokenizer="none", width=3).spec
    (True, False, 'bleu[tokenizer=none,order=2]')
    """
    return Spec.parse(text, METRICS)
