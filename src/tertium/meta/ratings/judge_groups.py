"""Groups of judges, such as those who read the source and those who do not: do they agree?

Papineni et al. (HLT 2002, figure 2) had ten monolingual and ten bilingual judges, found that their
ratings of systems go together, and took monolingual ones from then on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.correlation import kendall, pearson
from tertium.meta.ratings.judgments import Exclusion, Floats, Judgments
from tertium.meta.ratings.rating_sets import Rankings, Ratings
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPair(Plain):
    """Two groups of judges: agreement of their ratings of systems, and of outputs both rated.

    Correlations are NaN where fewer than three were rated by both, or where all are tied.
    """

    first: str
    second: str
    systems: int
    pearson: float
    kendall: float
    outputs: int
    output_pearson: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement(Plain):
    """Every group with its judges, and every two groups side by side."""

    groups: Mapping[str, tuple[str, ...]]
    pairs: tuple[GroupPair, ...]
    exclusions: tuple[Exclusion, ...] = ()


def of_judges(ratings: Ratings | Rankings, patterns: Sequence[str]) -> Ratings | Rankings:
    """What some judges said; ``*`` and ``?`` stand for any letters. The others are stated."""
    for pattern in patterns:
        if not any(_is(name, pattern) for name in ratings.judges):
            raise OptionError(did_you_mean("judge", pattern, ratings.judges))
    chosen = [name for name in ratings.judges if any(_is(name, each) for each in patterns)]
    other = [name for name in ratings.judges if name not in chosen]
    new = np.full(len(ratings.judges), -1, dtype=np.int32)
    new[[ratings.judges.index(name) for name in chosen]] = np.arange(len(chosen), dtype=np.int32)
    judge = new[ratings.comparisons.judge if isinstance(ratings, Rankings) else ratings.judge]
    kept = judge >= 0
    if not kept.any():
        raise InputError(
            f"{ratings.name} {ratings.criterion}: found no judgment by {', '.join(patterns)}, "
            "expected some"
        )
    lost = int((~kept).sum())
    stated = [
        Exclusion(reason="judgments by other judges", count=lost, example=name)
        for name in other[:1]
    ]
    exclusions = (*ratings.exclusions, *stated)
    if isinstance(ratings, Rankings):
        made = replace(ratings.comparisons.take(kept), judge=judge[kept])
        return replace(ratings, judges=tuple(chosen), comparisons=made, exclusions=exclusions)
    return replace(
        ratings,
        judges=tuple(chosen),
        system=ratings.system[kept],
        segment=ratings.segment[kept],
        judge=judge[kept],
        value=ratings.value[kept],
        exclusions=exclusions,
        rows=tuple(row for row in ratings.rows if row.judge in chosen),
    )


def _is(name: str, pattern: str) -> bool:
    """Whether a judge is meant; a whole name means itself, whatever characters it has."""
    return name == pattern or fnmatchcase(name, pattern)


def halves(judges: Sequence[str], *, seed: int) -> dict[str, tuple[str, ...]]:
    """The judges in two groups of the same size, drawn at random."""
    if len(judges) < 2:
        raise InputError(f"halves: found {counted(len(judges), 'judge')}, expected two or more")
    order = np.random.default_rng(seed).permutation(len(judges))
    middle = len(judges) // 2
    parts = (sorted(order[:middle].tolist()), sorted(order[middle:].tolist()))
    return {
        f"half {number}": tuple(judges[place] for place in part)
        for number, part in enumerate(parts, 1)
    }


def group_agreement(
    ratings: Ratings | Rankings, groups: Mapping[str, Sequence[str]]
) -> GroupAgreement:
    """Hold the ratings of every two groups of judges against each other."""
    if len(groups) < 2:
        raise OptionError(f"groups of judges: found {len(groups)}, expected two or more")
    members = {
        name: tuple(
            judge for judge in ratings.judges if any(_is(judge, pattern) for pattern in patterns)
        )
        for name, patterns in groups.items()
    }
    for first, second in combinations(members, 2):
        both = [judge for judge in members[first] if judge in members[second]]
        if both:
            raise OptionError(
                f"judge '{both[0]}': found in {first} and in {second}, expected one group"
            )
    said = {name: of_judges(ratings, patterns).judgments() for name, patterns in groups.items()}
    alone = [name for name in ratings.judges if not any(name in some for some in members.values())]
    return GroupAgreement(
        groups=members,
        pairs=tuple(
            _pair(first, second, said[first], said[second])
            for first, second in combinations(said, 2)
        ),
        exclusions=(
            (Exclusion(reason="judges in no group", count=len(alone), example=alone[0]),)
            if alone
            else ()
        ),
    )


def _pair(first: str, second: str, judgments: Judgments, other: Judgments) -> GroupPair:
    # Both come from one table, so that their systems are the same, in the same order.
    a, b = _both(judgments.values, other.values)
    if judgments.segments is None or other.segments is None:
        x = y = np.zeros(0)
    else:
        x, y = _both(judgments.segments.ravel(), other.segments.ravel())
    return GroupPair(
        first=first,
        second=second,
        systems=len(a),
        pearson=float(pearson(a, b)) if len(a) > 2 else float("nan"),
        kendall=float(kendall(a, b)) if len(a) > 2 else float("nan"),
        outputs=len(x),
        output_pearson=float(pearson(x, y)) if len(x) > 2 else float("nan"),
    )


def _both(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    known = ~(np.isnan(a) | np.isnan(b))
    return a[known], b[known]
