"""The look that all tables on a terminal share."""

from rich import box
from rich.table import Table


def plain_table() -> Table:
    """A table without columns yet: a rule below the heading, and nothing around it."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
