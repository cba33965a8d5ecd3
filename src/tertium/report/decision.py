"""A decision as text for people: the answers first, then what each rests on, in 80 columns."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, TextIO

from tertium.audit.findings import named
from tertium.decide.decision import Decision
from tertium.decide.evidence import MetricEvidence, OpposingSlice, OpposingSlices
from tertium.decide.verdict import Verdict
from tertium.inference.p_values import CORRECTED_P, RAW_P, p_value_text
from tertium.report.blocks import Blocks, Column, TextCell
from tertium.report.console import console_text
from tertium.report.findings import audit_title
from tertium.results import heading

WIDTH: Final = 80
DETECTABLE: Final = "smallest true difference detected with 80 % power"
AGREEMENT: Final = (
    "share of WMT system pairs with such a difference on which raters agreed ('tertium meta worth')"
)
SHOWN: Final = 3
"""Slices of one kind that are named."""


def decision_text(decision: Decision, screen: TextIO | None = None) -> str:
    """One line for each answer, then the evidence, and how it was tested."""
    lines: list[str] = []
    for sentence in decision.sentences:
        lines += wrapped(sentence)
    if decision.requirement is not None:
        lines += wrapped(decision.requirement.sentence)
        for line in (*decision.requirement.obstacles, *decision.requirement.notes):
            lines += wrapped(line, indent="  ")
    if decision.witness:
        lines += wrapped(decision.witness)
    told: set[int] = set()
    for verdict in decision.verdicts:
        lines += ["", *_evidence(verdict, screen, told)]
    lines += ["", *wrapped(f"detectable: {DETECTABLE}")]
    if any(one.worth is not None for verdict in decision.verdicts for one in verdict.metrics):
        lines += wrapped(f"human agreement: {AGREEMENT}")
    lines += wrapped(decision.procedure)
    if decision.audits:
        lines += wrapped(f"audits asked: {', '.join(decision.audits)}")
    for warning in decision.warnings:
        lines += wrapped(f"warning: {warning}")
    return "\n".join(lines) + "\n"


def wrapped(text: str, indent: str = "") -> list[str]:
    """Lines of at most 80 columns; a word that is longer stays whole."""
    return wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _evidence(verdict: Verdict, screen: TextIO | None, told: set[int]) -> Iterator[str]:
    """What a verdict rests on; findings on the baseline that were ``told`` before are left out."""
    yield from wrapped(f"{verdict.baseline} → {verdict.system}: {verdict.label}")
    yield from console_text(_table(verdict), screen).rstrip("\n").split("\n")
    if known := [(one.title, one.worth) for one in verdict.metrics if one.worth is not None]:
        shares = ", ".join(f"{title} {worth.short}" for title, worth in known)
        kind = known[0][1].kind
        yield from wrapped(f"human agreement{f', {kind}' if kind else ''}: {shares}", indent="  ")
    for title in dict.fromkeys(some.title for some in verdict.slices):
        mine = [some for some in verdict.slices if some.title == title]
        yield from wrapped(
            f"{title}: order reversed in {named([_slices(some) for some in mine])}", indent="  "
        )
    for finding in verdict.findings:
        if id(finding) in told:
            continue
        told.add(id(finding))
        place = audit_title(finding.audit, finding.metric)
        yield from wrapped(f"{finding.severity}, {place}: {finding.meaning}", indent="  ")
    if verdict.segments:
        shown = verdict.metrics[0].metric.shown
        parts = [f"{one.number} ({shown(one.effect, 3, sign='+')})" for one in verdict.segments]
        title = verdict.metrics[0].title
        yield from wrapped(
            f"largest contributions to the difference in {title}: segments {', '.join(parts)}",
            indent="  ",
        )


def _table(verdict: Verdict) -> Blocks:
    level = next((one.interval.level for one in verdict.metrics if one.interval), None)
    heads = [
        "scores",
        "delta",
        "interval" if level is None else f"{100 * level:g} % interval",
        RAW_P,
        CORRECTED_P,
        "detectable",
    ]
    return Blocks(
        labels=(Column("metric", "left"),),
        groups=tuple((Column(head),) for head in heads),
        sections=(tuple(_row(one) for one in verdict.metrics),),
    )


def _row(one: MetricEvidence) -> tuple[TextCell, ...]:
    shown = one.metric.shown
    mark = "*" if one.significant else " "
    ends = one.interval
    texts = [
        heading(one.title, higher_is_better=one.metric.higher_is_better),
        f"{shown(one.baseline)} → {shown(one.system)}",
        f"{shown(one.delta, sign='+')}{mark}",
        "–" if ends is None else f"[{shown(ends.low, sign='+')}, {shown(ends.high, sign='+')}]",
        one.raw_p_text,
        one.p_text,
        "–" if one.detectable is None else shown(one.detectable),
    ]
    return tuple(TextCell(text) for text in texts)


def _slices(some: OpposingSlices) -> str:
    """How many they are; of many slices those are named that are significant."""
    sure = [one for one in some.slices if one.significant]
    told = sure if some.of > SHOWN else some.slices
    shown = [_slice(some, one) for one in told[:SHOWN]]
    if sure and len(told) < len(some.slices):
        shown.insert(0, f"{len(sure)} significantly")
    if len(told) > SHOWN:
        shown.append("…")
    return f"{some.count} ({'; '.join(shown)})" if shown else some.count


def _slice(some: OpposingSlices, one: OpposingSlice) -> str:
    p_text = "not tested" if one.adjusted is None else f"{CORRECTED_P} {p_value_text(one.adjusted)}"
    return f"{one.label} {some.metric.shown(one.delta, sign='+')}, {p_text}"
