"""A server and its workers, killed again and again while people work: is anything lost?"""

import random
import sqlite3
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from serving.ground import SET, Ground, RatingPerson, make_ground
from serving.server import PATIENCE, Client, RefusedError, Server, text

RATERS = 4
SEGMENTS = 400
WAYS = ("server", "workers", "both")


@dataclass(slots=True)
class Acknowledged:
    """What the server said it has; whatever it did not say is nobody's promise."""

    ratings: list[str] = field(default_factory=list)
    names: list[tuple[int, int, int, str]] = field(default_factory=list)
    uploads: list[int] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many of each kind."""
        return len(self.ratings), len(self.names), len(self.uploads)


def run_kills(folder: Path, *, kills: int, seed: int) -> tuple[Acknowledged, list[str]]:
    """What was acknowledged, and sentences on whatever is wrong afterwards."""
    rng = random.Random(seed)
    server = Server(str(folder / "kills.db"), folder / "server.log", workers=2)
    server.start()
    ground = make_ground(server, raters=RATERS, segments=SEGMENTS, rated=SEGMENTS)
    told = Acknowledged()
    people = [RatingPerson.of(server, ground, number) for number in range(RATERS)]
    work = [partial(_rate, told, one) for one in people]
    work += [
        partial(_annotate, told, server, ground),
        partial(_upload, told, server),
        partial(_compute, told, server),
    ]
    threads = [threading.Thread(target=_until_stop, args=(told, one)) for one in work]
    for thread in threads:
        thread.start()
    for number in range(kills):
        _wait_for_more(told)
        time.sleep(rng.uniform(0, 0.4))  # in the midst of whatever is under way
        server.kill(WAYS[number % len(WAYS)])
    _wait_for_more(told)
    told.stop.set()
    for thread in threads:
        thread.join()
    wrong = [*told.errors, *_unfinished(server, told)]
    status = server.stop()
    if status:
        wrong.append(f"server: ended with {status}, expected 0")
    return told, [*wrong, *_lost(folder / "kills.db", told)]


def _wait_for_more(told: Acknowledged) -> None:
    """Return when everybody has done something since now: a kill has to hit people at work."""
    before = told.counts
    end = time.monotonic() + PATIENCE
    while not told.errors and any(new <= old for new, old in zip(told.counts, before, strict=True)):
        if time.monotonic() > end:
            told.errors.append(f"nothing more was acknowledged: {told.counts}, before {before}")
        time.sleep(0.02)


def _until_stop(told: Acknowledged, work: Any) -> None:
    while not told.stop.is_set():
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is to be told
            told.errors.append(repr(error))
            return


def _rate(told: Acknowledged, person: RatingPerson) -> None:
    page = person.page()
    if page is None:
        told.stop.wait(0.5)
        return
    event = person.event(page, len(told.ratings) % 101)
    person.client.patiently(lambda: person.save(event))
    told.ratings.append(event["key"])


def _annotate(told: Acknowledged, server: Server, ground: Ground) -> None:
    number = len(told.names)
    segment, start = number % ground.segments, number // ground.segments
    name = (segment, start, start + 1, "PERSON")
    change = dict(zip(("segment", "start", "end", "type"), name, strict=True))
    body = {"changes": [{**change, "action": "add", "client_key": uuid4().hex}]}
    path = f"{SET}/names/{ground.reference}/changes"
    client = Client(server.port)
    client.patiently(lambda: client.send("POST", path, body))
    told.names.append(name)
    time.sleep(0.01)


def _upload(told: Acknowledged, server: Server) -> None:
    number = len(told.uploads)
    data, key = text(SEGMENTS, number + 17), uuid4().hex
    client = Client(server.port)
    client.patiently(
        lambda: _unless_under_way(
            lambda: client.upload(
                f"{SET}/outputs", {"system": f"killed {number}"}, {"file": data}, key=key
            )
        )
    )
    told.uploads.append(number)
    time.sleep(0.05)


def _unless_under_way(ask: Any) -> Any:
    """A request that was cut off may still be known as under way for a moment: ask again."""
    for _ in range(600):
        try:
            return ask()
        except RefusedError as error:
            if "the change was made" in str(error):
                return None  # the server was killed between the change and its answer
            if "under way" not in str(error):
                raise
            time.sleep(0.1)
    raise RefusedError("the same request is under way for a minute")


def _compute(told: Acknowledged, server: Server) -> None:
    client = Client(server.port)
    key = uuid4().hex
    job = client.patiently(
        lambda: _unless_under_way(lambda: client.send("POST", f"{SET}/audit", {}, key=key))
    )
    told.jobs.append(job["id"])
    told.stop.wait(1.0)


def _unfinished(server: Server, told: Acknowledged) -> list[str]:
    """Every job that was taken has to come to an end, though its workers were killed."""
    client = Client(server.port)
    end = time.monotonic() + 300
    waiting = list(dict.fromkeys(told.jobs))
    while waiting and time.monotonic() < end:
        states = {one: client.send("GET", f"{SET.rpartition('/test-sets')[0]}/jobs/{one}")["state"]
                  for one in waiting}  # fmt: skip
        waiting = [one for one, state in states.items() if state in {"queued", "running"}]
        time.sleep(0.2)
    return [f"job {one}: did not end, expected done or failed" for one in waiting]


def _lost(path: Path, told: Acknowledged) -> list[str]:
    with sqlite3.connect(path) as base:
        keys = {
            key.rpartition(":")[2] for (key,) in base.execute("SELECT client_key FROM rating_event")
        }
        names = set(base.execute('SELECT segment, start, "end", type FROM annotation_event'))
        outputs = dict(
            base.execute(
                "SELECT s.name, text.sha256 FROM output o JOIN system s ON s.id = o.system_id "
                "JOIN text ON text.id = o.text_id WHERE o.number = 1"
            )
        )
        twice = base.execute(
            "SELECT count(*) FROM output o JOIN system s ON s.id = o.system_id "
            "WHERE s.name LIKE 'killed %' AND o.number > 1"
        ).fetchone()[0]
    lost = [f"rating {key}: lost" for key in told.ratings if key not in keys]
    lost += [f"name {name}: lost" for name in told.names if name not in names]
    for number in told.uploads:
        if f"killed {number}" not in outputs:
            lost.append(f"upload {number}: lost")
    if twice:
        lost.append(f"uploads: {twice} were kept twice, expected once each")
    return lost
