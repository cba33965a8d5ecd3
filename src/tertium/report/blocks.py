"""Tables that a narrow terminal shows in blocks, one below the other, with nothing cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

_BETWEEN: Final = 3
"""Columns that the box spends between two cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A heading, and the side on which its cells stand."""

    title: str
    justify: JustifyMethod = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Rows with labels on the left and groups of columns that stay together.

    Each block has the labels and as many groups as fit the width. Names that alone are too wide
    go on in the next line.
    """

    labels: tuple[Column, ...]
    groups: tuple[tuple[Column, ...], ...]
    sections: tuple[tuple[tuple[Text, ...], ...], ...]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        for number, columns in enumerate(self._packed(options.max_width)):
            if number > 0:
                yield Text("")
            yield self._table(columns)

    def _packed(self, width: int) -> Iterator[list[int]]:
        """The places of the columns of each block, behind the labels."""
        own = self._widths()
        labels = sum(one + _BETWEEN for one in own[: len(self.labels)]) - _BETWEEN
        block: list[int] = []
        used = labels
        place = len(self.labels)
        for group in self.groups:
            places = range(place, place + len(group))
            needed = sum(own[one] + _BETWEEN for one in places)
            if block and used + needed > width:
                yield block
                block, used = [], labels
            block += places
            used += needed
            place += len(group)
        yield block

    @property
    def _columns(self) -> Sequence[Column]:
        return [*self.labels, *(column for group in self.groups for column in group)]

    def _widths(self) -> list[int]:
        cells = zip(*(row for section in self.sections for row in section), strict=True)
        columns = list(cells) or [()] * len(self._columns)
        return [
            max([Text(column.title).cell_len, *(text.cell_len for text in texts)])
            for column, texts in zip(self._columns, columns, strict=True)
        ]

    def _table(self, places: Sequence[int]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
        for label in self.labels:
            table.add_column(Text(label.title), overflow="fold", justify=label.justify)
        for place in places:
            column = self._columns[place]
            table.add_column(Text(column.title), justify=column.justify, no_wrap=True)
        for section in self.sections:
            for row in section:
                table.add_row(*row[: len(self.labels)], *(row[place] for place in places))
            if len(section) > 1:
                table.add_section()
        return table
