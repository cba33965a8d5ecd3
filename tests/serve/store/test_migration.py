from collections.abc import Callable

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from tertium.errors import InputError
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.migration import migrate, version_of, versions
from tertium.serve.store.schema import Base

KINDS = ("sqlite", "postgres")


def test_the_tables_are_those_of_the_classes(store: Store) -> None:
    with store.engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), Base.metadata)
    assert found == []
    assert len(Base.metadata.tables) >= 22


@pytest.mark.parametrize("kind", KINDS)
def test_every_version_up_and_down(kind: str, empty_place: Callable[[str], str]) -> None:
    store = open_store(empty_place(kind), migrate=False)
    assert version_of(store) is None
    steps = versions()
    for step in steps:
        migrate(store, step)
        assert version_of(store) == step
    for step in [*reversed(steps[:-1]), "base"]:
        migrate(store, step)
        assert version_of(store) == (None if step == "base" else step)
    assert set(inspect(store.engine).get_table_names()) == {"alembic_version"}
    migrate(store)
    assert version_of(store) == steps[-1]
    store.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_newer_store_is_refused(kind: str, empty_place: Callable[[str], str]) -> None:
    store = open_store(empty_place(kind))
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"found version 9999, expected at most \d{4}; install"):
        store.migrate()
    store.close()
