"""All evidence on some systems in one call: is it better, is it sure, and may it be trusted?"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, cast

import numpy as np

from tertium.audit.audit import audit_cases
from tertium.audit.case import cases
from tertium.audit.findings import AuditReport
from tertium.audit.leads import all_leads
from tertium.audit.table import AUDITS, deciding
from tertium.choices import DEFAULT_SEED, TEST_TRIALS, IntervalMethod, Resampling, Slicing
from tertium.compare.baseline_tests import ComparisonSettings
from tertium.compare.compare import compare
from tertium.compare.score_results import ScoreTable
from tertium.compare.sentences import SentenceDifferences, SentencePair
from tertium.decide.decision import REQUIRED, Decision, Required, SharedReferences, requirement
from tertium.decide.evidence import MetricEvidence, OpposingSlice, OpposingSlices
from tertium.decide.power import power as power_of
from tertium.decide.rules import verdicts
from tertium.decide.verdict import Verdict
from tertium.errors import OptionError
from tertium.inference.bootstrap import PairedBootstrap, paired_bootstraps
from tertium.inference.corrections import holm
from tertium.inference.joint_tests import least_p_value
from tertium.inference.power import detectability_of
from tertium.inference.resampling import shared_resamples
from tertium.inference.rows import metric_rows
from tertium.inference.units import units_of
from tertium.meta.worth_curves import Worth, pair_kind, shipped_worth
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.families import BASES, Basis
from tertium.metrics.contract.table import AnyMetrics
from tertium.metrics.contract.word_metric import fits, fitted_metrics
from tertium.results import titles
from tertium.scored.runs import AnyRuns, runs_of
from tertium.scored.scored import AnyScored, Scored, as_scored
from tertium.suggestions import did_you_mean
from tertium.text.corpus import AnyTexts, corpus_and_systems

# Slices that go the other way than all segments do, each with a test of its own.


def opposing_slices(
    scored: Scored, system: int, settings: ComparisonSettings
) -> tuple[OpposingSlices, ...]:
    """Slices of every slicing in which a system is on the other side of the baseline.

    Holm's correction covers all slices of a slicing and all metrics. Those that go the same way
    are not tested; they count as tests that found nothing, which only makes it stricter. Of very
    many slices none can be found significant, and none is tested.
    """
    opposing = []
    for by, slices in scored.slicings.items():
        least = settings.alpha / (len(slices) * len(scored.metrics))
        some = [
            OpposingSlices(
                metric=metric,
                title=title,
                by=by,
                of=len(slices),
                slices=tuple(_opposing(scored, metric, system, by, settings, least=least)),
            )
            for metric, title in zip(scored.metrics, titles(scored.metrics), strict=True)
        ]
        opposing += _corrected(some, len(slices) * len(some), settings)
    return tuple(opposing)


def _opposing(
    scored: Scored,
    metric: Metric,
    system: int,
    by: Slicing,
    settings: ComparisonSettings,
    *,
    least: float,
) -> list[OpposingSlice]:
    """Those of one metric; ``least`` is the largest p-value that the smallest of all may have."""
    slices = scored.slices(by)
    first, second = scored.kept(
        ("scores of two", metric.spec, system),
        lambda: metric.score(scored.rows_of(metric)[[0, system]].sum(axis=1)),
    )
    if metric.shown(first) == metric.shown(second):
        return []
    sums = scored.kept(("slice sums", metric.spec, by), lambda: slices.sums(scored.rows_of(metric)))
    parts = np.subtract(*metric.score(sums[[system, 0]]))
    documents = scored.corpus.documents
    opposing = []
    for index, (label, places) in enumerate(slices.places.items()):
        delta = float(parts[index])
        if not delta * (second - first) < 0 or metric.shown(delta) == metric.shown(0.0):
            continue
        labels = None if documents is None else [documents[i] for i in places.tolist()]
        units = units_of(len(places), labels, settings.resample)
        p_value = None
        if settings.can_find(units.count) and least_p_value(units.count, TEST_TRIALS) <= least:
            rows = scored.rows_of(metric)[[0, system]][:, places]
            p_value = float(all_leads(metric, rows, units, seed=settings.seed).p_values[0])
        opposing.append(
            OpposingSlice(
                label=label,
                segments=len(places),
                unit=units.unit,
                units=units.count,
                delta=delta,
                p_value=p_value,
            )
        )
    return sorted(opposing, key=lambda part: -abs(part.delta))


def _corrected(
    some: list[OpposingSlices], tests: int, settings: ComparisonSettings
) -> list[OpposingSlices]:
    known = [part.p_value for each in some for part in each.slices if part.p_value is not None]
    adjusted = iter(holm([*known, *[1.0] * (tests - len(known))])[: len(known)].tolist())

    def decided(part: OpposingSlice) -> OpposingSlice:
        if part.p_value is None:
            return part
        p_value = next(adjusted)
        return replace(part, adjusted=p_value, significant=p_value <= settings.alpha)

    return [
        replace(each, slices=tuple(decided(part) for part in each.slices))
        for each in some
        if each.slices
    ]


MEDIAN_RUNS: Final = (
    "audits, slices and segments are of one run of each system, that of the median score"
)

WorthOf: TypeAlias = Callable[[Metric, float, str], Worth | None]
"""The share of WMT system pairs with such a difference on which raters agreed, if known."""


def decide(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    resample: Resampling = "auto",
    interval: IntervalMethod = "percentile",
    runs: AnyRuns | None = None,
    alpha: float = 0.05,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    audit: bool | AuditReport = True,
    top: int = 3,
    worth: WorthOf = shipped_worth,
    require: Required | None = None,
    margins: Sequence[float] = (),
    evidence: Mapping[str, Basis] | None = None,
    llms: Collection[str] = (),
    power: float | None = None,
    difference: float | None = None,
) -> Decision:
    """Say in words whether each system is better than the first one, the baseline.

    The metrics are BLEU and chrF by default, BLEU with a tokenizer that fits the script of the
    references. Instead of a corpus, systems and metrics you may
    give what `tertium.scored` made of them.

    - ``alpha``: the significance level; step-down max-T covers all systems and metrics. Tests
      are two-sided, by randomization.
    - ``resample``: tests swap whole documents if the corpus knows them; ``"segments"`` changes
      that. ``interval``: percentile or bca. ``runs``: as in `compare`.
    - ``audit``: whether to ask the audits that may take a lead away, or what they found.
    - ``top``: how many segments are named that should be read first.
    - ``worth``: the human agreement with a difference, by metric, size and kind of pair; by
      default as measured at WMT.
    - ``require``: *better* or *not-worse*, or *higher* or *not-lower* of the scores alone, by
      ``margins`` in points: one for all metrics, or one for each.
    - ``evidence``: what metrics are whose names do not tell it, such as
      ``{"our judge": "reference-free"}``; ``llms``: the names of systems that are LLMs.
    - ``power``: also which true differences this test set finds in that share of all cases, and
      how often it finds ``difference``, by default the one observed; as `tertium.power` says it.
    """
    if not 0 < alpha <= 0.5:
        raise OptionError(f"alpha: found {alpha:g}, expected a significance level such as 0.05")
    if power is not None and not 0 < power < 1:
        raise OptionError(f"power: found {power:g}, expected a share such as 0.8")
    if difference is not None and power is None:
        raise OptionError("difference: found no power, expected it, such as 0.8")
    if margins and require is None:
        raise OptionError(f"margin: found no requirement, expected require {_either(REQUIRED)}")
    if not isinstance(corpus, Scored):
        corpus, systems = corpus_and_systems(corpus, systems)
        metrics = fitted_metrics(DEFAULT_METRICS, corpus) if metrics is None else metrics
    every = as_scored(corpus, systems, metrics)
    strata = None if runs is None else runs_of(every.names, runs)
    whole = every if strata is None else strata.median(every)
    settings = ComparisonSettings(
        trials=trials, seed=seed, level=1 - alpha, resample=resample, interval=interval
    )
    units = units_of(len(whole.corpus), whole.corpus.documents, resample)
    by_unit = [group.by(units) for group in metric_rows(every, strata)]
    drawn = shared_resamples(every, units, trials=trials, seed=seed, runs=strata)
    compared = compare(
        every,
        sections=("scores", "sentences"),
        trials=trials,
        seed=seed,
        level=settings.level,
        resample=resample,
        interval=interval,
        runs=runs,
        top=top,
    )
    table = cast("ScoreTable", compared.scores)  # the section was asked for
    report = audit if isinstance(audit, AuditReport) else _audited(whole, settings, audit)
    findings = () if report is None else report.findings
    _check_names(evidence or {}, titles(table.metrics), llms, whole.names)
    verdict_table = verdicts(table, findings, bases=evidence, llms=llms)
    resampled = paired_bootstraps(by_unit, seed=seed, level=settings.level, drawn=drawn)
    complete = tuple(
        _complete(
            verdict,
            whole,
            index,
            settings,
            resampled=[bootstraps[index - 1] for bootstraps in resampled],
            sentences=(compared.sentences or ())[index - 1],
            worth=worth,
            llms=llms,
        )
        for index, verdict in enumerate(verdict_table, 1)
    )
    return Decision(
        baseline=whole.names[0],
        verdicts=complete,
        segments=len(whole.corpus),
        unit=units.unit,
        units=units.count,
        settings=settings,
        family=table.families[table.settings.tests[0]],
        test=table.settings.pair_test(units.count),
        signatures={
            metric.spec: signature
            for metric, signature in zip(table.metrics, table.signatures, strict=True)
        },
        audits=() if report is None else deciding(report.audits),
        warnings=(*table.findings, *([] if strata is None else [MEDIAN_RUNS])),
        requirement=None if require is None else requirement(require, complete, margins),
        references=SharedReferences(
            name=whole.corpus.name, sets=len(whole.corpus.references.columns)
        ),
        power=None
        if power is None
        else power_of(
            whole,
            difference=difference,
            wanted=power,
            alpha=alpha,
            resample=resample,
            trials=trials,
            seed=seed,
        ),
    )


def _check_names(
    evidence: Mapping[str, Basis],
    metrics: Sequence[str],
    llms: Collection[str],
    systems: Sequence[str],
) -> None:
    """Refuse options that name a metric or a system that was not given."""
    for name, basis in evidence.items():
        if name not in metrics:
            raise OptionError(did_you_mean("metric", name, metrics))
        if basis not in BASES:
            raise OptionError(f"evidence: found '{basis}' for {name}, expected {_either(BASES)}")
    for name in llms:
        if name not in systems:
            raise OptionError(did_you_mean("system", name, systems))


def _either(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _audited(whole: Scored, settings: ComparisonSettings, wanted: bool) -> AuditReport | None:  # noqa: FBT001
    """The audits whose findings may take a lead over the baseline away, if wanted."""
    if not wanted:
        return None
    asked = cases(
        whole,
        resample=settings.resample,
        alpha=settings.alpha,
        seed=settings.seed,
        against_baseline=True,
    )
    return audit_cases(asked, audits=deciding(AUDITS))


def _complete(
    verdict: Verdict,
    whole: Scored,
    index: int,
    settings: ComparisonSettings,
    *,
    resampled: Sequence[PairedBootstrap],
    sentences: SentenceDifferences,
    worth: WorthOf,
    llms: Collection[str],
) -> Verdict:
    """A verdict with the evidence that the rules do not ask for.

    A difference that a finding takes away gets no human agreement: no pair of WMT was like it.
    """
    doubted = [doubt.evidence for doubt in verdict.doubts]
    evidence = {
        piece.metric.spec: replace(
            piece,
            detectable=_detectable(drawn, len(whole.corpus)),
            worth=None if piece in doubted else _worth(verdict, piece, whole, worth, llms),
        )
        for piece, drawn in zip(verdict.metrics, resampled, strict=True)
    }
    outputs = [whole.systems[i].hypotheses.to_list() for i in (0, index)]
    return replace(
        verdict,
        metrics=tuple(evidence.values()),
        counted=tuple(evidence[piece.metric.spec] for piece in verdict.counted),
        aside=tuple(evidence[piece.metric.spec] for piece in verdict.aside),
        doubts=tuple(
            replace(doubt, evidence=evidence[doubt.evidence.metric.spec])
            for doubt in verdict.doubts
        ),
        slices=opposing_slices(whole, index, settings),
        segments=_telling(sentences),
        identical=outputs[0] == outputs[1],
    )


def _detectable(drawn: PairedBootstrap, segments: int) -> float | None:
    """The smallest true difference detected with 80 % power."""
    return detectability_of(drawn, segments=segments).difference if drawn.units > 1 else None


def _worth(
    verdict: Verdict,
    evidence: MetricEvidence,
    whole: Scored,
    worth: WorthOf,
    llms: Collection[str],
) -> Worth | None:
    """The human agreement with a difference; none where the tokenizer does not fit the script."""
    if not fits(evidence.metric, whole.corpus.references):
        return None
    pair = (verdict.system, verdict.baseline)
    ahead, behind = pair if evidence.gain > 0 else pair[::-1]
    return worth(evidence.metric, abs(evidence.delta), pair_kind(ahead, behind, llms))


def _telling(differences: SentenceDifferences) -> tuple[SentencePair, ...]:
    """What makes the difference; where there is none, what speaks loudest on both sides."""
    top = max(len(differences.better), len(differences.worse))
    gain = differences.delta if differences.metric.higher_is_better else -differences.delta
    if np.isclose(gain, 0.0):
        both = sorted([*differences.better, *differences.worse], key=lambda pair: -abs(pair.effect))
        return tuple(both[:top])
    return differences.better if gain > 0 else differences.worse
