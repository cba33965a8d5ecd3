"""Columns of words with probabilities, from and to lattices.

The feature of an arc is the logarithm of its probability, called ``score`` as in PLF, so that the
model's score of a path is the logarithm of the product. A probability of 0 has the logarithm of
the smallest one that is told from it, and comes back as 0.
"""

from collections.abc import Iterator, Sequence
from math import exp, log
from typing import Final, NamedTuple

import numpy as np

from tertium.decode.formats.numbered_lines import number, shortened
from tertium.decode.structures.canonical import Frame
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.decode.structures.lattice_builder import assemble_lattice
from tertium.decode.structures.numbering import Numbers
from tertium.errors import InputError
from tertium.plurals import counted

FEATURE: Final = "score"
_SMALLEST: Final = 1e-99
_ROUNDING: Final = 1e-9


class ConfusionColumn(NamedTuple):
    """The words that compete for a place, with their probabilities, and where they stand."""

    line: int
    words: tuple[str, ...]
    probabilities: tuple[float, ...]


def column_of(parts: Sequence[str], file: str, line: int) -> ConfusionColumn:
    """A column from words and probabilities that take turns."""
    if not parts or len(parts) % 2:
        raise InputError(
            f"{file}: line {line}: found {len(parts)} parts, expected words and probabilities "
            "in turn"
        )
    words, probabilities = parts[::2], []
    for word, text in zip(words, parts[1::2], strict=True):
        try:
            value = number(text)
        except ValueError as error:
            raise InputError(f"{file}: line {line}: word {shortened(word)}: {error}") from None
        if not 0 <= value <= 1 + _ROUNDING:
            raise InputError(
                f"{file}: line {line}: word {shortened(word)}: found {text}, "
                "expected a probability from 0 to 1"
            )
        probabilities.append(value)
    return ConfusionColumn(line, tuple(words), tuple(probabilities))


def network_lattice(
    columns: Sequence[ConfusionColumn], file: str, empty: frozenset[str], *, trim: bool
) -> Lattice:
    """The lattice with a node before each column and one at the end."""
    numbers = Numbers()
    sources, labels, values = [], [], []
    for node, column in enumerate(columns):
        for word, probability in zip(column.words, column.probabilities, strict=True):
            sources.append(node)
            labels.append(EMPTY if word in empty else numbers[word])
            values.append([log(min(1.0, max(probability, _SMALLEST)))])
    first = columns[0].line if columns else 1
    place = file if first == 1 else f"{file}: line {first}"
    starts = np.array(sources, dtype=np.int64)
    return assemble_lattice(
        states=len(columns) + 1,
        sources=starts,
        targets=starts + 1,
        labels=np.array(labels, dtype=np.int64),
        features=np.array(values, dtype=np.float64).reshape(len(values), 1),
        start=0,
        finals={len(columns): np.zeros(1)},
        frame=Frame(
            vocabulary=numbers.things(),
            feature_names=(FEATURE,),
            weights=None,
            name=place,
            place=lambda state: f"{place}: column {state + 1}",
            trim=trim,
        ),
    )


def network_columns(one: Lattice, empty: str) -> Iterator[list[str]]:
    """Words and probabilities of each column, in turn; ``empty`` is the word that is none."""
    parts: list[list[str]] = [[] for _ in range(one.nodes - 1)]
    columns = (one.sources.tolist(), one.words, one.features[:, 0].tolist())
    for source, word, value in zip(*columns, strict=True):
        probability = exp(value)
        # 15 digits: what the logarithm was taken of comes back.
        shown = f"{probability:.15g}" if probability > 2 * _SMALLEST else "0"
        parts[source] += [word or empty, shown]
    yield from parts


def network_losses(one: Lattice) -> list[str]:
    """What a confusion network cannot say: the name of another feature."""
    if one.feature_names == (FEATURE,) or not one.feature_names:
        return []
    return [f"the feature name {one.feature_names[0]}"]


def network_obstacles(one: Lattice, empty: frozenset[str]) -> list[str]:
    """What keeps a lattice from being a confusion network of single probabilities."""
    found = []
    if one.nodes < 2:
        found.append("a lattice without an arc")
    if not np.array_equal(one.targets, one.sources + 1):
        arc = int(np.flatnonzero(one.targets != one.sources + 1)[0])
        found.append(f"an arc from node {one.sources[arc]} to node {one.targets[arc]}")
    if len(one.feature_names) != 1:
        found.append(f"{counted(len(one.feature_names), 'feature')} on an arc")
    elif one.arcs and one.features.max() > _ROUNDING:
        found.append(f"the score {one.features.max():g}, which is no logarithm of a probability")
    found += [
        f"the word {shortened(word)}"
        for word in one.vocabulary
        if word in empty or len(word.split()) != 1
    ]
    return found
