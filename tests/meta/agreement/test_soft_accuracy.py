"""Soft pairwise accuracy: by hand, by a plain oracle, and as mt-metrics-eval prints it."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.agreement.measures import measured, usual_measures
from tertium.meta.agreement.shared_systems import align
from tertium.meta.agreement.soft_accuracy import soft_accuracy
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tests.oracles import agreement as oracle
from tests.support.meta.rated_sets import golden

pytestmark = pytest.mark.slow

Rows = list[list[float]]


def signs(permutations: int, segments: int, seed: int) -> list[list[int]]:
    """The exchanges that mt-metrics-eval draws, written out."""
    drawn = np.random.default_rng(seed).random((permutations, segments), dtype=np.float32)
    return [[1 if number > 0.5 else -1 for number in row] for row in drawn.tolist()]


# Quarters are exact, so that both sides tie alike.
quarters = st.integers(-40, 40).map(lambda number: number / 4)


@st.composite
def rated(draw: st.DrawFn) -> tuple[Rows, Rows]:
    systems, segments = draw(st.integers(2, 4)), draw(st.integers(1, 6))
    row = st.lists(quarters, min_size=segments, max_size=segments)
    some = st.lists(row, min_size=systems, max_size=systems)
    return draw(some), draw(some)


@given(rated(), st.integers(0, 5))
def test_equals_the_plain_formula(both: tuple[Rows, Rows], seed: int) -> None:
    ratings, scores = both
    expected = oracle.soft_accuracy(ratings, scores, signs(40, len(ratings[0]), seed))
    found = soft_accuracy(np.array(ratings), np.array(scores), permutations=40, seed=seed)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert 0 <= found.value <= 1


def test_opposite_certainty_is_the_worst() -> None:
    ratings = np.array([[0.0] * 30, [1.0] * 30])
    assert soft_accuracy(ratings, ratings).value == 1.0
    assert soft_accuracy(ratings, -ratings).value == pytest.approx(0.0, abs=0.002)


def test_only_segments_that_all_systems_have_count() -> None:
    rng = np.random.default_rng(3)
    ratings, scores = rng.normal(size=(2, 4, 30))
    holes = ratings.copy()
    holes[1, 5] = np.nan
    kept = [place for place in range(30) if place != 5]
    found = soft_accuracy(holes, scores)
    assert found == soft_accuracy(ratings[:, kept], scores[:, kept])
    assert (found.segments, found.pairs) == (29, 6)


def test_nothing_in_common_is_no_number() -> None:
    ratings = np.array([[1.0, np.nan], [np.nan, 2.0], [1.0, 1.0]])
    assert math.isnan(soft_accuracy(ratings, np.ones((3, 2))).value)
    judgments = Judgments(
        name="t", criterion="c", systems=("a", "b", "c"), values=np.arange(3.0), segments=ratings
    )
    scores = MetricScores(
        metric="m", systems=("a", "b", "c"), values=np.arange(3.0), segments=np.ones((3, 2))
    )
    found = measured("soft-accuracy", align(judgments, scores))
    assert math.isnan(found.value)
    assert found.note == "no segment has a rating and a score of every system"


def test_the_noise_is_that_of_other_seeds() -> None:
    rng = np.random.default_rng(8)
    quality = rng.normal(size=(6, 1)) * 0.1
    ratings, scores = rng.normal(size=(2, 6, 200)) + quality
    values = [soft_accuracy(ratings, scores, seed=seed).value for seed in range(60)]
    noises = [soft_accuracy(ratings, scores, seed=seed).noise for seed in range(60)]
    assert np.std(values) == pytest.approx(np.mean(noises), rel=0.4)


def test_needs_scores_of_segments() -> None:
    judgments = Judgments(name="t", criterion="c", systems=("a", "b", "c"), values=np.arange(3.0))
    scores = MetricScores(metric="m", systems=("a", "b", "c"), values=np.arange(3.0))
    assert "soft-accuracy" not in usual_measures(align(judgments, scores))
    with pytest.raises(InputError, match="no scores of segments, expected some for soft-accuracy"):
        agree(judgments, scores, measures=["soft-accuracy"])


# ---- as mt-metrics-eval prints it -----------------------------------------------------------


def read(path: Path) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        system, value = line.split("\t")
        found.setdefault(system, []).append(math.nan if value == "None" else float(value))
    return found


# Elsewhere some permutations differ exactly as much as the systems do (MQM is made of whole
# errors): mt-metrics-eval lets rounding to single precision decide those, a handful of 66,000.
UNTIED = {
    ("zh-en", f"{name}-{kind}")
    for kind, names in {
        "refA": "BLEU chrF COMET MetricX-23 XCOMET-Ensemble BLEURT-20 YiSi-1 f200spBLEU",
        "src": "CometKiwi prismSrc",
    }.items()
    for name in names.split()
}


@pytest.mark.shared
@pytest.mark.parametrize("pair", ["zh-en", "he-en"])
def test_all_metrics_of_wmt23(shared_data: Path, pair: str) -> None:
    """All figures of mt-metrics-eval for twelve metrics against MQM."""
    folder = shared_data / "wmt23"
    people = read(folder / f"human-scores/{pair}.mqm.seg.score")
    values = read(folder / f"human-scores/{pair}.mqm.sys.score")
    systems = tuple(name for name in values if "ref" not in name)
    judgments = Judgments(
        name=pair,
        criterion="mqm",
        systems=systems,
        values=np.array([values[name][0] for name in systems]),
        segments=np.array([people[name] for name in systems]),
    )
    rows = [row for row in golden(shared_data) if row["pair"] == pair]
    assert len(rows) == 12
    measures = {
        "pearson": "sys_pearson",
        "kendall": "sys_kendall",
        "accuracy": "sys_pairwise_accuracy",
        "soft-accuracy": "sys_soft_pairwise_accuracy",
        "segment-pearson-none": "seg_pearson",
        "acc-eq-item": "seg_acc_eq_item",
    }
    for row in rows:
        base = folder / f"metric-scores/{pair}/{row['metric']}"
        totals, segments = read(Path(f"{base}.sys.score")), read(Path(f"{base}.seg.score"))
        scores = MetricScores(
            metric=row["metric"],
            systems=systems,
            values=np.array([totals[name][0] for name in systems]),
            segments=np.array([segments[name] for name in systems]),
        )
        found = agree(judgments, scores, measures=[*measures, "p-value-difference"])
        for measure, column in measures.items():
            tied = measure == "soft-accuracy" and (pair, row["metric"]) not in UNTIED
            assert found[measure].value == pytest.approx(
                float(row[column]), abs=1e-4 if tied else 1e-6
            ), (row["metric"], measure)
        both = found["soft-accuracy"].value + found["p-value-difference"].value
        assert both == pytest.approx(1.0)
        # Several thresholds may be equally good; ours is the least of them.
        epsilon = found["acc-eq-item"].epsilon
        assert epsilon is not None
        assert epsilon <= float(row["seg_acc_eq_item_epsilon"]) + 1e-12
