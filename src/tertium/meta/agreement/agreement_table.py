"""Many metrics against many sets of ratings, with averages over language pairs and criteria."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from tertium.choices import DEFAULT_SEED, Resample
from tertium.errors import InputError, OptionError
from tertium.inference.rows import MetricRows
from tertium.meta.agreement.intervals import draw, with_interval
from tertium.meta.agreement.measures import (
    LEAST_SYSTEMS,
    MEASURES,
    Measured,
    measure_of,
    measured,
    usual_measures,
)
from tertium.meta.agreement.preferences import DARR_POINTS
from tertium.meta.agreement.shared_systems import Aligned, align, common_systems
from tertium.meta.agreement.williams import WilliamsTests, williams_tests
from tertium.meta.ratings.judgments import Exclusion, Floats, Judgments, MetricScores, or_none
from tertium.plain import Plain
from tertium.tables import dataframe, html_table
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


# How far one metric agrees with one set of ratings, and how sure that is.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """One metric against one set of ratings, by every measure asked for.

    ``ratings`` and ``scores`` are those of ``systems``, turned so that higher is better.
    """

    name: str
    criterion: str
    metric: str
    systems: tuple[str, ...]
    ratings: Floats = field(repr=False)
    scores: Floats = field(repr=False)
    measured: tuple[Measured, ...]
    exclusions: tuple[Exclusion, ...] = ()
    notes: tuple[str, ...] = ()
    resample: Resample | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order asked for."""
        return tuple(measurement.measure for measurement in self.measured)

    def __getitem__(self, measure: str) -> Measured:
        for measurement in self.measured:
            if measurement.measure == measure:
                return measurement
        raise KeyError(measure)

    def __contains__(self, measure: str) -> bool:
        return measure in self.measures

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "version": __version__,
            "name": self.name,
            "criterion": self.criterion,
            "metric": self.metric,
            "systems": [
                {"system": system, "rating": or_none(rating), "score": or_none(score)}
                for system, rating, score in zip(
                    self.systems, self.ratings.tolist(), self.scores.tolist(), strict=True
                )
            ],
            "measures": [measurement.to_dict() for measurement in self.measured],
            "resample": self.resample,
            "exclusions": [exclusion.to_dict() for exclusion in self.exclusions],
            "notes": list(self.notes),
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per measure; needs pandas."""
        return dataframe(self.records())

    def records(self) -> list[dict[str, object]]:
        """One flat record per measure."""
        return [
            {
                "name": self.name,
                "criterion": self.criterion,
                "metric": self.metric,
                "measure": measurement.measure,
                "value": measurement.value,
                "low": None if measurement.interval is None else measurement.interval.low,
                "high": None if measurement.interval is None else measurement.interval.high,
                "count": measurement.count,
                "unit": measurement.unit,
            }
            for measurement in self.measured
        ]

    def __repr__(self) -> str:
        values = ", ".join(
            f"{measurement.measure} {measurement.value:.3f}" for measurement in self.measured
        )
        return f"<Agreement of {self.metric} with {self.name} {self.criterion}: {values}>"

    def _repr_html_(self) -> str:
        place = [self.metric, self.name, self.criterion]
        rows = [
            [
                *place,
                MEASURES[measurement.measure].title,
                measurement.text,
                f"{measurement.count} {measurement.unit}",
            ]
            for measurement in self.measured
        ]
        return html_table(["metric", "ratings", "criterion", "measure", "value", "over"], rows)


def agree(
    judgments: Judgments,
    scores: MetricScores,
    *,
    measures: Sequence[str] | None = None,
    resample: Resample | None = None,
    statistics: MetricRows | None = None,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    points: float = DARR_POINTS,
) -> Agreement:
    """Compare a metric's scores with people's ratings; systems are matched by name.

    Without ``measures`` all usual ones are computed for which there are ratings. With ``resample``
    they get confidence intervals. For a metric that is not a mean of segments these are exact if
    you give its ``statistics``, in the order of ``scores.systems``.

    >>> import numpy as np
    >>> people = Judgments(name="toy", criterion="rank", systems=("a", "b", "c", "d"),
    ...                    values=np.array([0.1, 0.3, 0.2, 0.6]))
    >>> metric = MetricScores(metric="bleu", systems=("d", "c", "b", "a"),
    ...                       values=np.array([40.0, 31, 30, 22]))
    >>> agree(people, metric)["kendall"].value.__round__(4)
    0.6667
    """
    aligned = align(judgments, scores)
    chosen = usual_measures(aligned) if measures is None else tuple(measures)
    for name in chosen:
        measure_of(name)
    if not chosen:
        aligned.check_systems(LEAST_SYSTEMS)
        raise InputError(f"{aligned.place}: found no measure, expected some of {_names()}")
    found = [measured(name, aligned, points=points) for name in chosen]
    notes: tuple[str, ...] = ()
    if resample is not None:
        _check_statistics(statistics, scores)
        draws = draw(aligned, resample=resample, trials=trials, seed=seed, statistics=statistics)
        notes = draws.notes
        found = [
            with_interval(
                agreement, draws, resample=resample, trials=trials, seed=seed, level=level
            )
            for agreement in found
        ]
    return _result(aligned, judgments, found, notes, resample)


def _result(
    aligned: Aligned,
    judgments: Judgments,
    found: Sequence[Measured],
    notes: tuple[str, ...],
    resample: Resample | None,
) -> Agreement:
    return Agreement(
        name=judgments.name,
        criterion=judgments.criterion,
        metric=aligned.metric,
        systems=aligned.systems,
        ratings=aligned.ratings,
        scores=aligned.scores,
        measured=tuple(found),
        exclusions=(*judgments.exclusions, *aligned.exclusions),
        notes=notes,
        resample=resample,
    )


def _check_statistics(statistics: MetricRows | None, scores: MetricScores) -> None:
    if statistics is not None and statistics.systems != len(scores.systems):
        raise InputError(
            f"{scores.metric}: found statistics of {statistics.systems} systems, "
            f"expected {len(scores.systems)} (scores)"
        )


def _names() -> str:
    return ", ".join(MEASURES)


Over: TypeAlias = Literal["names", "criteria", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Average(Plain):
    """A metric's mean agreement over several sets of ratings.

    ``name`` and ``criterion`` are empty where the mean runs over them. ``undefined`` sets have
    no value and are not part of the mean.
    """

    metric: str
    name: str
    criterion: str
    measure: str
    value: float
    count: int
    undefined: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementTable:
    """All agreements, ratings by ratings; orders are those of the call."""

    agreements: tuple[Agreement, ...]

    def __iter__(self) -> Iterator[Agreement]:
        return iter(self.agreements)

    def __len__(self) -> int:
        return len(self.agreements)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, each once."""
        return tuple(dict.fromkeys(agreement.metric for agreement in self))

    @property
    def names(self) -> tuple[str, ...]:
        """The language pairs or test sets, each once."""
        return tuple(dict.fromkeys(agreement.name for agreement in self))

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria, each once."""
        return tuple(dict.fromkeys(agreement.criterion for agreement in self))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures of at least one agreement, each once."""
        return tuple(dict.fromkeys(name for agreement in self for name in agreement.measures))

    def of(
        self, metric: str | None = None, name: str | None = None, criterion: str | None = None
    ) -> tuple[Agreement, ...]:
        """The agreements of a metric, a language pair, a criterion, or of any of them."""
        return tuple(
            agreement
            for agreement in self
            if metric in {None, agreement.metric}
            and name in {None, agreement.name}
            and criterion in {None, agreement.criterion}
        )

    def averages(self, over: Over = "names") -> tuple[Average, ...]:
        """Means over language pairs ("names"), over criteria, or over all sets of ratings."""
        if over not in {"names", "criteria", "all"}:
            raise OptionError(f"over: found '{over}', expected names, criteria or all")
        groups: dict[tuple[str, str, str, str], list[float]] = {}
        for agreement in self:
            name = "" if over in {"names", "all"} else agreement.name
            criterion = "" if over in {"criteria", "all"} else agreement.criterion
            for part in agreement.measured:
                key = (agreement.metric, name, criterion, part.measure)
                groups.setdefault(key, []).append(part.value)
        return tuple(
            Average(
                metric=metric,
                name=name,
                criterion=criterion,
                measure=measure,
                value=float(np.mean(known)) if known else float("nan"),
                count=len(known),
                undefined=len(values) - len(known),
            )
            for (metric, name, criterion, measure), values in groups.items()
            for known in [[value for value in values if not np.isnan(value)]]
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "agreements": [agreement.to_dict() for agreement in self],
            "averages": {
                over: [average.to_dict() for average in self.averages(over)]
                for over in ("names", "criteria", "all")
            },
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per metric, set of ratings and measure; needs pandas."""
        return dataframe(record for agreement in self for record in agreement.records())

    def __repr__(self) -> str:
        sets = len({(agreement.name, agreement.criterion) for agreement in self})
        return f"<AgreementTable of {len(self.metrics)} metrics and {sets} sets of ratings>"

    def _repr_html_(self) -> str:
        measures = self.measures
        rows = [
            [agreement.name, agreement.criterion, agreement.metric]
            + [agreement[name].text if name in agreement else "" for name in measures]
            for agreement in self
        ]
        heads = [MEASURES[name].title for name in measures]
        return html_table(["ratings", "criterion", "metric", *heads], rows)


def agreements(
    sets: Sequence[tuple[Judgments, Sequence[MetricScores]]],
    *,
    measures: Sequence[str] | None = None,
    resample: Resample | None = None,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    points: float = DARR_POINTS,
) -> AgreementTable:
    """Every set of ratings with every metric's scores of the same test set."""
    if not any(scores for _, scores in sets):
        raise InputError("agreements: found no scores, expected ratings with at least one metric")
    return AgreementTable(
        agreements=tuple(
            agree(
                judgments,
                score,
                measures=measures,
                resample=resample,
                trials=trials,
                seed=seed,
                level=level,
                points=points,
            )
            for judgments, scores in sets
            for score in scores
        )
    )


def williams(
    judgments: Judgments, scores: Sequence[MetricScores], *, two_sided: bool = False
) -> WilliamsTests:
    """Williams' test of all pairs of metrics, on the systems that all of them scored."""
    aligned = common_systems(judgments, scores)
    aligned[0].check_systems(4)
    return williams_tests(
        aligned[0].ratings,
        np.stack([scored.scores for scored in aligned]),
        [score.metric for score in scores],
        two_sided=two_sided,
    )
