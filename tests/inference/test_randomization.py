"""Approximate randomization, of single systems and over several optimiser runs."""

import numpy as np
import pytest
from scipy.stats import kstest

from tertium.errors import InputError
from tertium.inference import MetricRows, approximate_randomization, randomizations
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.oracles import inference as oracle

pytestmark = pytest.mark.slow

WER = parse_metric("wer")
BLEU = parse_metric("bleu")
REFERENCES = [
    "the cat sat on the mat",
    "a dog barked",
    "it rains in May",
    "no news is good news",
    "all is well",
    "that was the end of it",
]
FIRST = ["the cat sat on a mat", "the dog barks", "it rains", "no news is good", "all well", "so"]
SECOND = ["a cat sat on the mat", "a dog barked", "rained in May", "news", "all is well", "an end"]


def rows_of(hypotheses: list[str], metric: str) -> Rows:
    return parse_metric(metric).statistics(hypotheses, REFERENCES)


def error_rows(errors: Rows, length: float = 20.0) -> Rows:
    rows = np.zeros((*errors.shape, len(WER.columns)))
    rows[..., 0], rows[..., -1] = errors, length
    return rows


@pytest.mark.parametrize("metric", ["wer", "bleu", "per", "grr[alpha=0.3]", "chrf"])
def test_p_value_is_that_of_all_swaps(metric: str) -> None:
    chosen = parse_metric(metric)
    baseline, system = rows_of(FIRST, metric), rows_of(SECOND, metric)
    every = oracle.swapped_differences(chosen.score, baseline[None], system[None])
    found = approximate_randomization(chosen, baseline, system, trials=20_000, seed=6)
    exact = (abs(every) >= abs(found.delta) - 1e-9).mean()
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 20_000))
    # The null distribution has every swap, and nothing else.
    assert set(np.round(found.null, 6)) == set(np.round(every, 6))


def test_runs_are_strata() -> None:
    baseline = np.stack([rows_of(FIRST, "wer")[:3], rows_of(SECOND, "wer")[3:]])
    system = np.stack([rows_of(SECOND, "wer")[:3], rows_of(REFERENCES, "wer")[3:]])
    every = oracle.swapped_differences(WER.score, baseline, system)
    assert len(every) == 2**6
    found = approximate_randomization(WER, baseline, system, trials=20_000)
    exact = (abs(every) >= abs(found.delta) - 1e-9).mean()
    assert found.runs == 2
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 20_000))
    assert set(np.round(found.null, 6)) == set(np.round(every, 6))


def test_identical_systems_do_not_differ() -> None:
    rows = rows_of(FIRST, "bleu")
    assert approximate_randomization(BLEU, rows, rows, trials=100).p_value == 1
    runs = np.stack([rows, rows_of(SECOND, "bleu")])
    assert approximate_randomization(BLEU, runs, runs, trials=100).p_value == 1


def test_a_clear_difference_is_found() -> None:
    rng = np.random.default_rng(1)
    good, bad = rng.poisson([3.0, 6.0], size=(200, 2)).T.astype(np.float64)
    found = approximate_randomization(WER, error_rows(bad), error_rows(good), trials=999)
    assert found.p_value == 0.001
    assert found.delta < 0


def test_direction_does_not_matter() -> None:
    baseline, system = rows_of(FIRST, "bleu"), rows_of(SECOND, "bleu")
    there = approximate_randomization(BLEU, baseline, system, trials=500)
    back = approximate_randomization(BLEU, system, baseline, trials=500)
    assert there.p_value == back.p_value
    np.testing.assert_allclose(there.null, -back.null, atol=1e-12)


def test_p_values_are_uniform_under_the_null() -> None:
    # Fractions of errors, so that no two swaps tie: ties only make the test more careful.
    errors = np.random.default_rng(2026).gamma(2.0, 3.0, size=(800, 2, 60))
    p_values = np.array(
        [
            approximate_randomization(WER, *error_rows(pair), trials=399, seed=number).p_value
            for number, pair in enumerate(errors)
        ]
    )
    assert kstest(p_values, "uniform").pvalue > 0.01
    assert 0.03 < np.mean(p_values <= 0.05) < 0.07


def test_all_systems_swap_the_same_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    third = list(reversed(SECOND))
    groups = [
        MetricRows(
            metric=parse_metric(name),
            rows=np.stack([rows_of(texts, name) for texts in (FIRST, SECOND, third)]),
        )
        for name in ("chrf", "wer")
    ]
    together = randomizations(groups, trials=300, seed=9)
    monkeypatch.setenv("TERTIUM_THREADS", "1")
    for group, tests in zip(groups, together, strict=True):
        assert len(tests) == 2
        for number, test in enumerate(tests, 1):
            alone = approximate_randomization(
                group.metric, group.rows[0], group.rows[number], trials=300, seed=9
            )
            np.testing.assert_allclose(test.null, alone.null, atol=1e-10)
            assert test.p_value == alone.p_value
            assert test.to_dict()["p_value"] == test.p_value


def test_runs_must_be_as_many() -> None:
    rows = rows_of(FIRST, "wer")
    with pytest.raises(InputError, match=r"found shape \(1, 6, 4\), expected \(2, 6, 4\)"):
        approximate_randomization(WER, np.stack([rows, rows]), rows[None])
    with pytest.raises(InputError, match="found no metric"):
        randomizations([])
