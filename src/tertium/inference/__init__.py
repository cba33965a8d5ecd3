"""From statistics to confidence: whatever metric made the rows, the tests are the same.

>>> from tertium import parse_metric
>>> from tertium.inference import approximate_randomization
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

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.inference.bootstrap import Bootstrap as Bootstrap
    from tertium.inference.bootstrap import PairedBootstrap as PairedBootstrap
    from tertium.inference.bootstrap import confidence_interval as confidence_interval
    from tertium.inference.bootstrap import paired_bootstrap as paired_bootstrap
    from tertium.inference.bootstrap import paired_bootstraps as paired_bootstraps
    from tertium.inference.confidence import with_intervals as with_intervals
    from tertium.inference.confidence import with_paired_bootstrap as with_paired_bootstrap
    from tertium.inference.confidence import with_randomization as with_randomization
    from tertium.inference.corrections import Family as Family
    from tertium.inference.corrections import benjamini_hochberg as benjamini_hochberg
    from tertium.inference.corrections import corrected as corrected
    from tertium.inference.corrections import holm as holm
    from tertium.inference.corrections import step_down_max_t as step_down_max_t
    from tertium.inference.joint_tests import JointTests as JointTests
    from tertium.inference.joint_tests import pair_tests as pair_tests
    from tertium.inference.many import AllPairs as AllPairs
    from tertium.inference.many import all_pairs as all_pairs
    from tertium.inference.many import all_pairs_of as all_pairs_of
    from tertium.inference.many import runs_p_value as runs_p_value
    from tertium.inference.power import Detectability as Detectability
    from tertium.inference.power import detectability as detectability
    from tertium.inference.power import detectability_of as detectability_of
    from tertium.inference.randomization import Randomization as Randomization
    from tertium.inference.randomization import (
        approximate_randomization as approximate_randomization,
    )
    from tertium.inference.randomization import randomizations as randomizations
    from tertium.inference.rows import MetricRows as MetricRows
    from tertium.inference.rows import metric_rows as metric_rows
    from tertium.inference.sign_test import SignTest as SignTest
    from tertium.inference.sign_test import Substitutions as Substitutions
    from tertium.inference.sign_test import substitution_sign_test as substitution_sign_test
    from tertium.inference.units import FEWEST_UNITS as FEWEST_UNITS
    from tertium.inference.units import Units as Units
    from tertium.inference.units import units_of as units_of
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Bootstrap": "tertium.inference.bootstrap",
            "PairedBootstrap": "tertium.inference.bootstrap",
            "confidence_interval": "tertium.inference.bootstrap",
            "paired_bootstrap": "tertium.inference.bootstrap",
            "paired_bootstraps": "tertium.inference.bootstrap",
            "with_intervals": "tertium.inference.confidence",
            "with_paired_bootstrap": "tertium.inference.confidence",
            "with_randomization": "tertium.inference.confidence",
            "Family": "tertium.inference.corrections",
            "benjamini_hochberg": "tertium.inference.corrections",
            "corrected": "tertium.inference.corrections",
            "holm": "tertium.inference.corrections",
            "step_down_max_t": "tertium.inference.corrections",
            "JointTests": "tertium.inference.joint_tests",
            "pair_tests": "tertium.inference.joint_tests",
            "AllPairs": "tertium.inference.many",
            "all_pairs": "tertium.inference.many",
            "all_pairs_of": "tertium.inference.many",
            "runs_p_value": "tertium.inference.many",
            "Detectability": "tertium.inference.power",
            "detectability": "tertium.inference.power",
            "detectability_of": "tertium.inference.power",
            "Randomization": "tertium.inference.randomization",
            "approximate_randomization": "tertium.inference.randomization",
            "randomizations": "tertium.inference.randomization",
            "MetricRows": "tertium.inference.rows",
            "metric_rows": "tertium.inference.rows",
            "SignTest": "tertium.inference.sign_test",
            "Substitutions": "tertium.inference.sign_test",
            "substitution_sign_test": "tertium.inference.sign_test",
            "FEWEST_UNITS": "tertium.inference.units",
            "Units": "tertium.inference.units",
            "units_of": "tertium.inference.units",
        },
    )
