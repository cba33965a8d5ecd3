"""The ways to say how far a metric agrees with people, by name."""

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.correlation import Additive, system_agreement, why_undefined
from tertium.meta.agreement.grouped_correlation import (
    Grouped,
    segment_accuracy,
    segment_kendall,
    segment_pearson,
)
from tertium.meta.agreement.prediction_error import prediction_error
from tertium.meta.agreement.preferences import (
    DARR_POINTS,
    PreferenceCounts,
    Preferences,
    count_preferences,
    relative_ranks,
)
from tertium.meta.agreement.shared_systems import Aligned
from tertium.meta.agreement.soft_accuracy import soft_accuracy
from tertium.meta.ratings.judgments import Floats, or_none
from tertium.plurals import counted
from tertium.results import Interval
from tertium.suggestions import did_you_mean

Level: TypeAlias = Literal["system", "segment"]
LEAST_SYSTEMS: Final = 3
"""Two points always lie on a line."""
ANY_DIFFERENCE: Final = float(np.nextafter(0.0, 1.0))
"""Points by which two ratings differ at least, if they differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a measure compares, what it is called in tables, and who proposed it.

    ``needs`` is what people must have given: ratings of systems, of segments, or preferences.
    ``best`` is its value for a metric that always agrees.
    """

    name: str
    title: str
    level: Level
    needs: Literal["systems", "segments", "preferences"]
    citation: str
    best: float = 1.0

    @property
    def higher_is_better(self) -> bool:
        """False for those that are errors."""
        return self.best > 0


def _table(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


_GROUPED: Final = (
    ("segment-pearson", "Pearson", "mt-metrics-eval"),
    ("segment-kendall", "Kendall τ-b", "mt-metrics-eval"),
    ("acc-eq", "acc_eq", "Deutsch et al. 2023"),
)
_GROUPING_TITLES: Final = {
    "none": "all segments together",
    "item": "mean over segments",
    "system": "mean over systems",
}

MEASURES: Final[dict[str, Measure]] = _table(
    Measure(name="pearson", title="Pearson r", level="system", needs="systems", citation="–"),
    Measure(
        name="spearman",
        title="Spearman ρ",
        level="system",
        needs="systems",
        citation="Chiang et al. 2008, table 1; Chen & Kuhn 2011",
    ),
    Measure(name="kendall", title="Kendall τ-b", level="system", needs="systems", citation="–"),
    Measure(
        name="accuracy",
        title="pairwise accuracy",
        level="system",
        needs="systems",
        citation="Kocmi et al. 2021",
    ),
    Measure(
        name="prediction-error",
        title="prediction error %",
        level="system",
        needs="systems",
        citation="Papineni et al. 2002",
        best=0.0,
    ),
    Measure(
        name="soft-accuracy",
        title="soft pairwise accuracy",
        level="system",
        needs="segments",
        citation="Thompson et al. 2024",
    ),
    Measure(
        name="p-value-difference",
        title="difference of p-values",
        level="system",
        needs="segments",
        citation="Thompson et al. 2024",
        best=0.0,
    ),
    *(
        Measure(
            name=f"{name}-{grouping}",
            title=f"{title}, {said}",
            level="segment",
            needs="segments",
            citation=citation,
        )
        for name, title, citation in _GROUPED
        for grouping, said in _GROUPING_TITLES.items()
    ),
    Measure(
        name="kendall-wmt12",
        title="Kendall τ of WMT10–12",
        level="segment",
        needs="preferences",
        citation="Callison-Burch et al. 2012",
    ),
    Measure(
        name="kendall-wmt13",
        title="Kendall τ of WMT13",
        level="segment",
        needs="preferences",
        citation="Macháček & Bojar 2013",
    ),
    Measure(
        name="kendall-wmt14",
        title="Kendall τ of WMT14",
        level="segment",
        needs="preferences",
        citation="Macháček & Bojar 2014",
    ),
    Measure(
        name="consistency",
        title="consistency rate",
        level="segment",
        needs="preferences",
        citation="Callison-Burch et al. 2008; Chen & Kuhn 2011",
    ),
    Measure(
        name="kendall-darr",
        title="Kendall τ of daRR (WMT17–20)",
        level="segment",
        needs="segments",
        citation="Ma et al. 2018",
    ),
)
"""Every measure by its name."""

SYSTEM_LEVEL: Final = tuple(
    name
    for name, measure in MEASURES.items()
    if measure.level == "system" and measure.needs == "systems"
)
"""Measures that one value for each system is enough for."""
CONFIDENT: Final = ("soft-accuracy", "p-value-difference")
"""Measures of systems that compare how sure people and metric are, by segments."""
USUAL_OF_RATINGS: Final = ("segment-pearson-none", "segment-kendall-item", "acc-eq-item")
USUAL_OF_PREFERENCES: Final = (
    "kendall-wmt12",
    "kendall-wmt13",
    "kendall-wmt14",
    "consistency",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """One number, of how many ``units`` it is made, and why it is NaN where it is.

    ``noise`` is the standard error of what was drawn at random to get it. ``additive`` is there
    where segments can be resampled without starting again; it is no part of the text forms.
    """

    measure: str
    value: float
    count: int
    unit: str
    epsilon: float | None = None
    noise: float | None = None
    interval: Interval | None = None
    note: str = ""
    additive: Additive | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The number as people read it, with its interval if there is one."""
        if np.isnan(self.value):
            return "–"
        span = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]" if self.interval else ""
        return f"{self.value:.3f}{span}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        result: dict[str, Any] = {
            "measure": self.measure,
            "value": or_none(self.value),
            "count": self.count,
            "unit": self.unit,
        }
        if self.epsilon is not None:
            result["epsilon"] = or_none(self.epsilon)
        if self.noise is not None:
            result["noise"] = or_none(self.noise)
        if self.interval is not None:
            result["interval"] = self.interval.to_dict()
        if self.note:
            result["note"] = self.note
        return result


def measure_of(name: str) -> Measure:
    """The measure of a name, or an error with what is near."""
    if name not in MEASURES:
        raise OptionError(did_you_mean("measure", name, MEASURES))
    return MEASURES[name]


def usual_measures(aligned: Aligned) -> tuple[str, ...]:
    """What can be said of these ratings and scores without being asked."""
    found = [*SYSTEM_LEVEL] if len(aligned.systems) >= LEAST_SYSTEMS else []
    if aligned.segment_scores is not None:
        if aligned.segment_ratings is not None:
            found += CONFIDENT[:1] if found else ()
            found += USUAL_OF_RATINGS
        if aligned.preferences is not None:
            found += USUAL_OF_PREFERENCES
    return tuple(found)


def what_is_missing(name: str, aligned: Aligned) -> str:
    """Why a measure cannot be taken of a metric and ratings, in words; empty if it can."""
    measure = measure_of(name)
    if measure.level == "system":
        few = len(aligned.systems) < LEAST_SYSTEMS
        if few or measure.needs == "systems":
            return f"{counted(len(aligned.systems), 'system')} with rating and score" if few else ""
    if aligned.segment_scores is None:
        return "no scores of segments"
    if not aligned.judgments.located:
        return "ratings whose segments are not known"
    if name == "consistency":
        return "" if _preferences(aligned) is not None else "neither comparisons nor ratings"
    if measure.needs == "preferences":
        return "no comparisons" if aligned.preferences is None else ""
    return "no ratings of segments" if aligned.segment_ratings is None else ""


def measured(name: str, aligned: Aligned, *, points: float = DARR_POINTS) -> Measured:
    """One measure of a metric against people; ``points`` are those of daRR."""
    measure = measure_of(name)
    if measure.needs == "systems":
        return _system_measured(name, aligned)
    if aligned.segment_scores is None:
        raise InputError(f"{aligned.place}: no scores of segments, expected some for {name}")
    if measure.needs == "preferences":
        said = _preferences(aligned) if name == "consistency" else aligned.preferences
        if said is None:
            raise InputError(f"{aligned.place}: no comparisons, expected some for {name}")
        counts = count_preferences(said, aligned.segment_scores)
        return _preference_measured(name, counts, aligned)
    if aligned.segment_ratings is None:
        raise InputError(f"{aligned.place}: no ratings of segments, expected some for {name}")
    if name == "kendall-darr":
        preferences = relative_ranks(aligned.segment_ratings, points=points)
        counts = count_preferences(preferences, aligned.segment_scores)
        return _preference_measured(name, counts, aligned)
    if name in CONFIDENT:
        return _confidence_measured(name, aligned, aligned.segment_ratings, aligned.segment_scores)
    return _grouped_measured(name, aligned.segment_ratings, aligned.segment_scores)


def _preferences(aligned: Aligned) -> Preferences | None:
    """What people preferred: as they said, or else the output of a segment that they rated higher.

    The consistency rate is a share of preferences, wherever they come from.
    """
    if aligned.preferences is not None or aligned.segment_ratings is None:
        return aligned.preferences
    return relative_ranks(aligned.segment_ratings, points=ANY_DIFFERENCE)


def _system_measured(name: str, aligned: Aligned) -> Measured:
    aligned.check_systems(LEAST_SYSTEMS)
    ratings, scores = aligned.ratings, aligned.scores
    if name == "prediction-error":
        value = float(prediction_error(ratings, scores))
    else:
        value = float(system_agreement(name, ratings, scores))
    note = why_undefined(ratings, scores, aligned.metric) if name != "accuracy" else ""
    return Measured(measure=name, value=value, count=len(ratings), unit="systems", note=note)


def _confidence_measured(name: str, aligned: Aligned, ratings: Floats, scores: Floats) -> Measured:
    aligned.check_systems(LEAST_SYSTEMS)
    found = soft_accuracy(ratings, scores)
    note = (
        f"over {counted(found.segments, 'segment')} rated and scored for every system, "
        "with 1000 random swaps"
    )
    if np.isnan(found.value):
        note = "no segment has a rating and a score of every system"
    return Measured(
        measure=name,
        value=found.value if name == "soft-accuracy" else 1 - found.value,
        count=found.pairs,
        unit="pairs",
        noise=found.noise,
        note=note,
    )


def _grouped_measured(name: str, ratings: Floats, scores: Floats) -> Measured:
    family, grouping = name.rsplit("-", 1)
    measure = {
        "segment-pearson": segment_pearson,
        "segment-kendall": segment_kendall,
        "acc-eq": segment_accuracy,
    }[family]
    found: Grouped = measure(ratings, scores, grouping)
    rated = int(np.count_nonzero(~(np.isnan(ratings) | np.isnan(scores))))
    note = ""
    if found.undefined and grouping != "none":
        note = f"{found.undefined} groups left out: fewer than two outputs, or all tied"
    if np.isnan(found.value):
        note = "no pair of rated outputs" if rated < 2 else "all ratings, or all scores, are tied"
    units = {"none": "outputs", "item": "segments", "system": "systems"}
    return Measured(
        measure=name,
        value=found.value,
        count=rated if grouping == "none" else found.groups,
        unit=units[grouping],
        epsilon=None if found.calibration is None else found.calibration.epsilon,
        note=note,
        additive=found.additive,
    )


def _preference_measured(name: str, counts: PreferenceCounts, aligned: Aligned) -> Measured:
    additive = counts.measure(name.removeprefix("kendall-"))
    total = counts.concordant + counts.discordant + counts.tied
    note = f"{counts.tied} tied by the metric" if counts.tied else ""
    if counts.unscored:
        note += f"{'; ' if note else ''}{counts.unscored} without a score left out"
    if np.isnan(additive.value):
        note = f"{aligned.metric} ties all pairs" if total else "people preferred nothing: no pair"
    return Measured(
        measure=name,
        value=additive.value,
        count=total,
        unit="pairs",
        note=note,
        additive=additive,
    )
