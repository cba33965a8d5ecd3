"""The free numbers of a metric as one vector."""

import numpy as np
import pytest

from tertium.errors import OptionError
from tertium.metrics.amber.quality import PENALTIES
from tertium.metrics.contract.degenerate import own_metrics
from tertium.metrics.contract.table import METRICS, parse_metric

AVAILABLE = [name for name in own_metrics() if METRICS[name].missing() is None]


@pytest.mark.parametrize(
    ("spec", "names", "values"),
    [
        ("grr[beta=0.5]", ["alpha", "beta"], [1, 0.5]),
        ("bleu", ["weights"], []),
        ("bleu[weights=0.4+0.3+0.2+0.1]", ["weights"], [0.4, 0.3, 0.2, 0.1]),
        (
            "amber",
            [*("alpha", "theta1", "theta2", "ckp_beta", "ckp_gamma"), *PENALTIES],
            [0.9, 0.3, 0.5, 3, 0.1, 0.3, 0.1, 0.15, 0.05, 0.1, 0.2, 1, 0.8, 0.5, 2],
        ),
    ],
)
def test_free_parameters(spec: str, names: list[str], values: list[float]) -> None:
    metric = parse_metric(spec)
    assert [one.name for one in metric.tunable] == names
    np.testing.assert_array_equal(metric.parameters(), values)


@pytest.mark.parametrize("name", AVAILABLE)
def test_parameters_and_back(name: str) -> None:
    metric = parse_metric(name)
    assert metric.with_parameters(metric.parameters()) == metric
    changed = metric.with_parameters(0.25 * metric.parameters())
    np.testing.assert_allclose(changed.parameters(), 0.25 * metric.parameters())


def test_only_the_score_of_amber_depends_on_them() -> None:
    metric = parse_metric("amber")
    other = metric.with_parameters(0.5 * metric.parameters())
    texts = ["the cat sat on a mat", "dogs bark"], ["the cats sat on the mat", "the dog barks"]
    rows = metric.statistics(*texts)
    np.testing.assert_array_equal(rows, other.statistics(*texts))
    assert metric.score(rows.sum(axis=0)) != other.score(rows.sum(axis=0))


def test_a_vector_of_another_length() -> None:
    message = r"grr: found 3 parameters, expected 2 \(alpha, beta\)"
    with pytest.raises(OptionError, match=message):
        parse_metric("grr").with_parameters([1, 2, 3])
