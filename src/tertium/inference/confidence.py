"""Evaluations with confidence: every score gets its interval and its test against the baseline."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias, TypedDict

import numpy as np

from tertium.choices import DEFAULT_SEED, TEST_TRIALS, IntervalMethod, Resampling
from tertium.errors import InputError
from tertium.inference.bootstrap import PairedBootstrap, paired_bootstraps
from tertium.inference.corrections import Correction, Family, corrected
from tertium.inference.intervals import bca, check_interval, left_out_scores, percentiles
from tertium.inference.joint_tests import JointTests, pair_tests
from tertium.inference.randomization import Randomization, randomizations
from tertium.inference.resampling import resampled_scores, shared_resamples
from tertium.inference.rows import MetricRows, check_level
from tertium.inference.units import FEWEST_FOR_INTERVALS, FEWEST_UNITS, Units, units_of
from tertium.results import BaselineTest, Evaluation, Interval, Unit
from tertium.scored.scored import Scored

PValueKind: TypeAlias = Literal["two-sided", "sacrebleu"]


class _Resampled(TypedDict):
    """What is kept with every interval."""

    level: float
    seed: int
    unit: Unit
    units: int


AnyEvaluation: TypeAlias = Evaluation | Scored
"""What was evaluated and carries its rows, ``evaluate(…, rows=True)``, or what is scored."""


def with_intervals(
    evaluation: AnyEvaluation,
    *,
    resample: Resampling = "auto",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
) -> Evaluation:
    """Add a bootstrap confidence interval to every score, of percentiles or BCa.

    The evaluation must carry its rows: ``evaluate(…, rows=True)``, or `tertium.scored`. Whole
    documents are drawn where they are known, unless ``resample`` says ``segments``.
    """
    check_level(level)
    check_interval(interval)
    given, evaluation = evaluation, _evaluated(evaluation)
    units = units_of(evaluation.segments, evaluation.documents, resample)
    groups = _groups(evaluation, units) if interval == "bca" or given is evaluation else []
    if isinstance(given, Scored):
        drawn = shared_resamples(given, units, trials=trials, seed=seed)
    else:
        drawn = resampled_scores(groups, trials=trials, seed=seed)
    how: _Resampled = {"level": level, "seed": seed, "unit": units.unit, "units": units.count}
    if interval == "percentile":
        intervals = [[percentiles(system, **how) for system in scores] for scores in drawn]
    else:
        intervals = [
            [
                bca(*score, **how)
                for score in zip(scores, group.observed, left_out_scores(group), strict=True)
            ]
            for group, scores in zip(groups, drawn, strict=True)
        ]
    return _with_intervals(evaluation, units, intervals)


def with_paired_bootstrap(
    evaluation: AnyEvaluation,
    *,
    resample: Resampling = "auto",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    correction: Correction = "max-t",
    kind: PValueKind = "two-sided",
    interval: IntervalMethod = "percentile",
) -> Evaluation:
    """Add intervals, and a test of every system against the first by the same resamples.

    On fewer than ten units the p-values are those of exact randomization. With the ``kind``
    ``sacrebleu`` they are the one-sided ones that sacreBLEU and Moses print, on any number of
    units and without a correction, so that tables can be compared.
    """
    evaluation = _evaluated(evaluation)
    _check_baseline(evaluation)
    units = units_of(evaluation.segments, evaluation.documents, resample)
    groups = _groups(evaluation, units)
    drawn = resampled_scores(groups, trials=trials, seed=seed)
    resampled = paired_bootstraps(groups, seed=seed, level=level, interval=interval, drawn=drawn)
    intervals = [
        [tests[0].baseline_interval, *(test.system_interval for test in tests)]
        for tests in resampled
    ]
    tested = _with_intervals(evaluation, units, intervals)
    if kind == "sacrebleu":
        return _with_tests(tested, resampled, level, "none", kind)
    pairs = _baseline_pairs(groups)
    if units.few:  # its p-values would be far too small
        swapped = randomizations(groups, trials=trials, seed=seed)
        joint = pair_tests(groups, pairs, "randomization", trials=trials, seed=seed)
        return _with_tests(tested, swapped, level, correction, joint=joint)
    joint = pair_tests(groups, pairs, "bootstrap", trials=trials, seed=seed, drawn=drawn)
    return _with_tests(tested, resampled, level, correction, joint=joint)


def with_randomization(
    evaluation: AnyEvaluation,
    *,
    resample: Resampling = "auto",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
    correction: Correction = "max-t",
) -> Evaluation:
    """Add a test of every system against the first by approximate randomization.

    It is exact where there are no more ways to swap the units than trials.
    """
    check_level(level)
    evaluation = _evaluated(evaluation)
    _check_baseline(evaluation)
    groups = _groups(evaluation, units_of(evaluation.segments, evaluation.documents, resample))
    swapped = randomizations(groups, trials=trials, seed=seed)
    joint = pair_tests(groups, _baseline_pairs(groups), "randomization", trials=trials, seed=seed)
    return _with_tests(evaluation, swapped, level, correction, joint=joint)


def _baseline_pairs(groups: Sequence[MetricRows]) -> list[tuple[int, int]]:
    return [(0, other) for other in range(1, groups[0].systems)]


def _evaluated(given: AnyEvaluation) -> Evaluation:
    return given.evaluation() if isinstance(given, Scored) else given


def _check_baseline(evaluation: Evaluation) -> None:
    if len(evaluation.systems) < 2:
        raise InputError("paired test: found 1 system, expected a baseline and at least one more")


def _groups(evaluation: Evaluation, units: Units) -> list[MetricRows]:
    groups = []
    for number, metric in enumerate(evaluation.metrics):
        rows = [system.scores[number].rows for system in evaluation.systems]
        kept = [row for row in rows if row is not None]
        if len(kept) < len(rows):
            raise InputError("evaluation: found no rows, expected those of evaluate(…, rows=True)")
        # What belongs to a segment lies together, as the tests will want it.
        group = MetricRows(metric=metric, rows=np.stack(kept, axis=1).swapaxes(0, 1))
        groups.append(group.by(units))
    return groups


def _with(evaluation: Evaluation, warning: str) -> tuple[str, ...]:
    """The warnings there are, and one that may be among them already."""
    return tuple(dict.fromkeys([*evaluation.warnings, warning]))


def _with_intervals(
    evaluation: Evaluation, units: Units, intervals: Sequence[Sequence[Interval]]
) -> Evaluation:
    """``intervals`` are [metric][system]; those of few units come with a warning that stays."""
    if units.count == 1:  # drawn again and again it is always the same
        one_unit = f"{units}, nothing to draw from: no intervals"
        return replace(evaluation, warnings=_with(evaluation, one_unit))
    needed = FEWEST_FOR_INTERVALS[units.unit]
    few = f"{units}, fewer than {needed}: bootstrap intervals are rough"
    return replace(
        evaluation,
        warnings=_with(evaluation, few) if units.rough else evaluation.warnings,
        systems=tuple(
            replace(
                system,
                scores=tuple(
                    replace(score, interval=intervals[m][s])
                    for m, score in enumerate(system.scores)
                ),
            )
            for s, system in enumerate(evaluation.systems)
        ),
    )


def _with_tests(
    evaluation: Evaluation,
    tests: Sequence[Sequence[PairedBootstrap | Randomization]],
    level: float,
    correction: Correction,
    kind: PValueKind = "two-sided",
    *,
    joint: JointTests | None = None,
) -> Evaluation:
    """``tests`` are [metric][system − 1]; the correction covers all of them.

    ``joint`` are the same tests, for max-T.
    """
    sides = (("system", len(evaluation.systems) - 1), ("metric", len(evaluation.metrics)))
    family = str(Family(correction=correction, sides=sides))
    columns = [
        [_baseline_test(scores_, level, family, kind) for scores_ in column] for column in tests
    ]
    p_values = [test.p_value or 0.0 for column in columns for test in column]
    max_t = joint is not None and correction == "max-t"
    fixed = joint.adjusted(alpha=1 - level) if joint and max_t else corrected(p_values, correction)
    adjusted = fixed.reshape(len(columns), -1)
    covered = len(p_values) if correction in {"holm", "max-t"} and not max_t else 1
    return replace(
        evaluation,
        systems=tuple(
            replace(
                system,
                scores=tuple(
                    replace(
                        score,
                        test=_decided(columns[m][s - 1], float(adjusted[m, s - 1]), covered)
                        if s
                        else columns[m][0]._replace(p_value=None, p_value_sacrebleu=None),
                    )
                    for m, score in enumerate(system.scores)
                ),
            )
            for s, system in enumerate(evaluation.systems)
        ),
    )


def _baseline_test(
    made: PairedBootstrap | Randomization, level: float, family: str, kind: PValueKind
) -> BaselineTest:
    bootstrap = isinstance(made, PairedBootstrap)
    moses = made.p_value_moses if isinstance(made, PairedBootstrap) else None
    return BaselineTest(
        method="bootstrap" if bootstrap else "randomization",
        trials=made.trials,
        seed=made.seed,
        unit=made.unit,
        units=made.units,
        level=level,
        exact=isinstance(made, Randomization) and made.exact,
        kind=kind,
        family=family,
        p_value=moses if kind == "sacrebleu" else made.p_value,
        p_value_sacrebleu=moses,
    )


def _decided(test: BaselineTest, adjusted: float, covered: int) -> BaselineTest:
    enough = test.method == "randomization" or test.units >= FEWEST_UNITS
    significant = enough and adjusted <= 1 - test.level
    return test._replace(adjusted_p_value=adjusted, significant=significant, covered=covered)
