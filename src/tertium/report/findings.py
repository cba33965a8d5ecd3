"""An audit's findings as text for people."""

from itertools import groupby
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.audit.findings import SEVERITIES, AuditReport, Finding
from tertium.audit.table import AUDITS
from tertium.inference.units import FEWEST_UNITS
from tertium.metrics.foreign.score_table import short_name
from tertium.plurals import counted

OUTPUT: Final = "output"
"""What findings are about that name no metric."""
SHOWN: Final = 3
"""Findings of one kind that are told in full; programs get all of them."""

_LEADS: Final = "p of a lead: two-sided, not corrected for the number of pairs"
_STYLES: Final = {"serious": "bold red", "warning": "yellow", "note": "dim"}


def findings_view(report: AuditReport, *, shown: int = SHOWN) -> Group:
    """The findings of each metric, worst first, then what was audited and how."""
    parts: list[RenderableType] = []
    once = {AUDITS[name].once for name in report.audits}
    about_output = [""] if True in once else []
    by_metric = report.metrics if False in once else ()
    for spec in (*about_output, *by_metric):
        found = report.of(metric=spec)
        parts.append(Text.assemble((short_name(spec) or OUTPUT, "bold"), f"  {_counts(found)}"))
        if found:
            parts.append(_table(found, shown))
        parts.append(Text(""))
    parts += [Text(line, style="dim") for line in _remarks(report)]
    return Group(*parts)


def audit_title(audit: str, metric: str) -> str:
    """The audit of a finding, and the metric if it is about one.

    >>> audit_title("copies", ""), audit_title("reversal", "bleu")
    ('copies', 'reversal of bleu')
    """
    return f"{audit} of {short_name(metric)}" if metric else audit


def _table(found: tuple[Finding, ...], shown: int) -> Table:
    table = Table(box=box.SIMPLE, show_header=False, show_edge=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    in_order = sorted(
        found, key=lambda one: (SEVERITIES.index(_worst(found, one.audit)), _place(found, one))
    )
    for audit, group in groupby(in_order, key=lambda one: one.audit):
        same = list(group)
        for number, one in enumerate(same[:shown]):
            table.add_row(
                Text(one.severity, style=_STYLES[one.severity]),
                Text("" if number else audit, style="bold"),
                Text(one.meaning),
            )
        if len(same) > shown:
            more = f"… and {len(same) - shown} more like this (-f json lists them all)"
            table.add_row("", "", Text(more, style="dim"))
        for advice in dict.fromkeys(one.advice for one in same[:shown]):
            table.add_row("", "", Text(f"→ {advice}", style="italic"))
        table.add_section()
    return table


def _worst(found: tuple[Finding, ...], audit: str) -> str:
    return min((one.severity for one in found if one.audit == audit), key=SEVERITIES.index)


def _place(found: tuple[Finding, ...], one: Finding) -> int:
    """Where the audit of a finding comes up first, so that its findings stay together."""
    return next(place for place, other in enumerate(found) if other.audit == one.audit)


def _counts(found: tuple[Finding, ...]) -> str:
    """How many findings there are of each severity.

    >>> _counts(())
    'nothing found'
    """
    counts = {one: sum(each.severity == one for each in found) for one in SEVERITIES}
    words = (
        f"{count} {severity}{'s' if severity != 'serious' and count > 1 else ''}"
        for severity, count in counts.items()
        if count
    )
    return ", ".join(words) or "nothing found"


def _remarks(report: AuditReport) -> list[str]:
    systems = (
        "1 system" if len(report.systems) == 1 else f"{counted(len(report.systems), 'system')}"
    )
    how = f"significance level {report.alpha:g}, seed {report.seed}"
    if any(AUDITS[name].resampled for name in report.audits):
        few = ", too few to be exact" if report.units < FEWEST_UNITS else ""
        how = f"bootstrap by {counted(report.units, report.unit)}{few}; {how}"
    return [
        f"{systems}, {counted(report.segments, 'segment')}; {how}",
        f"audits: {', '.join(report.audits)}",
        *([_LEADS] if any("lead" in one.numbers for one in report) else []),
        *(f"warning: {one}" for one in report.warnings),
        *(
            f"not done: {audit_title(one.audit, one.metric)} ({one.reason})"
            for one in report.skipped
        ),
    ]
