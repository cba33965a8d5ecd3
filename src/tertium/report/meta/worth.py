"""What differences are worth, for people: a table, and where its curves come from."""

from collections.abc import Iterator
from typing import Final

from tertium.meta.worth.curve import FEWEST_SETS, Worth, WorthCurve
from tertium.meta.worth.table import WorthTable
from tertium.report.meta.cells import ComparisonCell, Grid

SHARES: Final = (0.6, 0.7, 0.75, 0.8, 0.9)
"""Shares of agreement that a table without differences shows."""


ALL: Final = "all"
"""The kind of pair of a curve that was fitted to every pair."""


def worth_grid(table: WorthTable, *, decimals: int) -> Grid:
    """Differences and their worth, or the differences that some shares of agreement take."""
    if table.deltas:
        rows = [
            (
                ComparisonCell(one.metric),
                ComparisonCell(one.kind or ALL),
                ComparisonCell(f"{each.delta:g}"),
                ComparisonCell(_share(each)),
                ComparisonCell(str(one.pairs)),
            )
            for one, some in table.looked_up
            for each in some
        ]
        return Grid(
            title="human agreement: share of WMT system pairs with such a difference on which "
            "raters agreed",
            headings=("metric", "kind of pair", "difference", "agreement", "pairs"),
            left=frozenset({0, 1}),
            groups=(tuple(rows),),
        )
    needed = [
        (
            ComparisonCell(one.metric),
            ComparisonCell(one.kind or ALL),
            ComparisonCell(str(one.pairs)),
            *(_needed(one, s, decimals) for s in SHARES),
        )
        for one in table.curves
    ]
    return Grid(
        title="the difference that raters agree with in …",
        headings=("metric", "kind of pair", "pairs", *(f"{100 * share:.0f} %" for share in SHARES)),
        left=frozenset({0, 1}),
        groups=(tuple(needed),),
    )


def worth_remarks(table: WorthTable) -> Iterator[str]:
    """How intervals were made, and where the curves come from."""
    if table.deltas:
        level = max(one.level for one in table.curves)
        how = f"by resampling test sets, and systems where there are fewer than {FEWEST_SETS}"
        yield f"[{100 * level:g} % intervals] {how}"
    yield table.provenance


def _share(one: Worth) -> str:
    return f"{one.short}, beyond all pairs" if one.beyond else one.short


def _needed(curve: WorthCurve, share: float, digits: int) -> ComparisonCell:
    found = curve.needed(share)
    return ComparisonCell("–" if found is None else f"{found:.{max(digits, 1)}g}")
