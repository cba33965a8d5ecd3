"""Audit: do words too many in some segments pay for words too few in others?

The brevity penalty of BLEU compares sums of lengths, so that "if a system generates a long
translation for one sentence, it can generate a short translation for another sentence without
facing a penalty" (Chiang et al. 2008, section 2). The strict penalty of BLEU-SBP, with the same
reference length, is what the score would be without the licence.
"""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np

from tertium.audit.case import Case, Counts
from tertium.audit.findings import Finding, Severity
from tertium.audit.leads import ScoreLead, all_leads, lead, lead_of
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity

NAME: Final = "licence"
PAID_SHARE: Final = 0.08
"""A convention. Every system is longer here and shorter there; of the 31 systems of WMT12 de-en
and WMT23 zh-en 30 are below it."""


def licence(case: Case) -> list[Finding]:
    """A finding for each lead that the licence makes, and for each system that lives off it.

    Only metrics with a penalty on summed lengths can grant it. BLEU does; NIST could, but has no
    strict form to compare with, and is not looked at. It matters where the lead, or the one that
    there would be without it, is significant; of others only those that people would report are
    noted.
    """
    metric = case.metric
    if type(metric) is not Bleu:  # those derived from it have a strict form, or none
        return []
    rows = case.rows
    words, targets = rows[..., 2 * metric.order], rows[..., 2 * metric.order + 1]
    paid = paid_words(words, targets)
    strict_metric, strict_rows = strictly(case, metric)
    strict = strict_metric.score(strict_rows.sum(axis=1))
    scores = case.scores
    shares = paid / np.maximum(1.0, targets.sum(axis=1))
    findings, named = [], set()
    turned = [
        (a, b)
        for a, b in case.pairs  # a has the better score
        if scores[a] > scores[b] and strict[a] < strict[b] and paid[a] > paid[b]
    ]
    without = _strict_leads(case, turned, strict_metric, strict_rows)
    for a, b in turned:
        leads = lead(case, (a, b)), without[a, b]
        severity = _severity(*leads)
        if severity is not None:
            finding = _finding(case, (a, b), strict, shares, severity)
            findings.append(_turned(finding, leads))
            named.add(a)
    findings += [
        _finding(case, (a,), strict, shares, "warning")
        for a in range(len(case.systems))
        if shares[a] >= PAID_SHARE and a not in named
    ]
    return findings


def _strict_leads(
    case: Case, turned: Sequence[tuple[int, int]], metric: Metric, rows: Rows
) -> dict[tuple[int, int], ScoreLead]:
    """What the second system of each pair leads by under the strict metric."""
    if not turned:
        return {}
    some = sorted({system for pair in turned for system in pair})
    tested = all_leads(metric, rows[some], case.units, seed=case.seed)
    return {
        (a, b): lead_of(tested, (some.index(b), some.index(a)), alpha=case.alpha) for a, b in turned
    }


def _severity(given: ScoreLead, strict: ScoreLead) -> Severity | None:
    if given.significant:
        return "serious"
    if strict.significant:
        return "warning"
    return "note" if given.visible and strict.visible else None


def paid_words(words: Counts, targets: Counts) -> Counts:
    """Missing words that are paid for: the surplus of long segments, as far as others lack it."""
    surplus = np.maximum(0.0, words - targets).sum(axis=-1)
    missing = np.maximum(0.0, targets - words).sum(axis=-1)
    paid: Counts = np.minimum(surplus, missing)
    return paid


def strictly(case: Case, metric: Bleu) -> tuple[BleuStrictBrevity, Rows]:
    """BLEU-SBP with every option of the metric, the reference length included, and its rows."""
    options = {field.name: getattr(metric, field.name) for field in fields(Bleu)}
    strict = BleuStrictBrevity(**options)
    covered = np.minimum(case.rows[..., -2], case.rows[..., -1])
    return strict, np.concatenate([case.rows, covered[..., np.newaxis]], axis=-1)


def _turned(finding: Finding, leads: tuple[ScoreLead, ScoreLead]) -> Finding:
    """The finding of a single system, said of the pair whose order it turns."""
    first, second = finding.systems
    scores, strict = finding.numbers["scores"], finding.numbers["strict_scores"]
    share = finding.numbers["paid_share"][first]
    given, without = leads
    ahead = "is ahead of" if given.significant else "scores better than"
    return replace(
        finding,
        size=min(given.share, without.share),
        numbers={**finding.numbers, "lead": given.to_dict(), "strict_lead": without.to_dict()},
        meaning=(
            f"{first} {ahead} {second} only because its surplus words in some segments pay for "
            f"{share:.1%} of the reference words that it lacks in others: {scores[first]:.2f} to "
            f"{scores[second]:.2f} ({given}), without that {strict[first]:.2f} to "
            f"{strict[second]:.2f} ({without})."
        ),
    )


def _finding(
    case: Case, shown: tuple[int, ...], strict: Scores, shares: Counts, severity: Severity
) -> Finding:
    names, scores = case.names, case.scores
    first = shown[0]
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=tuple(names[i] for i in shown),
        severity=severity,
        size=float(shares[first]),
        numbers={
            "scores": {names[i]: float(scores[i]) for i in shown},
            "strict_scores": {names[i]: float(strict[i]) for i in shown},
            "paid_share": {names[i]: float(shares[i]) for i in shown},
        },
        meaning=(
            f"{names[first]} has words too many in some segments and too few in others, and the "
            f"surplus pays for {shares[first]:.1%} of the reference words: {scores[first]:.2f}, "
            f"without that {strict[first]:.2f}."
        ),
        advice="Report BLEU-SBP too, or a metric that is a mean of segments, and the lengths of "
        "both systems.",
    )
