"""Features that come as names and values, line by line, in the end a table."""

from collections.abc import Callable
from typing import Final

import numpy as np

from tertium.decode.formats.numbered_lines import number, shortened
from tertium.decode.structures.arrays import Floats
from tertium.decode.structures.numbering import Numbers
from tertium.plurals import counted

MOST_CELLS: Final = 1 << 27
"""Numbers in a table, 1 GB: beyond that sparse features do not fit a dense table."""


class SparseRows:
    """Collects ``name=value`` of one row after the other."""

    __slots__ = ("_columns", "_names", "_places", "_values", "rows")

    def __init__(self) -> None:
        self._names = Numbers()
        self._places: list[int] = []
        self._columns: list[int] = []
        self._values: list[float] = []
        self.rows = 0

    def add(self, tokens: list[str], separator: str) -> None:
        """One more row; a name that comes again gets a number behind it."""
        seen: dict[str, int] = {}
        for token in tokens:
            name, found, value = token.rpartition(separator)
            if not (name and found):
                raise ValueError(
                    f"found {shortened(token)}, expected a feature as name{separator}value"
                )
            again = seen[name] = seen.get(name, 0) + 1
            self._columns.append(self._names[name, again])
            self._values.append(number(value))
            self._places.append(self.rows)
        self.rows += 1

    def table(self, *, sort: bool = False) -> tuple[tuple[str, ...], Floats]:
        """Names and values; a name that came twice in some row is ``name_1``, ``name_2``, ….

        With ``sort`` names that are all numbers are put in their order.
        """
        pairs: list[tuple[str, int]] = self._names.things()
        if self.rows * len(pairs) > MOST_CELLS:
            raise ValueError(
                f"found {counted(len(pairs), 'feature')} of {self.rows} edges, "
                f"expected at most {MOST_CELLS} numbers"
            )
        repeated = {name for name, again in pairs if again > 1}
        names = [f"{name}_{again}" if name in repeated else name for name, again in pairs]
        if len(set(names)) < len(names):
            raise ValueError("found two features of one name, expected each once")
        values = np.zeros((self.rows, len(names)))
        values[self._places, self._columns] = self._values
        if sort and all(name.isascii() and name.isdigit() for name in names):
            order = sorted(range(len(names)), key=lambda column: int(names[column]))
            return tuple(names[column] for column in order), values[:, order]
        return tuple(names), values


def first_and_others(values: Floats) -> Callable[[int], list[tuple[int, float]]]:
    """What to write of each row: all of the first, so that no name is lost, then what is not 0."""

    def cells(row: int) -> list[tuple[int, float]]:
        numbers = values[row].tolist()
        return [(column, value) for column, value in enumerate(numbers) if value or not row]

    return cells
