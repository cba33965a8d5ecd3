"""What fitting gives back: parameters, and what they are worth where they were not fitted."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.meta.ratings.judgments import Exclusion, or_none
from tertium.plain import Plain
from tertium.tables import dataframe
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut(Plain):
    """Agreement where the parameters were not fitted, beside that of the metric's own.

    ``trained`` is the fitted metric's agreement on what it was fitted on.
    """

    name: str
    systems: int
    parameters: tuple[float, ...]
    trained: float
    trained_default: float
    fitted: float
    default: float

    @property
    def gain(self) -> float:
        """Fitted minus default."""
        return self.fitted - self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A metric fitted to people's ratings.

    ``parameters`` belong to ``names``; ``in_sample`` is the agreement on all that they were
    fitted on, ``folds`` that on what each time was held out, ``tests`` that on other data.
    """

    metric: str
    fitted: str
    measure: str
    names: tuple[str, ...]
    start: tuple[float, ...]
    parameters: tuple[float, ...]
    cases: tuple[str, ...]
    systems: int
    in_sample: float
    in_sample_default: float
    validation: str
    folds: tuple[HeldOut, ...]
    tests: tuple[HeldOut, ...]
    warnings: tuple[str, ...]
    exclusions: tuple[Exclusion, ...] = ()
    optimiser: str
    evaluations: int
    shrinkage: float
    seed: int

    @property
    def held_out(self) -> float:
        """The mean agreement of the folds; NaN if nothing was held out."""
        return _mean([fold.fitted for fold in self.folds])

    @property
    def held_out_default(self) -> float:
        """The mean agreement of the metric's own parameters on the same."""
        return _mean([fold.default for fold in self.folds])

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "version": __version__,
            "metric": self.metric,
            "fitted": self.fitted,
            "measure": self.measure,
            "parameters": {
                name: {"default": old, "fitted": new}
                for name, old, new in zip(self.names, self.start, self.parameters, strict=True)
            },
            "cases": list(self.cases),
            "systems": self.systems,
            "in_sample": or_none(self.in_sample),
            "in_sample_default": or_none(self.in_sample_default),
            "held_out": or_none(self.held_out),
            "held_out_default": or_none(self.held_out_default),
            "validation": self.validation,
            "folds": [fold.to_dict() for fold in self.folds],
            "tests": [test.to_dict() for test in self.tests],
            "warnings": list(self.warnings),
            "exclusions": [exclusion.to_dict() for exclusion in self.exclusions],
            "optimiser": self.optimiser,
            "evaluations": self.evaluations,
            "shrinkage": self.shrinkage,
            "seed": self.seed,
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per fold and test; needs pandas."""
        return dataframe(
            {
                "metric": self.metric,
                "part": part,
                "name": value.name,
                "systems": value.systems,
                "trained": value.trained,
                "fitted": value.fitted,
                "default": value.default,
            }
            for part, some in (("held out", self.folds), ("test", self.tests))
            for value in some
        )

    def __repr__(self) -> str:
        return (
            f"<Fit of {self.metric} to {self.measure} on {', '.join(self.cases)}: "
            f"in sample {self.in_sample_default:.3f} → {self.in_sample:.3f}, "
            f"held out {self.held_out_default:.3f} → {self.held_out:.3f}>"
        )


def _mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else float("nan")
