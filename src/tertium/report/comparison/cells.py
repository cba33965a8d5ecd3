"""Cells and grids: tables for people before a terminal or LaTeX draws them."""

from dataclasses import dataclass
from typing import NamedTuple


class ComparisonCell(NamedTuple):
    """The text of a cell, and whether it is the best of its kind."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table; the columns in ``left`` are text, and groups of rows are set apart."""

    title: str
    headings: tuple[str, ...]
    left: frozenset[int]
    groups: tuple[tuple[tuple[ComparisonCell, ...], ...], ...]
