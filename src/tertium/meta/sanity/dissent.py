"""Judges who disagree with everyone.

On outputs that three or more judges rated, a judge's z-scores are held against the mean of the
others'. If a judge were one like the others, it would not matter which of an output's ratings is
whose; so the names are exchanged within outputs to see what chance does. Where outputs have two
judges each, those of a judge's outputs are held against those of the other judges' (the products of
both z-scores, Mann-Whitney). A judge is bad whose agreement is significantly lower than that, and
not half of what is usual.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.installation import scipy_for
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.many_judges import Ratings
from tertium.meta.sanity.measured import LEAST, JudgeCheck, outputs_of

HALF: Final = 0.5
_AT_ONCE: Final = 1 << 17  # numbers drawn at once: about what a processor caches

Numbers = NDArray[np.int64]


class _Shared(NamedTuple):
    """Ratings of outputs that several judges rated, in the order of outputs."""

    judges: tuple[str, ...]
    judge: Numbers
    unit: Numbers
    scores: Floats
    """Each judge's z-scores."""
    counts: Numbers
    """Of the ratings of every output."""

    @property
    def others(self) -> Floats:
        """The mean of the other judges' z-scores, for every rating."""
        sums = np.bincount(self.unit, weights=self.scores)
        means: Floats = (sums[self.unit] - self.scores) / (self.counts[self.unit] - 1)
        return means

    @property
    def agreement(self) -> dict[int, float]:
        """Every judge's correlation with the others."""
        found, others = {}, self.others
        for one in np.unique(self.judge).tolist():
            mine = self.judge == one
            with np.errstate(invalid="ignore"):
                found[one] = float(np.corrcoef(self.scores[mine], others[mine])[0, 1])
        return found


def dissent(ratings: Ratings, *, trials: int, rng: np.random.Generator) -> list[JudgeCheck] | str:
    """Every judge's correlation with the mean of the others, or why there is none."""
    some = outputs_of(ratings)
    shared = _shared(some, 3)
    if shared is not None:
        return _by_exchange(shared, trials, rng)
    shared = _shared(some, 2)
    if shared is None:
        return f"no judge with {LEAST} outputs that others rated, too"
    found = _by_pairs(shared)
    return found or "two judges do not tell which of them is wrong"


def _shared(some: Ratings, least: int) -> _Shared | None:
    """Outputs that so many judges rated; None if no judge has enough of them."""
    judge = some.judge.astype(np.int64)
    unit = some.system.astype(np.int64) * (some.width + 1) + some.segment
    size = len(some.judges)
    spread = np.array([np.ptp(some.value[judge == one], axis=0) if (judge == one).any() else 0.0
                       for one in range(size)])  # fmt: skip
    kept = spread[judge] > 0  # one value for everything is another check's
    while True:  # outputs lose judges and judges outputs until all have enough
        places = np.flatnonzero(kept)
        _, inverse, counts = np.unique(unit[kept], return_inverse=True, return_counts=True)
        new = kept.copy()
        new[places[counts[inverse] < least]] = False
        new &= np.bincount(judge[new], minlength=size)[judge] >= LEAST
        if (new == kept).all():
            break
        kept = new
    if not kept.any():
        return None
    order = np.flatnonzero(kept)[np.argsort(unit[kept], kind="stable")]
    _, unit, counts = np.unique(unit[order], return_inverse=True, return_counts=True)
    scores = np.empty(len(order))
    for one in range(size):
        mine = judge[order] == one
        own = some.value[order][mine]
        if len(own):
            deviation = own.std()
            scores[mine] = (own - own.mean()) / deviation if deviation > 0 else 0.0
    return _Shared(some.judges, judge[order], unit, scores, counts)


def _by_exchange(shared: _Shared, trials: int, rng: np.random.Generator) -> list[JudgeCheck]:
    """Names are exchanged within outputs."""
    products = shared.scores * shared.others
    first = np.concatenate([[0], np.cumsum(shared.counts)])
    agreement = shared.agreement
    found = []
    for one in agreement:
        mine = shared.judge == one
        outputs = shared.unit[mine]
        step = max(1, _AT_ONCE // len(outputs))
        below = 0
        for start in range(0, trials, step):
            shape = (min(step, trials - start), len(outputs))
            drawn = (rng.random(shape) * shared.counts[outputs]).astype(np.int64)
            sums = products[first[outputs] + drawn].sum(axis=1)
            below += int((sums <= products[mine].sum()).sum())
        found.append(_measured(shared, agreement, one, (1 + below) / (1 + trials)))
    return found


def _by_pairs(shared: _Shared) -> list[JudgeCheck]:
    """Outputs of two judges: those of one judge against those of the others."""
    with scipy_for("dissent of judges"):
        from scipy.stats import mannwhitneyu

    sums = np.bincount(shared.unit, weights=shared.scores)
    squares = np.bincount(shared.unit, weights=shared.scores**2)
    products = (sums**2 - squares) / (shared.counts * (shared.counts - 1))  # the mean over pairs
    agreement = shared.agreement
    found = []
    for one in agreement:
        own = np.zeros(len(products), dtype=np.bool_)
        own[shared.unit[shared.judge == one]] = True
        if (~own).sum() >= LEAST:
            tested = mannwhitneyu(products[own], products[~own], alternative="less")
            found.append(_measured(shared, agreement, one, float(tested.pvalue)))
    return found


def _measured(
    shared: _Shared, agreement: Mapping[int, float], judge: int, p_value: float
) -> JudgeCheck:
    own = agreement[judge]
    usual = float(np.nanmedian([one for other, one in agreement.items() if other != judge]))
    return JudgeCheck(
        judge=shared.judges[judge],
        size=int((shared.judge == judge).sum()),
        value=own,
        usual=usual,
        p_value=p_value,
        matters=bool(np.isnan(own) or own < HALF * usual),
    )
