"""A ranking of metrics as grids of cells, and what must be known of it."""

from collections.abc import Iterator
from typing import Final

from tertium.inference.p_values import p_value_text
from tertium.meta.agreement.measures import MEASURES
from tertium.meta.agreement.ranking import SHARES, MetricRanking, RankedColumn
from tertium.plurals import counted
from tertium.report.meta.grids import NOTHING, ComparisonCell, Grid, number

MOST_COMPARED: Final = 30
"""Metrics whose p-values still make a table that somebody reads."""


def column_title(column: RankedColumn) -> str:
    """The ratings and the measure of a column."""
    title = MEASURES[column.measure].title if column.measure in MEASURES else column.measure
    return f"{column.name} {title}".strip()


def ranking_grids(ranking: MetricRanking, *, decimals: int = 3) -> Iterator[Grid]:
    """All metrics by the mean, with value and rank of every column; then the p-values."""
    overall = ranking.overall
    others = dict.fromkeys(
        metric
        for column in ranking.columns
        for metric in column.metrics
        if metric not in overall.metrics
    )
    rows = []
    for metric in (*overall.metrics, *others):
        cells = [ComparisonCell(metric)]
        for column in (overall, *ranking.columns):
            found = column.of(metric)
            if found is None:
                cells += [ComparisonCell(NOTHING), ComparisonCell(NOTHING)]
            else:
                value, rank = found
                cells += [
                    ComparisonCell(str(rank), rank == 1),
                    ComparisonCell(number(value, decimals), rank == 1),
                ]
        rows.append(tuple(cells))
    headings = ["metric"]
    for column in (overall, *ranking.columns):
        headings += ["rank", column_title(column)]
    yield Grid(
        title=f"metrics ranked by their mean over {counted(len(ranking.columns), 'column')}",
        headings=tuple(headings),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )
    if len(overall.metrics) <= MOST_COMPARED:
        yield _p_values(overall, ranking)


def _p_values(column: RankedColumn, ranking: MetricRanking) -> Grid:
    """p-values that the metric of a row is better than one below it."""
    least = 1 / (1 + ranking.trials)
    size = len(column.metrics)
    rows = tuple(
        (
            ComparisonCell(f"{row + 1} {metric}"),
            *(
                ComparisonCell(
                    p_value_text(float(column.p_values[row, other]), least),
                    bool(column.p_values[row, other] <= ranking.alpha),
                )
                if other > row
                else ComparisonCell("")
                for other in range(1, size)
            ),
        )
        for row, metric in enumerate(column.metrics[:-1])
    )
    return Grid(
        title="permutation test of the mean, p-value of row over column",
        headings=("", *(str(place) for place in range(2, size + 1))),
        left=frozenset({0}),
        groups=(rows,),
    )


def ranking_remarks(ranking: MetricRanking) -> Iterator[str]:
    """How it was tested, what the mean is of, and what was left out."""
    how = "as in mt-metrics-eval" if ranking.exchange == "official" else "of whole items"
    yield (
        "rank: a metric begins a new one where a metric of the rank before is significantly better "
        f"(p ≤ {ranking.alpha:g}); {ranking.trials} exchanges {how}, seed {ranking.seed}"
    )
    yield "systems are held fixed: p speaks of other outputs of these systems"
    if ranking.exchange == "official" and any(
        column.measure == "acc-eq-item" for column in ranking.columns
    ):
        yield (
            "acc_eq: the official test takes comparisons that share an output for independent, and "
            "its p-values are too small; --permute items holds its level"
        )
    weights = {column.weight for column in ranking.columns}
    if len(weights) > 1:
        heavy = ", ".join(
            f"{column_title(column)} {column.weight:g}"
            for column in ranking.columns
            if column.weight != min(weights)
        )
        yield f"weights in the mean: {heavy}; the others {min(weights):g}"
    if any(column.measure not in SHARES for column in ranking.columns):
        yield "correlations count as (1 + r) / 2 in the mean"
    yield from ranking.left_out
    for place, exclusion in ranking.exclusions:
        yield f"{place}: {exclusion}"
