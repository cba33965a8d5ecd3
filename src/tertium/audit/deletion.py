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

# The search for segments that a system could leave out, the most favourable ones first.

TRIALS: Final = 400
_COUNTS_AT_ONCE: Final = 10_000_000
_BLOCKS: Final = 40
_MOST_ROUNDS: Final = 120
_TRIED_AT_ONCE: Final = 8

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
    return np.asfortranarray(draws)  # the counts of a segment lie together, as they are asked for


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
    changes = empty - rows
    left = np.flatnonzero(words > 0)
    search = _DeletionSearch(
        metric=metric,
        changes=changes,
        columns=np.asfortranarray(changes),
        words=words,
        block=max(1, len(left) // _BLOCKS),
    )
    total = start = rows.sum(axis=0)
    order: list[Indices] = []
    for chosen in search.free_blocks(total, left):
        order.append(chosen)
        total = total + changes[chosen].sum(axis=0)
        left = _without(left, chosen, len(words))
    free = sum(map(len, order))
    gone = np.concatenate(order) if order else np.empty(0, dtype=np.intp)
    whole_drawn = draws @ rows if drawn is None else drawn
    test = _DropTest(
        metric=metric,
        draws=draws,
        changes=changes,
        exact=_sums_are_exact(changes),
        before=search.sign * metric.score(whole_drawn),
        alpha=alpha,
    )
    drawn = whole_drawn + test.sums(gone)
    while len(left):
        chosen, _ = search.best(total, left)
        sums = drawn + test.sums(chosen)
        order.append(chosen)
        if test.drops(search.sign * metric.score(sums)):
            break
        drawn, total = sums, total + changes[chosen].sum(axis=0)
        left = _without(left, chosen, len(words))
    whole = np.concatenate(order) if order else gone
    tolerated = len(whole)
    if len(left):  # the last block dropped the score: where in it?
        tolerated += test.first_drop(drawn, order[-1]) - len(order[-1])
        whole = whole[: tolerated + 1]
    steps = start + np.cumsum(changes[whole], axis=0)
    before = float(metric.score(start))
    scores = np.concatenate([[before], metric.score(steps)])
    return Deletions(order=whole, free=free, tolerated=max(free, tolerated), scores=scores)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DeletionSearch:
    """Which segments are best blanked next: ``changes`` are what blanking does to the sums.

    ``columns`` are the changes again, those of a column together in memory: it is scored faster.
    """

    metric: Metric
    changes: Rows
    columns: Rows
    words: Counts
    block: int

    @property
    def sign(self) -> int:
        return 1 if self.metric.higher_is_better else -1

    def best(self, total: Rows, left: Indices) -> tuple[Indices, Scores]:
        """The next block and what each of it gains; of equals the longest first."""
        score = self.metric.score
        # All segments, which is faster than to pick out those that are left.
        gains = (self.sign * (score(total + self.columns) - score(total)))[left]
        if self.block < len(gains):
            bound = -np.partition(-gains, self.block - 1)[self.block - 1]
            good = np.flatnonzero(gains >= bound)
            left, gains = left[good], gains[good]
        order = np.lexsort((-self.words[left], -gains))[: self.block]
        return left[order], gains[order]

    def free_blocks(self, total: Rows, left: Indices) -> Iterator[Indices]:
        """Segments that can go one after the other while the score never drops."""
        for _ in range(_MOST_ROUNDS):
            if not len(left):
                return
            now = self.sign * float(self.metric.score(total))
            tie = equal_width(now)
            some, gains = self.best(total, left)
            if gains[0] < -tie:
                return
            sums = total + np.cumsum(self.changes[some], axis=0)
            steps = np.diff(self.sign * self.metric.score(sums), prepend=now)
            steps[0] = gains[0]  # the same number, but for rounding
            harmful = np.flatnonzero(steps < -tie)
            chosen = some[: harmful[0]] if len(harmful) else some
            yield chosen
            total = total + self.changes[chosen].sum(axis=0)
            left = _without(left, chosen, len(self.words))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _DropTest:
    """Whether the score is significantly lower than ``before``, the scores on all resamples."""

    metric: Metric
    draws: Counts
    changes: Rows
    exact: bool
    before: Scores
    alpha: float

    def sums(self, chosen: Indices) -> Rows:
        """What the changes of some segments come to on every resample."""
        changes = self.changes[chosen]
        # Along the trials it is faster, but adds in another order; of whole numbers none is wrong.
        # Not by BLAS: after each product its threads wait for the next at full speed.
        if self.exact:
            sums: Rows = np.einsum("nt,nk->kt", self.draws.T[chosen], changes).T
        else:
            sums = np.einsum("tn,nk->tk", self.draws[:, chosen], changes)
        return sums

    def drops(self, after: Scores) -> bool:
        """Whether few enough resamples fail to get worse (one-sided, Koehn 2004)."""
        width = equal_width(float(np.abs(self.before).max()))
        as_good = np.count_nonzero(after >= self.before - width)
        return bool((1 + as_good) / (1 + len(after)) <= self.alpha)

    def first_drop(self, drawn: Rows, block: Indices) -> int:
        """How many segments of a block can go before the score drops."""
        sign = 1 if self.metric.higher_is_better else -1
        gone = np.zeros_like(drawn)
        for start in range(0, len(block), _TRIED_AT_ONCE):
            some = block[start : start + _TRIED_AT_ONCE]
            each = self.draws.T[some][..., np.newaxis] * self.changes[some][:, np.newaxis]
            each[0] += gone
            sums = np.cumsum(each, axis=0)
            after = sign * self.metric.score(drawn + sums)
            drops = [self.drops(score) for score in after]
            if True in drops:
                return start + drops.index(True)
            gone = sums[-1]
        return len(block)


def _sums_are_exact(changes: Rows) -> bool:
    """Whether numbers are whole, and so small that no resample's sum of them is rounded."""
    return bool(np.abs(changes).sum() < 1 << 40) and bool((changes == np.rint(changes)).all())


def _without(left: Indices, chosen: Indices, segments: int) -> Indices:
    """What is left, in its order, when some have been chosen."""
    gone = np.zeros(segments, dtype=bool)
    gone[chosen] = True
    return left[~gone[left]]


NAME: Final = "deletion"
NOTE_SHARE, WARNING_SHARE, SERIOUS_SHARE = 0.002, 0.01, 0.05
"""Shares of a system's words that can go without any drop. Chiang et al. call the deletion of
nearly a tenth a grave deficiency that goes unpunished."""


def deletion(case: Case) -> list[Finding]:
    """A finding for each system that could say less and lose nothing.

    Under a decomposable metric only outputs that score no better than an empty one can go.
    """
    return [
        finding
        for number in range(len(case.systems))
        for finding in _findings(case, number, deletions_of(case, number), silence(case))
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
    index = [metric.spec for metric in case.scored.metrics].index(case.metric.spec)
    return case.kept(
        ("deletions", number),
        lambda: deletions(
            case.metric,
            case.rows[number],
            silence(case),
            case.lengths.words[number],
            draws=draws,
            alpha=case.alpha,
            drawn=drawn[index][:, number],
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
