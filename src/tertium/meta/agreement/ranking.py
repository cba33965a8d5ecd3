"""Metrics ranked over language pairs and measures, with the tests of WMT's metrics tasks.

A column is a measure on one set of ratings; its ranks are clusters of metrics that the test does
not tell apart. The ranking is by the weighted mean of all columns, tested with the same exchanges
as they are, each column's for itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from tertium.choices import DEFAULT_SEED, RANK_EXCHANGES, TASKS, RankExchange, Task
from tertium.errors import InputError, OptionError
from tertium.inference.rows import check_trials
from tertium.meta.agreement.measures import (
    LEAST_SYSTEMS,
    MEASURES,
    Measured,
    measure_of,
    measured,
    what_is_missing,
)
from tertium.meta.agreement.null_differences import (
    AccuracyDifferences,
    ChosenDifferences,
    KeptDifferences,
    NullDifferences,
    PearsonDifferences,
    ScaledDifferences,
    SoftDifferences,
    SystemDifferences,
    WeightedDifferences,
    significance_ranks,
)
from tertium.meta.agreement.overview import RatedSet
from tertium.meta.agreement.shared_systems import Aligned, align, common_systems
from tertium.meta.ratings.judgments import Exclusion, Floats, MetricScores, or_none
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.suggestions import did_you_mean

TESTED: Final = (
    *("pearson", "spearman", "kendall", "accuracy", "soft-accuracy"),
    *("segment-pearson-none", "acc-eq-item"),
)
"""Measures that metrics are ranked by."""
ALL_SETS: Final = "all"
"""The name of a column over all sets of ratings."""
SHARES: Final = frozenset({"accuracy", "soft-accuracy", "acc-eq-item"})
"""From 0 to 1; the others are correlations, from −1."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedColumn:
    """Metrics by one measure on one set of ratings, the best first.

    ``p_values`` are one-sided, that the metric of a row agrees better than that of a column;
    ``systems`` and ``segments`` are what the measure is made of.
    """

    name: str
    criterion: str
    measure: str
    weight: float
    systems: int
    metrics: tuple[str, ...]
    values: Floats
    ranks: tuple[int, ...]
    p_values: Floats = field(repr=False)

    def of(self, metric: str) -> tuple[float, int] | None:
        """The value and the rank of a metric, if it has any."""
        if metric not in self.metrics:
            return None
        place = self.metrics.index(metric)
        return float(self.values[place]), self.ranks[place]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "name": self.name,
            "criterion": self.criterion,
            "measure": self.measure,
            "weight": self.weight,
            "systems": self.systems,
            "metrics": [
                {"metric": metric, "value": or_none(value), "rank": rank}
                for metric, value, rank in zip(
                    self.metrics, self.values.tolist(), self.ranks, strict=True
                )
            ],
            "p_values": [[or_none(value) for value in row] for row in self.p_values.tolist()],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricRanking(Plain):
    """All columns, and the ranking by their weighted mean; ``overall`` has metrics of all columns.

    Correlations count as (1 + r) / 2 in the mean, as in mt-metrics-eval.
    """

    PLAIN = "task overall columns left_out exclusions exchange trials seed alpha"

    task: str
    overall: RankedColumn
    columns: tuple[RankedColumn, ...]
    left_out: tuple[str, ...]
    exclusions: tuple[tuple[str, Exclusion], ...]
    """What was left out of which ratings."""
    exchange: RankExchange
    trials: int
    seed: int
    alpha: float

    def records(self) -> list[dict[str, object]]:
        """One flat record per metric and column, the mean first."""
        return [
            {
                "metric": metric,
                "name": column.name,
                "criterion": column.criterion,
                "measure": column.measure,
                "value": value,
                "rank": rank,
            }
            for column in (self.overall, *self.columns)
            for metric, value, rank in zip(
                column.metrics, column.values.tolist(), column.ranks, strict=True
            )
        ]


class _Tests(NamedTuple):
    """How metrics are tested."""

    trials: int
    seed: int
    alpha: float
    exchange: RankExchange


def rank_metrics(
    sets: Sequence[RatedSet],
    *,
    task: Task = "wmt24",
    measures: Sequence[str] | None = None,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    alpha: float = 0.05,
    exchange: RankExchange = "official",
    unused: Sequence[Exclusion] = (),
) -> MetricRanking:
    """Rank the metrics of several sets of ratings together.

    ``task`` says which measures count, and how much; ``measures`` are others in their place, which
    count alike. A metric goes by its name without the reference it was given (COMET-refA and
    COMET-refB are one), so that it is the same in all sets. ``exchange`` is that of
    mt-metrics-eval, or of items: documents, or segments where documents are not known. ``unused``
    is what had no partner.
    """
    _check_choices(task, measures or (), exchange)
    check_trials(trials, seed)
    tests = _Tests(trials, seed, alpha, exchange)
    named = [replace(one, scores=_named(one.scores)) for one in sets if one.scores]
    if not named:
        raise InputError("ranking: found no scores, expected ratings with at least two metrics")
    left_out: list[str] = []
    found: list[tuple[RankedColumn, NullDifferences, tuple[str, ...]]] = []
    pooled = task == "wmt23" and measures is None
    if pooled:
        found += _pooled(named, left_out, tests=tests)
    for one in named:
        for measure in measures or TASKS[task]:
            found += _column(one, measure, left_out, tests=tests)
    if not found:
        raise InputError(f"ranking: found no measure of two metrics: {'; '.join(left_out)}")
    everywhere = [
        metric for metric in found[0][2] if all(metric in metrics for _, _, metrics in found)
    ]
    left_out += (
        f"{metric} left out of the mean: not in every column"
        for metric in dict.fromkeys(metric for _, _, metrics in found for metric in metrics)
        if metric not in everywhere
    )
    return MetricRanking(
        task="" if measures is not None else task,
        overall=_overall(found, everywhere, alpha),
        columns=tuple(column for column, _, _ in found),
        left_out=tuple(left_out),
        exclusions=(*_exclusions(named), *(("not used", each) for each in unused)),
        exchange=exchange,
        trials=2 * ((trials + 1) // 2),
        seed=seed,
        alpha=alpha,
    )


def _check_choices(task: str, measures: Sequence[str], exchange: str) -> None:
    if task not in TASKS:
        raise OptionError(did_you_mean("task", task, TASKS))
    if exchange not in RANK_EXCHANGES:
        raise OptionError(did_you_mean("exchange", exchange, RANK_EXCHANGES))
    for name in measures:
        measure_of(name)
        if name not in TESTED:
            expected = ", ".join(TESTED)
            raise OptionError(f"measure '{name}': found no test of it, expected {expected}")


def base_name(metric: str) -> str:
    """A metric without the reference it was given; without one it is marked, as at WMT.

    >>> base_name("COMET-refA"), base_name("CometKiwi-src"), base_name("bleu[tokenizer=13a]")
    ('COMET', 'CometKiwi[noref]', 'bleu[tokenizer=13a]')
    """
    if metric.endswith("-src"):
        return metric.removesuffix("-src") + "[noref]"
    return re.sub(r"-(ref\w|synthetic_ref|all)(\.ref\w)*$", "", metric)


def _named(scores: Sequence[MetricScores]) -> tuple[MetricScores, ...]:
    """Metrics by their base names, unless two would have the same, in the order of names."""
    bases = [base_name(score.metric) for score in scores]
    named = (
        score if bases.count(base) > 1 else replace(score, metric=base)
        for score, base in zip(scores, bases, strict=True)
    )
    return tuple(sorted(named, key=lambda score: score.metric))


Found = tuple[RankedColumn, NullDifferences, tuple[str, ...]]


def _column(rated: RatedSet, measure: str, left_out: list[str], *, tests: _Tests) -> list[Found]:
    """One measure on one set of ratings, if two metrics have it."""
    place = f"{rated.judgments.name} {rated.judgments.criterion}"
    aligned = _with_measure(rated, measure, left_out)
    if len(aligned) < 2:
        left_out.append(f"{place}: no {MEASURES[measure].title}: {counted(len(aligned), 'metric')}")
        return []
    values = [measured(measure, one) for one in aligned]
    null = KeptDifferences(_null(measure, aligned, values, tests))
    official = np.array([value.value for value in values])
    metrics = tuple(one.metric for one in aligned)
    column = _ranked(
        null,
        official,
        metrics,
        name=rated.judgments.name,
        criterion=rated.judgments.criterion,
        measure=measure,
        weight=1.0,
        systems=len(aligned[0].systems),
        alpha=tests.alpha,
    )
    return [(column, null if measure in SHARES else ScaledDifferences(null), metrics)]


def _with_measure(rated: RatedSet, measure: str, left_out: list[str]) -> list[Aligned]:
    """The metrics that have a measure, on the systems that all of them scored."""
    place = f"{rated.judgments.name} {rated.judgments.criterion}"
    segments = MEASURES[measure].needs == "segments"
    usable = []
    for scores in rated.scores:
        try:
            aligned = align(rated.judgments, scores)
            why = what_is_missing(measure, aligned)
        except InputError as error:
            why = str(error)
        if not why and segments and _gaps(aligned):
            why = "no score of some rated output"
        if why:
            left_out.append(f"{place}: {scores.metric} left out of {measure}: {why}")
        else:
            usable.append(scores)
    if len(usable) < 2:
        return [align(rated.judgments, scores) for scores in usable]
    common = common_systems(rated.judgments, usable)
    if len(common[0].systems) < LEAST_SYSTEMS:
        left_out.append(
            f"{place}: {counted(len(common[0].systems), 'system')} with scores of all metrics"
        )
        return []
    return common


def _gaps(aligned: Aligned) -> bool:
    ratings, scores = aligned.segment_ratings, aligned.segment_scores
    if ratings is None or scores is None:
        return True
    return bool(np.isnan(scores[~np.isnan(ratings)]).any())


def _null(
    measure: str,
    aligned: Sequence[Aligned],
    values: Sequence[Measured],
    tests: _Tests,
) -> NullDifferences:
    first = aligned[0]
    trials, seed = tests.trials, tests.seed
    if MEASURES[measure].needs == "systems":
        scores = np.stack([one.scores for one in aligned])
        return SystemDifferences(measure, [(first.ratings, scores)], trials=trials, seed=seed)
    ratings = _present(first.segment_ratings)
    outputs = [_present(one.segment_scores) for one in aligned]
    missing = np.isnan(ratings)
    chosen = ~(missing.any(axis=0) if measure == "soft-accuracy" else missing.all(axis=0))
    ratings, outputs = ratings[:, chosen], [one[:, chosen] for one in outputs]
    how: dict[str, Any] = {"trials": trials, "seed": seed}
    if tests.exchange == "items":
        labels = first.judgments.documents
        documents = (
            None if labels is None else [labels[place] for place in np.flatnonzero(chosen).tolist()]
        )
        how |= {"exchange": "items", "documents": documents}
    if measure == "segment-pearson-none":
        return PearsonDifferences(ratings, outputs, **how)
    if measure == "soft-accuracy":
        return SoftDifferences(ratings, outputs, **how)
    epsilons = [0.0 if value.epsilon is None else np.nan_to_num(value.epsilon) for value in values]
    return AccuracyDifferences(ratings, outputs, epsilons, **how)


def _present(values: Floats | None) -> Floats:
    if values is None:
        raise InputError("ranking: no scores of segments, expected some")
    return values


def _pooled(sets: Sequence[RatedSet], left_out: list[str], *, tests: _Tests) -> list[Found]:
    """Pairwise accuracy over the systems of all sets, the first task of WMT23."""
    by_set = [
        {one.metric: one for one in _with_measure(rated, "accuracy", left_out)} for rated in sets
    ]
    metrics = tuple(metric for metric in by_set[0] if all(metric in aligned for aligned in by_set))
    if len(metrics) < 2:
        left_out.append(
            f"no pairwise accuracy over all sets: {counted(len(metrics), 'metric')} in all of them"
        )
        return []
    blocks = [
        (
            aligned[metrics[0]].ratings,
            np.stack([aligned[metric].scores for metric in metrics]),
        )
        for aligned in by_set
    ]
    null = KeptDifferences(
        SystemDifferences("accuracy", blocks, trials=tests.trials, seed=tests.seed)
    )
    column = _ranked(
        null,
        null.values,
        metrics,
        name=ALL_SETS,
        criterion=" ".join(dict.fromkeys(rated.judgments.criterion for rated in sets)),
        measure="accuracy",
        weight=float(len(sets)),
        systems=sum(len(ratings) for ratings, _ in blocks),
        alpha=tests.alpha,
    )
    return [(column, null, metrics)]


def _overall(found: Sequence[Found], metrics: Sequence[str], alpha: float) -> RankedColumn:
    if len(metrics) < 2:
        raise InputError(
            f"ranking: found {counted(len(metrics), 'metric')} in all columns, expected two or more"
        )
    weights = [column.weight for column, _, _ in found]
    parts = [
        ChosenDifferences(null, [names.index(metric) for metric in metrics])
        for _, null, names in found
    ]
    null = WeightedDifferences(parts, weights)
    official = sum(
        weight * _scaled(column, metrics)
        for weight, (column, _, _) in zip(weights, found, strict=True)
    ) / sum(weights)
    return _ranked(
        null,
        np.asarray(official),
        tuple(metrics),
        name="",
        criterion=" ".join(dict.fromkeys(column.criterion for column, _, _ in found)),
        measure="mean",
        weight=sum(weights),
        systems=max(column.systems for column, _, _ in found),
        alpha=alpha,
    )


def _scaled(column: RankedColumn, metrics: Sequence[str]) -> Floats:
    by_name: Mapping[str, float] = dict(zip(column.metrics, column.values.tolist(), strict=True))
    values = np.array([by_name[metric] for metric in metrics])
    return values if column.measure in SHARES else (1 + values) / 2


def _ranked(
    null: NullDifferences,
    values: Floats,
    metrics: Sequence[str],
    *,
    alpha: float,
    **rest: Any,
) -> RankedColumn:
    """The metrics from the best down, equal ones by name, with their clusters."""
    known = np.nan_to_num(values, nan=-np.inf)
    order = sorted(range(len(metrics)), key=lambda place: (-known[place], metrics[place]))
    p_values = null.p_values()[np.ix_(order, order)]
    return RankedColumn(
        metrics=tuple(metrics[place] for place in order),
        values=values[order],
        ranks=tuple(significance_ranks(known[order], p_values, alpha)),
        p_values=p_values,
        **rest,
    )


def _exclusions(sets: Sequence[RatedSet]) -> list[tuple[str, Exclusion]]:
    """What was left out of sets of ratings, each once."""
    found: dict[tuple[str, Exclusion], None] = {}
    for rated in sets:
        place = f"{rated.judgments.name} {rated.judgments.criterion}"
        for exclusion in rated.judgments.exclusions:
            found[place, exclusion] = None
    return list(found)
