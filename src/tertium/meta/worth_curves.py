"""A rising curve from a metric's difference to the share of pairs that people see alike.

Kocmi et al. (2024) asked which difference of a metric people notice, and drew one curve for each.
Here the curve is only bound to rise (isotonic regression), and its interval comes from drawing
test sets anew: pairs that share a system are not independent, test sets are. These are few, so the
interval is wider than its draws, as that of few documents is (`widening`). Of fewer than five test
sets systems are drawn, too, in each of them, which is on the safe side.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.errors import InputError, OptionError
from tertium.inference.intervals import limits
from tertium.inference.rows import check_level, check_trials
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Scores
from tertium.plain import Plain
from tertium.plurals import counted

if TYPE_CHECKING:  # `decide` looks up curves that were fitted before, and reads no ratings
    from tertium.meta.agreement.overview import RatedSet
    from tertium.meta.ratings.judgments import Judgments, MetricScores

# Pairs of systems that both people and a metric judged: does the sign of the metric hold?


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemPairs:
    """All pairs of systems of one test set with how far the metric has them apart.

    ``group`` is what is held out together, such as a year. ``agrees`` is 1 where people put the
    pair in the metric's order and 0 where they do not. Pairs that either side ties say nothing of
    a sign; ``ties`` counts them.
    """

    name: str
    group: str
    systems: int
    first: NDArray[np.intp] = field(repr=False)
    second: NDArray[np.intp] = field(repr=False)
    deltas: Scores = field(repr=False)
    agrees: Scores = field(repr=False)
    ties: int

    def __len__(self) -> int:
        return len(self.deltas)

    @classmethod
    def of(
        cls,
        judgments: "Judgments",
        scores: "MetricScores",
        *,
        group: str = "",
        wanted: Callable[[str, str], bool] | None = None,
    ) -> Self:
        """The pairs of the systems that have both a rating and a score.

        ``wanted`` is asked of each, by the name of the system that the metric has ahead and of
        the other.
        """
        from tertium.meta.agreement.shared_systems import align

        aligned = align(judgments, scores)
        aligned.check_systems(2)
        first, second = np.triu_indices(len(aligned.systems), 1)
        ratings = aligned.ratings[first] - aligned.ratings[second]
        deltas = aligned.scores[first] - aligned.scores[second]
        told = (ratings != 0) & (deltas != 0)
        if wanted is not None:
            names = aligned.systems
            ahead = zip(first.tolist(), second.tolist(), (deltas > 0).tolist(), strict=True)
            told &= np.array(
                [wanted(names[a if up else b], names[b if up else a]) for a, b, up in ahead]
            )
        name = f"{judgments.name} {judgments.criterion}"
        return cls(
            name=name,
            group=group or name,
            systems=len(aligned.systems),
            first=first[told],
            second=second[told],
            deltas=np.abs(deltas[told]),
            agrees=(np.sign(ratings) == np.sign(deltas))[told].astype(np.float64),
            ties=int(np.count_nonzero((ratings == 0) | (deltas == 0))),
        )

    def drawn(self, rng: "np.random.Generator") -> Scores:
        """How often each pair is there when systems are drawn with replacement."""
        drawn = rng.integers(0, self.systems, self.systems)
        counts = np.bincount(drawn, minlength=self.systems).astype(np.float64)
        return counts[self.first] * counts[self.second]


def joined(sets: Sequence[SystemPairs]) -> tuple[Scores, Scores]:
    """The distances of all pairs, and whether people agree."""
    if not any(map(len, sets)):
        raise InputError("worth: found no pair of systems that people and metric tell apart")
    return np.concatenate([s.deltas for s in sets]), np.concatenate([s.agrees for s in sets])


TRIALS: Final = 500
LEAST_PAIRS: Final = 20
"""Fewer say nothing of a curve."""
CHANCE: Final = 0.5
"""The share of a difference of nothing. A curve of all pairs never lies lower."""
FEWEST_SETS: Final = 5
"""Fewer test sets cannot say by themselves how far they differ."""
KNOTS: Final = 40
"""Points that a curve is kept at, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth(Plain):
    """The share of pairs with such a difference that people put in the metric's order.

    ``beyond`` says that no pair differed by as much: the share is that of the greatest difference.
    ``kind`` is the kind of pair that was looked at, in words; empty for all.
    """

    delta: float
    share: float
    low: float
    high: float
    pairs: int
    beyond: bool = False
    kind: str = ""

    @property
    def short(self) -> str:
        """The share with its interval, in per cent."""
        return f"{100 * self.share:.0f} % [{100 * self.low:.0f}, {100 * self.high:.0f}]"

    def __str__(self) -> str:
        return f"raters agree with such a difference in {self.short} of pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutForecast(Plain):
    """What the curve of the other groups foretold of one, and what people said there.

    ``error`` is the mean square of the difference (Brier's score), ``plain_error`` that of
    foretelling the overall share whatever the difference.
    """

    name: str
    pairs: int
    foretold: float
    found: float
    error: float
    plain_error: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorthCurve:
    """One metric's curve at some differences, linear in between.

    ``kind`` is the kind of pair that it was fitted to, such as *two LLMs*; empty for all.
    """

    metric: str
    deltas: Scores = field(repr=False)
    shares: Scores = field(repr=False)
    low: Scores = field(repr=False)
    high: Scores = field(repr=False)
    pairs: int
    ties: int
    sets: tuple[str, ...]
    level: float
    held_out: tuple[HeldOutForecast, ...] = ()
    kind: str = ""

    def at(self, delta: float) -> Worth:
        """What a difference of this size is worth; its sign does not matter."""
        size = abs(delta)
        if not np.isfinite(size):
            raise OptionError(f"difference: found {delta}, expected a number")
        return Worth(
            delta=size,
            share=float(np.interp(size, self.deltas, self.shares)),
            low=float(np.interp(size, self.deltas, self.low)),
            high=float(np.interp(size, self.deltas, self.high)),
            pairs=self.pairs,
            beyond=bool(size > self.deltas[-1]),
            kind=self.kind,
        )

    def needed(self, share: float) -> float | None:
        """The least difference that is worth as much; none if no difference is."""
        if not 0 < share < 1:
            raise OptionError(f"share: found {share}, expected a number between 0 and 1")
        reached = np.flatnonzero(self.shares >= share)
        if not len(reached):
            return None
        place = int(reached[0])
        if place == 0:
            return float(self.deltas[0])
        return float(
            np.interp(share, self.shares[place - 1 : place + 1], self.deltas[place - 1 : place + 1])
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; `from_dict` reads it."""
        return {
            "metric": self.metric,
            "kind": self.kind,
            "pairs": self.pairs,
            "ties": self.ties,
            "sets": list(self.sets),
            "level": self.level,
            "curve": [
                {"delta": d, "share": s, "low": a, "high": b}
                for d, s, a, b in zip(
                    *(
                        values.tolist()
                        for values in (self.deltas, self.shares, self.low, self.high)
                    ),
                    strict=True,
                )
            ],
            "held_out": [forecast.to_dict() for forecast in self.held_out],
        }

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Self:
        """The curve that `to_dict` wrote."""
        columns = {
            name: np.array([point[key] for point in kept["curve"]])
            for name, key in (
                ("deltas", "delta"),
                ("shares", "share"),
                ("low", "low"),
                ("high", "high"),
            )
        }
        return cls(
            metric=kept["metric"],
            kind=kept.get("kind", ""),
            pairs=kept["pairs"],
            ties=kept["ties"],
            sets=tuple(kept["sets"]),
            level=kept["level"],
            held_out=tuple(HeldOutForecast(**forecast) for forecast in kept["held_out"]),
            **columns,
        )


def worth_curve(
    metric: str,
    sets: Sequence[SystemPairs],
    *,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    kind: str = "",
) -> WorthCurve:
    """Fit the curve of one metric to the pairs of several test sets.

    Each group of test sets is predicted from the others, if there are any, to see whether the
    curve holds where it was not fitted. With a ``kind`` all pairs are of that kind, and the curve
    may lie below one half: overlap has classic systems ahead of LLMs that raters prefer.
    """
    check_trials(trials, seed)
    check_level(level)
    deltas, agrees = joined(sets)
    if len(deltas) < LEAST_PAIRS:
        raise InputError(
            f"{metric}: found {counted(len(deltas), 'pair')} of systems, expected at least "
            f"{LEAST_PAIRS}"
        )
    knots = np.unique(np.quantile(deltas, np.linspace(0, 1, KNOTS)))
    low, high = _limits(_drawn(sets, knots, trials=trials, seed=seed), sets=len(sets), level=level)
    floor = 0.0 if kind else CHANCE
    shares = np.maximum(_rising(deltas, agrees, np.ones(len(deltas)), knots), floor)
    return WorthCurve(
        metric=metric,
        deltas=knots,
        shares=shares,
        low=np.minimum(low, shares),
        high=np.maximum(high, shares),
        pairs=len(deltas),
        ties=sum(rated_set.ties for rated_set in sets),
        sets=tuple(rated_set.name for rated_set in sets),
        level=level,
        held_out=tuple(_foretold(group, sets, floor) for group in _groups(sets)),
        kind=kind,
    )


def _drawn(sets: Sequence[SystemPairs], knots: Scores, *, trials: int, seed: int) -> Scores:
    """The curve of test sets that might have been there instead, (trials, knots)."""
    rng, drawn = np.random.default_rng(seed), []
    for _ in range(trials):
        chosen = rng.integers(0, len(sets), len(sets)) if len(sets) > 1 else [0]
        some = []
        for pairs in (sets[place] for place in chosen):
            weights = pairs.drawn(rng) if len(sets) < FEWEST_SETS else np.ones(len(pairs))
            there = weights > 0
            some.append((pairs.deltas[there], pairs.agrees[there], weights[there]))
        size, agree, weight = (np.concatenate(column) for column in zip(*some, strict=True))
        if len(size):
            drawn.append(_rising(size, agree, weight, knots))
    return np.stack(drawn)


def _limits(drawn: Scores, *, sets: int, level: float) -> tuple[Scores, Scores]:
    """Both ends of the interval; test sets are to a curve what documents are to a score."""
    if sets < FEWEST_SETS:
        return limits(drawn.T, level=level)
    low, high = limits(drawn.T, level=level, unit="document", units=sets)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def worth_curves(
    sets: "Sequence[RatedSet]",
    *,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> tuple[WorthCurve, ...]:
    """The curve of each metric over all sets of ratings that have its scores."""
    pairs: dict[str, list[SystemPairs]] = {}
    for rated_set in sets:
        for scores in rated_set.scores:
            found = SystemPairs.of(rated_set.judgments, scores)
            pairs.setdefault(scores.metric, []).append(found)
    return tuple(
        worth_curve(metric, some, trials=trials, seed=seed, level=level)
        for metric, some in pairs.items()
    )


def _groups(sets: Sequence[SystemPairs]) -> list[str]:
    """The groups that can be foretold: those with pairs, where others have some too."""
    found = list(dict.fromkeys(rated_set.group for rated_set in sets if len(rated_set)))
    return found if len(found) > 1 else []


def _foretold(group: str, sets: Sequence[SystemPairs], floor: float) -> HeldOutForecast:
    places, found = joined([rated_set for rated_set in sets if rated_set.group == group])
    deltas, agrees = joined([rated_set for rated_set in sets if rated_set.group != group])
    shares = np.maximum(_rising(deltas, agrees, np.ones(len(deltas)), places), floor)
    return HeldOutForecast(
        name=group,
        pairs=len(places),
        foretold=float(shares.mean()),
        found=float(found.mean()),
        error=float(((shares - found) ** 2).mean()),
        plain_error=float(((agrees.mean() - found) ** 2).mean()),
    )


def _rising(deltas: Scores, agrees: Scores, weights: Scores, places: Scores) -> Scores:
    """The curve at some places: a least-squares fit that rises, linear between its steps.

    A step of n pairs in which all agree is (n + ½) / (n + 1) (Jeffreys 1946): no number of pairs
    makes the next one certain.
    """
    with scipy_for("a curve of worth"):
        from scipy.optimize import isotonic_regression

    order = np.argsort(deltas, kind="stable")
    deltas, agrees, weights = deltas[order], agrees[order], weights[order]
    blocks = isotonic_regression(agrees, weights=weights).blocks
    starts = blocks[:-1]
    sizes = np.add.reduceat(weights, starts)
    centres = np.add.reduceat(weights * deltas, starts) / sizes
    shares = (np.add.reduceat(weights * agrees, starts) + 0.5) / (sizes + 1)
    # Small steps were moved towards one half: they must still rise.
    shares = isotonic_regression(shares, weights=sizes).x
    centres, first = np.unique(centres, return_index=True)
    result: Scores = np.interp(places, centres, shares[first])
    return result


# Curves of several metrics, and those that come with tertium, measured at WMT.


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthTable:
    """Curves, where they come from, and the differences that were looked up in them."""

    curves: tuple[WorthCurve, ...]
    provenance: str
    deltas: tuple[float, ...] = ()

    @property
    def looked_up(self) -> tuple[tuple[WorthCurve, tuple[Worth, ...]], ...]:
        """What each difference is worth by each curve."""
        return tuple((curve, tuple(map(curve.at, self.deltas))) for curve in self.curves)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "provenance": self.provenance,
            "curves": [
                {**curve.to_dict(), "looked_up": [each.to_dict() for each in some]}
                for curve, some in self.looked_up
            ],
        }


@cache
def _shipped() -> dict[str, Any]:
    text = get_data("tertium", "data/worth.json")  # importlib.resources takes longer to import
    shipped: dict[str, Any] = json.loads(text or b"")
    return shipped


def shipped_table(deltas: Sequence[float] = ()) -> WorthTable:
    """All curves that come with tertium, the metrics that it runs first."""
    shipped = _shipped()
    return WorthTable(
        curves=tuple(WorthCurve.from_dict(curve) for curve in shipped["curves"]),
        provenance=shipped["provenance"],
        deltas=tuple(deltas),
    )


def shipped_worth(metric: Metric, delta: float, kind: str = "") -> Worth | None:
    """The human agreement with a difference of this metric; none if nobody measured it.

    ``kind`` is the kind of pair, such as *two LLMs* (`pair_kind`). Options change the size of a
    score, so that only the metric as it was measured has a curve.
    """
    names = {metric.spec, *_names(metric)}
    found = [
        curve for curve in shipped_table().curves if curve.metric in names and curve.kind == kind
    ]
    return found[0].at(delta) if found else None


def pair_kind(ahead: str, behind: str, llms: Collection[str]) -> str:
    """The kind of a pair where the first system is ahead; empty where no LLM is known.

    >>> pair_kind("online", "gpt", ["gpt"]), pair_kind("online", "gpt", [])
    ('a classic system ahead of an LLM', '')
    """
    if not llms:
        return ""
    return KINDS[ahead in llms, behind in llms]


KINDS: Final = {
    (False, False): "two classic systems",
    (True, True): "two LLMs",
    (False, True): "a classic system ahead of an LLM",
    (True, False): "an LLM ahead of a classic system",
}
"""Whether the system ahead and the other are LLMs → the kind of pair that has a curve."""


def _names(metric: Metric) -> tuple[str, ...]:
    """Scores from elsewhere go by the name that they were given."""
    foreign = metric.name in {"scores", "command"}
    return (metric.title,) if foreign else ()
