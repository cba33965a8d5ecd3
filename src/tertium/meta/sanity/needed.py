"""How many documents, or ratings of each system, would a verdict between two of them need?

With standard deviation σ of what is drawn and difference Δ, n = ((t_{1−α/2} + t_{power}) σ / Δ)²
draws, with quantiles of Student's t, find Δ with the power asked for; that is checked by drawing
so many.

- Where documents are known, whole documents are drawn with all their ratings, and tested as
  standings are (`tertium.meta.ratings.pair_tests`): σ² is the variance of the difference over
  documents, times their number. The design effect says how many times more ratings that takes than
  if segments were independent.
- Where none are known, a segment is drawn, then a rating of each of the two systems on it. That
  takes segments for independent, and needs are told too small if they are not.

Two systems are compared on the same documents, or segments, where people rated both; else each on
its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isnan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.errors import InputError, OptionError
from tertium.inference.units import Units
from tertium.installation import scipy_for
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.pair_tests import ClusteredMean
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.sanity.measured import outputs_of
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Unit

TRIALS: Final = 1000
MOST: Final = 20_000
"""Ratings of each system beyond which nobody will go; more are not simulated."""
_AT_ONCE: Final = 1 << 18  # ratings drawn at once, about 2 MB an array
_ROUNDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """What ratings vary by: variances of systems, segments, judges and the rest."""

    system: float
    segment: float
    judge: float
    rest: float

    def to_dict(self) -> dict[str, Any]:
        """Numbers only, ready for JSON."""
        return {name: getattr(self, name) for name in ("system", "segment", "judge", "rest")}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighborOrder(Plain):
    """Two neighbours in the ranking by people, and what their order would take.

    ``ratings`` are those of the one that has fewer, ``segments`` those that both have (0 where
    they are compared without), ``documents`` those that both have, or of the one that has fewer (0
    where documents are not known). ``deviation`` is that of the difference of a document, else of
    a rating; ``design_effect`` is NaN without documents. ``power`` is how often as much as there is
    would find the difference, ``needed`` how many ratings would find it as often as asked for, in
    ``needed_documents`` documents (None for no difference), ``reached`` how often that many did
    when they were drawn (NaN where they are too many).
    """

    better: str
    worse: str
    ratings: int
    segments: int
    documents: int
    difference: float
    deviation: float
    design_effect: float
    power: float
    needed: int | None
    needed_documents: int | None
    reached: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed(Plain):
    """What every two neighbours would need, from the best to the worst system."""

    components: Components
    verdicts: tuple[NeighborOrder, ...]
    unit: Unit
    """What was drawn: documents where they are known."""
    power: float
    alpha: float
    trials: int
    seed: int


def ratings_needed(
    ratings: Ratings,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
) -> Needed:
    """Simulate how many documents or ratings would tell neighbours in the ranking apart.

    The difference is taken to be the one observed; where that is chance, so is the answer.
    """
    for name, given in (("power", power), ("alpha", alpha)):
        if not 0 < given < 1:
            raise OptionError(f"{name}: found {given}, expected a number between 0 and 1")
    if trials < 1:
        raise OptionError(f"trials: found {trials}, expected at least 1")
    some = outputs_of(ratings)
    if len(some) < 3:
        raise InputError(
            f"{ratings.name} {ratings.criterion}: found {counted(len(some), 'rating')} of "
            "segments, expected "
            "at least three to simulate more"
        )
    rng = np.random.default_rng(seed)
    means = some.judgments().values
    order = [int(index) for index in np.argsort(-means, kind="stable") if np.isfinite(means[index])]
    simulation = _Simulation(share=power, alpha=alpha, trials=trials, rng=rng)
    units = some.units
    if units.unit == "document":
        table = some.judgments().segments
        verdicts = [
            _document_verdict(some, units, table, pair, simulation)
            for pair in pairwise(order)
            if table is not None
        ]
    else:
        verdicts = [_verdict(some, better, worse, simulation) for better, worse in pairwise(order)]
    return Needed(
        components=components(some),
        verdicts=tuple(verdicts),
        unit=units.unit,
        power=power,
        alpha=alpha,
        trials=trials,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class _RatedPair:
    """The ratings of two systems, by segment: values, where a segment's begin, and how many."""

    values: tuple[Floats, ...]
    first: tuple[NDArray[np.int64], ...]
    counts: tuple[NDArray[np.int64], ...]
    paired: bool
    fewest: int

    @classmethod
    def of(cls, ratings: Ratings, better: int, worse: int) -> "_RatedPair":
        """Only segments that both have, if there are two of them; else all of each."""
        places = [np.flatnonzero(ratings.system == system) for system in (better, worse)]
        fewest = min(map(len, places))
        both = np.intersect1d(ratings.segment[places[0]], ratings.segment[places[1]])
        paired = len(both) > 1
        sides = []
        for own in places:
            kept = own[np.isin(ratings.segment[own], both)] if paired else own
            kept = kept[np.argsort(ratings.segment[kept], kind="stable")]
            _, start, count = np.unique(
                ratings.segment[kept], return_index=True, return_counts=True
            )
            sides.append((ratings.value[kept], start.astype(np.int64), count.astype(np.int64)))
        values, first, counts = zip(*sides, strict=True)
        return cls(values, first, counts, paired, fewest)

    def differences(self, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
        """Differences of two ratings drawn at random, of the same segment if they are paired."""
        sides = []
        segments = rng.integers(0, len(self.first[0]), shape)
        for values, first, counts in zip(self.values, self.first, self.counts, strict=True):
            some = segments if self.paired else rng.integers(0, len(first), shape)
            drawn = first[some] + (rng.random(shape) * counts[some]).astype(np.int64)
            sides.append(values[drawn])
        result: Floats = sides[0] - sides[1]
        return result

    @property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation of such a difference, exactly."""
        means, squares = [], []
        for values, first, counts in zip(self.values, self.first, self.counts, strict=True):
            means.append(np.add.reduceat(values, first) / counts)
            squares.append(np.add.reduceat(values**2, first) / counts)
        mean = float(means[0].mean() - means[1].mean())
        if self.paired:
            square = float((squares[0] + squares[1] - 2 * means[0] * means[1]).mean())
        else:
            cross = float(means[0].mean() * means[1].mean())
            square = float(squares[0].mean() + squares[1].mean()) - 2 * cross
        return mean, max(0.0, square - mean**2) ** 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Simulation:
    """Draws ratings anew, and tests the difference by Student's t."""

    share: float
    alpha: float
    trials: int
    rng: np.random.Generator

    def needed(self, spread: float) -> int:
        """The ratings that find a difference so many times smaller than its deviation."""
        with scipy_for("ratings needed"):
            from scipy.stats import t

        def enough(size: int) -> bool:
            factor = t.ppf(1 - self.alpha / 2, size - 1) + t.ppf(self.share, size - 1)
            return size >= (float(factor) * spread) ** 2

        high = 2
        while not enough(high) and high < 1 << 62:  # a difference of nearly nothing
            high *= 2
        low = high // 2  # not enough, unless two are
        while high - low > 1 and high > 2:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def power(self, pair: _RatedPair, size: int) -> float:
        """How often so many ratings of each system find the difference as it is."""
        if size < 2:
            return 0.0
        with scipy_for("ratings needed"):
            from scipy.stats import t

        limit = float(t.ppf(1 - self.alpha / 2, size - 1))
        sign = 1.0 if pair.moments[0] >= 0 else -1.0
        found = 0
        step = max(1, _AT_ONCE // size)
        for start in range(0, self.trials, step):
            drawn = sign * pair.differences((min(step, self.trials - start), size), self.rng)
            error = drawn.std(axis=1, ddof=1) / size**0.5
            found += int((drawn.mean(axis=1) > limit * error).sum())
        return found / self.trials

    def document_power(self, sides: Sequence[ClusteredMean], size: int) -> float:
        """How often so many documents find the difference, of which each side draws its own."""
        if size < 2 or any(side.units < 2 for side in sides):
            return 0.0
        with scipy_for("ratings needed"):
            from scipy.stats import t

        limit = float(t.ppf(1 - self.alpha / 2, len(sides) * (size - 1)))
        expected = sides[0].mean - (sides[1].mean if len(sides) > 1 else 0.0)
        sign = 1.0 if expected >= 0 else -1.0
        found = 0
        step = max(1, _AT_ONCE // size)
        for start in range(0, self.trials, step):
            shape = (min(step, self.trials - start), size)
            drawn = [_drawn_mean(side, shape, self.rng) for side in sides]
            means = drawn[0][0] - (drawn[1][0] if len(drawn) > 1 else 0.0)
            error = np.sqrt(sum(variance for _, variance in drawn))
            found += int((sign * means > limit * error).sum())
        return found / self.trials


def _drawn_mean(
    mean: ClusteredMean, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Means of documents drawn again, (trials, documents), and the variances they suggest."""
    counts, residuals = mean.counts, mean.sums - mean.mean * mean.counts
    # Documents drawn from those there are vary less than new ones would.
    scale = (
        (mean.variance * counts.sum() ** 2 / (residuals**2).sum()) ** 0.5 if any(residuals) else 1
    )
    places = np.flatnonzero(counts)[rng.integers(0, mean.units, shape)]
    sums, counts = (mean.mean * counts + scale * residuals)[places], counts[places]
    total = counts.sum(axis=1)
    means: Floats = sums.sum(axis=1) / total
    residuals = sums - means[:, np.newaxis] * counts
    size = shape[1]
    variances: Floats = (residuals**2).sum(axis=1) / total**2 * size / (size - 1)
    return means, variances


def _verdict(ratings: Ratings, better: int, worse: int, simulation: _Simulation) -> NeighborOrder:
    pair = _RatedPair.of(ratings, better, worse)
    difference, deviation = pair.moments
    needed = simulation.needed(abs(deviation / difference)) if difference else None
    return NeighborOrder(
        better=ratings.systems[better],
        worse=ratings.systems[worse],
        ratings=pair.fewest,
        segments=len(pair.first[0]) if pair.paired else 0,
        documents=0,
        difference=difference,
        deviation=deviation,
        design_effect=float("nan"),
        power=simulation.power(pair, min(pair.fewest, MOST)),
        needed=needed,
        needed_documents=None,
        reached=float("nan") if needed is None or needed > MOST else simulation.power(pair, needed),
    )


def _document_verdict(
    ratings: Ratings,
    units: Units,
    table: Floats,
    pair: tuple[int, int],
    simulation: _Simulation,
) -> NeighborOrder:
    """The same by documents: of the differences of both, or of each where they share too few."""
    both = ClusteredMean.of(table[pair[0]] - table[pair[1]], units)
    paired = both.units > 1
    sides = (both,) if paired else tuple(ClusteredMean.of(table[index], units) for index in pair)
    documents = min(side.units for side in sides)
    difference = both.mean if paired else sides[0].mean - sides[1].mean
    deviation = sum(side.units * side.variance for side in sides) ** 0.5
    known = bool(difference) and not isnan(deviation)
    needed = simulation.needed(abs(deviation / difference)) if known else None
    fewest = min(int((ratings.system == system).sum()) for system in pair)
    return NeighborOrder(
        better=ratings.systems[pair[0]],
        worse=ratings.systems[pair[1]],
        ratings=fewest,
        segments=both.segments if paired else 0,
        documents=documents,
        difference=difference,
        deviation=deviation,
        design_effect=both.design_effect if paired else float("nan"),
        power=simulation.document_power(sides, min(documents, MOST)),
        needed=None if needed is None else ceil(needed * fewest / max(1, documents)),
        needed_documents=needed,
        reached=(
            float("nan")
            if needed is None or needed > MOST
            else simulation.document_power(sides, needed)
        ),
    )


def components(ratings: Ratings) -> Components:
    """Variances of systems, segments, judges and the rest, of a model that adds them up.

    Effects are fitted in turns until they stand still; each has its variance over the ratings.
    """
    rest = ratings.value - ratings.value.mean()
    effects: dict[str, Floats] = {}
    sides = {
        "system": ratings.system,
        "segment": ratings.segment,
        "judge": ratings.judge,
    }
    for _ in range(_ROUNDS):
        moved = 0.0
        for name, of in sides.items():
            counts = np.bincount(of)
            step = np.divide(np.bincount(of, weights=rest), np.maximum(counts, 1))
            effects[name] = effects.get(name, np.zeros(len(counts))) + step
            rest = rest - step[of]
            moved = max(moved, float(np.abs(step).max(initial=0.0)))
        if moved < 1e-9:
            break
    return Components(
        **{name: float(effects[name][of].var()) for name, of in sides.items()},
        rest=float(rest.var()),
    )
