"""Audit: do words too many in some segments pay for words too few in others?

The brevity penalty of BLEU compares sums of lengths, so that "if a system generates a long
translation for one sentence, it can generate a short translation for another sentence without
facing a penalty" (Chiang et al. 2008, section 2). The strict penalty of BLEU-SBP, with the same
reference length, is what the score would be without the licence.
"""

from dataclasses import fields
from typing import Final

import numpy as np

from tertium.audit.case import Case, Counts
from tertium.audit.findings import Finding, Severity
from tertium.metrics.base import Scores
from tertium.metrics.bleu import Bleu
from tertium.metrics.bleu_sbp import BleuStrictBrevity

NAME: Final = "licence"
PAID_SHARE: Final = 0.08
"""A convention. Every system is longer here and shorter there; of the 31 systems of WMT12 de-en
and WMT23 zh-en 30 are below it."""


def licence(case: Case) -> list[Finding]:
    """A finding for each ranking that the licence turns, and for each system that lives off it.

    Only metrics with a penalty on summed lengths can grant it. BLEU does; NIST could, but has no
    strict form to compare with, and is not looked at.
    """
    metric = case.metric
    if not isinstance(metric, Bleu) or isinstance(metric, BleuStrictBrevity):
        return []
    rows = case.rows
    words, targets = rows[..., 2 * metric.order], rows[..., 2 * metric.order + 1]
    paid = paid_words(words, targets)
    strict = strict_scores(case, metric)
    scores = case.scores
    total = np.maximum(1.0, targets.sum(axis=1))
    found, named = [], set()
    for a, b in case.pairs:  # a has the better score
        if scores[a] > scores[b] and strict[a] < strict[b] and paid[a] > paid[b]:
            gap = min(scores[a] - scores[b], strict[b] - strict[a])
            clear = bool(gap >= 0.002 * scores[a])
            found.append(
                _finding(case, (a, b), strict, paid / total, "serious" if clear else "warning")
            )
            named.add(a)
    found += [
        _finding(case, (a,), strict, paid / total, "warning")
        for a in range(len(case.systems))
        if paid[a] / total[a] >= PAID_SHARE and a not in named
    ]
    return found


def paid_words(words: Counts, targets: Counts) -> Counts:
    """Missing words that are paid for: the surplus of long segments, as far as others lack it."""
    surplus = np.maximum(0.0, words - targets).sum(axis=-1)
    missing = np.maximum(0.0, targets - words).sum(axis=-1)
    paid: Counts = np.minimum(surplus, missing)
    return paid


def strict_scores(case: Case, metric: Bleu) -> Scores:
    """BLEU-SBP with every option of the metric, the reference length included."""
    options = {one.name: getattr(metric, one.name) for one in fields(Bleu)}
    strict = BleuStrictBrevity(**options)
    covered = np.minimum(case.rows[..., -2], case.rows[..., -1])
    return strict.score(
        np.concatenate([case.rows.sum(axis=1), covered.sum(axis=1)[:, np.newaxis]], axis=1)
    )


def _finding(
    case: Case, shown: tuple[int, ...], strict: Scores, shares: Counts, severity: Severity
) -> Finding:
    names, scores = case.names, case.scores
    first = shown[0]
    name = names[first]
    cost = f"{scores[first]:.2f}, without that {strict[first]:.2f}"
    if len(shown) > 1:
        second = shown[1]
        meaning = (
            f"{name} is ahead of {names[second]} only because its surplus words in some segments "
            f"pay for {shares[first]:.1%} of the reference words that it lacks in others: "
            f"{cost}, against {scores[second]:.2f} and {strict[second]:.2f}."
        )
    else:
        meaning = (
            f"{name} has words too many in some segments and too few in others, and the surplus "
            f"pays for {shares[first]:.1%} of the reference words: {cost}."
        )
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=tuple(names[i] for i in shown),
        severity=severity,
        numbers={
            "scores": {names[i]: float(scores[i]) for i in shown},
            "strict_scores": {names[i]: float(strict[i]) for i in shown},
            "paid_share": {names[i]: float(shares[i]) for i in shown},
        },
        meaning=meaning,
        advice="Report BLEU-SBP too, or a metric over segments, and the lengths of both systems.",
    )
