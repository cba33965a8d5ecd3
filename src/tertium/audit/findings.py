"""What an audit reports: findings, each a number-backed sentence with advice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tertium.plain import Plain
from tertium.results import Unit
from tertium.tables import dataframe, html_table
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas

Severity: TypeAlias = Literal["note", "warning", "serious"]
SEVERITIES: Final[tuple[Severity, ...]] = ("serious", "warning", "note")
"""From the worst to the mildest."""
MOST_NAMED: Final = 6
"""Names that a sentence has; of more it tells the number."""
_SHOWN: Final = 3
"""Findings of one kind that a notebook shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Plain):
    """One reason not to take a score at its word.

    ``metric`` is empty where the finding is about the output, whatever scores it.
    ``size`` is that of the effect, a share of the score, of the words or of the segments, by
    which findings alike are ordered; ``numbers`` are the evidence, ready for JSON; ``meaning``
    says in a sentence what they mean, ``advice`` what to do about it.
    """

    audit: str
    metric: str
    systems: tuple[str, ...]
    severity: Severity
    size: float = 0.0
    numbers: dict[str, Any] = field(repr=False)
    meaning: str
    advice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(Plain):
    """An audit that could not be done, in whole or in part, and why; it may name no metric."""

    audit: str
    metric: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """All findings of some audits, the worst of each metric first, then the largest.

    Those about the output itself, which name no metric, come before all others.

    ``scores`` are those of the metrics' specs, a number for each of ``systems``. ``unit`` is
    what the bootstrap drew as a whole, and ``units`` how many there were. ``identities`` has for
    each spec the signature and whether higher is better.
    """

    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    audits: tuple[str, ...]
    systems: tuple[str, ...]
    scores: dict[str, tuple[float, ...]]
    segments: int
    unit: Unit
    units: int
    alpha: float
    seed: int
    identities: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)
    warnings: tuple[str, ...] = ()
    """What must be known of the scores: some may be missing."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The specs of the metrics, in the order asked for."""
        return tuple(self.scores)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def of(self, audit: str | None = None, metric: str | None = None) -> tuple[Finding, ...]:
        """The findings of one audit, of one metric, or of both."""
        return tuple(
            finding
            for finding in self.findings
            if audit in {None, finding.audit} and metric in {None, finding.metric}
        )

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "segments": self.segments,
            "unit": self.unit,
            "units": self.units,
            "systems": [
                {
                    "system": name,
                    "scores": [
                        {"metric": spec, "score": values[number], **self.identities.get(spec, {})}
                        for spec, values in self.scores.items()
                    ],
                }
                for number, name in enumerate(self.systems)
            ],
            "alpha": self.alpha,
            "seed": self.seed,
            "audits": list(self.audits),
            "findings": [finding.to_dict() for finding in self.findings],
            "skipped": [audit.to_dict() for audit in self.skipped],
            **({"warnings": list(self.warnings)} if self.warnings else {}),
        }

    @property
    def records(self) -> list[dict[str, object]]:
        """One for each finding, in their order."""
        return [
            {
                "metric": finding.metric,
                "audit": finding.audit,
                "severity": finding.severity,
                "size": finding.size,
                "systems": ", ".join(finding.systems),
                "p_value": finding.numbers["lead"]["p_value"]
                if "lead" in finding.numbers
                else None,
                "meaning": finding.meaning,
                "advice": finding.advice,
            }
            for finding in self.findings
        ]

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per finding, in their order; needs pandas."""
        return dataframe(self.records)

    def __repr__(self) -> str:
        counts = (
            f"{sum(finding.severity == severity for finding in self.findings)} {severity}"
            for severity in SEVERITIES
        )
        return f"<AuditReport of {len(self.systems)} systems: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        """The worst first; of many alike the first three and a count of the others."""
        if not self.findings:
            return f"<p>{len(self.audits)} audits found nothing to object to.</p>"
        groups: dict[tuple[str, str], list[Finding]] = {}
        for finding in sorted(
            self.findings, key=lambda finding: SEVERITIES.index(finding.severity)
        ):
            groups.setdefault((finding.metric, finding.audit), []).append(finding)
        rows = []
        for (metric, audit), group in groups.items():
            rows += [
                [finding.severity, metric, audit, finding.meaning, finding.advice]
                for finding in group[:_SHOWN]
            ]
            if len(group) > _SHOWN:
                rows.append(["", metric, audit, f"… and {len(group) - _SHOWN} more like this", ""])
        return html_table(["severity", "metric", "audit", "finding", "advice"], rows)


def named(names: Sequence[str]) -> str:
    """Names as a sentence has them.

    >>> named(["A", "B", "C"])
    'A, B and C'
    """
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1] if names else ""]))
