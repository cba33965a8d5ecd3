"""Evaluations with confidence: every score gets its interval and its test against the baseline."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError
from tertium.inference.bootstrap import paired_bootstraps, percentiles
from tertium.inference.randomization import randomizations
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import DEFAULT_SEED, MetricRows, check_level
from tertium.results import BaselineTest, Evaluation, Interval


def with_intervals(
    evaluation: Evaluation,
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> Evaluation:
    """Add a bootstrap confidence interval to every score.

    The evaluation must carry its rows: ``evaluate(…, rows=True)``.
    """
    check_level(level)
    groups = list(_groups(evaluation))
    intervals = [
        [percentiles(system, level=level, seed=seed) for system in scores]
        for scores in resampled_scores(groups, trials=trials, seed=seed)
    ]
    return _with_intervals(evaluation, intervals)


def with_paired_bootstrap(
    evaluation: Evaluation,
    *,
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    level: float = 0.95,
) -> Evaluation:
    """Add intervals, and a test of every system against the first by the same resamples.

    The p-value is the one that Moses and sacreBLEU print, so that tables can be compared.
    """
    _check_baseline(evaluation)
    every = paired_bootstraps(list(_groups(evaluation)), trials=trials, seed=seed, level=level)
    intervals = [
        [
            percentiles(tests[0].baseline_scores, level=level, seed=seed),
            *(test.system_interval for test in tests),
        ]
        for tests in every
    ]
    p_values = [[test.p_value_moses for test in tests] for tests in every]
    tested = _with_intervals(evaluation, intervals)
    return _with_tests(tested, BaselineTest(method="bootstrap", trials=trials, seed=seed), p_values)


def with_randomization(
    evaluation: Evaluation, *, trials: int = 10_000, seed: int = DEFAULT_SEED
) -> Evaluation:
    """Add a test of every system against the first by approximate randomization."""
    _check_baseline(evaluation)
    every = randomizations(list(_groups(evaluation)), trials=trials, seed=seed)
    p_values = [[test.p_value for test in tests] for tests in every]
    kind = BaselineTest(method="randomization", trials=trials, seed=seed)
    return _with_tests(evaluation, kind, p_values)


def _check_baseline(evaluation: Evaluation) -> None:
    if len(evaluation.systems) < 2:
        raise InputError("paired test: found 1 system, expected a baseline and at least one more")


def _groups(evaluation: Evaluation) -> Iterator[MetricRows]:
    for number, metric in enumerate(evaluation.metrics):
        rows = [one.scores[number].rows for one in evaluation.systems]
        kept = [one for one in rows if one is not None]
        if len(kept) < len(rows):
            raise InputError("evaluation: found no rows, expected those of evaluate(…, rows=True)")
        # What belongs to a segment lies together, as the tests will want it.
        yield MetricRows(metric=metric, rows=np.stack(kept, axis=1).swapaxes(0, 1))


def _with_intervals(evaluation: Evaluation, intervals: Sequence[Sequence[Interval]]) -> Evaluation:
    """``intervals`` are [metric][system]."""
    return replace(
        evaluation,
        systems=tuple(
            replace(
                one,
                scores=tuple(
                    replace(score, interval=intervals[m][s]) for m, score in enumerate(one.scores)
                ),
            )
            for s, one in enumerate(evaluation.systems)
        ),
    )


def _with_tests(
    evaluation: Evaluation, kind: BaselineTest, p_values: Sequence[Sequence[float]]
) -> Evaluation:
    """``p_values`` are [metric][system − 1]."""
    return replace(
        evaluation,
        systems=tuple(
            replace(
                one,
                scores=tuple(
                    replace(score, test=replace(kind, p_value=p_values[m][s - 1] if s else None))
                    for m, score in enumerate(one.scores)
                ),
            )
            for s, one in enumerate(evaluation.systems)
        ),
    )
