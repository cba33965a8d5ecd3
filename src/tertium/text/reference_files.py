"""References and sources of files by themselves, for decoders' lists and lattices."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import BinaryIO

from tertium.errors import InputError
from tertium.plurals import counted
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


def read_sources(path: str | PathLike[str], segments: int | None = None) -> list[str]:
    """The source of each segment: plain text, or what a table or XML calls so.

    ``segments`` are as many as there are references.
    """
    corpus = open_inputs([path], None, source=path).load().corpus
    if segments is not None and len(corpus) != segments:
        raise InputError(
            f"{corpus.name}: {counted(len(corpus), 'segment')}, expected {segments} (references)"
        )
    return [] if corpus.sources is None else [text or "" for text in corpus.sources.to_list()]
