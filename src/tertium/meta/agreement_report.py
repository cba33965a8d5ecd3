"""All that is to be said of some metrics and some ratings: agreement, averages, tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.errors import InputError
from tertium.inference.rows import DEFAULT_SEED, MetricRows
from tertium.meta.agreement import agree
from tertium.meta.agreement_table import AgreementTable, williams
from tertium.meta.alignment import common_systems
from tertium.meta.choices import Resample
from tertium.meta.judgments import Exclusion, Judgments, MetricScores
from tertium.meta.permutation_matrix import PermutationMatrix, permutation_matrix
from tertium.meta.williams import LEAST_SYSTEMS, WilliamsTests


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedSet:
    """Ratings of some systems with the metrics' scores of them.

    ``statistics`` are those of metrics that were run here, by their spec: with them segments
    can be resampled exactly.
    """

    judgments: Judgments
    scores: tuple[MetricScores, ...]
    statistics: Mapping[str, MetricRows] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested:
    """Tests between the metrics on one set of ratings, or why there are none.

    ``tests`` are Williams'; ``permutation`` is there if asked for.
    """

    name: str
    criterion: str
    tests: WilliamsTests | None
    permutation: PermutationMatrix | None = None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "name": self.name,
            "criterion": self.criterion,
            "reason": self.reason,
            "williams": None if self.tests is None else self.tests.to_dict(),
            "permutation": None if self.permutation is None else self.permutation.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreementReport:
    """Agreement of every metric with every set of ratings, and which metrics differ.

    ``unused`` is what had no partner: ratings without scores, or scores without ratings.
    """

    table: AgreementTable
    tested: tuple[Tested, ...]
    unused: tuple[Exclusion, ...]
    resample: Resample | None
    trials: int
    seed: int
    level: float

    def exclusions(self, name: str, criterion: str) -> tuple[Exclusion, ...]:
        """What was left out of one set of ratings, for whichever metric."""
        found = self.table.of(name=name, criterion=criterion)
        return tuple(dict.fromkeys(each for one in found for each in one.exclusions))

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            **self.table.to_dict(),
            "tests": [one.to_dict() for one in self.tested],
            "unused": [one.to_dict() for one in self.unused],
            "resample": self.resample,
            "trials": self.trials,
            "seed": self.seed,
            "level": self.level,
        }


def agreement_report(
    sets: Sequence[RatedSet],
    *,
    measures: Sequence[str] | None = None,
    resample: Resample | None = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    two_sided: bool = False,
    permutation: bool = False,
    unused: Sequence[Exclusion] = (),
) -> AgreementReport:
    """Hold every metric against every set of ratings, and the metrics against each other.

    Williams' test is always made; ``permutation`` asks for PERM-BOTH too, which needs the
    scores of segments.
    """
    if not any(one.scores for one in sets):
        raise InputError("agreement: found no scores, expected ratings with at least one metric")
    found = tuple(
        agree(
            one.judgments,
            scores,
            measures=measures,
            resample=resample,
            statistics=one.statistics.get(scores.metric),
            trials=trials,
            seed=seed,
            level=level,
        )
        for one in sets
        for scores in one.scores
    )
    return AgreementReport(
        table=AgreementTable(agreements=found),
        tested=tuple(
            _tested(one, two_sided=two_sided, trials=trials if permutation else 0, seed=seed)
            for one in sets
        ),
        unused=tuple(unused),
        resample=resample,
        trials=trials,
        seed=seed,
        level=level,
    )


def _tested(one: RatedSet, *, two_sided: bool, trials: int, seed: int) -> Tested:
    """The tests on one set of ratings; without trials no permutations."""
    tests, matrix, reason = None, None, ""
    if len(one.scores) < 2:
        reason = "one metric, expected two or more"
    else:
        systems = len(common_systems(one.judgments, one.scores)[0].systems)
        if systems < LEAST_SYSTEMS:
            reason = f"{systems} systems in common, expected at least {LEAST_SYSTEMS}"
        else:
            tests = williams(one.judgments, one.scores, two_sided=two_sided)
            if trials:
                matrix = permutation_matrix(one.judgments, one.scores, trials=trials, seed=seed)
    return Tested(
        name=one.judgments.name,
        criterion=one.judgments.criterion,
        tests=tests,
        permutation=matrix,
        reason=reason,
    )


def rated_sets(
    judgments: Sequence[Judgments], scores: Mapping[str, Sequence[MetricScores]]
) -> tuple[tuple[RatedSet, ...], tuple[Exclusion, ...]]:
    """Ratings and published scores of the same language pair; what is left over is stated.

    If there is one pair on either side and it has no name there, it is the same.
    """
    names = list(dict.fromkeys(one.name for one in judgments))
    partners = {name: name for name in names if name in scores}
    if not partners and len(names) == 1 and len(scores) == 1:
        partners = {names[0]: next(iter(scores))}
    if not partners:
        raise InputError(
            f"scores of {', '.join(scores)}: found no ratings of them, "
            f"expected some of {', '.join(names)}"
        )
    sets = tuple(
        RatedSet(judgments=one, scores=tuple(scores[partners[one.name]]))
        for one in judgments
        if one.name in partners
    )
    left = {
        "sets of ratings without scores": [
            one.name for one in judgments if one.name not in partners
        ],
        "metrics on test sets without ratings": [
            name for name, found in scores.items() if name not in partners.values() for _ in found
        ],
    }
    unused = (
        Exclusion(reason=reason, count=len(found), example=found[0])
        for reason, found in left.items()
        if found
    )
    return sets, tuple(unused)
