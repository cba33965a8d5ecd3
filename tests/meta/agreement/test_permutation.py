"""Tests between metrics: what each exchange can speak of, and metrics that lack parts."""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.permutation_sizes import BIAS, sizes

from tertium.choices import EXCHANGES, Exchange
from tertium.errors import InputError
from tertium.meta import RatedSet, agreement_report
from tertium.meta.agreement.grouped_correlation import segment_accuracy
from tertium.meta.agreement.permutation_test import (
    accuracy_permutation_test,
    permutation_matrix,
    standardised,
)
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tests.support.commands import output

pytestmark = pytest.mark.slow

SYSTEMS = ("a", "b", "c", "d", "e", "f")


def people(seed: int = 0, segments: int = 30) -> Judgments:
    rng = np.random.default_rng(seed)
    rated = np.arange(6.0)[:, np.newaxis] + rng.normal(size=(6, segments))
    return Judgments(
        name="xx-en", criterion="mqm", systems=SYSTEMS, values=rated.mean(axis=1),
        segments=rated.round(),
    )  # fmt: skip


def metric(name: str, noise: float, *, segments: int | None = 30, seed: int = 1) -> MetricScores:
    rng = np.random.default_rng(seed)
    scored = people().segments
    assert scored is not None
    values = scored + noise * rng.normal(size=scored.shape)
    return MetricScores(
        metric=name,
        systems=SYSTEMS,
        values=values.mean(axis=1),
        segments=values if segments else None,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "simulations", "deceived"), [("pearson", 150, 0.25), ("acc-eq-item", 60, 0.1)]
)
def test_a_bias_for_systems_deceives_all_but_the_exchange_of_systems(
    measure: str, simulations: int, deceived: float
) -> None:
    """Two metrics made alike: 5 % should differ; the bound is three standard errors above."""
    most = 0.065 + 3 * (0.05 * 0.95 / simulations) ** 0.5
    even = sizes(0.0, measure=measure, simulations=simulations)
    assert all(share <= most for share in even.values()), even
    biased = sizes(BIAS, measure=measure, simulations=simulations)
    assert biased["systems"] <= most, biased
    assert min(biased["both"], biased["items"]) >= deceived, biased


@pytest.mark.parametrize("exchange", EXCHANGES)
def test_accuracies_after_an_exchange_are_those_of_the_exchanged_scores(exchange: Exchange) -> None:
    """With ε = 0 for both metrics, every exchange can be made and counted by hand."""
    rng = np.random.default_rng(4)
    rated = rng.normal(size=(3, 4))  # no ties, so that ε is 0
    first, second = rated + rng.normal(size=(2, 3, 4))
    found = accuracy_permutation_test(rated, first, second, exchange=exchange, trials=4000)
    a, b = standardised(first), standardised(second)

    def accuracy(scores: np.ndarray[Any, Any]) -> float:
        return segment_accuracy(rated, scores, "item", epsilon=0.0).value

    assert found.baseline == pytest.approx(accuracy(a))
    assert found.system == pytest.approx(accuracy(b))
    shape = {"systems": (3, 1), "items": (1, 4), "both": (3, 4)}[exchange]
    expected = [
        accuracy(np.where(coins, a, b)) - accuracy(np.where(coins, b, a))
        for thrown in itertools.product([True, False], repeat=int(np.prod(shape)))
        for coins in [np.array(thrown).reshape(shape)]
    ]
    assert set(found.null.round(9)) <= set(np.round(expected, 9))
    assert found.null.std() == pytest.approx(np.std(expected), rel=0.1)


def test_acc_eq_of_a_much_better_metric_is_significant() -> None:
    for exchange in EXCHANGES:
        found = permutation_matrix(
            people(),
            [metric("good", 0.5), metric("bad", 60, seed=2)],
            measure="acc-eq-item",
            exchange=exchange,
            trials=500,
        )
        assert found.p_values[0, 1] < 0.05
        assert np.isnan(found.p_values[1, 0])
        assert found.agreements[0] > found.agreements[1]


def test_the_exchange_of_systems_takes_the_systems_own_scores() -> None:
    """No scores of segments are needed, and BLEU of a corpus is not a mean of segments."""
    bare = [metric("x", 1, segments=None), metric("y", 9, segments=None, seed=3)]
    found = permutation_matrix(people(), bare, exchange="systems", trials=99)
    assert found.left_out == ()
    r = np.corrcoef(people().values, bare[0].values)[0, 1]
    assert found.agreements[0] == pytest.approx(r)


def test_a_metric_without_segments_is_left_out_of_what_needs_them() -> None:
    scores = (metric("x", 1), metric("bare", 1, segments=None), metric("y", 2, seed=3))
    one = RatedSet(judgments=people(), scores=scores)
    report = agreement_report(
        [one], measures=["pearson", "acc-eq-item"], resample=None, permute="both", trials=50
    )
    assert report.left_out == ("xx-en mqm: bare left out of acc-eq-item: no scores of segments",)
    found = {one.metric: one.measures for one in report.table}
    assert found["bare"] == ("pearson",)
    assert found["x"] == found["y"] == ("pearson", "acc-eq-item")
    [tested] = report.tested
    assert [(one.measure, one.metrics, one.left_out) for one in tested.permutations] == [
        ("pearson", ("x", "y"), ("bare",)),
        ("acc-eq-item", ("x", "y"), ("bare",)),
    ]
    json.dumps(report.to_dict(), allow_nan=False)


def test_a_metric_of_other_or_too_few_systems_is_left_out_of_all() -> None:
    strange = MetricScores(metric="strange", systems=("u", "v"), values=np.arange(2.0))
    few = MetricScores(metric="few", systems=("a", "b", "c"), values=np.arange(3.0))
    one = RatedSet(judgments=people(), scores=(metric("x", 1), strange, metric("y", 2), few))
    report = agreement_report([one], resample=None)
    assert {each.metric for each in report.table} == {"x", "y", "few"}
    [line] = report.left_out
    assert line.startswith("xx-en mqm: strange left out: ")
    assert "no system has both" in line
    [tested] = report.tested
    assert tested.tests is not None
    assert tested.tests.metrics == ("x", "y")
    assert tested.left_out == ("few",)


def test_a_metric_whose_segments_cannot_be_resampled_keeps_its_numbers() -> None:
    one = RatedSet(judgments=people(), scores=(metric("x", 1), metric("bare", 1, segments=None)))
    report = agreement_report([one], measures=["pearson"], resample="segments", trials=20)
    x, bare = report.table
    assert x["pearson"].interval is not None
    assert bare["pearson"].interval is None
    assert report.left_out == ("xx-en mqm: bare left out of resampling: no scores of segments",)


def test_what_no_metric_has_is_an_error() -> None:
    one = RatedSet(judgments=people(), scores=(metric("bare", 1, segments=None),))
    with pytest.raises(InputError, match="no scores of segments, expected some for acc-eq-item"):
        agreement_report([one], measures=["acc-eq-item"])


def test_the_screen_says_what_was_held_fixed_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(name: str, level: str, numbers: dict[str, list[float]]) -> str:
        path = tmp_path / f"xx-en.{name}.{level}.score"
        lines = (f"{system}\t{one}\n" for system, some in numbers.items() for one in some)
        path.write_text("".join(lines), encoding="utf-8")
        return str(path)

    rng = np.random.default_rng(0)
    whole = {name: [float(place)] for place, name in enumerate(SYSTEMS)}
    parts = {name: rng.normal(place, 2, 8).tolist() for place, name in enumerate(SYSTEMS)}
    more = {name: rng.normal(place, 2, 8).tolist() for place, name in enumerate(SYSTEMS)}
    ratings = [write("mqm", "sys", whole), write("mqm", "seg", parts)]
    scores = [
        write("one", "sys", whole), write("one", "seg", more),
        write("two", "sys", whole), write("two", "seg", parts), write("bare", "sys", whole),
    ]  # fmt: skip
    words = ["meta", "agree", "--ratings", *ratings, "--scores", *scores, "--resample", "none"]
    words += ["--measures", "pearson", "acc-eq-item", "--trials", "20"]
    shown = output(capsys, *words, "--permute", "both")
    assert "bare left out of acc-eq-item: no scores of segments" in shown
    assert "not permuted, no score of every segment: bare" in shown
    assert "PERM-BOTH: systems are held fixed; " in shown
    assert "PERM-SYS: segments are held fixed; " in output(capsys, *words, "--permute", "systems")
