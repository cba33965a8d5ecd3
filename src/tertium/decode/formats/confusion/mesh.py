"""Confusion networks as SRILM writes them (``lattice-tool -write-mesh``).

``numaligns 2`` is followed by ``align 0 the 0.9 *DELETE* 0.1`` and ``align 1 …``. Lines of other
kinds (``name``, ``posterior``, ``reference``, ``hyps``, ``info``, ``key``) are about the words and
not read.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from tertium.decode.formats.confusion.network import (
    ConfusionColumn,
    column_of,
    network_columns,
    network_lattice,
    network_losses,
    network_obstacles,
)
from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    numbered_lines,
    shortened,
    whole_number,
)
from tertium.decode.formats.special_words import BOUNDARY, EMPTY_WORDS
from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError
from tertium.text.files import TextFile

_EMPTY: Final = EMPTY_WORDS | {"*DELETE*"}
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
        for found in self._meshes(file, damages):
            try:
                yield self._lattice(found, file.name)
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
        return network_lattice(columns, file, _EMPTY | set(self.boundary), trim=self.trim)

    def write(self, lattices: Iterable[Lattice]) -> Iterator[str]:
        """The lines of each network."""
        for one in lattices:
            yield f"numaligns {one.nodes - 1}\nposterior 1\n"
            for number, parts in enumerate(network_columns(one, "*DELETE*")):
                yield f"align {number} {' '.join(parts)}\n"

    def losses(self, one: Lattice) -> list[str]:
        """What would be left out."""
        return network_losses(one)

    def obstacles(self, one: Lattice) -> list[str]:
        """What cannot be written as a mesh."""
        return network_obstacles(one, _EMPTY | set(self.boundary))


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
