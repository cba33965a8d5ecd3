"""What pages of test sets draw: score cells with their intervals, chips, forest plots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tertium.audit.findings import AuditReport, Finding, Severity
from tertium.report.html.charts import (
    Chip,
    ForestPlot,
    Meter,
    ScoreCell,
    common_axis,
    forest,
    whisker,
)
from tertium.report.html.verdict import chip_text, metric_effects
from tertium.serve.evaluation.comparison import PairView
from tertium.serve.evaluation.corpora import Board
from tertium.serve.evaluation.leaderboard import BoardCell, Entry, Leaderboard, MetricHead, study_of
from tertium.study.standings import leading_strength, metric_standings

_WEIGHTS: Final[dict[Severity, Literal["serious", "warn", "info"]]] = {
    "serious": "serious",
    "warning": "warn",
    "note": "info",
}
MOST_CHIPS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEntry:
    """A line of the table with what its cells draw."""

    entry: Entry
    cells: tuple[ScoreCell, ...]


def drawn_entries(found: Leaderboard, column: int) -> tuple[DrawnEntry, ...]:
    """The table by one of its columns, the best on top and outputs without a score last.

    The bars of a column lie on one axis, and what is further right is better.
    """
    columns = [
        _column(head, [entry.cells[place] for entry in found.entries])
        for place, head in enumerate(found.metrics)
    ]
    rows = [
        DrawnEntry(entry=entry, cells=tuple(cells[place] for cells in columns))
        for place, entry in enumerate(found.entries)
    ]
    if not 0 <= column < len(found.metrics):
        return tuple(rows)
    sign = -1 if found.metrics[column].higher_is_better else 1

    def order(row: DrawnEntry) -> tuple[bool, float]:
        value = row.cells[column].value
        return (True, 0.0) if value is None else (False, sign * value)

    return tuple(sorted(rows, key=order))


def _column(head: MetricHead, cells: Sequence[BoardCell | None]) -> list[ScoreCell]:
    known = [one for one in cells if one is not None and one.value is not None]
    axis = common_axis(
        [end for one in known for end in (one.value, one.low, one.high) if end is not None],
        higher_is_better=head.higher_is_better,
    )
    drawn = []
    for one in cells:
        if one is None or one.value is None:
            drawn.append(ScoreCell(text="", missing="none"))
            continue
        best = one.ranks.startswith("1") and one.ranks.partition("–")[0] == "1"
        ends = None if one.low is None or one.high is None else (one.low, one.high)
        told = [one.range, f"possible ranks {one.ranks}" if one.ranks else ""]
        drawn.append(
            ScoreCell(
                text=one.text,
                value=one.value,
                whisker=whisker(axis, one.value, ends, lean="ink" if best else "unsure"),
                best=best or (one.best and not one.ranks),
                tip=", ".join(filter(None, told)),
            )
        )
    return drawn


def chips_of(report: AuditReport | None, href: str) -> tuple[Chip, ...]:
    """The kinds of findings, the gravest first, each with how many more there are of it."""
    if report is None:
        return (Chip(weight="info", text="not audited yet", href=href),)
    if not report.findings:
        number = len(report.audits)
        return (Chip(weight="ok", text=f"{number} audits found nothing", href=href),)
    kinds: dict[tuple[Severity, str], list[Finding]] = {}
    for one in report.findings:
        kinds.setdefault((one.severity, one.audit), []).append(one)
    ordered = sorted(kinds.items(), key=lambda item: list(_WEIGHTS).index(item[0][0]))
    shown = [
        Chip(
            weight=_WEIGHTS[severity],
            text=f"{chip_text(some[0])} (+{len(some) - 1})"
            if len(some) > 1
            else chip_text(some[0]),
            href=href,
            tip=some[0].meaning,
        )
        for (severity, _), some in ordered[:MOST_CHIPS]
    ]
    if len(ordered) > MOST_CHIPS:
        shown.append(Chip(weight="info", text=f"{len(ordered) - MOST_CHIPS} more", href=href))
    return tuple(shown)


def pair_chips(view: PairView) -> tuple[Chip, ...]:
    """What to know before a pair's verdict is trusted: findings about it, then warnings."""
    ordered = sorted(view.whole.findings, key=lambda one: list(_WEIGHTS).index(one.severity))
    findings = [
        Chip(
            weight=_WEIGHTS[one.severity],
            text=chip_text(one),
            href="#forest-title",
            tip=one.meaning,
        )
        for one in ordered
    ]
    warnings = [Chip(weight="info", text=line, href="#forest-title") for line in view.warnings]
    return tuple([*findings, *warnings][:MOST_CHIPS])


def pair_forest(view: PairView) -> ForestPlot:
    """All metrics in one unit, the smallest difference that the test set detects."""
    return forest(view.second, view.first, metric_effects(view.whole))


def board_meter(board: Board, report: AuditReport | None) -> Meter | None:
    """How strongly the metrics that all outputs have say that the first tier is ahead."""
    if board.scored is None or len(board.outputs) < 2:
        return None
    study = study_of(board.scored)
    standings = board.scored.kept("metric standings", lambda: metric_standings(study))
    first = standings[0]
    leaders = {
        name for name, tier in zip(study.names, first.tiers or (), strict=False) if tier == 1
    }
    findings = () if report is None else report.findings
    serious = [one for one in findings if one.severity == "serious" and leaders & set(one.systems)]
    found = leading_strength(standings, first, serious)
    return Meter(strength=found.strength, note=found.note)
