"""The verdict on any two systems of a study, whichever of them the reader takes as baseline."""

import numpy as np

from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import consulted, judge
from tertium.decide.verdict import Verdict
from tertium.inference.power import detectable_difference
from tertium.inference.units import widening
from tertium.meta.worth_curves import shipped_worth
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.families import basis_of, family_of
from tertium.results import Interval, titles
from tertium.study.results import Study


def pair_verdict(study: Study, baseline: int, system: int) -> Verdict:
    """What `decide` says of the first system, said of any: by the tests of all pairs."""
    if baseline == 0 and study.decision is not None:
        return study.decision.verdicts[system - 1]
    pair = (study.names[baseline], study.names[system])
    evidence = tuple(
        _evidence(study, metric, title, baseline, system)
        for metric, title in zip(study.metrics, titles(study.metrics), strict=True)
    )
    findings = consulted(() if study.audit is None else study.audit.findings, pair)
    judged = judge(pair, evidence, findings)
    pairs = study.pairs[study.metrics[0].spec]
    return Verdict(
        system=pair[1],
        baseline=pair[0],
        answer=judged.answer,
        metrics=evidence,
        unit=pairs.unit,
        units=pairs.units,
        tests=pairs.family.tests,
        hopeless=not pairs.settings.can_find(pairs.units, pairs.family.tests),
        counted=judged.counted,
        doubts=judged.doubts,
        caveats=judged.caveats,
        aside=judged.aside,
        findings=findings,
        identical=_identical(study, baseline, system),
    )


def _identical(study: Study, baseline: int, system: int) -> bool:
    """Whether both outputs are the same; texts are looked at only where all scores are."""
    if any(study.pairs[metric.spec].deltas[baseline, system] for metric in study.metrics):
        return False
    first, second = study.systems[baseline].hypotheses, study.systems[system].hypotheses
    return first.to_list() == second.to_list()


def _evidence(
    study: Study, metric: Metric, title: str, baseline: int, system: int
) -> MetricEvidence:
    pairs, scores = study.pairs[metric.spec], study.scores_of(metric)
    drawn = study.resamples.get(metric.spec)
    detectable = None
    if drawn is not None and pairs.units > 1:
        error = float(np.std(drawn[system] - drawn[baseline], ddof=1))
        detectable = detectable_difference(
            error * widening(pairs.unit, pairs.units, pairs.settings.level),
            level=pairs.settings.level,
        )
    delta = float(pairs.deltas[baseline, system])
    return MetricEvidence(
        metric=metric,
        title=title,
        family=family_of(metric),
        basis=basis_of(metric),
        baseline=float(scores[baseline]),
        system=float(scores[system]),
        interval=None
        if pairs.units < 2
        else Interval(
            low=float(pairs.low[baseline, system]),
            high=float(pairs.high[baseline, system]),
            mean=delta,
            level=pairs.settings.level,
            trials=pairs.settings.trials,
            seed=pairs.settings.seed,
            unit=pairs.unit,
            units=pairs.units,
            method=pairs.settings.interval,
        ),
        p_value=float(pairs.p_values[baseline, system]) if pairs.tested else None,
        adjusted=float(pairs.adjusted[baseline, system]) if pairs.tested else None,
        floor=pairs.floor,
        adjusted_floor=pairs.adjusted_floor,
        significant=pairs.differ(baseline, system),
        detectable=detectable,
        worth=shipped_worth(metric, abs(delta)),
    )
