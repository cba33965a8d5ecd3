"""Grids of cells, as tables."""

from dataclasses import dataclass
from typing import NamedTuple

from tertium.tables import Cell, Column, Table


class ComparisonCell(NamedTuple):
    """The text of a cell, and whether it is the best of its kind."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table; the columns in ``left`` are text, and groups of rows are set apart."""

    title: str
    headings: tuple[str, ...]
    left: frozenset[int]
    groups: tuple[tuple[tuple[ComparisonCell, ...], ...], ...]

    @property
    def table(self) -> Table:
        """The same under the one model of tables."""
        labels = next(
            (number for number in range(len(self.headings)) if number not in self.left), 0
        )
        return Table(
            title=self.title,
            columns=tuple(
                Column(title, "left" if number in self.left else "right")
                for number, title in enumerate(self.headings)
            ),
            sections=tuple(
                tuple(
                    tuple(Cell(text, "best" if best else "") for text, best in row) for row in rows
                )
                for rows in self.groups
            ),
            labels=max(labels, 1),
        )
