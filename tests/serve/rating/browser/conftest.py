"""Campaigns of every protocol behind a server that a browser reaches."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")


from tertium.serve.rating.campaigns import campaign_of
from tertium.serve.rating.export_files import all_events
from tertium.serve.rating.raters import invite
from tertium.serve.rating.results import Answered, current_answers
from tertium.serve.store.connection import Store, open_store
from tests.support.serve.campaigns import Ground, make_campaign, make_ground
from tests.support.serve.live import live_server

SOURCES = ["Das Haus steht am Fluss .", "Guten Tag , Welt !"]
OUTPUTS = {
    "elm-secret": ["The house is by 🙂 river .", "Good day , world !"],
    "oak-secret": ["A house stands at the river .", "Nice 🙂 day all !"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A new campaign, and the address of its only rater."""

    store: Store
    ground: Ground
    campaign: int
    address: str

    def answers(self) -> list[Answered]:
        """What counts now."""
        with self.store.reading() as session:
            found = campaign_of(session, self.ground.project_id, self.campaign)
            return list(current_answers(session, found))

    def events(self) -> list[dict[str, Any]]:
        """Everything that was done."""
        with self.store.reading() as session:
            found = campaign_of(session, self.ground.project_id, self.campaign)
            return list(all_events(session, found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Makes campaigns behind one address."""

    store: Store
    address: str

    def invited(
        self, protocol: str, name: str, *, ground: dict[str, Any] | None = None, **settings: Any
    ) -> Invitation:
        """A campaign of its own for a test."""
        texts = ground or {"sources": SOURCES, "documents": ["a", "a"], "hypotheses": OUTPUTS}
        with self.store.writing() as session:
            place = make_ground(session, slug=name, **texts)
            campaign = make_campaign(session, place, protocol, name=name, **settings)
            token = invite(session, "o", place.project_id, campaign.id, label=f"rater-{name}").token
        return Invitation(
            store=self.store,
            ground=place,
            campaign=campaign.id,
            address=f"{self.address}/l/{token}",
        )


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, _migrated_file: Path) -> Iterator[Server]:
    path = tmp_path_factory.mktemp("rated") / "browser.db"
    shutil.copy(_migrated_file, path)
    store = open_store(path, migrate=False)
    with live_server() as live:
        yield Server(store=store, address=live.show(store))
    store.close()
