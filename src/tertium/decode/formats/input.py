"""Read n-best lists, lattices and forests from files of any format, one at a time."""

from collections.abc import Iterator
from os import PathLike
from typing import Any, Final, TypeVar

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.table import (
    Format,
    FormatOptions,
    Structure,
    format_named,
)
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.limits.budget import Budget

LINE: Final = 400
"""Bytes of memory that a line of a list or lattice costs."""
GROWTH: Final = 16
"""Bytes of memory that a byte of it costs when it is taken apart."""

One = TypeVar("One", NBest, Lattice, Forest)

_KINDS: dict[type, str] = {NBest: "n-best lists", Lattice: "lattices", Forest: "forests"}


def found_format(
    file: TextFile,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
) -> Format:
    """The format named, or the one that the file looks like."""
    if format is not None:
        return format_named(format, options)
    if options is not None and options.size is not None:
        return format_named("flat", options)  # plain text looks like nothing
    from tertium.decode.formats.detection import guessed_format  # with readers of all formats

    return format_named(guessed_format(file), options)


def read(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Structure]:
    """The structures of a file, each when it is asked for; compression is undone.

    The format is found by the look of the file unless named. The first damaged structure is an
    error, unless ``damages`` is a ``Damages(skip=True)``, which then counts them.
    """
    file = path if isinstance(path, TextFile) else TextFile.find(path)
    return structures(found_format(file, format, options), file, damages or Damages())


def structures(found: Format, file: TextFile, damages: Damages) -> Iterator[Any]:
    """The structures of a file in a known format; a single one must fit into the memory."""
    budget = Budget(file.name, row=LINE, byte=GROWTH, rows="lines in a list or lattice")
    for structure in found.read(file._replace(budget=budget), damages):
        budget.restart()
        yield structure


def check_kind(file: TextFile, found: Format, kind: type) -> None:
    """Refuse a file of anything else."""
    if found.holds is not kind:
        raise InputError(
            f"{file.name}: found {_KINDS[found.holds]} (format {found.name}), "
            f"expected {_KINDS[kind]}"
        )


def _read_kind(
    kind: type[One],
    path: str | PathLike[str] | TextFile,
    format: str | None,  # noqa: A002
    options: FormatOptions | None,
    damages: Damages | None,
) -> Iterator[One]:
    file = path if isinstance(path, TextFile) else TextFile.find(path)
    found = found_format(file, format, options)
    check_kind(file, found, kind)
    return structures(found, file, damages or Damages())


def read_nbest(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[NBest]:
    """The n-best lists of a file; see `read`."""
    return _read_kind(NBest, path, format, options, damages)


def read_lattices(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Lattice]:
    """The lattices of a file; see `read`."""
    return _read_kind(Lattice, path, format, options, damages)


def read_forests(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Forest]:
    """The forests of a file; see `read`."""
    return _read_kind(Forest, path, format, options, damages)
