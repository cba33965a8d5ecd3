"""One store: an engine, its transactions, and the way to the newest version of its tables."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.orm import Session

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint

DEFAULT_STORE: Final = "tertium.db"
WAIT: Final = 30
"""Seconds that one writer waits for another."""
CONNECTIONS: Final = 40
"""As many as the server has threads for requests."""
CACHE: Final = 512
"""kB of pages that each connection to SQLite keeps; the system keeps the file for all of them.

SQLite's own 2 MB for each would be 80 MB of a server that was busy once.
"""
ANSWER: Final = 30.0
"""Seconds that PostgreSQL may take for one statement, before its connection is given up.

A network that swallows what is sent tells nobody so: without a limit every thread of the server
would wait for ever, and go on waiting when the database is back.
"""
NETWORK: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""How libpq notices that the other side is gone; an address may say otherwise."""
PRIVATE: Final = 0o600
IMMEDIATE: Final = "tertium_immediate"
"""Option of connections that take SQLite's one lock for writers as they begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """Where everything is kept. Every change is one ``with store.writing() as session:``."""

    url: URL
    engine: Engine
    _turn: Lock = field(default_factory=Lock, repr=False, compare=False)

    @property
    def name(self) -> str:
        """How messages call it: without a password."""
        if self.sqlite:
            return str(self.url.database)
        return self.url.render_as_string(hide_password=True)

    @property
    def address(self) -> str:
        """Where it is, password included; for other processes, never for people."""
        return self.url.render_as_string(hide_password=False)

    @property
    def sqlite(self) -> bool:
        """Whether it is a file of SQLite."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the store, however long it reads."""
        bind = self.engine
        if not self.sqlite:
            bind = bind.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        with Session(bind, expire_on_commit=False, autoflush=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are kept all, or none if an error leaves the block.

        Keep it short: SQLite has one writer at a time. Compute before it begins.
        """
        # Threads of this process wait in line; SQLite itself would let them sleep and try again.
        with self._turn if self.sqlite else nullcontext():
            bind = self.engine.execution_options(**{IMMEDIATE: True})
            with Session(bind, expire_on_commit=False) as session, session.begin():
                yield session

    def migrate(self) -> None:
        """Bring the tables to the newest version; a store of a newer tertium is refused."""
        from tertium.serve.store.migration import migrate

        migrate(self)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def open_store(place: str | Path = DEFAULT_STORE, *, migrate: bool = True) -> Store:
    """The store at an address, made where it is a file that does not exist.

    Args:
        place: a file of SQLite, or ``postgresql://USER@HOST/DATABASE``.
        migrate: bring its tables to the newest version.
    """
    url = store_url(place)
    engine = _sqlite_engine(url) if url.get_backend_name() == "sqlite" else _postgres_engine(url)
    store = Store(url=url, engine=engine)
    try:
        with engine.connect():
            pass
        if migrate:
            store.migrate()
    except DatabaseError as error:
        store.close()
        reason = str(error.orig).strip().partition("\n")[0]
        raise InputError(f"store {store.name}: cannot be opened: {reason}") from None
    except BaseException:
        store.close()
        raise
    return store


def store_url(place: str | Path) -> URL:
    """The address in SQLAlchemy's words; a path is a file of SQLite."""
    text = str(place)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise OptionError(
            f"store {text!r}: found no address, expected a file or postgresql://…"
        ) from None
    if url.drivername == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url
    if url.drivername in {"postgresql", "postgres", "postgresql+psycopg"}:
        return url.set(drivername="postgresql+psycopg")
    shown = url.render_as_string(hide_password=True)
    raise OptionError(f"store {shown!r}: expected a file, sqlite:///FILE or postgresql://…")


def _sqlite_engine(url: URL) -> Engine:
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise InputError(f"store {url.database}: found no folder {folder}, expected one")
    _make_private(Path(str(url.database)))
    engine = create_engine(
        url,
        pool_size=CONNECTIONS,
        max_overflow=CONNECTIONS,
        # The connection that was used last: each has pages of the file in memory.
        pool_use_lifo=True,
        connect_args={"timeout": WAIT},
        hide_parameters=True,  # a text that could not be stored is not to be in the log
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={WAIT * 1000}",
            f"cache_size=-{CACHE}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(IMMEDIATE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _make_private(path: Path) -> None:
    """Leave a store to its owner: hashes of passwords, tokens and unpublished texts are in it.

    SQLite gives the files beside it (``-wal``, ``-shm``) the permissions of the store itself.
    """
    if os.name != "posix":
        return
    try:
        # Only a new file is opened: to close another would end the locks that SQLite has on it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm"), Path(f"{path}-journal")):
            with suppress(FileNotFoundError):
                if stat.S_ISREG(name.stat().st_mode) and name.stat().st_mode & 0o077:
                    name.chmod(PRIVATE)
    except OSError as error:
        if error.errno in {errno.EPERM, errno.EROFS}:
            return  # another's file, or a disk that is only read: SQLite says what is wrong, if any
        raise InputError(f"store {path}: cannot be opened: {error.strerror}") from None


def _postgres_engine(url: URL) -> Engine:
    try:
        engine = create_engine(
            url,
            pool_size=CONNECTIONS // 4,
            max_overflow=CONNECTIONS // 2,  # PostgreSQL has 100 for all servers and workers
            pool_pre_ping=True,
            pool_timeout=ANSWER,
            connect_args={name: value for name, value in NETWORK.items() if name not in url.query},
            hide_parameters=True,
        )
        connection_class = _bounded_connections()
    except ImportError:
        raise MissingExtraError(
            f"store: package 'psycopg' is not installed; {install_hint('postgres')}"
        ) from None

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Any, _record: Any, words: Any, options: Any) -> Any:
        return connection_class.connect(*words, **options)

    return engine


def _bounded_connections() -> Any:
    """Connections of psycopg that are closed where an answer takes longer than `ANSWER`."""
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        """Everything that waits for the database goes through `wait`."""

        unbounded = False
        """Set while tables are migrated, which may take as long as it takes."""

        def wait(self, gen: Any, *words: Any, **options: Any) -> Any:
            """Drive psycopg's generator, which is told 0 whenever nothing came for a moment."""
            return super().wait(self._bounded(gen), *words, **options)

        def _bounded(self, gen: Any) -> Any:
            end = monotonic() + ANSWER
            try:
                waited_for = next(gen)
                while True:
                    ready = yield waited_for
                    if not ready and monotonic() > end and not self.unbounded:
                        gen.close()
                        self.pgconn.finish()
                        raise psycopg.OperationalError(f"no answer in {ANSWER:g} s")
                    waited_for = gen.send(ready)
            except StopIteration as done:
                return done.value

    return BoundedConnection
