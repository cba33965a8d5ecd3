"""Confusion networks as Moses reads them: a column on each line, an empty line between networks.

``Haus 0.1 aus 0.4 EPSILON 0.5`` has three words for one place, the last of them none.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from tertium.decode.formats.confusion.network import (
    ConfusionColumn,
    column_of,
    network_columns,
    network_lattice,
    network_losses,
    network_obstacles,
)
from tertium.decode.formats.numbered_lines import Damages, cut, numbered_lines
from tertium.decode.formats.special_words import BOUNDARY, EMPTY_WORDS
from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError
from tertium.text.files import TextFile

_EMPTY: Final = EMPTY_WORDS | {"EPSILON"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionText:
    """A network for each block of lines. Words of ``boundary`` become empty words."""

    name: ClassVar[str] = "confusion"
    holds: ClassVar[type] = Lattice
    sign: ClassVar[int] = 1
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def read(self, file: TextFile, damages: Damages) -> Iterator[Lattice]:
        """The networks of a file; one that is damaged is left out as a whole."""
        columns: list[ConfusionColumn] = []
        damaged = False
        empty = _EMPTY | set(self.boundary)
        for line, text in numbered_lines(file, damages):
            if text.strip():
                if damaged:
                    continue
                try:
                    columns.append(column_of(cut(text.strip()), file.name, line))
                except InputError as error:
                    damages.add(error)
                    damaged = True
                continue
            if columns and not damaged:
                yield network_lattice(columns, file.name, empty, trim=self.trim)
            columns, damaged = [], False
        if columns and not damaged:
            yield network_lattice(columns, file.name, empty, trim=self.trim)

    def write(self, lattices: Iterable[Lattice]) -> Iterator[str]:
        """A line for each column, an empty line behind each network."""
        for one in lattices:
            for parts in network_columns(one, "EPSILON"):
                yield " ".join(parts) + "\n"
            yield "\n"

    def losses(self, one: Lattice) -> list[str]:
        """What would be left out."""
        return network_losses(one)

    def obstacles(self, one: Lattice) -> list[str]:
        """What cannot be written as columns."""
        return network_obstacles(one, _EMPTY | set(self.boundary))
