"""From marked errors to a score: what each severity and category costs.

MQM as Freitag et al. (TACL 2021) weigh it, which is what mt-metrics-eval publishes: a major error
5, a minor one 1, minor punctuation 0.1, a non-translation 25, neutral ones and faults of the
source nothing. ESA has no categories; its spans weigh 5 and 1 (Kocmi et al., WMT 2024).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Final

from tertium.errors import InputError, OptionError
from tertium.meta.spans.span import Annotation, Span
from tertium.suggestions import did_you_mean

MQM_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "critical": 25.0,
        "major": 5.0,
        "minor": 1.0,
        "neutral": 0.0,
        "undecided": 0.0,
        "major/non-translation!": 25.0,
        "minor/fluency/punctuation": 0.1,
        "minor/linguistic conventions/punctuation": 0.1,
        "*/accuracy/creative reinterpretation": 0.0,
        "*/source issue": 0.0,
        "*/source error": 0.0,
    }
)
"""SEVERITY, or SEVERITY/CATEGORY[/SUBCATEGORY] with * for any severity → points. The longest rule
that fits counts. A critical error is what a non-translation is."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The points of every error; ``rules`` are added to those of MQM, or replace them.

    >>> weights = Weights({"major": 10})
    >>> span = Span(segment=0, system="A", rater="r", start=0, end=1, severity="major")
    >>> weights.of(span)
    10.0
    """

    rules: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule, points in self.rules.items():
            if not isfinite(points):
                raise OptionError(f"weight of {rule}: found {points}, expected a finite number")
            if not rule or not all(part.strip() for part in rule.split("/")):
                raise OptionError(
                    f"weight of '{rule}': found no severity or category, expected such as major "
                    "or minor/fluency/punctuation"
                )
        merged = {**MQM_WEIGHTS, **{rule.lower(): float(w) for rule, w in self.rules.items()}}
        object.__setattr__(self, "rules", MappingProxyType(merged))

    def knows(self, span: Span) -> bool:
        """Whether an error has points."""
        return self._rule(span) is not None

    def _rule(self, span: Span) -> str | None:
        parts = [part for part in span.category.split("/") if part]
        for size in range(len(parts), -1, -1):
            tail = "".join(f"/{part}" for part in parts[:size])
            for severity in (span.severity, "*"):
                if severity + tail in self.rules:
                    return severity + tail
        return None

    def of(self, span: Span) -> float:
        """The points of one error."""
        rule = self._rule(span)
        if rule is not None:
            return self.rules[rule]
        known = [rule for rule in self.rules if "/" not in rule]
        raise InputError(
            f"segment {span.segment + 1} of {span.system}: "
            f"{did_you_mean('severity', span.severity, known)}; its weight can be given"
        )

    def points(self, annotation: Annotation) -> float:
        """The points of all errors of an output; more is worse."""
        return sum(map(self.of, annotation.spans), 0.0)
