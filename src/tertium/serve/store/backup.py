"""Backup and restore: all rows, in a file of SQLite, whatever the store is.

So a backup of PostgreSQL can be restored to SQLite and the other way round, and a backup can be
looked at with any program that knows SQLite.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from tertium.errors import InputError
from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.schema import Base

LEFT_OUT: Final = frozenset({"login_session", "idempotency"})
"""Who is logged in, and answers of the last day: not to be brought back from the past."""
AT_ONCE: Final = 50
"""Rows that are copied together; a row of text may have megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """How many rows of which table were copied."""

    place: str
    rows: dict[str, int]

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.rows.values())


def backup(store: Store, path: str | Path) -> Copied:
    """Write one state of a store to a new file, while others may go on changing it."""
    path = Path(path)
    if path.exists():
        raise InputError(f"{path}: found a file, expected none yet")
    if not path.parent.is_dir():
        raise InputError(f"{path}: found no folder {path.parent}, expected one")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        target = open_store(name)
        try:
            rows = _copy(store, target)
            with target.engine.connect() as connection:
                # One file, without the log that SQLite keeps beside it.
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
        finally:
            target.close()
        with Path(name).open("rb+") as file:
            os.fsync(file.fileno())
        Path(name).replace(path)
    except (DatabaseError, OSError) as error:
        reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
        found = str(reason).strip().partition("\n")[0]
        raise InputError(f"{path}: {found}, expected a backup; none was written") from None
    finally:
        for left in (name, f"{name}-wal", f"{name}-shm"):
            Path(left).unlink(missing_ok=True)
    return Copied(place=str(path), rows=rows)


def restore(path: str | Path, store: Store) -> Copied:
    """Fill an empty store from a backup, also from one of an older tertium."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: found no file, expected a backup")
    with store.reading() as session:
        filled = [name for name, rows in _counts(session).items() if rows]
    if filled:
        raise InputError(f"store {store.name}: found rows in {filled[0]}, expected an empty store")
    with tempfile.TemporaryDirectory() as folder:
        copy = (
            Path(folder) / "backup.db"
        )  # which may have to be migrated; the backup stays as it is
        shutil.copyfile(path, copy)
        source = open_store(copy)
        try:
            rows = _copy(source, store)
        finally:
            source.close()
    return Copied(place=store.name, rows=rows)


def _copy(source: Store, target: Store) -> dict[str, int]:
    counts = {}
    with source.reading() as reader, target.writing() as writer:
        for table in Base.metadata.sorted_tables:
            if table.name in LEFT_OUT:
                continue
            query = select(table).order_by(table.c.id).execution_options(yield_per=AT_ONCE)
            count = 0
            for some in reader.execute(query).mappings().partitions():
                writer.execute(insert(table), [dict(one) for one in some])
                count += len(some)
            counts[table.name] = count
        if not target.sqlite:
            _set_sequences(writer.connection())
    return counts


def _set_sequences(connection: Connection) -> None:
    """The next row gets the number after the last; PostgreSQL counts beside the table."""
    for table in Base.metadata.sorted_tables:
        highest = connection.scalar(select(func.max(table.c.id)))
        if highest is not None:
            connection.execute(
                text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :highest)"),
                {"table": f'"{table.name}"', "highest": highest},
            )


def _counts(session: Session) -> dict[str, int]:
    return {
        table.name: session.scalar(select(func.count()).select_from(table)) or 0
        for table in Base.metadata.sorted_tables
    }
