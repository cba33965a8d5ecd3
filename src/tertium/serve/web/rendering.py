"""Sentences of ours with names of others in them, which may be read from right to left."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fastapi.responses import HTMLResponse
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

import tertium.report.html
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.serve.web.access import Access

OPEN, CLOSE = "\u2068", "\u2069"
"""First strong isolate, and the end of it: what is inside turns nothing around that is outside."""
_TO_THE_LEFT: Final = frozenset({"R", "AL"})


def isolated(sentence: str, names: Iterable[str]) -> str:
    """The sentence with every name that runs the other way kept to itself.

    >>> isolated("אבג is better than elm", ["אבג", "elm"]) == f"{OPEN}אבג{CLOSE} is better than elm"
    True
    """
    turned = [
        name
        for name in set(names)
        if any(unicodedata.bidirectional(sign) in _TO_THE_LEFT for sign in name)
    ]
    if not turned:
        return sentence
    longest_first = sorted(turned, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(pattern, lambda found: f"{OPEN}{found[0]}{CLOSE}", sentence)


HERE: Final = Path(__file__).resolve().parent
REPORT: Final = Path(tertium.report.html.__path__[0])


@cache
def templates() -> Environment:
    """The templates of all pages."""
    return Environment(
        loader=ChoiceLoader(
            [
                FileSystemLoader(HERE / "templates"),
                PrefixLoader({"report": FileSystemLoader(REPORT / "templates")}),
            ]
        ),
        autoescape=True,  # every name and text is somebody's input
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(access: "Access", name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page; ``access``, ``caller`` and ``root`` are known to every template.

    Each path in a template begins with ``{{ root }}``.
    """
    page = templates().get_template(name)
    text = page.render(
        access=access,
        caller=access.caller,
        root=access.settings.root_path,
        version=__version__,
        **values,
    )
    return HTMLResponse(text, status)


def render_error(root: str, status: int, sentence: str) -> HTMLResponse:
    """A page that says what went wrong."""
    page = templates().get_template("error.html")
    title = HTTPStatus(status).phrase
    text = page.render(
        access=None,
        caller=None,
        root=root,
        version=__version__,
        title=title,
        sentence=sentence,
    )
    return HTMLResponse(text, status)
