"""What is shown at once, made when a campaign opens: items, hidden controls, the tutorial."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sqlalchemy.orm import Session

from tertium.serve.errors import ConflictError
from tertium.serve.rating.degradation import degraded
from tertium.serve.rating.material import Material
from tertium.serve.rating.protocols import Protocol
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.store.schema import Campaign, RatingItem


def make_items(
    session: Session,
    campaign: Campaign,
    protocol: Protocol,
    settings: CampaignSettings,
    material: Material,
) -> int:
    """Add all items of a campaign, and say how many of them are no controls."""
    rng = np.random.default_rng(campaign.seed)
    segments = _drawn(settings.segments, material, rng)
    regular = [
        RatingItem(
            campaign_id=campaign.id,
            kind="regular",
            document=None if material.documents is None else material.documents[segment],
            segments=[segment],
            outputs=outputs,
            detail={},
            position=position,
        )
        for position, (segment, outputs) in enumerate(
            _pages(segments, protocol, settings, material, rng), 1
        )
    ]
    session.add_all(regular)
    session.flush()
    controls = [
        *_repeated(regular, settings.repeated, rng),
        *_degraded(regular, settings.degraded, material, rng),
        *_tutorial(settings.tutorial, protocol),
    ]
    for position, item in enumerate(controls, len(regular) + 1):
        item.campaign_id = campaign.id
        item.position = position
    session.add_all(controls)
    return len(regular)


def _drawn(wanted: int | None, material: Material, rng: np.random.Generator) -> list[int]:
    """All segments, or as many: whole documents as far as they fit, in the order of the set."""
    if wanted is None or wanted >= material.segments:
        return list(range(material.segments))
    documents = material.documents or [str(one) for one in range(material.segments)]
    members: dict[str, list[int]] = {}
    for segment, name in enumerate(documents):
        members.setdefault(name, []).append(segment)
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
    material: Material,
    rng: np.random.Generator,
) -> Iterator[tuple[int, list[int]]]:
    """Segment and outputs of every item."""
    outputs = list(material.outputs)
    if not protocol.ranked:
        yield from ((segment, [output]) for output in outputs for segment in segments)
        return
    if len(outputs) < 2:
        raise ConflictError(f"campaign: found {len(outputs)} outputs, expected two to rank")
    size = min(settings.together, len(outputs))
    for segment in segments:
        chosen = sorted(rng.permutation(len(outputs))[:size].tolist())
        yield segment, [outputs[one] for one in chosen]


def _sample(items: Sequence[RatingItem], share: float, rng: np.random.Generator) -> list[int]:
    size = round(share * len(items))
    if share and not size:
        size = 1
    return sorted(rng.permutation(len(items))[:size].tolist())


def _repeated(
    items: Sequence[RatingItem], share: float, rng: np.random.Generator
) -> Iterator[RatingItem]:
    for place in _sample(items, share, rng):
        yield _twin(items[place], "repeated", {})


def _degraded(
    items: Sequence[RatingItem], share: float, material: Material, rng: np.random.Generator
) -> Iterator[RatingItem]:
    for place in _sample(items, share, rng):
        one = items[place]
        output = int(rng.choice(one.outputs))
        segment = one.segments[0]
        lines = material.outputs[output]
        away = int(rng.integers(1, max(2, len(lines))))
        damaged = degraded(lines[segment], lines[(segment + away) % len(lines)], rng)
        yield _twin(one, "degraded", {"texts": {str(output): damaged}})


def _twin(item: RatingItem, kind: str, detail: Mapping[str, object]) -> RatingItem:
    return RatingItem(
        kind=kind,
        document=item.document,
        segments=list(item.segments),
        outputs=list(item.outputs),
        detail={"of": item.id, **detail},
    )


def _tutorial(given: Sequence[Mapping[str, object]], protocol: Protocol) -> Iterator[RatingItem]:
    for number, one in enumerate(given, 1):
        outputs = one["outputs"]
        count = len(outputs) if isinstance(outputs, list) else 0
        if protocol.ranked and count < 2:
            raise ConflictError(f"tutorial {number}: found {count} output, expected two to rank")
        yield RatingItem(kind="tutorial", document=None, segments=[], outputs=[], detail=dict(one))
