"""From statistics to confidence: whatever metric made the rows, the tests are the same.

>>> import numpy as np
>>> from tertium.metrics.table import parse_metric
>>> metric = parse_metric("wer")
>>> baseline = metric.statistics(["a b", "c d", "e f"], ["a x", "c y", "e z"])
>>> system = metric.statistics(["a x", "c y", "e z"], ["a x", "c y", "e z"])
>>> result = approximate_randomization(metric, baseline, system, trials=999, seed=1)
>>> result.delta, result.p_value  # 2 of the 8 ways to swap are as extreme
(-50.0, 0.25)

Segments of one document are not independent. Where ``documents`` names the document of every
segment, the unit of a test is the document:

>>> result = approximate_randomization(metric, baseline, system, documents=["news", "web", "web"])
>>> result.units, result.p_value
(2, 0.5)
"""

from tertium.inference.bootstrap import (
    Bootstrap,
    PairedBootstrap,
    confidence_interval,
    paired_bootstrap,
    paired_bootstraps,
)
from tertium.inference.corrections import Family, benjamini_hochberg, corrected, holm
from tertium.inference.evaluations import with_intervals, with_paired_bootstrap, with_randomization
from tertium.inference.many import AllPairs, all_pairs, all_pairs_of
from tertium.inference.power import Detectability, detectability
from tertium.inference.randomization import (
    Randomization,
    approximate_randomization,
    randomizations,
)
from tertium.inference.rows import MetricRows, system_rows
from tertium.inference.sign_test import SignTest, Substitutions, substitution_sign_test
from tertium.inference.units import FEWEST_UNITS, Units, units_of

__all__ = [
    "FEWEST_UNITS",
    "AllPairs",
    "Bootstrap",
    "Detectability",
    "Family",
    "MetricRows",
    "PairedBootstrap",
    "Randomization",
    "SignTest",
    "Substitutions",
    "Units",
    "all_pairs",
    "all_pairs_of",
    "approximate_randomization",
    "benjamini_hochberg",
    "confidence_interval",
    "corrected",
    "detectability",
    "holm",
    "paired_bootstrap",
    "paired_bootstraps",
    "randomizations",
    "substitution_sign_test",
    "system_rows",
    "units_of",
    "with_intervals",
    "with_paired_bootstrap",
    "with_randomization",
]
