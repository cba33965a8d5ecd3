"""The rules: from each metric's difference to one answer for each system."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from tertium.audit.findings import Finding
from tertium.compare.compared_score import ComparedScore
from tertium.compare.score_results import ScoreTable
from tertium.decide.evidence import MetricEvidence
from tertium.decide.verdict import Answer, Doubt, Verdict
from tertium.metrics.contract.families import family_of
from tertium.results import titles

ABOUT_LEADS: Final = ("reversal", "licence", "fragile")
"""Audits whose findings on a pair say that its lead would turn, or be gone."""
ABOUT_SYSTEMS: Final = ("copies", "damage", "gaming")
"""Audits whose serious findings on a system leave nothing that its lead could say. One that loses
all the same has lost: what it gained in a wrong way was not enough, and what is damaged is worse
as it is, though its model may not be."""
ABOUT_METRICS: Final = ("straw-men",)
"""Audits whose serious findings on both systems say that the metric likes nonsense better. A
system that alone loses to a straw man is just bad."""
CONSULTED: Final = frozenset((*ABOUT_LEADS, *ABOUT_SYSTEMS, *ABOUT_METRICS))
"""All that may take a difference away."""


Pair: TypeAlias = tuple[str, str]
"""The names of the baseline and of the system."""


class Judged(NamedTuple):
    """An answer, the metrics that it counts, and those that it sets aside.

    ``caveats`` are serious findings on the output of the system that loses by a counted metric.
    """

    answer: Answer
    counted: tuple[MetricEvidence, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    caveats: tuple[Finding, ...] = ()


def verdicts(table: ScoreTable, findings: Sequence[Finding] = ()) -> tuple[Verdict, ...]:
    """Every system but the first beside the first, by the differences on all segments."""
    whole = table.slices[0]
    baseline, *others = whole.scores
    shown, tests = titles(table.metrics), table.families[table.settings.tests[0]].tests
    result = []
    for name, scores in zip(table.systems[1:], others, strict=True):
        evidence = tuple(
            _evidence(title, first, second)
            for title, first, second in zip(shown, baseline, scores, strict=True)
        )
        pair = (table.systems[0], name)
        mine = consulted(findings, pair)
        judged = judge(pair, evidence, mine)
        result.append(
            Verdict(
                system=name,
                baseline=pair[0],
                answer=judged.answer,
                metrics=evidence,
                unit=whole.unit,
                units=whole.units,
                tests=tests,
                hopeless=not table.settings.can_find(whole.units, tests),
                counted=judged.counted,
                doubts=judged.doubts,
                caveats=judged.caveats,
                findings=mine,
            )
        )
    return tuple(result)


def judge(
    pair: Pair, evidence: Sequence[MetricEvidence], findings: Sequence[Finding] = ()
) -> Judged:
    """The answer of some metrics on one pair, about which there are some findings.

    A significant difference that a finding takes away does not count. Metrics of one family are
    one voice, which is for or against if any of them is significant; a family that is both
    disagrees with itself. One voice is enough if none contradicts it significantly, and if not
    more families lean against it than are for it.
    """
    doubts = tuple(
        Doubt(evidence=one, finding=found)
        for one in evidence
        if one.direction != "level" and (found := _objection(pair, one, findings)) is not None
    )
    doubted = {one.evidence.metric.spec for one in doubts}
    heard = [one for one in evidence if one.metric.spec not in doubted]
    families: dict[str, list[MetricEvidence]] = {}
    for one in heard:
        families.setdefault(one.family, []).append(one)
    better, worse = (
        {name for name, some in families.items() if any(one.direction == way for one in some)}
        for way in ("better", "worse")
    )
    counted = tuple(one for one in heard if one.direction != "level")
    if not better and not worse:
        claims = tuple(one.evidence for one in doubts)
        gamed = all(one.finding.audit == "gaming" for one in doubts)
        if gamed and {one.direction for one in claims} == {"better", "worse"}:
            # Each side is beyond what the other grants; none is left to tell which was gamed.
            return Judged("metrics disagree", claims)
        return Judged("do not trust" if doubts else "no difference", (), doubts)
    losers = {_loser(pair, one) for one in counted}
    caveats = tuple(
        one
        for one in findings
        if one.audit in {"copies", "damage"}
        and one.severity == "serious"
        and losers & set(one.systems)
    )
    if better and worse:
        return Judged("metrics disagree", counted, doubts, caveats)
    answer: Answer = "better" if better else "worse"
    against = [
        name
        for name, some in families.items()
        if name not in better | worse and all(one.lean not in {answer, "level"} for one in some)
    ]
    if len(against) > len(better or worse):
        answer = "metrics disagree"
    return Judged(answer, counted, doubts, caveats)


def consulted(findings: Iterable[Finding], pair: Pair) -> tuple[Finding, ...]:
    """Those of all findings that have a say about two systems."""
    return tuple(one for one in findings if one.audit in CONSULTED and concerns(one, pair))


def concerns(finding: Finding, pair: Pair) -> bool:
    """Whether a finding has to do with the two systems: with both, or with one of them alone."""
    if finding.audit in ABOUT_LEADS and len(finding.systems) > 1:
        return set(finding.systems) == set(pair)
    if finding.audit in ABOUT_METRICS:
        return set(pair) <= set(finding.systems)
    return not finding.systems or not set(finding.systems).isdisjoint(pair)


def _loser(pair: Pair, evidence: MetricEvidence) -> str:
    return pair[evidence.direction == "worse"]


def _objection(pair: Pair, evidence: MetricEvidence, findings: Iterable[Finding]) -> Finding | None:
    """The first finding that takes a metric's difference away, if there is any."""
    return next((one for one in findings if _objects(pair, evidence, one)), None)


def _objects(pair: Pair, evidence: MetricEvidence, finding: Finding) -> bool:
    if finding.metric not in {"", evidence.metric.spec}:
        return False
    if finding.audit in ABOUT_LEADS:
        return finding.severity != "note" and len(finding.systems) > 1
    if finding.audit in ABOUT_SYSTEMS and set(finding.systems) & set(pair) == {
        _loser(pair, evidence)
    }:
        return False
    return finding.audit in CONSULTED and finding.severity == "serious"


def _evidence(title: str, baseline: ComparedScore, score: ComparedScore) -> MetricEvidence:
    bare = MetricEvidence(
        metric=score.metric,
        title=title,
        family=family_of(score.metric),
        baseline=baseline.value,
        system=score.value,
        interval=score.delta_interval,
    )
    if not score.tests:
        return bare
    test = score.tests[0]
    return replace(
        bare,
        p_value=test.p_value,
        adjusted=test.adjusted,
        floor=test.floor,
        significant=test.significant,
    )
