"""What a test set can tell: the smallest difference it can detect, and how large it should be."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, inf
from typing import TYPE_CHECKING

import numpy as np

from tertium.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.errors import OptionError
from tertium.inference.bootstrap import PairedBootstrap, paired_bootstrap
from tertium.inference.units import widening
from tertium.metrics.contract.base import Metric, Rows
from tertium.plain import Plain
from tertium.results import Unit

if TYPE_CHECKING:
    from statistics import NormalDist


@cache
def _normal() -> "NormalDist":
    from statistics import NormalDist  # with decimal and fractions, which take long to import

    return NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectability(Plain):
    """How far apart two systems like these must be to be told apart.

    With σ the standard deviation of the difference over paired bootstrap resamples (its
    standard error), z the quantiles of the normal distribution and α = 1 − level, a two-sided
    test finds a true difference δ with probability ``power`` if::

        |δ| = (z(1 − α/2) + z(power)) · σ

    By documents σ is widened as their tests are (`widening`). It falls with the square root of
    the number of segments, in documents of the same size where the unit is the document. It is
    that of the two systems given: systems that differ in more segments have a larger one.
    """

    PLAIN = (
        "metric=metric.spec delta standard_error detectable=difference segments level power "
        "unit units trials seed"
    )

    metric: Metric
    delta: float
    standard_error: float
    segments: int
    level: float
    power: float
    trials: int
    seed: int
    unit: Unit
    units: int

    @property
    def difference(self) -> float:
        """The smallest difference that is detected with the power asked for."""
        return self._quantiles * self.standard_error

    def power_for(self, difference: float) -> float:
        """The chance to detect a true difference: ``Φ(|δ|/σ − z) + Φ(−|δ|/σ − z)``."""
        if self.standard_error == 0:
            return 1.0 if difference else 1 - self.level
        distance = abs(difference) / self.standard_error
        return _normal().cdf(distance - self._bound) + _normal().cdf(-distance - self._bound)

    def sign_error_for(self, difference: float) -> float:
        """The chance that a significant result has the wrong sign (type S; Gelman & Carlin 2014).

        ``Φ(−|δ|/σ − z)`` over the power; a half where there is no true difference.
        """
        if self.standard_error == 0:
            return 0.0 if difference else 0.5
        wrong = _normal().cdf(-abs(difference) / self.standard_error - self._bound)
        return wrong / self.power_for(difference)

    def exaggeration_for(self, difference: float) -> float:
        """How many times too large a significant result is on average (type M).

        ``E(|Δ| given that |Δ| > zσ) / |δ|``, with Δ normal around δ. With ``a = |δ|/σ`` it is
        (φ(a − z) + φ(a + z) + a·(Φ(a − z) − Φ(−a − z))) / (a · power).
        """
        if difference == 0:
            return inf
        if self.standard_error == 0:
            return 1.0
        distance, bound = abs(difference) / self.standard_error, self._bound
        mean = (
            _normal().pdf(distance - bound)
            + _normal().pdf(distance + bound)
            + distance * (_normal().cdf(distance - bound) - _normal().cdf(-distance - bound))
        )
        return mean / (distance * self.power_for(difference))

    def units_for(self, difference: float) -> int:
        """How many units, documents or segments, would detect it."""
        if difference == 0:
            raise OptionError("difference: found 0, expected one that can be detected")
        return max(1, ceil(self.units * (self.difference / difference) ** 2))

    def segments_for(self, difference: float) -> int:
        """How many segments like these would detect it: n · (detectable / δ)²."""
        if difference == 0:
            raise OptionError("difference: found 0, expected one that can be detected")
        return max(1, ceil(self.segments * (self.difference / difference) ** 2))

    @property
    def _bound(self) -> float:
        return _normal().inv_cdf((1 + self.level) / 2)

    @property
    def _quantiles(self) -> float:
        return self._bound + _normal().inv_cdf(self.power)


def detectable_difference(
    standard_error: float, *, level: float = 0.95, power: float = 0.8
) -> float:
    """The smallest true difference that is detected, of whatever has such a standard error.

    >>> round(detectable_difference(1.0), 2)
    2.8
    """
    return (_normal().inv_cdf((1 + level) / 2) + _normal().inv_cdf(power)) * standard_error


def detectability(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    level: float = 0.95,
    power: float = 0.8,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Detectability:
    """The smallest difference that this test set can detect between systems like these two.

    With ``documents``, the label of every segment's document, whole documents are drawn.
    """
    resampled = paired_bootstrap(
        metric,
        baseline_rows,
        system_rows,
        documents=documents,
        trials=trials,
        seed=seed,
        level=level,
    )
    return detectability_of(resampled, segments=np.shape(system_rows)[-2], power=power)


def detectability_of(
    resampled: PairedBootstrap, *, segments: int, power: float = 0.8
) -> Detectability:
    """The same from resamples that are there already."""
    if not 0 < power < 1:
        raise OptionError(f"power: found {power}, expected a number between 0 and 1, such as 0.8")
    wider = widening(resampled.unit, resampled.units, resampled.level)
    return Detectability(
        metric=resampled.metric,
        delta=resampled.delta,
        standard_error=wider * resampled.standard_error,
        segments=segments,
        level=resampled.level,
        power=power,
        trials=resampled.trials,
        seed=resampled.seed,
        unit=resampled.unit,
        units=resampled.units,
    )
