"""What a difference is worth: curves of made-up pairs, the shipped table, the command."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import parse_metric
from tertium.errors import InputError, OptionError
from tertium.meta import Judgments, MetricScores, shipped_table, shipped_worth, worth_curve
from tertium.meta.worth_curves import KINDS, SystemPairs, WorthCurve
from tests.support.commands import error, json_output, output
from tests.support.effort import examples


def pairs(
    deltas: list[float], agrees: list[bool], name: str = "set", group: str = ""
) -> SystemPairs:
    """Pairs of systems of their own, none of which is in two pairs."""
    places = np.arange(len(deltas))
    return SystemPairs(
        name=name,
        group=group or name,
        systems=2 * len(deltas),
        first=2 * places,
        second=2 * places + 1,
        deltas=np.array(deltas, dtype=float),
        agrees=np.array(agrees, dtype=float),
        ties=0,
    )


def judged(ratings: list[float], scores: list[float]) -> SystemPairs:
    systems = tuple(f"s{number}" for number in range(len(ratings)))
    return SystemPairs.of(
        Judgments(name="wmt", criterion="da", systems=systems, values=np.array(ratings)),
        MetricScores(metric="bleu", systems=systems, values=np.array(scores)),
    )


def test_pairs_by_hand() -> None:
    """1–2 in people's order, 1–3 against it; 2–3 tied by the metric, 1–4 by people."""
    found = judged([1.0, 2.0, 0.5, 1.0], [10.0, 12.0, 12.0, 9.0])
    listed = {(a, b): (d, g) for a, b, d, g in zip(
        found.first.tolist(), found.second.tolist(), found.deltas.tolist(), found.agrees.tolist(),
        strict=True,
    )}  # fmt: skip
    assert listed == {(0, 1): (2, 1), (0, 2): (2, 0), (1, 3): (3, 1), (2, 3): (3, 0)}
    assert found.ties == 2
    assert found.systems == 4


def test_an_error_rate_is_turned_round() -> None:
    systems = ("a", "b")
    found = SystemPairs.of(
        Judgments(name="t", criterion="da", systems=systems, values=np.array([1.0, 2.0])),
        MetricScores(
            metric="ter", systems=systems, values=np.array([60.0, 50.0]), higher_is_better=False
        ),
    )
    assert found.agrees.tolist() == [1.0]


def test_a_step_is_the_share_of_its_pairs() -> None:
    """30 pairs of 1 with 15 right, 30 of 3 with 27: (15 + ½)/31 and (27 + ½)/31."""
    deltas = [1.0] * 30 + [3.0] * 30
    agrees = [number < 15 for number in range(30)] + [number < 27 for number in range(30)]
    curve = worth_curve("m", [pairs(deltas, agrees)], trials=20)
    assert curve.at(1.0).share == pytest.approx(15.5 / 31)
    assert curve.at(3.0).share == pytest.approx(27.5 / 31)
    assert curve.at(2.0).share == pytest.approx((15.5 + 27.5) / 62)
    assert curve.needed(0.85) == pytest.approx(1 + 2 * (0.85 - 15.5 / 31) / (12 / 31))
    assert curve.needed(0.95) is None
    assert curve.at(-3.0) == curve.at(3.0)
    assert not curve.at(3.0).beyond
    assert curve.at(4.0).beyond
    assert curve.at(4.0).share == curve.at(3.0).share


def test_people_against_the_metric_are_no_better_than_chance() -> None:
    deltas = [float(number) for number in range(1, 41)]
    curve = worth_curve("m", [pairs(deltas, [False] * 40)], trials=20)
    assert set(curve.shares.tolist()) == {0.5}
    assert curve.at(20.0).low < 0.1


outcomes = st.lists(
    st.tuples(st.floats(0.01, 50, allow_subnormal=False), st.booleans()), min_size=20, max_size=60
)


@settings(max_examples=examples(30))
@given(outcomes, outcomes)
def test_curves_rise_within_their_interval(
    first: list[tuple[float, bool]], second: list[tuple[float, bool]]
) -> None:
    sets = [
        pairs([d for d, _ in some], [g for _, g in some], name)
        for name, some in (("a", first), ("b", second))
    ]
    curve = worth_curve("m", sets, trials=10, seed=3)
    assert all(0.5 <= a <= b + 1e-12 < 1 for a, b in pairwise(curve.shares.tolist()))
    assert (curve.low <= curve.shares).all()
    assert (curve.shares <= curve.high).all()
    assert (
        WorthCurve.from_dict(json.loads(json.dumps(curve.to_dict()))).to_dict() == curve.to_dict()
    )
    assert [one.name for one in curve.held_out] == ["a", "b"]


@pytest.mark.slow
def test_the_interval_covers_the_truth() -> None:
    """Pairs that agree with 50 + 5 · difference percent: 95 % intervals hold it about as often."""
    rng = np.random.default_rng(5)
    hits = total = 0
    for seed in range(20):
        sets = []
        for name in "abcdef":
            deltas = rng.uniform(0, 8, 40)
            sets.append(
                pairs(deltas.tolist(), (rng.random(40) < 0.5 + 0.05 * deltas).tolist(), name)
            )
        curve = worth_curve("m", sets, trials=60, seed=seed)
        for delta in (2.0, 4.0, 6.0):
            found = curve.at(delta)
            hits += found.low <= 0.5 + 0.05 * delta <= found.high
            total += 1
    assert hits / total > 0.85


def test_years_are_held_out_together() -> None:
    rng = np.random.default_rng(7)
    sets = [
        pairs(rng.uniform(0, 5, 30).tolist(), [True] * 25 + [False] * 5, name, group)
        for name, group in (("a", "2012"), ("b", "2012"), ("c", "2017"))
    ]
    found = worth_curve("m", sets, trials=10).held_out
    assert [(one.name, one.pairs) for one in found] == [("2012", 60), ("2017", 30)]
    assert found[0].found == pytest.approx(25 / 30)


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ([pairs([1.0] * 19, [True] * 19)], "found 19 pairs of systems, expected at least 20"),
        ([pairs([], [])], "found no pair of systems that people and metric tell apart"),
    ],
)
def test_too_little_is_an_error(sets: list[SystemPairs], message: str) -> None:
    with pytest.raises(InputError, match=message):
        worth_curve("m", sets)


def test_a_difference_must_be_a_number() -> None:
    curve = shipped_table().curves[0]
    for wrong in (math.nan, math.inf):
        with pytest.raises(OptionError, match="expected a number"):
            curve.at(wrong)
    with pytest.raises(OptionError, match="between 0 and 1"):
        curve.needed(70)


def test_only_the_metric_that_was_measured_has_a_worth() -> None:
    found = shipped_worth(parse_metric("bleu"), 1.0)
    assert found is not None
    assert 0.6 < found.share < 0.7
    assert shipped_worth(parse_metric("bleu[lowercase=yes]"), 1.0) is None
    assert shipped_worth(parse_metric("gtm"), 1.0) is None


@pytest.mark.shared
def test_the_shipped_table_is_what_the_data_say(shared_data: Path) -> None:
    from experiments.data import Data
    from experiments.worth import curves

    made = {one.metric: one for one in curves(Data(shared_data), metrics=("bleu",))}
    kept = {one.metric: one for one in shipped_table().curves}
    assert set(made) == {"bleu", *(name for name in kept if name[0].isupper())}
    for name, one in made.items():
        for column in ("deltas", "shares", "low", "high"):
            expected = getattr(one, column)
            np.testing.assert_allclose(getattr(kept[name], column), expected, rtol=1e-3)
        assert kept[name].pairs == one.pairs


# ---- the command ----------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["bleu", "bleu-sbp", "chrf", "chrf[word_order=2]", "ter"])
def test_shipped_curves_predict_test_sets_that_they_were_not_fitted_to(metric: str) -> None:
    """Out of sample the mean share is right within 3 points."""
    mine = [one for one in shipped_table().curves if one.metric == metric]
    groups = [[one for one in mine if not one.kind], [one for one in mine if one.kind]]
    for some in groups:
        held_out = [part for one in some for part in one.held_out]
        pairs = sum(part.pairs for part in held_out)
        gap = sum(part.pairs * (part.foretold - part.found) for part in held_out) / pairs
        assert pairs > 300
        assert abs(gap) < 0.03


def test_only_wanted_pairs_are_taken() -> None:
    """Asked by the system that the metric has ahead, whichever is named first."""
    systems = ("a", "b", "c")
    asked = []

    def wanted(ahead: str, behind: str) -> bool:
        asked.append((ahead, behind))
        return ahead == "c"

    found = SystemPairs.of(
        Judgments(name="t", criterion="da", systems=systems, values=np.array([1.0, 2.0, 3.0])),
        MetricScores(metric="bleu", systems=systems, values=np.array([20.0, 10.0, 30.0])),
        wanted=wanted,
    )
    assert sorted(asked) == [("a", "b"), ("c", "a"), ("c", "b")]
    assert found.deltas.tolist() == [10.0, 20.0]
    assert found.ties == 0


def test_look_up(capsys: pytest.CaptureFixture[str]) -> None:
    told = json_output(capsys, "meta", "worth", "-m", "bleu", "--delta", "1", "-f", "json")
    kinds = [one["kind"] for one in told["curves"]]
    assert kinds == ["", *KINDS.values()]
    assert {one["looked_up"][0]["delta"] for one in told["curves"]} == {1}
    assert "WMT24 en-cs" in told["provenance"]
    assert "Not for scripts that" in told["provenance"]
    shown = output(capsys, "meta", "worth", "-m", "bleu", "--delta", "1", "900")
    assert "beyond all pairs" in shown
    assert "60 %" in output(capsys, "meta", "worth")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "blue"], "did you mean 'bleu'"),
        (["--delta", "much"], "much"),
        (["--delta", "nan"], "expected a number"),
        (["--ratings", "ratings.tsv"], "found neither REF nor --scores"),
        (["--scores", "scores.tsv"], "expected --ratings with them"),
    ],
)
def test_wrong_words(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert message in error(capsys, "meta", "worth", *words)
