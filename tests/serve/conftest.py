"""Stores and servers for tests, each test with its own."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'serve' is not installed")
pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from anyio.from_thread import BlockingPortal, start_blocking_portal
from argon2 import PasswordHasher
from fastapi import FastAPI

from tertium.serve.settings import Settings
from tertium.serve.store.connection import Store, open_store
from tertium.serve.web.app import make_app
from tests.support.serve.postgres import address, empty, postgres, run_sql
from tests.support.serve.site import Site
from tests.support.serve.world import World, make_world

_NUMBERS = count()


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords of tests need no protection, and there are many."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr("tertium.serve.accounts.tokens.HASHER", quick)


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[Path]:
    """The socket of a PostgreSQL, started once for each worker."""
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")
    with postgres() as folder:
        yield folder


@pytest.fixture(scope="session")
def _migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "migrated.db"
    open_store(path).close()
    return path


@pytest.fixture(scope="session")
def _migrated_database(postgres_folder: Path) -> str:
    run_sql(postgres_folder, "CREATE DATABASE migrated")
    open_store(address(postgres_folder, "migrated")).close()
    return "migrated"


@pytest.fixture
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Makes the address of an empty store: ``empty_place("sqlite")`` or ``("postgres")``."""
    made: list[str] = []

    def place(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / f"empty{next(_NUMBERS)}.db")
        name = f"empty{next(_NUMBERS)}"
        folder = request.getfixturevalue("postgres_folder")
        run_sql(folder, f"CREATE DATABASE {name}")
        made.append(name)
        return address(folder, name)

    yield place
    for name in made:
        folder = request.getfixturevalue("postgres_folder")
        run_sql(folder, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_store(tmp_path: Path, _migrated_file: Path) -> Iterator[Store]:
    """A migrated store in a file."""
    path = tmp_path / "tertium.db"
    shutil.copy(_migrated_file, path)
    store = open_store(path, migrate=False)
    yield store
    store.close()


@pytest.fixture
def postgres_store(postgres_folder: Path, _migrated_database: str) -> Iterator[Store]:
    """A migrated store in a database that is emptied for each test."""
    store = open_store(address(postgres_folder, _migrated_database), migrate=False)
    empty(store)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """A migrated store, of both kinds in turn."""
    made: Store = request.getfixturevalue(f"{request.param}_store")
    return made


@pytest.fixture(scope="session")
def _peopled(tmp_path_factory: pytest.TempPathFactory, _migrated_file: Path) -> tuple[Path, World]:
    path = tmp_path_factory.mktemp("world") / "world.db"
    shutil.copy(_migrated_file, path)
    store = open_store(path)
    world = make_world(store)
    store.close()
    return path, world


@pytest.fixture(scope="session")
def _app(_peopled: tuple[Path, World]) -> FastAPI:
    """One application, whose store each test replaces."""
    store = open_store(_peopled[0])
    app = make_app(store, Settings(requests_per_minute=10**9, logins_per_minute=10**9, workers=0))
    store.close()
    return app


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """The event loop of all servers in this process."""
    with start_blocking_portal() as started:
        yield started


@pytest.fixture
def new_site(
    _app: FastAPI, _peopled: tuple[Path, World], portal: BlockingPortal, tmp_path: Path
) -> Iterator[Callable[[], Site]]:
    """Makes sites with fresh stores (SQLite), for tests that need several."""
    stores: list[Store] = []

    def make() -> Site:
        path = tmp_path / f"site{next(_NUMBERS)}.db"
        shutil.copy(_peopled[0], path)
        stores.append(open_store(path, migrate=False))
        _app.state.store = stores[-1]
        return Site(app=_app, store=stores[-1], world=_peopled[1], portal=portal)

    yield make
    for one in stores:
        one.close()


@pytest.fixture
def site(new_site: Callable[[], Site]) -> Site:
    """A server over a store (SQLite) with two projects and people of every role."""
    return new_site()


@pytest.fixture(params=["sqlite", "postgres"])
def any_new_site(request: pytest.FixtureRequest) -> Callable[[], Site]:
    """Makes sites with fresh stores, over SQLite and PostgreSQL in turn; one at a time."""
    new_site: Callable[[], Site] = request.getfixturevalue("new_site")
    if request.param == "sqlite":
        return new_site
    store: Store = request.getfixturevalue("postgres_store")
    site = new_site()

    def make() -> Site:
        empty(store)
        site.app.state.store = store
        return replace(site, store=store, world=make_world(store))

    return make


@pytest.fixture(params=["sqlite", "postgres"])
def any_site(request: pytest.FixtureRequest, _app: FastAPI, portal: BlockingPortal) -> Site:
    """The same over SQLite and PostgreSQL in turn."""
    if request.param == "sqlite":
        made: Site = request.getfixturevalue("site")
        return made
    store: Store = request.getfixturevalue("postgres_store")
    _app.state.store = store
    return Site(app=_app, store=store, world=make_world(store), portal=portal)
