"""Scores side by side: deltas against the baseline, intervals, tests and rank clusters."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tertium.choices import Slicing
from tertium.compare.baseline_tests import (
    ComparisonSettings,
    PValue,
    RunTest,
    TestName,
    baseline_tests,
)
from tertium.compare.score_results import WHOLE, ComparedScore, ScoreSlice, ScoreTable, TestResult
from tertium.inference.bootstrap import PairedBootstrap, paired_bootstraps
from tertium.inference.corrections import Family, corrected, holm
from tertium.inference.joint_tests import JointTests, all_system_pairs, pair_tests
from tertium.inference.many import all_pairs_by, runs_p_value
from tertium.inference.p_values import p_value_text
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import MetricRows
from tertium.inference.units import FEWEST_FOR_INTERVALS, FEWEST_UNITS, units_of
from tertium.metrics.contract.base import Scores
from tertium.plurals import counted
from tertium.results import remarks_on
from tertium.scored.runs import Runs
from tertium.scored.slices import Slices

MOST_LISTED: Final = 6
"""Slices that a warning names; of more it tells the number."""


def score_table(
    names: Sequence[str],
    groups: Sequence[MetricRows],
    settings: ComparisonSettings,
    *,
    references: str,
    documents: Sequence[str] | None = None,
    by: Slicing | None = None,
    slices: Slices | None = None,
    runs: Runs | None = None,
    drawn: Sequence[Scores] | None = None,
    joint: JointTests | None = None,
) -> ScoreTable:
    """Compare on all segments, and on those of each of the ``slices``.

    ``groups`` are rows of segments; ``documents`` has the label of every segment's document;
    ``runs`` names the runs of the systems, where there are several; ``drawn`` are the scores on
    resamples of all segments, and ``joint`` the tests of all pairs on them, if they are there
    already.
    """
    made = [_compared(WHOLE, names, groups, settings, documents, drawn=drawn, joint=joint)]
    for label, some in (slices.places if slices else {}).items():
        part = [replace(group, rows=group.rows[..., some, :]) for group in groups]
        labels = None if documents is None else [documents[i] for i in some.tolist()]
        made.append(_compared(label, names, part, settings, labels))
    parts = [scored for scored, _ in made]
    findings = [finding for _, some in made for finding in some]
    families = _families(parts, names, len(groups), settings)
    pairs = len(names) * (len(names) - 1) // 2
    cluster_test = settings.pair_test(parts[0].units)
    clusters = Family(
        correction=settings.correction_of(cluster_test),
        sides=(("pair", pairs), ("metric", len(groups))),
    )
    named = [*families.items(), ("clusters", clusters)]
    totals = ((group.metric, group.sums) for group in groups)
    outputs = names if runs is None else [output for some in runs.members for output in some]
    remarks = remarks_on(outputs, totals, groups[0].units)
    decided, doubts = _decided(parts, settings), _doubts(parts, named, settings)
    return ScoreTable(
        systems=tuple(names),
        signatures=tuple(group.metric.signature(references) for group in groups),
        settings=settings,
        by=by,
        slices=tuple(decided),
        findings=(*findings, *_chance(decided[0], names, settings.alpha), *doubts, *remarks),
        families=families,
        cluster_family=clusters,
        cluster_test=cluster_test,
        runs=runs,
    )


def _compared(
    label: str,
    names: Sequence[str],
    groups: Sequence[MetricRows],
    settings: ComparisonSettings,
    documents: Sequence[str] | None,
    *,
    drawn: Sequence[Scores] | None = None,
    joint: JointTests | None = None,
) -> tuple[ScoreSlice, list[str]]:
    """One slice before any correction, and where the sign test contradicts itself there.

    The whole gets rank clusters, whose tests are a family of their own.
    """
    units = units_of(groups[0].units, documents, settings.resample)
    by_unit = [group.by(units) for group in groups]
    if drawn is None:
        drawn = resampled_scores(by_unit, trials=settings.trials, seed=settings.seed)
    resampled = paired_bootstraps(
        by_unit,
        seed=settings.seed,
        level=settings.level,
        interval=settings.interval,
        drawn=drawn,
    )
    p_values: Sequence[Sequence[Sequence[PValue]]] = [
        [()] * len(bootstraps) for bootstraps in resampled
    ]
    findings: list[str] = []
    if settings.can_find(units.count):
        if joint is None and label == WHOLE:  # of the whole all pairs are tested, for clusters
            joint = pair_tests(
                by_unit,
                all_system_pairs(len(names)),
                settings.pair_test(units.count),
                trials=settings.trials,
                seed=settings.seed,
                drawn=drawn,
            )
        tested = baseline_tests(by_unit, settings, drawn=drawn, joint=joint)
        p_values = tested.p_values
        location = "" if label == WHOLE else f"{label}: "
        findings = [
            f"{location}{names[number + 1]} against {names[0]}: {finding}"
            for signs in tested.signs
            for number, sign in enumerate(signs)
            for finding in (sign.directions, *sign.findings)
        ]
    columns = [_column(*column) for column in zip(by_unit, resampled, p_values, strict=True)]
    made = ScoreSlice(
        label=label,
        segments=groups[0].units,
        unit=units.unit,
        units=units.count,
        scores=tuple(zip(*columns, strict=True)),
    )
    if label == WHOLE and made.tested and joint is not None:
        made = _with_clusters(made, names, by_unit, settings, joint)
    return made, findings


def _column(
    group: MetricRows,
    bootstraps: Sequence[PairedBootstrap],
    p_values: Sequence[Sequence[PValue]],
) -> list[ComparedScore]:
    """One metric's scores of all systems; one unit, drawn again and again, is always the same."""
    drawn = group.units > 1
    runs = [tuple(some) if group.runs > 1 else () for some in group.of_runs.tolist()]
    baseline = ComparedScore(
        metric=group.metric,
        value=group.observed[0],
        interval=bootstraps[0].baseline_interval if drawn else None,
        runs=runs[0],
    )
    others = [
        ComparedScore(
            metric=group.metric,
            value=bootstrap.system,
            interval=bootstrap.system_interval if drawn else None,
            delta=bootstrap.delta,
            delta_interval=bootstrap.interval if drawn else None,
            tests=tuple(
                TestResult(
                    test=some.test,
                    asked=some.asked,
                    p_value=some.p_value,
                    adjusted=some.p_value if some.max_t is None else some.max_t,
                    significant=False,
                    floor=some.floor,
                )
                for some in tested
            ),
            runs=own,
            runs_p_value=runs_p_value(runs[0], own) if own else None,
        )
        for bootstrap, tested, own in zip(bootstraps, p_values, runs[1:], strict=True)
    ]
    return [baseline, *others]


def _chance(whole: ScoreSlice, names: Sequence[str], alpha: float) -> list[str]:
    """Differences that segments alone would find significant, though training could make them."""
    return [
        f"{name} against {names[0]}: training again could make the difference in "
        f"{score.metric.title} (p {p_value_text(score.runs_p_value)}, {len(score.runs)} runs of "
        "each), so that it is not significant, whatever segments say"
        for name, row in zip(names, whole.scores, strict=True)
        for score in row
        if score.runs_p_value is not None
        and score.runs_p_value > alpha
        and any(test.p_value <= alpha for test in score.tests)
    ]


def _families(
    slices: Sequence[ScoreSlice], names: Sequence[str], metrics: int, settings: ComparisonSettings
) -> dict[TestName, Family]:
    """For each test asked for, all that the table shows of it."""
    families = {}
    for asked in settings.tests:
        shown = sum(asked in {test.asked for test in part.scores[1][0].tests} for part in slices)
        sides = (("system", len(names) - 1), ("metric", metrics), ("slice", shown))
        run = settings.tests_of(slices[0].units).get(asked, asked)
        families[asked] = Family(correction=settings.correction_of(run), sides=sides)
    return families


def _decided(slices: Sequence[ScoreSlice], settings: ComparisonSettings) -> list[ScoreSlice]:
    """The slices with verdicts that are corrected for everything in the table.

    Max-T covers the systems and metrics of a slice, whose trials are common; over several slices
    it is Bonferroni's correction. What several runs leave to training must hold, too.
    """
    tested = [
        (test, score.runs_p_value or 0.0)
        for part in slices
        for row in part.scores
        for score in row
        for test in score.tests
    ]
    adjusted, floors = {}, {}
    for asked in settings.tests:
        some = [(test, runs) for test, runs in tested if test.asked == asked]
        parts = sum(any(test.asked == asked for test in _tests(part)) for part in slices)
        if settings.correction == "max-t" and all(test.test != "sign" for test, _ in some):
            p_values = np.minimum(1.0, parts * np.array([test.adjusted for test, _ in some]))
            p_values = np.maximum(p_values, holm([runs for _, runs in some]))
            floors[asked] = float(parts)
        else:  # both must hold, so the worse decides
            p_values = corrected(
                [max(test.p_value, runs) for test, runs in some], settings.correction
            )
            floors[asked] = float(len(some)) if settings.correction in {"holm", "max-t"} else 1.0
        adjusted[asked] = iter(p_values.tolist())

    def decided(test: TestResult) -> TestResult:
        p_value = next(adjusted[test.asked])  # in the order in which they were given
        return replace(
            test,
            adjusted=p_value,
            significant=p_value <= settings.alpha,
            adjusted_floor=min(1.0, test.floor * floors[test.asked]),
        )

    return [
        replace(
            part,
            scores=tuple(
                tuple(replace(score, tests=tuple(map(decided, score.tests))) for score in row)
                for row in part.scores
            ),
        )
        for part in slices
    ]


def _tests(part: ScoreSlice) -> Iterator[TestResult]:
    return (test for row in part.scores for score in row for test in score.tests)


def _with_clusters(
    whole: ScoreSlice,
    names: Sequence[str],
    groups: Sequence[MetricRows],
    settings: ComparisonSettings,
    joint: JointTests,
) -> ScoreSlice:
    """Number the clusters of the WMT rule; a tested pair is corrected for all pairs and metrics.

    Where the correction could not find any pair significant there are no clusters to number, and
    no range of ranks.
    """
    every = all_pairs_by(groups, names, joint, seed=settings.seed, level=settings.level)
    pairs = len(joint.pairs) * len(groups)
    correction = settings.correction_of(joint.test)
    if not settings.can_find(whole.units, pairs):
        return whole
    if correction == "holm" and joint.floor * pairs > settings.alpha:
        return whole
    numbers, ranges = [], []
    for compared in every:
        clusters = enumerate(compared.clusters(correction), 1)
        numbers.append({name: number for number, some in clusters for name in some})
        ranges.append(dict(zip(names, compared.rank_ranges(correction), strict=True)))
    scores = tuple(
        tuple(
            replace(score, cluster=number[name], ranks=ranks[name])
            for score, number, ranks in zip(row, numbers, ranges, strict=True)
        )
        for name, row in zip(names, whole.scores, strict=True)
    )
    return replace(whole, scores=scores)


def _doubts(
    slices: Sequence[ScoreSlice],
    families: Sequence[tuple[str, Family]],
    settings: ComparisonSettings,
) -> list[str]:
    """Where there is little to go on; a verdict that cannot come out must not look like one."""
    result = []
    few = (
        [part for part in slices if part.units < FEWEST_UNITS]
        if "bootstrap" in settings.tests
        else []
    )
    if few:
        result.append(
            f"fewer than {FEWEST_UNITS} units, where intervals are rough and the bootstrap is no "
            f"test (randomization takes its place): {_listed(few)}"
        )
    listed_before = {part.label for part in few}
    rough = [
        part
        for part in slices
        if part.label not in listed_before and part.units < FEWEST_FOR_INTERVALS[part.unit]
    ]
    if rough:
        needed = " or ".join(counted(count, unit) for unit, count in FEWEST_FOR_INTERVALS.items())
        listed = _listed(rough) if len(rough) <= MOST_LISTED else f"{len(rough)} slices"
        result.append(f"fewer than {needed}, where intervals are rough: {listed}")
    untested = [part for part in slices if not part.tested]
    if untested:
        result.append(f"not tested, too few units for any verdict: {_listed(untested)}")
    result += [
        f"{name}: {reason} ({family})"
        for name, family in families
        for reason in _too_few(name, family, slices[0], settings)
        if slices[0].tested
    ]
    return result


def _too_few(
    name: str, family: Family, whole: ScoreSlice, settings: ComparisonSettings
) -> Iterator[str]:
    """Why nothing can come out of the tests of the whole after the correction, if so."""
    if family.correction != "holm":
        return
    run: dict[str, RunTest] = dict(settings.tests_of(whole.units).items())
    run["clusters"] = settings.pair_test(whole.units)
    test = run.get(name)
    fewest = family.fewest_trials(settings.alpha)
    if test in {"t-test", "sign"}:  # which toss no coins of ours
        return
    if settings.trials < fewest:
        yield f"{settings.trials} trials cannot find anything significant, {fewest} could"
    elif test != "bootstrap" and family.tests * 2.0 ** (1 - whole.units) > settings.alpha:
        units = counted(whole.units, whole.unit)
        yield f"{units} cannot find anything significant, fewer tests or another correction could"


def _listed(slices: Sequence[ScoreSlice]) -> str:
    return ", ".join(f"{part.label} ({counted(part.units, part.unit)})" for part in slices)
