"""A decision as text for people: the answers first, then what each rests on, in 80 columns."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, TextIO

from tertium.audit.findings import named
from tertium.decide.decision import Decision
from tertium.decide.evidence import MetricEvidence, OpposingSlice, OpposingSlices
from tertium.decide.verdict import Verdict
from tertium.inference.p_values import CORRECTED_P, RAW_P, p_value_text
from tertium.report.blocks import Blocks, Cell, Column
from tertium.report.console import console_text
from tertium.report.findings import audit_title
from tertium.results import heading

WIDTH: Final = 80
DETECTABLE: Final = "the least true difference that this test set finds in 8 of 10 cases"
PEOPLE: Final = "so often people agreed with such a difference ('tertium meta worth')"
SHOWN: Final = 3
"""Slices of one kind that are named."""


def decision_text(decision: Decision, screen: TextIO | None = None) -> str:
    """One line for each answer, then the evidence, and how it was tested."""
    lines: list[str] = []
    for sentence in decision.sentences:
        lines += wrapped(sentence)
    if decision.requirement is not None:
        lines += wrapped(decision.requirement.sentence)
        for obstacle in decision.requirement.obstacles:
            lines += wrapped(obstacle, indent="  ")
    for verdict in decision.verdicts:
        lines += ["", *_evidence(verdict, screen)]
    lines += ["", *wrapped(f"finds: {DETECTABLE}")]
    if any(one.worth is not None for verdict in decision.verdicts for one in verdict.metrics):
        lines += wrapped(f"people: {PEOPLE}")
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


def _evidence(verdict: Verdict, screen: TextIO | None) -> Iterator[str]:
    yield from wrapped(f"{verdict.baseline} → {verdict.system}: {verdict.label}")
    yield from console_text(_table(verdict), screen).rstrip("\n").split("\n")
    for title in dict.fromkeys(some.title for some in verdict.slices):
        mine = [some for some in verdict.slices if some.title == title]
        yield from wrapped(
            f"{title} goes the other way in {named([_slices(some) for some in mine])}", indent="  "
        )
    for finding in verdict.findings:
        place = audit_title(finding.audit, finding.metric)
        yield from wrapped(f"{finding.severity}, {place}: {finding.meaning}", indent="  ")
    if verdict.segments:
        shown = verdict.metrics[0].metric.shown
        parts = [f"{one.number} ({shown(one.effect, 3, sign='+')})" for one in verdict.segments]
        title = verdict.metrics[0].title
        yield from wrapped(
            f"read first: segments {', '.join(parts)}: their part in the difference in {title}",
            indent="  ",
        )


def _table(verdict: Verdict) -> Blocks:
    people = any(one.worth is not None for one in verdict.metrics)
    level = next((one.interval.level for one in verdict.metrics if one.interval), None)
    heads = [
        "scores",
        "delta",
        "interval" if level is None else f"{100 * level:g} % interval",
        RAW_P,
        CORRECTED_P,
        "finds",
        *(["people"] * people),
    ]
    return Blocks(
        labels=(Column("metric", "left"),),
        groups=tuple((Column(head),) for head in heads),
        sections=(tuple(_row(one, people=people) for one in verdict.metrics),),
    )


def _row(one: MetricEvidence, *, people: bool) -> tuple[Cell, ...]:
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
        *(["–" if one.worth is None else f"{one.worth.share:.0%}"] * people),
    ]
    return tuple(Cell(text) for text in texts)


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
