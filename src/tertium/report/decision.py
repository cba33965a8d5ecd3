"""What a decision rests on and what a test set can tell: answers first, then their evidence."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from tertium.audit.findings import named
from tertium.decide.decision import Decision
from tertium.decide.evidence import MetricEvidence, OpposingSlice, OpposingSlices
from tertium.decide.power import PairPower, Power
from tertium.decide.verdict import Verdict
from tertium.inference.p_values import CORRECTED_P, RAW_P, p_value_text
from tertium.plurals import counted
from tertium.report.findings import audit_title
from tertium.results import heading
from tertium.tables import Lines, Part, Table, lines, table

WIDTH: Final = 80
"""Sentences are wrapped here, wherever they are read."""
DETECTABLE: Final = "smallest true difference detected with 80 % power"
AGREEMENT: Final = (
    "share of WMT system pairs with such a difference on which raters agreed ('tertium meta worth')"
)
SHOWN: Final = 3
"""Slices of one kind that are named."""


def decision_view(decision: Decision) -> Iterator[Part]:
    """One line for each answer, then the evidence, and how it was tested; power, if asked."""
    answers = list(decision.sentences)
    if decision.requirement is not None:
        answers.append(decision.requirement.sentence)
        more = (*decision.requirement.obstacles, *decision.requirement.notes)
        answers += (f"  {line}" for line in more)
    if decision.witness:
        answers.append(decision.witness)
    yield _wrapped(answers)
    told: set[int] = set()
    for verdict in decision.verdicts:
        yield _wrapped([f"{verdict.baseline} → {verdict.system}: {verdict.label}"])
        yield _evidence_table(verdict)
        if evidence := list(_evidence(verdict, told)):
            yield _wrapped((f"  {line}" for line in evidence), close=True)
    notes = [f"detectable: {DETECTABLE}"]
    if any(one.worth is not None for verdict in decision.verdicts for one in verdict.metrics):
        notes.append(f"human agreement: {AGREEMENT}")
    notes.append(decision.procedure)
    if decision.audits:
        notes.append(f"audits asked: {', '.join(decision.audits)}")
    yield _wrapped([*notes, *(f"warning: {warning}" for warning in decision.warnings)])
    if decision.power is not None:
        yield from power_view(decision.power)


def _wrapped(texts: Iterable[str], *, close: bool = False) -> Lines:
    return lines(texts, wrapped=WIDTH, close=close)


def _evidence_table(verdict: Verdict) -> Table:
    level = next((one.interval.level for one in verdict.metrics if one.interval), None)
    interval = "interval" if level is None else f"{100 * level:g} % interval"
    return replace(
        table(
            ("metric", "scores", "delta", interval, RAW_P, CORRECTED_P, "detectable"),
            map(_evidence_row, verdict.metrics),
        ),
        close=True,
    )


def _evidence_row(one: MetricEvidence) -> tuple[str, ...]:
    shown = one.metric.shown
    mark = "*" if one.significant else " "
    ends = one.interval
    return (
        heading(one.title, higher_is_better=one.metric.higher_is_better),
        f"{shown(one.baseline)} → {shown(one.system)}",
        f"{shown(one.delta, sign='+')}{mark}",
        "–" if ends is None else f"[{shown(ends.low, sign='+')}, {shown(ends.high, sign='+')}]",
        one.raw_p_text,
        one.p_text,
        "–" if one.detectable is None else shown(one.detectable),
    )


def _evidence(verdict: Verdict, told: set[int]) -> Iterator[str]:
    """What a verdict rests on; findings on the baseline that were ``told`` before are left out."""
    if known := [(one.title, one.worth) for one in verdict.metrics if one.worth is not None]:
        shares = ", ".join(f"{title} {worth.short}" for title, worth in known)
        kind = known[0][1].kind
        yield f"human agreement{f', {kind}' if kind else ''}: {shares}"
    for title in dict.fromkeys(some.title for some in verdict.slices):
        mine = [some for some in verdict.slices if some.title == title]
        yield f"{title}: order reversed in {named([_slices(some) for some in mine])}"
    for finding in verdict.findings:
        if id(finding) not in told:
            told.add(id(finding))
            subject = audit_title(finding.audit, finding.metric)
            yield f"{finding.severity}, {subject}: {finding.meaning}"
    if verdict.segments:
        shown = verdict.metrics[0].metric.shown
        parts = [f"{one.number} ({shown(one.effect, 3, sign='+')})" for one in verdict.segments]
        title = verdict.metrics[0].title
        yield f"largest contributions to the difference in {title}: segments {', '.join(parts)}"


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


# What a test set can tell.


def power_view(power: Power) -> list[Part]:
    """An answer for each pair, a table, and how it was computed."""
    warnings = (f"warning: {warning}" for warning in power.warnings)
    return [
        _wrapped(_power_sentence(power, one) for one in power.pairs),
        _power_table(power),
        _wrapped([_power_procedure(power), *warnings]),
    ]


def _power_sentence(power: Power, one: PairPower) -> str:
    shown = one.metric.shown
    least = (
        f"{one.system} and {power.baseline}, {one.title}: this test set finds a true difference "
        f"of {shown(one.detectable)} in {power.wanted:.0%} of the cases"
    )
    if one.units_needed is None:
        return f"{least}; none was observed."
    what = "assumed" if power.assumed else "observed"
    needed = counted(one.units_needed, power.unit)
    return (
        f"{least}, and one of {shown(abs(one.difference))}, as {what}, in {one.power:.0%}; "
        f"for {power.wanted:.0%} it would take {needed}."
    )


def _power_table(power: Power) -> Table:
    difference = "assumed" if power.assumed else "delta"
    return table(
        (
            *("system", "metric"),
            *(difference, "detectable", "power", "needed", "wrong sign", "too large"),
        ),
        map(_power_row, power.pairs),
        left=(0, 1),
        labels=2,
    )


def _power_row(one: PairPower) -> tuple[str, ...]:
    shown = one.metric.shown
    return (
        one.system,
        heading(one.title, higher_is_better=one.metric.higher_is_better),
        shown(one.difference, sign="+"),
        shown(one.detectable),
        f"{one.power:.1%}",
        "–" if one.units_needed is None else f"{one.units_needed}",
        f"{one.sign_error:.1%}",
        "–" if one.exaggeration is None else f"× {one.exaggeration:.2f}",
    )


def _power_procedure(power: Power) -> str:
    units = counted(power.units, power.unit)
    segments = f" ({counted(power.segments, 'segment')})" if power.unit == "document" else ""
    truth = (
        "the difference that was told"
        if power.assumed
        else "the one observed, which may itself be too large"
    )
    return (
        f"{units}{segments}; one two-sided test at {power.alpha:g}; standard errors by paired "
        f"bootstrap, {power.trials} resamples, seed {power.seed}. Needed are {power.unit}s. A "
        f"result that is significant has the wrong sign, and is too large, so often and so far, "
        f"if the true difference is {truth}."
    )
