"""Intervals of agreement, and permutation tests between metrics."""

import itertools
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.inference.rows import MetricRows
from tertium.meta.agreement.agreement_table import Agreement, agree
from tertium.meta.agreement.correlation import pearson
from tertium.meta.agreement.permutation_test import permutation_test
from tertium.meta.ratings.judgments import Comparisons, Judgments, MetricScores
from tertium.metrics.contract.table import parse_metric

Array = np.ndarray[Any, Any]
SYSTEMS = tuple("abcdefgh")
ALONE = "segments count as independent, for no documents are known (--documents)"


def correlated(seed: int, segments: int = 60) -> tuple[Judgments, MetricScores]:
    """Eight systems; a metric that is right about them, but noisy about segments."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 2, len(SYSTEMS))[:, np.newaxis]
    ratings = quality + rng.normal(size=(len(SYSTEMS), segments))
    scores = ratings + 2 * rng.normal(size=ratings.shape)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    judgments = Judgments(
        name="toy",
        criterion="DA",
        systems=SYSTEMS,
        values=np.nanmean(ratings, axis=1),
        segments=ratings,
    )
    metric = MetricScores(
        metric="noisy", systems=SYSTEMS, values=scores.mean(axis=1), segments=scores
    )
    return judgments, metric


# ---- intervals ------------------------------------------------------------------------------


@pytest.mark.parametrize("resample", ["systems", "segments", "both"])
def test_intervals_hold_the_value(resample: Any) -> None:
    found = agree(*correlated(1), resample=resample, trials=400, seed=3)
    for measure in ("pearson", "spearman", "kendall", "accuracy", "prediction-error"):
        interval = found[measure].interval
        assert interval is not None
        assert interval.low <= found[measure].value <= interval.high
        assert interval.low < interval.high
        assert (interval.trials, interval.seed) == (400, 3)
    assert (found["acc-eq-item"].interval is None) == (resample == "systems")
    assert found.notes == (() if resample == "systems" else (ALONE,))
    again = agree(*correlated(1), resample=resample, trials=400, seed=3)
    assert again.to_dict() == found.to_dict()


def test_segments_of_one_document_make_nothing_surer() -> None:
    """Every segment ten times, each ten a document: as wide as the segments once."""
    judgments, metric = correlated(5, 30)
    assert judgments.segments is not None
    assert metric.segments is not None
    copied = replace(
        judgments,
        segments=judgments.segments.repeat(10, axis=1),
        documents=tuple(f"d{number // 10}" for number in range(300)),
    )
    scores = replace(metric, segments=metric.segments.repeat(10, axis=1))

    def width(people: Judgments, made: MetricScores, resample: Any, measure: str) -> float:
        found = agree(people, made, measures=[measure], resample=resample, trials=2000)
        interval = found[measure].interval
        assert interval is not None
        return interval.half_width

    for measure in ("pearson", "segment-pearson-none"):
        alone = width(judgments, metric, "segments", measure)
        # Student's t with 29 degrees of freedom makes the interval of documents wider.
        assert width(copied, scores, "documents", measure) == pytest.approx(1.06 * alone, rel=0.1)
        assert width(copied, scores, "segments", measure) < 0.5 * alone
    found = agree(copied, scores, measures=["pearson"], resample="documents", trials=50)
    assert found["pearson"].interval is not None
    assert (found["pearson"].interval.unit, found["pearson"].interval.units) == ("document", 30)
    assert found.notes[0] == "whole documents were resampled, 30 of them"
    both = agree(copied, scores, measures=["pearson"], resample="both", trials=50)
    assert both.notes[0] == found.notes[0]
    said = agree(copied, scores, measures=["pearson"], resample="segments", trials=50)
    assert said.notes[0].startswith("segments count as independent, though 30 documents are known")


def test_documents_that_are_not_known_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="found no document labels"):
        agree(*correlated(1), resample="documents")


def test_documents_are_exchanged_whole_between_metrics() -> None:
    """Segments copied within documents are no more items than before."""
    judgments, first = correlated(6, 20)
    _, second = correlated(7, 20)
    assert first.segments is not None
    assert second.segments is not None
    segments = (first.segments, second.segments)
    labels = [f"d{number // 8}" for number in range(160)]
    rated = np.asarray(judgments.values)

    def p_value(copies: int, documents: Any) -> float:
        a, b = (np.repeat(one, copies, axis=1) for one in segments)
        return permutation_test(
            rated, a, b, exchange="items", trials=2000, seed=1, documents=documents
        ).p_value_two_sided

    alone = p_value(1, None)
    assert p_value(8, labels) == pytest.approx(alone, abs=1e-12)
    assert p_value(8, None) < 0.8 * alone


def test_more_segments_make_it_surer() -> None:
    def width(segments: int) -> float:
        found = agree(*correlated(2, segments), measures=["pearson"], resample="segments")
        assert found["pearson"].interval is not None
        return found["pearson"].interval.half_width

    assert width(1000) < 0.5 * width(40)


def test_resampled_systems_are_drawn_with_their_ratings() -> None:
    """A metric that agrees perfectly does so on every draw where anything is defined."""
    judgments, _ = correlated(4)
    metric = MetricScores(metric="same", systems=SYSTEMS, values=10 * judgments.values)
    found = agree(judgments, metric, resample="systems", trials=300)
    for measure in ("pearson", "kendall", "accuracy"):
        interval = found[measure].interval
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx((1, 1))


def test_resamples_without_two_systems_are_said() -> None:
    judgments = Judgments(
        name="toy", criterion="x", systems=SYSTEMS[:3], values=np.array([1.0, 2, 3])
    )
    metric = MetricScores(metric="m", systems=SYSTEMS[:3], values=np.array([1.0, 3, 2]))
    found = agree(judgments, metric, resample="systems", trials=500)
    one = found["pearson"]
    assert one.interval is not None
    missing = 500 - one.interval.trials
    assert 20 < missing < 110  # 3 of 27 draws have the same system three times
    assert one.note == f"not defined on {missing} resamples"


def test_statistics_make_the_corpus_score_of_a_resample() -> None:
    """BLEU of a resample is not the mean of its segments; with its statistics that is known."""
    rng = np.random.default_rng(6)
    words = [f"w{n}" for n in range(12)]
    references = [" ".join(rng.choice(words, 9)) for _ in range(40)]
    metric = parse_metric("bleu[effective_order=yes]")
    rows = []
    for share in np.linspace(0.1, 0.5, 5):
        texts = [
            " ".join(w if rng.random() > share else "x" for w in text.split())
            for text in references
        ]
        rows.append(metric.statistics(texts, references))
    statistics = MetricRows(metric=metric, rows=np.stack(rows))
    ratings = np.linspace(5, 1, 5)[:, np.newaxis] + rng.normal(size=(5, 40))
    judgments = Judgments(
        name="toy",
        criterion="DA",
        systems=SYSTEMS[:5],
        values=ratings.mean(axis=1),
        segments=ratings,
    )
    scores = MetricScores(
        metric=metric.spec,
        systems=SYSTEMS[:5],
        values=metric.score(statistics.rows.sum(axis=1)),
        segments=metric.score(statistics.rows),
    )
    asked: dict[str, Any] = {"measures": ["pearson"], "resample": "segments", "trials": 50}
    exact = agree(judgments, scores, statistics=statistics, **asked)
    rough = agree(judgments, scores, **asked)
    assert exact.notes == (ALONE,)
    assert len(rough.notes) == 2
    assert rough.notes[1].startswith("on resamples the score of a system is the mean of its seg")
    assert exact["pearson"].interval != rough["pearson"].interval
    part = MetricScores(metric="bleu", systems=SYSTEMS[:4], values=scores.values[:4])
    with pytest.raises(InputError, match="statistics of 5 systems, expected 4"):
        agree(judgments, part, statistics=statistics, **asked)


def test_segments_of_rankings_are_resampled_as_wins() -> None:
    rng = np.random.default_rng(9)
    pairs = np.array(list(itertools.combinations(range(4), 2)))
    chosen = pairs[rng.integers(0, len(pairs), 200)]
    turned = rng.random(200) < 0.2
    people = Comparisons(
        segment=rng.integers(0, 30, 200, dtype=np.int32),
        judge=np.zeros(200, dtype=int),
        better=np.where(turned, chosen[:, 1], chosen[:, 0]),
        worse=np.where(turned, chosen[:, 0], chosen[:, 1]),
        tie=np.zeros(200, dtype=bool),
    )
    wins = np.bincount(people.better, minlength=4)
    losses = np.bincount(people.worse, minlength=4)
    judgments = Judgments(
        name="toy",
        criterion="rank",
        systems=SYSTEMS[:4],
        values=wins / (wins + losses),
        comparisons=people,
    )
    segments = np.array([4.0, 3, 2, 1])[:, np.newaxis] + rng.normal(size=(4, 30))
    scores = MetricScores(
        metric="m", systems=SYSTEMS[:4], values=segments.mean(axis=1), segments=segments
    )
    found = agree(judgments, scores, resample="both", trials=200)
    assert found.notes == (ALONE,)
    for measure in ("pearson", "kendall-wmt12", "kendall-wmt14", "consistency"):
        interval = found[measure].interval
        assert interval is not None
        assert interval.low <= found[measure].value <= interval.high


def test_what_cannot_be_resampled_is_said() -> None:
    judgments, scores = correlated(1)
    found: Agreement = agree(
        judgments, scores, measures=["acc-eq-system"], resample="segments", trials=10
    )
    one = found["acc-eq-system"]
    assert one.interval is None
    assert one.note == "no interval: it is not made of sums over segments"
    bare = MetricScores(metric="m", systems=SYSTEMS, values=scores.values)
    with pytest.raises(InputError, match="no scores of segments, expected some, or statistics"):
        agree(judgments, bare, resample="segments")
    unrated = Judgments(name="t", criterion="x", systems=SYSTEMS, values=judgments.values)
    with pytest.raises(InputError, match="no ratings of segments, expected some to resample"):
        agree(unrated, scores, measures=["pearson"], resample="segments")
    with pytest.raises(OptionError, match="unknown resample 'system'; did you mean 'systems'"):
        agree(judgments, scores, resample="system")  # type: ignore[arg-type]


# ---- permutation ----------------------------------------------------------------------------


def test_all_exchanges_of_three_systems() -> None:
    """With 8 ways to exchange, the share of extreme ones can be counted out."""
    ratings = np.array([1.0, 2.0, 3.0])
    first, second = np.array([2.0, 1.0, 2.5]), np.array([1.0, 2.5, 3.0])

    def standard(x: Array) -> Array:
        return np.asarray((x - x.mean()) / x.std())

    a, b = standard(first), standard(second)
    deltas = []
    for coins in itertools.product([True, False], repeat=3):
        x, y = np.where(coins, a, b), np.where(coins, b, a)
        deltas.append(float(pearson(ratings, y) - pearson(ratings, x)))
    observed = float(pearson(ratings, b) - pearson(ratings, a))
    expected = np.mean(np.array(deltas) >= observed - 1e-12)
    found = permutation_test(ratings, first, second, exchange="systems", trials=4000, seed=1)
    assert found.delta == pytest.approx(observed)
    assert found.p_value == pytest.approx(expected, abs=0.03)
    two = np.mean(np.abs(deltas) >= observed - 1e-12)
    assert found.p_value_two_sided == pytest.approx(two, abs=0.03)


@pytest.mark.parametrize("exchange", ["both", "items", "systems"])
def test_a_metric_does_not_beat_itself(exchange: Any) -> None:
    judgments, scores = correlated(3)
    assert scores.segments is not None
    found = permutation_test(
        judgments.values, scores.segments, 7 * scores.segments + 2, exchange=exchange, trials=50
    )
    assert found.delta == pytest.approx(0)
    assert found.p_value == 1


@pytest.mark.parametrize("exchange", ["both", "items"])
@pytest.mark.parametrize("measure", ["pearson", "kendall", "accuracy"])
def test_a_much_better_metric_is_found(exchange: Any, measure: str) -> None:
    judgments, scores = correlated(3)
    assert scores.segments is not None
    noise = np.random.default_rng(0).normal(size=scores.segments.shape)
    found = permutation_test(
        judgments.values, noise, scores.segments, exchange=exchange, measure=measure, trials=200
    )
    assert found.p_value < 0.05
    turned = permutation_test(
        judgments.values, scores.segments, noise, exchange=exchange, measure=measure, trials=200
    )
    assert turned.p_value > 0.9
    assert turned.p_value_two_sided < 0.05
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_chance_alone_is_rarely_significant() -> None:
    """Under the null hypothesis p-values below .1 are about a tenth of all."""
    rng = np.random.default_rng(11)
    ratings = rng.normal(size=6)
    hits = 0
    for seed in range(120):
        first, second = ratings[:, np.newaxis] + 6 * rng.normal(size=(2, 6, 20))
        found = permutation_test(ratings, first, second, exchange="both", trials=99, seed=seed)
        hits += found.p_value <= 0.1
    assert 3 <= hits <= 24


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"exchange": "both", "baseline": np.zeros(4)}, "exchange: found 'both' without scores"),
        ({"exchange": "all"}, "unknown exchange 'all'"),
        ({"baseline": np.zeros((3, 2))}, "expected the same, for 4 systems"),
        ({"baseline": np.full((4, 2), np.nan)}, "expected .* without NaN"),
        ({"trials": 0}, "trials: found 0"),
    ],
)
def test_permutation_on_odd_input(changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"baseline": np.zeros((4, 2)), "system": np.ones((4, 2))} | changes
    if np.ndim(given["baseline"]) == 1:
        given["system"] = np.ones(4)
    baseline, system = given.pop("baseline"), given.pop("system")
    with pytest.raises((InputError, OptionError), match=message):
        permutation_test(np.arange(4.0), baseline, system, **given)


def test_a_constant_metric_has_no_p_value() -> None:
    found = permutation_test(np.arange(4.0), np.zeros((4, 3)), np.ones((4, 3)), trials=5)
    assert np.isnan(found.p_value)
    assert found.to_dict()["p_value"] is None
