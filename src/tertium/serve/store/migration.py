"""Versions of the tables: to the newest, and for tests to any."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from tertium.errors import InputError
from tertium.serve.store.connection import IMMEDIATE

if TYPE_CHECKING:
    from tertium.serve.store.connection import Store

FOLDER: Final = Path(__file__).resolve().parent / "migrations"
LOCK: Final = 7_431_902
"""The number by which servers on one PostgreSQL agree on who migrates."""


def versions() -> list[str]:
    """All versions, from the first to the newest."""
    script = ScriptDirectory.from_config(_config())
    return [one.revision for one in reversed(list(script.walk_revisions()))]


def version_of(store: "Store") -> str | None:
    """The version of a store's tables, None for an empty store."""
    with store.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def migrate(store: "Store", version: str | None = None) -> None:
    """Bring the tables to a version (default: the newest), in one transaction."""
    known = versions()
    target = known[-1] if version is None else version
    # SQLite may be one step ahead of a reader who began before: ask without a transaction first.
    if version_of(store) == target:
        return
    with _locked(store) as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        if found is not None and found not in known:
            raise InputError(
                f"store {store.name}: found version {found}, expected at most {known[-1]}; "
                "install the tertium that wrote it, or a newer one"
            )
        config = _config(connection)
        at = -1 if found is None else known.index(found)
        to = -1 if target == "base" else known.index(target)
        if to > at:
            command.upgrade(config, target)
        elif to < at:
            command.downgrade(config, target)


@contextmanager
def _locked(store: "Store") -> Iterator[Connection]:
    """A transaction that no other migration runs beside."""
    engine = store.engine.execution_options(**{IMMEDIATE: True})
    with engine.begin() as connection:
        if store.sqlite:
            yield connection
            return
        driver: Any = connection.connection.driver_connection
        driver.unbounded = True
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield connection
        finally:
            driver.unbounded = False


def _config(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
