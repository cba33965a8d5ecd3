"""Audit: how much can be left untranslated before the score drops? (Chiang et al. 2008, 3.3)."""

from typing import Final

import numpy as np

from tertium.audit.case import Case, Counts
from tertium.audit.deletion_search import Deletions, deletions, resamples
from tertium.audit.findings import Finding, Severity
from tertium.metrics.contract.base import Rows
from tertium.text.corpus import System

NAME: Final = "deletion"
NOTE_SHARE, WARNING_SHARE, SERIOUS_SHARE = 0.002, 0.01, 0.05
"""Shares of a system's words that can go without any drop. Chiang et al. call the deletion of
nearly a tenth a grave deficiency that goes unpunished."""


def deletion(case: Case) -> list[Finding]:
    """A finding for each system that could say less and lose nothing.

    Under a decomposable metric only outputs that score no better than an empty one can go.
    """
    return [
        one
        for number in range(len(case.systems))
        for one in _findings(case, number, deletions_of(case, number), silence(case))
    ]


def silence(case: Case) -> Rows:
    """The rows of a system that says nothing."""
    nothing = System(name="nothing", hypotheses=[""] * len(case.corpus))
    return case.kept("silence", lambda: case.metric.rows_of(nothing, case.corpus))


def deletions_of(case: Case, number: int) -> Deletions:
    """What one system could leave out."""
    draws = case.kept_for_all(
        "resamples",
        lambda: resamples(case.units, seed=case.seed, alpha=case.alpha),
    )
    drawn = case.kept_for_all("drawn", lambda: _drawn(case, draws))
    place = [one.spec for one in case.scored.metrics].index(case.metric.spec)
    return case.kept(
        ("deletions", number),
        lambda: deletions(
            case.metric,
            case.rows[number],
            silence(case),
            case.lengths.words[number],
            draws=draws,
            alpha=case.alpha,
            drawn=drawn[place][:, number],
        ),
    )


def _drawn(case: Case, draws: Counts) -> list[Rows]:
    """The rows of each metric on all resamples, (trials, systems, K).

    One product for all: after each, the threads that make it wait for the next at full speed.
    """
    every = case.scored.rows
    joined = np.concatenate(every, axis=2).swapaxes(0, 1)
    sums = draws @ joined.reshape(len(case.corpus), -1)
    widths = np.cumsum([rows.shape[2] for rows in every])[:-1]
    return np.split(sums.reshape(len(draws), len(case.systems), -1), widths, axis=2)


def _findings(case: Case, number: int, result: Deletions, empty: Rows) -> list[Finding]:
    words = case.lengths.words[number]
    spoken = max(1.0, float(words.sum()))
    free, tolerated = result.order[: result.free], result.order[: result.tolerated]
    free_share = float(words[free].sum()) / spoken
    if free_share < NOTE_SHARE:
        return []
    alone = case.metric.for_segments()
    own = case.sign * alone.score(case.rows[number][free])
    nothing = case.sign * alone.score(empty[free])
    licensed = free[own > nothing + 1e-9]
    licensed_share = float(words[licensed].sum()) / spoken
    severity: Severity = "note"
    if licensed_share >= WARNING_SHARE:
        severity = "serious" if licensed_share >= SERIOUS_SHARE else "warning"
    name, segments = case.names[number], len(words)
    heads = ", ".join(str(i + 1) for i in free[:5].tolist()) + (", …" if len(free) > 5 else "")
    plural = "s" if len(free) > 1 else ""
    if len(licensed):
        meaning = (
            f"{name} could leave {len(free)} of {segments} segments ({free_share:.1%} of its "
            f"words) untranslated without losing any score (segment{plural} {heads}), and "
            f"{len(tolerated)} before the loss is significant."
        )
        advice = (
            "Look for missing output yourself, this metric does not; a mean of segment scores, "
            "such as GRR or TER, becomes worse with each good segment that is gone."
        )
    else:
        meaning = (
            f"{len(free)} output{plural} of {name} ({free_share:.1%} of its words) "
            f"score{'' if plural else 's'} no better than an empty line (segment{plural} {heads})."
        )
        advice = "Read these segments: wrong language, wrong line, or nonsense?"
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=(name,),
            severity=severity,
            size=licensed_share or free_share,
            numbers={
                "segments": segments,
                "unit": case.units.unit,
                "units": case.units.count,
                "free_segments": len(free),
                "free_segment_share": len(free) / segments,
                "free_word_share": free_share,
                "licensed_segments": len(licensed),
                "licensed_word_share": licensed_share,
                "tolerated_segments": len(tolerated),
                "tolerated_segment_share": len(tolerated) / segments,
                "tolerated_word_share": float(words[tolerated].sum()) / spoken,
                "free": (free + 1).tolist(),
                "curve": _curve(result, words, spoken),
            },
            meaning=meaning,
            advice=advice,
        )
    ]


def _curve(result: Deletions, words: Counts, spoken: float) -> list[dict[str, float]]:
    """Points of the curve, few enough to plot and to read."""
    shares = np.concatenate([[0.0], np.cumsum(words[result.order])]) / spoken
    places = np.unique(np.linspace(0, len(result.order), 21).round().astype(int)).tolist()
    return [
        {"segments": k, "word_share": float(shares[k]), "score": float(result.scores[k])}
        for k in places
    ]
