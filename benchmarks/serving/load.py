"""Raters who save and systems that are uploaded, all at the same time."""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from serving.ground import SET, Ground, RatingPerson, make_ground
from serving.server import Client, Server, text


@dataclass(slots=True)
class Load:
    """What happened; lists are only ever appended to, so that threads may share them."""

    firsts: list[float] = field(default_factory=list)
    saves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    processor: float = 0.0


def run_load(
    folder: Path,
    place: str,
    *,
    raters: int,
    uploads: int,
    segments: int,
    seconds: float,
    pause: float,
    systems: int = 0,
) -> tuple[Load, Server]:
    """Let people work for some seconds; every rater saves once a ``pause``.

    With a number of ``systems``, all their segments are items of one campaign, which are given out
    as raters ask for them, and raters come one after the other in the first half of the time.
    """
    server = Server(place, folder / "server.log")
    server.start()
    rated = max(4, int(seconds / pause / 2) + 2)
    if systems:
        ground = make_ground(
            server,
            raters=raters,
            segments=segments,
            rated=segments,
            systems=[f"system {number}" for number in range(1, systems + 1)],
            assignment="redundant",
        )
    else:
        ground = make_ground(server, raters=raters, segments=segments, rated=min(rated, segments))
    people = [RatingPerson.of(server, ground, number) for number in range(raters)]
    load = Load()
    if not systems:
        for one in people:
            one.page()  # everybody has the first item on the screen before the clock starts
    load.processor = -server.processor()
    start = time.monotonic()
    end = start + seconds
    wait = seconds / 2 if systems else pause  # people do not click at the same moment
    threads = [
        threading.Thread(target=_rates, args=(load, one, end, pause, wait * place / raters))
        for place, one in enumerate(people)
    ]
    threads += [
        threading.Thread(
            target=_uploads,
            args=(load, server, ground, number, start + number * seconds / uploads),
        )
        for number in range(uploads)
    ]
    threads.append(threading.Thread(target=_watches, args=(load, server, end)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.processor += server.processor()
    return load, server


def _rates(load: Load, person: RatingPerson, end: float, pause: float, wait: float) -> None:
    time.sleep(wait)
    try:
        before = time.monotonic()
        person.page()
        load.firsts.append(time.monotonic() - before)
        while time.monotonic() < end and (page := person.page()) is not None:
            event = person.event(page, len(load.saves) % 101)
            before = time.monotonic()
            person.save(event)
            load.saves.append(time.monotonic() - before)
            load.keys.append(event["key"])
            time.sleep(max(0.0, before + pause - time.monotonic()))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is to be counted
        load.errors.append(f"rater: {error!r}")


def _uploads(load: Load, server: Server, ground: Ground, number: int, at: float) -> None:
    time.sleep(max(0.0, at - time.monotonic()))
    try:
        before = time.monotonic()
        data = text(ground.segments, number + 11)
        Client(server.port).upload(
            f"{SET}/outputs", {"system": f"system {number % 4}"}, {"file": data}
        )
        load.uploads.append(time.monotonic() - before)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is to be counted
        load.errors.append(f"upload: {error!r}")


def _watches(load: Load, server: Server, end: float) -> None:
    while time.monotonic() < end:
        load.memory.append(server.memory())
        time.sleep(0.25)


def quantile(values: list[float], share: float) -> float:
    """In milliseconds."""
    return float(np.quantile(values, share) * 1000) if values else float("nan")
