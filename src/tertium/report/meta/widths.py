"""Grids that are wider than a screen, cut into several that fit; names and numbers stay whole."""

from collections.abc import Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Final

from tertium.report.meta.cells import Grid

GAP: Final = 3
"""Characters between two columns."""
HEADING: Final = 12
"""Headings longer than this, and than the cells below, are broken between words."""


def fitting(grid: Grid, width: int | None) -> Iterator[Grid]:
    """The grid, or several with as many columns each as fit; text columns are in all of them.

    Where even one column of numbers is too wide beside the text, it is alone, and the terminal
    has to scroll or wrap.
    """
    if width is None or _width(_widths(grid)) <= width:
        yield grid
        return
    grid = replace(
        grid,
        headings=tuple(
            "\n".join(wrap(heading, max(HEADING, _cells(grid, i)), break_long_words=False))
            for i, heading in enumerate(grid.headings)
        ),
    )
    widths = _widths(grid)
    kept = [i for i in range(len(widths)) if i in grid.left] or [0]
    room = width - _width([widths[i] for i in kept])
    blocks: list[list[int]] = []
    used = room + 1
    for i in (i for i in range(len(widths)) if i not in kept):
        if used + GAP + widths[i] > room:
            blocks.append([])
            used = 0
        blocks[-1].append(i)
        used += GAP + widths[i]
    for number, block in enumerate(blocks or [[]]):
        columns = [*kept, *block]
        yield replace(
            grid,
            title=f"{grid.title} (continued)" if number else grid.title,
            headings=tuple(grid.headings[i] for i in columns),
            left=frozenset(columns.index(i) for i in grid.left),
            groups=tuple(
                tuple(tuple(row[i] for i in columns) for row in group) for group in grid.groups
            ),
        )


def _cells(grid: Grid, column: int) -> int:
    return max((len(row[column].text) for group in grid.groups for row in group), default=0)


def _widths(grid: Grid) -> list[int]:
    return [
        max(_cells(grid, i), *map(len, heading.split("\n")))
        for i, heading in enumerate(grid.headings)
    ]


def _width(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)
