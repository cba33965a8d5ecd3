"""Bootstrap intervals and the paired bootstrap test."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.inference import (
    MetricRows,
    confidence_interval,
    paired_bootstrap,
    paired_bootstraps,
    resampling,
)
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.oracles import inference as oracle
from tests.support.effort import examples

WER = parse_metric("wer")
BLEU = parse_metric("bleu")
REFERENCES = ["the cat sat on the mat", "a dog barked", "it rains in May", "no news is good news"]
BASELINE = ["the cat sat on a mat", "the dog barks", "it rains", "no news is good"]
SYSTEM = ["the cat sat on the mat", "a dog barked", "it rained May", "news are good now"]


def rows_of(hypotheses: list[str], metric: str = "wer") -> Rows:
    return parse_metric(metric).statistics(hypotheses, REFERENCES)


@pytest.fixture
def hundred() -> tuple[Rows, Rows]:
    """WER-like rows of two systems of which the second is somewhat better."""
    rng = np.random.default_rng(5)
    lengths = rng.integers(5, 30, size=100)
    rows = np.zeros((2, 100, len(WER.columns)))
    rows[0, :, 2] = rng.binomial(lengths, 0.30)
    rows[1, :, 2] = rng.binomial(lengths, 0.27)
    rows[:, :, WER.columns.index("reference_length")] = lengths
    return rows[0], rows[1]


@pytest.mark.parametrize("metric", ["wer", "bleu", "grr"])
def test_distribution_is_that_of_all_resamples(metric: str) -> None:
    baseline, system = rows_of(BASELINE, metric), rows_of(SYSTEM, metric)
    chosen = parse_metric(metric)
    every = oracle.resampled_differences(chosen.score, baseline, system)
    found = paired_bootstrap(chosen, baseline, system, trials=20_000, seed=3)
    gains = every if chosen.higher_is_better else -every
    for share, exact in (
        (found.wins, (gains > 1e-9).mean()),
        (found.losses, (gains < -1e-9).mean()),
        (found.ties, (abs(gains) <= 1e-9).mean()),
        (
            found.p_value * 20_001 - 1,
            (abs(every - found.delta) >= abs(found.delta) - 1e-9).mean(),
        ),
        (
            found.p_value_moses * 20_001 - 1,
            (abs(every) - abs(every).mean() >= abs(found.delta) - 1e-9).mean(),
        ),
    ):
        assert share / 20_000 == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 20_000))
    assert found.standard_error == pytest.approx(every.std(), rel=0.05)
    assert set(np.round(found.deltas, 6)) <= set(np.round(every, 6))


def test_better_is_lower_for_an_error_rate(hundred: tuple[Rows, Rows]) -> None:
    found = paired_bootstrap(WER, *hundred)
    assert found.delta < 0
    assert found.wins > 9000
    assert found.win_share == found.wins / 10_000
    assert found.p_value_one_sided == (1 + found.trials - found.wins) / 10_001
    assert found.interval.high < 1
    assert found.interval.low < found.delta < found.interval.high


def test_identical_systems_do_not_differ(hundred: tuple[Rows, Rows]) -> None:
    found = paired_bootstrap(WER, hundred[0], hundred[0])
    assert (found.wins, found.losses, found.ties) == (0, 0, 10_000)
    assert found.p_value == found.p_value_one_sided == found.p_value_moses == 1
    assert found.interval.low == found.interval.high == found.standard_error == 0


def test_direction_does_not_matter(hundred: tuple[Rows, Rows]) -> None:
    there, back = paired_bootstrap(WER, *hundred), paired_bootstrap(WER, *hundred[::-1])
    assert back.delta == -there.delta
    assert (back.wins, back.losses) == (there.losses, there.wins)
    assert back.interval.low == pytest.approx(-there.interval.high)
    for name in ("p_value", "p_value_one_sided", "p_value_moses"):
        assert getattr(there, name) == getattr(back, name)


def test_all_systems_and_metrics_see_the_same_resamples() -> None:
    third = ["the cat", "a dog barked", "in May", "good news"]
    groups = [
        MetricRows(
            metric=parse_metric(name),
            rows=np.stack([rows_of(texts, name) for texts in (BASELINE, SYSTEM, third)]),
        )
        for name in ("bleu", "wer")
    ]
    together = paired_bootstraps(groups, trials=300, seed=8)
    for group, tests in zip(groups, together, strict=True):
        for number, test in enumerate(tests, 1):
            alone = paired_bootstrap(
                group.metric, group.rows[0], group.rows[number], trials=300, seed=8
            )
            np.testing.assert_allclose(test.deltas, alone.deltas, atol=1e-12)
            np.testing.assert_allclose(test.baseline_scores, tests[0].baseline_scores)
            assert test.p_value == alone.p_value


def test_blocks_do_not_matter(hundred: tuple[Rows, Rows], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = paired_bootstrap(WER, *hundred, trials=500)
    monkeypatch.setattr(resampling, "MOST_TRIALS", 77)
    monkeypatch.setattr(resampling, "SCORED_AT_ONCE", 1)
    np.testing.assert_array_equal(paired_bootstrap(WER, *hundred, trials=500).deltas, whole.deltas)


def test_seed_decides(hundred: tuple[Rows, Rows]) -> None:
    one, same = (paired_bootstrap(WER, *hundred, seed=4) for _ in range(2))
    other = paired_bootstrap(WER, *hundred, seed=5)
    assert (one.seed, one.trials) == (4, 10_000)
    np.testing.assert_array_equal(one.deltas, same.deltas)
    assert (one.deltas != other.deltas).any()


def test_interval_of_one_system(hundred: tuple[Rows, Rows]) -> None:
    rows = hundred[0]
    found = confidence_interval(WER, rows, trials=4000)
    narrow = confidence_interval(WER, rows, trials=4000, level=0.5).interval
    assert found.score == pytest.approx(float(WER.score(rows.sum(axis=0))))
    assert found.interval.low < narrow.low < found.score < narrow.high < found.interval.high
    inside = (found.scores >= found.interval.low) & (found.scores <= found.interval.high)
    assert inside.mean() == pytest.approx(0.95, abs=0.001)
    assert found.interval.mean == pytest.approx(found.score, abs=0.1)
    # The delta method's standard error of a ratio of sums.
    errors, lengths = rows[:, :3].sum(axis=1), rows[:, -1]
    residuals = errors - found.score / 100 * lengths
    expected = 100 * np.sqrt((residuals**2).sum()) / lengths.sum()
    assert found.standard_error == pytest.approx(expected, rel=0.05)


@pytest.mark.slow
def test_intervals_hold_what_they_promise() -> None:
    # The true rate is 30 in 100; of 300 test sets about 95 % must have it inside.
    rng = np.random.default_rng(11)
    hits = 0
    for number in range(300):
        rows = np.zeros((150, len(WER.columns)))
        rows[:, -1] = rng.integers(5, 30, size=150)
        rows[:, 2] = rng.binomial(rows[:, -1].astype(int), 0.3)
        interval = confidence_interval(WER, rows, trials=400, seed=number).interval
        hits += interval.low <= 30 <= interval.high
    assert 0.91 <= hits / 300 <= 0.98


def test_several_runs_are_averaged(hundred: tuple[Rows, Rows]) -> None:
    first, second = hundred
    both = paired_bootstrap(WER, np.stack([first, second]), np.stack([second, second]))
    one = paired_bootstrap(WER, first, second)
    assert both.delta == pytest.approx(one.delta / 2)
    np.testing.assert_allclose(both.deltas, one.deltas / 2, atol=1e-9)


@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_p_values_are_never_0_nor_above_1(data: st.DataObject) -> None:
    counts = st.lists(st.integers(0, 9), min_size=1, max_size=6)
    baseline = data.draw(counts)
    system = data.draw(st.lists(st.integers(0, 9), min_size=len(baseline), max_size=len(baseline)))
    rows = np.zeros((2, len(baseline), len(WER.columns)))
    rows[0, :, 0], rows[1, :, 0], rows[:, :, -1] = baseline, system, 10
    found = paired_bootstrap(WER, rows[0], rows[1], trials=50, seed=data.draw(st.integers(0, 99)))
    for value in (found.p_value, found.p_value_one_sided, found.p_value_moses):
        assert 1 / 51 <= value <= 1
    assert found.wins + found.losses + found.ties == 50


def test_results_are_plain_numbers_for_json(hundred: tuple[Rows, Rows]) -> None:
    made = json.loads(json.dumps(paired_bootstrap(WER, *hundred).to_dict()))
    assert (made["method"], made["trials"], made["seed"]) == ("paired bootstrap", 10_000, 12345)
    assert made["interval"]["level"] == 0.95


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: paired_bootstrap(WER, np.ones((3, 4)), np.ones((2, 4))), InputError, r"\(2, 4\)"),
        (lambda: confidence_interval(WER, np.ones((3, 9))), InputError, r"\(1, 3, 9\), expected"),
        (lambda: confidence_interval(WER, np.ones((0, 4))), InputError, "expected"),
        (lambda: confidence_interval(WER, np.full((3, 4), np.nan)), InputError, "not finite"),
        (lambda: confidence_interval(WER, np.ones((3, 4)), trials=0), OptionError, "found 0"),
        (lambda: confidence_interval(WER, np.ones((3, 4)), seed=-1), OptionError, "found -1"),
        (lambda: confidence_interval(WER, np.ones((3, 4)), seed=2**64), OptionError, "2\\^64"),
        (lambda: confidence_interval(WER, np.ones((3, 4)), level=95), OptionError, "found 95"),
        (lambda: paired_bootstraps([]), InputError, "found no metric"),
        (
            lambda: paired_bootstraps(
                [
                    MetricRows(metric=WER, rows=np.ones((2, 3, 4))),
                    MetricRows(metric=BLEU, rows=np.ones((2, 4, 10))),
                ]
            ),
            InputError,
            r"bleu rows: found shape \(2, 4\)",
        ),
    ],
)
def test_errors(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
