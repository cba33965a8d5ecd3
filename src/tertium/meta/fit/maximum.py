"""Maxima of functions that have no derivative, as agreement with people has none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.installation import scipy_for
from tertium.meta.agreement.choices import OPTIMISERS, Optimiser
from tertium.meta.ratings.judgments import Floats
from tertium.suggestions import did_you_mean

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
