"""The formats by name, with the options that each of them has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, Protocol, TypeAlias

from tertium.decode.forest import Forest
from tertium.decode.formats.choices import Choices
from tertium.decode.formats.fairseq import Fairseq
from tertium.decode.formats.flat import Flat
from tertium.decode.formats.hypergraph import HypergraphText
from tertium.decode.formats.lines import Damages
from tertium.decode.formats.nbest_text import MarianText, NBestText, TravatarText
from tertium.decode.formats.openfst_text import OpenFstText
from tertium.decode.formats.plf import Plf
from tertium.decode.formats.samples import Samples
from tertium.decode.formats.travatar_json import TravatarJson
from tertium.decode.formats.words import BOUNDARY
from tertium.decode.lattice import Lattice
from tertium.decode.nbest import NBest
from tertium.errors import OptionError
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile

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

    def losses(self, one: Any, /) -> list[str]:
        """What of a structure would be left out; nothing if the format can say all."""

    def obstacles(self, one: Any, /) -> list[str]:
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


_KINDS: Final[Mapping[str, tuple[type, frozenset[str]]]] = {
    "samples": (Samples, frozenset()),
    "flat": (Flat, frozenset({"size", "logprobs"})),
    "fairseq": (Fairseq, frozenset()),
    "choices": (Choices, frozenset()),
    "moses": (NBestText, frozenset({"fields"})),
    "marian": (MarianText, frozenset({"fields"})),
    "travatar": (TravatarText, frozenset({"fields"})),
    "plf": (Plf, frozenset({"boundary", "trim"})),
    "openfst": (
        OpenFstText,
        frozenset({"symbols", "side", "acceptor", "boundary", "trim"}),
    ),
    "hypergraph": (HypergraphText, frozenset({"boundary", "trim"})),
    "travatar-json": (TravatarJson, frozenset({"boundary", "trim"})),
}

FORMATS: Final = tuple(_KINDS)
"""The names of the formats."""


def format_named(name: str, options: FormatOptions | None = None) -> Format:
    """The format of that name; options that it does not have are an error."""
    if name not in _KINDS:
        raise OptionError(did_you_mean("format", name, FORMATS))
    kind, known = _KINDS[name]
    chosen = options or FormatOptions()
    given = {
        one.name: getattr(chosen, one.name)
        for one in fields(chosen)
        if getattr(chosen, one.name) != one.default
    }
    for option in given.keys() - known:
        fitting = ", ".join(other for other in FORMATS if option in _KINDS[other][1])
        raise OptionError(f"{option}: found it with format {name}, expected it with {fitting}")
    if name == "marian" and "fields" in given:
        given["by_shape"] = False
    made: Format = kind(**given)
    return made
