"""The rules: from each metric's difference to one answer for each system."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from tertium.audit.findings import Finding
from tertium.audit.table import AUDITS, subject_of
from tertium.compare.score_results import ComparedScore, ScoreTable
from tertium.decide.evidence import Direction, MetricEvidence
from tertium.decide.verdict import LEAKED, Answer, DoubtedDifference, Verdict
from tertium.metrics.contract.families import Basis, basis_of, family_of
from tertium.results import titles

LEAK_SHARE: Final = 0.15
"""The share of long segments that the winner has in common with the reference, and the other does
not, from which a lead by that reference says nothing. Of two systems nobody can tell what is usual,
so that the audit only warns; honest systems of WMT reach 0.13 beside a much weaker one."""
Pair: TypeAlias = tuple[str, str]
"""The names of the baseline and of the system."""
Voice: TypeAlias = Literal["better", "worse", "level", "split"]
"""What some metrics say together."""


class CountedAnswer(NamedTuple):
    """An answer, the metrics that it counts, and those that it sets aside.

    ``caveats`` are serious findings on the output of the system that loses by a counted metric,
    ``aside`` metrics of overlap that are shown and not counted beside several trained families.
    """

    answer: Answer
    counted: tuple[MetricEvidence, ...] = ()
    doubts: tuple[DoubtedDifference, ...] = ()
    caveats: tuple[Finding, ...] = ()
    aside: tuple[MetricEvidence, ...] = ()


def verdicts(
    table: ScoreTable,
    findings: Sequence[Finding] = (),
    *,
    bases: Mapping[str, Basis] | None = None,
    llms: Collection[str] = (),
) -> tuple[Verdict, ...]:
    """Every system but the first beside the first, by the differences on all segments.

    ``bases`` says of metrics, by title, what they can be evidence of; ``llms`` are systems.
    """
    whole = table.slices[0]
    baseline, *others = whole.scores
    shown, tests = titles(table.metrics), table.families[table.settings.tests[0]].tests
    result = []
    for name, scores in zip(table.systems[1:], others, strict=True):
        evidence = tuple(
            _evidence(title, first, second, bases or {})
            for title, first, second in zip(shown, baseline, scores, strict=True)
        )
        pair = (table.systems[0], name)
        mine = consulted(findings, pair)
        judged = judge(pair, evidence, mine, llms=llms)
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
                aside=judged.aside,
                findings=mine,
                llms=tuple(system for system in pair if system in llms),
            )
        )
    return tuple(result)


def judge(
    pair: Pair,
    evidence: Sequence[MetricEvidence],
    findings: Sequence[Finding] = (),
    *,
    llms: Collection[str] = (),
) -> CountedAnswer:
    """The answer of some metrics on one pair, about which there are some findings.

    A significant difference that a finding takes away does not count. What is left is weighed by
    where it comes from: metrics of overlap with the references are one witness, who can tell who
    *scores higher*. To be *better* takes a trained or reference-free family whose scores lie the
    same way; if they lie the other way, the metrics disagree. Two such families decide without
    overlap. ``llms`` are the systems known to be LLMs: overlap favors classic systems over them,
    so that there the trained family's own difference must be significant.
    """
    doubts = tuple(
        DoubtedDifference(evidence=piece, finding=objection)
        for piece in evidence
        if piece.direction != "level"
        and (objection := _objection(pair, piece, findings)) is not None
    )
    doubted = {doubt.evidence.metric.spec for doubt in doubts}
    heard = [piece for piece in evidence if piece.metric.spec not in doubted]
    independent = [piece for piece in heard if piece.independent]
    rest = [piece for piece in heard if not piece.independent]
    several = len({piece.family for piece in independent}) > 1
    asked = independent if several else heard
    counted = tuple(piece for piece in asked if piece.direction != "level")
    aside = tuple(rest) if several else ()
    if not counted:
        return _silent(doubts, aside)
    losers = {_loser(pair, piece) for piece in counted}
    caveats = tuple(
        finding
        for finding in findings
        if _of_output(finding) and finding.severity == "serious" and losers & set(finding.systems)
    )
    if several:
        answer = ANSWERS[_voice(independent)]
    elif independent:
        answer = _corroborated(_voice(rest), independent, favored=_favored(pair, rest, llms))
    else:
        answer = SCORED[_voice(rest)]
    return CountedAnswer(answer, counted, doubts, caveats, aside)


ANSWERS: Final[dict[Voice, Answer]] = {
    "better": "better",
    "worse": "worse",
    "level": "no difference",
    "split": "metrics disagree",
}
SCORED: Final[dict[Voice, Answer]] = {
    **ANSWERS,
    "better": "scores higher",
    "worse": "scores lower",
}
"""The answers of metrics that cannot show more than who scores higher."""


def _silent(
    doubts: tuple[DoubtedDifference, ...], aside: tuple[MetricEvidence, ...]
) -> CountedAnswer:
    """The answer where nothing that counts is significant."""
    claims = tuple(doubt.evidence for doubt in doubts)
    gamed = all(doubt.finding.audit == "gaming" for doubt in doubts)
    if gamed and {claim.direction for claim in claims} == {"better", "worse"}:
        # Each side is beyond what the other grants; none is left to tell which was gamed.
        return CountedAnswer("metrics disagree", claims)
    return CountedAnswer("do not trust" if doubts else "no difference", (), doubts, (), aside)


def _voice(some: Sequence[MetricEvidence]) -> Voice:
    """What metrics say together, each family with one voice.

    A family is for or against if any of its metrics is significant; one that is both disagrees
    with itself. One family is enough if none contradicts it significantly, and if not more
    families lean against it than are for it.
    """
    families: dict[str, list[MetricEvidence]] = {}
    for piece in some:
        families.setdefault(piece.family, []).append(piece)
    better, worse = (
        {name for name, members in families.items() if any(m.direction == way for m in members)}
        for way in ("better", "worse")
    )
    if better and worse:
        return "split"
    if not better and not worse:
        return "level"
    way: Direction = "better" if better else "worse"
    against = [
        name
        for name, members in families.items()
        if name not in better | worse and all(m.lean not in {way, "level"} for m in members)
    ]
    return "split" if len(against) > len(better or worse) else way


def _corroborated(
    overlap: Voice, independent: Sequence[MetricEvidence], *, favored: bool
) -> Answer:
    """The answer of overlap and one trained or reference-free family.

    Where overlap alone is significant, it is enough that the family's scores lie the same way: on
    WMT23 zh-en and WMT24 en-cs and en-hi that raised agreement with raters from 76–88 % to
    90–97 %. ``favored`` says that overlap has a classic system ahead of an LLM, where it is not.
    """
    own = _voice(independent)
    if "split" in {overlap, own} or {overlap, own} == {"better", "worse"}:
        return "metrics disagree"
    if own != "level":
        return ANSWERS[own]
    leans = {piece.lean for piece in independent} - {"level"}
    if leans and overlap not in leans:
        return "metrics disagree"
    return SCORED[overlap] if favored or leans != {overlap} else ANSWERS[overlap]


def _favored(pair: Pair, overlap: Sequence[MetricEvidence], llms: Collection[str]) -> bool:
    """Whether overlap has a classic system ahead of an LLM."""
    losers = {_loser(pair, piece) for piece in overlap if piece.direction != "level"}
    return any(name in llms and winner not in llms for name in losers for winner in pair)


def consulted(findings: Iterable[Finding], pair: Pair) -> tuple[Finding, ...]:
    """Those of all findings that have a say about two systems."""
    return tuple(
        finding for finding in findings if subject_of(finding.audit) and concerns(finding, pair)
    )


def concerns(finding: Finding, pair: Pair) -> bool:
    """Whether a finding has to do with the two systems: with both, or with one of them alone."""
    subject = subject_of(finding.audit)
    if subject == "lead" and len(finding.systems) > 1:
        return set(finding.systems) == set(pair)
    if subject == "metric":
        return set(pair) <= set(finding.systems)
    return not finding.systems or not set(finding.systems).isdisjoint(pair)


def _loser(pair: Pair, evidence: MetricEvidence) -> str:
    return pair[evidence.direction == "worse"]


def _objection(pair: Pair, evidence: MetricEvidence, findings: Iterable[Finding]) -> Finding | None:
    """The first finding that takes a metric's difference away, if there is any."""
    return next((finding for finding in findings if _objects(pair, evidence, finding)), None)


def _objects(pair: Pair, evidence: MetricEvidence, finding: Finding) -> bool:
    """Whether a finding takes a metric's difference away.

    One on a lead says that it would turn, or be gone. A serious one on a system leaves nothing that
    its lead could say; a system that loses all the same has lost, for what it gained in a wrong way
    was not enough, and what is damaged is worse as it is, though its model may not be. A serious
    one on both systems says that the metric likes nonsense better; a system that alone loses to a
    straw man is just bad.
    """
    if finding.metric not in {"", evidence.metric.spec}:
        return False
    subject = subject_of(finding.audit)
    if subject == "lead":
        return finding.severity != "note" and len(finding.systems) > 1
    if subject == "system" and set(finding.systems) & set(pair) == {_loser(pair, evidence)}:
        return False
    if finding.numbers.get("kind") == LEAKED:
        # Who knows the reference gains nothing where it is not read.
        return evidence.basis != "reference-free" and is_leak(finding)
    return subject is not None and finding.severity == "serious"


def _of_output(finding: Finding) -> bool:
    """Whether it is about the text itself, whatever scores it."""
    return finding.audit in AUDITS and AUDITS[finding.audit].once


def is_leak(finding: Finding) -> bool:
    """Whether so much of a system's output is the reference that scores by it say nothing."""
    if finding.numbers.get("kind") != LEAKED or finding.severity == "note":
        return False
    return finding.severity == "serious" or finding.size >= LEAK_SHARE


def _evidence(
    title: str, baseline: ComparedScore, score: ComparedScore, bases: Mapping[str, Basis]
) -> MetricEvidence:
    bare = MetricEvidence(
        metric=score.metric,
        title=title,
        family=family_of(score.metric),
        basis=bases.get(title, basis_of(score.metric)),
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
        adjusted_floor=test.adjusted_floor,
        significant=test.significant,
    )
