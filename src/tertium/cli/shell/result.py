"""Results in the form that was asked for: each command has a table of its forms."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TextIO, TypeAlias, TypeVar

from tertium.cli.shell.output import write_output

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tertium.tables import Part

T = TypeVar("T")
Form: TypeAlias = Callable[[T, Namespace], Iterable[str]]
"""Makes the text of a result, in pieces; the flags say with how many decimals and the like."""
Forms: TypeAlias = Mapping[str, Form[T]]


class Recorded(Protocol):
    """What programs can read."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""


def show(result: T, arguments: Namespace, forms: Forms[T]) -> None:
    """Write a result as ``-f`` asks, to where ``-o`` asks; only that form is made."""
    write_output(forms[arguments.format](result, arguments), arguments.output)


def as_json(result: Recorded, _: Namespace) -> Iterable[str]:
    """The form for programs."""
    return json_pieces(result.to_dict())


def json_pieces(value: dict[str, Any]) -> Iterable[str]:
    """The form for programs, of a value that is no single result."""
    from tertium.plain import json_text

    return [json_text(value)]


def view_forms(
    view: "Callable[[T, Namespace], Iterable[Part]]", people: str = "table"
) -> dict[str, Form[T]]:
    """The forms that every view has: for ``people`` at a terminal, and where they write.

    A command that has its own way with one of them names it after these.
    """

    def text(result: T, arguments: Namespace) -> Iterable[str]:
        from tertium.report.console import view_text

        return [view_text(view(result, arguments), screen_of(arguments))]

    def rendered(form: str) -> Form[T]:
        def render(result: T, arguments: Namespace) -> Iterable[str]:
            from tertium import tables

            renderers = {
                "latex": tables.latex,
                "tsv": tables.table_tsv,
                "markdown": tables.markdown,
                "html": tables.html,
            }
            return renderers[form](list(view(result, arguments)))

        return render

    written = ("latex", "tsv", "markdown", "html")
    return {people: text, "json": _to_json, **{form: rendered(form) for form in written}}


def _to_json(result: Any, arguments: Namespace) -> Iterable[str]:
    return as_json(result, arguments)


def on_screen(arguments: Namespace, *views: "RenderableType") -> Iterable[str]:
    """The form for people: views below each other, as wide as the terminal if there is one."""
    from tertium.report.console import console_text

    screen = screen_of(arguments)
    return ["\n".join(console_text(view, screen) for view in views)]


def screen_of(arguments: Namespace) -> TextIO | None:
    """Where the result is seen; none if it goes to a file."""
    return sys.stdout if arguments.output in {None, "-"} else None


def screen_width(arguments: Namespace) -> int | None:
    """The columns of the terminal that is written to; none if there is none."""
    screen = screen_of(arguments)
    if screen is None or not screen.isatty():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns
