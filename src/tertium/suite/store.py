"""What earlier runs of suites left: rows of statistics, decisions of test sets, and the runs.

One SQLite file, by default beside the scores of other programs in the system's folder of caches.
Rows and decisions are found by a hash of all that they depend on, so that a file is a cache for
any number of suites; runs are found by the path of their suite. What nobody asked for in 90 days is
dropped.
"""

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path
from time import time
from typing import Any, Final, Self

import numpy as np

from tertium.errors import InputError
from tertium.metrics.contract.base import Rows
from tertium.metrics.foreign.cache import cache_file

FILE: Final = "suites.sqlite"
KEPT_DAYS: Final = 90
KEPT_RUNS: Final = 100
"""Of one suite."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value BLOB NOT NULL, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY, suite TEXT NOT NULL, time REAL NOT NULL, result TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_of_suite ON runs (suite, id);
"""


class SuiteStore:
    """Rows, decisions and runs in a file; without a file nothing is kept.

    >>> with SuiteStore(None) as store:
    ...     store.save("key", {"a": 1})
    ...     print(store.decision("key"), store.last_run("suite.toml"))
    None None
    """

    def __init__(self, path: str | PathLike[str] | None) -> None:
        self._connection: sqlite3.Connection | None = None
        self._path = "" if path is None else str(path)
        if path is None:
            return
        with self._readable():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_SCHEMA)

    @classmethod
    def usual(cls) -> Self:
        """The store in the folder of caches; none where caches are turned off."""
        cache = cache_file()
        return cls(None if cache is None else cache.with_name(FILE))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def rows(self, key: str) -> Rows | None:
        """The statistics of one system by one metric."""
        data = self._get(f"rows {key}")
        if data is None:
            return None
        loaded: Rows = np.load(io.BytesIO(data), allow_pickle=False)
        return loaded

    def save_rows(self, key: str, rows: Rows) -> None:
        """Keep the statistics of one system by one metric."""
        buffer = io.BytesIO()
        np.save(buffer, np.ascontiguousarray(rows), allow_pickle=False)
        self._set(f"rows {key}", buffer.getvalue())

    def decision(self, key: str) -> dict[str, Any] | None:
        """What was decided of a test set."""
        data = self._get(f"decision {key}")
        return None if data is None else json.loads(data)

    def save(self, key: str, decision: dict[str, Any]) -> None:
        """Keep what was decided of a test set."""
        self._set(f"decision {key}", json.dumps(decision).encode())

    def last_run(self, suite: str) -> dict[str, Any] | None:
        """The result of the last run of a suite, as JSON has it."""
        if self._connection is None:
            return None
        with self._readable():
            row = self._connection.execute(
                "SELECT result FROM runs WHERE suite = ? ORDER BY id DESC LIMIT 1",
                (str(Path(suite).resolve()),),
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def add_run(self, suite: str, result: dict[str, Any]) -> None:
        """Keep a run, and forget what nobody has asked for in a long time."""
        if self._connection is None:
            return
        name = str(Path(suite).resolve())
        with self._readable(), closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            cursor.execute(
                "INSERT INTO runs (suite, time, result) VALUES (?, ?, ?)",
                (name, time(), json.dumps(result)),
            )
            cursor.execute(
                "DELETE FROM runs WHERE suite = ? AND id NOT IN "
                "(SELECT id FROM runs WHERE suite = ? ORDER BY id DESC LIMIT ?)",
                (name, name, KEPT_RUNS),
            )
            cursor.execute("DELETE FROM kept WHERE used < ?", (time() - KEPT_DAYS * 86_400,))
            cursor.execute("COMMIT")

    def _get(self, key: str) -> bytes | None:
        if self._connection is None:
            return None
        with self._readable():
            row = self._connection.execute(
                "UPDATE kept SET used = ? WHERE key = ? RETURNING value", (time(), key)
            ).fetchone()
        return None if row is None else row[0]

    def _set(self, key: str, value: bytes) -> None:
        if self._connection is None:
            return
        with self._readable():
            self._connection.execute(
                "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, value, time())
            )

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"{self._path}: {error}, expected a file of runs (--history names another)"
            ) from None
