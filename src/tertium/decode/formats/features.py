"""The feature field of n-best lists, in all the ways decoders write it.

New Moses ``LM0= -37.2 WordPenalty0= -16``, old Moses ``d: 0 -7.6 lm: -41``, Joshua and Travatar
``lm_0=-27.1``, Z-MERT ``-126.8 -5.8`` without any names.

A label with several values gives ``d_1``, ``d_2``, …; values without a label are called ``1``,
``2``, …. Dense features must be the same in all lines of a file. Sparse ones, those written
``name=value``, and those whose label has an underscore and one value (which is how Moses tells
them), are 0 where they are missing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

import numpy as np

from tertium.decode.formats.numbered_lines import cut, number, number_text, shortened
from tertium.decode.structures.arrays import Floats, Numbers
from tertium.plurals import counted

# Features that come as names and values, line by line, in the end a table.

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


Layout: TypeAlias = Mapping[str, int]
"""The dense labels and how many values each has; the label of nameless values is empty."""


class FeatureReader:
    """Reads the feature fields of a file; the first line says which features are dense."""

    __slots__ = ("_layout", "_shape", "_template")

    def __init__(self) -> None:
        self._layout: Layout | None = None
        # Lines mostly repeat the labels of the line before: then only numbers need a look.
        self._shape: tuple[tuple[int, str], ...] | None = None
        self._template: list[tuple[int, str]] = []

    def read(self, field: str) -> dict[str, float]:
        """Features by name; a ValueError for what is no number or is not as in the first line."""
        tokens = cut(field)
        if (
            self._shape is not None
            and len(tokens) == len(self._shape) + len(self._template)
            and all(tokens[index] == label for index, label in self._shape)
        ):
            return {name: number(tokens[index]) for index, name in self._template}
        return self._read_slowly(tokens)

    def _read_slowly(self, tokens: list[str]) -> dict[str, float]:
        places, joined, shape = _parsed(tokens)
        layout = {
            label: len(some) for label, some in places.items() if "_" not in label or len(some) != 1
        }
        if self._layout is not None and layout != self._layout:
            found, expected = _described(layout), _described(self._layout)
            raise ValueError(f"found features {found}, expected {expected} as in the first line")
        template = [
            (place, name)
            for label, some in places.items()
            for place, name in zip(some, _names(label, len(some)), strict=True)
        ]
        features = {name: number(tokens[index]) for index, name in template}
        if len(features) < len(template) or joined.keys() & features.keys():
            twice = next(iter(joined.keys() & features.keys()), "of one name")
            raise ValueError(f"found two features {twice}, expected each once")
        self._layout = layout
        if not joined:
            self._shape, self._template = shape, template
        return features | joined


def _parsed(
    tokens: list[str],
) -> tuple[dict[str, list[int]], dict[str, float], tuple[tuple[int, str], ...]]:
    """Places of the values of each label; values joined to names; places of the labels."""
    places: dict[str, list[int]] = {}
    joined: dict[str, float] = {}
    shape = []
    label = ""
    for index, token in enumerate(tokens):
        if token[-1] in "=:" and len(token) > 1:
            label = token[:-1]
            places.setdefault(label, [])
            shape.append((index, token))
        elif "=" in token:
            name, _, value = token.rpartition("=")
            if name in joined or not name:
                raise ValueError(f"found {shortened(token)}, expected each feature once")
            joined[name] = number(value)
        else:
            places.setdefault(label, []).append(index)
    return places, joined, tuple(shape)


def _names(label: str, count: int) -> list[str]:
    if not label:
        return [str(index) for index in range(1, count + 1)]
    return [label] if count == 1 else [f"{label}_{index}" for index in range(1, count + 1)]


def _described(layout: Layout) -> str:
    words = (f"{label or 'without names'} ({count})" for label, count in list(layout.items())[:8])
    return ", ".join(words) or "none"


def feature_columns(rows: Sequence[Mapping[str, float]]) -> tuple[str, ...]:
    """The names of all features of a list, in the order in which they come up."""
    first = rows[0].keys() if rows else ()
    if all(row.keys() == first for row in rows):
        return tuple(first)
    return tuple(dict.fromkeys(name for row in rows for name in row))


def feature_text(names: Sequence[str], values: Iterable[float], *, joined: bool = False) -> str:
    """Features as Moses writes them, or ``joined`` as Travatar does.

    >>> feature_text(("lm", "tm_1", "tm_2"), (-1.5, 0.0, 2.0))
    'lm= -1.5 tm= 0 2'
    """
    texts = [number_text(value) for value in values]
    if joined:
        return " ".join(f"{name}={text}" for name, text in zip(names, texts, strict=True))
    if list(names) == _names("", len(names)):
        return " ".join(texts)
    parts = []
    for labels, group in groupby(zip(_labels(names), texts, strict=True), key=lambda pair: pair[0]):
        parts.append(" ".join([f"{labels[0]}=", *(text for _, text in group)]))
    return " ".join(parts)


def _labels(names: Sequence[str]) -> list[tuple[str, int]]:
    """The label to write each feature under: ``tm`` for a whole run ``tm_1``, ``tm_2``, …."""
    labels: list[tuple[str, int]] = []
    index = 0
    while index < len(names):
        base, _, suffix = names[index].rpartition("_")
        run = 0
        if suffix == "1" and base and "_" not in base:
            while index + run < len(names) and names[index + run] == f"{base}_{run + 1}":
                run += 1
        if run > 1 and base not in names:
            labels += [(base, index)] * run
            index += run
        else:
            labels.append((names[index], index))
            index += 1
    return labels


def unwritable(names: Sequence[str]) -> list[str]:
    """Names that would not come back from a feature field as they are."""
    nameless = list(names) == _names("", len(names))
    return [
        name
        for name in names
        if cut(name) != [name]
        or "|||" in name
        or name[-1] in "=:"
        or "=" in name
        or (not nameless and not name)
    ]
