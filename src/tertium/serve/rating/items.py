"""What is shown at once, made when a campaign opens: items, hidden controls, the tutorial."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from tertium.plurals import counted
from tertium.serve.errors import ConflictError
from tertium.serve.rating.constituents import Constituent
from tertium.serve.rating.degradation import degraded
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.protocols import Protocol
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Campaign, RatingItem

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
