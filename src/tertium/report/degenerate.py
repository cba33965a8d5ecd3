"""What metrics say of empty and emptied text, as tables in Markdown."""

from collections.abc import Sequence

from tertium.metrics.contract.degenerate import (
    EMPTIED,
    EMPTY,
    DegenerateCase,
    DegenerateScores,
    degenerate_lines,
    own_metrics,
    removing_specs,
)


def degenerate_tables() -> list[str]:
    """The lines of both tables: hypotheses or references without text, and without a word."""
    return [
        *_table(degenerate_lines(own_metrics(), EMPTY), EMPTY),
        "",
        *_table(degenerate_lines(removing_specs(), EMPTIED), EMPTIED),
    ]


def _table(lines: Sequence[DegenerateScores], cases: Sequence[DegenerateCase]) -> list[str]:
    titles = [one.title for one in cases]
    rows = [["metric", *titles], ["---", *["---:"] * len(titles)]]
    rows += [[f"`{one.spec}`", *_cells(one, titles)] for one in lines]
    return [f"| {' | '.join(row)} |" for row in rows]


def _cells(line: DegenerateScores, titles: Sequence[str]) -> list[str]:
    # Adding 0 takes the sign off a zero.
    return [
        f"{round(line.scores[one], 2) + 0:g}" if line.scores else "not installed" for one in titles
    ]
