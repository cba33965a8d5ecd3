"""Metrics: tokens become additive statistics, sums of statistics become scores.

What a metric of your own needs is here: ``Metric`` with ``option`` and ``ratio``, ``WordMetric``
for metrics over words, ``SegmentMetric`` for means of segment scores, ``aligned`` for texts and
references.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.metrics.contract.base import Metric as Metric
    from tertium.metrics.contract.base import Rows as Rows
    from tertium.metrics.contract.base import Scores as Scores
    from tertium.metrics.contract.base import option as option
    from tertium.metrics.contract.base import ratio as ratio
    from tertium.metrics.contract.table import METRICS as METRICS
    from tertium.metrics.contract.table import parse_metric as parse_metric
    from tertium.metrics.contract.word_metric import WordMetric as WordMetric
    from tertium.metrics.foreign.segment_metric import SegmentMetric as SegmentMetric
    from tertium.text.references import AnyReferences as AnyReferences
    from tertium.text.references import Hypotheses as Hypotheses
    from tertium.text.references import aligned as aligned
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Metric": "tertium.metrics.contract.base",
            "Rows": "tertium.metrics.contract.base",
            "Scores": "tertium.metrics.contract.base",
            "option": "tertium.metrics.contract.base",
            "ratio": "tertium.metrics.contract.base",
            "METRICS": "tertium.metrics.contract.table",
            "parse_metric": "tertium.metrics.contract.table",
            "WordMetric": "tertium.metrics.contract.word_metric",
            "SegmentMetric": "tertium.metrics.foreign.segment_metric",
            "AnyReferences": "tertium.text.references",
            "Hypotheses": "tertium.text.references",
            "aligned": "tertium.text.references",
        },
    )
