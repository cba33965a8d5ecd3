"""Minimum error rate training (Och 2003): weights under which a metric scores best."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.choices import DEFAULT_SEED
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.tune.surfaces import Surface, Vectors
from tertium.tune.weight_vectors import vector_of

# Exact line search: the best step from a point in a direction (Och 2003, section 5).

NARROW: Final = 1e-9
"""An interval no wider than this, relative to where it is, cannot be hit for sure."""
_MARGIN: Final = 0.1
_ROWS_AT_ONCE: Final = 1 << 15  # of statistics: few enough to stay in the cache

Steps = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals:
    """Searches cut into intervals, within which no segment changes its hypothesis.

    Those of search q are ``offsets[q]`` … ``offsets[q + 1]`` − 1; interval i begins at
    ``starts[i]``, the first of a search at −∞, and ``rows[i]`` are its statistics, added up.
    """

    offsets: NDArray[np.int64]
    starts: Steps
    rows: Rows

    @property
    def ends(self) -> Steps:
        """Where the intervals end; the last of a search at ∞."""
        ends = np.append(self.starts[1:], np.inf)
        ends[self.offsets[1:] - 1] = np.inf
        return ends


def intervals(surface: Surface, metric: Metric, points: Vectors, directions: Vectors) -> Intervals:
    """What the corpus sums to along each search: row n of ``points`` and of ``directions``."""
    found = surface.envelopes(points, directions)
    offsets, starts, rows = _native.interval_sums(*found, surface.segments, surface.rows(metric))
    return Intervals(offsets=offsets, starts=starts, rows=rows)


def gains(metric: Metric, rows: Rows) -> Scores:
    """Scores turned so that higher is better; an undefined one is worse than any other."""
    blocks = np.split(rows, range(_ROWS_AT_ONCE, len(rows), _ROWS_AT_ONCE))
    scores = np.concatenate([metric.score(block) for block in blocks])
    return np.where(np.isnan(scores), -np.inf, scores if metric.higher_is_better else -scores)


def best_steps(
    surface: Surface, metric: Metric, points: Vectors, directions: Vectors
) -> tuple[Scores, Steps]:
    """For each search the highest gain and a step that reaches it.

    Of equally good intervals the widest counts: its middle is farthest from any change.
    """
    cut = intervals(surface, metric, points, directions)
    starts, ends, sizes = cut.starts, cut.ends, np.diff(cut.offsets)
    middles = _middles(starts, ends)
    room = np.minimum(ends - middles, middles - starts)  # finite, unless nothing ever changes
    values = gains(surface.bound(metric), cut.rows)
    values[room <= NARROW * (1 + np.abs(middles))] = -np.inf
    first = cut.offsets[:-1]
    best = np.maximum.reduceat(values, first)
    room[values < np.repeat(best, sizes)] = -1.0
    most = np.maximum.reduceat(room, first)
    chosen = np.flatnonzero(room == np.repeat(most, sizes))
    chosen = chosen[np.searchsorted(chosen, first)]  # the first of each search
    return best, middles[chosen]


def _middles(starts: Steps, ends: Steps) -> Steps:
    """A step inside each interval; where one has no end, a little beyond the last change."""
    left, right = np.isinf(starts), np.isinf(ends)
    with np.errstate(invalid="ignore"):
        below = ends - _MARGIN * (1 + np.abs(ends))
        above = starts + _MARGIN * (1 + np.abs(starts))
        middles = np.where(left, below, np.where(right, above, (starts + ends) / 2))
    return np.where(left & right, 0.0, middles)


GAIN: Final = 1e-9
"""A smaller rise of the score is none."""
_INTERVALS_AT_ONCE: Final = 1 << 20
_CHANGES_PER_SEGMENT: Final = 12  # a guess; it decides how much is done at once, not what is found


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How the best weights are searched for.

    ``restarts`` are ascents from random weights, beside the one from the weights given. A round
    searches along each coordinate and ``random_directions`` others, as many as there are
    features unless told. An ascent ends after ``patience`` rounds that found nothing better,
    or after ``rounds``. The weights of ``fixed`` features stay what they are, relative to the
    others.
    """

    restarts: int = 20
    random_directions: int | None = None  # as many as there are features
    patience: int = 5
    rounds: int = 200
    seed: int = DEFAULT_SEED
    fixed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, least in (("restarts", 0), ("patience", 1), ("rounds", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise OptionError(
                    f"{name}: found {getattr(self, name)}, expected a number from {least} on"
                )
        if self.random_directions is not None and self.random_directions < 0:
            raise OptionError(
                f"random_directions: found {self.random_directions}, expected at least 0"
            )

    def to_dict(self) -> dict[str, Any]:
        """What a result says of them."""
        return {"algorithm": "mert", "seed": self.seed, "restarts": self.restarts}

    def __str__(self) -> str:
        return f"{self.restarts} restarts, seed {self.seed}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """One ascent: where it began, where it ended, and the score after each round."""

    start: NDArray[np.float64]
    weights: NDArray[np.float64]
    scores: tuple[float, ...]

    @property
    def score(self) -> float:
        """The score it reached."""
        return self.scores[-1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mert:
    """The best of some ascents; the first began at the weights given."""

    metric: Metric
    feature_names: tuple[str, ...]
    runs: tuple[Run, ...] = field(repr=False)
    options: SearchOptions

    @property
    def best(self) -> Run:
        """The run with the best score, the first of several."""
        sign = 1 if self.metric.higher_is_better else -1
        return max(self.runs, key=lambda run: sign * run.score)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the best run; their absolute values add up to 1."""
        return self.best.weights

    @property
    def score(self) -> float:
        """The score of the best run."""
        return self.best.score

    @property
    def traces(self) -> list[list[float]]:
        """The scores of each ascent."""
        return [list(run.scores) for run in self.runs]

    def __str__(self) -> str:
        agreeing = sum(
            abs(run.score - self.score) <= 1e-9 * (1 + abs(self.score)) for run in self.runs
        )
        return f"{agreeing} of {len(self.runs)} ascents came to the best score"


def mert(
    surface: Surface,
    metric: Metric,
    start: Sequence[float] | NDArray[np.float64],
    options: SearchOptions | None = None,
    *,
    more_starts: Sequence[NDArray[np.float64]] = (),
    advance: Callable[[int], None] = lambda _: None,
) -> Mert:
    """Ascend from the weights given, from ``more_starts`` and from random weights.

    Each round searches along every coordinate and along random directions, exactly, and goes the
    best step found. All ascents take their rounds together, so that all cores have work; what
    one finds does not depend on the others.
    """
    options = options or SearchOptions()
    given = vector_of(start, surface.feature_names, "weights")
    scales = surface.spread()
    free = free_features(surface, options.fixed)
    generators = [np.random.default_rng([options.seed, 0, n]) for n in range(options.restarts)]
    drawn = [_random_start(rng, given, scales, free) for rng in generators]
    starts = np.array(
        [
            given,
            *(
                vector_of(more_start, surface.feature_names, "weights")
                for more_start in more_starts
            ),
            *drawn,
        ]
    )
    starts = normalized(starts)
    streams = [np.random.default_rng([options.seed, 1, n]) for n in range(len(starts))]
    points, values = starts.copy(), scores_at(surface, metric, starts)
    traces = [[float(value)] for value in values]
    # Without random directions a second round would only repeat the first.
    patience = 1 if options.random_directions == 0 else options.patience
    active, failures = np.arange(len(points)), np.zeros(len(points), dtype=int)
    for _ in range(options.rounds):
        directions = [_directions(streams[n], scales, free, options, failures[n]) for n in active]
        moved, reached = _ascend(surface, metric, points[active], directions)
        better = reached > values[active] + GAIN
        points[active[better]], values[active[better]] = moved[better], reached[better]
        for n in active[better]:
            traces[n].append(float(values[n]))
        failures[active] = np.where(better, 0, failures[active] + 1)
        going = failures[active] < patience
        advance(int(np.count_nonzero(~going)))
        active = active[going]
        if not len(active):
            break
    advance(len(active))
    sign = 1 if metric.higher_is_better else -1
    return Mert(
        metric=metric,
        feature_names=surface.feature_names,
        runs=tuple(
            Run(start=begin, weights=end, scores=tuple(sign * value for value in trace))
            for begin, end, trace in zip(starts, points, traces, strict=True)
        ),
        options=options,
    )


def scores_at(surface: Surface, metric: Metric, points: Vectors) -> Scores:
    """The gain, see `gains`, of what the model prefers under each of some weights."""
    chosen = surface.best(points)
    rows = surface.rows(metric)
    return gains(surface.bound(metric), np.stack([rows[numbers].sum(axis=0) for numbers in chosen]))


def normalized(points: Vectors) -> Vectors:
    """The same preferences with absolute weights that add up to 1 (L1)."""
    sums = np.abs(points).sum(axis=-1, keepdims=True)
    return points / np.where(sums > 0, sums, 1.0)


def _ascend(
    surface: Surface, metric: Metric, points: Vectors, directions: Sequence[Vectors]
) -> tuple[Vectors, Scores]:
    """The best point that one line search from each of the points leads to."""
    pairs = [(n, direction) for n, some in enumerate(directions) for direction in some]
    size = max(1, _INTERVALS_AT_ONCE // (_CHANGES_PER_SEGMENT * surface.segments))
    found, steps = np.empty(len(pairs)), np.empty(len(pairs))
    for begin in range(0, len(pairs), size):
        block = pairs[begin : begin + size]
        found[begin : begin + size], steps[begin : begin + size] = best_steps(
            surface,
            metric,
            points[[n for n, _ in block]],
            np.array([direction for _, direction in block]),
        )
    moved = points.copy()
    first = np.cumsum([0, *map(len, directions)])
    for n in range(len(points)):
        best = first[n] + int(np.argmax(found[first[n] : first[n + 1]]))
        moved[n] += steps[best] * pairs[best][1]
    moved = normalized(moved)
    # What counts is what the model prefers there, not what the search promised.
    return moved, scores_at(surface, metric, moved)


def _directions(
    rng: np.random.Generator,
    scales: NDArray[np.float64],
    free: NDArray[np.bool_],
    options: SearchOptions,
    failures: int,
) -> Vectors:
    count = int(free.sum()) if options.random_directions is None else options.random_directions
    # After a round in vain the coordinates are known to be no better: new chances are random.
    coordinates = np.eye(len(scales))[free & (failures == 0)]
    random = rng.standard_normal((count, len(scales))) / scales
    random[:, ~free] = 0.0
    return np.concatenate([coordinates, random])


def _random_start(
    rng: np.random.Generator,
    given: NDArray[np.float64],
    scales: NDArray[np.float64],
    free: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Weights under which every feature has a say, with any sign."""
    drawn = rng.uniform(-1, 1, len(given)) / scales
    return np.where(free, drawn, given)


def free_features(surface: Surface, fixed: Sequence[str]) -> NDArray[np.bool_]:
    """Which features may change."""
    for name in fixed:
        if name not in surface.feature_names:
            raise OptionError(
                f"fixed: found '{name}', expected one of {', '.join(surface.feature_names)}"
            )
    free = np.array([name not in fixed for name in surface.feature_names])
    if not free.any():
        raise OptionError("fixed: found all features, expected at least one to tune")
    return free
