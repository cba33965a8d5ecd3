"""Minimum error rate training: what it finds, and that it finds the same again."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.tune import Candidates, NBestSurface, SearchOptions, mert, outcome, tune
from tertium.tune.mert import normalized, scores_at
from tertium.tune.weight_vectors import moses_text, vector_of
from tests.support.commands import printed
from tests.support.decoding.tuning import random_surface

pytestmark = pytest.mark.slow

BLEU = parse_metric("bleu[tokenizer=none]")
STRICT = parse_metric("bleu-sbp[tokenizer=none]")
SPECS = [
    "bleu[tokenizer=none]",
    "bleu-sbp[tokenizer=none]",
    "ter",
    "wer[tokenizer=none]",
    "grr[tokenizer=none]",
    "chrf",
    "nist[tokenizer=none]",
    "amber[tokenizer=none]",
]


@pytest.mark.parametrize("spec", SPECS)
def test_the_score_is_that_of_the_weights(spec: str) -> None:
    surface, metric = random_surface(), parse_metric(spec)
    found = mert(surface, metric, [1.0, 0.0, 0.0, 0.0], SearchOptions(restarts=3))
    sign = 1 if metric.higher_is_better else -1
    for run in found.runs:
        assert sign * run.score == pytest.approx(scores_at(surface, metric, run.weights[None])[0])
        assert np.abs(run.weights).sum() == pytest.approx(1)
        assert (np.diff(np.array(run.scores) * sign) > 0).all()
        assert len(run.scores) > 1, "random features leave room for a better score"
    assert sign * found.score == max(sign * run.score for run in found.runs)
    # and a plain argmax over the lists says so too
    candidates = surface.candidates
    chosen = [
        begin + int(np.argmax(candidates.features[begin:end] @ found.weights))
        for begin, end in zip(candidates.offsets, candidates.offsets[1:], strict=False)
    ]
    bound = metric.fit(surface.references)
    rows = bound.statistics([candidates.texts[n] for n in chosen], surface.references)
    assert bound.score(rows.sum(axis=0)) == pytest.approx(found.score)


def test_two_features_are_tuned_to_the_best_there_is() -> None:
    surface = random_surface(3, features=2)
    found = mert(surface, BLEU, [1.0, 0.0], SearchOptions(restarts=5))
    angles = np.linspace(0, 2 * np.pi, 20_000)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert found.score == pytest.approx(scores_at(surface, BLEU, circle).max())


def test_seeds_repeat_and_differ() -> None:
    surface = random_surface(5, features=6)
    start = np.ones(6)
    one, same, other = (
        mert(surface, BLEU, start, SearchOptions(restarts=4, seed=seed)) for seed in (7, 7, 8)
    )
    for a, b in zip(one.runs, same.runs, strict=True):
        assert np.array_equal(a.weights, b.weights)
        assert a.scores == b.scores
    assert not np.array_equal(one.runs[1].start, other.runs[1].start)


def test_ascents_do_not_depend_on_each_other() -> None:
    surface = random_surface(6, features=5)
    many, few = (
        mert(surface, BLEU, np.ones(5), SearchOptions(restarts=restarts)) for restarts in (6, 2)
    )
    assert [run.scores for run in many.runs[:3]] == [run.scores for run in few.runs]


PROGRAM = """
import numpy as np
from tertium.metrics.contract.table import parse_metric
from tertium.tune import SearchOptions, mert
from tests.support.decoding.tuning import ladders, random_surface
BLEU = parse_metric("bleu[tokenizer=none]")
for surface in (random_surface(5, features=6), ladders()):
    start = np.ones(len(surface.feature_names))
    found = mert(surface, BLEU, start, SearchOptions(restarts=4))
    print([run.weights.tolist() for run in found.runs], [run.scores for run in found.runs])
"""


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    outputs = set()
    for threads in ("1", "2", "5"):
        outputs.add(printed("-c", PROGRAM, variables={"TERTIUM_THREADS": threads}))
    assert len(outputs) == 1
    assert len(outputs.pop()) > 500


def test_one_hypothesis_leaves_nothing_to_choose() -> None:
    lists = [
        NBest(segment=0, hypotheses=("a b c d",), feature_names=("x",), features=np.array([[2.0]]))
    ]
    surface = NBestSurface(Candidates.of(lists, 1), ["a b c d"])
    found = mert(surface, BLEU, [0.5], SearchOptions(restarts=2))
    assert found.weights.tolist() == [1.0]
    assert [len(run.scores) for run in found.runs] == [1, 1, 1]
    assert found.score == pytest.approx(100)


def test_equal_features_leave_nothing_to_choose() -> None:
    lists = [
        NBest(
            segment=0, hypotheses=("a", "b"), feature_names=("x",), features=np.array([[2.0]] * 2)
        )
    ]
    surface = NBestSurface(Candidates.of(lists, 1), ["b"])
    found = mert(surface, BLEU, [0.0], SearchOptions(restarts=2))
    assert found.weights.tolist() == [0.0]
    assert found.score == 0


def test_fixed_weights_keep_their_proportions() -> None:
    surface = random_surface(9)
    options = SearchOptions(restarts=3, fixed=("f0", "f1"))
    start = np.array([2.0, -1.0, 0.0, 0.0])
    found = mert(surface, BLEU, start, options)
    for run in found.runs:
        assert run.weights[1] == pytest.approx(-run.weights[0] / 2)
        assert run.weights[0] > 0
    assert found.score > found.runs[0].scores[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restarts": -1}, "restarts: found -1"),
        ({"patience": 0}, "patience: found 0"),
        ({"random_directions": -1}, "random_directions: found -1"),
        ({"seed": -1}, "seed: found -1"),
    ],
)
def test_options_are_checked(options: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SearchOptions(**options)  # type: ignore[arg-type]


def test_weights_and_fixed_features_are_checked() -> None:
    surface = random_surface()
    with pytest.raises(InputError, match="weights: found 2 numbers, expected a finite one for"):
        mert(surface, BLEU, [1.0, 2.0])
    with pytest.raises(InputError, match="weights: found 4 numbers, expected a finite one for"):
        mert(surface, BLEU, [1.0, 2.0, np.nan, 0.0])
    with pytest.raises(OptionError, match="fixed: found 'g', expected one of f0, f1"):
        mert(surface, BLEU, np.ones(4), SearchOptions(fixed=("g",)))
    with pytest.raises(OptionError, match="fixed: found all features"):
        mert(surface, BLEU, np.ones(4), SearchOptions(fixed=("f0", "f1", "f2", "f3")))


def test_lists_are_merged() -> None:
    first = NBest(
        segment=0,
        hypotheses=("a", "b", "a"),
        feature_names=("x", "y"),
        features=np.array([[1.0, 0.0], [2.0, 0.0], [1.0, 0.0]]),
    )
    again = NBest(
        segment=0,
        hypotheses=("a", "a", "c"),
        feature_names=("y", "z"),
        features=np.array([[0.0, 3.0], [-0.0, 3.0], [1.0, 1.0]]),
    )
    other = NBest(segment=1, hypotheses=("d",), feature_names=("x",), features=np.array([[1.0]]))
    found = Candidates.of([first, other, again], 2)
    assert found.feature_names == ("x", "y", "z")
    assert found.texts == ("a", "b", "a", "c", "d")
    assert found.offsets.tolist() == [0, 4, 5]
    assert found.features.tolist() == [
        [1, 0, 0],
        [2, 0, 0],
        [0, 0, 3],
        [0, 1, 1],
        [1, 0, 0],
    ]


def test_damaged_lists_are_errors_with_a_place() -> None:
    good = NBest(segment=0, hypotheses=("a",), feature_names=("x",), features=np.array([[1.0]]))
    with pytest.raises(InputError, match="segment 1: no hypothesis"):
        Candidates.of([good], 2)
    with pytest.raises(InputError, match="found segment 3, expected numbers from 0 to 1"):
        Candidates.of([good, replace(good, segment=3)], 2)
    with pytest.raises(InputError, match="features: found none"):
        NBestSurface(Candidates.of([NBest(segment=0, hypotheses=("a",))], 1), ["a"])
    with pytest.raises(InputError, match=r"found 1 segment, expected 2 \(references\)"):
        NBestSurface(Candidates.of([good], 1), ["a", "b"])
    with pytest.raises(InputError, match="hypothesis 0: feature x: found nan, expected a finite"):
        replace(good, features=np.array([[np.nan]]))
    with pytest.raises(
        InputError, match=r"features: found an array of shape \(1, 2\), expected \(1, 1\)"
    ):
        replace(good, features=np.array([[1.0, 2.0]]))


def test_report_has_scores_before_and_after_by_all_metrics() -> None:
    surface, unseen = random_surface(11), random_surface(12)
    also = parse_metric("ter")
    report = tune(
        surface,
        [BLEU, STRICT],
        [1.0, 1.0, 1.0, 1.0],
        held_out=unseen,
        also=[also],
        options=SearchOptions(restarts=2),
    )
    assert [metric.name for metric in report.metrics] == ["bleu", "bleu-sbp", "ter"]
    assert report.before == outcome(surface, list(report.metrics), np.ones(4))
    for place, one in enumerate(report.tuned):
        assert one.dev.scores[place] == pytest.approx(one.search.score)
        # no other tuning does better by the metric that this one was for
        assert (
            one.dev.scores[place] >= max(other.dev.scores[place] for other in report.tuned) - 1e-9
        )
        assert one.dev.scores[place] > report.before.scores[place]
        weights = vector_of(one.weights, unseen.feature_names, "here")
        assert one.held_out == outcome(unseen, list(report.metrics), weights)
    found = report.to_dict()
    assert found["tuned"][1]["metric"] == STRICT.spec
    assert found["tuned"][0]["dev"]["scores"][2] == report.tuned[0].dev.scores[2]
    assert sum(map(abs, found["before"]["weights"].values())) == pytest.approx(1)


def test_outcomes_count_what_is_left_unsaid() -> None:
    lists = [
        NBest(segment=n, hypotheses=(text,), feature_names=("x",), features=np.array([[1.0]]))
        for n, text in enumerate(["a b", "", "a b c d e f"])
    ]
    surface = NBestSurface(Candidates.of(lists, 3), [["a b c d", "a b c"], "a b", ["a b c"]])
    found = outcome(surface, [BLEU], np.ones(1))
    assert (found.words, found.reference_words) == (8, 3 + 2 + 3)
    assert found.length_ratio == 1
    assert (found.missing, found.words_deleted) == (1 + 2 + 0, 3 / 8)
    assert (found.empty, found.segments_deleted) == (1, 1 / 3)


def test_tuning_for_nothing_is_an_error() -> None:
    with pytest.raises(OptionError, match="metrics: found none"):
        tune(random_surface(), [], np.ones(4).tolist())


@pytest.mark.parametrize(
    ("weights", "names", "expected"),
    [
        ({"a": 1.0, "c": 2.0}, ("a", "b"), [1, 0]),
        ({"1": 1.0, "2": 2.0}, ("a", "b"), [1, 2]),  # a file without names
        ([3.0, 4.0], ("a", "b"), [3, 4]),
    ],
)
def test_weights_find_their_features(
    weights: dict[str, float] | list[float], names: tuple[str, ...], expected: list[float]
) -> None:
    assert vector_of(weights, names, "here").tolist() == expected


def test_weights_of_other_features_are_an_error() -> None:
    with pytest.raises(InputError, match="here: found weights of x, expected some of a, b"):
        vector_of({"x": 1.0}, ("a", "b"), "here")
    with pytest.raises(InputError, match="here: found weights of 1, expected some of a, b"):
        vector_of({"1": 1.0}, ("a", "b"), "here")


def test_moses_text_groups_what_belongs_together() -> None:
    assert moses_text({"1": 0.5, "2": -1.0}) == "0.5 -1\n"
    text = moses_text({"LM0": 0.5, "TM0_1": 0.25, "TM0_2": -0.25, "sp_x": 1e-9})
    assert text == "LM0= 0.5\nTM0= 0.25 -0.25\nsp_x= 1e-09\n"


def test_normalization_leaves_zero_alone() -> None:
    assert normalized(np.array([[0.0, 0.0], [1.0, -3.0]])).tolist() == [[0, 0], [0.25, -0.75]]


def test_metrics_of_both_directions_are_improved() -> None:
    metrics: list[Metric] = [BLEU, parse_metric("ter")]
    report = tune(random_surface(21), metrics, [1.0] * 4, options=SearchOptions(restarts=1))
    bleu, ter = report.tuned
    assert bleu.dev.scores[0] > report.before.scores[0]
    assert ter.dev.scores[1] < report.before.scores[1]
