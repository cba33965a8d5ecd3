"""A server in a process of its own, as people start it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A server that listens."""

    address: str
    process: "subprocess.Popen[str]"
    log: Path


LIMITED = """\
import resource, runpy, sys
limits = tuple(map(int, sys.argv.pop(1).split(",")))
resource.setrlimit(resource.RLIMIT_NOFILE, limits)
runpy.run_module("tertium", run_name="__main__", alter_sys=True)
"""


@contextmanager
def served(
    folder: Path, *flags: str, descriptors: tuple[int, int] | None = None
) -> Iterator[Running]:
    """`tertium serve` with these flags, at any port that is free; killed at the end.

    ``descriptors`` are the soft and the hard limit of files that the process may open.
    """
    start = ["-m", "tertium"]
    if descriptors is not None:
        start = ["-c", LIMITED, "{},{}".format(*descriptors)]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            [sys.executable, *start, "serve", "--port", "0", *flags],
            stdout=subprocess.PIPE,
            stderr=file,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), log.read_text(encoding="utf-8")
        yield Running(address=address, process=process, log=log)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
