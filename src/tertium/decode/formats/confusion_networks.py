"""Confusion networks: lattices in which every arc leads to the next node.

Two layouts of one idea: the columns that Moses takes as input, and SRILM's meshes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log
from typing import ClassVar, Final, NamedTuple

import numpy as np

from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    number,
    numbered_lines,
    shortened,
    whole_number,
)
from tertium.decode.formats.table import BOUNDARY, EMPTY_WORDS
from tertium.decode.structures.arrays import Frame, Numbers
from tertium.decode.structures.lattice import EMPTY, Lattice, assemble_lattice
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile

# Columns of words with probabilities, from and to lattices.
#
# The feature of an arc is the logarithm of its probability, called ``score`` as in PLF, so that the
# model's score of a path is the logarithm of the product. A probability of 0 has the logarithm of
# the smallest one that is told from it, and comes back as 0.

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
    location = file if first == 1 else f"{file}: line {first}"
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
            name=location,
            place=lambda state: f"{location}: column {state + 1}",
            trim=trim,
        ),
    )


def network_columns(lattice: Lattice, empty: str) -> Iterator[list[str]]:
    """Words and probabilities of each column, in turn; ``empty`` is the word that is none."""
    parts: list[list[str]] = [[] for _ in range(lattice.nodes - 1)]
    columns = (lattice.sources.tolist(), lattice.words, lattice.features[:, 0].tolist())
    for source, word, value in zip(*columns, strict=True):
        probability = exp(value)
        # 15 digits: what the logarithm was taken of comes back.
        shown = f"{probability:.15g}" if probability > 2 * _SMALLEST else "0"
        parts[source] += [word or empty, shown]
    yield from parts


def network_losses(lattice: Lattice) -> list[str]:
    """What a confusion network cannot say: the name of another feature."""
    if lattice.feature_names == (FEATURE,) or not lattice.feature_names:
        return []
    return [f"the feature name {lattice.feature_names[0]}"]


def network_obstacles(lattice: Lattice, empty: frozenset[str]) -> list[str]:
    """What keeps a lattice from being a confusion network of single probabilities."""
    result = []
    if lattice.nodes < 2:
        result.append("a lattice without an arc")
    if not np.array_equal(lattice.targets, lattice.sources + 1):
        arc = int(np.flatnonzero(lattice.targets != lattice.sources + 1)[0])
        result.append(f"an arc from node {lattice.sources[arc]} to node {lattice.targets[arc]}")
    if len(lattice.feature_names) != 1:
        result.append(f"{counted(len(lattice.feature_names), 'feature')} on an arc")
    elif lattice.arcs and lattice.features.max() > _ROUNDING:
        result.append(
            f"the score {lattice.features.max():g}, which is no logarithm of a probability"
        )
    result += [
        f"the word {shortened(word)}"
        for word in lattice.vocabulary
        if word in empty or len(word.split()) != 1
    ]
    return result


# Confusion networks as Moses reads them: a column on each line, an empty line between networks.
#
# ``Haus 0.1 aus 0.4 EPSILON 0.5`` has three words for one place, the last of them none.

_EMPTY_COLUMN_WORD: Final = EMPTY_WORDS | {"EPSILON"}


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
        empty = _EMPTY_COLUMN_WORD | set(self.boundary)
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
        for lattice in lattices:
            for parts in network_columns(lattice, "EPSILON"):
                yield " ".join(parts) + "\n"
            yield "\n"

    def losses(self, lattice: Lattice) -> list[str]:
        """What would be left out."""
        return network_losses(lattice)

    def obstacles(self, lattice: Lattice) -> list[str]:
        """What cannot be written as columns."""
        return network_obstacles(lattice, _EMPTY_COLUMN_WORD | set(self.boundary))


_EMPTY_MESH_WORD: Final = EMPTY_WORDS | {"*DELETE*"}
MESH_LINES: Final = frozenset(
    {"name", "key", "numaligns", "posterior", "align", "reference", "hyps", "info"}
)
"""How the lines of a mesh begin."""


@dataclass(slots=True)
class _Mesh:
    """A mesh while its lines come."""

    line: int
    count: int | None = None
    columns: dict[int, ConfusionColumn] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshText:
    """Networks that begin with ``name`` or ``numaligns``."""

    name: ClassVar[str] = "mesh"
    holds: ClassVar[type] = Lattice
    sign: ClassVar[int] = 1
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def read(self, file: TextFile, damages: Damages) -> Iterator[Lattice]:
        """The networks of a file; one that is damaged is left out as a whole."""
        for mesh in self._meshes(file, damages):
            try:
                yield self._lattice(mesh, file.name)
            except InputError as error:
                damages.add(error)

    def _meshes(self, file: TextFile, damages: Damages) -> Iterator[_Mesh]:
        mesh: _Mesh | None = None
        damaged = False
        for line, text in numbered_lines(file, damages):
            parts = cut(text.strip())
            if not parts or not parts[0]:
                continue
            try:
                if mesh is None or (parts[0] in {"name", "numaligns"} and _begun(mesh, parts[0])):
                    if mesh is not None and not damaged:
                        yield mesh
                    mesh, damaged = _Mesh(line), False
                _add(mesh, parts, file.name, line)
            except InputError as error:
                if not damaged:
                    damages.add(error)
                damaged = True
        if mesh is not None and not damaged:
            yield mesh

    def _lattice(self, mesh: _Mesh, file: str) -> Lattice:
        numbers = range(len(mesh.columns))
        missing = next((number for number in numbers if number not in mesh.columns), None)
        if mesh.count is None or mesh.count != len(mesh.columns) or missing is not None:
            expected = "numaligns" if mesh.count is None else f"align 0 to {mesh.count - 1}"
            raise InputError(
                f"{file}: line {mesh.line}: found {len(mesh.columns)} aligns, expected {expected}"
            )
        columns = [mesh.columns[number] for number in numbers]
        return network_lattice(columns, file, _EMPTY_MESH_WORD | set(self.boundary), trim=self.trim)

    def write(self, lattices: Iterable[Lattice]) -> Iterator[str]:
        """The lines of each network."""
        for lattice in lattices:
            yield f"numaligns {lattice.nodes - 1}\nposterior 1\n"
            for column, parts in enumerate(network_columns(lattice, "*DELETE*")):
                yield f"align {column} {' '.join(parts)}\n"

    def losses(self, lattice: Lattice) -> list[str]:
        """What would be left out."""
        return network_losses(lattice)

    def obstacles(self, lattice: Lattice) -> list[str]:
        """What cannot be written as a mesh."""
        return network_obstacles(lattice, _EMPTY_MESH_WORD | set(self.boundary))


def _begun(mesh: _Mesh, kind: str) -> bool:
    """Whether a line of this kind belongs to another mesh."""
    return bool(mesh.columns) or (kind == "numaligns" and mesh.count is not None)


def _add(mesh: _Mesh, parts: list[str], file: str, line: int) -> None:
    kind, *rest = parts
    if kind not in MESH_LINES:
        raise InputError(
            f"{file}: line {line}: found {shortened(kind)}, expected numaligns, align or another "
            "line of a mesh"
        )
    if kind not in {"numaligns", "align"}:
        return
    try:
        number = whole_number(rest[0] if rest else "")
    except ValueError as error:
        raise InputError(f"{file}: line {line}: {kind}: {error}") from None
    if kind == "numaligns":
        mesh.count = number
    elif number in mesh.columns:
        raise InputError(f"{file}: line {line}: found align {number} twice, expected it once")
    else:
        mesh.columns[number] = column_of(rest[1:], file, line)
