"""Where a server under test keeps everything: a file, or a PostgreSQL that runs for this alone."""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from serving.server import children

KINDS = ("sqlite", "postgres")


@dataclass(frozen=True, slots=True)
class Database:
    """The address of a store, and how one of the database's processes is killed, if it has any."""

    kind: str
    place: str
    kill: Callable[[], None] | None = None


@contextmanager
def database(kind: str, folder: Path, *, seed: int = 1) -> Iterator[Database]:
    """An empty store."""
    if kind == "sqlite":
        yield Database(kind, str(folder / "store.db"))
        return
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from tests.support.serve.postgres import PROGRAMS, SETTINGS, address, postgres, run_sql

    if not PROGRAMS:
        raise SystemExit("no PostgreSQL on this machine (Debian: apt install postgresql)")
    rng = random.Random(seed)
    # What PostgreSQL acknowledges must survive its own end: its log is written at every commit.
    with postgres({**SETTINGS, "synchronous_commit": "on", "full_page_writes": "on"}) as sockets:
        run_sql(sockets, "CREATE DATABASE bench")
        yield Database(kind, address(sockets, "bench"), lambda: _kill_backend(sockets, rng))


def _kill_backend(sockets: Path, rng: random.Random) -> None:
    """SIGKILL for a process of one connection; PostgreSQL then ends all and recovers."""
    postmaster = int((sockets / "data" / "postmaster.pid").read_text("utf-8").split()[0])
    backends = [one for one in children(postmaster) if "bench" in _title(one)]
    if backends:
        os.kill(rng.choice(backends), signal.SIGKILL)


def _title(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_text("utf-8")
    except OSError:
        return ""  # it has ended meanwhile
