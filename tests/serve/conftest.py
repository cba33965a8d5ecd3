"""Stores and servers for tests, each test with its own."""

import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'serve' is not installed")
pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.store.connection import Store, open_store
from tests.support.serve.postgres import address, postgres, run_sql

_NUMBERS = count()


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
    store = open_store(path)
    yield store
    store.close()


@pytest.fixture
def postgres_store(postgres_folder: Path, _migrated_database: str) -> Iterator[Store]:
    """A migrated store in a database of its own."""
    name = f"test{next(_NUMBERS)}"
    run_sql(postgres_folder, f"CREATE DATABASE {name} TEMPLATE {_migrated_database}")
    store = open_store(address(postgres_folder, name))
    yield store
    store.close()
    run_sql(postgres_folder, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """A migrated store, of both kinds in turn."""
    made: Store = request.getfixturevalue(f"{request.param}_store")
    return made
