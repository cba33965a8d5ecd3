"""Constituents: parts of a sentence whose translation alone is judged, as at WMT07 and WMT08.

There a parser chose the parts and word alignments found their translations. Here the organizer
names the words, of the source and if known of each output, and they are found in the texts; an
offset counts characters, as in marked errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tertium.serve.errors import ConflictError
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.protocols import Protocol, shown
from tertium.serve.rating.settings import CampaignSettings

Extent: TypeAlias = tuple[int, int]
"""Start and end, the end exclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constituent:
    """Where it stands in the source, and in outputs as far as known (by their ids as text)."""

    source: Extent
    outputs: Mapping[str, Extent] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and lists only, ready for JSON."""
        outputs = {key: list(extent) for key, extent in self.outputs.items()}
        return {"source": list(self.source), "outputs": outputs}


def constituents_of(
    protocol: Protocol, settings: CampaignSettings, material: ItemMaterial
) -> dict[int, Constituent]:
    """Segment (from 0) → its constituent, found in the texts; or what does not fit."""
    if not protocol.constituents:
        if settings.constituents:
            raise ConflictError(
                f"constituents: found {len(settings.constituents)}, expected none in "
                f"{protocol.name} (a protocol of constituents judges them)"
            )
        return {}
    if not settings.constituents:
        raise ConflictError(
            'constituents: found none, expected such as [{"segment": 3, "text": "ein rotes Dach"}]'
        )
    if "source" not in settings.show or material.sources is None:
        raise ConflictError("show: found no source, expected it (constituents are marked there)")
    if settings.degraded:
        raise ConflictError(
            f"degraded: found {settings.degraded:g}, expected 0 (damage may spare the constituent)"
        )
    return {
        one["segment"] - 1: _located(number, one, material)
        for number, one in enumerate(settings.constituents, 1)
    }


def _located(number: int, given: Mapping[str, Any], material: ItemMaterial) -> Constituent:
    place = f"constituents {number}"
    segment = given["segment"] - 1
    if segment >= material.segments:
        raise ConflictError(
            f"{place}: found segment {segment + 1}, expected 1 to {material.segments}"
        )
    ids = {name: output for output, name in material.systems.items()}
    for name in given["outputs"]:
        if name not in ids:
            raise ConflictError(f"{place}: found system {shown(name)}, expected {', '.join(ids)}")
    return Constituent(
        source=_extent(material.source(segment), given["text"], f"{place}: source"),
        outputs={
            str(ids[name]): _extent(material.outputs[ids[name]][segment], text, f"{place}: {name}")
            for name, text in given["outputs"].items()
        },
    )


def _extent(text: str, words: str, place: str) -> Extent:
    start = text.find(words)
    if start < 0:
        raise ConflictError(f"{place}: found no {shown(words)}, expected words of {shown(text)}")
    return start, start + len(words)
