"""Training by updates: structured perceptron, MIRA, PRO.

Collins 2002; Crammer et al. 2006 and Chiang 2012 (hope and fear), in batches as by Cherry &
Foster 2012; Hopkins & May 2011.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.decode.oracle.candidates import Vocabulary, native_forest, native_lattice, rate_of
from tertium.decode.structures.arrays import Path, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import OptionError
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.tune.mert import free_features, gains, normalized, scores_at
from tertium.tune.surfaces import Graph, GraphSurface, NBestSurface, Surface
from tertium.tune.weight_vectors import vector_of

if TYPE_CHECKING:
    from scipy import sparse


# How weights are trained by updates instead of searched for along lines.

Algorithm = Literal["mira", "perceptron", "pro"]
ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """Structured perceptron, MIRA or PRO: for more features than line searches can manage.

    ``epochs`` are passes over the segments, or new samples for PRO; the weights of the best one
    count. ``step`` is the longest step of MIRA, its regularisation C; ``l2`` is the weight of
    PRO's ``|w|²``; ``pairs`` of hypotheses are drawn for each segment by PRO, of which the
    ``kept_pairs`` count that differ most, and by at least ``threshold``. ``paths`` are the best
    paths of a lattice or forest that an update can choose from, beside its best by the metric.
    """

    algorithm: Algorithm
    epochs: int = 20
    step: float = 0.01
    l2: float = 0.01
    pairs: int = 5000
    kept_pairs: int = 50
    threshold: float = 0.05
    paths: int = 50
    average: bool = True
    seed: int = DEFAULT_SEED
    fixed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            known = ", ".join(ALGORITHMS)
            raise OptionError(f"algorithm: found '{self.algorithm}', expected one of {known}")
        least = {"epochs": 1, "pairs": 1, "kept_pairs": 1, "paths": 1, "seed": 0}
        for name, smallest in least.items():
            if getattr(self, name) < smallest:
                found = f"found {getattr(self, name)}"
                raise OptionError(f"{name}: {found}, expected a number from {smallest} on")
        for name in ("step", "l2"):
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"{name}: found {getattr(self, name):g}, expected more than 0")
        if not 0 <= self.threshold <= 1:
            raise OptionError(f"threshold: found {self.threshold:g}, expected 0 to 1")

    def to_dict(self) -> dict[str, Any]:
        """What a result says of them: those that the algorithm uses."""
        others = {
            "mira": ("step", "average", "paths"),
            "perceptron": ("average", "paths"),
            "pro": ("l2", "pairs", "kept_pairs", "threshold", "paths"),
        }[self.algorithm]
        shown = {"algorithm", "epochs", "seed", *others}
        return {
            field.name: getattr(self, field.name) for field in fields(self) if field.name in shown
        }

    def __str__(self) -> str:
        how = {
            "mira": f", C {self.step:g}",
            "perceptron": "",
            "pro": f", L2 {self.l2:g}",
        }[self.algorithm]
        return f"{self.algorithm}, {self.epochs} epochs{how}, seed {self.seed}"


# The hypotheses that updates choose from, segment by segment.

# Hope: the path that is best by model and metric together (Chiang 2012).
#
# The k-gram recognition rate is a sum over the arcs of a path, as the model's score is. So the path
# with the largest sum of both is found exactly, in the time of an oracle.


class HopeSearch:
    """One lattice or forest and its references, for a rate."""

    __slots__ = ("_labels", "_references", "one", "rate")

    def __init__(
        self, graph: Lattice | Forest, rate: GramRecognitionRate, references: Sequence[str]
    ) -> None:
        self.one, self.rate = graph, rate
        vocabulary = Vocabulary.of(graph.vocabulary, rate, graph.name)
        raw = graph.labels if isinstance(graph, Lattice) else graph.symbols
        self._labels = vocabulary.labels(raw)
        # The denominator: every n-gram of the reference, up to k words.
        self._references = [
            (vocabulary.reference(words), max(1.0, grams(len(words), rate.k)))
            for words in (rate.words(reference) for reference in references)
        ]

    def best(self, weights: Weights = None, *, share: float = 1.0) -> list[Path]:
        """For each reference the path with the largest ``share`` · rate + model score.

        The rate is 0 to 1 here. Of equal paths the one that the model prefers.
        """
        result = []
        for reference, denominator in self._references:
            rate, mix = self.rate, denominator / share
            if isinstance(self.one, Lattice):
                paths = native_lattice(self.one, weights, self._labels).best(
                    reference, k=rate.k, alpha=rate.alpha, beta=rate.beta, count=1, mix=mix
                )
                result.append(self.one.path(paths[0][1], weights))
            else:
                paths, _ = native_forest(self.one, weights, self._labels).best(
                    reference, k=rate.k, alpha=rate.alpha, beta=rate.beta, count=1, mix=mix
                )
                result.append(self.one.derivation(paths[0][1], weights))
        return result


def grams(length: int, k: int) -> float:
    """How many n-grams of up to k words so many words have."""
    return float(sum(max(0, length - n + 1) for n in range(1, k + 1)))


Vector: TypeAlias = NDArray[np.float64]
Block: TypeAlias = "NDArray[np.float64] | sparse.csr_matrix"

_FEW: Final = 200
"""So many features are quicker as a table with all the zeros."""


class Pool:
    """Features, scaled, and statistics of all hypotheses that are known of each segment.

    Features are divided by how much they vary, so that steps are fair to all of them. The lists
    of an `NBestSurface` are known from the beginning; of lattices and forests, `grow` takes in
    what the model likes under some weights and what model and metric like together.
    """

    __slots__ = ("_graphs", "_metric", "blocks", "rows", "scales", "surface")

    def __init__(self, surface: Surface, metric: Metric, paths: int = 1) -> None:
        self.surface, self.scales = surface, surface.spread()
        self._metric = surface.bound(metric)
        self._graphs: list[_Graph] = []
        self.blocks: list[Block] = []
        self.rows: list[Rows] = []
        if isinstance(surface, NBestSurface):
            rows, offsets = surface.rows(metric), surface.candidates.offsets
            for begin, end in pairwise(offsets.tolist()):
                table = surface.candidates.features[begin:end] / self.scales
                self.blocks.append(table if table.shape[1] <= _FEW else _without_zeros(table))
                self.rows.append(rows[begin:end])
        elif isinstance(surface, GraphSurface):
            self._graphs = [
                _Graph(graph, references, surface.feature_names, self._metric, paths)
                for graph, references in zip(surface.graphs, surface.references, strict=True)
            ]
            width = len(surface.feature_names)
            self.blocks = [np.zeros((0, width)) for _ in self._graphs]
            self.rows = [np.zeros((0, len(self._metric.columns))) for _ in self._graphs]
        else:
            raise OptionError(f"{type(surface).__name__}: expected n-best lists or graphs")

    def grow(self, segment: int, weights: Vector) -> None:
        """Take in what a lattice or forest has to say under these (scaled) weights."""
        if not self._graphs:
            return
        texts, features = self._graphs[segment].search(weights / self.scales)
        if not texts:
            return
        fresh = self.surface.statistics(self._metric, texts, [segment] * len(texts))
        self.rows[segment] = np.concatenate([self.rows[segment], fresh])
        self.blocks[segment] = np.concatenate([self.blocks[segment], features / self.scales])


def _without_zeros(table: NDArray[np.float64]) -> "sparse.csr_matrix":
    with scipy_for(f"training with more than {_FEW} features"):
        from scipy import sparse

    return sparse.csr_matrix(table)


class _Graph:
    """One lattice or forest, and the hypotheses of it that have been seen."""

    def __init__(
        self,
        graph: Graph,
        references: Sequence[str],
        names: tuple[str, ...],
        metric: Metric,
        paths: int,
    ) -> None:
        self.graph, self.paths = graph, paths
        self.places = [names.index(name) for name in graph.feature_names]
        self.width = len(names)
        self.seen: set[tuple[str, bytes]] = set()
        rate = rate_of(metric)
        self.hope = None if rate is None else HopeSearch(graph, rate, references)

    def search(self, weights: Vector) -> tuple[list[str], NDArray[np.float64]]:
        """Texts and features that are new."""
        own = weights[self.places]
        found = list(islice(self.graph.ranked(own), self.paths))
        if self.hope is not None:
            found += self.hope.best(own)
        texts, features = [], []
        for path in found:
            table = np.zeros(self.width)
            table[self.places] = path.features
            key = path.text, table.tobytes()
            if key not in self.seen:
                self.seen.add(key)
                texts.append(path.text)
                features.append(table)
        return texts, np.array(features).reshape(len(texts), self.width)


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
        return [[epoch.score for epoch in self.epochs]]

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


def difference(block: Block, first: int, other: int) -> Vector:
    """Features of one hypothesis less those of another."""
    if isinstance(block, np.ndarray):
        result: Vector = block[first] - block[other]
        return result
    return np.asarray((block[first] - block[other]).toarray()).ravel()
