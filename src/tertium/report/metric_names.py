"""The list of all metrics, a line each, which imports none of them."""

from importlib.util import find_spec
from typing import Final

from tertium.lazy import may_be_offered
from tertium.metrics.contract.catalog import CATALOG
from tertium.tables import Cell, Column, Part, Table, lines

NOT_AVAILABLE: Final = "not available: "


def metric_lines() -> dict[str, str]:
    """Name → what it is, or why it cannot be used; of other packages' metrics, too."""
    if may_be_offered("tertium.metrics"):
        from tertium.report.metrics import metric_entries

        return {entry.name: entry.line for entry in metric_entries()}
    return {name: _line(name) for name in CATALOG}


def _line(name: str) -> str:
    if all(find_spec(package) for package in CATALOG[name].packages):
        return CATALOG[name].summary
    from tertium.report.metrics import metric_entries  # only the metric itself says what to do

    (entry,) = metric_entries([name])
    return entry.line


def metric_names() -> list[Part]:
    """The list as people read it."""
    names = Table(
        header=False,
        columns=(Column("metric", "left", whole=True), Column("summary", "left")),
        sections=(
            tuple((Cell(name, "strong"), _cell(line)) for name, line in metric_lines().items()),
        ),
    )
    return [names, lines(["'tertium metrics NAME' shows paper and options."], "faint")]


def _cell(line: str) -> Cell:
    return Cell(line, "faint") if line.startswith(NOT_AVAILABLE) else Cell(line)
