"""OpenFst's text format: an arc on each line, final states alone; empty lines between lattices.

``0 1 the the 1.5`` has a cost, ``0 1 the the 1:0.5 3:-2`` sparse features, all of them costs
(−log probabilities, tropical or log semiring alike): their default weight is −1.
"""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, Final, Literal, TypeAlias

import numpy as np

from tertium.decode.formats.features import SparseRows, first_and_others
from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    is_number,
    is_one,
    lines_or_errors,
    number,
    number_text,
    numbered_lines,
    shortened,
    whole_number,
)
from tertium.decode.formats.table import BOUNDARY, EMPTY_WORDS
from tertium.decode.structures.arrays import Floats, Frame, Numbers
from tertium.decode.structures.lattice import EMPTY, Lattice, assemble_lattice
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile

# OpenFst's binary files: automata of types vector and const, arcs standard, log and log64.
#
# A header (magic number, types, version, flags, properties, start, numbers of states and arcs),
# symbol tables if the flags say so, then the states. All numbers are little-endian.

MAGIC: Final = struct.pack("<i", 2125659606)
_SYMBOLS: Final = 2125658996
_HAS_INPUT, _HAS_OUTPUT, _ALIGNED = 1, 2, 4
_ALIGNMENT: Final = 16
_COSTS: Final = {"standard": "<f4", "log": "<f4", "log64": "<f8"}
"""Types of arcs, and how their costs are written."""
_SIZES: Final = {"const": "<u4", "const8": "u1", "const16": "<u2", "const64": "<u8"}
"""Types of constant automata, and how they count arcs."""

Table: TypeAlias = dict[int, str]


@dataclass(slots=True, kw_only=True)
class _Arcs:
    """States with arcs as columns; ``finals`` have their costs."""

    start: int
    states: int
    finals: dict[int, float] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)
    blocks: list[np.ndarray] = field(default_factory=list)
    input_symbols: Table | None = None
    output_symbols: Table | None = None


def read_binary(
    data: bytes,
    name: str,
    *,
    side: Literal["input", "output"] = "output",
    symbols: Table | None = None,
    boundary: tuple[str, ...] = BOUNDARY,
    trim: bool = False,
) -> Lattice:
    """The lattice of an automaton; words are numbers unless it, or who reads it, has a table."""
    try:
        fst = _ByteReader(data).read()
    except (ValueError, OverflowError) as error:
        raise InputError(f"{name}: {error}") from None
    if not 0 <= fst.start < fst.states:
        raise InputError(
            f"{name}: found start state {fst.start}, expected one of {fst.states} states"
        )
    dtype = np.dtype([("i", "<i4"), ("o", "<i4"), ("cost", "<f8"), ("next", "<i4")])
    arcs = np.concatenate([np.zeros(0, dtype), *(block.astype(dtype) for block in fst.blocks)])
    sources = np.repeat(np.arange(fst.states), fst.counts)
    for state in sources[~np.isfinite(arcs["cost"])][:1]:
        raise InputError(f"{name}: state {state}: found an arc of infinite cost, expected none")
    for state in sources[(arcs["next"] < 0) | (arcs["next"] >= fst.states)][:1]:
        raise InputError(
            f"{name}: state {state}: found an arc beyond the {fst.states} states, expected none"
        )
    own = fst.output_symbols if side == "output" else fst.input_symbols
    numbers, words = _words(
        arcs["o" if side == "output" else "i"], own if symbols is None else symbols, boundary, name
    )
    return assemble_lattice(
        states=fst.states,
        sources=sources,
        targets=arcs["next"].astype(np.int64),
        labels=numbers,
        features=arcs["cost"].reshape(-1, 1),
        start=fst.start,
        finals={state: np.array([cost]) for state, cost in fst.finals.items()},
        frame=Frame(
            vocabulary=words,
            feature_names=("cost",),
            weights=-np.ones(1),
            name=name,
            place=lambda state: f"{name}: state {state}",
            trim=trim,
        ),
    )


def _words(
    labels: np.ndarray, table: Table | None, boundary: tuple[str, ...], name: str
) -> tuple[np.ndarray, list[str]]:
    """Words as numbers in a vocabulary; label 0 is the empty word, whatever it is called."""
    empty = EMPTY_WORDS | set(boundary)
    words = Numbers()
    known = {0: EMPTY}
    for label in np.unique(labels).tolist():
        if label == 0:
            continue
        word = str(label) if table is None else table.get(label)
        if word is None or label < 0:
            raise InputError(f"{name}: found label {label}, expected one of its symbol table")
        known[label] = EMPTY if word in empty else words[word]
    return np.array([known[label] for label in labels.tolist()], dtype=np.int64), words.things()


class _ByteReader:
    """Goes through the bytes once; a ValueError for whatever is not as it should be."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self) -> _Arcs:
        (magic,) = self._numbers("<i")
        if struct.pack("<i", magic) != MAGIC:
            raise ValueError("found another beginning, expected a binary file of OpenFst")
        kind, arc = self._string(), self._string()
        if (kind != "vector" and kind not in _SIZES) or arc not in _COSTS:
            raise ValueError(
                f"found an automaton of type {kind} with {arc} arcs, expected vector or const "
                f"with {', '.join(_COSTS)} (fstconvert --fst_type=vector makes one)"
            )
        version, flags, _, start, states, arcs = self._numbers("<iiQqqq")
        result = _Arcs(start=start, states=states)
        if flags & _HAS_INPUT:
            result.input_symbols = self._table()
        if flags & _HAS_OUTPUT:
            result.output_symbols = self._table()
        cost = _COSTS[arc]
        row = np.dtype([("i", "<i4"), ("o", "<i4"), ("cost", cost), ("next", "<i4")])
        if kind == "vector":
            self._vector(result, row)
        else:
            aligned = bool(flags & _ALIGNED) or version == 1
            self._const(result, row, _SIZES[kind], arcs, aligned=aligned)
        if self.at != len(self.data):
            left = len(self.data) - self.at
            raise ValueError(f"byte {self.at}: found {left} more bytes, expected the end")
        return result

    def _vector(self, arcs: _Arcs, row: np.dtype) -> None:
        """Each state: its final cost, the number of its arcs, the arcs."""
        state = 0
        final = np.dtype([("cost", row["cost"]), ("arcs", "<i8")])
        # Written to a pipe, a file does not say how many states it has.
        while state < arcs.states or (arcs.states < 0 and self.at < len(self.data)):
            head = self._array(final, 1)[0]
            if np.isfinite(head["cost"]):
                arcs.finals[state] = float(head["cost"])
            arcs.counts.append(int(head["arcs"]))
            arcs.blocks.append(self._array(row, int(head["arcs"])))
            state += 1
        arcs.states = state

    def _const(self, fst: _Arcs, row: np.dtype, size: str, arcs: int, *, aligned: bool) -> None:
        """All states, which say where their arcs are, then all arcs."""
        names = ("cost", "begin", "arcs", "input_empty", "output_empty")
        kinds = (row["cost"], size, size, size, size)
        state = np.dtype(list(zip(names, kinds, strict=True)), align=True)
        self._align(aligned=aligned)
        heads = self._array(state, fst.states)
        self._align(aligned=aligned)
        table = self._array(np.dtype(row.descr, align=True), arcs)  # as they were in memory
        taken = 0  # states that share arcs could make billions of a few
        for index, head in enumerate(heads):
            if np.isfinite(head["cost"]):
                fst.finals[index] = float(head["cost"])
            begin, count = int(head["begin"]), int(head["arcs"])
            taken += count
            if begin + count > arcs or taken > arcs:
                raise ValueError(f"state {index}: found arcs beyond the {arcs} there are")
            fst.counts.append(count)
            fst.blocks.append(table[begin : begin + count])

    def _table(self) -> Table:
        (magic,) = self._numbers("<i")
        if magic != _SYMBOLS:
            raise ValueError(f"byte {self.at - 4}: found {magic}, expected a symbol table")
        self._string()
        _, size = self._numbers("<qq")
        table = {}
        for _ in range(size):
            word = self._string()
            (key,) = self._numbers("<q")
            table[key] = word
        return table

    def _string(self) -> str:
        (size,) = self._numbers("<i")
        text = self._bytes(size)
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise ValueError(f"byte {self.at - size}: found no UTF-8, expected text") from None

    def _numbers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout)))

    def _array(self, row: np.dtype, count: int) -> np.ndarray:
        return np.frombuffer(self._bytes(row.itemsize * count), dtype=row)

    def _align(self, *, aligned: bool) -> None:
        if aligned:
            self._bytes(-self.at % _ALIGNMENT)

    def _bytes(self, size: int) -> bytes:
        if not 0 <= size <= len(self.data) - self.at:
            raise ValueError(
                f"byte {self.at}: found {len(self.data) - self.at} more bytes, expected {size}"
            )
        self.at += size
        return self.data[self.at - size : self.at]


Line: TypeAlias = tuple[int, list[str]]
"""The number of a line and its parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFstText:
    """Lattices of the words on one ``side`` of automata; binary files are read, too.

    ``symbols`` is a file of words and their numbers. ``acceptor`` says whether arcs have one
    label; it is told from the lines unless given. Words of ``boundary`` become empty words.
    """

    name: ClassVar[str] = "openfst"
    holds: ClassVar[type] = Lattice
    sign: ClassVar[int] = -1
    symbols: str | None = None
    side: Literal["input", "output"] = "output"
    acceptor: bool | None = None
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False

    def __post_init__(self) -> None:
        if self.side not in {"input", "output"}:
            raise OptionError(f"side: found {self.side!r}, expected input or output")

    def read(self, file: TextFile, damages: Damages) -> Iterator[Lattice]:
        """The lattices of a file."""
        table = None if self.symbols is None else read_symbols(self.symbols)
        if is_binary(file):
            try:
                yield self._binary(file, table)
            except InputError as error:
                damages.add(error)
            return
        for lines in _groups(file):
            if isinstance(lines, InputError):
                damages.add(lines)
                continue
            location = file.name if lines[0][0] == 1 else f"{file.name}: line {lines[0][0]}"
            try:
                yield self._lattice(lines, file.name, location, table)
            except InputError as error:
                damages.add(error)

    def _binary(self, file: TextFile, table: dict[int, str] | None) -> Lattice:
        if self.acceptor is not None:
            raise OptionError("acceptor: found it with a binary file, expected text")
        return read_binary(
            file.read(),
            file.name,
            side=self.side,
            symbols=table,
            boundary=self.boundary,
            trim=self.trim,
        )

    def _lattice(
        self, lines: list[Line], file: str, name: str, table: dict[int, str] | None
    ) -> Lattice:
        arcs = [line for line in lines if _is_arc(line[1])]
        acceptor = _is_acceptor(arcs) if self.acceptor is None else self.acceptor
        first_weight = 3 if acceptor else 4
        side = 2 if acceptor or self.side == "input" else 3
        sources, targets, spoken, finals = [], [], [], []
        weights: list[tuple[int, list[str]]] = []
        first_lines: dict[int, int] = {}
        number_of_line = lines[0][0]
        try:
            for number_of_line, parts in lines:
                source = whole_number(parts[0])
                first_lines.setdefault(source, number_of_line)
                if _is_arc(parts):
                    target = whole_number(parts[1])
                    first_lines.setdefault(target, number_of_line)
                    sources.append(source)
                    targets.append(target)
                    spoken.append((number_of_line, _label(parts, side)))
                    weights.append((number_of_line, parts[first_weight:]))
                elif parts[1:] != ["Infinity"]:  # OpenFst's cost of a state that is not final
                    finals.append((source, number_of_line, parts[1:]))
            weights += [(line, costs) for _, line, costs in finals]
            names, rows = _weights(weights)
            labels, words = self._labels(spoken, table)
        except _AtLine as error:
            raise InputError(f"{file}: line {error.line}: {error}") from None
        except ValueError as error:
            raise InputError(f"{file}: line {number_of_line}: {error}") from None
        # In the order of their numbers, for that is mostly the order of the arcs too.
        states = sorted(first_lines)
        numbers = {state: index for index, state in enumerate(states)}
        ends = {
            numbers[state]: row
            for (state, _, _), row in zip(finals, rows[len(sources) :], strict=True)
        }
        if len(ends) < len(finals):
            raise InputError(f"{name}: found a final state twice, expected each once")
        return assemble_lattice(
            states=len(states),
            sources=np.array([numbers[state] for state in sources], dtype=np.int64),
            targets=np.array([numbers[state] for state in targets], dtype=np.int64),
            labels=labels,
            features=rows[: len(sources)],
            start=numbers[whole_number(lines[0][1][0])],
            finals=ends,
            frame=Frame(
                vocabulary=words,
                feature_names=names,
                weights=-np.ones(len(names)),
                name=name,
                place=lambda index: (
                    f"{file}: line {first_lines[states[index]]}: state {states[index]}"
                    if index < len(states)
                    else f"{name}: the final state"
                ),
                trim=self.trim,
            ),
        )

    def _labels(
        self, spoken: list[tuple[int, str]], table: dict[int, str] | None
    ) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], list[str]]:
        """Words as numbers. Labels that are all numbers have 0 for the empty word."""
        # Number 0 is the empty word, whatever a table calls it.
        empty = EMPTY_WORDS | set(self.boundary) | ({table[0]} if table and 0 in table else set())
        texts = {text: line for line, text in reversed(spoken)}
        if table is None and all(text.isascii() and text.isdigit() for text in texts):
            empty |= {"0"}
        words = Numbers()
        known: dict[str, int] = {}
        for text, line in texts.items():
            word = text
            if table is not None and text.isascii() and text.isdigit() and len(text) < 20:
                if int(text) not in table:
                    raise _AtLine(f"found label {text}, expected one of {self.symbols}", line)
                word = table[int(text)]
            known[text] = EMPTY if word in empty else words[word]
        return np.array([known[text] for _, text in spoken], dtype=np.int64), words.things()

    def write(self, lattices: Iterable[Lattice]) -> Iterator[str]:
        """Arcs, then the final state; an empty line before the next lattice."""
        between = ""
        for lattice in lattices:
            yield between
            between = "\n"
            costs = _cost_texts(lattice)
            ends = _final_arcs(lattice)
            columns = (lattice.sources.tolist(), lattice.targets.tolist(), lattice.words)
            for arc, (source, target, word) in enumerate(zip(*columns, strict=True)):
                if arc not in ends:
                    label = word or "<eps>"
                    labels = [label, label] if lattice.feature_names else [label]
                    yield "\t".join([str(source), str(target), *labels, *costs(arc)]) + "\n"
            for arc in ends:
                cost = [] if not lattice.features[arc].any() else costs(arc)
                yield "\t".join([str(lattice.sources[arc]), *cost]) + "\n"
            if not ends:
                yield f"{lattice.nodes - 1}\n"

    def losses(self, lattice: Lattice) -> list[str]:
        """What would be left out."""
        lost = lattice.feature_names and not lattice.arcs
        return ["the names of features, for no arc has any"] if lost else []

    def obstacles(self, lattice: Lattice) -> list[str]:
        """What is no label or no name."""
        digits = all(word.isascii() and word.isdigit() for word in lattice.vocabulary)
        zero = {"0"} if digits and EMPTY not in lattice.labels else set()
        empty = EMPTY_WORDS | zero | set(self.boundary)
        names = (name for name in lattice.feature_names if not is_one(name))
        words = (word for word in lattice.vocabulary if not is_one(word) or word in empty)
        return [
            *(f"the feature name {shortened(name)}" for name in names),
            *(f"the word {shortened(word)}" for word in words),
        ]


def is_binary(file: TextFile) -> bool:
    """Whether a file begins as OpenFst's binary files do."""
    with closing(file.open()) as stream:
        return bool(stream.read(len(MAGIC)) == MAGIC)


def _cost_texts(lattice: Lattice) -> Callable[[int], list[str]]:
    """How the costs of an arc are written: one number, features by name, or not at all."""
    if lattice.feature_names == ("cost",):
        return lambda arc: [number_text(float(lattice.features[arc, 0]))]
    cells = first_and_others(lattice.features)

    def texts(arc: int) -> list[str]:
        some = (
            f"{lattice.feature_names[column]}:{number_text(value)}" for column, value in cells(arc)
        )
        return [text] if (text := " ".join(some)) else []

    return texts


def _final_arcs(lattice: Lattice) -> list[int]:
    """Arcs to write as final states, which is what they were: reading makes them again.

    They all are without a word, the last of their nodes, and more than a mark at the end.
    """
    arcs = np.flatnonzero(lattice.targets == lattice.nodes - 1)
    sources = lattice.sources[arcs]
    last_of_node = np.append(lattice.sources[1:] != lattice.sources[:-1], values=True)[
        : lattice.arcs
    ]
    if not len(arcs) or (lattice.labels[arcs] != EMPTY).any() or not last_of_node[arcs].all():
        return []
    alone = len(arcs) == 1 and np.count_nonzero(lattice.sources == sources[0]) == 1
    if (alone and not lattice.features[arcs].any()) or (
        len(arcs) == lattice.arcs and len(arcs) > 1
    ):
        return []
    return arcs.tolist()


class _AtLine(ValueError):  # noqa: N818 (a step on the way to an InputError)
    """What is wrong, and on which line."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


def _groups(file: TextFile) -> Iterator[list[Line] | InputError]:
    """The lines of one lattice after the other, or the first that is no text."""
    lines: list[Line] = []
    error: InputError | None = None
    for line_number, text in chain(lines_or_errors(file), [(0, "")]):
        if isinstance(text, InputError):
            error = error or text
        elif parts := cut(text):
            lines.append((line_number, parts))
        elif lines or error:
            yield error or lines
            lines, error = [], None


def _is_arc(parts: Sequence[str]) -> bool:
    """An arc has two states and a label; a final state has one and perhaps costs."""
    return len(parts) > 2 and parts[1].isascii() and parts[1].isdigit()


def _is_acceptor(arcs: list[Line]) -> bool:
    """Whether arcs have one label, not two.

    Four fields are read as OpenFst does, as two labels, unless the fourth is on every line a
    number, somewhere with a decimal point, or a feature.
    """
    if any(len(parts) == 3 for _, parts in arcs):
        return True
    if all(len(parts) == 4 and is_number(parts[3]) for _, parts in arcs):
        return any(not parts[3].isdigit() for _, parts in arcs)
    return all(
        parts[2] != parts[3] and all(_is_sparse(part) for part in parts[3:]) for _, parts in arcs
    )


def _label(parts: Sequence[str], side: int) -> str:
    if len(parts) <= side:
        raise ValueError(f"found {len(parts)} fields, expected at least {side + 1}")
    return parts[side]


def _is_sparse(text: str) -> bool:
    name, _, value = text.rpartition(":")
    return bool(name) and is_number(value)


def _weights(lines: list[tuple[int, list[str]]]) -> tuple[tuple[str, ...], Floats]:
    """The costs of arcs and final states: one number each, or features by name, or none."""
    first = next((parts[0] for _, parts in lines if parts), None)
    if first is None:
        return (), np.zeros((len(lines), 0))
    costs = np.zeros((len(lines), 1))
    sparse = SparseRows() if ":" in first else None
    for row, (line, parts) in enumerate(lines):
        try:
            if sparse is not None:
                sparse.add(parts, ":")
            elif parts:
                costs[row] = number(parts[0])
        except ValueError as error:
            raise _AtLine(str(error), line) from None
        if sparse is None and len(parts) > 1:
            found = shortened(parts[1])
            raise _AtLine(f"found {found} after the cost, expected nothing", line)
    return (("cost",), costs) if sparse is None else sparse.table(sort=True)


def read_symbols(path: str) -> dict[int, str]:
    """A symbol table: a word and its number on each line."""
    table: dict[int, str] = {}
    for line_number, text in numbered_lines(TextFile.find(path), Damages()):
        parts = cut(text)
        if not parts:
            continue
        location = f"{path}: line {line_number}"
        if len(parts) != 2:
            raise InputError(
                f"{location}: found {len(parts)} fields, expected a word and its number"
            )
        try:
            key = whole_number(parts[1])
        except ValueError as error:
            raise InputError(f"{location}: {error}") from None
        if table.setdefault(key, parts[0]) != parts[0]:
            raise InputError(f"{location}: found number {key} again, expected each once")
    return table
