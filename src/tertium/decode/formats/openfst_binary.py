"""OpenFst's binary files: automata of types vector and const, arcs standard, log and log64.

A header (magic number, types, version, flags, properties, start, numbers of states and arcs),
symbol tables if the flags say so, then the states. All numbers are little-endian.
"""

import struct
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np

from tertium.decode.formats.table import BOUNDARY, EMPTY_WORDS
from tertium.decode.structures.arrays import Numbers
from tertium.decode.structures.canonical import Frame
from tertium.decode.structures.lattice import EMPTY, Lattice, assemble_lattice
from tertium.errors import InputError

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
        found = _ByteReader(data).read()
    except (ValueError, OverflowError) as error:
        raise InputError(f"{name}: {error}") from None
    if not 0 <= found.start < found.states:
        raise InputError(
            f"{name}: found start state {found.start}, expected one of {found.states} states"
        )
    dtype = np.dtype([("i", "<i4"), ("o", "<i4"), ("cost", "<f8"), ("next", "<i4")])
    arcs = np.concatenate([np.zeros(0, dtype), *(block.astype(dtype) for block in found.blocks)])
    sources = np.repeat(np.arange(found.states), found.counts)
    for state in sources[~np.isfinite(arcs["cost"])][:1]:
        raise InputError(f"{name}: state {state}: found an arc of infinite cost, expected none")
    for state in sources[(arcs["next"] < 0) | (arcs["next"] >= found.states)][:1]:
        raise InputError(
            f"{name}: state {state}: found an arc beyond the {found.states} states, expected none"
        )
    own = found.output_symbols if side == "output" else found.input_symbols
    numbers, words = _words(
        arcs["o" if side == "output" else "i"], own if symbols is None else symbols, boundary, name
    )
    return assemble_lattice(
        states=found.states,
        sources=sources,
        targets=arcs["next"].astype(np.int64),
        labels=numbers,
        features=arcs["cost"].reshape(-1, 1),
        start=found.start,
        finals={state: np.array([cost]) for state, cost in found.finals.items()},
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
        found = _Arcs(start=start, states=states)
        if flags & _HAS_INPUT:
            found.input_symbols = self._table()
        if flags & _HAS_OUTPUT:
            found.output_symbols = self._table()
        cost = _COSTS[arc]
        row = np.dtype([("i", "<i4"), ("o", "<i4"), ("cost", cost), ("next", "<i4")])
        if kind == "vector":
            self._vector(found, row)
        else:
            aligned = bool(flags & _ALIGNED) or version == 1
            self._const(found, row, _SIZES[kind], arcs, aligned=aligned)
        if self.at != len(self.data):
            left = len(self.data) - self.at
            raise ValueError(f"byte {self.at}: found {left} more bytes, expected the end")
        return found

    def _vector(self, found: _Arcs, row: np.dtype) -> None:
        """Each state: its final cost, the number of its arcs, the arcs."""
        state = 0
        final = np.dtype([("cost", row["cost"]), ("arcs", "<i8")])
        # Written to a pipe, a file does not say how many states it has.
        while state < found.states or (found.states < 0 and self.at < len(self.data)):
            head = self._array(final, 1)[0]
            if np.isfinite(head["cost"]):
                found.finals[state] = float(head["cost"])
            found.counts.append(int(head["arcs"]))
            found.blocks.append(self._array(row, int(head["arcs"])))
            state += 1
        found.states = state

    def _const(self, found: _Arcs, row: np.dtype, size: str, arcs: int, *, aligned: bool) -> None:
        """All states, which say where their arcs are, then all arcs."""
        names = ("cost", "begin", "arcs", "input_empty", "output_empty")
        kinds = (row["cost"], size, size, size, size)
        state = np.dtype(list(zip(names, kinds, strict=True)), align=True)
        self._align(aligned=aligned)
        heads = self._array(state, found.states)
        self._align(aligned=aligned)
        table = self._array(np.dtype(row.descr, align=True), arcs)  # as they were in memory
        taken = 0  # states that share arcs could make billions of a few
        for number, head in enumerate(heads):
            if np.isfinite(head["cost"]):
                found.finals[number] = float(head["cost"])
            begin, count = int(head["begin"]), int(head["arcs"])
            taken += count
            if begin + count > arcs or taken > arcs:
                raise ValueError(f"state {number}: found arcs beyond the {arcs} there are")
            found.counts.append(count)
            found.blocks.append(table[begin : begin + count])

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
