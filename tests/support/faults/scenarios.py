"""What is done while calls fail, and what must hold afterwards.

To add one, write a `Scenario` and put it into `SCENARIOS`: ``begin`` makes its material, ``act``
does the work and raises what it raises, ``check`` looks at what is left, with nothing failing.
"""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from gzip import compress
from itertools import count
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from tests.support.places import SAMPLE

REFERENCE: Final = "reference.1.en"
LINES: Final = 40
REPEATED: Final = 10


class Refused(Exception):  # noqa: N818 - an answer that is allowed, no failure of a test
    """The work was refused as users are told: one line, and exit code 2."""


class Outcome(NamedTuple):
    """What the work gave, or the error by which it ended."""

    value: Any
    error: BaseException | None

    @property
    def done(self) -> bool:
        return self.error is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Work on files, by a command or a part of the library."""

    begin: Callable[[Path], Any]
    """Makes the material below a folder; called once for a sweep."""
    act: Callable[[Any], Any]
    """Does the work, while calls fail."""
    check: Callable[[Any, Outcome], Iterator[str]]
    """Sentences on what is wrong."""
    faults: tuple[str, ...] = ("writes",)
    refusals: tuple[str, ...] = ("Refused", "TertiumError", "InputError")
    """Names of errors that the work may end by."""
    prepare: Callable[[Any], None] = lambda _: None
    """What precedes the work, while no call fails."""


# Commands


def run_command(*words: str) -> str:
    """What a command prints; `Refused` if it fails as it should, an error if it does not."""
    from tertium.cli.main import main

    with TemporaryDirectory(dir="/dev/shm") as folder:  # where no call fails
        printed, said_there = Path(folder) / "out", Path(folder) / "err"
        with (
            printed.open("w") as out,
            said_there.open("w") as err,
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                status = main(words)
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
        text, said = (path.read_text(encoding="utf-8") for path in (printed, said_there))
    if status == 0:
        return text
    if status == 2 and said.count("\n") == 1 and "internal error" not in said:
        raise Refused(said.strip())
    raise AssertionError(f"exit code {status}: {said.strip()[-500:]}")


def sample_lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()[:LINES]


def write_inputs(folder: Path) -> None:
    """Files of a format each, of the same texts."""
    reference, hypothesis = (
        sample_lines(name) * REPEATED for name in (REFERENCE, "systems/elm.txt")
    )
    rows = list(zip(reference, hypothesis, strict=True))
    text = {
        "ref.txt": "".join(f"{line}\n" for line in reference),
        "elm.txt": "".join(f"{line}\n" for line in hypothesis),
        "oak.txt": "".join(f"{line}\n" for line in sample_lines("systems/alder.txt") * REPEATED),
        "both.tsv": "reference\thypothesis\n" + "".join(f"{a}\t{b}\n" for a, b in rows),
        "both.csv": "reference,hypothesis\n"
        + "".join(
            ",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows
        ),
        "both.jsonl": "".join(
            json.dumps({"reference": a, "hypothesis": b}) + "\n" for a, b in rows
        ),
        "lists.txt": "".join(
            f"{number} ||| {line} {word} ||| a=1 ||| -{at}\n"
            for number, line in enumerate(hypothesis[:8])
            for at, word in enumerate(("a", "b", "c"))
        ),
    }
    for name, content in text.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "elm.txt.gz").write_bytes(compress(text["elm.txt"].encode(), mtime=0))
    (folder / "elm.utf16").write_bytes(text["elm.txt"].encode("utf-16"))
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return
    table = pyarrow.table({"reference": reference, "hypothesis": hypothesis})
    pyarrow.parquet.write_table(table, folder / "both.parquet", row_group_size=10)


@dataclass(slots=True)
class Written:
    """A command that writes a file, and the file as it is and as it should become."""

    folder: Path
    words: list[str]
    target: Path
    expected: bytes
    before: bytes | None = None
    rounds: Iterator[int] = field(default_factory=count)


def writes(name: str, *words: str) -> Scenario:
    """A command that writes one file, which is whole or what it was; drafts do not stay."""

    def begin(folder: Path) -> Written:
        write_inputs(folder)
        target = folder / "out" / name
        target.parent.mkdir()
        full = [word.replace("IN/", f"{folder}/").replace("OUT", str(target)) for word in words]
        run_command(*full)
        expected = target.read_bytes()
        return Written(folder, full, target, expected)

    def prepare(state: Written) -> None:
        # In turn over an older file and without one.
        state.before = b"older\n" if next(state.rounds) % 2 else None
        state.target.unlink(missing_ok=True)
        if state.before is not None:
            state.target.write_bytes(state.before)

    def check(state: Written, outcome: Outcome) -> Iterator[str]:
        found = state.target.read_bytes() if state.target.exists() else None
        allowed = [state.expected] if outcome.done else [state.before, state.expected]
        if not any(_same(found, one) for one in allowed):
            size = "no file" if found is None else f"{len(found)} bytes"
            yield f"{name}: found {size}, expected a whole file or the one before"
        left = sorted(path.name for path in state.target.parent.iterdir() if path != state.target)
        if left:
            yield f"{name}: left {', '.join(left)}"
            for one in left:
                (state.target.parent / one).unlink()

    return Scenario(
        begin=begin, prepare=prepare, act=lambda state: run_command(*state.words), check=check
    )


def _same(found: bytes | None, expected: bytes | None) -> bool:
    if found is None or expected is None:
        return found is expected
    if found[:2] == b"PK" == expected[:2]:  # archives have times in them
        return _members(found) == _members(expected)
    return found == expected


def _members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def reads(*words: str) -> Scenario:
    """A command that reads: its result is that of the whole files, or there is none."""

    def begin(folder: Path) -> tuple[list[str], str]:
        write_inputs(folder)
        full = [word.replace("IN/", f"{folder}/") for word in words]
        return full, run_command(*full)

    def check(state: tuple[list[str], str], outcome: Outcome) -> Iterator[str]:
        if outcome.done and outcome.value != state[1]:
            yield f"found another result than of whole files: {outcome.value[:200]!r}"
        said = str(outcome.error)
        if isinstance(outcome.error, Refused) and not any(
            sign in said for sign in ("/files/", "tertium: memory: ")
        ):
            yield f"does not say which file: {said}"

    return Scenario(
        begin=begin,
        act=lambda state: run_command(*state[0]),
        check=check,
        faults=("reads", "allocations"),
    )


MANY_METRICS: Final = (
    *("score", "IN/ref.txt", "-i", "IN/elm.txt", "IN/oak.txt", "-f", "json", "--threads", "4"),
    *("-m", "bleu", "chrf", "ter", "wer", "gtm", "ribes", "rouge-l", "nist", "meteor", "amber"),
)
"""What a fault within the core may end, or not: threads that cannot be had are done without."""


@dataclass(slots=True)
class Resumed:
    """A run that can be gone on with, and what it should give."""

    words: list[str]
    target: Path
    expected: bytes


def _begin_resumed(folder: Path) -> Resumed:
    write_inputs(folder)
    target = folder / "out" / "chosen.txt"
    target.parent.mkdir()
    words = ["mbr", f"{folder}/lists.txt", "-f", "lines", "-q", "--resume", "-o", str(target)]
    run_command(*words)
    return Resumed(words, target, target.read_bytes())


def _check_resumed(state: Resumed, outcome: Outcome) -> Iterator[str]:
    if outcome.done and state.target.read_bytes() != state.expected:
        yield "found another result than without a fault"
    if state.target.exists() and state.target.read_bytes() != state.expected:
        yield "found a part under the name of the whole"
    try:
        run_command(*state.words)  # goes on, or begins anew
    except Refused as error:
        yield f"cannot be gone on with: {error}"
    if not state.target.exists() or state.target.read_bytes() != state.expected:
        yield "found another result after going on"
    for path in state.target.parent.iterdir():
        if path != state.target:
            yield f"left {path.name}"
            path.unlink()


# Folders of finished parts

PARTS: Final = {number: b"part %d " % number * 1000 for number in range(4)}


def _write_parts(folder: Path) -> None:
    from tertium.scale.engine.work import PartFolder

    parts = PartFolder(folder, {"run": 1})
    for number, data in PARTS.items():
        if parts.part(number, lambda: ["state"]) is None:
            parts.keep(number, {"bytes": len(data)}, data, ["state"])


def _remove(folder: Path) -> None:
    rmtree(folder, ignore_errors=True)


def _begin_parts(folder: Path) -> Path:
    return folder / "parts"


def _check_parts(folder: Path, _: Outcome) -> Iterator[str]:
    from tertium.errors import TertiumError
    from tertium.scale.engine.work import PartFolder

    try:
        parts = PartFolder(folder, {"run": 1})
        for number, data in PARTS.items():
            part = parts.part(number, lambda: ["state"])
            if part is not None and parts.data(number).read_bytes() != data:
                yield f"part {number}: found other bytes than were kept"
        _write_parts(folder)
    except TertiumError as error:
        yield f"cannot be gone on with: {error}"
    names = {path.name for path in folder.iterdir()}
    if left := {name for name in names if name.startswith(".")}:
        yield f"left {', '.join(sorted(left))}"


# The cache of scores

KEYS: Final = {bytes([number]) * 16: number / 7 for number in range(64)}


def _cache(folder: Path) -> Any:
    import os

    from tertium.metrics.foreign import cache

    os.environ["TERTIUM_CACHE"] = str(folder)
    cache._FAILED.clear()  # noqa: SLF001 - as a new process has it
    return cache.ScoreCache(cache.Identity("Mine", "m", "1", "fp32"))


def _begin_cache(folder: Path) -> Path:
    return folder / "cache"


def _act_cache(folder: Path) -> dict[bytes, float]:
    with redirect_stderr(io.StringIO()):  # it says that it goes on without
        cache = _cache(folder)
        cache.keep(dict(list(KEYS.items())[:32]))
        cache.keep(dict(list(KEYS.items())[32:]))
        found: dict[bytes, float] = cache.known(list(KEYS))
    return found


def _check_cache(folder: Path, outcome: Outcome) -> Iterator[str]:
    if not outcome.done:
        yield f"a cache that fails is gone on without, but: {outcome.error!r}"
        return
    wrong = {key for key, score in outcome.value.items() if KEYS[key] != score}
    if wrong:
        yield f"{len(wrong)} scores are other numbers than were kept"
    file = folder / "scores.sqlite"
    if file.exists() and (found := _integrity(file)) != "ok":
        yield f"{file.name}: {found}"
    _cache(folder).keep(KEYS)
    if _cache(folder).known(list(KEYS)) != KEYS:
        yield "cannot be used after the fault"


def _integrity(file: Path) -> str:
    base = sqlite3.connect(file)
    try:
        return str(base.execute("PRAGMA integrity_check").fetchone()[0])
    except sqlite3.Error as error:
        return str(error)
    finally:
        base.close()


# The store of a server


@dataclass(slots=True)
class Served:
    """A server in this process, over a store that lasts for a whole sweep."""

    site: Any
    work: Callable[["Served", int], None]
    number: Iterator[int] = field(default_factory=lambda: count(1))
    acknowledged: list[Any] = field(default_factory=list)
    test_set: int = 0
    campaign: int = 0


_DATABASE_ERRORS: Final = ("OperationalError", "DatabaseError", "InterfaceError", "MemoryError")


def served(
    work: Callable[[Served, int], None], check: Callable[[Served], Iterator[str]]
) -> Scenario:
    """Changes of a store: what was acknowledged is there, `check` is clean, the next one works."""

    def begin(folder: Path) -> Served:
        state = Served(_site(folder), work)
        from tests.support.serve.named import sample_set

        state.test_set = sample_set(state.site.store)
        return state

    def act(state: Served) -> None:
        state.work(state, next(state.number))

    def whole(state: Served, _: Outcome) -> Iterator[str]:
        from tertium.serve.store.check import check_store

        yield from check_store(state.site.store).problems
        yield from check(state)
        try:
            state.work(state, next(state.number))
        except Exception as error:  # noqa: BLE001 - whatever it is, it should not be
            yield f"the next change fails, too: {type(error).__name__}: {error}"

    return Scenario(
        begin=begin,
        act=act,
        check=whole,
        faults=("writes", "reads", "allocations"),
        refusals=("Refused", *_DATABASE_ERRORS),
    )


_PORTALS: Final[list[Any]] = []


def _site(folder: Path) -> Any:
    from anyio.from_thread import start_blocking_portal
    from argon2 import PasswordHasher

    from tertium.serve.accounts import tokens
    from tertium.serve.settings import Settings
    from tertium.serve.store.connection import open_store
    from tertium.serve.web.app import make_app
    from tests.support.serve.site import Site
    from tests.support.serve.world import make_world

    tokens.HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    store = open_store(folder / "store.db")
    world = make_world(store)
    app = make_app(store, Settings(requests_per_minute=10**9, logins_per_minute=10**9, workers=0))
    _PORTALS.append(start_blocking_portal())  # until the process ends
    portal = _PORTALS[-1].__enter__()
    return Site(app=app, store=store, world=world, portal=portal)


PROJECT: Final = "/api/v1/projects/own"
FULL_OR_AWAY: Final = (503, 507)


def _upload(state: Served, number: int) -> None:
    """A test set of one reference, through the server."""
    client = state.site.client("editor")
    name = f"Set {number}"
    text = "".join(f"{line}\n" for line in sample_lines(REFERENCE)[:5])
    response = client.post(
        f"{PROJECT}/test-sets", data={"name": name}, files={"references": ("r.txt", text)}
    )
    # Where no memory is left at all, the process that reads uploads ends, and the server says so.
    reader_ended = response.status_code == 422 and "the process that read it ended" in response.text
    if response.status_code in FULL_OR_AWAY or reader_ended:
        raise Refused(response.text)
    if response.status_code != 201:
        raise AssertionError(f"{response.status_code}: {response.text[:300]}")
    state.acknowledged.append(name)


def _check_uploads(state: Served) -> Iterator[str]:
    listed = state.site.client("reader").get(f"{PROJECT}/test-sets").json()
    names = [one["name"] for one in listed]
    if lost := set(state.acknowledged) - set(names):
        yield f"lost {sorted(lost)}"
    if len(names) != len(set(names)):
        yield "found a set twice"


def _annotate(state: Served, number: int) -> None:
    from tertium.serve.annotation.layers import change_names
    from tests.support.serve.named import added, text_named

    # Each has a type of its own: later characters of a segment may be blanks, which are no names.
    change = added(number % LINES, 0, 1, f"TYPE{number // LINES}", key=f"k{number}")
    with state.site.store.writing() as session:
        text = text_named(session, state.test_set, "reference 1")
        change_names(session, text, f"annotator {number}", [change])
    state.acknowledged.append(f"k{number}")


def _check_annotations(state: Served) -> Iterator[str]:
    from sqlalchemy import func, select

    from tertium.serve.store.schema import AnnotationEvent

    with state.site.store.reading() as session:
        rows = session.scalar(select(func.count()).select_from(AnnotationEvent))
    if rows is None or rows < len(state.acknowledged):
        yield f"found {rows} changes, expected {len(state.acknowledged)}"


def _rate(state: Served, number: int) -> None:
    from tests.support.serve.campaigns import make_campaign, make_ground, rate_all

    with state.site.store.writing() as session:
        ground = make_ground(session, slug=f"ground-{number}")
        campaign = make_campaign(session, ground, "esa")
        done = rate_all(session, campaign, "ann", most=3)
    state.acknowledged.append(done)


def _check_ratings(state: Served) -> Iterator[str]:
    from sqlalchemy import func, select

    from tertium.serve.store.schema import RatingEvent

    with state.site.store.reading() as session:
        rows = session.scalar(select(func.count()).select_from(RatingEvent))
    if rows is None or rows < sum(state.acknowledged):
        yield f"found {rows} ratings, expected {sum(state.acknowledged)}"


def _begin_new_store(folder: Path) -> Path:
    return folder / "new.db"


def _remove_store(path: Path) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _open_new_store(path: Path) -> None:
    from tertium.serve.store.connection import open_store

    open_store(path).close()


def _check_new_store(path: Path, _: Outcome) -> Iterator[str]:
    """Half of the tables would be worse than none: it must open, and be clean."""
    yield from _store_problems(path)


def _store_problems(path: Path) -> Iterator[str]:
    from tertium.errors import TertiumError
    from tertium.serve.store.check import check_store
    from tertium.serve.store.connection import open_store

    try:
        store = open_store(path)
    except TertiumError as error:
        yield str(error)
        return
    try:
        yield from check_store(store).problems
    finally:
        store.close()


@dataclass(slots=True)
class Saved:
    """A store with rows in it, and where its backup goes."""

    store: Path
    target: Path
    rows: dict[str, int]


def _begin_backup(folder: Path) -> Saved:
    from tertium.serve.store.backup import backup
    from tertium.serve.store.connection import open_store
    from tests.support.serve.named import sample_set

    store = open_store(folder / "store.db")
    sample_set(store)
    target = folder / "out" / "backup.db"
    target.parent.mkdir()
    rows = backup(store, target).rows
    store.close()
    return Saved(folder / "store.db", target, rows)


def _act_backup(state: Saved) -> None:
    run_command("serve", "backup", str(state.target), "--store", str(state.store))


def _check_backup(state: Saved, outcome: Outcome) -> Iterator[str]:
    if outcome.done and not state.target.exists():
        yield "found no backup, although it was acknowledged"
    if state.target.exists():
        copy = state.target.with_name("copy.db")
        copyfile(state.target, copy)
        yield from _store_problems(copy)
        yield from _other_rows(copy, state.rows)
        _remove_store(copy)
    left = sorted(one.name for one in state.target.parent.iterdir() if one != state.target)
    if left:
        yield f"left {', '.join(left)}"
        for name in left:
            (state.target.parent / name).unlink()
    yield from _store_problems(state.store)


def _other_rows(path: Path, expected: Mapping[str, int]) -> Iterator[str]:
    base = sqlite3.connect(path)
    try:
        for table, rows in expected.items():
            (found,) = base.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()  # noqa: S608
            if found != rows:
                yield f"{table}: found {found} rows, expected {rows}"
    finally:
        base.close()


def _act_restore(state: Saved) -> None:
    run_command("serve", "restore", str(state.target), "--store", str(_restored(state)))


def _restored(state: Saved) -> Path:
    return state.target.parent / "restored.db"


def _check_restore(state: Saved, outcome: Outcome) -> Iterator[str]:
    place = _restored(state)
    yield from _store_problems(place)
    base = sqlite3.connect(place)
    rows = {
        table: base.execute(f'SELECT COUNT(*) FROM "{table}"').fetchone()[0]  # noqa: S608
        for table in state.rows
    }
    base.close()
    if rows != state.rows and (outcome.done or any(rows.values())):
        yield "found a part of the rows, expected all or none"


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "score": writes(
        "scores.json", "score", "IN/ref.txt", "-i", "IN/elm.txt", "-f", "json", "-o", "OUT"
    ),
    "statistics": writes(
        "rows.parquet", "score", "IN/ref.txt", "-i", "IN/elm.txt", "--statistics", "OUT"
    ),
    "compressed": writes(
        "kept.tsv.gz", "filter", "IN/ref.txt", "-i", "IN/elm.txt", "--min", "20", "-o", "OUT"
    ),
    "report": writes(
        "page.html", "report", "IN/ref.txt", "-i", "IN/elm.txt", "IN/oak.txt", "-o", "OUT"
    ),
    "matrix": writes("all.npz", "mbr", "IN/lists.txt", "--save-matrix", "OUT"),
    "resume": Scenario(
        begin=_begin_resumed,
        prepare=lambda state: state.target.unlink(missing_ok=True),
        act=lambda state: run_command(*state.words),
        check=_check_resumed,
    ),
    "parts": Scenario(begin=_begin_parts, prepare=_remove, act=_write_parts, check=_check_parts),
    "text": reads("score", "IN/ref.txt", "-i", "IN/elm.txt", "-f", "json"),
    "gzip": reads("score", "IN/ref.txt", "-i", "IN/elm.txt.gz", "-f", "json"),
    "utf-16": reads("score", "IN/ref.txt", "-i", "IN/elm.utf16", "-f", "json"),
    "tsv": reads("score", "IN/both.tsv", "-f", "json"),
    "csv": reads("score", "IN/both.csv", "-f", "json"),
    "jsonl": reads("score", "IN/both.jsonl", "-f", "json"),
    "parquet": reads("score", "IN/both.parquet", "-f", "json"),
    "lists": reads("mbr", "IN/lists.txt", "-f", "lines", "-q"),
    "metrics": replace(reads(*MANY_METRICS), faults=("allocations",)),
    "threads": replace(reads(*MANY_METRICS), faults=("threads",), refusals=()),
    "cache": Scenario(
        begin=_begin_cache,
        prepare=_remove,
        act=_act_cache,
        check=_check_cache,
        faults=("writes", "reads", "allocations"),
        refusals=(),
    ),
    "new store": Scenario(
        begin=_begin_new_store,
        prepare=_remove_store,
        act=_open_new_store,
        check=_check_new_store,
        faults=("writes", "reads", "allocations"),
        refusals=("InputError", *_DATABASE_ERRORS),
    ),
    "uploads": served(_upload, _check_uploads),
    "names": served(_annotate, _check_annotations),
    "ratings": served(_rate, _check_ratings),
    "backup": Scenario(
        begin=_begin_backup,
        prepare=lambda state: state.target.unlink(missing_ok=True),
        act=_act_backup,
        check=_check_backup,
        faults=("writes", "reads", "allocations"),
    ),
    "restore": Scenario(
        begin=_begin_backup,
        prepare=lambda state: _remove_store(_restored(state)),
        act=_act_restore,
        check=_check_restore,
        faults=("writes", "reads", "allocations"),
    ),
}
