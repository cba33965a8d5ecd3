"""Training by updates: structured perceptron, MIRA, PRO.

Collins 2002; Crammer et al. 2006 and Chiang 2012 (hope and fear), in batches as by Cherry &
Foster 2012; Hopkins & May 2011.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Rows
from tertium.tune.mert import free_features, gains, normalized, scores_at
from tertium.tune.pools import Block, Pool, Vector
from tertium.tune.surfaces import Surface
from tertium.tune.training_options import TrainingOptions
from tertium.tune.weight_vectors import vector_of

if TYPE_CHECKING:
    from scipy import sparse


# Pairwise ranking optimisation (Hopkins & May 2011).


def sampled_differences(
    block: Block, worth: Vector, options: TrainingOptions, rng: np.random.Generator
) -> "list[sparse.csr_matrix]":
    """Features of the better hypothesis less those of the worse, for pairs that differ most."""
    if len(worth) < 2:
        return []
    ones, others = rng.integers(len(worth), size=(2, options.pairs))
    apart = np.abs(worth[ones] - worth[others])
    order = np.argsort(-apart, kind="stable")[: options.kept_pairs]
    kept = order[apart[order] >= max(options.threshold, 1e-12)]
    if not len(kept):
        return []
    ones, others = ones[kept], others[kept]
    swapped = worth[ones] < worth[others]
    better, worse = np.where(swapped, others, ones), np.where(swapped, ones, others)
    with scipy_for("PRO"):
        from scipy import sparse

    return [sparse.csr_matrix(block[better] - block[worse])]


def ranking_weights(
    differences: "sparse.csr_matrix", start: Vector, l2: float, free: NDArray[np.bool_]
) -> Vector:
    """The weights that minimise the mean of ln(1 + exp(−w·d)), plus l2 / 2 · |w|².

    Features that are not free stay at their start.
    """
    with scipy_for("PRO"):
        from scipy import optimize

    held = np.where(free, 0.0, start)
    own = differences[:, np.flatnonzero(free)]
    given = differences @ held

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = own @ weights + given
        value = float(np.logaddexp(0, -margins).mean() + l2 / 2 * weights @ weights)
        pulls = -1 / (1 + np.exp(np.minimum(margins, 700)))
        return value, np.asarray(own.T @ pulls).ravel() / len(margins) + l2 * weights

    found = optimize.minimize(loss, start[free], jac=True, method="L-BFGS-B")
    weights = held.copy()
    weights[free] = found.x
    return weights


DECAY: Final = 0.9
"""How much of the background stays from one segment to the next (Chiang 2012)."""
BEHIND: Final = DECAY / (1 - DECAY)
"""The segments that the background then is worth."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Epoch:
    """The weights after one pass, and the score of what the model then prefers."""

    weights: NDArray[np.float64]
    score: float
    updates: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trained:
    """The best of some epochs; number 0 has the weights given."""

    metric: Metric
    feature_names: tuple[str, ...]
    epochs: tuple[Epoch, ...] = field(repr=False)
    options: TrainingOptions

    @property
    def best(self) -> int:
        """The epoch with the best score on what was trained on, the first of several."""
        sign = 1 if self.metric.higher_is_better else -1
        return max(range(len(self.epochs)), key=lambda number: sign * self.epochs[number].score)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the best epoch; their absolute values add up to 1."""
        return self.epochs[self.best].weights

    @property
    def score(self) -> float:
        """The score of the best epoch."""
        return self.epochs[self.best].score

    @property
    def traces(self) -> list[list[float]]:
        """The score after each epoch, from the weights given on."""
        return [[one.score for one in self.epochs]]

    def __str__(self) -> str:
        if self.best == 0:
            return "no epoch was better than the weights given"
        return f"epoch {self.best} of {len(self.epochs) - 1} was the best on the dev set"


def train(
    surface: Surface,
    metric: Metric,
    start: Sequence[float] | NDArray[np.float64],
    options: TrainingOptions,
    *,
    advance: Callable[[int], None] = lambda _: None,
) -> Trained:
    """Train from the weights given, epoch by epoch, and keep the best epoch's weights."""
    given = vector_of(start, surface.feature_names, "weights")
    free = free_features(surface, options.fixed)
    pool = Pool(surface, metric, options.paths)
    rng = np.random.default_rng([options.seed, 2])
    scaled = given * pool.scales
    size = float(np.linalg.norm(scaled))
    scaled = scaled / size if size > 0 else scaled
    epochs = [_epoch(surface, metric, given, 0)]
    learner = _Learner(pool, surface.bound(metric), options, free, scaled)
    for _ in range(options.epochs):
        updates = learner.pro(rng) if options.algorithm == "pro" else learner.online(rng)
        epochs.append(_epoch(surface, metric, learner.result / pool.scales, updates))
        advance(1)
    return Trained(
        metric=metric, feature_names=surface.feature_names, epochs=tuple(epochs), options=options
    )


def _epoch(surface: Surface, metric: Metric, weights: Vector, updates: int) -> Epoch:
    point = normalized(weights)
    sign = 1 if metric.higher_is_better else -1
    score = float(scores_at(surface, metric, point[np.newaxis])[0])
    return Epoch(weights=point, score=sign * score, updates=updates)


class _Learner:
    """Weights of scaled features on their way, and the sum of those they have been."""

    def __init__(
        self,
        pool: Pool,
        metric: Metric,
        options: TrainingOptions,
        free: NDArray[np.bool_],
        start: Vector,
    ) -> None:
        self.pool, self.metric, self.options, self.free = pool, metric, options, free
        self.weights, self.start = start.copy(), start
        self.sum, self.steps = np.zeros(len(start)), 0
        self.background: Rows | None = None

    @property
    def result(self) -> Vector:
        """The mean of all weights so far, or the last ones."""
        return self.sum / self.steps if self.options.average and self.steps else self.weights

    def online(self, rng: np.random.Generator) -> int:
        """A pass over the segments in random order; returns how many changed the weights."""
        updates = 0
        for segment in rng.permutation(len(self.pool.blocks)).tolist():
            self.pool.grow(segment, self.weights)
            block, rows = self.pool.blocks[segment], self.pool.rows[segment]
            model = np.asarray(block @ self.weights)
            worth = self._gains(rows, int(np.argmax(model)))
            if self.options.algorithm == "mira":
                step = mira_step(block, model, worth, self.options.step)
            else:
                step = perceptron_step(block, model, worth)
            if step is not None:
                self.weights = self.weights + np.where(self.free, step, 0.0)
                updates += 1
            self.sum += self.weights
            self.steps += 1
        return updates

    def _gains(self, rows: Rows, chosen: int) -> Vector:
        """What each hypothesis is worth, with what was chosen before behind it.

        One segment alone says little by BLEU; with a background of earlier choices it says what
        it does to a corpus. Metrics that decompose do not mind.
        """
        if self.background is None:
            firsts = [rows[0] for rows in self.pool.rows if len(rows)]
            self.background = BEHIND * np.mean(firsts, axis=0)
        found = gains(self.metric, self.background + rows) * (BEHIND + 1) / 100
        self.background = DECAY * (self.background + rows[chosen])
        return np.asarray(found)

    def pro(self, rng: np.random.Generator) -> int:
        """Fresh pairs, added to none of before, and the weights that rank them best."""
        differences = []
        for segment in range(len(self.pool.blocks)):
            self.pool.grow(segment, self.weights)
            worth = gains(self.metric.for_segments(), self.pool.rows[segment]) / 100
            differences += sampled_differences(
                self.pool.blocks[segment], np.asarray(worth), self.options, rng
            )
        if differences:
            with scipy_for("PRO"):
                from scipy import sparse

            table = sparse.vstack(differences).tocsr()
            self.weights = ranking_weights(table, self.start, self.options.l2, self.free)
        self.sum, self.steps = self.sum + self.weights, self.steps + 1
        return len(differences)


def perceptron_step(block: Block, model: Vector, worth: Vector) -> Vector | None:
    """From what the model prefers to the best there is (Collins 2002); nothing if it is that."""
    chosen = int(np.argmax(model))
    best = np.flatnonzero(worth >= worth.max() - 1e-12)
    if chosen in best:
        return None
    oracle = int(best[np.argmax(model[best])])
    return difference(block, oracle, chosen)


def mira_step(block: Block, model: Vector, worth: Vector, longest: float) -> Vector | None:
    """The shortest step after which hope leads fear by what it is worth more, or C of it.

    Hope is good by model and metric, fear good by the model and bad by the metric (Chiang 2012).
    """
    hope, fear = int(np.argmax(model + worth)), int(np.argmax(model - worth))
    missing = (worth[hope] - worth[fear]) - (model[hope] - model[fear])
    towards = difference(block, hope, fear)
    length = float(towards @ towards)
    if missing <= 0 or length <= 0:
        return None
    return min(longest, float(missing) / length) * towards


def difference(block: Block, one: int, other: int) -> Vector:
    """Features of one hypothesis less those of another."""
    if isinstance(block, np.ndarray):
        found: Vector = block[one] - block[other]
        return found
    return np.asarray((block[one] - block[other]).toarray()).ravel()
