"""Travatar's forests: a JSON object on each line, the goal is node 0.

``{"nodes": […], "edges": [{"head": 0, "tails": [1], "trg": [{"words": ["a", -1]}],
"features": {"lm": -2}}], "words": […]}``: on the target side a string is a word, −1 the first
tail, −2 the second. ``<unk>`` stands for the source words its head covers, or for the tails as
they come.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.decode.formats.numbered_lines import (
    Damages,
    as_list,
    as_object,
    number,
    numbered_lines,
    parsed_object,
    shortened,
)
from tertium.decode.formats.table import BOUNDARY
from tertium.decode.structures.arrays import Frame, Numbers, feature_table
from tertium.decode.structures.forest import Forest, assemble_forest
from tertium.errors import InputError
from tertium.text.files import TextFile

UNKNOWN = "<unk>"


@dataclass(frozen=True, slots=True, kw_only=True)
class TravatarJson:
    """A forest on each line. Words of ``boundary`` are left out; weights are 1."""

    name: ClassVar[str] = "travatar-json"
    holds: ClassVar[type] = Forest
    sign: ClassVar[int] = 1
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def read(self, file: TextFile, damages: Damages) -> Iterator[Forest]:
        """The forests of a file."""
        for line_number, text in numbered_lines(file, damages):
            if not text.strip():
                continue
            location = f"{file.name}: line {line_number}"
            try:
                yield self._forest(text, location)
            except ValueError as error:
                damages.add(InputError(f"{location}: {error}"))
            except InputError as error:
                damages.add(error)

    def _forest(self, text: str, location: str) -> Forest:
        graph = parsed_object(text)
        nodes = _rows(graph, "nodes")
        top = len(nodes) - 1  # numbers go down from the goal, ours go up to it
        source = _rows(graph, "words") if "words" in graph else []
        words = Numbers()
        heads, tails, symbols, features = [], [], [], []
        for place_of_edge, edge in enumerate(_rows(graph, "edges")):
            try:
                head = _node(_value(edge, "head"), len(nodes))
                below = [_node(row, len(nodes)) for row in _rows(edge, "tails", optional=True)]
                spoken = _target(edge, nodes[head], source, len(below))
                features.append(_features(edge))
            except ValueError as error:
                raise ValueError(f"edge {place_of_edge}: {error}") from None
            heads.append(top - head)
            tails.append([top - node for node in below])
            symbols.append(
                [
                    phrase if isinstance(phrase, int) else words[phrase]
                    for phrase in spoken
                    if phrase not in self.boundary
                ]
            )
        if not heads:
            raise ValueError("found no edges, expected one at least")
        names, values = feature_table(features, None)
        return assemble_forest(
            nodes=len(nodes),
            heads=heads,
            tails=tails,
            symbols=symbols,
            features=values,
            goal=top,
            frame=Frame(
                vocabulary=words.things(),
                feature_names=names,
                weights=None,
                name=location,
                place=lambda node: f"{location}: node {top - node}",
                trim=self.trim,
            ),
        )

    def write(self, forests: Iterable[Forest]) -> Iterator[str]:
        """A line for each forest; nodes are numbered from the goal down."""
        for forest in forests:
            top = forest.nodes - 1
            edges = []
            for edge, head in enumerate(forest.heads.tolist()):
                spoken = [
                    symbol if symbol < 0 else forest.vocabulary[symbol]
                    for symbol in forest.edge_symbols(edge)
                ]
                row = forest.features[edge].tolist()
                edges.append(
                    {
                        "id": edge,
                        "head": top - head,
                        "tails": [top - tail for tail in forest.edge_tails(edge)],
                        "trg": [{"words": spoken}],
                        "features": dict(zip(forest.feature_names, row, strict=True)),
                    }
                )
            nodes = [{"id": node, "sym": "X", "span": [0, 0]} for node in range(forest.nodes)]
            graph = {"nodes": nodes, "edges": edges, "words": []}
            yield json.dumps(graph, ensure_ascii=False, allow_nan=False) + "\n"

    def losses(self, forest: Forest) -> list[str]:
        """What would be left out: nothing."""
        return []

    def obstacles(self, forest: Forest) -> list[str]:
        """Words that mean something else to Travatar."""
        return [
            f"the word {shortened(word)}"
            for word in forest.vocabulary
            if word == UNKNOWN or word in self.boundary
        ]


def _value(thing: Any, name: str) -> Any:
    if isinstance(thing, dict) and name in thing:
        return thing[name]
    raise ValueError(f"found no {name!r}, expected an object that has it")


def _rows(thing: Any, name: str, *, optional: bool = False) -> list[Any]:
    if optional and isinstance(thing, dict) and name not in thing:
        return []
    return as_list(_value(thing, name), name)


def _node(value: Any, nodes: int) -> int:
    if type(value) is int and 0 <= value < nodes:
        return value
    raise ValueError(f"found node {shortened(str(value))}, expected one of {nodes} nodes")


def _features(edge: Any) -> dict[str, float]:
    values = as_object(edge.get("features", {}), "features")
    return {name: number(str(value)) for name, value in values.items()}


def _target(edge: Any, head: Any, source: list[Any], tails: int) -> list[str | int]:
    """The target side: words, and −1 − k for the k-th tail, each of them once."""
    sides = _rows(edge, "trg", optional=True)
    spoken: list[str | int] = []
    for symbol in _rows(sides[0], "words") if sides else []:
        if symbol == UNKNOWN and tails:
            spoken += range(-1, -1 - tails, -1)
        elif symbol == UNKNOWN:
            spoken += _covered(head, source)
        elif type(symbol) is int and symbol < 0:
            spoken.append(symbol)
        elif isinstance(symbol, str | int) and not isinstance(symbol, bool):
            spoken.append(str(symbol))  # a word of digits loses its quotes on the way
        else:
            raise ValueError(f"trg: found {shortened(str(symbol))}, expected words and tails")
    symbols = sorted(-1 - symbol for symbol in spoken if isinstance(symbol, int))
    if symbols != list(range(tails)):
        raise ValueError(f"trg: found tails {symbols}, expected each of {tails} exactly once")
    return spoken


def _covered(head: Any, source: list[Any]) -> list[str]:
    begin, end = [*_rows(head, "span"), None, None][:2]
    if type(begin) is int and type(end) is int and 0 <= begin <= end <= len(source):
        return [str(word) for word in source[begin:end]]
    raise ValueError(f"span: found {begin} to {end}, expected a part of {len(source)} source words")
