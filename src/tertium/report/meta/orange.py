"""Where metrics rank references inside n-best lists, for people."""

from collections.abc import Iterator

from tertium.meta.orange import OrangeReport
from tertium.plurals import counted
from tertium.report.meta.cells import ComparisonCell, Grid
from tertium.results import titles


def orange_grid(report: OrangeReport, *, decimals: int) -> Grid:
    """A row for each metric, in the order in which they were given."""
    names = titles([score.metric for score in report.scores])
    rows = [
        (
            ComparisonCell(name),
            ComparisonCell(f"{score.value:.{decimals}f}"),
            ComparisonCell(
                f"[{score.interval.low:.{decimals}f}, {score.interval.high:.{decimals}f}]"
            ),
            ComparisonCell(f"{score.ranks.mean():.2f}"),
            ComparisonCell(f"{100 * score.first:.1f} %"),
        )
        for name, score in zip(names, report.scores, strict=True)
    ]
    return Grid(
        title="rank of references inside n-best lists (ORANGE, lower is better)",
        headings=("metric", "ORANGE", f"{100 * report.level:g} %", "mean rank", "first"),
        left=frozenset({0}),
        groups=(tuple(rows),),
    )


def orange_remarks(report: OrangeReport) -> Iterator[str]:
    """What was ranked, and what the columns are."""
    yield (
        f"{counted(report.segments, 'segment')}, {counted(report.references, 'reference')}, "
        f"{report.candidates:.1f} candidates in a list on average"
    )
    yield (
        "each reference is ranked by the others, among the candidates of its list; "
        "first: no candidate has a better score"
    )
