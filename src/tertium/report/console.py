"""What a terminal shows, as text."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from tertium.tables import UNLIMITED, Lines, Part, Table

if TYPE_CHECKING:
    from rich.console import RenderableType


def view_text(view: Iterable[Part], screen: TextIO | None = None) -> str:
    """Tables and lines below each other, with an empty line between those that are not close."""
    text = ""
    for part in view:
        text += "\n" if text and not part.close else ""
        text += console_text(part, screen)
    return text


def console_text(shown: "RenderableType", screen: TextIO | None = None) -> str:
    """What a terminal would show; without a terminal nothing is wrapped, cut or colored."""
    text = None
    if screen is None or not screen.isatty():
        screen = None
        text = shown.plain() if isinstance(shown, Table | Lines) else None
    if text is None:
        text = rich_text(shown, screen)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n") + "\n"


def rich_text(shown: "RenderableType", screen: TextIO | None = None) -> str:
    """What rich shows on a terminal, or where there is no edge."""
    from io import StringIO

    from rich.console import Console

    if screen is None:
        console = Console(file=StringIO(), width=UNLIMITED, color_system=None)
    else:
        console = Console(file=screen)
    with console.capture() as capture:
        console.print(shown, highlight=False, crop=False)
    return capture.get()
