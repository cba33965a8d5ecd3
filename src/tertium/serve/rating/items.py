"""What is shown at once, made when a campaign opens: items, hidden controls, the tutorial."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from tertium.plurals import counted
from tertium.serve.errors import ConflictError
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.protocols import Protocol, shown
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Campaign, RatingItem

SHARE = 0.3
"""How much of a text is damaged."""


def degraded(text: str, other: str, rng: np.random.Generator) -> str:
    """The text with a run of words replaced by as many of another text's.

    Where words are not divided by spaces, characters are the words. A text of one word is replaced
    as a whole; where the other text has nothing to give, the order is turned round.

    >>> degraded("a b c d e f", "1 2 3 4 5 6", np.random.default_rng(1))
    'a b 3 4 e f'
    """
    words, between = _words(text)
    given, _ = _words(other)
    if not words:
        return other
    size = max(1, round(SHARE * len(words)))
    start = int(rng.integers(0, len(words) - size + 1))
    if given:
        first = int(rng.integers(0, max(1, len(given) - size + 1)))
        put = given[first : first + size]
    else:
        put = []
    made = [*words[:start], *put, *words[start + size :]]
    if made == words:
        made = words[::-1]
    return between.join(made) if made != words else f"{text}{between}{text}"


def _words(text: str) -> tuple[list[str], str]:
    words = text.split()
    if len(words) < 2 and len(text) > 8:
        return list(text), ""
    return words, " "


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


Row = dict[str, Any]


def make_items(
    session: Session,
    campaign: Campaign,
    protocol: Protocol,
    settings: CampaignSettings,
    material: ItemMaterial,
    *,
    constituents: Mapping[int, Constituent],
) -> int:
    """Add all items of a campaign, and say how many of them are no controls."""
    rng = np.random.default_rng(campaign.seed)
    known = sorted(constituents) if protocol.constituents else range(material.segments)
    segments = _drawn(settings.segments, known, material, rng)
    regular: list[dict[str, Any]] = [
        {
            "campaign_id": campaign.id,
            "kind": "regular",
            "document": None if material.documents is None else material.documents[segment],
            "segments": [segment],
            "outputs": outputs,
            "detail": _detail(constituents.get(segment), outputs),
            "position": position,
        }
        for position, (segment, outputs) in enumerate(
            _pages(segments, protocol, settings, material, rng), 1
        )
    ]
    session.execute(insert(RatingItem), regular)
    ids = dict(
        session.execute(
            select(RatingItem.position, RatingItem.id).where(RatingItem.campaign_id == campaign.id)
        ).all()
    )
    controls = [
        *_repeated(regular, ids, settings.repeated, rng),
        *_degraded(regular, ids, settings.degraded, material, rng),
        *_tutorial(settings.tutorial, protocol),
    ]
    if controls:
        session.execute(
            insert(RatingItem),
            [
                {**one, "campaign_id": campaign.id, "position": position}
                for position, one in enumerate(controls, len(regular) + 1)
            ],
        )
    return len(regular)


def _detail(constituent: Constituent | None, outputs: Sequence[int]) -> Row:
    """What the item's page needs to mark the constituent, if it has one."""
    if constituent is None:
        return {}
    known = {key: extent for key, extent in constituent.outputs.items() if int(key) in outputs}
    return {"constituent": replace(constituent, outputs=known).to_dict()}


def _drawn(
    wanted: int | None, known: Sequence[int], material: ItemMaterial, rng: np.random.Generator
) -> list[int]:
    """All segments, or as many: whole documents as far as they fit, in the order of the set."""
    if wanted is None or wanted >= len(known):
        return list(known)
    documents = material.documents or [str(one) for one in range(material.segments)]
    members: dict[str, list[int]] = {}
    for segment in known:
        members.setdefault(documents[segment], []).append(segment)
    names = list(members)
    chosen: list[int] = []
    for place in rng.permutation(len(names)).tolist():
        chosen += members[names[place]][: wanted - len(chosen)]
        if len(chosen) == wanted:
            break
    return sorted(chosen)


def _pages(
    segments: Sequence[int],
    protocol: Protocol,
    settings: CampaignSettings,
    material: ItemMaterial,
    rng: np.random.Generator,
) -> Iterator[tuple[int, list[int]]]:
    """Segment and outputs of every item."""
    outputs = list(material.outputs)
    if not protocol.ranked:
        yield from ((segment, [output]) for output in outputs for segment in segments)
        return
    if len(outputs) < 2:
        raise ConflictError(
            f"campaign: found {counted(len(outputs), 'output')}, expected two to rank"
        )
    size = min(settings.together, len(outputs))
    for segment in segments:
        chosen = sorted(rng.permutation(len(outputs))[:size].tolist())
        yield segment, [outputs[one] for one in chosen]


def _sample(size: int, share: float, rng: np.random.Generator) -> list[int]:
    wanted = max(1, round(share * size)) if share else 0
    return sorted(rng.permutation(size)[:wanted].tolist())


def _repeated(
    items: Sequence[Row], ids: Mapping[int, int], share: float, rng: np.random.Generator
) -> Iterator[Row]:
    for place in _sample(len(items), share, rng):
        yield _twin(items[place], ids, "repeated", {})


def _degraded(
    items: Sequence[Row],
    ids: Mapping[int, int],
    share: float,
    material: ItemMaterial,
    rng: np.random.Generator,
) -> Iterator[Row]:
    for place in _sample(len(items), share, rng):
        one = items[place]
        output = int(rng.choice(one["outputs"]))
        segment = one["segments"][0]
        lines = material.outputs[output]
        away = int(rng.integers(1, max(2, len(lines))))
        damaged = degraded(lines[segment], lines[(segment + away) % len(lines)], rng)
        yield _twin(one, ids, "degraded", {"texts": {str(output): damaged}})


def _twin(item: Row, ids: Mapping[int, int], kind: str, detail: Row) -> Row:
    detail = {**item["detail"], "of": ids[item["position"]], **detail}
    return {**item, "kind": kind, "detail": detail}


def _tutorial(given: Sequence[Row], protocol: Protocol) -> Iterator[Row]:
    for number, one in enumerate(given, 1):
        count = len(one["outputs"])
        if protocol.ranked and count < 2:
            raise ConflictError(f"tutorial {number}: found {count} output, expected two to rank")
        yield {"kind": "tutorial", "document": None, "segments": [], "outputs": [], "detail": one}
