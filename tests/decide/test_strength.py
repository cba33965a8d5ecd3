"""The meter of evidence: what none, weak, moderate and strong take, and what caps them."""

from typing import Literal

import pytest

from tertium.audit.findings import Finding, Severity
from tertium.decide.strength import DEFINITION, STRENGTHS, Strength, Witness, strength_of


def witness(
    family: str, says: Literal["for", "against", "nothing"] = "for", agreement: float | None = 0.9
) -> Witness:
    return Witness(family=family, says=says, agreement=agreement)


def finding(severity: Severity) -> Finding:
    return Finding(
        audit="copies",
        metric="",
        systems=("new",),
        severity=severity,
        numbers={"reason": "new copies its source"},
        meaning="new copies its source.",
        advice="look",
    )


@pytest.mark.parametrize(
    ("witnesses", "expected"),
    [
        ([], "none"),
        ([witness("a", "nothing"), witness("b", "nothing")], "none"),
        ([witness("a"), witness("b", "against")], "none"),
        ([witness("a"), witness("b", "nothing"), witness("c", "nothing")], "weak"),
        ([witness("a"), witness("b", "nothing")], "moderate"),
        ([witness("a")], "moderate"),
        ([witness("a"), witness("a")], "moderate"),
        ([witness("a"), witness("b")], "strong"),
        ([witness("a"), witness("b", agreement=0.79)], "moderate"),
        ([witness("a"), witness("b", agreement=None)], "strong"),
        ([witness("a", agreement=None), witness("b", agreement=None)], "moderate"),
    ],
)
def test_families_are_the_witnesses(witnesses: list[Witness], expected: Strength) -> None:
    assert strength_of(witnesses).strength == expected


def test_a_serious_finding_caps_the_evidence_and_says_why() -> None:
    both = [witness("a"), witness("b")]
    assert strength_of(both, [finding("warning")]).strength == "strong"
    capped = strength_of(both, [finding("warning"), finding("serious")])
    assert (capped.strength, capped.cap) == ("weak", "new copies its source")
    assert strength_of([witness("a", "nothing")], [finding("serious")]).strength == "none"


def test_every_strength_is_defined() -> None:
    assert tuple(DEFINITION) == STRENGTHS
