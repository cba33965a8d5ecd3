"""Metrics inside decoding: n-best lists, lattices and forests, and what is sought in them."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tertium.decode.converting import convert
    from tertium.decode.forest import Forest
    from tertium.decode.formats.lines import Damages
    from tertium.decode.formats.table import FormatOptions, format_named
    from tertium.decode.inspecting import Inspection, inspect
    from tertium.decode.lattice import Lattice
    from tertium.decode.nbest import NBest
    from tertium.decode.paths import Path
    from tertium.decode.reading import read, read_forests, read_lattices, read_nbest
    from tertium.decode.weights import read_weights
    from tertium.decode.writing import write_pieces

# Loaded on first use, as in the package above.
_HOMES: Final = {
    "Damages": "tertium.decode.formats.lines",
    "Forest": "tertium.decode.forest",
    "FormatOptions": "tertium.decode.formats.table",
    "Inspection": "tertium.decode.inspecting",
    "Lattice": "tertium.decode.lattice",
    "NBest": "tertium.decode.nbest",
    "Path": "tertium.decode.paths",
    "convert": "tertium.decode.converting",
    "format_named": "tertium.decode.formats.table",
    "inspect": "tertium.decode.inspecting",
    "read": "tertium.decode.reading",
    "read_forests": "tertium.decode.reading",
    "read_lattices": "tertium.decode.reading",
    "read_nbest": "tertium.decode.reading",
    "read_weights": "tertium.decode.weights",
    "write_pieces": "tertium.decode.writing",
}

__all__ = [
    "Damages",
    "Forest",
    "FormatOptions",
    "Inspection",
    "Lattice",
    "NBest",
    "Path",
    "convert",
    "format_named",
    "inspect",
    "read",
    "read_forests",
    "read_lattices",
    "read_nbest",
    "read_weights",
    "write_pieces",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tertium.decode' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
