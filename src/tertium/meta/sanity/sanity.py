"""Are the ratings sane? Every judge under every check, corrected for how many that are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, isnan
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.errors import OptionError
from tertium.inference.corrections import holm
from tertium.installation import scipy_for
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.judgments import Floats
from tertium.meta.ratings.rating_sets import Rankings, Ratings
from tertium.meta.sanity.measured import LEAST, JudgeCheck, more_often, outputs_of
from tertium.plain import Plain

# Judges who fail controls: outputs shown again, damaged on purpose, or checks of attention.

LEAST_CONTROLS: Final = 5
AS_CHANCE: Final = 0.75
"""Repeats this near to the distance of any two ratings of the judge are no repeats."""
MISSED: Final = 1 / 4
"""The share of failed controls that is too much; chance misses half of the damages."""


def repetition(ratings: Ratings) -> list[JudgeCheck] | str:
    """How far a judge's two ratings of an output are apart, in units of any two of the judge's.

    The p-value is of the Mann-Whitney test against the other judges' distances.
    """
    with scipy_for("repeated ratings"):
        from scipy.stats import mannwhitneyu

    distances = {name: _distances(ratings, number) for number, name in enumerate(ratings.judges)}
    enough = {
        name: distance for name, distance in distances.items() if len(distance) >= LEAST_CONTROLS
    }
    if len(enough) < 2:
        return f"{'only one' if enough else 'no'} judge rated {LEAST_CONTROLS} outputs again"
    checks = []
    for name, own in enough.items():
        rest = np.concatenate([values for other, values in enough.items() if other != name])
        tested = mannwhitneyu(own, rest, alternative="greater")
        checks.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=float(own.mean()),
                usual=float(
                    np.median([values.mean() for other, values in enough.items() if other != name])
                ),
                p_value=float(tested.pvalue),
                matters=bool(own.mean() >= AS_CHANCE),
            )
        )
    return checks


def _distances(ratings: Ratings, judge: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The distances of repeated ratings, over the mean distance of any two of the judge's."""
    own = np.flatnonzero((ratings.judge == judge) & (ratings.segment >= 0))
    values = ratings.value[own]
    if len(values) < 2 or values.std() == 0:
        return np.zeros(0)
    ordered = np.sort(values)
    size = len(ordered)
    # The mean of |x − y| over all pairs, from the order of the values.
    weights = 2 * np.arange(size) - size + 1
    chance = 2 * float((weights * ordered).sum()) / (size * (size - 1))
    groups: dict[tuple[int, int], list[float]] = {}
    for place in own.tolist():
        key = (int(ratings.system[place]), int(ratings.segment[place]))
        groups.setdefault(key, []).append(float(ratings.value[place]))
    pairs = [abs(a - b) for some in groups.values() for a, b in combinations(some, 2)]
    return np.array(pairs) / chance


def blindness(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of damaged outputs that a judge did not rate below the whole one."""
    whole: dict[tuple[str, str, int | None], list[float]] = {}
    for row in ratings.rows:
        if not row.kind and not isnan(row.value):
            whole.setdefault((row.judge, row.system, row.segment), []).append(row.value)
    missed: dict[str, list[bool]] = {}
    for row in ratings.rows:
        seen = whole.get((row.judge, row.system, row.segment))
        if row.kind == "degraded" and seen and not isnan(row.value):
            missed.setdefault(row.judge, []).append(bool(row.value >= np.mean(seen)))
    return _failures(missed, "damaged outputs and the whole ones")


def inattention(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of checks of attention that a judge failed."""
    failed: dict[str, list[bool]] = {}
    for row in ratings.rows:
        if row.kind == "check":
            failed.setdefault(row.judge, []).append(row.value < 1)
    return _failures(failed, "checks of attention")


def _failures(failed: Mapping[str, Sequence[bool]], what: str) -> list[JudgeCheck] | str:
    """The share of controls that each judge failed, beside that of the others."""
    enough = {name: some for name, some in failed.items() if len(some) >= LEAST_CONTROLS}
    if len(enough) < 2:
        who = "only one" if enough else "no"
        return f"{who} judge rated {LEAST_CONTROLS} {what}"
    checks = []
    for name, own in enough.items():
        rest = [each for other, some in enough.items() if other != name for each in some]
        checks.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=sum(own) / len(own),
                usual=sum(rest) / len(rest),
                p_value=more_often(sum(own), len(own), sum(rest), len(rest)),
                matters=sum(own) / len(own) >= MISSED,
            )
        )
    return checks


# Judges who disagree with everyone.
#
# On outputs that three or more judges rated, a judge's z-scores are held against the mean of the
# others'. If a judge were one like the others, it would not matter which of an output's ratings is
# whose; so the names are exchanged within outputs to see what chance does. Where outputs have two
# judges each, those of a judge's outputs are held against those of the other judges' (the products
# of both z-scores, Mann-Whitney). A judge is bad whose agreement is significantly lower than that,
# and not half of what is usual.

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
        result, others = {}, self.others
        for judge in np.unique(self.judge).tolist():
            mine = self.judge == judge
            with np.errstate(invalid="ignore"):
                result[judge] = float(np.corrcoef(self.scores[mine], others[mine])[0, 1])
        return result


def dissent(ratings: Ratings, *, trials: int, rng: np.random.Generator) -> list[JudgeCheck] | str:
    """Every judge's correlation with the mean of the others, or why there is none."""
    some = outputs_of(ratings)
    shared = _shared(some, 3)
    if shared is not None:
        return _by_exchange(shared, trials, rng)
    shared = _shared(some, 2)
    if shared is None:
        return f"no judge with {LEAST} outputs that others rated, too"
    checks = _by_pairs(shared)
    return checks or "two judges do not tell which of them is wrong"


def _shared(some: Ratings, least: int) -> _Shared | None:
    """Outputs that so many judges rated; None if no judge has enough of them."""
    judge = some.judge.astype(np.int64)
    unit = some.system.astype(np.int64) * (some.width + 1) + some.segment
    size = len(some.judges)
    spread = np.array([np.ptp(some.value[judge == k], axis=0) if (judge == k).any() else 0.0
                       for k in range(size)])  # fmt: skip
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
    for k in range(size):
        mine = judge[order] == k
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
    checks = []
    for judge in agreement:
        mine = shared.judge == judge
        outputs = shared.unit[mine]
        step = max(1, _AT_ONCE // len(outputs))
        below = 0
        for start in range(0, trials, step):
            shape = (min(step, trials - start), len(outputs))
            drawn = (rng.random(shape) * shared.counts[outputs]).astype(np.int64)
            sums = products[first[outputs] + drawn].sum(axis=1)
            below += int((sums <= products[mine].sum()).sum())
        checks.append(_measured(shared, agreement, judge, (1 + below) / (1 + trials)))
    return checks


def _by_pairs(shared: _Shared) -> list[JudgeCheck]:
    """Outputs of two judges: those of one judge against those of the others."""
    with scipy_for("dissent of judges"):
        from scipy.stats import mannwhitneyu

    sums = np.bincount(shared.unit, weights=shared.scores)
    squares = np.bincount(shared.unit, weights=shared.scores**2)
    products = (sums**2 - squares) / (shared.counts * (shared.counts - 1))  # the mean over pairs
    agreement = shared.agreement
    checks = []
    for judge in agreement:
        own = np.zeros(len(products), dtype=np.bool_)
        own[shared.unit[shared.judge == judge]] = True
        if (~own).sum() >= LEAST:
            tested = mannwhitneyu(products[own], products[~own], alternative="less")
            checks.append(_measured(shared, agreement, judge, float(tested.pvalue)))
    return checks


def _measured(
    shared: _Shared, agreement: Mapping[int, float], judge: int, p_value: float
) -> JudgeCheck:
    own = agreement[judge]
    usual = float(np.nanmedian([value for other, value in agreement.items() if other != judge]))
    return JudgeCheck(
        judge=shared.judges[judge],
        size=int((shared.judge == judge).sum()),
        value=own,
        usual=usual,
        p_value=p_value,
        matters=bool(np.isnan(own) or own < HALF * usual),
    )


# Judges who answer in one value, are far too fast, or drift while they work.

SAME: Final = 0.8
"""The share of equal answers that is too much."""
FAST: Final = 0.05
"""The share of the others' answers that are called hasty."""
HASTY: Final = 0.5
"""The share of hasty answers that is too much."""
DRIFT: Final = 0.3
"""The correlation with time that is too much."""


def sameness(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of each judge's commonest answer, beside that of the others' own."""
    some = outputs_of(ratings)
    common: dict[int, tuple[int, int]] = {}
    for judge in range(len(some.judges)):
        own = some.value[some.judge == judge]
        if len(own) >= LEAST:
            common[judge] = (int(np.unique(own, return_counts=True)[1].max()), len(own))
    if len(common) < 2:
        return f"fewer than two judges with {LEAST} ratings"
    checks = []
    for number, (most, count) in common.items():
        rest = [pair for other, pair in common.items() if other != number]
        others, of_others = (sum(side) for side in zip(*rest, strict=True))
        checks.append(
            JudgeCheck(
                judge=some.judges[number],
                size=count,
                value=most / count,
                usual=float(np.median([a / b for a, b in rest])),
                p_value=more_often(most, count, others, of_others),
                matters=most / count >= SAME,
            )
        )
    return checks


def haste(ratings: Ratings) -> list[JudgeCheck] | str:
    """The share of each judge's answers that were quicker than nearly all of the others'."""
    times = _seconds(ratings)
    if len(times) < 2:
        return f"fewer than two judges with {LEAST} times"
    checks = []
    for name, own in times.items():
        rest = np.concatenate([some for other, some in times.items() if other != name])
        limit = np.quantile(rest, FAST)
        hasty, others = int((own < limit).sum()), int((rest < limit).sum())
        checks.append(
            JudgeCheck(
                judge=name,
                size=len(own),
                value=hasty / len(own),
                usual=others / len(rest),
                p_value=more_often(hasty, len(own), others, len(rest)),
                matters=hasty / len(own) > HASTY,
            )
        )
    return checks


def drift(ratings: Ratings) -> list[JudgeCheck] | str:
    """Spearman's correlation of each judge's ratings with time, what was rated put aside.

    From each rating the others' mean of the same output is taken away, or of the same system where
    nobody else rated the output.
    """
    rows = [
        row
        for row in ratings.rows
        if not row.kind and row.begin is not None and not isnan(row.value)
    ]
    by_output: dict[tuple[str, int | None], list[Rating]] = {}
    by_system: dict[str, list[Rating]] = {}
    for row in rows:
        by_output.setdefault((row.system, row.segment), []).append(row)
        by_system.setdefault(row.system, []).append(row)
    checks = []
    with scipy_for("habits of judges"):
        from scipy.stats import spearmanr

    for name in ratings.judges:
        own = [row for row in rows if row.judge == name]
        if len(own) < LEAST:
            continue
        rest = [
            row.value - _others(row, by_output[row.system, row.segment], by_system[row.system])
            for row in own
        ]
        begin = [row.begin or 0.0 for row in own]
        if len(set(rest)) < 2 or len(set(begin)) < 2:
            continue
        tested = spearmanr(begin, rest)
        checks.append((name, len(own), float(tested.statistic), float(tested.pvalue)))
    if not checks:
        return f"no judge with {LEAST} ratings whose times are known"
    usual = float(np.median([rho for _, _, rho, _ in checks]))
    return [
        JudgeCheck(
            judge=name, size=count, value=rho, usual=usual, p_value=p, matters=abs(rho) >= DRIFT
        )
        for name, count, rho, p in checks
    ]


def _others(row: Rating, output: list[Rating], system: list[Rating]) -> float:
    for some in (output, system):
        values = [check.value for check in some if check.judge != row.judge]
        if values:
            return float(np.mean(values))
    return 0.0


def _seconds(ratings: Ratings) -> dict[str, NDArray[np.float64]]:
    """The times of every judge who has enough of them."""
    times: dict[str, list[float]] = {}
    for row in ratings.rows:
        if row.seconds is not None and row.seconds > 0:
            times.setdefault(row.judge, []).append(row.seconds)
    return {name: np.array(own) for name, own in times.items() if len(own) >= LEAST}


TRIALS: Final = 9999

CHECKS: Final = {
    "disagrees": "agrees with the other judges {value:.2f}, they with each other {usual:.2f}",
    "one value": "gives the same answer to {value:.0%} of outputs, others to {usual:.0%}",
    "too fast": "is hasty in {value:.0%} of answers, others in {usual:.0%}",
    "drifts": "rates otherwise as time goes by: correlation {value:+.2f} of rating and time",
    "no repeats": "rates an output again as far off as {value:.0%} of any two, others {usual:.0%}",
    "no damage": "misses {value:.0%} of damaged outputs, others {usual:.0%}",
    "no attention": "fails {value:.0%} of checks of attention, others {usual:.0%}",
}
"""Check → what it says of a judge, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Plain):
    """One judge under one check; ``adjusted`` is the p-value after Holm's correction.

    ``bad`` is whether the judge is to be looked at: significantly worse than the others, and by
    so much that it matters.
    """

    judge: str
    check: str
    count: int
    value: float
    usual: float
    p_value: float
    adjusted: float
    bad: bool

    def __str__(self) -> str:
        said = CHECKS[self.check].format(value=self.value, usual=self.usual)
        return f"{self.judge or '(unnamed)'} {said} (adjusted p = {self.adjusted:.2g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanity:
    """All checks of all judges; ``skipped`` says why a check could not be made."""

    checks: tuple[Check, ...]
    skipped: dict[str, str]
    alpha: float

    @property
    def bad(self) -> tuple[Check, ...]:
        """What is to be looked at, the surest first."""
        return tuple(
            sorted((check for check in self.checks if check.bad), key=lambda check: check.adjusted)
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "alpha": self.alpha,
            "correction": "holm",
            "checks": [check.to_dict() for check in self.checks],
            "skipped": dict(self.skipped),
        }


def sanity(
    ratings: Ratings | Rankings,
    *,
    alpha: float = 0.05,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
) -> Sanity:
    """Look for judges who disagree, answer in one value, hurry, drift, or fail controls.

    Each test asks how often a judge who is like the others would be as far off; Holm's correction
    is over all judges and checks, and more than ``trials`` are made where it needs them. What is
    significant but small is no finding.
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha: found {alpha}, expected a number between 0 and 1")
    if isinstance(ratings, Rankings):
        return Sanity(checks=(), skipped=dict.fromkeys(CHECKS, "ranks, not ratings"), alpha=alpha)
    rng = np.random.default_rng(seed)
    # With fewer, Holm could find nobody among so many judges.
    trials = max(trials, 2 * ceil(len(ratings.judges) * len(CHECKS) / alpha))
    made: dict[str, Callable[[], list[JudgeCheck] | str]] = {
        "disagrees": lambda: dissent(ratings, trials=trials, rng=rng),
        "one value": lambda: sameness(ratings),
        "too fast": lambda: haste(ratings),
        "drifts": lambda: drift(ratings),
        "no repeats": lambda: repetition(ratings),
        "no damage": lambda: blindness(ratings),
        "no attention": lambda: inattention(ratings),
    }
    measured: list[tuple[str, JudgeCheck]] = []
    skipped: dict[str, str] = {}
    for name, check in made.items():
        found = check()
        if isinstance(found, str):
            skipped[name] = found
        else:
            measured += [(name, result) for result in found]
    adjusted = holm([result.p_value for _, result in measured])
    return Sanity(
        checks=tuple(
            Check(
                judge=result.judge,
                check=name,
                count=result.size,
                value=result.value,
                usual=result.usual,
                p_value=result.p_value,
                adjusted=p,
                bad=result.matters and p <= alpha,
            )
            for (name, result), p in zip(measured, adjusted.tolist(), strict=True)
        ),
        skipped=skipped,
        alpha=alpha,
    )
