"""Scores that were computed before, kept on disk: each text is scored once, by whoever asks.

One SQLite file for all metrics. A row is found by what was scored, not by where it stood: a hash
of source, hypothesis and references, under the identity of the metric. Its write-ahead log keeps
it whole when a program is killed, and lets several programs read and write at once.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from math import isnan
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from tertium.errors import InputError, OptionError
from tertium.suggestions import did_you_mean
from tertium.version import __version__

# Words on standard error, for what a user must know and a result has no place for.


def say(line: str) -> None:
    """One line, as the command line says all that is no result."""
    sys.stderr.write(f"tertium: {line}\n")
    sys.stderr.flush()


def show(text: str) -> None:
    """A text in the place of the last one, on a terminal; an empty one takes it away."""
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


T = TypeVar("T")

VARIABLE: Final = "TERTIUM_CACHE"
"""The folder of the cache, or ``off``."""
FILE: Final = "scores.sqlite"
PATIENCE: Final = 10.0
"""Seconds to wait for another program that writes."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS metrics (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS scores (
    metric INTEGER NOT NULL, key BLOB NOT NULL, score REAL NOT NULL, PRIMARY KEY (metric, key)
) WITHOUT ROWID;
"""
_BETWEEN_TRIES: Final = 0.01
_FAILED: Final[set[Path]] = set()
"""Caches that failed in this process, so that it is said once."""
_AT_ONCE: Final = 500
"""Keys in one question: SQLite takes 999 variables at least."""


class Identity(NamedTuple):
    """Whose scores they are; ``rest`` is all else that decides a score."""

    name: str
    model: str
    version: str
    precision: str
    rest: str = ""

    def __str__(self) -> str:
        return "\t".join(" ".join(part.split()) for part in self)


class CachedMetric(NamedTuple):
    """A metric in the cache, and how many scores it has there."""

    identity: Identity
    scores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheContents:
    """What lies in the cache."""

    path: str
    size: int
    metrics: tuple[CachedMetric, ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "path": self.path,
            "bytes": self.size,
            "metrics": [
                {**metric.identity._asdict(), "scores": metric.scores} for metric in self.metrics
            ],
        }


def cache_file() -> Path | None:
    """Where the cache is; ``None`` if it is turned off."""
    told = os.environ.get(VARIABLE)
    if told is not None and told.lower() in {"", "off", "no", "0"}:
        return None
    return (Path(told) if told else _usual_folder()) / FILE


def _usual_folder() -> Path:
    if sys.platform == "win32":  # pragma: no cover
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "tertium" / "Cache"
    if sys.platform == "darwin":  # pragma: no cover
        return Path.home() / "Library" / "Caches" / "tertium"
    told = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(told) if Path(told).is_absolute() else Path.home() / ".cache") / "tertium"


def text_key(source: str | None, hypothesis: str, references: Sequence[str]) -> bytes:
    """The hash of all that was scored; where one text ends and the next begins counts, too."""
    digest = blake2b(digest_size=16)
    for text in (source, hypothesis, *references):
        data = b"" if text is None else text.encode("utf-8", "surrogatepass")
        digest.update(f"{-1 if text is None else len(data)}:".encode())
        digest.update(data)
    return digest.digest()


class ScoreCache:
    """The scores of one metric; a cache that fails says so once and is gone on without."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._path = cache_file()

    def known(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Those of the keys that have a score."""
        return self._tried(lambda base: _found(base, self._identity, keys)) or {}

    def keep(self, scores: Mapping[bytes, float]) -> None:
        """Add some scores, all of them or none."""
        if scores:
            self._tried(lambda base: _add(base, self._identity, scores))

    def _tried(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        """One step with a connection of its own, since threads and forks must not share one."""
        path = self._path
        if path is None or path in _FAILED:
            return None
        try:
            with _connected(path) as base:
                return act(base)
        except (sqlite3.Error, OSError, MemoryError) as error:
            say(f"{path}: {error or 'out of memory'}; going on without the cache")
            _FAILED.add(path)
            return None


def _found(
    base: sqlite3.Connection, identity: Identity, keys: Sequence[bytes]
) -> dict[bytes, float]:
    metric = _number(base, identity)
    scores: dict[bytes, float] = {}
    for begin in range(0, len(keys), _AT_ONCE):
        some = keys[begin : begin + _AT_ONCE]
        marks = ",".join("?" * len(some))
        question = f"SELECT key, score FROM scores WHERE metric=? AND key IN ({marks})"  # noqa: S608
        scores.update(base.execute(question, [metric, *some]))
    return scores


def _add(base: sqlite3.Connection, identity: Identity, scores: Mapping[bytes, float]) -> None:
    base.execute("INSERT OR IGNORE INTO metrics (identity) VALUES (?)", [str(identity)])
    metric = _number(base, identity)
    rows = [(metric, key, score) for key, score in scores.items()]
    base.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", rows)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    path.parent.mkdir(parents=True, exist_ok=True)
    base = sqlite3.connect(path, timeout=PATIENCE)
    try:
        _made_ready(base)
        with base:
            yield base
    finally:
        base.close()


def _made_ready(base: sqlite3.Connection) -> None:
    """Give a new file its log and its tables.

    SQLite does not wait for others that begin the log at the same moment, so this does.
    """
    latest = monotonic() + PATIENCE
    while True:
        try:
            if base.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=NORMAL")
            base.executescript(_SCHEMA)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > latest:
                raise
            sleep(_BETWEEN_TRIES)
        else:
            return


def _number(base: sqlite3.Connection, identity: Identity) -> int | None:
    """What stands for the metric in the table of scores; nothing if it has none yet."""
    row = base.execute("SELECT id FROM metrics WHERE identity=?", [str(identity)]).fetchone()
    return None if row is None else row[0]


def cache_contents() -> CacheContents | None:
    """All metrics in the cache, with how many scores they have; ``None`` if it is turned off."""
    path = cache_file()
    if path is None:
        return None
    if not path.is_file():
        return CacheContents(path=str(path), size=0, metrics=())
    question = (
        "SELECT identity, COUNT(key) FROM metrics LEFT JOIN scores ON id = metric "
        "GROUP BY id ORDER BY identity"
    )
    with _readable(path), _connected(path) as base:
        rows = base.execute(question).fetchall()
    metrics = (CachedMetric(Identity(*text.split("\t")), count) for text, count in rows)
    return CacheContents(path=str(path), size=path.stat().st_size, metrics=tuple(metrics))


def clear_cache(names: Sequence[str] = ()) -> int:
    """Forget the scores of the metrics of these names, or of all; say how many there were."""
    contents = cache_contents()
    if contents is None or not contents.metrics:
        return 0
    known = {metric.identity.name for metric in contents.metrics}
    for name in names:
        if name not in known:
            raise OptionError(did_you_mean("metric in the cache", name, known))
    gone = [metric for metric in contents.metrics if not names or metric.identity.name in names]
    path = Path(contents.path)
    with _readable(path), _connected(path) as base:
        for one in gone:
            number = _number(base, one.identity)
            base.execute("DELETE FROM scores WHERE metric=?", [number])
            base.execute("DELETE FROM metrics WHERE id=?", [number])
    with _readable(path), _connected(path) as base:
        base.isolation_level = None  # not inside of a transaction
        base.execute("VACUUM")
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(metric.scores for metric in gone)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(
            f"{path}: {error}, expected a cache of scores; delete the file to begin anew"
        ) from None


# Each text scored once: what is equal is asked for once, and what is known not at all.


class Question(NamedTuple):
    """A text to be scored."""

    source: str | None
    hypothesis: str
    references: tuple[str, ...]

    @property
    def key(self) -> bytes:
        """What the cache knows it by."""
        return text_key(self.source, self.hypothesis, self.references)


Ask: TypeAlias = Callable[[Sequence[Question]], Iterator[Sequence[float | None]]]
"""Questions in, answers out, in their order and as many at a time as come together."""


def cached_scores(
    questions: Sequence[Question], ask: Ask, identity: Identity | None
) -> list[float | None]:
    """The answers to all questions; those that come are kept at once, so that none is lost.

    Without an identity nothing is kept. What has no score is asked for again the next time.
    """
    keys = [question.key for question in questions]
    distinct = dict(zip(keys, questions, strict=True))
    cache = None if identity is None else ScoreCache(identity)
    answers: dict[bytes, float | None] = {} if cache is None else {**cache.known(list(distinct))}
    left = [key for key in distinct if key not in answers]
    offset = 0
    for some in ask([distinct[key] for key in left]) if left else ():
        fresh = dict(zip(left[offset : offset + len(some)], some, strict=True))
        offset += len(some)
        answers |= fresh
        if cache is not None:
            cache.keep({k: v for k, v in fresh.items() if v is not None and not isnan(v)})
    return [answers[key] for key in keys]
