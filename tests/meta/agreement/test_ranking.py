"""Metrics ranked over language pairs and measures: by hand, and as WMT23's figures have it."""

from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.overview import RatedSet, rated_sets
from tertium.meta.agreement.ranking import ALL_SETS, MetricRanking, rank_metrics
from tertium.meta.ratings.files import read_judgments, read_scores
from tertium.meta.ratings.judgments import Floats, MetricScores
from tests.oracles import metric_tests as oracle
from tests.support.meta.rated_sets import SYSTEMS, golden, rated


def ranking(**options: object) -> MetricRanking:
    sets = [rated("xx-yy", seed=1), rated("yy-xx", seed=2)]
    return rank_metrics(sets, trials=200, seed=3, **options)  # type: ignore[arg-type]


def test_columns_are_measures_of_pairs_and_the_mean_is_theirs() -> None:
    found = ranking()
    assert [(column.name, column.measure) for column in found.columns] == [
        ("xx-yy", "soft-accuracy"),
        ("xx-yy", "acc-eq-item"),
        ("yy-xx", "soft-accuracy"),
        ("yy-xx", "acc-eq-item"),
    ]
    assert found.overall.metrics[0] == "COMET"
    assert set(found.overall.metrics) == {"COMET", "GEMBA[noref]", "noise"}
    for metric, value in zip(found.overall.metrics, found.overall.values, strict=True):
        values = [column.of(metric) for column in found.columns]
        assert value == pytest.approx(np.mean([one[0] for one in values if one is not None]))
    assert list(found.overall.values) == sorted(found.overall.values, reverse=True)
    assert found.overall.ranks[0] == 1
    assert found.overall.p_values[0, 2] <= 0.05


def test_the_task_of_wmt23_weighs_pairwise_accuracy_by_pairs() -> None:
    found = ranking(task="wmt23")
    first, *others = found.columns
    assert (first.name, first.measure, first.weight, first.systems) == (ALL_SETS, "accuracy", 2, 12)
    assert {column.weight for column in others} == {1.0}
    expected = 2 * _value(first, "COMET")
    for column in others:
        value = _value(column, "COMET")
        expected += value if column.measure == "acc-eq-item" else (1 + value) / 2
    overall = found.overall.of("COMET")
    assert overall is not None
    assert overall[0] == pytest.approx(expected / 8)


def _value(column: object, metric: str) -> float:
    found: tuple[float, int] = column.of(metric)  # type: ignore[attr-defined]
    return found[0]


def test_measures_replace_those_of_the_task() -> None:
    found = ranking(measures=["kendall"], exchange="items")
    assert [column.measure for column in found.columns] == ["kendall", "kendall"]
    assert (found.task, found.exchange) == ("", "items")
    with pytest.raises(OptionError, match="measure 'kendall-wmt12': found no test of it, expected"):
        ranking(measures=["kendall-wmt12"])
    with pytest.raises(OptionError, match="wmt23"):
        ranking(task="wmt3")


def test_items_are_documents() -> None:
    """Twelve documents can be exchanged in 4096 ways; segments would make smaller p-values."""
    official, items = (
        ranking(measures=["acc-eq-item"]),
        ranking(measures=["acc-eq-item"], exchange="items"),
    )
    for one, other in zip(official.columns, items.columns, strict=True):
        assert one.metrics == other.metrics
        assert one.values == pytest.approx(other.values)
        assert (one.p_values != other.p_values).any()


def test_a_metric_without_segments_is_said_to_be_left_out() -> None:
    whole = rated("xx-yy", seed=1)
    bare = MetricScores(metric="bare", systems=SYSTEMS, values=np.arange(6.0))
    found = rank_metrics(
        [RatedSet(judgments=whole.judgments, scores=(*whole.scores, bare))],
        measures=["pearson", "acc-eq-item"],
        trials=20,
    )
    assert "xx-yy mqm: bare left out of acc-eq-item: no scores of segments" in found.left_out
    assert "bare left out of the mean: not in every column" in found.left_out
    assert "bare" in found.columns[0].metrics
    assert "bare" not in found.overall.metrics


def test_equal_names_without_references_stay_apart() -> None:
    found = rank_metrics([rated("xx-yy", seed=1, metrics=("COMET-refA", "COMET-refB"))], trials=20)
    assert set(found.overall.metrics) == {"COMET-refA", "COMET-refB"}


def test_one_metric_cannot_be_ranked() -> None:
    with pytest.raises(InputError, match="no measure of two metrics"):
        rank_metrics([rated("xx-yy", seed=1, metrics=("COMET-refA",))], trials=20)


# ---- on WMT23, as mt-metrics-eval has it ----------------------------------------------------


@pytest.fixture(scope="module")
def wmt23(shared_data: Path) -> tuple[RatedSet, ...]:
    folder = shared_data / "wmt23"
    judgments = read_judgments(folder, criteria=["mqm"])
    return rated_sets(judgments, read_scores(folder))[0]


@pytest.mark.shared
def test_all_columns_are_those_of_mt_metrics_eval(
    shared_data: Path, wmt23: tuple[RatedSet, ...]
) -> None:
    """zh-en is as in tables 8 and 9 of the task's paper, which mt-metrics-eval reproduces."""
    measures = {
        "pearson": "sys_pearson",
        "accuracy": "sys_pairwise_accuracy",
        "soft-accuracy": "sys_soft_pairwise_accuracy",
        "segment-pearson-none": "seg_pearson",
        "acc-eq-item": "seg_acc_eq_item",
    }
    found = rank_metrics(wmt23, measures=list(measures), trials=20)
    expected = {
        (row["pair"], row["metric"].replace("-refA", "").replace("-src", "[noref]")): row
        for row in golden(shared_data)
    }
    assert len(expected) == 24
    for column in found.columns:
        assert len(column.metrics) == 12
        for metric, value in zip(column.metrics, column.values.tolist(), strict=True):
            official = float(expected[column.name, metric][measures[column.measure]])
            assert value == pytest.approx(official, abs=1e-4), (column.name, metric)


PAIRS = (
    ("COMET", "BLEURT-20"),
    ("COMET", "BERTscore"),
    ("YiSi-1", "chrF"),
    ("chrF", "BLEU"),
    ("CometKiwi[noref]", "MetricX-23"),
)
EXCHANGES = 200


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("measure", ["soft-accuracy", "acc-eq-item"])
def test_p_values_are_those_of_mt_metrics_eval(wmt23: tuple[RatedSet, ...], measure: str) -> None:
    """Its definitions exchange by exchange, within the noise of 200 of them and of 1000 of ours."""
    zh_en = [one for one in wmt23 if one.judgments.name == "zh-en"]
    column = rank_metrics(zh_en, measures=[measure], trials=1000).columns[0]
    people = zh_en[0].judgments
    segments = people.segments
    assert segments is not None
    known = ~np.isnan(segments).any(axis=0)
    ratings = segments[:, known]
    outputs: dict[str, Floats] = {}
    for scores in zh_en[0].scores:
        assert scores.segments is not None
        rows = [scores.systems.index(name) for name in people.systems]
        name = scores.metric.replace("-refA", "").replace("-src", "[noref]")
        outputs[name] = scores.segments[rows][:, known]
    for pair in PAIRS:
        if measure == "soft-accuracy":
            agreement = oracle.soft_accuracy_of(ratings, 1000)
            expected = oracle.exchanged_scores(
                agreement, outputs[pair[0]], outputs[pair[1]], exchanges=EXCHANGES, seed=1
            )
        else:
            epsilons = tuple(_epsilon(ratings, outputs[name]) for name in pair)
            expected = oracle.exchanged_pairs(
                ratings,
                outputs[pair[0]],
                outputs[pair[1]],
                (epsilons[0], epsilons[1]),
                exchanges=EXCHANGES,
                seed=1,
            )
        places = [column.metrics.index(name) for name in pair]
        found = column.p_values[places[0], places[1]]
        spread = max(expected * (1 - expected), 0.02) * (1 / EXCHANGES + 1 / 1000)
        assert found == pytest.approx(expected, abs=3.5 * spread**0.5), pair


def _epsilon(ratings: Floats, scores: Floats) -> float:
    from tertium.meta.agreement.grouped_correlation import calibrate_ties

    return calibrate_ties(ratings, scores, "item").epsilon
