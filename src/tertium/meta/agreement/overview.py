"""All that is to be said of some metrics and some ratings: agreement, averages, tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tertium.choices import DEFAULT_SEED, Exchange, Resample
from tertium.errors import InputError
from tertium.inference.rows import MetricRows, metric_rows
from tertium.meta.agreement.agreement_table import Agreement, AgreementTable, agree, williams
from tertium.meta.agreement.measures import LEAST_SYSTEMS as LEAST_RATED
from tertium.meta.agreement.measures import measure_of, usual_measures, what_is_missing
from tertium.meta.agreement.permutation_test import (
    ACC_EQ,
    PERMUTABLE,
    PermutationMatrix,
    permutation_matrix,
)
from tertium.meta.agreement.shared_systems import align, metric_scores, shared_systems
from tertium.meta.agreement.williams import LEAST_SYSTEMS, WilliamsTests
from tertium.meta.ratings.judgments import Exclusion, Judgments, MetricScores
from tertium.meta.ratings.system_names import with_rated_names
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.scored.scored import Scored


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatedSet:
    """Ratings of some systems with the metrics' scores of them.

    ``statistics`` are those of metrics that were run here, by their spec: with them segments
    can be resampled exactly.
    """

    judgments: Judgments
    scores: tuple[MetricScores, ...]
    statistics: Mapping[str, MetricRows] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, judgments: Judgments, scored: Scored) -> "RatedSet":
        """Ratings with the metrics and the systems of what is scored, and its documents."""
        if scored.corpus.documents is not None:
            judgments = replace(judgments, documents=scored.corpus.documents)
        statistics = {row.metric.spec: row for row in metric_rows(scored)}
        return cls(judgments=judgments, scores=metric_scores(scored), statistics=statistics)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tested(Plain):
    """Tests between the metrics on one set of ratings, or why there are none.

    ``tests`` are Williams'; ``permutations`` are there if asked for, one for each measure.
    ``left_out`` says which metrics could not be tested with the others.
    """

    PLAIN = "name criterion reason williams=tests permutations left_out"

    name: str
    criterion: str
    tests: WilliamsTests | None
    permutations: tuple[PermutationMatrix, ...] = ()
    reason: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AgreementReport(Plain):
    """Agreement of every metric with every set of ratings, and which metrics differ.

    ``unused`` is what had no partner: ratings without scores, or scores without ratings;
    ``left_out`` says which metrics have no value of a measure that was asked for, and why.
    """

    PLAIN = "**table tests=tested unused left_out resample trials seed level"

    table: AgreementTable
    tested: tuple[Tested, ...]
    unused: tuple[Exclusion, ...]
    left_out: tuple[str, ...]
    resample: Resample | None
    trials: int
    seed: int
    level: float

    def exclusions(self, name: str, criterion: str) -> tuple[Exclusion, ...]:
        """What was left out of one set of ratings, for whichever metric."""
        agreements = self.table.of(name=name, criterion=criterion)
        return tuple(
            dict.fromkeys(each for agreement in agreements for each in agreement.exclusions)
        )


def agreement_report(
    sets: Sequence[RatedSet],
    *,
    measures: Sequence[str] | None = None,
    resample: Resample | None = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    two_sided: bool = False,
    permute: Exchange | None = None,
    unused: Sequence[Exclusion] = (),
) -> AgreementReport:
    """Hold every metric against every set of ratings, and the metrics against each other.

    A metric that cannot have a measure is left out of it, and that is stated; it is an error if
    none has any. ``permute`` asks for permutation tests, and says what is exchanged. What is tested
    are the ``measures``, by Williams' test Pearson's r; without them Pearson's r, and by
    permutations acc_eq where it can be had.
    """
    if not any(rated_set.scores for rated_set in sets):
        raise InputError("agreement: found no scores, expected ratings with at least one metric")
    for name in measures or ():
        measure_of(name)
    agreements: list[Agreement] = []
    left_out: list[str] = []
    usable = []
    for rated in sets:
        kept = []
        for scores in rated.scores:
            chosen, how, reasons = _possible(rated, scores, measures, resample)
            left_out += reasons
            if chosen is not None and not chosen:
                continue
            kept.append(scores)
            agreements.append(
                agree(
                    rated.judgments,
                    scores,
                    measures=chosen,
                    resample=how,
                    statistics=rated.statistics.get(scores.metric),
                    trials=trials,
                    seed=seed,
                    level=level,
                )
            )
        usable.append(replace(rated, scores=tuple(kept)))
    if not agreements:  # what the first metric cannot have is the error
        first = next(rated_set for rated_set in sets if rated_set.scores)
        agree(first.judgments, first.scores[0], measures=measures, resample=resample)
    table = AgreementTable(agreements=tuple(agreements))
    tested = [_tested(rated_set, two_sided=two_sided) for rated_set in usable]
    if permute is not None:
        tests = ["pearson", *(name for name in (ACC_EQ,) if name in table.measures)]
        if measures is not None:
            tests = [name for name in dict.fromkeys(measures) if name in PERMUTABLE]
        tested = [
            _permuted(rated_set, made, tests, exchange=permute, trials=trials, seed=seed)
            for rated_set, made in zip(usable, tested, strict=True)
        ]
    if measures is not None and "pearson" not in measures:
        tested = [replace(made, tests=None) if made.tests else made for made in tested]
    return AgreementReport(
        table=table,
        tested=tuple(tested),
        unused=tuple(unused),
        left_out=tuple(left_out),
        resample=resample,
        trials=trials,
        seed=seed,
        level=level,
    )


def _possible(
    rated_set: RatedSet,
    scores: MetricScores,
    measures: Sequence[str] | None,
    resample: Resample | None,
) -> tuple[Sequence[str] | None, Resample | None, list[str]]:
    """The measures and the resampling that a metric can have, and what it cannot have."""
    location = (
        f"{rated_set.judgments.name} {rated_set.judgments.criterion}: {scores.metric} left out"
    )
    try:
        aligned = align(rated_set.judgments, scores)
    except InputError as error:
        return (), None, [f"{location}: {error}"]
    if measures is None:
        chosen = usual_measures(aligned)
        few = f"{location}: {counted(len(aligned.systems), 'system')} with rating and score"
        reasons = [] if chosen else [f"{few}, expected at least {LEAST_RATED}"]
    else:
        missing = {name: what_is_missing(name, aligned) for name in measures}
        chosen = tuple(name for name, why in missing.items() if not why)
        reasons = [
            f"{location} of {', '.join(name for name in missing if missing[name] == why)}: {why}"
            for why in dict.fromkeys(filter(None, missing.values()))
        ]
    how = resample
    if chosen and resample not in {None, "systems"}:
        bare = aligned.segment_scores is None and scores.metric not in rated_set.statistics
        unrated = aligned.segment_ratings is None and aligned.preferences is None
        if bare or unrated:
            how = None
            why = "scores" if bare else "ratings"
            reasons.append(f"{location} of resampling: no {why} of segments")
    return chosen, how, reasons


def _tested(rated_set: RatedSet, *, two_sided: bool) -> Tested:
    """Williams' tests on one set of ratings, between metrics that scored enough systems."""
    tests, reason = None, ""
    few = [
        scores.metric
        for scores in rated_set.scores
        if len(align(rated_set.judgments, scores).systems) < LEAST_SYSTEMS
    ]
    scores = [each for each in rated_set.scores if each.metric not in few]
    if len(scores) < 2:
        found = (
            f"{counted(len(few), 'metric')} with fewer than {LEAST_SYSTEMS} systems"
            if few
            else "one metric"
        )
        reason = f"{found}, expected two or more" + (f" of {LEAST_SYSTEMS} systems" if few else "")
    else:
        shared = shared_systems(rated_set.judgments, scores)
        if len(shared) < LEAST_SYSTEMS:
            reason = (
                f"{counted(len(shared), 'system')} in common, expected at least {LEAST_SYSTEMS}"
            )
        else:
            tests = williams(rated_set.judgments, scores, two_sided=two_sided)
    return Tested(
        name=rated_set.judgments.name,
        criterion=rated_set.judgments.criterion,
        tests=tests,
        reason=reason,
        left_out=tuple(few) if tests else (),
    )


def _permuted(
    rated_set: RatedSet,
    made: Tested,
    measures: Sequence[str],
    *,
    exchange: Exchange,
    trials: int,
    seed: int,
) -> Tested:
    """The same with permutation tests, between the metrics that Williams' test could take."""
    if made.tests is None:
        return made
    scores = [each for each in rated_set.scores if each.metric in made.tests.metrics]
    matrices: list[PermutationMatrix] = []
    reasons: list[str] = []
    for measure in measures:
        try:
            matrices.append(
                permutation_matrix(
                    rated_set.judgments,
                    scores,
                    measure=measure,
                    exchange=exchange,
                    trials=trials,
                    seed=seed,
                )
            )
        except InputError as error:
            reasons.append(str(error))
    return replace(made, permutations=tuple(matrices), reason="; ".join(reasons))


def rated_sets(
    judgments: Sequence[Judgments],
    scores: Mapping[str, Sequence[MetricScores]],
    *,
    system_names: Mapping[str, str] | None = None,
) -> tuple[tuple[RatedSet, ...], tuple[Exclusion, ...]]:
    """Ratings and published scores of the same language pair; what is left over is stated.

    If there is one pair on either side and it has no name there, it is the same. Systems go by
    their rated names, as ``system_names`` says or as their own show.
    """
    scores = {
        name: with_rated_names(
            some, [judgment for judgment in judgments if judgment.name == name], system_names
        )
        for name, some in scores.items()
    }
    names = list(dict.fromkeys(judgment.name for judgment in judgments))
    partners = {name: name for name in names if name in scores}
    if not partners and len(names) == 1 and len(scores) == 1:
        partners = {names[0]: next(iter(scores))}
    if not partners:
        raise InputError(
            f"scores of {', '.join(scores)}: found no ratings of them, "
            f"expected some of {', '.join(names)}"
        )
    sets = tuple(
        RatedSet(judgments=judgment, scores=tuple(scores[partners[judgment.name]]))
        for judgment in judgments
        if judgment.name in partners
    )
    left = {
        "sets of ratings without scores": [
            judgment.name for judgment in judgments if judgment.name not in partners
        ],
        "metrics on test sets without ratings": [
            name for name, score in scores.items() if name not in partners.values() for _ in score
        ],
    }
    unused = (
        Exclusion(reason=reason, count=len(found), example=found[0])
        for reason, found in left.items()
        if found
    )
    return sets, tuple(unused)
