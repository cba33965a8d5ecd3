import os
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from tertium.errors import InputError, OptionError
from tertium.serve.store.backup import backup
from tertium.serve.store.connection import Store, open_store, store_url
from tertium.serve.store.schema import LogEntry, Membership, User


def people(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(select(User.name).order_by(User.id)))


def test_a_change_is_kept_whole_or_not_at_all(store: Store) -> None:
    with store.writing() as session:
        session.add(User(name="ann", password_hash="-"))
    with pytest.raises(IntegrityError), store.writing() as session:
        session.add_all([User(name="bo", password_hash="-"), User(name="ann", password_hash="-")])
    assert people(store) == ["ann"]


def test_times_have_a_zone(store: Store) -> None:
    before = datetime.now(UTC)
    with store.writing() as session:
        session.add(User(name="ann", password_hash="-"))
    with store.reading() as session:
        found = session.scalars(select(User)).one().created_at
    assert before <= found <= datetime.now(UTC)
    with (
        pytest.raises(Exception, match="found no zone"),
        store.writing() as session,
    ):
        session.add(User(name="bo", password_hash="-", created_at=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_rows_name_rows_that_exist(store: Store) -> None:
    with pytest.raises(IntegrityError), store.writing() as session:
        session.add(Membership(project_id=7, user_id=9, role="owner"))


@pytest.mark.parametrize("statement", ["UPDATE log_entry SET actor = 'x'", "DELETE FROM log_entry"])
def test_the_log_is_only_added_to(store: Store, statement: str) -> None:
    with store.writing() as session:
        session.add(LogEntry(actor="ann", action="tested"))
    with pytest.raises(DBAPIError, match="rows are only added"), store.writing() as session:
        session.execute(text(statement))


def test_a_reader_sees_one_state(store: Store) -> None:
    with store.reading() as session:
        before = session.scalar(select(func.count(User.id)))
        with store.writing() as other:
            other.add(User(name="ann", password_hash="-"))
        assert session.scalar(select(func.count(User.id))) == before == 0
    assert people(store) == ["ann"]


def test_writers_wait_in_line(store: Store) -> None:
    with store.writing() as session:
        session.add(User(name="0", password_hash="-"))

    def count_up() -> None:
        for _ in range(10):
            with store.writing() as session:
                one = session.scalars(select(User).with_for_update()).one()
                one.name = str(int(one.name) + 1)

    threads = [Thread(target=count_up) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert people(store) == ["60"]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("a.db", "sqlite:///a.db"),
        ("/x/a b%.db", "sqlite:////x/a b%25.db"),
        ("sqlite:///x.db", "sqlite:///x.db"),
        ("postgresql://u@h/d", "postgresql+psycopg://u@h/d"),
        ("postgresql+psycopg://u@h/d", "postgresql+psycopg://u@h/d"),
    ],
)
def test_addresses(place: str, expected: str) -> None:
    assert str(store_url(place)) == expected


@pytest.mark.parametrize("place", ["mysql://u@h/d", "sqlite://", "sqlite:///:memory:", "http://x"])
def test_other_addresses_are_refused(place: str) -> None:
    with pytest.raises(OptionError, match=r"expected a file, sqlite:///FILE or postgresql://…"):
        store_url(place)


def test_a_store_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no folder"):
        open_store(tmp_path / "none" / "a.db")
    (tmp_path / "a.db").write_text("no database at all, but a text " * 40)
    with pytest.raises(InputError, match=r"a\.db: cannot be opened"):
        open_store(tmp_path / "a.db")


def test_a_password_is_not_shown() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError) as caught:
        open_store("postgresql://ann:secret@127.0.0.1:1/none")
    assert "cannot be opened" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("before", [None, 0o644, 0o666])
def test_the_files_of_a_store_are_for_their_owner(tmp_path: Path, before: int | None) -> None:
    """New ones, and those that an older version left to everybody; so are backups."""
    path = tmp_path / "team.db"
    usual = os.umask(0o022)
    try:
        if before is not None:
            open_store(path).close()
            path.chmod(before)
        store = open_store(path)
        with store.writing() as session:
            session.add(User(name="ann", password_hash="-"))
        backup(store, tmp_path / "copy.db")
        found = {one.name: oct(one.stat().st_mode & 0o777) for one in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(usual)
    assert found == dict.fromkeys(["team.db", "team.db-wal", "team.db-shm", "copy.db"], "0o600")
