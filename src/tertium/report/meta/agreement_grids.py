"""Agreement as grids of cells: what the terminal and LaTeX show."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tertium.meta.agreement.agreement_table import Agreement, AgreementTable, Average
from tertium.meta.agreement.measures import MEASURES, Measured
from tertium.meta.agreement.overview import AgreementReport
from tertium.meta.agreement.permutation_test import PAPER_NAMES, PermutationMatrix
from tertium.meta.agreement.williams import WilliamsTests
from tertium.meta.ratings.judgments import Floats
from tertium.metrics.foreign.score_table import short_name
from tertium.report.meta.grids import NOTHING, ComparisonCell, Grid, number

LEVELS: Final = ("system", "segment")


def agreement_grids(
    report: AgreementReport, *, decimals: int = 3, published: bool = False
) -> Iterator[Grid]:
    """Metrics × measures for every set of ratings, then the tests; averages at the end."""
    table = report.table
    tested = {(one.name, one.criterion): one for one in report.tested}
    for name, criterion in dict.fromkeys((one.name, one.criterion) for one in table):
        found = table.of(name=name, criterion=criterion)
        for level in LEVELS:
            measures = [measure for measure in _measures(found) if MEASURES[measure].level == level]
            if measures:
                best_first = _best_first(found, measures[0])
                yield _agreement_grid(
                    f"{name} {criterion}, {level} level", best_first, measures, decimals
                )
        tests = tested[name, criterion]
        location = f"{name} {criterion}"
        if tests.tests is not None:
            yield williams_grid(tests.tests, location, report.level, decimals, published=published)
        for permutation in tests.permutations:
            yield permutation_grid(permutation, location, report.level, decimals)
    if len(table.names) > 1:
        yield from _average_grids(table, decimals)


def _measures(found: Sequence[Agreement]) -> list[str]:
    return list(dict.fromkeys(measure for one in found for measure in one.measures))


def _best_first(found: Sequence[Agreement], measure: str) -> list[Agreement]:
    """Metrics by the first measure of a table, the best on top; those without it last."""
    sign = -1.0 if MEASURES[measure].higher_is_better else 1.0

    def key(agreement: Agreement) -> tuple[bool, float]:
        value = agreement[measure].value if measure in agreement else float("nan")
        return value != value, sign * value if value == value else 0.0  # noqa: PLR0124 - NaN

    return sorted(found, key=key)


def _agreement_grid(
    title: str, found: Sequence[Agreement], measures: Sequence[str], decimals: int
) -> Grid:
    best = {
        measure: _best([one[measure].value for one in found if measure in one], measure, decimals)
        for measure in measures
    }
    rows = []
    for one in found:
        cells = [ComparisonCell(short_name(one.metric)), ComparisonCell(str(len(one.systems)))]
        for measure in measures:
            if measure in one:
                value = one[measure].value
                top = round(value, decimals) == best[measure]
                cells.append(ComparisonCell(_with_interval(one[measure], decimals), top))
            else:
                cells.append(ComparisonCell(NOTHING))
        rows.append(tuple(cells))
    return Grid(
        title=title,
        headings=("metric", "systems", *(MEASURES[measure].title for measure in measures)),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )


def _best(values: Sequence[float], measure: str, decimals: int) -> float | None:
    """The best of several metrics; with one metric nothing stands out."""
    known = [round(value, decimals) for value in values if value == value]  # noqa: PLR0124 - NaN
    if len(values) < 2 or not known:
        return None
    return max(known) if MEASURES[measure].higher_is_better else min(known)


def _with_interval(measured: Measured, decimals: int) -> str:
    text = number(measured.value, decimals)
    if measured.interval is None:
        return text
    return f"{text} [{measured.interval.low:.{decimals}f}, {measured.interval.high:.{decimals}f}]"


def williams_grid(
    tests: WilliamsTests, title: str, level: float, decimals: int, *, published: bool
) -> Grid:
    """p-values that the metric of a row agrees better than that of a column."""
    values = tests.p_values_published if published else tests.p_values
    freedom = tests.systems - (2 if published else 3)
    sides = "two-sided" if tests.two_sided else "one-sided"
    heading = f"{title}, Williams' test ({sides}, {freedom} degrees of freedom)"
    return _p_value_grid(
        heading, tests.metrics, tests.correlations.tolist(), values, level=level, decimals=decimals
    )


def permutation_grid(tests: PermutationMatrix, title: str, level: float, decimals: int) -> Grid:
    """The same by exchanging the metrics' scores."""
    how = f"permuting {tests.exchange}, {PAPER_NAMES[tests.exchange]}, {tests.trials} trials"
    heading = f"{title}, permutation test of {MEASURES[tests.measure].title} ({how})"
    return _p_value_grid(
        heading, tests.metrics, tests.agreements, tests.p_values, level=level, decimals=decimals
    )


def _p_value_grid(
    title: str,
    metrics: Sequence[str],
    agreements: Sequence[float],
    values: Floats,
    *,
    level: float,
    decimals: int,
) -> Grid:
    """The best metric first; columns have the numbers of the rows, since names are long."""
    known = [-np.inf if np.isnan(agreement) else agreement for agreement in agreements]
    order = sorted(range(len(metrics)), key=lambda place: -known[place])
    rows = tuple(
        (
            ComparisonCell(f"{number} {short_name(metrics[row])}"),
            *(
                ComparisonCell(_p_value(values[row, i], decimals), values[row, i] <= 1 - level)
                for i in order
            ),
        )
        for number, row in enumerate(order, 1)
    )
    return Grid(
        title=title,
        headings=("p-value of row over column", *(str(n) for n in range(1, len(order) + 1))),
        left=frozenset({0}),
        groups=(rows,),
    )


def _p_value(value: float, decimals: int) -> str:
    """A p-value is never 0: what the digits cannot show is below the least that they can."""
    digits = max(decimals, 4)
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if value < least / 2 else number(value, digits)


def _average_grids(table: AgreementTable, decimals: int) -> Iterator[Grid]:
    averages = table.averages("names")
    for criterion in table.criteria:
        some = [average for average in averages if average.criterion == criterion]
        sets = max(one.count + one.undefined for one in some)
        if sets > 1:
            yield _average_grid(criterion, some, sets, decimals)


def _average_grid(criterion: str, averages: Sequence[Average], sets: int, decimals: int) -> Grid:
    """Means; a number in brackets says over how many sets, where that is not all."""
    measures = list(dict.fromkeys(average.measure for average in averages))
    found = {(average.metric, average.measure): average for average in averages}
    best = {
        measure: _best(
            [average.value for average in averages if average.measure == measure], measure, decimals
        )
        for measure in measures
    }

    def cell(metric: str, measure: str) -> ComparisonCell:
        one = found.get((metric, measure))
        if one is None:
            return ComparisonCell(NOTHING)
        few = f" ({one.count})" if one.count < sets else ""
        top = round(one.value, decimals) == best[measure]
        return ComparisonCell(number(one.value, decimals) + few, top)

    metrics = dict.fromkeys(average.metric for average in averages)
    return Grid(
        title=f"{criterion}, mean over {sets} test sets",
        headings=("metric", *(MEASURES[measure].title for measure in measures)),
        left=frozenset({0}),
        groups=(
            tuple(
                (
                    ComparisonCell(short_name(metric)),
                    *(cell(metric, measure) for measure in measures),
                )
                for metric in metrics
            ),
        ),
    )
