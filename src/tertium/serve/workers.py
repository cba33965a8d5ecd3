"""Worker processes, which take jobs one by one, and the crew of them that a server keeps.

The server starts a worker as ``python -m tertium.serve.workers`` and writes the address of the
store and the operator's metrics to its standard input, which stays open: when it is closed, the
server is gone or wants to stop.
"""

import json
import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from sqlalchemy.exc import InterfaceError, OperationalError, TimeoutError  # noqa: A004 - its name

from tertium.errors import InputError, TertiumError
from tertium.serve.evaluation.corpora import forget_values
from tertium.serve.evaluation.metrics import set_up_programs
from tertium.serve.memory import limit_arenas, release_memory, resident_memory
from tertium.serve.queue import (
    BEAT,
    Claimed,
    beat,
    cancelled,
    claim,
    fail,
    finish,
    function_of,
    release,
    requeue_orphans,
)
from tertium.serve.store.connection import Store, open_store

LOG: Final = logging.getLogger("tertium.serve.jobs")
PAUSE: Final = 0.25
"""Seconds between two looks at an empty queue."""
PATIENCE: Final = 3.0
"""Seconds that a cancelled job may take to notice it, before its process is ended."""
ENDED: Final = 70
MOST_MEMORY: Final = 256_000_000
"""Bytes beyond which a worker without a job ends; the server starts another, which is small."""


AWAY: Final = (OperationalError, InterfaceError, TimeoutError)
"""What SQLAlchemy raises where the store cannot be reached."""
AWAY_PAUSE: Final = 2.0
"""Seconds between two tries to reach it."""


class CancelledError(Exception):
    """The job was cancelled, or is no longer this worker's."""


@dataclass(slots=True, kw_only=True)
class Held:
    """The job in hand, its progress, and what is asked of it."""

    store: Store
    claimed: Claimed
    over: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)
    progress: float = 0.0
    message: str = ""

    def __call__(self, part: float, message: str = "") -> None:
        """Take note of progress; it is written with the next sign of life."""
        if self.stop.is_set():
            raise CancelledError
        self.progress, self.message = part, message

    def live(self) -> None:
        """Give signs of life until the job is over; end the process if it does not heed."""
        while not self.over.wait(BEAT):
            try:
                answer = beat(
                    self.store, self.claimed, progress=self.progress, message=self.message or None
                )
            except AWAY:
                continue  # it may be back before anybody takes this worker for dead
            if answer == "go on":
                continue
            self.stop.set()
            if not self.over.wait(PATIENCE):
                cancelled(self.store, self.claimed)
                os._exit(ENDED)
            return


def work_once(store: Store, worker: str) -> bool:
    """Do one job, if one waits."""
    claimed = claim(store, worker)
    if claimed is None:
        return False
    held = Held(store=store, claimed=claimed)
    _IN_HAND[worker] = claimed
    signs = threading.Thread(target=held.live, daemon=True)
    signs.start()
    started = time.monotonic()
    state = "done"
    try:
        outcome = function_of(claimed.kind)(store, claimed.payload, held)
        finish(store, claimed, outcome)
    except CancelledError:
        state = "cancelled"
        cancelled(store, claimed)
    except TertiumError as error:
        state = "failed"
        fail(store, claimed, str(error))
    except AWAY:
        # Not the job's fault: without signs of life it is given to a worker again.
        state = "interrupted"
        raise
    except Exception:
        state = "failed"
        LOG.exception("job %d (%s) failed", claimed.id, claimed.kind)
        fail(store, claimed, "the server made a mistake; its log says more")
    finally:
        held.over.set()
        signs.join()
        _IN_HAND.pop(worker, None)
    LOG.info(
        "job %s",
        state,
        extra={
            "job": claimed.id,
            "kind": claimed.kind,
            "seconds": round(time.monotonic() - started, 3),
        },
    )
    return True


_IN_HAND: Final[dict[str, Claimed]] = {}


def main() -> None:
    """Work until standard input is closed."""
    import signal

    # Ctrl-C is for the server, which then closes our input; so do stops of the whole service.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from tertium.serve.server import set_up_logs

    limit_arenas()
    set_up_logs()
    address, _, programs = sys.stdin.readline().rstrip("\n").partition("\t")
    set_up_programs(json.loads(programs or "[]"))
    store = _opened(address)
    worker = f"{os.uname().nodename}:{os.getpid()}:{uuid4().hex[:8]}"

    def end_with_server() -> None:
        while sys.stdin.read(1024):
            pass
        claimed = _IN_HAND.get(worker)
        try:
            if claimed is not None:
                release(store, claimed)
        finally:
            os._exit(0)

    threading.Thread(target=end_with_server, daemon=True).start()
    looked = 0.0
    while True:
        try:
            if time.monotonic() - looked > BEAT:
                looked = time.monotonic()
                requeue_orphans(store)
            if not work_once(store, worker):
                time.sleep(PAUSE)
                continue
            forget_values()
            release_memory()
            if resident_memory() > MOST_MEMORY:
                LOG.info("worker ends: it holds %d MB", resident_memory() // 1_000_000)
                logging.shutdown()
                os._exit(0)  # a return would wait for the thread at standard input
        except AWAY as error:
            _tell_away(error)


def _opened(address: str) -> Store:
    """The store, as soon as it can be reached: a server may outlive a cut of its network."""
    while True:
        try:
            return open_store(address)
        except InputError as error:
            _tell_away(error)


def _tell_away(error: Exception) -> None:
    LOG.error("%s", str(getattr(error, "orig", error)).partition("\n")[0])
    time.sleep(AWAY_PAUSE)


if __name__ == "__main__":
    main()


CHECK_PAUSE = 0.5
"""Seconds between two looks at the workers."""
STOP_PATIENCE = 15
"""Seconds that a worker may take to end."""


@dataclass(slots=True, kw_only=True)
class Crew:
    """Some worker processes, and a thread that looks after them."""

    store: Store
    size: int
    programs: tuple[str, ...] = ()
    _workers: "list[subprocess.Popen[str]]" = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _keeper: threading.Thread | None = None

    def start(self) -> None:
        """Start the workers."""
        self._workers = [self._worker() for _ in range(self.size)]
        self._keeper = threading.Thread(target=self._keep, daemon=True)
        self._keeper.start()

    def stop(self) -> None:
        """Let the workers put back what they have, and end them."""
        self._stopping.set()
        if self._keeper is not None:
            self._keeper.join()
        for one in self._workers:
            _close(one)
        for one in self._workers:
            try:
                one.wait(STOP_PATIENCE)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()

    @property
    def processes(self) -> tuple[int, ...]:
        """The process numbers of the workers."""
        return tuple(one.pid for one in self._workers)

    def _keep(self) -> None:
        while not self._stopping.wait(CHECK_PAUSE):
            for place, one in enumerate(self._workers):
                if one.poll() is not None:
                    _close(one)
                    self._workers[place] = self._worker()

    def _worker(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "tertium.serve.workers"],
            stdin=subprocess.PIPE,
            text=True,
        )
        # Not as arguments: address and programs may have passwords, which everybody would see.
        if process.stdin is not None:
            with suppress(BrokenPipeError):  # it has ended already, and is started again
                process.stdin.write(f"{self.store.address}\t{json.dumps(self.programs)}\n")
                process.stdin.flush()
        return process


def _close(process: "subprocess.Popen[str]") -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.close()
