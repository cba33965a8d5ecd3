"""What a test set can tell of some systems before anything is claimed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.choices import DEFAULT_SEED, TEST_TRIALS, Resampling
from tertium.decide.evidence import score_dict
from tertium.errors import InputError, OptionError
from tertium.inference.bootstrap import paired_bootstraps
from tertium.inference.power import Detectability, detectability_of
from tertium.inference.rows import metric_rows
from tertium.inference.units import Units, units_of
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetrics
from tertium.results import Unit, titles
from tertium.scored.scored import AnyScored, as_scored
from tertium.tables import dataframe
from tertium.text.corpus import AnyTexts
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPower:
    """What the test set can tell of a system and the baseline under one metric.

    ``difference`` is the true one that is asked about: that which was observed, or another.
    """

    system: str
    title: str
    score: float
    signature: str
    known: Detectability
    difference: float

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.known.metric

    @property
    def detectable(self) -> float:
        """The smallest difference that is found with the power asked for."""
        return self.known.difference

    @property
    def power(self) -> float:
        """The chance that such a difference is found."""
        return self.known.power_for(self.difference)

    @property
    def sign_error(self) -> float:
        """The chance that a result which is significant has the wrong sign."""
        return self.known.sign_error_for(self.difference)

    @property
    def exaggeration(self) -> float | None:
        """How many times too large a significant result is; nothing for no difference."""
        return self.known.exaggeration_for(self.difference) if self.difference else None

    @property
    def segments_needed(self) -> int | None:
        """Segments that would find it with the power asked for; nothing for no difference."""
        return self.known.segments_for(self.difference) if self.difference else None

    @property
    def units_needed(self) -> int | None:
        """The same in what is drawn, segments or documents."""
        return self.known.units_for(self.difference) if self.difference else None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            **score_dict(self.metric, self.score, self.signature),
            "delta": self.known.delta,
            "standard_error": self.known.standard_error,
            "detectable": self.detectable,
            "difference": self.difference,
            "power": self.power,
            "sign_error": self.sign_error,
            "exaggeration": self.exaggeration,
            "segments_needed": self.segments_needed,
            "units_needed": self.units_needed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Every system but the first beside the first, under every metric.

    ``wanted`` is the power asked for; ``assumed`` says that the difference was told, not observed.
    """

    baseline: str
    pairs: tuple[PairPower, ...]
    segments: int
    unit: Unit
    units: int
    alpha: float
    wanted: float
    assumed: bool
    trials: int
    seed: int
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        systems: dict[str, list[dict[str, Any]]] = {}
        own = {
            pair.metric.spec: score_dict(pair.metric, pair.score - pair.known.delta, pair.signature)
            for pair in self.pairs
        }
        for pair in self.pairs:
            systems.setdefault(pair.system, []).append(pair.to_dict())
        return {
            "version": __version__,
            "segments": self.segments,
            "baseline": self.baseline,
            "systems": [
                {"system": self.baseline, "scores": list(own.values())},
                *({"system": name, "scores": scores} for name, scores in systems.items()),
            ],
            "unit": self.unit,
            "units": self.units,
            "alpha": self.alpha,
            "wanted_power": self.wanted,
            "assumed": self.assumed,
            "trials": self.trials,
            "seed": self.seed,
            "warnings": list(self.warnings),
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per system beside the baseline and metric; needs pandas."""
        return dataframe({"system": pair.system, **pair.to_dict()} for pair in self.pairs)


def power(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    difference: float | None = None,
    wanted: float = 0.8,
    alpha: float = 0.05,
    resample: Resampling = "auto",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
) -> Power:
    """Say which differences this test set can show, by default by BLEU and chrF.

    For each system beside the first one: the smallest true difference that a two-sided test at
    ``alpha`` finds in the share ``wanted`` of all cases. And for one true difference
    (``difference``, by default the one observed): how often it is found, how many segments it
    would take, and how wrong a significant result can be.
    """
    if not 0 < alpha <= 0.5:
        raise OptionError(f"alpha: found {alpha:g}, expected a significance level such as 0.05")
    if difference is not None and not 0 < abs(difference) < float("inf"):
        raise OptionError(f"difference: found {difference:g}, expected points of the metric")
    whole = as_scored(corpus, systems, metrics)
    if len(whole.systems) < 2:
        raise InputError("systems: found 1, expected a baseline and at least one more")
    units = units_of(len(whole.corpus), whole.corpus.documents, resample)
    if units.count < 2:
        raise InputError(f"{whole.corpus.name}: found {units}, expected at least two to draw from")
    groups = [group.by(units) for group in metric_rows(whole)]
    resampled = paired_bootstraps(groups, trials=trials, seed=seed, level=1 - alpha)
    pairs = []
    for index, name in enumerate(whole.names[1:]):
        for title, column in zip(titles(whole.metrics), resampled, strict=True):
            known = detectability_of(column[index], segments=len(whole.corpus), power=wanted)
            asked = known.delta if difference is None else difference
            pairs.append(
                PairPower(
                    system=name,
                    title=title,
                    score=column[index].system,
                    signature=known.metric.signature(whole.corpus.references.count),
                    known=known,
                    difference=asked,
                )
            )
    return Power(
        baseline=whole.names[0],
        pairs=tuple(pairs),
        segments=len(whole.corpus),
        unit=units.unit,
        units=units.count,
        alpha=alpha,
        wanted=wanted,
        assumed=difference is not None,
        trials=trials,
        seed=seed,
        warnings=(*whole.corpus.notes, *_warnings(units)),
    )


def _warnings(units: Units) -> tuple[str, ...]:
    return (f"{units} are few: all of this is rough",) if units.few else ()
