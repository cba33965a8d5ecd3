"""Results as notebooks show them and as pandas takes them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.errors import MissingExtraError
from tertium.installation import install_hint

if TYPE_CHECKING:
    import pandas


def dataframe(rows: Iterable[dict[str, object]]) -> "pandas.DataFrame":
    """A row for every dictionary; needs pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError(
            f"to_dataframe: package 'pandas' is not installed; {install_hint('pandas')}"
        ) from None
    return pandas.DataFrame(list(rows))


def html_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table for notebooks; every cell is escaped.

    >>> html_table(["system"], [["<b>"]])
    '<table><tr><th>system</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    from html import escape

    head = "".join(f"<th>{escape(cell)}</th>" for cell in headers)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"
