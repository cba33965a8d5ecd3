"""Worker processes that know the tests' kinds of jobs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tertium.serve.store.connection import Store


@contextmanager
def worker(store: Store) -> Iterator["subprocess.Popen[str]"]:
    """A worker at the queue of a store."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.serve.kinds"],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        text=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(f"{store.address}\n")
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.wait()
        with suppress(BrokenPipeError):
            process.stdin.close()
