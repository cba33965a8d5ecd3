"""The references of files by themselves, for what has no systems: decoders' lists and lattices."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import BinaryIO

from tertium.errors import InputError
from tertium.text.input_files import open_inputs


def read_references(
    paths: Sequence[str | PathLike[str]],
    *,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    num_refs: int = 1,
    stdin: BinaryIO | None = None,
) -> list[tuple[str, ...]]:
    """For each segment its references, of files of any format; see `open_inputs`."""
    inputs = open_inputs(
        paths, None, format=format, columns=columns, num_refs=num_refs, stdin=stdin
    )
    found = inputs.load().corpus.references
    if not len(found):
        raise InputError(f"{inputs.name}: 0 segments, expected at least one")
    return [tuple(found.of_segment(place)) for place in range(len(found))]
