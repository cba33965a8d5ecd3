"""The answer that a report opens with: who leads, by how much, how sure, and what people say."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from tertium.audit.findings import SEVERITIES, Finding, Severity, named
from tertium.audit.table import AUDITS
from tertium.decide.evidence import MetricEvidence
from tertium.decide.rules import CountedAnswer, consulted, judge
from tertium.decide.verdict import UPWARD, as_submitted, caveat_text
from tertium.inference.p_values import least_text, p_value_texts
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.families import basis_of, family_of
from tertium.plurals import counted
from tertium.results import titles
from tertium.study.pairs import PairTable
from tertium.study.results import Study

# Findings in the order in which they matter: would what the page says at its top change?

_PAIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A finding with how much it matters, the less the more."""

    finding: Finding
    weight: tuple[int, int]
    decisive: bool = False
    """Whether the answer at the top would be another one without it."""

    @property
    def matters(self) -> bool:
        """Whether a reader should know of it before using the scores."""
        return self.weight[0] < len(_REASONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtGroup:
    """Findings of one audit, what matters most first; ``elsewhere`` are other metrics with such.

    ``shown`` stand open: the first, and all that change the answer; ``rest`` may be folded.
    """

    audit: str
    severity: Severity
    first: Doubt
    shown: tuple[Doubt, ...]
    rest: tuple[Doubt, ...]
    elsewhere: tuple[str, ...]


_REASONS: Final = (
    "the answer at the top would be another one",
    "a lead at the top that is significant is in doubt",
    "the system at the top is concerned",
    "a significant difference below the top is in doubt",
    "the metric itself is concerned",
    "a lead at the top that may be chance rests on little",
    "a difference below the top that may be chance is in serious doubt",
)
"""Why a finding matters, from the weightiest; what has none of these reasons matters least."""


def doubts(study: Study) -> list[Doubt]:
    """All findings, what matters most first."""
    doubts = (
        [] if study.audit is None else [_doubt(study, finding) for finding in study.audit.findings]
    )
    return sorted(doubts, key=lambda doubt: doubt.weight)


def doubt_groups(study: Study) -> list[DoubtGroup]:
    """Audits by their weightiest finding; of each the findings in their order."""
    groups: dict[str, list[Doubt]] = {}
    for doubt in doubts(study):
        groups.setdefault(doubt.finding.audit, []).append(doubt)
    return [
        DoubtGroup(
            audit=audit,
            severity=first.finding.severity,
            first=first,
            shown=(first, *(doubt for doubt in rest if doubt.decisive)),
            rest=tuple(doubt for doubt in rest if not doubt.decisive),
            elsewhere=tuple(
                spec
                for spec in dict.fromkeys(doubt.finding.metric for doubt in rest)
                if spec != first.finding.metric
            ),
        )
        for audit, (first, *rest) in groups.items()
    ]


def _doubt(study: Study, finding: Finding) -> Doubt:
    """Severity decides among findings that matter equally."""
    # What is about the output itself concerns every metric, and the first one's ranking is shown.
    own = (shown for shown in study.metrics if shown.spec == finding.metric)
    metric = next(own, study.metrics[0])
    pairs = study.pairs[metric.spec]
    severity = SEVERITIES.index(finding.severity)
    places = [study.names.index(name) for name in finding.systems]
    leader = study.ranking(metric)[0]
    audit = AUDITS.get(finding.audit)
    about_leads = audit is not None and audit.about == "lead"
    sure = not about_leads or len(places) != _PAIR or pairs.differ(*places)
    decisive = finding in _decisive(study)
    if decisive:
        reason = 0
    elif finding.severity == "note":
        reason = len(_REASONS)
    elif about_leads and leader in places:
        reason = 1 if sure else 5
    elif about_leads and sure:
        reason = 3
    elif about_leads:
        reason = 6 if finding.severity == "serious" else len(_REASONS)
    elif finding.severity == "serious":
        reason = 2 if leader in places else 4
    else:
        reason = len(_REASONS)
    return Doubt(finding=finding, weight=(reason, severity), decisive=decisive)


def _decisive(study: Study) -> list[Finding]:
    """Findings that a verdict rests on: what takes a lead away, or qualifies it."""
    verdicts = () if study.decision is None else study.decision.verdicts
    return [
        finding
        for verdict in verdicts
        for finding in (*(doubt.finding for doubt in verdict.doubts), *verdict.caveats)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """One metric's first system and the next; ``tied`` are all that share the first score."""

    title: str
    leader: str
    score: float
    tied: tuple[str, ...] = ()
    runner_up: str = ""
    gap: float = 0.0
    low: float = 0.0
    high: float = 0.0
    p_text: str = ""
    sure: bool = False
    """Whether it is significant, and no audit takes it away."""
    doubts: tuple[str, ...] = ()
    """Why a significant lead is not to be trusted."""
    caveats: tuple[Finding, ...] = ()
    """What is wrong with the runner-up's output, which lost all the same."""
    unbeaten: tuple[str, ...] = ()
    """Systems that the leader is not significantly better than."""
    hopeless: str = ""
    """Why the lead could not be sure, however large it is."""
    finer: int = 0
    """Decimals more than two that the metric's scores are shown with."""

    @property
    def score_text(self) -> str:
        """The leader's score as people see it."""
        return f"{self.score:.{2 + self.finer}f}"

    @property
    def gap_text(self) -> str:
        """The lead as people see it."""
        return f"{self.gap:.{2 + self.finer}f}"

    @property
    def verdict(self) -> str:
        """How far the lead can be trusted, in a word or two."""
        if self.tied:
            return "a tie"
        if not self.runner_up:
            return ""
        if self.doubts:
            return f"do not trust it: {'; '.join(self.doubts)}"
        if self.sure:
            return f"a clear lead{as_submitted(self.caveats)}"
        return self.hopeless or "too close to call"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesVerdict:
    """What people's ratings under one criterion say, beside each metric."""

    criterion: str
    leaders: tuple[str, ...]
    rating: float
    rated: int
    agreements: tuple[str, ...]
    """For each metric, in a sentence: where people put its leader, and pairs ordered alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``headline`` in one sentence, then metric by metric, people, and how it was tested.

    ``witness`` says what all metrics share where they are all of overlap with the references.
    """

    headline: str
    leads: tuple[Lead, ...]
    people: tuple[PeoplesVerdict, ...]
    procedure: str
    witness: str = ""


def answer(study: Study) -> Answer:
    """Who leads by which metric, by how much, how sure, and whether people agree."""
    leads = tuple(
        _lead(study, metric, title)
        for metric, title in zip(study.metrics, titles(study.metrics), strict=True)
    )
    people = tuple(one for some in study.judgments if (one := _people(study, some)))
    return Answer(
        headline=_headline(study, leads, people),
        leads=leads,
        people=people,
        procedure=_procedure(study),
        witness="" if study.decision is None else study.decision.witness,
    )


def p_text(pairs: PairTable, first: int, second: int) -> str:
    """Both p-values as comparisons print them; "<" where the trials cannot tell how small."""
    if not pairs.tested:
        return f"too few {pairs.unit}s to test"
    raw, decides = pairs.p_values[first, second], pairs.adjusted[first, second]
    return p_value_texts(float(raw), float(decides), (pairs.floor, pairs.adjusted_floor))


def _lead(study: Study, metric: Metric, title: str) -> Lead:
    scores, order = study.scores_of(metric), study.ranking(metric)
    first = order[0]
    shown = metric.shown(scores[first])
    equal = [i for i in order if metric.shown(scores[i]) == shown]
    bare = Lead(
        title=title, leader=study.names[first], score=float(scores[first]), finer=metric.finer
    )
    if len(order) == 1:
        return bare
    pairs = study.pairs[metric.spec]
    if len(equal) > 1:
        return replace(bare, tied=tuple(study.names[i] for i in equal))
    second = order[1]
    judged = _judged(study, metric, title, first, second)
    ends = pairs.low[second, first], pairs.high[second, first]
    low, high = sorted(sign_of(metric) * float(end) for end in ends)
    return replace(
        bare,
        runner_up=study.names[second],
        gap=abs(float(scores[first] - scores[second])),
        low=low,
        high=high,
        p_text=p_text(pairs, first, second),
        sure=judged.answer in UPWARD,
        doubts=tuple(dict.fromkeys(doubt.reason for doubt in judged.doubts)),
        caveats=judged.caveats,
        hopeless=pairs.hopeless,
        unbeaten=tuple(study.names[i] for i in order[1:] if not pairs.differ(first, i)),
    )


def _judged(study: Study, metric: Metric, title: str, first: int, second: int) -> CountedAnswer:
    """A lead under one metric, judged by the rules that verdicts are made by."""
    scores, pair = study.scores_of(metric), (study.names[second], study.names[first])
    evidence = MetricEvidence(
        metric=metric,
        title=title,
        family=family_of(metric),
        basis=basis_of(metric),
        baseline=float(scores[second]),
        system=float(scores[first]),
        significant=study.pairs[metric.spec].differ(first, second),
    )
    findings = () if study.audit is None else study.audit.findings
    return judge(pair, [evidence], consulted(findings, pair))


def sign_of(metric: Metric) -> int:
    """+1 where more is better, −1 for error rates."""
    return 1 if metric.higher_is_better else -1


def _headline(study: Study, leads: tuple[Lead, ...], people: tuple[PeoplesVerdict, ...]) -> str:
    if len(study.systems) == 1:
        return f"One system: {study.names[0]} has {leads[0].title} {leads[0].score_text}."
    return f"{_lead_text(study, leads)}{_people_text(leads, people)}"


def _lead_text(study: Study, leads: tuple[Lead, ...]) -> str:
    """Of two systems the verdict itself; of more who leads, judged by the same rules."""
    if len(study.systems) == 2 and study.decision is not None:
        return study.decision.sentences[0]
    firsts: dict[str, list[Lead]] = {}
    for lead in leads:
        firsts.setdefault(named(lead.tied) if lead.tied else lead.leader, []).append(lead)
    ranked = sorted(firsts.items(), key=lambda item: -len(item[1]))
    parts = []
    for name, some in ranked:
        verb = "tie for the lead" if some[0].tied else "leads"
        parts.append(f"{name} {verb} by {named([lead.title for lead in some])}{_trust(some)}")
    return ". ".join(parts) + "."


def _trust(leads: list[Lead]) -> str:
    """How far one system's leads can be trusted; nothing where it shares them."""
    if leads[0].tied:
        return ""
    sure, doubted = [lead for lead in leads if lead.sure], [lead for lead in leads if lead.doubts]
    by = "" if len(sure) == len(leads) else f" only by {named([lead.title for lead in sure])}"
    caveats = [caveat for lead in sure for caveat in lead.caveats]
    text = f", clearly{by}{as_submitted(caveats)}" if sure else ""
    if not sure and not doubted:
        return f", but {leads[0].hopeless or 'too narrowly to be sure'}"
    if doubted:
        what = "it" if len(doubted) == len(leads) else named([lead.title for lead in doubted])
        reasons = dict.fromkeys(reason for lead in doubted for reason in lead.doubts)
        text += f", but do not trust {what}: {'; '.join(reasons)}"
    return text + caveat_text(caveats, f"{leads[0].leader}'s model is better")


def _people_text(leads: tuple[Lead, ...], people: tuple[PeoplesVerdict, ...]) -> str:
    """Whom people put first, and the metrics that do, too."""
    if not people:
        return ""
    top = people[0].leaders
    alike = [lead.title for lead in leads if set(top) & {lead.leader, *lead.tied}]
    agreed = (
        "as every metric here does"
        if len(alike) == len(leads)
        else f"as {named(alike)} {'does' if len(alike) == 1 else 'do'}"
        if alike
        else "which no metric here does"
    )
    verb = "put" if len(top) == 1 else "put level at the top"
    first = " first" if len(top) == 1 else ""
    return f" People ({people[0].criterion}) {verb} {named(top)}{first}, {agreed}."


def _people(study: Study, judgments: Judgments) -> PeoplesVerdict | None:
    ratings = study.ratings_of(judgments)
    known = [i for i in range(len(ratings)) if np.isfinite(ratings[i])]
    if len(known) < 2:
        return None
    order = sorted(known, key=lambda i: -ratings[i])
    best = f"{ratings[order[0]]:.2f}"
    sentences = []
    for metric, title in zip(study.metrics, titles(study.metrics), strict=True):
        leader = next(i for i in study.ranking(metric) if i in known)
        rank = 1 + sum(ratings[i] > ratings[leader] for i in known)
        alike, pairs = _ordered_alike(sign_of(metric) * study.scores_of(metric), ratings, known)
        sentences.append(
            f"{title} puts {study.names[leader]} first, people "
            f"{'too' if rank == 1 else f'put it {_ordinal(rank)} of {len(known)}'}; "
            f"{alike} of {pairs} pairs are ordered alike ({alike / pairs:.0%})."
        )
    return PeoplesVerdict(
        criterion=judgments.criterion,
        leaders=tuple(study.names[i] for i in order if f"{ratings[i]:.2f}" == best),
        rating=float(ratings[order[0]]),
        rated=len(known),
        agreements=tuple(sentences),
    )


def _ordered_alike(scores: Scores, ratings: Scores, known: list[int]) -> tuple[int, int]:
    pairs = list(combinations(known, 2))
    alike = sum((scores[a] - scores[b]) * (ratings[a] - ratings[b]) > 0 for a, b in pairs)
    return int(alike), len(pairs)


def _ordinal(number: int) -> str:
    """English ordinals.

    >>> [_ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']
    """
    endings = {} if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}
    ending = endings.get(number % 10, "th")
    return f"{number}{ending}"


def _procedure(study: Study) -> str:
    pairs = next(iter(study.pairs.values()))
    settings, units = pairs.settings, counted(pairs.units, pairs.unit)
    level = f"{100 * settings.level:g} %"
    trials = f"{settings.trials:,} resamples, seed {settings.seed}"
    kind = "BCa " if settings.interval == "bca" else ""
    intervals = f"Intervals are {level} {kind}bootstrap intervals by {units} ({trials})"
    if len(study.systems) == 1:
        return f"{intervals}."
    if not pairs.tested:
        return f"{intervals}; {units} are too few for any test."
    method = {
        "bootstrap": "the paired bootstrap on the same resamples",
        "t-test": f"t-tests with CR2 errors of {units}",
        "randomization": f"{'exact' if pairs.exact else 'approximate'} randomization of {units}",
    }[pairs.test]
    limit = f" (smallest with these trials: {least_text(pairs.floor)})" if pairs.floor else ""
    several = f", corrected p by {pairs.family}" if pairs.family.tests > 1 else ""
    return (
        f"{intervals}; raw p is two-sided, by {method}{limit}{several}. A lead is clear, and a "
        f"difference bold, where corrected p is significant at the {100 * settings.alpha:g} % "
        "level."
    )
