"""The workers of a server: started with it, started again when they end, stopped with it."""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field

from tertium.serve.store.connection import Store

PAUSE = 0.5
"""Seconds between two looks at the workers."""
PATIENCE = 15
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
                one.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()

    @property
    def processes(self) -> tuple[int, ...]:
        """The process numbers of the workers."""
        return tuple(one.pid for one in self._workers)

    def _keep(self) -> None:
        while not self._stopping.wait(PAUSE):
            for place, one in enumerate(self._workers):
                if one.poll() is not None:
                    _close(one)
                    self._workers[place] = self._worker()

    def _worker(self) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "tertium.serve.jobs.worker"],
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
