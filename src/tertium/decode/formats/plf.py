"""Python lattice format (Moses, Joshua, cdec): a nested tuple on each line, read without eval.

``((('ein',-0.2,1),('haus',-0.5,2),),(('haus',-0.7,1),),)``: for each node its arcs, for each arc
a word, numbers, and how many nodes it jumps ahead.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tertium.decode.formats.numbered_lines import (
    Damages,
    number,
    number_text,
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

# Possessive quantifiers: however damaged a line is, it is looked at once.
_OPEN: Final = re.compile(r"\s*+\(")
_CLOSE: Final = re.compile(r"\s*+\)")
_COMMA: Final = re.compile(r"\s*+,")
_ARC: Final = re.compile(
    r"""\s*+\(\s*+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)")\s*+,([^()'"]*+)\)"""
)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plf:
    """A lattice on each line. Words of ``boundary`` become empty words.

    An empty line is a lattice with nothing but the empty path. One number on each arc is the
    feature ``score``, several are ``score_1``, ``score_2``, …; their default weight is 1.
    """

    name: ClassVar[str] = "plf"
    holds: ClassVar[type] = Lattice
    sign: ClassVar[int] = 1
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def read(self, file: TextFile, damages: Damages) -> Iterator[Lattice]:
        """The lattices of a file."""
        empty = EMPTY_WORDS | set(self.boundary)
        for line_number, text in numbered_lines(file, damages):
            location = f"{file.name}: line {line_number}"
            try:
                # Nothing to translate is a segment too, and its lattice says nothing.
                yield _lattice(text if text.strip() else "()", location, empty, trim=self.trim)
            except ValueError as error:
                damages.add(InputError(f"{location}: {error}"))
            except InputError as error:
                damages.add(error)

    def write(self, lattices: Iterable[Lattice]) -> Iterator[str]:
        """A line for each lattice."""
        for lattice in lattices:
            nodes: list[list[str]] = [[] for _ in range(lattice.nodes - 1)]
            jumps = (lattice.targets - lattice.sources).tolist()
            columns = (lattice.sources.tolist(), lattice.words, lattice.features.tolist(), jumps)
            for source, word, values, jump in zip(*columns, strict=True):
                numbers = ",".join(map(number_text, values))
                numbers = numbers + "," if numbers else ""
                nodes[source].append(f"('{_escaped(word or '*EPS*')}',{numbers}{jump}),")
            yield "(" + "".join(f"({''.join(arcs)})," for arcs in nodes) + ")\n"

    def losses(self, lattice: Lattice) -> list[str]:
        """What would be left out."""
        names = score_names(len(lattice.feature_names))
        if lattice.feature_names == names and (lattice.arcs or not names):
            return []
        return [f"the feature names {', '.join(lattice.feature_names[:4]) or '(none)'}"]

    def obstacles(self, lattice: Lattice) -> list[str]:
        """What would come back as an empty word."""
        empty = EMPTY_WORDS | set(self.boundary)
        return [
            f"the word {shortened(word)}"
            for word in lattice.vocabulary
            if word in empty or "\n" in word or "\r" in word
        ]


def score_names(count: int) -> tuple[str, ...]:
    """What numbers without names are called.

    >>> score_names(1), score_names(2)
    (('score',), ('score_1', 'score_2'))
    """
    return ("score",) if count == 1 else tuple(f"score_{index}" for index in range(1, count + 1))


def _lattice(text: str, location: str, empty: set[str] | frozenset[str], *, trim: bool) -> Lattice:
    words, sources, targets = Numbers(), [], []
    labels, spoken = [], []
    values: list[list[float]] = []
    position = _expect(_OPEN, text, 0, "'(' of the lattice")
    node = 0
    while not (end := _CLOSE.match(text, position)):
        position = _expect(_OPEN, text, position, f"'(' of node {node}")
        while not (closed := _CLOSE.match(text, position)):
            arc = _ARC.match(text, position)
            if arc is None:
                found = shortened(text[position : position + 30])
                raise ValueError(
                    f"column {position + 1}: node {node}: found {found}, "
                    "expected an arc ('word',number,jump)"
                )
            single, double, numbers = arc.groups()
            word = _unescaped(double if single is None else single)
            row, jump = _numbers(numbers, word, node)
            if values and len(row) != len(values[0]):
                raise ValueError(
                    f"node {node}: arc {shortened(word)}: found {counted(len(row), 'feature')}, "
                    f"expected {len(values[0])} as on the first arc"
                )
            sources.append(node)
            targets.append(node + jump)
            spoken.append(word)
            labels.append(EMPTY if word in empty else words[word])
            values.append(row)
            position = _after_comma(text, arc.end())
        position = _after_comma(text, closed.end())
        node += 1
    if text[end.end() :].strip():
        found = shortened(text[end.end() :].strip())
        raise ValueError(f"column {end.end() + 1}: found {found}, expected the end of the line")
    for source, target, word in zip(sources, targets, spoken, strict=True):
        if target > node:
            raise ValueError(
                f"node {source}: arc {shortened(word)}: found jump {target - source}, "
                f"expected at most {node - source}"
            )
    names = score_names(len(values[0])) if values else ()
    return assemble_lattice(
        states=node + 1,
        sources=np.array(sources, dtype=np.int64),
        targets=np.array(targets, dtype=np.int64),
        labels=np.array(labels, dtype=np.int64),
        features=np.array(values, dtype=np.float64).reshape(len(values), len(names)),
        start=0,
        finals={node: np.zeros(len(names))},
        frame=Frame(
            vocabulary=words.things(),
            feature_names=names,
            weights=None,
            name=location,
            place=lambda state: f"{location}: node {state}",
            trim=trim,
        ),
    )


def _expect(pattern: re.Pattern[str], text: str, position: int, what: str) -> int:
    match = pattern.match(text, position)
    if match is None:
        found = shortened(text[position : position + 30])
        raise ValueError(f"column {position + 1}: found {found}, expected {what}")
    return match.end()


def _after_comma(text: str, position: int) -> int:
    """Behind a comma; the last of a tuple needs none."""
    comma = _COMMA.match(text, position)
    if comma is not None:
        return comma.end()
    if _CLOSE.match(text, position) is None:
        _expect(_COMMA, text, position, "','")
    return position


def _numbers(text: str, word: str, node: int) -> tuple[list[float], int]:
    try:
        *numbers, jump = (part.strip() for part in text.rstrip().removesuffix(",").split(","))
        values, distance = [number(part) for part in numbers], whole_number(jump)
    except ValueError as error:
        raise ValueError(f"node {node}: arc {shortened(word)}: {error}") from None
    if not distance:
        raise ValueError(f"node {node}: arc {shortened(word)}: found jump 0, expected 1 or more")
    return values, distance


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_meaning, text) if "\\" in text else text


def _meaning(match: re.Match[str]) -> str:
    code: str = match[1]
    if len(code) > 1:
        character = chr(int(code[1:], 16))
        if "\ud800" <= character <= "\udfff":
            raise ValueError(f"found {shortened(match[0])}, expected a character")
        return character
    return _ESCAPES.get(code, match[0])


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("'", "\\'")
