"""The text hypergraphs of Moses, Joshua and cdec: nodes bottom-up, the goal last.

A heading ``# target ||| features ||| source-covered`` (Joshua leaves out the last), the numbers
of nodes and hyperedges, then for each node its number of hyperedges and the hyperedges, as
``[0] the ||| LM0=-3.3 ||| 1``. Other lines that begin with # are remarks.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

from tertium.decode.formats.features import SparseRows, first_and_others
from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    is_one,
    lines_or_errors,
    number_text,
    shortened,
    whole_number,
)
from tertium.decode.formats.table import BOUNDARY
from tertium.decode.structures.arrays import Frame, Numbers
from tertium.decode.structures.forest import Forest, assemble_forest
from tertium.errors import InputError
from tertium.text.files import TextFile

Line: TypeAlias = tuple[int, str]

HEADING: Final = "# target ||| features"
_TAIL: Final = re.compile(r"\[(\d{1,18})\]", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class HypergraphText:
    """A forest after each heading. Words of ``boundary`` are left out; weights are 1."""

    name: ClassVar[str] = "hypergraph"
    holds: ClassVar[type] = Forest
    sign: ClassVar[int] = 1
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def read(self, file: TextFile, damages: Damages) -> Iterator[Forest]:
        """The forests of a file."""
        for lines in _groups(file):
            try:
                if isinstance(lines, InputError):
                    raise lines
                yield _ForestReader(lines, file.name, self.boundary).forest(trim=self.trim)
            except InputError as error:
                damages.add(error)

    def write(self, forests: Iterable[Forest]) -> Iterator[str]:
        """A heading, the numbers, the nodes."""
        for forest in forests:
            yield f"{HEADING} ||| source-covered\n{forest.nodes} {forest.edges}\n"
            cells = first_and_others(forest.features)
            edges = forest.hypergraph().edges
            for node, into in enumerate(edges):
                yield f"# node {node}\n{len(into)}\n"
                for edge in into:
                    texts = (
                        f"{forest.feature_names[column]}={number_text(value)}"
                        for column, value in cells(edge)
                    )
                    # What a hyperedge covers of the source is not kept.
                    yield f"{forest.edge_text(edge)} ||| {' '.join(texts)} ||| 0\n"

    def losses(self, forest: Forest) -> list[str]:
        """What would be left out: nothing."""
        return []

    def obstacles(self, forest: Forest) -> list[str]:
        """What is no symbol or no name."""
        names = (name for name in forest.feature_names if not is_one(name) or "|||" in name)
        words = (
            word
            for word in forest.vocabulary
            if not is_one(word) or "|||" in word or word in self.boundary or _TAIL.fullmatch(word)
        )
        return [
            *(f"the feature name {shortened(name)}" for name in names),
            *(f"the word {shortened(word)}" for word in words),
        ]


def _groups(file: TextFile) -> Iterator[list[Line] | InputError]:
    """The lines of one forest after the other, or the first that is no text.

    Empty lines are there only where they are a hyperedge.
    """
    lines: list[Line] = []
    error: InputError | None = None
    for number, text in lines_or_errors(file):
        if isinstance(text, InputError):
            error = error or text
            continue
        if text.startswith(HEADING) and (lines or error):
            yield error or lines
            lines, error = [], None
        if lines or text.strip():
            lines.append((number, text))
    if lines or error:
        yield error or lines


class _ForestReader:
    """Reads the lines of one forest; knows which line it is at."""

    def __init__(self, lines: list[Line], file: str, boundary: tuple[str, ...]) -> None:
        self.lines = iter(lines)
        self.at = lines[0][0]
        self.file = file
        self.name = file if self.at == 1 else f"{file}: line {self.at}"
        self.boundary = boundary
        self.words = Numbers()
        self.features = SparseRows()
        self.heads: list[int] = []
        self.tails: list[list[int]] = []
        self.symbols: list[list[int]] = []
        self.node_lines: list[int] = []

    def forest(self, *, trim: bool) -> Forest:
        try:
            self._read()
            names, values = self.features.table()
        except ValueError as error:
            raise InputError(f"{self.file}: line {self.at}: {error}") from None
        return assemble_forest(
            nodes=len(self.node_lines),
            heads=self.heads,
            tails=self.tails,
            symbols=self.symbols,
            features=values,
            goal=len(self.node_lines) - 1,
            frame=Frame(
                vocabulary=self.words.things(),
                feature_names=names,
                weights=None,
                name=self.name,
                place=lambda node: f"{self.file}: line {self.node_lines[node]}: node {node}",
                trim=trim,
            ),
        )

    def _read(self) -> None:
        nodes, edges = self._counts(2, "the numbers of nodes and hyperedges")
        if not nodes:
            raise ValueError("found 0 nodes, expected at least the goal")
        for node in range(nodes):
            (count,) = self._counts(1, f"node {node}: its number of hyperedges")
            self.node_lines.append(self.at)
            for _ in range(count):
                self._edge(node, nodes)
        if len(self.heads) != edges:
            raise ValueError(f"found {len(self.heads)} hyperedges, expected {edges}")
        for line, text in self.lines:
            self.at = line
            if text.strip() and not text.startswith("#"):
                raise ValueError(f"found {shortened(text)}, expected nothing after the goal")

    def _counts(self, size: int, what: str) -> list[int]:
        for line, text in self.lines:
            self.at = line
            if not text.strip() or text.startswith("#"):
                continue
            parts = cut(text)
            if len(parts) != size:
                raise ValueError(f"found {shortened(text)}, expected {what}")
            return [whole_number(part) for part in parts]
        raise ValueError(f"found the end, expected {what}")

    def _edge(self, node: int, nodes: int) -> None:
        self.at, text = next(self.lines, (self.at, ""))
        fields = text.split("|||")
        if len(fields) < 2:
            raise ValueError(
                f"node {node}: found {shortened(text)}, expected a hyperedge: target ||| features"
            )
        tails: list[int] = []
        symbols: list[int] = []
        for part in cut(fields[0]):
            tail = _TAIL.fullmatch(part)
            if tail is None:
                if part not in self.boundary:
                    symbols.append(self.words[part])
                continue
            if int(tail[1]) >= nodes:
                raise ValueError(f"node {node}: found tail {part}, expected one of {nodes} nodes")
            symbols.append(-1 - len(tails))
            tails.append(int(tail[1]))
        self.heads.append(node)
        self.tails.append(tails)
        self.symbols.append(symbols)
        self.features.add(cut(fields[1]), "=")
