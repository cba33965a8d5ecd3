"""A PostgreSQL of the tests' own: Debian's programs, a socket in a temporary folder."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Base
from tests.support.commands import PATIENCE

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
}
"""Nobody needs the data of a test after a power cut."""


@contextmanager
def postgres(settings: Mapping[str, str] = SETTINGS) -> Iterator[Path]:
    """Start a server; its socket is in the folder that is given."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL on this machine (Debian: apt install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="tertium-postgres-"))
    identity = _identity(folder)
    data = folder / "data"
    try:
        subprocess.run(
            [PROGRAMS[-1] / "initdb", "--no-sync", "-A", "trust", "-U", "tertium", "-D", data,
             "-E", "UTF8", "--locale=C.UTF-8"],
            check=True, capture_output=True, cwd=folder, **identity,
        )  # fmt: skip
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [PROGRAMS[-1] / "postgres", "-D", data, "-k", folder, *options],
                stdout=log, stderr=log, cwd=folder, **identity,
            )  # fmt: skip
        try:
            _wait_for(server, folder)
            yield folder
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def address(folder: Path, database: str) -> str:
    """The address of a database of the server."""
    return f"postgresql://tertium@/{database}?host={folder}"


def run_sql(folder: Path, statement: str) -> None:
    """Run a statement outside of any transaction, such as to make a database."""
    import psycopg

    with psycopg.connect(address(folder, "postgres"), autocommit=True) as connection:
        connection.execute(statement.encode())


def empty(store: Store) -> None:
    """Delete everything that a database has, and let numbers begin anew."""
    names = ", ".join(f'"{name}"' for name in Base.metadata.tables)
    store.engine.dispose()
    with store.engine.begin() as connection:
        # Whoever was killed in the test before may not have been missed yet.
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))


def _identity(folder: Path) -> dict[str, Any]:
    """PostgreSQL refuses to be root: somebody who may do nothing else runs it."""
    if os.getuid() != 0:
        return {}
    import pwd

    names = {one.pw_name for one in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    who = pwd.getpwnam(name)
    os.chown(folder, who.pw_uid, who.pw_gid)
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


def _wait_for(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    import psycopg

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert server.poll() is None, (folder / "log").read_text(encoding="utf-8")
        try:
            psycopg.connect(address(folder, "postgres")).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("PostgreSQL did not start")
