"""What a test set can tell, as text for people."""

from typing import TextIO

from tertium.decide.power import PairPower, Power
from tertium.plurals import counted
from tertium.report.blocks import Blocks, Column, TextCell
from tertium.report.console import console_text
from tertium.report.decision import wrapped
from tertium.results import heading


def power_text(power: Power, screen: TextIO | None = None) -> str:
    """An answer for each pair, a table, and how it was computed."""
    lines: list[str] = []
    for one in power.pairs:
        lines += wrapped(_sentence(power, one))
    lines += ["", console_text(_table(power), screen).rstrip("\n"), ""]
    lines += wrapped(_procedure(power))
    for warning in power.warnings:
        lines += wrapped(f"warning: {warning}")
    return "\n".join(lines) + "\n"


def _sentence(power: Power, one: PairPower) -> str:
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


def _table(power: Power) -> Blocks:
    heads = (
        "assumed" if power.assumed else "delta",
        "detectable",
        "power",
        "needed",
        "wrong sign",
        "too large",
    )
    return Blocks(
        labels=(Column("system", "left"), Column("metric", "left")),
        groups=tuple((Column(head),) for head in heads),
        sections=(tuple(_row(one) for one in power.pairs),),
    )


def _row(one: PairPower) -> tuple[TextCell, ...]:
    shown = one.metric.shown
    texts = (
        one.system,
        heading(one.title, higher_is_better=one.metric.higher_is_better),
        shown(one.difference, sign="+"),
        shown(one.detectable),
        f"{one.power:.1%}",
        "–" if one.units_needed is None else f"{one.units_needed}",
        f"{one.sign_error:.1%}",
        "–" if one.exaggeration is None else f"× {one.exaggeration:.2f}",
    )
    return tuple(TextCell(text) for text in texts)


def _procedure(power: Power) -> str:
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
