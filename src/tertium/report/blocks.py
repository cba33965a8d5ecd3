"""Tables that a narrow terminal shows in blocks, one below the other, with nothing cut.

A terminal is shown them by rich. Pipes and files have no width and no colours: for them the same
table is made here, because rich takes longer to import than most files take to score.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

_BETWEEN: Final = 3
"""Columns that the box spends between two cells."""

UNLIMITED: Final = 100_000
"""Wider than any table: a pipe has no edge at which names would have to be cut."""


class Column(NamedTuple):
    """A heading, and the side on which its cells stand."""

    title: str
    justify: Literal["left", "right"] = "right"


class TextCell(NamedTuple):
    """A text, and how a terminal shows it."""

    text: str
    style: str = ""


class Blocks(NamedTuple):
    """Rows with labels on the left and groups of columns that stay together.

    Each block has the labels and as many groups as fit the width. Names that alone are too wide
    go on in the next line.
    """

    labels: tuple[Column, ...]
    groups: tuple[tuple[Column, ...], ...]
    sections: tuple[tuple[tuple[TextCell, ...], ...], ...]

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[RenderableType]":
        for number, columns in enumerate(self._packed(options.max_width)):
            if number > 0:
                yield ""
            yield self._table(columns)

    def plain(self) -> str | None:
        """The table without an edge; ``None`` if it has signs whose look only rich knows."""
        widths = self._widths()
        whole = sum(widths) + _BETWEEN * (len(widths) - 1)
        texts = (cell.text for section in self.sections for row in section for cell in row)
        if whole > UNLIMITED or not _are_plain((*texts, *(one.title for one in self._columns))):
            return None

        def line(cells: Iterable[str]) -> str:
            placed = zip(self._columns, cells, widths, strict=True)
            return (" " * _BETWEEN).join(_placed(*one) for one in placed)

        lines = [line(column.title for column in self._columns), "─" * whole]
        for number, section in enumerate(self.sections, 1):
            lines += [line(cell.text for cell in row) for row in section]
            if len(section) > 1 and number < len(self.sections):
                lines.append("")
        return "\n".join(lines)

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
            max([_width(column.title), *(_width(cell.text) for cell in cells)])
            for column, cells in zip(self._columns, columns, strict=True)
        ]

    def _table(self, places: Sequence[int]) -> "Table":
        from rich.text import Text

        from tertium.report.plain_table import plain_table

        table = plain_table()
        for label in self.labels:
            table.add_column(Text(label.title), overflow="fold", justify=label.justify)
        for place in places:
            column = self._columns[place]
            table.add_column(Text(column.title), justify=column.justify, no_wrap=True)
        for section in self.sections:
            for row in section:
                shown = (*row[: len(self.labels)], *(row[place] for place in places))
                table.add_row(*(Text(cell.text, style=cell.style) for cell in shown))
            if len(section) > 1:
                table.add_section()
        return table


class Notes(NamedTuple):
    """Lines below a table; a terminal may wrap one, but copied from there it is one line."""

    lines: tuple[str, ...]

    def __rich_console__(
        self, console: "Console", options: "ConsoleOptions"
    ) -> "Iterator[RenderableType]":
        from rich.text import Text

        for line in self.lines:
            yield Text(line, style="dim", no_wrap=True, overflow="ignore")

    def plain(self) -> str | None:
        """The lines; ``None`` if they have signs whose look only rich knows."""
        return "\n".join(self.lines) if _are_plain(self.lines) else None


def _are_plain(texts: Iterable[str]) -> bool:
    """Whether every character is seen; of those that take no column, rich drops some."""
    return all(text.isprintable() and (text.isascii() or all(map(_width, text))) for text in texts)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _placed(column: Column, text: str, width: int) -> str:
    if column.justify == "right":
        text = text.rstrip()
        return " " * (width - _width(text)) + text
    return text + " " * (width - _width(text))
