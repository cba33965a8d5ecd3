"""What is in a file of n-best lists, lattices or forests: numbers to look at before the work."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10
from os import PathLike

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.segments import found_format, structures
from tertium.decode.formats.table import FormatOptions, Structure
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.plain import Plain
from tertium.text.files import TextFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """One number of each segment: the sum of all, the least, the (lower) median, the most."""

    total: int
    least: int
    median: int
    most: int

    @classmethod
    def of(cls, values: list[int]) -> "Spread":
        """The spread of some numbers, at least one; counts of paths fit into no float."""
        in_order = sorted(values)
        middle = in_order[(len(values) - 1) // 2]
        return cls(total=sum(values), least=in_order[0], median=middle, most=in_order[-1])

    def to_dict(self) -> dict[str, float | None]:
        """Numbers that JSON can hold; the logarithm of the sum where it gets large."""
        numbers = {
            "total": _json_number(self.total),
            "least": _json_number(self.least),
            "median": _json_number(self.median),
            "most": _json_number(self.most),
        }
        return numbers | ({} if self.total < 2**53 else {"log10_total": log10(self.total)})


def _json_number(value: int) -> float | None:
    """The count itself while programs can hold it, then nearly, then not at all."""
    if value < 2**53:
        return value
    return float(value) if value < 10**308 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection(Plain):
    """What one file has. ``counts`` are of each segment: nodes, arcs, paths, words, …."""

    PLAIN = "file format kind segments counts vocabulary features damaged damages"

    file: str
    format: str
    kind: str
    segments: int
    counts: dict[str, Spread]
    vocabulary: int
    features: tuple[str, ...]
    damages: tuple[str, ...]

    @property
    def damaged(self) -> int:
        """How much was left out."""
        return len(self.damages)

    @property
    def first_damage(self) -> str:
        """The first error that was not raised; empty if there was none."""
        return self.damages[0] if self.damages else ""


def inspect(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    skip_bad: bool = False,
) -> Inspection:
    """Read a file and count; one structure is in memory at a time."""
    file = path if isinstance(path, TextFile) else TextFile.find(path)
    file_format = found_format(file, format, options)
    damages = Damages(skip=skip_bad)
    counts: dict[str, list[int]] = {}
    features: dict[str, None] = {}
    words: set[str] = set()
    segments = 0
    for structure in structures(file_format, file, damages):
        segments += 1
        features.update(dict.fromkeys(structure.feature_names))
        words.update(_words(structure))
        for name, value in _counts(structure):
            counts.setdefault(name, []).append(value)
    if not segments:
        reason = (
            f" (the first of {damages.count} damaged: {damages.first})" if damages.count else ""
        )
        raise InputError(f"{file.name}: 0 segments, expected at least one{reason}")
    return Inspection(
        file=file.name,
        format=file_format.name,
        kind={NBest: "n-best", Lattice: "lattice", Forest: "forest"}[file_format.holds],
        segments=segments,
        counts={name: Spread.of(values) for name, values in counts.items()},
        vocabulary=len(words),
        features=tuple(features),
        damages=tuple(damages.messages),
    )


def _words(structure: Structure) -> Iterator[str]:
    if isinstance(structure, NBest):
        for hypothesis in structure.hypotheses:
            yield from hypothesis.split()
    else:
        yield from structure.vocabulary


def _counts(structure: Structure) -> Iterator[tuple[str, int]]:
    if isinstance(structure, NBest):
        yield "hypotheses", len(structure)
        yield "distinct", len(set(structure.hypotheses))
        yield "words", sum(len(hypothesis.split()) for hypothesis in structure.hypotheses)
        return
    yield "nodes", structure.nodes
    if isinstance(structure, Lattice):
        yield "arcs", structure.arcs
        yield "empty arcs", int((structure.labels == EMPTY).sum())
        yield "paths", structure.count_paths()
    else:
        yield "hyperedges", structure.edges
        yield "arity", structure.arity
        yield "derivations", structure.count_derivations()
    yield "words", len(structure.vocabulary)
