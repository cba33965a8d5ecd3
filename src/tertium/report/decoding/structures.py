"""What is in files of n-best lists, lattices and forests, as text for people."""

from collections.abc import Sequence
from itertools import groupby
from math import log10

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.decode.structures.inspection import Inspection, Spread
from tertium.report.decoding.plain_table import plain_table

SHOWN = 12
"""Names of features that are listed; programs get all of them."""


def inspection_view(found: Sequence[Inspection]) -> Group:
    """A table for each kind of file: counts, or how they spread over the segments."""
    parts: list[RenderableType] = []
    for _, group in groupby(found, key=lambda one: (one.kind, tuple(one.counts))):
        same = list(group)
        parts += [_table(same), Text("")]
        features = dict.fromkeys(name for one in same for name in one.features)
        parts.append(Text(_feature_line(tuple(features)), style="dim"))
    if any(one.segments > 1 for one in found):
        note = "of each segment: the least–the most (the median)"
        parts.append(Text(note, style="dim"))
    return Group(*parts)


def _table(found: Sequence[Inspection]) -> Table:
    table = plain_table()
    for name in ("file", "format"):
        table.add_column(name, overflow="fold")
    for name in ("segments", *found[0].counts, "vocabulary", "features"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        numbers = [one.segments, one.vocabulary, len(one.features)]
        table.add_row(
            Text(one.file),
            one.format,
            str(numbers[0]),
            *(_count(spread, one.segments) for spread in one.counts.values()),
            *map(str, numbers[1:]),
        )
    return table


def _count(spread: Spread, segments: int) -> str:
    if segments == 1:
        return short(spread.total)
    return f"{short(spread.least)}–{short(spread.most)} ({short(spread.median)})"


def short(number: int) -> str:
    """A count in a few characters, however large.

    >>> short(123456), short(211319874), short(10**5000)
    ('123456', '2.1e8', '1.0e5000')
    """
    if number < 10**7:
        return str(number)
    exponent = int(log10(number) + 1e-12)  # Python writes no numbers of more than 4300 digits
    return f"{number // 10 ** (exponent - 3) / 1000:.1f}e{exponent}"


def _feature_line(names: tuple[str, ...]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > SHOWN else ""
    return f"features: {', '.join(names[:SHOWN]) or 'none'}{more}"
