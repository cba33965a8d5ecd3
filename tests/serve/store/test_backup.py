from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from tertium.errors import InputError
from tertium.serve.store.backup import LEFT_OUT, backup, restore
from tertium.serve.store.check import check_store
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.migration import migrate, versions
from tertium.serve.store.schema import Base, LoginSession, Project
from tests.support.serve.world import make_world


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables that a backup has."""
    with store.reading() as session:
        return {
            table.name: [tuple(row) for row in session.execute(select(table).order_by(table.c.id))]
            for table in Base.metadata.sorted_tables
            if table.name not in LEFT_OUT
        }


@pytest.mark.parametrize("to", ["sqlite", "postgres"])
def test_what_is_restored_is_what_was_there(
    store: Store, to: str, tmp_path: Path, empty_place: Callable[[str], str]
) -> None:
    make_world(store)
    before = everything(store)
    copied = backup(store, tmp_path / "backup.db")
    assert copied.rows == {name: len(rows) for name, rows in before.items()}
    assert copied.total > 20
    assert {one.name for one in tmp_path.iterdir()} >= {"backup.db"}
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".backup")]
    target = open_store(empty_place(to))
    assert restore(tmp_path / "backup.db", target).rows == copied.rows
    assert everything(target) == before
    assert check_store(target).clean
    with target.writing() as session:
        assert session.scalar(select(func.count(LoginSession.id))) == 0
        session.add(Project(slug="next", name="Next"))  # numbers go on after the last
    target.close()


def test_a_store_that_is_not_empty_is_not_overwritten(sqlite_store: Store, tmp_path: Path) -> None:
    make_world(sqlite_store)
    backup(sqlite_store, tmp_path / "backup.db")
    with pytest.raises(InputError, match=r"found rows in \w+, expected an empty store"):
        restore(tmp_path / "backup.db", sqlite_store)
    with pytest.raises(InputError, match="found a file, expected none yet"):
        backup(sqlite_store, tmp_path / "backup.db")
    with pytest.raises(InputError, match="found no folder"):
        backup(sqlite_store, tmp_path / "none" / "backup.db")


def test_what_is_no_backup_is_told(tmp_path: Path, empty_place: Callable[[str], str]) -> None:
    target = open_store(empty_place("sqlite"))
    with pytest.raises(InputError, match="found no file"):
        restore(tmp_path / "none", target)
    (tmp_path / "text").write_text("no backup " * 100)
    with pytest.raises(InputError, match="cannot be opened"):
        restore(tmp_path / "text", target)
    target.close()


def test_a_backup_of_an_older_version_is_brought_up_to_date(
    sqlite_store: Store, tmp_path: Path, empty_place: Callable[[str], str]
) -> None:
    make_world(sqlite_store)
    names = [row[1] for row in everything(sqlite_store)["project"]]
    old = tmp_path / "old.db"
    backup(sqlite_store, old)
    store = open_store(old)
    migrate(store, versions()[-2])
    store.close()
    before = old.read_bytes()
    target = open_store(empty_place("sqlite"))
    restore(old, target)
    assert [row[1] for row in everything(target)["project"]] == names
    assert old.read_bytes() == before
    target.close()


def test_a_backup_of_a_newer_version_is_refused(
    sqlite_store: Store, tmp_path: Path, empty_place: Callable[[str], str]
) -> None:
    backup(sqlite_store, tmp_path / "new.db")
    new = open_store(tmp_path / "new.db")
    with new.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    new.close()
    target = open_store(empty_place("sqlite"))
    with pytest.raises(InputError, match="found version 9999"):
        restore(tmp_path / "new.db", target)
    target.close()
