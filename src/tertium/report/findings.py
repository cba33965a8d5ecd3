"""An audit's findings for people."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from tertium.audit.findings import SEVERITIES, AuditReport, Finding
from tertium.audit.table import AUDITS
from tertium.inference.units import FEWEST_UNITS
from tertium.metrics.foreign.score_table import short_name
from tertium.plurals import counted
from tertium.tables import Cell, Column, Lines, Mark, Part, Table, TextLine, lines

OUTPUT: Final = "output"
"""What findings are about that name no metric."""
SHOWN: Final = 3
"""Findings of one kind that are told in full; programs get all of them."""

_LEADS: Final = "p of a lead: two-sided, not corrected for the number of pairs"
_MARKS: Final[dict[str, Mark]] = {"serious": "serious", "warning": "warning", "note": "faint"}


def findings_view(report: AuditReport, *, shown: int = SHOWN) -> Iterator[Part]:
    """The findings of each metric, worst first, then what was audited and how."""
    once = {AUDITS[name].once for name in report.audits}
    about_output = [""] if True in once else []
    by_metric = report.metrics if False in once else ()
    for spec in (*about_output, *by_metric):
        findings, title = report.of(metric=spec), short_name(spec) or OUTPUT
        if findings:
            yield _table(findings, title, shown)
        else:
            yield Lines((TextLine((Cell(title, "strong"), Cell(f"  {_counts(findings)}"))),))
    yield lines(_remarks(report), "faint")


def audit_title(audit: str, metric: str) -> str:
    """The audit of a finding, and the metric if it is about one.

    >>> audit_title("copies", ""), audit_title("reversal", "bleu")
    ('copies', 'reversal of bleu')
    """
    return f"{audit} of {short_name(metric)}" if metric else audit


def _table(findings: tuple[Finding, ...], title: str, shown: int) -> Table:
    audits = [finding.audit for finding in findings]
    in_order = sorted(
        findings,
        key=lambda one: (SEVERITIES.index(_worst(findings, one.audit)), audits.index(one.audit)),
    )
    return Table(
        title=title,
        remark=_counts(findings),
        header=False,
        columns=(
            Column("severity", "left", whole=True),
            Column("audit", "left", whole=True),
            Column("finding", "left"),
        ),
        sections=tuple(
            tuple(_rows(audit, list(same), shown))
            for audit, same in groupby(in_order, key=lambda one: one.audit)
        ),
        labels=2,
    )


def _rows(audit: str, findings: list[Finding], shown: int) -> Iterator[tuple[Cell, ...]]:
    """The findings of one audit, and what to do about them."""
    for number, finding in enumerate(findings[:shown]):
        yield (
            Cell(finding.severity, _MARKS[finding.severity]),
            Cell("" if number else audit, "strong"),
            Cell(finding.meaning),
        )
    if len(findings) > shown:
        more = f"… and {len(findings) - shown} more like this (-f json lists them all)"
        yield Cell(""), Cell(""), Cell(more, "faint")
    for advice in dict.fromkeys(finding.advice for finding in findings[:shown]):
        yield Cell(""), Cell(""), Cell(f"→ {advice}", "advice")


def _worst(found: tuple[Finding, ...], audit: str) -> str:
    return min((one.severity for one in found if one.audit == audit), key=SEVERITIES.index)


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
