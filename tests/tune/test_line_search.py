"""Envelopes and line searches on n-best lists, against every step tried one by one."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _native
from tertium.errors import InputError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.tokenizers import Tokenizer
from tertium.tune import Candidates, NBestSurface
from tertium.tune.mert import best_steps, intervals
from tests.oracles.decoding import mert as oracle

# Few and small whole numbers: equal slopes, equal hypotheses and lines through one point abound,
# and all sums are exact.
Problem: TypeAlias = tuple[list[list[list[float]]], list[float], list[float]]
"""Features of each hypothesis of each segment; a point and a direction."""
Drawn = TypeVar("Drawn")

small = st.integers(-3, 3).map(float)
COLUMNS = 3


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    width = draw(st.integers(1, 3))
    row = st.lists(small, min_size=width, max_size=width)
    lists = draw(st.lists(st.lists(row, min_size=1, max_size=6), min_size=1, max_size=4))
    return lists, draw(row), draw(row)


def arrays(lists: Sequence[Sequence[Sequence[float]]]) -> tuple[np.ndarray, np.ndarray]:
    features = np.array([row for rows in lists for row in rows], dtype=np.float64)
    return features, np.cumsum([0, *map(len, lists)], dtype=np.int64)


def envelope(lines: Sequence[tuple[float, float]]) -> list[tuple[float, int]]:
    """(start, line) of the envelope of lines given as (slope, intercept)."""
    features = np.array(lines, dtype=np.float64)
    offsets = np.array([0, len(lines)], dtype=np.int64)
    point, direction = np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]])
    _, starts, chosen = _native.nbest_envelopes(features, offsets, point, direction)
    return list(zip(starts.tolist(), chosen.tolist(), strict=True))


INF = float("inf")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([(0, 0)], [(-INF, 0)]),
        # |x|: two lines cross at 0
        ([(1, 0), (-1, 0)], [(-INF, 1), (0.0, 0)]),
        # of parallel lines the highest, of equal ones the first
        ([(1, 0), (1, 2), (1, 2)], [(-INF, 1)]),
        ([(0, 5), (0, 5)], [(-INF, 0)]),
        # the middle line only touches the corner: it is best nowhere else
        ([(-1, 0), (0, 0), (1, 0)], [(-INF, 0), (0.0, 2)]),
        ([(-1, 0), (0, 1), (1, 0)], [(-INF, 0), (-1.0, 1), (1.0, 2)]),
        ([(-1, 0), (0, -1), (1, 0)], [(-INF, 0), (0.0, 2)]),
        # slopes that differ by next to nothing cross beyond all numbers
        ([(0, 1e300), (5e-324, 0)], [(-INF, 0)]),
    ],
)
def test_envelope(lines: list[tuple[float, float]], expected: list[tuple[float, int]]) -> None:
    assert envelope(lines) == expected


@given(problems())
def test_envelopes_are_what_the_model_prefers(
    problem: Problem,
) -> None:
    lists, point, direction = problem
    features, offsets = arrays(lists)
    ends, starts, chosen = _native.nbest_envelopes(
        features, offsets, np.array([point]), np.array([direction])
    )
    assert len(ends) == len(lists) + 1
    for segment, rows in enumerate(lists):
        begin, end = ends[segment], ends[segment + 1]
        assert starts[begin] == -np.inf
        assert (np.diff(starts[begin:end]) > 0).all()
        for step in oracle.steps_to_try(oracle.crossings([rows], point, direction)):
            weights = [w + step * Fraction(d) for w, d in zip(point, direction, strict=True)]
            best = max(oracle.dot(row, weights) for row in rows)
            at = begin + np.searchsorted(starts[begin:end], float(step), side="right") - 1
            found = features[chosen[at]]
            assert oracle.dot(found.tolist(), weights) == best


def by_line(problem: Problem, draw: Callable[[], Drawn]) -> list[list[Drawn]]:
    """Something for each hypothesis; the same for those that score the same all along the line.

    Which of them a model prefers is a matter of order, and rounding may not decide it.
    """
    lists, point, direction = problem
    found = []
    for rows in lists:
        known: dict[tuple[Fraction, Fraction], Drawn] = {}
        for row in rows:
            line = (oracle.dot(row, direction), oracle.dot(row, point))
            if line not in known:
                known[line] = draw()
        found.append([known[oracle.dot(row, direction), oracle.dot(row, point)] for row in rows])
    return found


@given(problems(), st.data())
def test_interval_sums_equal_brute_force(problem: Problem, data: st.DataObject) -> None:
    lists, point, direction = problem
    row = st.lists(small, min_size=COLUMNS, max_size=COLUMNS)
    statistics = by_line(problem, lambda: data.draw(row))
    features, offsets = arrays(lists)
    found = _native.nbest_envelopes(features, offsets, np.array([point]), np.array([direction]))
    table = np.array([row for rows in statistics for row in rows])
    ends, starts, sums = _native.interval_sums(*found, len(lists), table)
    assert ends.tolist() == [0, len(starts)]
    assert (np.diff(starts) > 0).all()
    for step, expected in oracle.sums_along(lists, statistics, point, direction).items():
        at = np.searchsorted(starts, float(step), side="right") - 1
        assert sums[at].tolist() == list(expected), step


WORDS = ["a", "b", "c", "d", "e"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
REFERENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
SPECS = ["bleu[tokenizer=none,order=2]", "ter", "wer[tokenizer=none]", "grr[tokenizer=none]"]


@given(problems(), st.data(), st.sampled_from(SPECS))
def test_best_step_equals_brute_force(problem: Problem, data: st.DataObject, spec: str) -> None:
    lists, point, direction = problem
    metric = parse_metric(spec)
    texts = by_line(problem, lambda: data.draw(TEXTS))
    references = [data.draw(REFERENCES) for _ in lists]
    features, offsets = arrays(lists)
    candidates = Candidates(
        feature_names=tuple(map(str, range(features.shape[1]))),
        features=features,
        offsets=offsets,
        texts=tuple(text for some in texts for text in some),
    )
    surface = NBestSurface(candidates, references)
    statistics = [
        metric.statistics(some, [reference] * len(some)).tolist()
        for some, reference in zip(texts, references, strict=True)
    ]
    sign = 1 if metric.higher_is_better else -1
    expected = oracle.best_on_line(
        lists, statistics, point, direction, lambda row: sign * float(metric.score(np.array(row)))
    )
    points, directions = np.array([point]), np.array([direction])
    (best,), (step,) = best_steps(surface, metric, points, directions)
    assert best == pytest.approx(expected, rel=1e-9, abs=1e-9)
    # and going that step really leads there
    chosen = surface.best(points + step * directions)[0]
    reached = metric.score(surface.rows(metric)[chosen].sum(axis=0))
    assert sign * reached == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_searches_do_not_depend_on_each_other() -> None:
    rng = np.random.default_rng(7)
    features, offsets = rng.normal(size=(60, 4)), np.arange(0, 61, 6, dtype=np.int64)
    points, directions = rng.normal(size=(9, 4)), rng.normal(size=(9, 4))
    texts = tuple(" ".join(rng.choice(WORDS, 4)) for _ in range(60))
    candidates = Candidates(
        feature_names=("a", "b", "c", "d"), features=features, offsets=offsets, texts=texts
    )
    surface = NBestSurface(candidates, ["a b c d e"] * 10)
    metric = Bleu(tokenizer=Tokenizer.parse("none"))
    together = best_steps(surface, metric, points, directions)
    alone = [
        best_steps(surface, metric, points[n : n + 1], directions[n : n + 1]) for n in range(9)
    ]
    assert together[0].tolist() == [best[0] for best, _ in alone]
    assert together[1].tolist() == [step[0] for _, step in alone]
    cut = intervals(surface, metric, points, directions)
    assert len(cut.starts) == cut.offsets[-1] == len(cut.rows) > 9
    assert (cut.ends > cut.starts).all()


def test_a_direction_that_changes_nothing_stays() -> None:
    candidates = Candidates(
        feature_names=("a", "b"),
        features=np.array([[1.0, 2.0], [0.0, 2.0]]),
        offsets=np.array([0, 2]),
        texts=("x", "y"),
    )
    surface = NBestSurface(candidates, ["x"])
    metric = Bleu(tokenizer=Tokenizer.parse("none"), order=1)
    best, step = best_steps(surface, metric, np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    assert (best.tolist(), step.tolist()) == ([100.0], [0.0])


def test_overflow_is_an_error_with_its_place() -> None:
    candidates = Candidates(
        feature_names=("a",),
        features=np.array([[1.0], [2.0], [1e308]]),
        offsets=np.array([0, 1, 3]),
        texts=("x", "y", "z"),
    )
    surface = NBestSurface(candidates, ["x", "y"])
    with pytest.raises(
        InputError, match="segment 2, hypothesis 2: found a model score that is not"
    ):
        surface.best(np.array([[10.0]]))


@pytest.mark.parametrize(
    ("offsets", "shape"),
    [([0, 2, 2], (2, 1)), ([0, 1], (2, 1)), ([], (2, 1)), ([0, 2], (1, 1)), ([0, 2], (2, 2))],
)
def test_native_refuses_what_does_not_fit(offsets: list[int], shape: tuple[int, int]) -> None:
    features, lists = np.zeros((2, 1)), np.array(offsets, dtype=np.int64)
    with pytest.raises(ValueError, match="expected"):
        _native.nbest_envelopes(features, lists, np.zeros(shape), np.zeros((2, 1)))


def test_native_refuses_hypotheses_without_statistics() -> None:
    envelopes = (np.array([0, 1]), np.array([-np.inf]), np.array([1], dtype=np.int32))
    with pytest.raises(ValueError, match="without statistics"):
        _native.interval_sums(*envelopes, 1, np.zeros((1, 2)))
    with pytest.raises(ValueError, match="one for each search"):
        _native.interval_sums(*envelopes, 2, np.zeros((2, 2)))
