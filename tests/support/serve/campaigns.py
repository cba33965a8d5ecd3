"""Campaigns for tests: texts in three scripts, and raters who answer by themselves."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller
from tertium.serve.rating.campaigns import (
    campaign_of,
    change_settings,
    change_state,
    create_campaign,
)
from tertium.serve.rating.events import Sent, store_events
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import Protocol, protocol_named
from tertium.serve.rating.raters import rater_of
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import Sheet, next_page, sheet
from tertium.serve.store.schema import (
    Campaign,
    Output,
    Project,
    StoredReference,
    StoredSystem,
    TestSet,
)
from tertium.serve.store.texts import keep_text

SYSTEMS = ("elm-secret", "oak-secret", "yew-secret")
"""No rater may ever read these names."""
HOSTILE = '<script>alert("x")</script>&amp;\u202e'
SOURCES = [
    "Das alte Haus steht am Fluss und hat ein rotes Dach .",
    "Sie kam gestern mit dem Zug aus Berlin an .",
    "Die Katze schläft 🙂 den ganzen Tag auf dem Sofa .",
    "Niemand wusste , was er ihr sagen sollte .",
    "Am Abend gingen wir noch einmal durch die Stadt .",
    "Das Wetter war besser als am Tag davor .",
]
DOCUMENTS = ["a", "a", "a", "b", "b", "b"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A project with a test set and three systems."""

    project_id: int
    project: str
    test_set: str
    outputs: tuple[int, ...]


def make_ground(
    session: Session,
    *,
    slug: str = "field",
    sources: list[str] | None = None,
    documents: list[str] | None = None,
    hypotheses: dict[str, list[str]] | None = None,
    languages: tuple[str, str] = ("de", "en"),
) -> Ground:
    """A test set with documents and the output of every system."""
    lines = SOURCES if sources is None else sources
    labels = DOCUMENTS if documents is None and sources is None else documents
    project = Project(slug=slug, name="Field")
    session.add(project)
    session.flush()
    tests = TestSet(
        project_id=project.id,
        slug="news",
        name="News",
        source_language=languages[0],
        target_language=languages[1],
        segments=len(lines),
        sources_text_id=keep_text(session, lines).id,
        documents_text_id=None if labels is None else keep_text(session, labels).id,
    )
    session.add(tests)
    session.flush()
    reference = keep_text(session, [f"reference of {line}" for line in lines])
    session.add(StoredReference(test_set_id=tests.id, name="ref", position=0, text_id=reference.id))
    outputs = []
    texts = hypotheses or {
        name: [f"{'XYZ'[place]} {line} 🙂 end" for line in lines]
        for place, name in enumerate(SYSTEMS)
    }
    for name, said in texts.items():
        system = StoredSystem(test_set_id=tests.id, name=name)
        session.add(system)
        session.flush()
        text = keep_text(session, said)
        output = Output(
            system_id=system.id, number=1, text_id=text.id, sha256=text.sha256, uploaded_by="t"
        )
        session.add(output)
        session.flush()
        outputs.append(output.id)
    return Ground(project_id=project.id, project=slug, test_set="news", outputs=tuple(outputs))


def make_campaign(
    session: Session, ground: Ground, protocol: str, *, name: str = "", **settings: Any
) -> Campaign:
    """An open campaign; constituents are the second and third word unless others are given."""
    parts = protocol_named(protocol).constituents
    if parts:
        settings["degraded"] = 0.0
    made = create_campaign(
        session,
        "owner",
        ground.project_id,
        name=name or protocol,
        protocol=protocol,
        test_set=ground.test_set,
        settings=settings,
        seed=7,
    )
    if parts and "constituents" not in settings:
        material = material_of(session, campaign_of(session, ground.project_id, made.id))
        some = [
            {"segment": number, "text": " ".join(text.split()[1:3])}
            for number, text in enumerate(material.sources or (), 1)
        ]
        change = {"constituents": some}
        change_settings(session, "owner", ground.project_id, made.id, change)
    change_state(session, "owner", ground.project_id, made.id, "open")
    return campaign_of(session, ground.project_id, made.id)


def caller(name: str) -> Caller:
    """Somebody with no link and no account, whose label is the name."""
    return Caller(actor=name, local=True)


def answer(protocol: Protocol, own: Sheet, quality: dict[str, float], noise: float) -> Any:
    """What an honest rater would say of the texts: the better the system, the more."""
    values: dict[str, Any] = {}
    goods = {
        slot: quality.get(key, 0.5)
        + noise
        - (0.4 if key in own.item.detail.get("texts", ()) else 0)
        for slot, key in own.slots.items()
    }
    order = sorted(goods.values(), reverse=True)
    for slot, good in goods.items():
        said: dict[str, Any] = {}
        for scale in protocol.scales:
            span = scale.high - scale.low
            said[scale.criterion] = round(scale.low + span * min(1.0, max(0.0, good)))
        if protocol.ranked:
            said["rank"] = order.index(good) + 1
        if protocol.marked:
            said["errors"] = _errors(protocol, own, slot, good)
        values[slot] = said
    return values


def _errors(protocol: Protocol, own: Sheet, slot: str, good: float) -> list[dict[str, Any]]:
    if good > 0.85:
        return []
    text = own.outputs[slot]
    first = text.index("🙂") if "🙂" in text else 0
    category = {"category": protocol.categories[0]} if protocol.categories else {}
    errors: list[dict[str, Any]] = [
        {"start": first, "end": len(text), "severity": "minor", "side": "target", **category}
    ]
    if good < 0.6:
        errors.append({"missing": True, "severity": "major", **category})
    if good < 0.4:
        source = {"category": "source error"} if protocol.categories else {}
        errors.append({"start": 0, "end": 3, "side": "source", "severity": "minor", **source})
    return errors


def rate_all(
    session: Session,
    campaign: Campaign,
    name: str,
    *,
    most: int = 1000,
    spread: float = 0.1,
    seed: int = 1,
    goods: tuple[float, ...] = (0.9, 0.65, 0.4),
) -> int:
    """Let a rater answer everything there is; ``goods`` says how good the systems are."""
    rng = np.random.default_rng([seed, *name.encode()])
    protocol = protocol_named(campaign.protocol)
    settings = CampaignSettings.of(campaign.settings)
    material = material_of(session, campaign)
    rater = rater_of(session, caller(name), campaign)
    quality = {
        str(output): good for output, good in zip(sorted(material.outputs), goods, strict=False)
    }
    for done in range(most):
        place = next_page(session, campaign, settings, rater).next
        if place is None:
            return done
        own = sheet(session, campaign, material, rater, place)
        values = answer(protocol, own, quality, float(rng.normal(0, spread)))
        sent = Sent(key=f"k{place}-{done}", number=place, action="rate", seconds=5 + place % 3,
                    values=values)  # fmt: skip
        store_events(session, campaign, material, rater, [sent])
    return most
