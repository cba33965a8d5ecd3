"""The judges: what each of them did, how far they agree, and their ratings as z-scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tertium.choices import DEFAULT_SEED
from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts
from tertium.meta.ratings.judge_agreement import (
    SCALES,
    Kappa,
    Repeats,
    implied_comparisons,
    krippendorff_alpha,
    repeats_of,
    same_outputs,
    without_repeats,
    wmt_kappa,
)
from tertium.meta.ratings.judge_groups import GroupAgreement, group_agreement, halves
from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.ratings.rating_sets import Rankings, Ratings
from tertium.meta.ratings.standing import Standings, standings
from tertium.meta.sanity.needed import Needed, ratings_needed
from tertium.meta.sanity.sanity import Sanity, sanity
from tertium.plain import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge(Plain):
    """What one judge did; mean and deviation are of ratings, ties of rankings."""

    PLAIN = "judge=name judgments mean deviation ties"

    name: str
    judgments: int
    mean: float | None = None
    deviation: float | None = None
    ties: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReport(Plain):
    """Agreement among the judges of one set of ratings or rankings.

    ``alpha`` has Krippendorff's α for each scale, over ``shared`` outputs rated by several;
    ``inter`` and ``intra`` are κ between judges and of judges with themselves, of the preferences
    that ratings imply where people rated. ``repeats`` is about outputs that a judge rated again,
    ``groups`` about groups of judges, if asked for. ``sanity`` tells judges to look at, ``needed``
    how many ratings verdicts would need, ``standings`` where systems stand, both if asked for.
    """

    PLAIN = (
        "name criterion judgments shared alpha inter intra repeats groups sanity needed "
        "standings judges exclusions"
    )

    name: str
    criterion: str
    judges: tuple[Judge, ...]
    judgments: int
    shared: int
    alpha: dict[str, float]
    inter: Kappa | None = None
    intra: Kappa | None = None
    repeats: Repeats | None = None
    groups: GroupAgreement | None = None
    sanity: Sanity | None = None
    needed: Needed | None = None
    standings: Standings | None = None
    exclusions: tuple[Exclusion, ...] = ()


def judge_report(
    ratings: Ratings | Rankings,
    *,
    groups: Mapping[str, Sequence[str]] | Literal["halves"] | None = None,
    power: float | None = None,
    stand: bool = False,
    seed: int = DEFAULT_SEED,
) -> JudgeReport:
    """How far the judges of some ratings agree, and groups of them if asked for.

    ``groups`` are names of judges by the name of their group, or ``"halves"`` for two random ones;
    ``power`` asks how many ratings would tell systems apart as often as that, ``stand`` where
    systems stand.
    """
    report = _ranking_report(ratings) if isinstance(ratings, Rankings) else _rating_report(ratings)
    report = replace(report, sanity=sanity(ratings, seed=seed))
    if power is not None:
        if isinstance(ratings, Rankings):
            raise InputError(
                f"{ratings.name}: found ranks, expected ratings to simulate more of them"
            )
        report = replace(report, needed=ratings_needed(ratings, power=power, seed=seed))
    if stand:
        if isinstance(ratings, Rankings):
            raise InputError(f"{ratings.name}: found ranks, expected ratings for standings")
        report = replace(report, standings=standings(ratings, seed=seed))
    if groups is None:
        return report
    chosen = halves(ratings.judges, seed=seed) if groups == "halves" else groups
    return replace(report, groups=group_agreement(ratings, chosen))


def standardized(ratings: Ratings) -> Ratings:
    """Each judge's ratings as z-scores, (x − mean) / standard deviation (n − 1) of that judge.

    A judge with one rating, or with the same for everything, has none; such judges are left
    out, and so are ratings of whole systems beside those of segments.
    """
    tally = OmissionCounts()
    segments = ratings.segment >= 0
    if segments.any() and not segments.all():
        whole = int((~segments).sum())
        tally.add("ratings of whole systems, which are on another scale", "", whole)
    used = segments if segments.any() else np.ones(len(ratings), dtype=np.bool_)
    values = np.full(len(ratings), np.nan)
    for number, name in enumerate(ratings.judges):
        own = used & (ratings.judge == number)
        count = int(own.sum())
        if not count:
            continue
        deviation = ratings.value[own].std(ddof=1) if count > 1 else 0.0
        if deviation > 0:
            values[own] = (ratings.value[own] - ratings.value[own].mean()) / deviation
        else:
            why = "the same for everything" if count > 1 else "only one"
            tally.add(f"ratings by judges who gave {why}, no z-score", name or "unnamed", count)
    kept = np.isfinite(values)
    if not kept.any():
        raise InputError(
            f"{ratings.name} {ratings.criterion}: found no judge with two different ratings, "
            "expected one for z-scores"
        )
    return replace(
        ratings,
        system=ratings.system[kept],
        segment=ratings.segment[kept],
        judge=ratings.judge[kept],
        value=values[kept],
        exclusions=(*ratings.exclusions, *tally.exclusions()),
    )


def _rating_report(ratings: Ratings) -> JudgeReport:
    single = without_repeats(ratings)  # a judge's second thoughts are no second judge
    units = single.system.astype(np.int64) * (ratings.width + 1) + single.segment + 1
    counts = np.unique(units, return_counts=True)[1]
    implied = implied_comparisons(ratings)
    tally = OmissionCounts()
    for number, name in enumerate(ratings.judges):
        if int((ratings.judge == number).sum()) == 1:
            tally.add("judges with one rating, who have no z-score", name or "unnamed")
    return JudgeReport(
        name=ratings.name,
        criterion=ratings.criterion,
        judges=tuple(_rater(ratings, number) for number in range(len(ratings.judges))),
        judgments=len(ratings),
        shared=int((counts > 1).sum()),
        alpha={scale: krippendorff_alpha(units, single.value, scale) for scale in SCALES},
        inter=wmt_kappa(implied) if len(implied) else None,
        intra=wmt_kappa(implied, same_judge=True) if len(implied) else None,
        repeats=repeats_of(ratings),
        exclusions=(*ratings.exclusions, *tally.exclusions()),
    )


def _rater(ratings: Ratings, number: int) -> Judge:
    own = ratings.value[ratings.judge == number]
    return Judge(
        name=ratings.judges[number],
        judgments=len(own),
        mean=float(own.mean()),
        deviation=float(own.std(ddof=1)) if len(own) > 1 else None,
    )


def _ranking_report(rankings: Rankings) -> JudgeReport:
    made = rankings.comparisons
    counts = np.bincount(made.judge, minlength=len(rankings.judges))
    ties = np.bincount(made.judge[made.tie], minlength=len(rankings.judges))
    return JudgeReport(
        name=rankings.name,
        criterion=rankings.criterion,
        judges=tuple(
            Judge(name=name, judgments=count, ties=tied / count if count else None)
            for name, count, tied in zip(
                rankings.judges, counts.tolist(), ties.tolist(), strict=True
            )
        ),
        judgments=len(made),
        shared=int((np.bincount(same_outputs(made)) > 1).sum()) if len(made) else 0,
        alpha={},
        inter=wmt_kappa(made),
        intra=wmt_kappa(made, same_judge=True),
        exclusions=rankings.exclusions,
    )
