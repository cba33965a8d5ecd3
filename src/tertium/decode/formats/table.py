"""The formats by name, with the options that each of them has."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias

from tertium.decode.formats.kinds import FORMATS, KINDS
from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import OptionError
from tertium.text.files import TextFile

# Formats that other programs write and nobody needs to be written.


class OnlyRead:
    """The half of a format of n-best lists that says no."""

    __slots__ = ()
    name: ClassVar[str]
    holds: ClassVar[type] = NBest
    sign: ClassVar[int] = 1

    def write(self, _: Iterable[NBest]) -> Iterator[str]:
        """An error: the format is for reading."""
        raise OptionError(f"format {self.name}: found it for output, expected another (samples)")

    def losses(self, _: NBest) -> list[str]:
        """What would be left out: nothing, for nothing is written."""
        return []

    def obstacles(self, _: NBest) -> list[str]:
        """What cannot be written: the format says so itself."""
        return []


# Words that are none: the names of the empty word and of a sentence's boundaries.

BOUNDARY: Final = ("<s>", "</s>")
"""What readers leave out, for references have neither."""

EMPTY_WORDS: Final = frozenset({"", "*EPS*", "<eps>"})
"""What PLF and OpenFst write for the empty word; ``ε`` may well be a word."""


Structure: TypeAlias = NBest | Lattice | Forest


class Format(Protocol):
    """Reads and writes one kind of structure, one at a time."""

    @property
    def name(self) -> str:
        """What the format is called."""

    @property
    def holds(self) -> type:
        """NBest, Lattice or Forest."""

    @property
    def sign(self) -> int:
        """The default weight of its features: −1 where they are costs."""

    def read(self, file: TextFile, damages: Damages) -> Iterator[Any]:
        """The structures of a file."""

    def write(self, structures: Iterable[Any], /) -> Iterator[str]:
        """The text of structures, in pieces."""

    def losses(self, structure: Any, /) -> list[str]:
        """What of a structure would be left out; nothing if the format can say all."""

    def obstacles(self, structure: Any, /) -> list[str]:
        """What of a structure cannot be written at all, as a word with a blank in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """What formats can be told; each takes its own.

    ``fields`` name the fields of n-best lines (moses, marian, travatar); ``size`` and
    ``logprobs`` are the lines a segment and the file of log-probabilities (flat); ``symbols``,
    ``side`` and ``acceptor`` belong to openfst. ``boundary`` are words to leave out, ``trim``
    leaves out what is on no path (lattices and forests).
    """

    fields: tuple[str, ...] | None = None
    size: int | None = None
    logprobs: str | None = None
    symbols: str | None = None
    side: Literal["input", "output"] = "output"
    acceptor: bool | None = None
    boundary: tuple[str, ...] = BOUNDARY
    trim: bool = False


_OPTIONS: Final = frozenset(field.name for field in fields(FormatOptions))


def options_of(name: str) -> frozenset[str]:
    """The options that a format has: the fields of its class that can be told."""
    return _OPTIONS.intersection(field.name for field in fields(KINDS[name]))


def format_named(name: str, options: FormatOptions | None = None) -> Format:
    """The format of that name; options that it does not have are an error."""
    kind, known = KINDS[name], options_of(name)
    chosen = options or FormatOptions()
    given = {
        field.name: getattr(chosen, field.name)
        for field in fields(chosen)
        if getattr(chosen, field.name) != field.default
    }
    for option in given.keys() - known:
        fitting = ", ".join(other for other in FORMATS if option in options_of(other))
        raise OptionError(f"{option}: found it with format {name}, expected it with {fitting}")
    if name == "marian" and "fields" in given:
        given["by_shape"] = False
    made: Format = kind(**given)
    return made
