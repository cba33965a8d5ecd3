"""The metrics there are: what each is, whose it is, and what can be set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.errors import MissingExtraError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.table import METRICS
from tertium.version import __version__

_COLUMN = 32
"""The widest that a column of the list is made for all metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricEntry:
    """One name of the table of metrics; ``problem`` says why it cannot be used.

    Without a ``metric`` its module cannot even be imported.
    """

    name: str
    metric: type[Metric] | None
    problem: str = ""

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be set between brackets; the defaults are those that are really used."""
        if self.metric is None:
            return ()
        return options_of(self.metric) if self.problem else self.metric().options

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        if self.metric is None:
            return {"name": self.name, "available": False, "problem": self.problem}
        return {
            "name": self.name,
            "available": not self.problem,
            **({"problem": self.problem} if self.problem else {}),
            "title": self.metric.title,
            "summary": self.metric.summary,
            "citation": self.metric.citation,
            "higher_is_better": self.metric.higher_is_better,
            "best": self.metric.best,
            "worst": self.metric.worst,
            "segment_form": self.metric.segment_form,
            "penalised_lengths": self.metric.penalised_lengths,
            "facts": list(self.metric.facts),
            "options": [_option_dict(one) for one in self.options],
        }


def metric_entries(names: Sequence[str] = ()) -> list[MetricEntry]:
    """The metrics of these names, or all of them; an unknown name is an error."""
    return [_entry(name) for name in (names or METRICS)]


def _entry(name: str) -> MetricEntry:
    try:
        found = METRICS[name]
        return MetricEntry(name=name, metric=found, problem=found.missing() or "")
    except (ImportError, MissingExtraError) as error:  # a plug-in or an extra is not complete
        return MetricEntry(name=name, metric=None, problem=str(error))


def _option_dict(one: Option) -> dict[str, str]:
    return {
        "name": one.name,
        "default": one.to_text(one.default),
        "expected": one.expected,
        "help": one.help,
        "signature_key": one.key,
    }


def metric_list_dict(entries: Iterable[MetricEntry]) -> dict[str, Any]:
    """The list, ready for JSON."""
    return {"version": __version__, "metrics": [one.to_dict() for one in entries]}


def metric_names(entries: Sequence[MetricEntry]) -> RenderableType:
    """A line for each metric."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for entry in entries:
        if entry.metric is None or entry.problem:
            said = Text(f"not available: {entry.problem}", style="dim")
        else:
            low = "" if entry.metric.higher_is_better else "; lower is better"
            said = Text.assemble(entry.metric.summary, (low, "dim"))
        table.add_row(Text(entry.name, style="bold"), said)
    return Group(table, Text("\n'tertium metrics NAME' shows paper and options.", style="dim"))


def metric_list(entries: Sequence[MetricEntry]) -> RenderableType:
    """A paragraph for each metric, its options below."""
    # One width for all metrics, so that the eye can run down the columns; what few options
    # need more for may push their own line.
    texts = [_option_cells(one) for entry in entries for one in entry.options]
    widths = [min(_COLUMN, max(map(len, column))) for column in zip(*texts, strict=True)]
    return Group(*(part for entry in entries for part in _paragraph(entry, widths)))


def _paragraph(entry: MetricEntry, widths: Sequence[int]) -> list[RenderableType]:
    if entry.metric is None:
        return [Text(f"{entry.name}  not available: {entry.problem}\n", style="dim")]
    heading = Text.assemble(
        (entry.name, "bold"),
        f"  {entry.metric.title}: {entry.metric.summary}  ",
        (f"({entry.metric.citation})", "dim"),
        "" if entry.metric.higher_is_better else "  lower is better",
        "" if entry.metric.segment_form == "plain text" else f"  reads {entry.metric.segment_form}",
        f"  not available: {entry.problem}" if entry.problem else "",
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    for width in widths[:-1]:
        table.add_column(min_width=width, overflow="fold")
    table.add_column(overflow="fold")
    for one in entry.options:
        table.add_row(*map(Text, _option_cells(one)))
    facts = [Text(f"  {fact}", style="dim") for fact in entry.metric.facts]
    return [heading, *facts, table, Text()]


def _option_cells(one: Option) -> tuple[str, str, str]:
    return f"{one.name}={one.to_text(one.default)}", one.expected, one.help
