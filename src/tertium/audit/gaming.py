"""Audit: a gain on one metric that no metric of another family grants.

Reranking, minimum Bayes risk and tuning choose output by a metric. They raise this metric more than
the quality that all metrics see: what is chosen for it wins nearly every segment under it, and
under others only as many as it is better by. Damaged output is left out (`damage`): what a rival
loses by it, under one metric more than under another, is nobody's gain.

The test. A gain is the normal quantile of the share of segments won (ties count half), so that all
metrics have one unit. The excess of a system over another is its gain under this metric less the
largest gain under any metric of another family, which counts 0 if it is a loss. Honest systems have
an excess, too: where it lies and how far it spreads are the median and the median deviation over
the other systems, drawn toward the usual spread at WMT with the weight of `PRIOR_SYSTEMS` systems.
The difference in length and the sampling errors of both gains add to that variance. The p-value is
that of Student's t, one-sided; times tests and metrics it makes a warning, times systems as well a
serious finding. A system is held against the typical one (the lower median of its excesses) and the
one most alike, and the clearer of the two is reported.

What a change must keep:

- The spread is learnt without the system that is tested (`_honest`), or a gamed
  system in a small pool would hide itself; and by medians, since others may be gamed, too.
- The error of the gain is that at the *expected* share. At the observed one it would vanish for a
  system that wins everything.
- Excesses are not antisymmetric, because a loss under other metrics counts as 0.
- NaN stands for pairs with fewer than `LEAST_SEGMENTS` different segments, among them a system and
  itself; medians and minima leave them out.
"""

from dataclasses import dataclass
from math import isnan
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case
from tertium.audit.damaged_output import damaged_segments
from tertium.audit.findings import Finding, Severity
from tertium.audit.outputs import Outputs, annotated
from tertium.audit.selection import LEAST_SEGMENTS, WonSegments, selections, won_segments
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Scores
from tertium.metrics.contract.families import SURFACE, family_of
from tertium.plurals import counted

NAME: Final = "gaming"
USUAL_SPREAD: Final = 0.15
"""How far the gains of honest systems lie above what other families grant, as seen at WMT."""
LONE_SPREAD: Final = 0.4
"""The same where a single other family grants, which looks at something else: BLEU and COMET."""
LENGTH_SPREAD: Final = 1.5
"""What honest systems of different length gain more under one metric than under another, for each
unit of the logarithm of their lengths' ratio: chrF counts recall twice, and BLEU punishes short
output. Of two systems of WMT08 that differ by 13 %, the longer wins 73 % by chrF, 55 % by BLEU."""
PRIOR_SYSTEMS: Final = 4
"""As many systems as the usual spread is worth beside those that are there."""
LEAST_EXCESS: Final = 0.25
"""An excess that is worth a word: 60 % of the segments where others grant 50 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excess:
    """The gain of one system over another on one metric, beside what other families grant.

    Gains are in units of a normal distribution: of a share p of segments won, the p-quantile.
    ``granted`` is the largest of all metrics of other families, at least 0, and ``granting`` the
    metric it is from; the expected gain is ``granted`` + ``shift``, give or take ``spread``, which
    has ``degrees`` of freedom.
    """

    system: int
    other: int
    gain: float
    granted: float
    granting: int | None
    shift: float
    spread: float
    degrees: int
    typical: bool
    """Whether the other system is the typical one, or the one most alike."""

    @property
    def size(self) -> float:
        """What is above the gain that others grant."""
        return self.gain - self.granted

    @property
    def p_value(self) -> float:
        """How often an honest system would have this much, one-sided and not corrected."""
        with scipy_for("the audit 'gaming'"):
            from scipy.special import stdtr

        return float(stdtr(self.degrees, -(self.size - self.shift) / self.spread))

    def expected(self, alpha: float) -> tuple[float, float, float]:
        """The share of segments that others let expect, and its interval."""
        with scipy_for("the audit 'gaming'"):
            from scipy.special import ndtr, stdtrit

        width = stdtrit(self.degrees, 1 - alpha / 2) * self.spread
        middle = self.granted + self.shift
        return tuple(float(value) for value in ndtr([middle, middle - width, middle + width]))  # type: ignore[return-value]


def obstacle(case: Case) -> str:
    """Why gaming of this metric cannot be looked for; empty if it can."""
    if len(case.systems) < 2:
        return "found 1 system, expected another one to compare it with"
    own = family_of(case.metric)
    if all(family_of(metric) == own for metric in case.scored.metrics):
        return f"found no metric but of the family {own}, expected one of another family"
    if len(case.corpus) < LEAST_SEGMENTS:
        return f"found {counted(len(case.corpus), 'segment')}, expected at least {LEAST_SEGMENTS}"
    return ""


def left_out(case: Case) -> list[str]:
    """The same as the table of audits wants it."""
    reason = obstacle(case)
    return [reason] if reason else []


def gaming(case: Case) -> list[Finding]:
    """Systems that win far more segments under this metric than under any of another family.

    First those that are seen to have been chosen by it from the outputs of others. Of the rest
    each is held against the system that is typical for the pool, and against the one most alike,
    which is what it was made from if that is there. How far honest systems lie apart is learnt from
    the other systems, where they are few from the usual spread at WMT.
    """
    if obstacle(case):
        return []
    won = case.kept_for_all("won segments", lambda: _won_segments(case))
    findings = selections(case)
    plain = {name for finding in findings for name in finding.systems}
    for system in _suspects(won, _place(case)):
        tested = excesses(won, _place(case), system)
        if tested and case.names[system] not in plain:
            worst = min(tested, key=lambda excess: (excess.p_value, excess.typical))
            findings += _finding(case, won, worst, tests=len(tested))
    return findings


def _won_segments(case: Case) -> WonSegments:
    plain = not annotated(case)
    traits = Outputs.of_case(case).traits if plain else ()
    return won_segments(
        case.scored,
        case.units,
        damaged=damaged_segments(case),
        lengths=np.array([trait.characters.sum() for trait in traits] or [1.0] * len(case.systems)),
    )


def _suspects(won: WonSegments, metric: int) -> list[int]:
    """Systems with an excess over any other one that is worth a word.

    Of honest systems there are few. Their shares are enough to know, and quantiles by the standard
    library, which differ from SciPy's in the last digits: it takes longer to import than two
    systems to decide.
    """
    family = family_of(won.metrics[metric])
    unrelated = [k for k, against in enumerate(won.metrics) if family_of(against) != family]
    shares = won.shares[metric]
    granted = np.fmax.reduce(won.shares[unrelated], axis=0)
    suspects = []
    for system, (own, others) in enumerate(zip(shares.tolist(), granted.tolist(), strict=True)):
        for share, other in zip(own, others, strict=True):
            if not share > 0.5 or isnan(other):  # NaN as well: too few segments
                continue
            if _quantile(share) - max(_quantile(other), 0.0) > LEAST_EXCESS - 1e-9:
                suspects.append(system)
                break
    return suspects


_quantile = NormalDist().inv_cdf


def excesses(won: WonSegments, metric: int, system: int) -> list[Excess]:
    """The system beside the typical one of the pool, and beside the one most alike."""
    family = family_of(won.metrics[metric])
    unrelated = [k for k, against in enumerate(won.metrics) if family_of(against) != family]
    gains = won.gains[metric]
    # What others grant is no loss: a system that loses under all of them has not gained by that.
    of_others = np.nan_to_num(won.gains[unrelated], nan=-np.inf)
    granting = of_others.argmax(axis=0)
    granted = np.maximum(of_others.max(axis=0), 0.0)
    sizes = np.where(np.isneginf(of_others.max(axis=0)), np.nan, gains - granted)
    usable = [t for t in range(len(gains)) if not np.isnan(sizes[system, t])]
    if not usable:
        return []
    witnesses = {family_of(won.metrics[k]) for k in unrelated}
    alone = len(witnesses) < 2 and not witnesses | {family} <= SURFACE
    shift, spread = _honest(sizes, system, LONE_SPREAD if alone else USUAL_SPREAD)
    in_order = sorted(usable, key=lambda t: sizes[system, t])
    typical = in_order[(len(in_order) - 1) // 2]
    alike = min(usable, key=lambda t: (won.distances[system, t], sizes[system, t]))
    excesses = []
    longer = np.maximum(won.lengths, 1.0)
    for other in dict.fromkeys((typical, alike)):
        pair, most = (system, other), float(granted[system, other])
        place = unrelated[granting[pair]] if most > 0 else None
        error = 0.0 if place is None else won.error(place, pair)
        own_error = won.error(metric, pair, most + shift)
        length = LENGTH_SPREAD * float(np.log(longer[system] / longer[other]))
        excesses.append(
            Excess(
                system=system,
                other=other,
                gain=float(gains[pair]),
                granted=most,
                granting=place,
                shift=shift,
                spread=float(np.sqrt(spread**2 + length**2 + error**2 + own_error**2)),
                degrees=PRIOR_SYSTEMS + max(len(gains) - 2, 0),
                typical=other == typical,
            )
        )
    return excesses


def _honest(sizes: Scores, system: int, usual: float) -> tuple[float, float]:
    """Where the excesses of all other systems lie, and how far apart, beside each other.

    Median and median deviation: some of the others may be gamed, too.
    """
    others = [k for k in range(len(sizes)) if k != system]
    known = [_lower_median(sizes[k, others]) for k in others]
    shares: NDArray[np.float64] = np.array([share for share in known if not np.isnan(share)])
    if not len(shares):
        return 0.0, usual
    middle = float(np.median(shares))
    deviation = 1.4826 * float(np.median(np.abs(shares - middle)))
    weighed = PRIOR_SYSTEMS * usual**2 + len(shares) * deviation**2
    return max(middle, 0.0), float(np.sqrt(weighed / (PRIOR_SYSTEMS + len(shares))))


def _lower_median(some: Scores) -> float:
    known = np.sort(some[~np.isnan(some)])
    return float(known[(len(known) - 1) // 2]) if len(known) else np.nan


def _place(case: Case) -> int:
    """Which of all metrics is the case's own; the same one may be there twice."""
    return next(k for k, metric in enumerate(case.scored.metrics) if metric is case.metric)


def _finding(case: Case, won: WonSegments, excess: Excess, *, tests: int) -> list[Finding]:
    metrics, systems = len(won.metrics), len(case.systems)
    per_system = min(1.0, excess.p_value * tests * metrics)
    adjusted = min(1.0, per_system * systems)
    if excess.size < LEAST_EXCESS or per_system > case.alpha:
        return []
    severity: Severity = "serious" if adjusted <= case.alpha else "warning"
    name, other = case.names[excess.system], case.names[excess.other]
    place = _place(case)
    shares = {
        metric.spec: None if np.isnan(share) else float(share)
        for metric, share in zip(
            won.metrics, won.shares[:, excess.system, excess.other], strict=True
        )
    }
    expected, low, high = excess.expected(case.alpha)
    share = float(won.shares[place, excess.system, excess.other])
    numbers: dict[str, Any] = {
        "against": other,
        "chosen_as": "typical" if excess.typical else "most alike",
        "scores": {case.names[k]: float(case.scores[k]) for k in (excess.system, excess.other)},
        "share": share,
        "shares": shares,
        "families": {metric.spec: family_of(metric) for metric in won.metrics},
        "granted_by": None if excess.granting is None else won.metrics[excess.granting].spec,
        "expected": {"share": expected, "low": low, "high": high, "level": 1 - case.alpha},
        "segments": int(won.counts[place, excess.system, excess.other]),
        "excess": excess.size,
        "p_value": excess.p_value,
        "adjusted_p_value": adjusted,
        "tests": tests * metrics * systems,
        "pool": systems,
    }
    rest = "no metric of another family lets it win more than half"
    if excess.granting is not None:
        granting = won.metrics[excess.granting]
        most = float(won.shares[excess.granting, excess.system, excess.other])
        rest = f"under no metric of another family more than {most:.0%} ({granting.title})"
    why = "typical of the systems here" if excess.typical else "the output most like it"
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=(name,),
            severity=severity,
            size=share - expected,
            numbers=numbers,
            meaning=(
                f"{name} wins {share:.0%} of the segments that tell it from {other} ({why}), but "
                f"{rest}; up to {high:.0%} would be usual "
                f"(p = {adjusted:.2g}, corrected for {tests * metrics * systems} tests)."
            ),
            advice=(
                f"Was {name} tuned, reranked or decoded for this metric or one like it? Then judge "
                "it by metrics of other families, or let people read it."
            ),
        )
    ]
