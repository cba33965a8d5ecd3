"""From statistics to confidence: whatever metric made the rows, the tests are the same.

>>> import numpy as np
>>> from tertium.metrics.table import parse_metric
>>> metric = parse_metric("wer")
>>> baseline = metric.statistics(["a b", "c d", "e f"], ["a x", "c y", "e z"])
>>> system = metric.statistics(["a x", "c y", "e z"], ["a x", "c y", "e z"])
>>> result = approximate_randomization(metric, baseline, system, trials=999, seed=1)
>>> result.delta, bool(0.2 < result.p_value < 0.3)  # 2 of the 8 ways to swap are as extreme
(-50.0, True)
"""

from tertium.inference.bootstrap import (
    Bootstrap,
    PairedBootstrap,
    confidence_interval,
    paired_bootstrap,
    paired_bootstraps,
)
from tertium.inference.corrections import benjamini_hochberg, holm
from tertium.inference.evaluations import with_intervals, with_paired_bootstrap, with_randomization
from tertium.inference.many import AllPairs, all_pairs
from tertium.inference.power import Detectability, detectability
from tertium.inference.randomization import (
    Randomization,
    approximate_randomization,
    randomizations,
)
from tertium.inference.rows import MetricRows, system_rows
from tertium.inference.sign_test import SignTest, Substitutions, substitution_sign_test

__all__ = [
    "AllPairs",
    "Bootstrap",
    "Detectability",
    "MetricRows",
    "PairedBootstrap",
    "Randomization",
    "SignTest",
    "Substitutions",
    "all_pairs",
    "approximate_randomization",
    "benjamini_hochberg",
    "confidence_interval",
    "detectability",
    "holm",
    "paired_bootstrap",
    "paired_bootstraps",
    "randomizations",
    "substitution_sign_test",
    "system_rows",
    "with_intervals",
    "with_paired_bootstrap",
    "with_randomization",
]
