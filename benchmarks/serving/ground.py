"""A project to load a server with: a test set, two outputs, a campaign, raters by links."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from serving.server import Client, Server, text

PROJECT = "/api/v1/projects/load"
SET = f"{PROJECT}/test-sets/load"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Who can rate what."""

    campaign: str
    links: tuple[str, ...]
    reference: str
    outputs: tuple[int, ...]
    segments: int


SYSTEMS = ("elm", "yew")


def make_ground(
    server: Server,
    *,
    raters: int,
    segments: int,
    rated: int,
    systems: Sequence[str] = SYSTEMS,
    assignment: str = "fixed",
) -> Ground:
    """Fill an empty store through the API."""
    owner = Client(server.port)
    owner.send("POST", "/api/v1/projects", {"name": "Load", "slug": "load"})
    owner.upload(
        f"{PROJECT}/test-sets",
        {"name": "Load", "slug": "load", "target_language": "en", "metrics": "bleu"},
        {"references": text(segments, 1), "sources": text(segments, 2)},
    )
    outputs = []
    for name in systems:
        seed = sum(name.encode())
        sent = owner.upload(f"{SET}/outputs", {"system": name}, {"file": text(segments, seed)})
        outputs += [one["id"] for one in sent["outputs"]]
    made = owner.send(
        "POST",
        f"{PROJECT}/campaigns",
        {
            "name": "Load",
            "protocol": "direct-assessment",
            "test_set": "load",
            "settings": {"segments": rated, "assignment": assignment},
        },
    )
    campaign = f"{PROJECT}/campaigns/{made['id']}"
    owner.send("PATCH", campaign, {"state": "open"})
    links = tuple(
        owner.send("POST", f"{campaign}/raters", {"label": f"rater {number}"})["address"]
        for number in range(raters)
    )
    texts = owner.send("GET", f"{SET}/names")
    reference = next(one["key"] for one in texts if one["kind"] == "reference")
    return Ground(
        campaign=campaign,
        links=links,
        reference=reference,
        outputs=tuple(outputs),
        segments=segments,
    )


@dataclass(slots=True)
class RatingPerson:
    """Somebody who rates one item after the other."""

    client: Client
    campaign: str
    last: dict[str, Any] | None = None

    @classmethod
    def of(cls, server: Server, ground: Ground, number: int) -> "RatingPerson":
        """Come in by an invitation."""
        client = Client(server.port)
        client.follow(ground.links[number])
        return cls(client, ground.campaign)

    def page(self) -> dict[str, Any] | None:
        """What to rate next."""
        found: dict[str, Any] | None = self.client.patiently(
            lambda: self.client.send("POST", f"{self.campaign}/mine/next")
        )["page"]
        return found

    def event(self, page: dict[str, Any], value: int) -> dict[str, Any]:
        """A rating of it, with a key of its own."""
        return {
            "key": uuid4().hex,
            "number": page["number"],
            "action": "rate",
            "seconds": 1.0,
            "values": {slot: {"da": value} for slot in page["outputs"]},
        }

    def save(self, event: dict[str, Any]) -> None:
        """Send it; it counts as soon as this returns."""
        self.client.send("POST", f"{self.campaign}/mine/events", {"events": [event]})
