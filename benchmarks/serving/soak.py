"""Many people at work for long: does the server stay quick, and does its memory stay flat?

Raters save one item after the other; beside them systems are uploaded, audits and reports are
computed by workers, and pages are looked at. Every kind of request is timed. Memory is that of the
server and its workers; it may grow while caches fill (`WARM` seconds), and not afterwards.
"""

import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from serving.ground import PROJECT, SET, Ground, RatingPerson, make_ground
from serving.load import quantile
from serving.server import Client, Server, text

WARM = 300.0
"""Seconds after which memory is to be flat."""
WINDOW = 60.0
"""Seconds whose median counts as the memory of a moment."""
UPLOAD_EVERY = 10.0
JOB_EVERY = 20.0
LOOK_EVERY = 2.0
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Sample:
    """Bytes held at a moment, in seconds from the start."""

    at: float
    server: int
    workers: int

    @property
    def total(self) -> int:
        """Bytes of all processes."""
        return self.server + self.workers


@dataclass(slots=True)
class Soak:
    """What happened; lists are only ever appended to, so that threads may share them."""

    seconds: float
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    memory: list[Sample] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds until the end."""
        return self.start + self.seconds - time.monotonic()

    @property
    def growth(self) -> float:
        """By which share memory has grown since caches were warm; 0.05 is 5 %."""
        warm = min(WARM, self.seconds / 3)
        window = min(WINDOW, self.seconds / 6)
        before = [one.total for one in self.memory if warm <= one.at < warm + window]
        after = [one.total for one in self.memory if one.at >= self.seconds - window]
        return statistics.median(after) / statistics.median(before) - 1

    def timed(self, kind: str, ask: Callable[[], Any]) -> Any:
        """Ask, and note how long it took."""
        before = time.monotonic()
        answer = ask()
        self.times[kind].append(time.monotonic() - before)
        return answer

    def rest(self, seconds: float) -> None:
        """Wait, but not beyond the end."""
        time.sleep(max(0.0, min(seconds, self.left)))


def run_soak(
    folder: Path, place: str, *, minutes: float, raters: int, segments: int, pause: float
) -> tuple[Soak, Server]:
    """Let everybody work for some minutes; every rater saves once a ``pause``."""
    server = Server(place, folder / "server.log")
    server.start()
    rated = min(segments, int(minutes * 60 / pause / 2) + 10)
    ground = make_ground(server, raters=raters, segments=segments, rated=rated)
    people = [RatingPerson.of(server, ground, number) for number in range(raters)]
    for one in people:
        one.page()
    soak = Soak(minutes * 60)
    work: list[tuple[str, Callable[[], None]]] = [
        ("rater", partial(_rate, soak, one, pause, number / raters))
        for number, one in enumerate(people)
    ]
    work += [
        ("upload", partial(_upload, soak, server, ground)),
        ("job", partial(_compute, soak, server)),
        ("page", partial(_look, soak, server, ground)),
        ("memory", partial(_watch, soak, server)),
    ]
    threads = [threading.Thread(target=_until_end, args=(soak, *one)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return soak, server


def _until_end(soak: Soak, name: str, work: Callable[[], None]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is to be counted
        soak.errors.append(f"{name}: {error!r}")


def _rate(soak: Soak, person: RatingPerson, pause: float, share: float) -> None:
    soak.rest(share * pause)  # people do not click at the same moment
    page: dict[str, Any] | None = None
    while soak.left > 0:
        start = time.monotonic()
        path = f"{person.campaign}/mine/next"
        answer = soak.timed("next item", partial(person.client.send, "POST", path))
        page = answer["page"] or page
        if page is None:
            raise RuntimeError("a rater was given no item")
        event = person.event(page, len(soak.times["save"]) % 101)
        soak.timed("save", partial(person.save, event))
        soak.rest(start + pause - time.monotonic())


def _upload(soak: Soak, server: Server, ground: Ground) -> None:
    client, number = Client(server.port), 0
    while soak.left > 0:
        data, form = text(ground.segments, number + 11), {"system": f"system {number % 4}"}
        soak.timed(
            "upload",
            partial(client.upload, f"{SET}/outputs", form, {"file": data}),
        )
        number += 1
        soak.rest(UPLOAD_EVERY)


def _compute(soak: Soak, server: Server) -> None:
    client, number = Client(server.port), 0
    while soak.left > 0:
        kind = ("audit", "report")[number % 2]
        job = soak.timed("job asked", partial(client.send, "POST", f"{SET}/{kind}", {}))
        before = time.monotonic()
        while job["state"] in {"queued", "running"} and soak.left > 0:
            soak.rest(0.5)
            path = f"{PROJECT}/jobs/{job['id']}"
            job = soak.timed("job state", partial(client.send, "GET", path))
        if job["state"] == "done":
            soak.times[f"{kind} done"].append(time.monotonic() - before)
        elif job["state"] not in {"queued", "running"}:
            raise RuntimeError(f"{kind}: {job['state']} {job['message']}")
        number += 1
        soak.rest(JOB_EVERY)


def _look(soak: Soak, server: Server, ground: Ground) -> None:
    client, number = Client(server.port), 0
    pages = (
        "/projects/load",
        "/projects/load/test-sets/load",
        ground.campaign.removeprefix("/api/v1"),
    )
    while soak.left > 0:
        path = pages[number % len(pages)]
        soak.timed("page", partial(client.get, path))
        number += 1
        soak.rest(LOOK_EVERY)


def _watch(soak: Soak, server: Server) -> None:
    told = 0.0
    while soak.left > 0:
        at = time.monotonic() - soak.start
        sample = Sample(at, *server.memories())
        soak.memory.append(sample)
        if at >= told:
            print(
                f"  {at / 60:5.1f} min: server {sample.server / MEGABYTE:.0f} MB, "
                f"workers {sample.workers / MEGABYTE:.0f} MB, {len(soak.times['save'])} saves, "
                f"{len(soak.errors)} errors",
                flush=True,
            )
            told += max(WINDOW, soak.seconds / 30) if soak.seconds > 300 else soak.seconds / 6
        soak.rest(1.0)


def describe(soak: Soak) -> list[str]:
    """Lines on how long every kind of request took, and on memory."""
    lines = []
    for kind, times in sorted(soak.times.items()):
        middle, high = quantile(times, 0.5), quantile(times, 0.99)
        lines.append(f"{kind:12} {len(times):7} times  p50 {middle:8.1f} ms  p99 {high:8.1f} ms")
    first, last = soak.memory[0], soak.memory[-1]
    lines.append(
        f"memory: {first.total / MEGABYTE:.0f} MB at first, "
        f"{last.total / MEGABYTE:.0f} MB at last, "
        f"growth after the first {min(WARM, soak.seconds / 3):.0f} s: {100 * soak.growth:.1f} %"
    )
    return lines
