"""What differences are worth, for people: a table, and where its curves come from."""

from collections.abc import Iterator
from typing import Final

from tertium.meta.worth.curve import FEWEST_SETS, Worth, WorthCurve
from tertium.meta.worth.table import WorthTable
from tertium.report.comparison.cells import Cell, Grid

SHARES: Final = (0.6, 0.7, 0.75, 0.8, 0.9)
"""Shares of agreement that a table without differences shows."""


def worth_grid(table: WorthTable, *, decimals: int) -> Grid:
    """Differences and their worth, or the differences that some shares of agreement take."""
    if table.deltas:
        rows = [
            (Cell(one.metric), Cell(f"{each.delta:g}"), Cell(_share(each)), Cell(str(one.pairs)))
            for one, some in table.looked_up
            for each in some
        ]
        return Grid(
            title="pairs of systems that people put in the metric's order",
            headings=("metric", "difference", "people agree", "of pairs"),
            left=frozenset({0}),
            groups=(tuple(rows),),
        )
    needed = [
        (Cell(one.metric), Cell(str(one.pairs)), *(_needed(one, s, decimals) for s in SHARES))
        for one in table.curves
    ]
    return Grid(
        title="the difference that people agree with in …",
        headings=("metric", "pairs", *(f"{100 * share:.0f} %" for share in SHARES)),
        left=frozenset({0}),
        groups=(tuple(needed),),
    )


def worth_remarks(table: WorthTable) -> Iterator[str]:
    """How intervals were made, and where the curves come from."""
    if table.deltas:
        level = max(one.level for one in table.curves)
        how = f"by drawing test sets anew, of fewer than {FEWEST_SETS} their systems, too"
        yield f"[{100 * level:g} % intervals] {how}"
    yield table.provenance


def _share(one: Worth) -> str:
    text = f"{100 * one.share:.0f} % [{100 * one.low:.0f}, {100 * one.high:.0f}]"
    return f"{text}, beyond all pairs" if one.beyond else text


def _needed(curve: WorthCurve, share: float, digits: int) -> Cell:
    found = curve.needed(share)
    return Cell("–" if found is None else f"{found:.{max(digits, 1)}g}")
