"""The metrics there are: what each is, whose it is, what can be set, what it says of empty text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import MissingExtraError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.table import METRICS
from tertium.report.metric_names import NOT_AVAILABLE
from tertium.tables import Cell, Column, Lines, Part, Table, TextLine, lines, table
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.metrics.contract.degenerate import DegenerateCase, DegenerateScores

_COLUMN: Final = 32
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
    def line(self) -> str:
        """What the list of all metrics says."""
        if self.metric is None or self.problem:
            return f"{NOT_AVAILABLE}{self.problem}"
        return f"{self.metric.summary}{'' if self.metric.higher_is_better else '; lower is better'}"

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
            "options": [_option_dict(option) for option in self.options],
        }


def metric_entries(names: Sequence[str] = ()) -> list[MetricEntry]:
    """The metrics of these names, or all of them; an unknown name is an error."""
    return [_entry(name) for name in (names or METRICS)]


def _entry(name: str) -> MetricEntry:
    try:
        metric = METRICS[name]
        return MetricEntry(name=name, metric=metric, problem=metric.missing() or "")
    except (ImportError, MissingExtraError) as error:  # a plug-in or an extra is not complete
        return MetricEntry(name=name, metric=None, problem=str(error))


def _option_dict(option: Option) -> dict[str, str]:
    return {
        "name": option.name,
        "default": option.to_text(option.default),
        "expected": option.expected,
        "help": option.help,
        "signature_key": option.key,
    }


def metric_list_dict(entries: Iterable[MetricEntry]) -> dict[str, Any]:
    """The list, ready for JSON."""
    return {"version": __version__, "metrics": [entry.to_dict() for entry in entries]}


def metric_list(entries: Sequence[MetricEntry]) -> Iterator[Part]:
    """A paragraph for each metric, its options below."""
    # One width for all metrics, so that the eye can run down the columns; what few options
    # need more for may push their own line.
    texts = [_option_cells(option) for entry in entries for option in entry.options]
    widths = [min(_COLUMN, max(map(len, column))) for column in zip(*texts, strict=True)]
    for entry in entries:
        yield _metric_lines(entry)
        if entry.metric is not None and entry.options:
            yield _options_table(entry, widths)


def _metric_lines(entry: MetricEntry) -> Lines:
    if entry.metric is None:
        return lines([f"{entry.name}  not available: {entry.problem}"], "faint")
    after = [
        "" if entry.metric.higher_is_better else "lower is better",
        "" if entry.metric.segment_form == "plain text" else f"reads {entry.metric.segment_form}",
        f"not available: {entry.problem}" if entry.problem else "",
    ]
    heading = TextLine(
        (
            Cell(entry.name, "strong"),
            Cell(f"  {entry.metric.title}: {entry.metric.summary}  "),
            Cell(f"({entry.metric.citation})", "faint"),
            *(Cell(f"  {text}") for text in after if text),
        )
    )
    return Lines((heading, *lines((f"  {fact}" for fact in entry.metric.facts), "faint").lines))


def _options_table(entry: MetricEntry, widths: Sequence[int]) -> Table:
    return Table(
        header=False,
        close=True,
        columns=tuple(Column(name, "left") for name in ("option", "values", "what it does")),
        sections=(
            tuple(
                (Cell(f"  {name:<{widths[0]}}"), Cell(f"{expected:<{widths[1]}}"), Cell(said))
                for name, expected, said in map(_option_cells, entry.options)
            ),
        ),
        labels=2,
    )


def _option_cells(option: Option) -> tuple[str, str, str]:
    return f"{option.name}={option.to_text(option.default)}", option.expected, option.help


# What metrics say of empty and emptied text.


def degenerate_view() -> list[Part]:
    """Both tables: hypotheses or references without text, and without a word."""
    from tertium.metrics.contract.degenerate import (
        EMPTIED,
        EMPTY,
        degenerate_lines,
        own_metrics,
        removing_specs,
    )

    return [
        _degenerate_table(degenerate_lines(own_metrics(), EMPTY), EMPTY),
        _degenerate_table(degenerate_lines(removing_specs(), EMPTIED), EMPTIED),
    ]


def _degenerate_table(
    scores: "Iterable[DegenerateScores]", cases: "Sequence[DegenerateCase]"
) -> Table:
    titles = [case.title for case in cases]
    return table(
        ["metric", *titles],
        ([Cell(line.spec, "code"), *_degenerate_cells(line, titles)] for line in scores),
    )


def _degenerate_cells(line: "DegenerateScores", titles: Sequence[str]) -> list[str]:
    # Adding 0 takes the sign off a zero.
    return [
        f"{round(line.scores[title], 2) + 0:g}" if line.scores else "not installed"
        for title in titles
    ]
