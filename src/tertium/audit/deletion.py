"""Audit: how much can be left untranslated before the score drops? (Chiang et al. 2008, 3.3)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case, Counts, equal_width
from tertium.audit.findings import Finding, Severity
from tertium.inference.units import Units
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.text.corpus import System

NAME: Final = "deletion"
NOTE_SHARE, WARNING_SHARE, SERIOUS_SHARE = 0.002, 0.01, 0.05
"""Shares of a system's words that can go without any drop. Chiang et al. call the deletion of
nearly a tenth a grave deficiency that goes unpunished."""
TRIALS: Final = 400
_COUNTS_AT_ONCE: Final = 10_000_000
_BLOCKS: Final = 40
_MOST_ROUNDS: Final = 120

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deletions:
    """Segments to blank, the most favourable first.

    ``free`` of them go without the score ever dropping, ``tolerated`` before it is significantly
    lower than it was; ``scores`` is the curve, from no segment blanked to all of ``order``.
    """

    order: Indices
    free: int
    tolerated: int
    scores: Scores


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
        ("resamples", case.alpha, case.seed),
        lambda: resamples(case.units, seed=case.seed, alpha=case.alpha),
    )
    # One product for all systems: many small ones keep every core busy with waiting.
    side_by_side = case.rows.swapaxes(0, 1).reshape(len(case.corpus), -1)
    shape = (len(draws), len(case.systems), -1)
    drawn = case.kept("drawn", lambda: (draws @ side_by_side).reshape(shape))
    return case.kept(
        ("deletions", number),
        lambda: deletions(
            case.metric,
            case.rows[number],
            silence(case),
            case.lengths.words[number],
            draws=draws,
            alpha=case.alpha,
            drawn=drawn[:, number],
        ),
    )


def resamples(units: Units, *, seed: int, alpha: float) -> Counts:
    """How often each segment is drawn in each bootstrap resample, (trials, segments).

    Segments of one unit are drawn together. Large corpora get fewer trials, but always enough
    for a p-value below alpha.
    """
    segments = len(units.of_segment)
    trials = max(math.ceil(2 / alpha), min(TRIALS, _COUNTS_AT_ONCE // max(1, segments)))
    rng = np.random.default_rng(seed)
    draws = np.empty((trials, segments))
    for trial in range(trials):
        drawn = rng.integers(0, units.count, units.count)
        draws[trial] = np.bincount(drawn, minlength=units.count)[units.of_segment]
    return draws


def deletions(
    metric: Metric,
    rows: Rows,
    empty: Rows,
    words: Counts,
    *,
    draws: Counts,
    alpha: float,
    drawn: Rows | None = None,
) -> Deletions:
    """Blank segments greedily, a block at a time, until the score is significantly lower.

    ``drawn`` are the sums of the rows on all resamples, where they are known already.
    """
    sign = 1 if metric.higher_is_better else -1
    changes = empty - rows
    left = np.flatnonzero(words > 0)
    total = rows.sum(axis=0)
    before = sign * float(metric.score(total))
    block = max(1, len(left) // _BLOCKS)
    order: list[Indices] = []
    for chosen in _free_blocks(metric, total, changes, left, words, block=block):
        order.append(chosen)
        total = total + changes[chosen].sum(axis=0)
        left = np.setdiff1d(left, chosen, assume_unique=True)
    free = sum(map(len, order))
    whole_drawn = draws @ rows if drawn is None else drawn
    drawn_before = sign * metric.score(whole_drawn)
    gone = np.concatenate(order) if order else np.empty(0, dtype=np.intp)
    drawn = whole_drawn + _sums(draws, changes, gone)
    while len(left):
        chosen = _best(metric, total, changes, left, words)[0][:block]
        sums = drawn + _sums(draws, changes, chosen)
        order.append(chosen)
        if _drops(sign * metric.score(sums), drawn_before, alpha):
            break
        drawn, total = sums, total + changes[chosen].sum(axis=0)
        left = np.setdiff1d(left, chosen, assume_unique=True)
    whole = np.concatenate(order) if order else gone
    tolerated = len(whole)
    if len(left):  # the last block dropped the score: where in it?
        tolerated -= len(order[-1])
        last = order[-1]
        each = draws.T[last][..., np.newaxis] * changes[last][:, np.newaxis]
        after = sign * metric.score(drawn + np.cumsum(each, axis=0))
        drops = [_drops(some, drawn_before, alpha) for some in after]
        tolerated += drops.index(True) if True in drops else len(last)
        whole = whole[: tolerated + 1]
    steps = rows.sum(axis=0) + np.cumsum(changes[whole], axis=0)
    scores = np.concatenate([[sign * before], metric.score(steps)])
    return Deletions(order=whole, free=free, tolerated=max(free, tolerated), scores=scores)


def _sums(draws: Counts, changes: Rows, chosen: Indices) -> Rows:
    """What the changes of some segments come to on every resample."""
    sums: Rows = np.einsum("tn,nk->tk", draws[:, chosen], changes[chosen])
    return sums


def _free_blocks(
    metric: Metric, total: Rows, changes: Rows, left: Indices, words: Counts, *, block: int
) -> Iterator[Indices]:
    """Segments that can go one after the other while the score never drops."""
    sign = 1 if metric.higher_is_better else -1
    for _ in range(_MOST_ROUNDS):
        if not len(left):
            return
        now = sign * float(metric.score(total))
        tie = equal_width(now)
        ordered, gains = _best(metric, total, changes, left, words)
        if gains[0] < -tie:
            return
        some = ordered[:block]
        sums = total + np.cumsum(changes[some], axis=0)
        steps = np.diff(sign * metric.score(sums), prepend=now)
        steps[0] = gains[0]  # the same number, but for rounding
        harmful = np.flatnonzero(steps < -tie)
        chosen = some[: harmful[0]] if len(harmful) else some
        yield chosen
        total = total + changes[chosen].sum(axis=0)
        left = np.setdiff1d(left, chosen, assume_unique=True)


def _best(
    metric: Metric, total: Rows, changes: Rows, left: Indices, words: Counts
) -> tuple[Indices, Scores]:
    """What is left in the order of what blanking it gains; of equals the longest first."""
    sign = 1 if metric.higher_is_better else -1
    gains = sign * (metric.score(total + changes[left]) - metric.score(total))
    order = np.lexsort((-words[left], -gains))
    return left[order], gains[order]


def _drops(after: Scores, before: Scores, alpha: float) -> bool:
    """Whether few enough resamples fail to get worse (one-sided, Koehn 2004)."""
    width = equal_width(float(np.abs(before).max()))
    return bool((1 + np.count_nonzero(after >= before - width)) / (1 + len(after)) <= alpha)


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
            "such as GRR or TER, charges for each good segment that is gone."
        )
    else:
        meaning = (
            f"{len(free)} output{plural} of {name} ({free_share:.1%} of its words) "
            f"score{'' if plural else 's'} no better than silence (segment{plural} {heads})."
        )
        advice = "Read these segments: wrong language, wrong line, or babble?"
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
