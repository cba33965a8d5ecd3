"""How many ratings of each system would a verdict between two of them need?

Ratings vary by system, segment and judge, and by what is left. Two systems are compared on the same
segments where people rated both; then only the rest matters, and the judges if others rated the one
than the other. What a rating's difference varies by is taken from the ratings there are: a segment
is drawn, then a rating of each of the two systems on it. With standard deviation σ and difference
Δ, n = ((t_{1−α/2} + t_{power}) σ / Δ)² ratings of each system, with quantiles of Student's t, find
Δ with the power asked for; that is checked by drawing so many.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError
from tertium.inference.choices import DEFAULT_SEED
from tertium.installation import scipy_for
from tertium.meta.agreement.json_numbers import or_none
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.many_judges import Ratings
from tertium.meta.sanity.measured import outputs_of

TRIALS: Final = 1000
MOST: Final = 20_000
"""Ratings of each system beyond which nobody will go; more are not simulated."""
_AT_ONCE: Final = 1 << 22
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
class Verdict:
    """Two neighbours in the ranking by people, and what their order would take.

    ``ratings`` are those of the one that has fewer, ``segments`` those that both have (0 where
    they are compared without). ``power`` is how often as many ratings as there are would find the
    difference, ``needed`` how many would find it as often as asked for (None for no difference),
    ``reached`` how often that many did when they were drawn (NaN where they are too many).
    """

    better: str
    worse: str
    ratings: int
    segments: int
    difference: float
    deviation: float
    power: float
    needed: int | None
    reached: float

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not known is null."""
        return {
            "better": self.better,
            "worse": self.worse,
            "ratings": self.ratings,
            "segments": self.segments,
            "difference": self.difference,
            "deviation": self.deviation,
            "power": self.power,
            "needed": self.needed,
            "reached": or_none(self.reached),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What every two neighbours would need, from the best to the worst system."""

    components: Components
    verdicts: tuple[Verdict, ...]
    power: float
    alpha: float
    trials: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "components": self.components.to_dict(),
            "verdicts": [one.to_dict() for one in self.verdicts],
            "power": self.power,
            "alpha": self.alpha,
            "trials": self.trials,
            "seed": self.seed,
        }


def ratings_needed(
    ratings: Ratings,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
) -> Needed:
    """Simulate how many ratings of each system would tell neighbours in the ranking apart.

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
            f"{ratings.name} {ratings.criterion}: found {len(some)} ratings of segments, expected "
            "at least three to simulate more"
        )
    rng = np.random.default_rng(seed)
    means = some.judgments().values
    order = [int(one) for one in np.argsort(-means, kind="stable") if np.isfinite(means[one])]
    simulation = _Simulation(share=power, alpha=alpha, trials=trials, rng=rng)
    verdicts = [_verdict(some, better, worse, simulation) for better, worse in pairwise(order)]
    return Needed(
        components=components(some),
        verdicts=tuple(verdicts),
        power=power,
        alpha=alpha,
        trials=trials,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """The ratings of two systems, by segment: values, where a segment's begin, and how many."""

    values: tuple[Floats, ...]
    first: tuple[NDArray[np.int64], ...]
    counts: tuple[NDArray[np.int64], ...]
    paired: bool
    fewest: int

    @classmethod
    def of(cls, ratings: Ratings, better: int, worse: int) -> "_Pair":
        """Only segments that both have, if there are two of them; else all of each."""
        places = [np.flatnonzero(ratings.system == one) for one in (better, worse)]
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

        size = 30.0
        for _ in range(_ROUNDS):  # Student's t has quantiles for every size
            free = max(1.0, size - 1)
            factor = float(t.ppf(1 - self.alpha / 2, free) + t.ppf(self.share, free))
            new = max(2.0, (factor * spread) ** 2)
            if abs(new - size) < 0.01:
                break
            size = new
        return ceil(size)

    def power(self, pair: _Pair, size: int) -> float:
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


def _verdict(ratings: Ratings, better: int, worse: int, simulation: _Simulation) -> Verdict:
    pair = _Pair.of(ratings, better, worse)
    difference, deviation = pair.moments
    needed = simulation.needed(abs(deviation / difference)) if difference else None
    return Verdict(
        better=ratings.systems[better],
        worse=ratings.systems[worse],
        ratings=pair.fewest,
        segments=len(pair.first[0]) if pair.paired else 0,
        difference=difference,
        deviation=deviation,
        power=simulation.power(pair, min(pair.fewest, MOST)),
        needed=needed,
        reached=float("nan") if needed is None or needed > MOST else simulation.power(pair, needed),
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
