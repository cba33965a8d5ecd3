"""Programs that run on a terminal of their own, as people run them."""

import os
import pty
import select
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

PATIENCE = 120.0


@contextmanager
def terminal(*words: str, variables: Mapping[str, str] | None = None) -> Iterator[int]:
    """A program on a terminal of its own; what it is typed into and read from."""
    stream, inside = pty.openpty()
    child = subprocess.Popen(
        words,
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
        env={**os.environ, **(variables or {})},
    )
    os.close(inside)
    try:
        yield stream
    finally:
        child.kill()
        child.wait()
        os.close(stream)


def seen(stream: int, until: str | None = None) -> str:
    """What a terminal shows until some text is there, or until the program ends."""
    text, end = b"", monotonic() + PATIENCE
    while monotonic() < end and (until is None or until.encode() not in text):
        if select.select([stream], [], [], 1.0)[0]:
            try:
                more = os.read(stream, 1 << 16)
            except OSError:  # the program has ended
                break
            if not more:
                break
            text += more
    return text.decode(errors="replace")
