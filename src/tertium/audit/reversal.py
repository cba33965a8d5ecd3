"""Audit: better on every slice, yet worse on the whole (Chiang et al. 2008, section 3.2)."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tertium.audit.case import Case, Counts
from tertium.audit.findings import Finding
from tertium.audit.leads import VISIBLE
from tertium.audit.leads import lead as tested_lead
from tertium.choices import Slicing
from tertium.metrics.contract.base import Metric
from tertium.scored.slices import Slices

NAME: Final = "reversal"
CLEAR_LEAD: Final = 0.002
"""A lead that is no matter of rounding, as a share of the score."""
NEAREST: Final = 3


def reversal(case: Case) -> list[Finding]:
    """Reversals by every slicing, and the pairs that come nearest to one.

    Where the whole is a mean of the slices with weights that no system can change, the lead on
    the whole lies between the smallest and the largest lead on a slice. A pair comes near a
    reversal if less than half of the smallest lead is left on the whole, and that one is large
    enough to be reported.
    """
    findings: list[Finding] = []
    for by, slices in case.slicings.items():
        findings += _by(case, by, slices)
    return findings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _SliceScores:
    """Scores (more is better) and length ratios, (systems, slices)."""

    by: Slicing
    labels: tuple[str, ...]
    parts: Counts
    ratios: Counts


def _by(case: Case, by: Slicing, slices: Slices) -> list[Finding]:
    lengths = case.lengths
    if (slices.sums(lengths.references, axis=-1) <= 0).any():  # nothing to divide by
        return []
    parts = case.sign * case.metric.score(slices.sums(case.rows))
    wholes = case.sign * case.scores
    reversed_pairs, near = [], []
    for a in range(len(wholes)):
        for b in range(len(wholes)):
            least = float((parts[a] - parts[b]).min())
            lead = float(wholes[a] - wholes[b])
            size = max(abs(float(wholes[a])), abs(float(wholes[b])))
            clear = CLEAR_LEAD * size
            # NaN too: nobody is ahead in every slice where one of them has no score.
            if a == b or not least > 1e-6 * clear:
                continue
            if lead < -1e-6 * clear:
                reversed_pairs.append((a, b, min(least, -lead) >= clear))
            elif lead < least / 2 and least >= VISIBLE * size:
                near.append((lead - least, a, b))
    if not reversed_pairs and not near:
        return []
    targets = np.maximum(slices.sums(lengths.closest, axis=-1), 1.0)
    ratios = slices.sums(lengths.words, axis=-1) / targets
    scores = _SliceScores(by=by, labels=slices.labels, parts=parts, ratios=ratios)
    findings = [_reversal(case, scores, (a, b), clear=clear) for a, b, clear in reversed_pairs]
    return findings + [_nearest(case, scores, (a, b)) for _, a, b in sorted(near)[:NEAREST]]


def _reversal(case: Case, slices: _SliceScores, pair: tuple[int, int], *, clear: bool) -> Finding:
    first, second = (case.names[i] for i in pair)
    numbers = _numbers(case, slices, pair)
    whole = numbers["whole"]
    lead = tested_lead(case, pair)
    verb = "leads" if lead.significant else "scores better"
    if case.metric.penalised_lengths == "corpus":
        decide = (
            "decide by a metric in which extra words in one segment cannot make up for words "
            f"missing in another: {second} has {_lengths(numbers, second)} of the reference length."
        )
    else:
        decide = "decide by a mean of segment scores, such as GRR or TER, which cannot do this."
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=(first, second),
        severity="note" if not clear else "serious" if lead.significant else "warning",
        size=lead.share,
        numbers={"reversed": True, "lead": lead.to_dict(), **numbers},
        meaning=(
            f"{first} is ahead of {second} in every {_noun(slices.by)} "
            f"({_leads(case.metric, numbers, first, second)}), yet {second} {verb} on the whole, "
            f"{case.metric.shown(whole[second])} to {case.metric.shown(whole[first])} ({lead})."
        ),
        advice=f"Report the scores by {slices.by}, and {decide}",
    )


def _nearest(case: Case, slices: _SliceScores, pair: tuple[int, int]) -> Finding:
    first, second = (case.names[i] for i in pair)
    numbers = _numbers(case, slices, pair)
    whole = numbers["whole"]
    lead = tested_lead(case, pair)
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=(first, second),
        severity="note",
        size=lead.share,
        numbers={"reversed": False, "lead": lead.to_dict(), **numbers},
        meaning=(
            f"{first} is clearly ahead of {second} in every {_noun(slices.by)} "
            f"({_leads(case.metric, numbers, first, second)}), but on the whole hardly, "
            f"{case.metric.shown(whole[first])} to {case.metric.shown(whole[second])} ({lead})."
        ),
        advice=f"Report the scores by {slices.by} beside the whole.",
    )


def _numbers(case: Case, slices: _SliceScores, pair: tuple[int, int]) -> dict[str, Any]:
    values = case.sign * slices.parts
    scores = case.scores
    return {
        "by": slices.by,
        "whole": {case.names[i]: float(scores[i]) for i in pair},
        "slices": {
            label: {case.names[i]: float(values[i, k]) for i in pair}
            for k, label in enumerate(slices.labels)
        },
        "length_ratios": {
            label: {case.names[i]: float(slices.ratios[i, k]) for i in pair}
            for k, label in enumerate(slices.labels)
        },
    }


_SHOWN: Final = 4


def _leads(metric: Metric, numbers: dict[str, Any], first: str, second: str) -> str:
    slices = list(numbers["slices"].items())
    shown = [
        f"{label} {metric.shown(by[first])} to {metric.shown(by[second])}"
        for label, by in slices[:_SHOWN]
    ]
    return ", ".join([*shown, "…"] if len(slices) > _SHOWN else shown)


def _lengths(numbers: dict[str, Any], system: str) -> str:
    """The slices where the system is longest and shortest."""
    ratios = sorted((by[system], label) for label, by in numbers["length_ratios"].items())
    (short, label), (long, other) = ratios[0], ratios[-1]
    return f"{short:.2f} ({label}) to {long:.2f} ({other})"


def _noun(slicing: Slicing) -> str:
    return "length band" if slicing == "length" else slicing
