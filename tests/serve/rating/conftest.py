"""A store in which two people have rated everything under every protocol."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.rating.export_files import Results
from tertium.serve.rating.protocols import PROTOCOLS
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.schema import Campaign
from tests.support.serve.campaigns import make_campaign, make_ground, rate_all

Rated = Callable[[str], tuple[Session, Campaign, Results]]


@pytest.fixture(scope="session")
def rated_store(tmp_path_factory: pytest.TempPathFactory, _migrated_file: Path) -> Iterator[Store]:
    """Campaigns called like their protocols; to be read only."""
    path = tmp_path_factory.mktemp("rated") / "rated.db"
    shutil.copy(_migrated_file, path)
    store = open_store(path, migrate=False)
    with store.writing() as session:
        ground = make_ground(session)
        for protocol in PROTOCOLS:
            campaign = make_campaign(session, ground, protocol, repeated=0.2, degraded=0.2)
            for name in ("ann", "bob"):
                rate_all(session, campaign, name)
    yield store
    store.close()


@pytest.fixture
def rated(rated_store: Store) -> Iterator[Rated]:
    """Finds the campaign of a protocol, and what counts in it."""
    with rated_store.reading() as session:

        def find(protocol: str) -> tuple[Session, Campaign, Results]:
            campaign = session.scalars(select(Campaign).where(Campaign.name == protocol)).one()
            return session, campaign, Results.of(session, campaign)

        yield find
