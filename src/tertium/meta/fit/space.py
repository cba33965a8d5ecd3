"""The free parameters of a metric, and where they may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import OptionError
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.contract.base import Metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.suggestions import did_you_mean


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
    found = []
    for one in metric.tunable:
        value = getattr(metric, one.name)
        if isinstance(value, tuple):
            found += [(one.name, f"{one.name}_{n + 1}") for n in range(len(value))]
        else:
            found.append((one.name, one.name))
    return found
