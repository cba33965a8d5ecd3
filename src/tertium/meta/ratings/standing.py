"""Where systems stand by people's ratings: means, pairs tested, clusters by the rule of WMT.

Two systems are compared on the segments that both were rated on, over whole documents where these
are known (`tertium.meta.ratings.pair_tests`). A line is drawn between two systems if every system
above it is rated significantly higher than every system below it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, isnan
from statistics import median
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.inference.corrections import holm
from tertium.inference.units import Units
from tertium.meta.ratings.judgments import or_none
from tertium.meta.ratings.pair_tests import (
    ClusteredMean,
    adjusted_p_values,
    rater_variance,
    t_p_value,
)
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.sanity.measured import outputs_of
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Unit

TRIALS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One system among the others; ``cluster`` counts from 1, the best."""

    system: str
    value: float
    error: float
    """Standard error of the value over documents, or over segments; NaN of a single one."""
    segments: int
    ratings: int
    cluster: int
    best: int
    worst: int
    """The ranks that the tests leave possible."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "system": self.system,
            "value": self.value,
            "error": or_none(self.error),
            "segments": self.segments,
            "ratings": self.ratings,
            "cluster": self.cluster,
            "ranks": [self.best, self.worst],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsBasis:
    """What tests of standings rest on.

    ``design_effect`` is how many times larger the variance of a difference is by documents than if
    segments were independent, the median over pairs of systems; ``rater_design_effect`` the same by
    documents and raters, NaN where raters add no level: one rater, or one for each document.
    ``different`` counts pairs that differ significantly, ``different_with_raters`` those among them
    that still would by Student's t over documents and raters, with Holm's correction, None where
    raters add no level.
    """

    unit: Unit
    units: int
    segments: int
    raters: int
    """Raters who are told apart; 0 where ratings have no names."""
    design_effect: float
    rater_design_effect: float
    pairs: int
    different: int
    different_with_raters: int | None

    def __str__(self) -> str:
        """What was tested, in a sentence.

        >>> print(StandingsBasis(unit="document", units=179, segments=1177, raters=8,
        ...     design_effect=1.9, rater_design_effect=2.5, pairs=105, different=0,
        ...     different_with_raters=0))
        tested over 179 documents (1177 segments, 8 raters); design effect 1.90, with raters 2.50
        """
        raters = f", {counted(self.raters, 'rater')}" if self.raters else ""
        if self.unit == "document":
            over = (
                f"{counted(self.units, 'document')} ({counted(self.segments, 'segment')}{raters})"
            )
        else:
            over = (
                f"{counted(self.segments, 'segment')}{raters}, which counts them as independent: "
                "no documents are known"
            )
        effects = []
        if self.unit == "document" and not isnan(self.design_effect):
            effects.append(f"design effect {self.design_effect:.2f}")
        if not isnan(self.rater_design_effect):
            word = "with raters" if effects else "design effect of raters"
            effects.append(f"{word} {self.rater_design_effect:.2f}")
        parts = [f"tested over {over}", ", ".join(effects)]
        if self.different_with_raters is not None and self.different:
            some = counted(self.different, "significant difference")
            parts.append(
                f"of {some} {self.different_with_raters} would be so with other raters, too"
            )
        return "; ".join(filter(None, parts))

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not known is null."""
        return {
            "unit": self.unit,
            "units": self.units,
            "segments": self.segments,
            "raters": self.raters,
            "design_effect": or_none(self.design_effect),
            "rater_design_effect": or_none(self.rater_design_effect),
            "pairs": self.pairs,
            "different": self.different,
            "different_with_raters": self.different_with_raters,
            "text": str(self),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings(Plain):
    """The systems from best to worst, and what their order rests on; None without ratings."""

    systems: tuple[Standing, ...] = ()
    basis: StandingsBasis | None = None

    def __len__(self) -> int:
        return len(self.systems)

    def __iter__(self) -> Iterator[Standing]:
        return iter(self.systems)

    def __getitem__(self, place: int) -> Standing:
        return self.systems[place]


def standings(
    ratings: Ratings, *, alpha: float = 0.05, trials: int = TRIALS, seed: int = DEFAULT_SEED
) -> Standings:
    """The systems from best to worst; a system without a rating is not among them."""
    single = outputs_of(ratings)
    if not len(single):
        return Standings()
    table = single.judgments().segments
    if table is None:
        return Standings()
    units = single.units
    rated = [index for index in range(len(table)) if np.isfinite(table[index]).any()]
    means = {index: ClusteredMean.of(table[index], units) for index in rated}
    order = sorted(rated, key=lambda index: -means[index].mean)
    pairs = list(combinations(order, 2))
    # With fewer, Holm could find nothing among so many pairs, where it is needed.
    trials = max(trials, 2 * ceil(len(pairs) / alpha))
    p_values, differences = adjusted_p_values(table, units, pairs, trials=trials, seed=seed)
    significant = p_values <= alpha
    differs = _matrix(significant, len(order))
    clusters = _clusters(differs)
    return Standings(
        systems=tuple(
            Standing(
                system=ratings.systems[system],
                value=means[system].mean,
                error=means[system].variance ** 0.5,
                segments=means[system].segments,
                ratings=int((single.system == system).sum()),
                cluster=clusters[index],
                best=1 + int(differs[index, :index].sum()),
                worst=len(order) - int(differs[index, index + 1 :].sum()),
            )
            for index, system in enumerate(order)
        ),
        basis=_basis(
            single, units, dict(zip(pairs, differences, strict=True)), significant, alpha=alpha
        ),
    )


def _basis(
    single: Ratings,
    units: Units,
    differences: Mapping[tuple[int, int], ClusteredMean],
    significant: NDArray[np.bool_],
    *,
    alpha: float,
) -> StandingsBasis:
    effects, rater_effects, p_values = [], [], []
    crossed = False
    for pair, difference in differences.items():
        p_values.append(1.0)
        if difference.units < 2:
            continue
        effects.append(difference.design_effect)
        found = rater_variance(single, units, pair, difference)
        if found is None:
            continue
        if difference.segment_variance > 0:
            rater_effects.append(found.variance / difference.segment_variance)
        p_values[-1] = t_p_value(difference.mean, found.variance, found.freedom)
        crossed = True
    rated = np.unique(single.segment)
    return StandingsBasis(
        unit=units.unit,
        units=len(np.unique(units.of_segment[rated])),
        segments=len(rated),
        raters=len(set(single.judges) - {""}),
        design_effect=_median(effects),
        rater_design_effect=_median(rater_effects),
        pairs=len(differences),
        different=int(significant.sum()),
        different_with_raters=(
            int((significant & (holm(p_values) <= alpha)).sum()) if crossed else None
        ),
    )


def _median(values: Sequence[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return median(known) if known else float("nan")


def _matrix(differs: NDArray[np.bool_], systems: int) -> NDArray[np.bool_]:
    """Which systems differ, (systems, systems), of the pairs in order."""
    result = np.zeros((systems, systems), dtype=np.bool_)
    result[np.triu_indices(systems, 1)] = differs
    return result | result.T


def _clusters(differs: NDArray[np.bool_]) -> Sequence[int]:
    """The cluster of each system, from 1, in order."""
    result, number = [], 1
    for index in range(len(differs)):
        if index and differs[:index, index:].all():
            number += 1
        result.append(number)
    return result
