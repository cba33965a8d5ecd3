"""Units of translation, a source and a target each, as the `Records` of a file."""

from collections.abc import Sequence
from typing import NamedTuple

from tertium._native import Texts
from tertium.errors import InputError
from tertium.text.keyed_segments import Key, Records


class TranslationUnit(NamedTuple):
    """A segment with its translation, which is missing (``None``) until there is one."""

    key: Key | None
    source: str
    target: str | None
    document: str = ""


def bilingual_records(name: str, units: Sequence[TranslationUnit], expected: str) -> Records:
    """Sources and targets; the targets are references or hypotheses, as the file was given.

    A missing target is no reference, and an empty hypothesis: nothing was translated.
    """
    if not units:
        raise InputError(f"{name}: no segments, expected {expected}")
    documents = tuple(unit.document for unit in units)
    return Records(
        name=name,
        size=len(units),
        found=("source", "target"),
        keys=unique_keys([unit.key for unit in units]),
        source=Texts([unit.source for unit in units]),
        references=(Texts([unit.target or None for unit in units]),),
        systems=((None, Texts([unit.target or "" for unit in units])),),
        documents=documents if any(documents) else None,
        one_target=True,
    )


def monolingual_records(name: str, keys: Sequence[Key | None], texts: Sequence[str]) -> Records:
    """One text for each segment, in whatever role the file was given."""
    column = Texts(list(texts))
    return Records(
        name=name,
        size=len(texts),
        found=("text",),
        keys=unique_keys(keys),
        source=column,
        references=(column,),
        systems=((None, column),),
        any_role=True,
    )


def unique_keys(keys: Sequence[Key | None]) -> tuple[Key, ...] | None:
    """The keys if they name every segment, and each but one."""
    known = tuple(key for key in keys if key is not None)
    return known if len(set(known)) == len(keys) else None
