"""A bar on standard error for work that lasts; nothing for work that does not."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final

from tertium.text.files import TextFile, compression_of
from tertium.text.formats.content import is_plain_text

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE: Final = 1.0
"""Seconds before a bar is worth the flicker."""


@contextmanager
def progress_bar(
    total: Callable[[], int | None], *, quiet: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function that takes the number of steps just done.

    ``total`` is asked only when a bar appears, for it may have to count; ``None`` says that
    nobody knows. Without a terminal there is no bar.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = _Bar(total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    def __init__(self, total: Callable[[], int | None]) -> None:
        self.total = total
        self.started = monotonic()
        self.done = 0
        self.shown: tuple[Progress, TaskID] | None = None

    def advance(self, steps: int) -> None:
        self.done += steps
        if self.shown is None and monotonic() - self.started > PATIENCE:
            self.shown = self._open()
        if self.shown is not None:
            display, task = self.shown
            display.update(task, completed=self.done)

    def _open(self) -> "tuple[Progress, TaskID]":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

        columns = (BarColumn(), TaskProgressColumn(show_speed=True), TimeRemainingColumn())
        display = Progress(*columns, console=Console(stderr=True), transient=True)
        display.start()
        return display, display.add_task("", total=self.total())

    def close(self) -> None:
        if self.shown is not None:
            self.shown[0].stop()


def count_lines(path: str, *, any_format: bool = False) -> int | None:
    """The number of lines of a plain text file; ``None`` for anything else, unless asked for."""
    from pathlib import Path

    place = Path(path)
    if compression_of(path) or not place.is_file():
        return None
    if not any_format and not is_plain_text(TextFile.find(path)):
        return None
    with place.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
