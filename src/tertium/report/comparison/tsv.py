"""A comparison as tab-separated values with all digits."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tertium.compare.comparison import Comparison

_ESCAPED: Final = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def comparison_tsv(comparison: Comparison) -> Iterator[str]:
    """A table for each section, its names in the first line; an empty line between tables."""
    first = True
    for records in comparison.tables.values():
        if not records:
            continue
        if not first:
            yield "\n"
        first = False
        yield from record_lines(records)


def record_lines(records: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """The names of the first record, then the values of each with all digits."""
    if records:
        yield _line(list(records[0]))
    for record in records:
        yield _line([_text(value) for value in record.values()])


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)


def _line(cells: Sequence[str]) -> str:
    return "\t".join(cell.translate(_ESCAPED) for cell in cells) + "\n"
