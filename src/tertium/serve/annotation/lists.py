"""The names of each article and each paragraph, as NEE lists them: every name once."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.metrics.annotation.entity_lists import list_units
from tertium.serve.annotation.layers import Name, annotated
from tertium.serve.annotation.targets import TargetText
from tertium.text.entity_names import NameNormalization


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedName:
    """A name with its types, and the segments, from 0, where it stands."""

    text: str
    types: tuple[str, ...]
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameList:
    """The names of an article, or of a paragraph: a segment of it."""

    unit: str
    segments: tuple[int, ...]
    names: tuple[ListedName, ...]


def document_members(text: TargetText) -> dict[str, list[int]]:
    """The segments of every document, in the order of the text; one if none are known."""
    members: dict[str, list[int]] = {}
    for number in range(len(text.segments)):
        label = text.documents[number] if text.documents is not None else "all segments"
        members.setdefault(label, []).append(number)
    return members


def name_lists(
    text: TargetText,
    names: Sequence[Name],
    *,
    normalization: NameNormalization,
    paragraphs: bool = False,
) -> tuple[NameList, ...]:
    """A list for every article, or for every paragraph; units without names have empty ones."""
    if paragraphs:
        members = {str(number + 1): [number] for number in range(len(text.segments))}
    else:
        members = document_members(text)
    column = annotated(text.segments, names)
    units = list_units([column], members.values(), normalization.tokens, frozenset())
    return tuple(
        NameList(
            unit=label,
            segments=unit.segments,
            names=tuple(
                ListedName(text=one.text, types=one.labels, segments=one.segments)
                for found in unit.lists
                for one in found
            ),
        )
        for label, unit in zip(members, units, strict=True)
    )
