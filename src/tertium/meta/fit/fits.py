"""Free parameters of a metric, chosen so that it agrees with people, and what that is worth.

A metric with many parameters can be made to agree with any few systems. So every fit is done
again without some of what it was given, and its agreement with people is reported on that part,
beside the agreement of the metric's own parameters there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED, OPTIMISERS, Optimiser, Validation
from tertium.errors import InputError, OptionError
from tertium.installation import scipy_for
from tertium.meta.agreement.measures import LEAST_SYSTEMS, MEASURES, measure_of
from tertium.meta.fit.cases import (
    FitCase,
    MatchedCase,
    Split,
    matched_case,
    splits_of,
    statistics_are_fixed,
)
from tertium.meta.fit.results import Fit, HeldOut
from tertium.meta.ratings.judgments import Exclusion, Floats
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

# The free parameters of a metric, and where they may be.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Space:
    """The free parameters among all of a metric's, and where they may be."""

    start: Floats
    free: tuple[int, ...]
    names: tuple[str, ...]
    bounds: tuple[tuple[float, float], ...]

    @classmethod
    def of(
        cls,
        metric: Metric,
        parameters: Sequence[str] | None,
        bounds: Mapping[str, tuple[float, float]],
    ) -> "Space":
        start = metric.parameters()
        if not len(start):
            raise OptionError(f"{metric.name}: found no free parameters, expected some to fit")
        every = _labels(metric)
        options = list(dict.fromkeys(option for option, _ in every))
        for name in (*(parameters or ()), *bounds):
            if name not in options:
                raise OptionError(did_you_mean(f"parameter of {metric.name}", name, options))
        free = [i for i, (option, _) in enumerate(every) if option in (parameters or options)]
        ends = [bounds.get(every[i][0], (0.0, np.inf)) for i in free]
        for i, (low, high) in zip(free, ends, strict=True):
            if not low <= start[i] <= high:
                raise OptionError(
                    f"{metric.name}: found {every[i][1]}={start[i]:g}, "
                    f"expected within its bounds, {low:g} to {high:g}"
                )
        return cls(
            start=start,
            free=tuple(free),
            names=tuple(every[i][1] for i in free),
            bounds=tuple(ends),
        )

    def whole(self, point: Floats) -> Floats:
        """All parameters, the fixed ones as they were."""
        result = self.start.copy()
        result[list(self.free)] = point
        return result

    def taken(self, parameters: Floats) -> tuple[float, ...]:
        """The free ones among all parameters."""
        return tuple(parameters[list(self.free)].tolist())

    def moved(self, parameters: Floats) -> float:
        """How far all parameters are from the start."""
        return self.distance(parameters[list(self.free)])

    def distance(self, point: Floats) -> float:
        """The mean squared distance from the start, in units of the start's size."""
        start = self.start[list(self.free)]
        return float(np.mean(((point - start) / np.maximum(np.abs(start), 0.1)) ** 2))


def spelled_out(metric: Metric) -> Metric:
    """The metric with all its parameters; BLEU's weights need not be given."""
    if isinstance(metric, Bleu) and not metric.weights:
        return metric.with_options(weights=(1 / metric.order,) * metric.order)
    return metric


def _labels(metric: Metric) -> list[tuple[str, str]]:
    """For each parameter the option that it is of, and its own name."""
    result = []
    for option in metric.tunable:
        value = getattr(metric, option.name)
        if isinstance(value, tuple):
            result += [(option.name, f"{option.name}_{n + 1}") for n in range(len(value))]
        else:
            result.append((option.name, option.name))
    return result


# Maxima of functions that have no derivative, as agreement with people has none.

Bounds: TypeAlias = Sequence[tuple[float, float]]

IMPOSSIBLE: Final = -1e3
"""What a point is worth that is out of the question."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Maximum:
    """The best point that was tried; never worse than the start."""

    point: Floats
    value: float
    evaluations: int


class _EnoughError(Exception):
    """Stops a method where its own limits are checked too seldom."""


@dataclass(slots=True)
class _Tried:
    """Remembers the best point: the methods give back where they stopped, which may be worse."""

    objective: Callable[[Floats], float | None]
    limit: int
    point: Floats = field(default_factory=lambda: np.zeros(0))
    value: float = -np.inf
    evaluations: int = 0

    def __call__(self, point: NDArray[Any]) -> float:
        if self.evaluations >= self.limit:
            raise _EnoughError
        self.evaluations += 1
        found = self.objective(np.asarray(point, dtype=np.float64))
        value = IMPOSSIBLE if found is None else found
        if value > self.value:
            self.point, self.value = np.array(point, dtype=np.float64), value
        return -value


def maximise(
    objective: Callable[[Floats], float | None],
    start: Floats,
    bounds: Bounds,
    *,
    method: Optimiser = "nelder-mead",
    evaluations: int = 1000,
    seed: int = 0,
) -> Maximum:
    """Search from ``start`` within ``bounds``, evaluating at most so often.

    ``objective`` gives ``None`` for points that are not allowed.

    >>> found = maximise(lambda x: -float((x[0] - 2) ** 2), np.zeros(1), [(0, 9)])
    >>> found.point.round(3).tolist()
    [2.0]
    """
    with scipy_for("a fit"):
        from scipy.optimize import Bounds as ScipyBounds
        from scipy.optimize import differential_evolution, minimize

    if method not in OPTIMISERS:
        raise OptionError(did_you_mean("optimiser", method, OPTIMISERS))
    if evaluations < 1:
        raise OptionError(f"evaluations: found {evaluations}, expected at least 1")
    tried = _Tried(objective, evaluations)
    low, high = np.array(bounds, dtype=np.float64).T
    start = np.clip(np.asarray(start, dtype=np.float64), low, high)
    tried(start)
    box = ScipyBounds(low, high)
    limited = ScipyBounds(*_finite(start, low, high))
    try:
        if method == "nelder-mead":
            minimize(
                tried,
                start,
                method="Nelder-Mead",
                bounds=box,
                options={
                    "initial_simplex": _simplex(start, low, high),
                    "adaptive": len(start) > 4,
                    "maxfev": 10 * evaluations,
                    "maxiter": 10 * evaluations,
                    "xatol": 1e-4,
                    "fatol": 1e-7,
                },
            )
        elif method == "powell":
            minimize(tried, start, method="Powell", bounds=limited)
        else:
            differential_evolution(
                tried, limited, x0=start, seed=seed, polish=False, popsize=8, tol=1e-8
            )
    except _EnoughError:
        pass  # as often as allowed; the best point is kept
    return Maximum(point=tried.point, value=tried.value, evaluations=tried.evaluations)


def _simplex(start: Floats, low: Floats, high: Floats) -> Floats:
    """The start, and a step from it along every axis, inwards where a bound is near."""
    steps = np.maximum(0.3 * np.abs(start), 0.1)
    steps = np.where(start + steps > high, -steps, steps)
    return np.vstack([start, np.clip(start + np.diag(steps), low, high)])


def _finite(start: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Ends of a box around the start, for methods that need one."""
    reach = 3 * np.abs(start) + 1
    return (
        np.where(np.isfinite(low), low, start - reach),
        np.where(np.isfinite(high), high, start + reach),
    )


SYSTEMS_PER_PARAMETER: Final = 5
FEW_SYSTEMS: Final = 10


def fit(
    metric: AnyMetric,
    cases: Sequence[FitCase],
    *,
    measure: str = "pearson",
    parameters: Sequence[str] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    validation: Validation | None = None,
    folds: int | None = None,
    tests: Sequence[FitCase] = (),
    optimiser: Optimiser = "nelder-mead",
    evaluations: int = 1000,
    shrinkage: float = 0.0,
    seed: int = DEFAULT_SEED,
    progress: Callable[[int], None] | None = None,
) -> Fit:
    """Fit a metric's free ``parameters``, all of them if not named, to people's ratings.

    What is maximised is the mean of a ``measure`` over all cases, minus ``shrinkage`` times the
    mean squared relative distance from the metric's own parameters. ``validation`` holds out one
    test set after the other ("test-sets", the rule where there are several, such as years), or
    some of the systems under all criteria ("systems", in so many ``folds``). Criteria of the same
    systems are one test set. The parameters fitted on everything
    are tried on ``tests`` too. Parameters stay at 0 or above unless ``bounds`` say otherwise.
    ``progress`` is told of every fit that is done.
    """
    chosen = spelled_out(as_metric(metric))
    _check(cases, measure, shrinkage)
    space = Space.of(chosen, parameters, bounds or {})
    fixed = all(statistics_are_fixed(case, chosen, space.free) for case in cases)
    for keep in (True, False) if fixed else (False,):
        run = _FitRun(
            matched=tuple(matched_case(case, chosen, measure, fixed=keep) for case in cases),
            tests=tuple(matched_case(test, chosen, measure, fixed=keep) for test in tests),
            metric=chosen,
            measure=measure,
            space=space,
            optimiser=optimiser,
            evaluations=evaluations,
            shrinkage=shrinkage,
            seed=seed,
            progress=progress,
        )
        how, splits = splits_of(run.matched, validation, folds, seed)
        try:
            return run.result(how, splits)
        except _StatisticsChangedError:
            continue  # the parameters do enter them, though not where that was tried
    raise AssertionError("statistics that are never kept cannot change")


class _StatisticsChangedError(Exception):
    """Statistics that were computed once would have to be computed again."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FitRun:
    """Everything that fits of the same call have in common."""

    matched: tuple[MatchedCase, ...]
    tests: tuple[MatchedCase, ...]
    metric: Metric
    measure: str
    space: Space
    optimiser: Optimiser
    evaluations: int
    shrinkage: float
    seed: int
    progress: Callable[[int], None] | None

    def result(self, how: str, splits: Sequence[tuple[str, Split]]) -> Fit:
        """Fit on everything, then without each of the splits."""
        whole: Split = tuple(tuple(range(case.systems)) for case in self.matched)
        default = self.agreement(self.space.start, whole)
        if np.isnan(default):
            raise InputError(
                f"{self.metric.spec}: its {self.measure} with people is not defined on all of "
                f"{', '.join(case.name for case in self.matched)}; "
                "expected neither all ratings nor all scores tied"
            )
        best, used = self.fitted(whole)
        held = []
        for name, held_out in splits:
            rest = self.without(held_out)
            found, more = self.fitted(rest)
            used += more
            held.append(self.held_out(name, found, rest, held_out))
        result = Fit(
            metric=self.metric.spec,
            fitted=self.metric.with_parameters(best).recipe,
            measure=self.measure,
            names=self.space.names,
            start=self.space.taken(self.space.start),
            parameters=self.space.taken(best),
            cases=tuple(case.name for case in self.matched),
            systems=self.count(whole),
            in_sample=self.agreement(best, whole),
            in_sample_default=default,
            validation=how if splits else "none",
            folds=tuple(held),
            tests=tuple(self.tested(test, best, whole) for test in self.tests),
            warnings=(),
            exclusions=tuple(
                Exclusion(reason=f"{test.name}: {x.reason}", count=x.count, example=x.example)
                for test in (*self.matched, *self.tests)
                for x in (*test.aligned.judgments.exclusions, *test.aligned.exclusions)
            ),
            optimiser=self.optimiser,
            evaluations=used,
            shrinkage=self.shrinkage,
            seed=self.seed,
        )
        return replace(result, warnings=_warnings(result))

    @property
    def sign(self) -> float:
        """−1 where less is better."""
        return 1.0 if MEASURES[self.measure].higher_is_better else -1.0

    def agreement(self, parameters: Floats, split: Split) -> float:
        """The mean over the cases that are taken; NaN where one is not defined."""
        values = [
            case.agreements([part], parameters)[0]
            for case, part in zip(self.matched, split, strict=True)
            if part is not None and len(part) >= self.least
        ]
        return float(np.mean(values)) if values else float("nan")

    @property
    def least(self) -> int:
        """Of how many systems a case must have a part to have an agreement there."""
        return LEAST_SYSTEMS if MEASURES[self.measure].level == "system" else 2

    def fitted(self, split: Split) -> tuple[Floats, int]:
        """The best parameters on some systems, and how many were tried."""
        furthest = self.space.start

        def objective(point: Floats) -> float | None:
            try:
                value = self.agreement(self.space.whole(point), split)
            except OptionError:  # a metric has conditions of its own
                return None
            if np.isnan(value):
                return None
            nonlocal furthest
            furthest = max(furthest, self.space.whole(point), key=self.space.moved)
            return self.sign * value - self.shrinkage * self.space.distance(point)

        found = maximise(
            objective,
            self.space.start[list(self.space.free)],
            self.space.bounds,
            method=self.optimiser,
            evaluations=self.evaluations,
            seed=self.seed,
        )
        best = self.space.whole(found.point)
        if any(not case.holds(furthest) for case in self.matched):
            raise _StatisticsChangedError
        if self.progress is not None:
            self.progress(1)
        return best, found.evaluations

    def count(self, split: Split) -> int:
        """How many different systems are taken; one rated by two criteria is one."""
        taken = (
            case.outputs[place]
            for case, part in zip(self.matched, split, strict=True)
            for place in part or ()
        )
        return len(set(taken))

    def without(self, held_out: Split) -> Split:
        """The systems that are left; a case that is held out entirely is not taken."""
        rest = [
            tuple(i for i in range(case.systems) if i not in set(part or ()))
            for case, part in zip(self.matched, held_out, strict=True)
        ]
        return tuple(part or None for part in rest)

    def held_out(self, name: str, found: Floats, train: Split, test: Split) -> HeldOut:
        """What the parameters of a fold are worth on both of its parts."""
        return HeldOut(
            name=name,
            systems=self.count(test),
            parameters=self.space.taken(found),
            trained=self.agreement(found, train),
            trained_default=self.agreement(self.space.start, train),
            fitted=self.agreement(found, test),
            default=self.agreement(self.space.start, test),
        )

    def tested(self, case: MatchedCase, found: Floats, train: Split) -> HeldOut:
        """What the final parameters are worth on another case."""
        return HeldOut(
            name=case.name,
            systems=case.systems,
            parameters=self.space.taken(found),
            trained=self.agreement(found, train),
            trained_default=self.agreement(self.space.start, train),
            fitted=case.agreement(found),
            default=case.agreement(self.space.start),
        )


def _check(cases: Sequence[FitCase], measure: str, shrinkage: float) -> None:
    measure_of(measure)
    if not cases:
        raise InputError("fit: found no rated systems, expected at least one case")
    if not shrinkage >= 0:
        raise OptionError(f"shrinkage: found {shrinkage}, expected 0 or more")
    names = [case.name for case in cases]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"fit: found '{name}' twice, expected different cases")


def _warnings(fit: Fit) -> tuple[str, ...]:
    """What to know before the parameters are used."""
    found = []
    count = len(fit.names)
    if MEASURES[fit.measure].level == "system":
        if fit.systems < FEW_SYSTEMS:
            found.append(
                f"{counted(fit.systems, 'system')} are too few to fit anything; expected at least "
                f"{FEW_SYSTEMS}"
            )
        elif fit.systems < SYSTEMS_PER_PARAMETER * count:
            found.append(
                f"{counted(fit.systems, 'system')} for {counted(count, 'parameter')}, fewer than "
                f"{SYSTEMS_PER_PARAMETER} each: the agreement in sample means little"
            )
    if not fit.folds:
        found.append("nothing was held out: too few systems, or none asked for")
    worse = [fold for fold in (*fit.folds, *fit.tests) if _sign(fit) * fold.gain < 0]
    if worse:
        found.append(
            f"worse than the metric's own parameters on {len(worse)} of "
            f"{len(fit.folds) + len(fit.tests)} held-out parts "
            f"({', '.join(fold.name for fold in worse)})"
        )
    return tuple(found)


def _sign(fit: Fit) -> float:
    return 1.0 if MEASURES[fit.measure].higher_is_better else -1.0
