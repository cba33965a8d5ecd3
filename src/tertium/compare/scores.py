"""Scores side by side: deltas against the baseline, intervals, tests and rank clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tertium.compare.score_results import (
    FEWEST_SEGMENTS,
    WHOLE,
    By,
    ComparedScore,
    ScoreSlice,
    ScoreTable,
    Verdict,
)
from tertium.compare.testing import Settings, TestName, baseline_tests
from tertium.inference.bootstrap import PairedBootstrap, paired_bootstraps, percentiles
from tertium.inference.many import all_pairs
from tertium.inference.rows import MetricRows


def score_table(
    names: Sequence[str],
    groups: Sequence[MetricRows],
    settings: Settings,
    *,
    references: str,
    by: By | None = None,
    places: Mapping[str, NDArray[np.intp]] | None = None,
) -> ScoreTable:
    """Compare on all segments, and on those of each label in ``places``."""
    compared = [_slice(WHOLE, names, groups, settings)]
    for label, some in (places or {}).items():
        part = [replace(group, rows=group.rows[:, some]) for group in groups]
        compared.append(_slice(label, names, part, settings))
    slices = [one for one, _ in compared]
    findings = [finding for _, some in compared for finding in some]
    if slices[0].segments >= FEWEST_SEGMENTS:
        slices[0] = _with_clusters(slices[0], names, groups, settings)
        findings += _too_few_trials(len(names), settings)
    few = [one.label for one in slices if one.segments < FEWEST_SEGMENTS]
    if few:
        findings.append(f"not tested, fewer than {FEWEST_SEGMENTS} segments: {', '.join(few)}")
    return ScoreTable(
        systems=tuple(names),
        signatures=tuple(group.metric.signature(references) for group in groups),
        settings=settings,
        by=by,
        slices=tuple(slices),
        findings=tuple(findings),
    )


def _too_few_trials(systems: int, settings: Settings) -> list[str]:
    """A verdict that cannot come out must not look like one that did not."""
    fewest = settings.trials_for(systems * (systems - 1) // 2)
    if settings.trials >= fewest:
        return []
    found = f"{settings.trials} trials cannot find any pair of {systems} systems significant"
    return [f"clusters: {found} after the correction of Holm, {fewest} could"]


def _slice(
    label: str, names: Sequence[str], groups: Sequence[MetricRows], settings: Settings
) -> tuple[ScoreSlice, list[str]]:
    """One slice, and where the sign test contradicts itself or the scores there."""
    segments = groups[0].segments
    if segments < FEWEST_SEGMENTS:
        untested = zip(*map(_untested, groups), strict=True)
        return ScoreSlice(label=label, segments=segments, scores=tuple(untested)), []
    resampled = paired_bootstraps(
        groups, trials=settings.trials, seed=settings.seed, level=settings.level
    )
    tested = baseline_tests(groups, resampled, settings)
    place = "" if label == WHOLE else f"{label}: "
    findings = [
        f"{place}{names[number + 1]} against {names[0]}: {finding}"
        for signs in tested.signs
        for number, sign in enumerate(signs)
        for finding in sign.findings
    ]
    columns = [
        _column(group, bootstraps, settings, {test: every[m] for test, every in tested.p_values})
        for m, (group, bootstraps) in enumerate(zip(groups, resampled, strict=True))
    ]
    scores = tuple(zip(*columns, strict=True))
    return ScoreSlice(label=label, segments=segments, scores=scores), findings


def _untested(group: MetricRows) -> list[ComparedScore]:
    baseline, *others = group.observed
    return [
        ComparedScore(metric=group.metric, value=baseline),
        *(
            ComparedScore(metric=group.metric, value=value, delta=value - baseline)
            for value in others
        ),
    ]


def _column(
    group: MetricRows,
    bootstraps: Sequence[PairedBootstrap],
    settings: Settings,
    p_values: Mapping[TestName, Sequence[float]],
) -> list[ComparedScore]:
    """One metric's scores of all systems; the p-values are corrected for their number."""
    first = percentiles(bootstraps[0].baseline_scores, level=settings.level, seed=settings.seed)
    baseline = ComparedScore(metric=group.metric, value=group.observed[0], interval=first)
    adjusted = {test: settings.adjusted(some) for test, some in p_values.items()}
    return [
        baseline,
        *(
            ComparedScore(
                metric=group.metric,
                value=one.system,
                interval=one.system_interval,
                delta=one.delta,
                delta_interval=one.interval,
                tests=tuple(
                    Verdict(
                        test=test,
                        p_value=some[number],
                        adjusted=adjusted[test][number],
                        significant=adjusted[test][number] <= settings.alpha,
                    )
                    for test, some in p_values.items()
                ),
            )
            for number, one in enumerate(bootstraps)
        ),
    ]


def _with_clusters(
    whole: ScoreSlice, names: Sequence[str], groups: Sequence[MetricRows], settings: Settings
) -> ScoreSlice:
    """Number the clusters of the WMT rule; a tested pair is corrected for all pairs."""
    numbers: list[dict[str, int]] = []
    for group in groups:
        pairs = all_pairs(
            group.metric,
            group.rows,
            names,
            test=settings.pair_test,
            trials=settings.trials,
            seed=settings.seed,
            level=settings.level,
        )
        clusters = enumerate(pairs.clusters(settings.correction), 1)
        numbers.append({name: number for number, some in clusters for name in some})
    scores = tuple(
        tuple(
            replace(score, cluster=number[name]) for score, number in zip(row, numbers, strict=True)
        )
        for name, row in zip(names, whole.scores, strict=True)
    )
    return replace(whole, scores=scores)
