"""Servers, their workers and the database, killed again and again while people work.

Over SQLite there is one server; over PostgreSQL there are two, and one of the database's processes
is killed in its turn, after which PostgreSQL ends all others and recovers. Is anything lost?
"""

import random
import threading
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import text as sql

from serving.database import Database
from serving.ground import SET, Ground, RatingPerson, make_ground
from serving.server import PATIENCE, Client, RefusedError, Server, text
from tertium.serve.store.connection import open_store

RATERS = 4
SEGMENTS = 400
EVERY = 10
"""Kills between two lines on how far it is."""


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


def run_kills(
    folder: Path, database: Database, *, kills: int, seed: int
) -> tuple[Acknowledged, list[str]]:
    """What was acknowledged, and sentences on whatever is wrong afterwards."""
    rng = random.Random(seed)
    servers = [
        Server(database.place, folder / f"server{number}.log", workers=2)
        for number in range(1 if database.kill is None else 2)
    ]
    for one in servers:
        one.start()
    ground = make_ground(servers[0], raters=RATERS, segments=SEGMENTS, rated=SEGMENTS)
    told = Acknowledged()
    work: list[Any] = []
    for number in range(RATERS):
        person = RatingPerson.of(servers[number % len(servers)], ground, number)
        work.append(partial(_rate, told, person))
    work += [
        partial(_annotate, told, servers[0], ground),
        partial(_upload, told, servers[-1]),
        partial(_compute, told, servers[0], ground),
    ]
    threads = [threading.Thread(target=_until_stop, args=(told, one)) for one in work]
    for thread in threads:
        thread.start()
    for number in range(kills):
        _wait_for_more(told)
        time.sleep(rng.uniform(0, 0.4))  # in the midst of whatever is under way
        _kill(servers, database, number)
        if (number + 1) % EVERY == 0:
            print(f"  {number + 1} kills, acknowledged so far: {told.counts}", flush=True)
    _wait_for_more(told)
    told.stop.set()
    for thread in threads:
        thread.join()
    wrong = [*told.errors, *_unfinished(servers[0], told)]
    for one in servers:
        status = one.stop()
        if status:
            wrong.append(f"server: ended with {status}, expected 0")
    return told, [*wrong, *_lost(database.place, told)]


def _kill(servers: list[Server], database: Database, number: int) -> None:
    """Each way in its turn, each server in its turn."""
    ways = ["server", "workers", "both"]
    if database.kill is not None:
        ways.append("database")
    way = ways[number % len(ways)]
    if way == "database" and database.kill is not None:
        database.kill()
    else:
        servers[number // len(ways) % len(servers)].kill(way)


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
    # Whoever has rated everything rates the last item again: every event is stored.
    page = person.last = person.page() or person.last
    if page is None:
        raise RefusedError("a rater was given no item")
    event = person.event(page, len(told.ratings) % 101)
    person.client.patiently(lambda: person.save(event))
    told.ratings.append(event["key"])


def _annotate(told: Acknowledged, server: Server, ground: Ground) -> None:
    number = len(told.names)
    name = (number % ground.segments, 0, 1, f"N{number}")
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
    time.sleep(0.2)


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


def _compute(told: Acknowledged, server: Server, ground: Ground) -> None:
    client = Client(server.port)
    key, body = uuid4().hex, {"outputs": ground.outputs}
    job = client.patiently(
        lambda: _unless_under_way(lambda: client.send("POST", f"{SET}/audit", body, key=key))
    )
    if job is not None:  # else it was made, and its number was lost with the server that made it
        told.jobs.append(job["id"])
    told.stop.wait(5.0)


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


def _lost(place: str, told: Acknowledged) -> list[str]:
    store = open_store(place)
    with store.engine.connect() as base:
        keys = {
            key.rpartition(":")[2]
            for (key,) in base.execute(sql("SELECT client_key FROM rating_event"))
        }
        names = {
            tuple(row)
            for row in base.execute(sql('SELECT segment, start, "end", type FROM annotation_event'))
        }
        numbers = base.execute(
            sql(
                "SELECT s.name, o.number FROM output o JOIN system s ON s.id = o.system_id "
                "JOIN text ON text.id = o.text_id WHERE s.name LIKE 'killed %'"
            )
        ).all()
    store.close()
    first = {name for name, number in numbers if number == 1}
    twice = [name for name, number in numbers if number > 1]
    lost = [f"rating {key}: lost" for key in told.ratings if key not in keys]
    lost += [f"name {name}: lost" for name in told.names if name not in names]
    lost += [f"upload {one}: lost" for one in told.uploads if f"killed {one}" not in first]
    if twice:
        lost.append(f"uploads: {len(twice)} were kept twice, expected once each")
    return lost
