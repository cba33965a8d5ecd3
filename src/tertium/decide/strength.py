"""How strong the evidence for a claim is: one definition, for report, notebooks and server.

The claim is that one system is ahead, or some systems are. Each metric is a witness for or against
it, or silent; a family of metrics has one voice. Strength has no direction: it says how far the
sentence beside it can be relied on. `DEFINITION` is what pages print of it, so that nobody has to
guess what *moderate* means.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tertium.audit.findings import Finding
from tertium.decide.verdict import UPWARD, Verdict, reason_of

Strength: TypeAlias = Literal["none", "weak", "moderate", "strong"]
STRENGTHS: Final[tuple[Strength, ...]] = ("none", "weak", "moderate", "strong")
CAP: Final[Strength] = "weak"
"""The most that evidence can be where a serious finding concerns it."""
AGREEMENT: Final = 0.8
"""The share of WMT system pairs on which raters have to agree with each difference."""

DEFINITION: Final[dict[Strength, str]] = {
    "none": (
        "nothing significant that counts, significant differences that contradict each other, "
        "or findings that take them away"
    ),
    "weak": "significant under fewer than half of the families of metrics",
    "moderate": "significant under at least half of the families",
    "strong": (
        "significant under all families, of which there are two or more, and raters agreed with "
        f"differences of these sizes in {AGREEMENT:.0%} of WMT system pairs or more"
    ),
}
"""What each strength takes; a serious finding leaves no more than `CAP`."""
CAPPED: Final = f"A serious finding on the systems or the counted metrics caps it at {CAP}."
MANY: Final = (
    "Of three systems and more the claim is that the first tier is ahead; as it has no one "
    "size, it is moderate at most."
)
RATED: Final = (
    "People's ratings have a meter of their own: strong where the interval of the difference "
    "leaves out zero (of many systems: where the ratings make two tiers or more), weak where there "
    "is nothing to test, else none."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """What one metric says about a claim; ``agreement`` is how often raters agreed with as much."""

    family: str
    says: Literal["for", "against", "nothing"]
    agreement: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceStrength:
    """A strength, why in a few words, and the finding that caps it, if one does."""

    strength: Strength
    note: str = ""
    cap: str = ""


def strength_of(witnesses: Sequence[Witness], findings: Iterable[Finding] = ()) -> EvidenceStrength:
    """The strength of a claim by its witnesses; ``findings`` are those that concern it.

    >>> strength_of([Witness(family="a", says="for"), Witness(family="b", says="nothing")])
    EvidenceStrength(strength='moderate', note='1 of 2 families', cap='')
    """
    families = {witness.family for witness in witnesses}
    behind = {witness.family for witness in witnesses if witness.says == "for"}
    if any(witness.says == "against" for witness in witnesses):
        return EvidenceStrength(strength="none", note="they contradict")
    if not behind:
        return EvidenceStrength(strength="none", note="nothing significant")
    note = "one family" if len(families) == 1 else f"{len(behind)} of {len(families)} families"
    uncapped = _uncapped(witnesses, len(behind), len(families))
    serious = next((finding for finding in findings if finding.severity == "serious"), None)
    if serious is None:
        return EvidenceStrength(strength=uncapped, note=note)
    return EvidenceStrength(strength=CAP, note="a serious finding", cap=reason_of(serious))


def _uncapped(witnesses: Sequence[Witness], behind: int, families: int) -> Strength:
    if 2 * behind < families:
        return "weak"
    agreements = [
        witness.agreement
        for witness in witnesses
        if witness.says == "for" and witness.agreement is not None
    ]
    agreed = bool(agreements) and min(agreements) >= AGREEMENT
    return "strong" if behind == families > 1 and agreed else "moderate"


def verdict_strength(verdict: Verdict) -> EvidenceStrength:
    """The strength of the evidence for a verdict's answer."""
    if not verdict.winner:
        notes = {"metrics disagree": "they contradict", "do not trust": "findings take it away"}
        return EvidenceStrength(
            strength="none", note=notes.get(verdict.answer, "nothing significant")
        )
    way = "better" if verdict.answer in UPWARD else "worse"
    doubted = {doubt.evidence.metric.spec for doubt in verdict.doubts}
    witnesses = [
        Witness(
            family=piece.family,
            says="for"
            if piece.direction == way and piece.metric.spec not in doubted
            else "nothing"
            if piece.direction == "level" or piece.metric.spec in doubted
            else "against",
            agreement=None if piece.worth is None else piece.worth.share,
        )
        for piece in verdict.metrics
        if piece not in verdict.aside
    ]
    counting = {"", *(piece.metric.spec for piece in verdict.counted)}
    return strength_of(
        witnesses, (finding for finding in verdict.findings if finding.metric in counting)
    )
