"""BCa intervals: scipy's on the same resamples, and cases in which there is nothing to bend."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import tertium
from tertium.compare import compare
from tertium.decide import decide
from tertium.errors import OptionError
from tertium.inference import (
    MetricRows,
    confidence_interval,
    paired_bootstrap,
    with_intervals,
    with_paired_bootstrap,
)
from tertium.inference.intervals import bca_limits, left_out_scores, limits
from tertium.metrics.contract.base import Rows, Scores
from tertium.metrics.contract.table import parse_metric
from tertium.results import Interval
from tertium.study import study
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tests.support.commands import error, output
from tests.support.effort import examples
from tests.support.means import MEAN, rows_of_means
from tests.support.sample import FILES, LABELLED, REFERENCES

WER = parse_metric("wer")


@pytest.fixture(scope="module")
def sample() -> Chunk:
    systems = FILES[FILES.index("-i") + 1 :]
    return open_inputs(REFERENCES, systems, documents=LABELLED[1]).load()


def by_scipy(values: Scores, resampled: Scores, level: float) -> tuple[float, float]:
    drawn: Any = SimpleNamespace(bootstrap_distribution=resampled)
    found = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=0,
        confidence_level=level,
        method="BCa",
        bootstrap_result=drawn,
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def ends(interval: Interval) -> tuple[float, float]:
    assert interval.method == "bca"
    return interval.low, interval.high


@settings(max_examples=examples(60), deadline=None)
@given(
    # So many that no resample has each of them once: scipy breaks such ties by rounding.
    st.lists(st.integers(0, 500), min_size=15, max_size=40, unique=True),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
    st.integers(0, 9),
)
def test_a_mean_has_scipys_interval(values: list[int], level: float, seed: int) -> None:
    skewed = np.exp(np.array(values) / 100)  # far from symmetric, so that a is far from 0
    made = confidence_interval(
        MEAN, rows_of_means(skewed), trials=500, seed=seed, level=level, interval="bca"
    )
    expected = by_scipy(skewed, made.scores, level)
    np.testing.assert_allclose(ends(made.interval), expected, rtol=1e-9)


def test_a_paired_difference_has_scipys_interval() -> None:
    rng = np.random.default_rng(4)
    baseline = rng.gamma(0.5, size=60)
    system = baseline + rng.exponential(size=60) - 0.8
    made = paired_bootstrap(
        MEAN, rows_of_means(baseline), rows_of_means(system), trials=2000, interval="bca"
    )
    for interval, values, resampled in (
        (made.interval, system - baseline, made.deltas),
        (made.system_interval, system, made.system_scores),
        (made.baseline_interval, baseline, made.baseline_scores),
    ):
        np.testing.assert_allclose(ends(interval), by_scipy(values, resampled, 0.95), rtol=1e-9)
    # The gain is skewed to the right, so that both ends lie further to the right.
    plain = paired_bootstrap(MEAN, rows_of_means(baseline), rows_of_means(system), trials=2000)
    assert plain.interval.method == "percentile"
    assert made.interval.low > plain.interval.low
    assert made.interval.high > plain.interval.high
    assert made.p_value == plain.p_value


def wer_rows(units: int, runs: int = 1) -> Rows:
    rng = np.random.default_rng(8)
    rows = np.zeros((2, runs, units, len(WER.columns)))
    lengths = rng.integers(5, 30, size=units)
    rows[..., 2] = rng.binomial(lengths, 0.3, size=(2, runs, units))
    rows[..., WER.columns.index("reference_length")] = lengths
    return rows


def test_what_is_left_out_is_left_out() -> None:
    rows = wer_rows(7, runs=3)
    found = left_out_scores(MetricRows(metric=WER, rows=rows))
    for system in range(2):
        for unit in range(7):
            rest = np.delete(rows[system], unit, axis=1)
            scores = [float(WER.score(run.sum(axis=0))) for run in rest]
            assert found[system, unit] == pytest.approx(np.mean(scores), rel=1e-12)
    one_run = left_out_scores(MetricRows(metric=WER, rows=rows[:, 1]))
    assert one_run[0, 3] == float(WER.score(np.delete(rows[0, 1], 3, axis=0).sum(axis=0)))


def test_many_distributions_at_once_are_those_of_each() -> None:
    rng = np.random.default_rng(2)
    resampled, observed = rng.gamma(2, size=(3, 4, 300)), rng.gamma(2, size=(3, 4))
    left_out = rng.gamma(1, size=(3, 4, 20))
    low, high = bca_limits(resampled, observed, left_out, level=0.9)
    for place in np.ndindex(3, 4):
        alone = bca_limits(resampled[place], np.array(observed[place]), left_out[place], level=0.9)
        assert [low[place], high[place]] == [float(end) for end in alone]


def test_documents_are_drawn_and_left_out_whole() -> None:
    rows = wer_rows(60)[0, 0]
    documents = [number // 5 for number in range(60)]
    summed = rows.reshape(12, 5, -1).sum(axis=1)
    by_document = confidence_interval(WER, rows, documents=documents, interval="bca")
    by_unit = confidence_interval(WER, summed, interval="bca")
    assert np.array_equal(by_document.scores, by_unit.scores)
    assert by_document.interval.unit == "document"
    assert by_document.interval.half_width > 1.08 * by_unit.interval.half_width


@pytest.mark.parametrize("heavy", [False, True])
def test_documents_widen_as_student_and_satterthwaite_say(heavy: bool) -> None:
    """The level whose BCa interval of segments has the same z, computed by scipy alone."""
    rng = np.random.default_rng(3)
    count = 12
    values = rng.standard_t(2, size=count) if heavy else np.linspace(-1, 1, count)
    resampled = rng.normal(size=4000)
    left_out = (values.sum() - values) / (count - 1)
    kurtosis = float(stats.kurtosis(values, fisher=False))
    assert (kurtosis > 4) == heavy
    freedom = 2 * count / (kurtosis - 1) if heavy else count - 1
    z = stats.t.ppf(0.975, freedom) * np.sqrt(count / (count - 1))
    expected = bca_limits(resampled, np.array(0.1), left_out, level=2 * stats.norm.cdf(z) - 1)
    found = bca_limits(resampled, np.array(0.1), left_out, level=0.95, unit="document", units=count)
    plain = limits(resampled, level=0.95, unit="document", units=count)
    wider = min(expected[0], plain[0]), max(expected[1], plain[1])
    np.testing.assert_allclose(found, wider, rtol=1e-9)
    assert (found == expected) == heavy  # of light tails percentiles reach further


@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e9])
@pytest.mark.parametrize("units", [1, 2, 9])
def test_all_equal(value: float, units: int) -> None:
    rows = rows_of_means(np.full(units, value))
    found = confidence_interval(MEAN, rows, trials=99, interval="bca").interval
    np.testing.assert_allclose(ends(found), (value, value), rtol=1e-12)


def test_one_unit() -> None:
    found = paired_bootstrap(MEAN, *rows_of_means(np.array([[1.0], [3.0]])), interval="bca")
    assert ends(found.interval) == (2.0, 2.0)
    assert ends(found.baseline_interval) == (1.0, 1.0)


def test_resamples_on_one_side_and_beyond_the_pole() -> None:
    """All below or above what was observed, with the greatest skewness that there can be."""
    left_out = np.array([1.0, 0.0, 0.0, 0.0])
    for observed in (-1.0, 2.0):
        resampled = np.linspace(0, 1, 101)
        low, high = bca_limits(resampled, np.array(observed), left_out, level=0.9999999)
        assert 0 <= low <= high <= 1


def test_scores_that_are_one_value_but_for_few() -> None:
    """Ties of resamples with the score count half, also where rounding makes them unequal."""
    values = np.full(50, 0.1)
    values[0] = 0.7
    made = confidence_interval(MEAN, rows_of_means(values), trials=1000, interval="bca")
    low, high = ends(made.interval)
    assert 0.1 - 1e-12 <= low < made.score < high <= 0.7


def test_unknown_kinds_are_refused(sample: Chunk) -> None:
    expected = "interval: found 'bcx', expected percentile or bca"
    with pytest.raises(OptionError, match=expected):
        confidence_interval(MEAN, rows_of_means(np.arange(3.0)), interval="bcx")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=expected):
        compare(sample.corpus, sample.systems, interval="bcx")  # type: ignore[arg-type]


# ---- everywhere the same --------------------------------------------------------------------


@pytest.mark.slow
def test_every_call_has_the_same_interval(sample: Chunk) -> None:
    corpus, systems = sample.corpus, sample.systems
    evaluation = tertium.evaluate(corpus, systems, ["bleu", "ter"], rows=True)
    whole = tertium.scored(corpus, systems, ["bleu", "ter"])
    trials = 2000
    alone = with_intervals(evaluation, trials=trials, interval="bca")
    shared = with_intervals(whole, trials=trials, interval="bca")
    paired = with_paired_bootstrap(evaluation, trials=trials, interval="bca")
    table = compare(whole, sections=["scores"], trials=trials, interval="bca").scores
    found = study(whole, trials=trials, interval="bca", audit=False, most_explained=0)
    decision = decide(whole, trials=trials, interval="bca", audit=False)
    assert table is not None
    for place in range(len(systems)):
        for metric in range(2):
            expected = alone.systems[place].scores[metric].interval
            compared = table.slices[0].scores[place][metric]
            assert expected is not None
            assert expected.method == "bca"
            assert shared.systems[place].scores[metric].interval == expected
            assert paired.systems[place].scores[metric].interval == expected
            assert found.evaluation.systems[place].scores[metric].interval == expected
            assert compared.interval == expected
            if not place:
                continue
            delta = compared.delta_interval
            pairs = found.pairs[whole.metrics[metric].spec]
            assert delta is not None
            assert decision.verdicts[place - 1].metrics[metric].interval == delta
            assert pairs.low[0, place] == pytest.approx(delta.low, rel=1e-12)
            assert pairs.high[0, place] == pytest.approx(delta.high, rel=1e-12)
            assert pairs.low[place, 0] == -pairs.high[0, place]
    signature = alone.systems[0].scores[0].signature
    assert "|bs:2000|seed:12345|resample:documents|interval:bca|" in signature
    assert parse_metric(f"BLEU|{signature}") == parse_metric("bleu")


def test_commands_show_both_ends(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--interval", "bca", "--trials", "500"]
    scored = output(capsys, "score", *FILES, "--confidence", *few)
    assert "BCa 95 %" in scored
    assert "BCa 95 %: bias-corrected and accelerated bootstrap interval by 92 segments" in scored
    rough = "92 segments, fewer than 120: bootstrap intervals are rough"
    lines = output(capsys, "score", *FILES, "--confidence", *few, "-f", "text", warning=rough)
    assert "|interval:bca|" in lines
    assert " [" in lines
    assert "± " not in lines
    compared = output(capsys, "compare", *FILES, *few, "--sections", "scores")
    assert "Δ BCa 95 %" in compared
    assert "[…]: the 95 % interval, BCa, by bootstrap of 92 segments" in compared
    made = json.loads(output(capsys, "compare", *FILES, *few, "--sections", "scores", "-f", "json"))
    score = made["systems"][1]["scores"][0]
    assert score["interval"]["method"] == score["delta_interval"]["method"] == "bca"
    assert made["scores"]["interval"] == "bca"
    decided = json.loads(output(capsys, "decide", *FILES, *LABELLED, *few, "-f", "json"))
    assert decided["systems"][1]["scores"][0]["delta_interval"]["method"] == "bca"


def test_what_nothing_uses_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    message = error(capsys, "score", *FILES, "--paired-ar", "--interval", "bca")
    assert "--interval: found alone, expected with --confidence or --paired-bs" in message
    message = error(capsys, "compare", *FILES, "--interval", "student")
    assert "percentile" in message
