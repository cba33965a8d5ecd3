"""Findings in the order in which they matter: would what the page says at its top change?"""

from dataclasses import dataclass
from typing import Final

from tertium.audit.findings import SEVERITIES, Finding, Severity
from tertium.study.results import Study

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
    found = [] if study.audit is None else [_doubt(study, one) for one in study.audit.findings]
    return sorted(found, key=lambda one: one.weight)


def doubt_groups(study: Study) -> list[DoubtGroup]:
    """Audits by their weightiest finding; of each the findings in their order."""
    groups: dict[str, list[Doubt]] = {}
    for one in doubts(study):
        groups.setdefault(one.finding.audit, []).append(one)
    return [
        DoubtGroup(
            audit=audit,
            severity=first.finding.severity,
            first=first,
            shown=(first, *(one for one in rest if one.decisive)),
            rest=tuple(one for one in rest if not one.decisive),
            elsewhere=tuple(
                spec
                for spec in dict.fromkeys(one.finding.metric for one in rest)
                if spec != first.finding.metric
            ),
        )
        for audit, (first, *rest) in groups.items()
    ]


def _doubt(study: Study, finding: Finding) -> Doubt:
    """Severity decides among findings that matter equally."""
    # What is about the output itself concerns every metric, and the first one's ranking is shown.
    own = (one for one in study.metrics if one.spec == finding.metric)
    metric = next(own, study.metrics[0])
    pairs = study.pairs[metric.spec]
    severity = SEVERITIES.index(finding.severity)
    places = [study.names.index(name) for name in finding.systems]
    leader = study.ranking(metric)[0]
    about_leads = finding.audit in _ABOUT_LEADS
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
    found = () if study.decision is None else study.decision.verdicts
    return [
        finding
        for verdict in found
        for finding in (*(one.finding for one in verdict.doubts), *verdict.caveats)
    ]


_ABOUT_LEADS: Final = frozenset({"sign-test", "reversal", "licence", "fragile"})
"""Audits whose findings question which of two systems is ahead."""
