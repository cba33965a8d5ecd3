"""One system beside the baseline: the answer, its sentence, and everything that it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from tertium.audit.findings import Finding, named
from tertium.audit.table import AUDITS
from tertium.compare.sentences import SentencePair
from tertium.decide.evidence import NOUNS, Direction, MetricEvidence, OpposingSlices
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Unit

Answer: TypeAlias = Literal[
    "better",
    "worse",
    "scores higher",
    "scores lower",
    "no difference",
    "metrics disagree",
    "do not trust",
]
UPWARD: Final[frozenset[Answer]] = frozenset({"better", "scores higher"})
"""The answers that commit to the system."""
COMMITTED: Final[frozenset[Answer]] = UPWARD | {"worse", "scores lower"}
"""Those that commit to one of the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtedDifference(Plain):
    """A significant difference that does not count, and the finding that says why."""

    PLAIN = "metric=evidence.metric.spec audit=finding.audit reason"

    evidence: MetricEvidence
    finding: Finding

    @property
    def reason(self) -> str:
        """Why, in a few words."""
        return reason_of(self.finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What there is to say of a system and the baseline.

    ``counted`` are the metrics that the answer counts, ``doubts`` those that a finding takes away,
    ``aside`` metrics of overlap that do not count beside several trained families; ``caveats`` are
    what is wrong with the output of the one that lost and does not save it.
    ``findings`` are all that concern the pair; ``segments`` have the largest part in the first
    metric's difference, the most telling first; ``unit`` is what tests draw as a whole.
    """

    system: str
    baseline: str
    answer: Answer
    metrics: tuple[MetricEvidence, ...]
    unit: Unit
    units: int
    counted: tuple[MetricEvidence, ...] = ()
    doubts: tuple[DoubtedDifference, ...] = ()
    aside: tuple[MetricEvidence, ...] = ()
    caveats: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    slices: tuple[OpposingSlices, ...] = ()
    segments: tuple[SentencePair, ...] = ()
    tests: int = 1
    """How many tests the correction covers."""
    hopeless: bool = False
    """Whether the units are too few for that many tests, whatever the difference."""
    identical: bool = False
    """Whether both outputs are known to be the same, segment by segment."""
    llms: tuple[str, ...] = ()
    """Which of the two are LLMs, where the user has said so."""

    @property
    def damages(self) -> tuple[Finding, ...]:
        """Those caveats that made the loser's score lower: its model may be better than that."""
        return damages_of(self.caveats)

    @property
    def label(self) -> str:
        """The answer in two to four words."""
        if self.identical:
            return "the same output"
        if self.answer == "no difference":
            return "no significant difference"
        return f"{self.answer} as submitted" if self.damages else self.answer

    @property
    def winner(self) -> str:
        """The system that the answer commits to; empty where it commits to none."""
        if self.answer not in COMMITTED:
            return ""
        return self.system if self.answer in UPWARD else self.baseline

    @property
    def by_overlap(self) -> bool:
        """Whether no metric was asked that could show more than who scores higher."""
        return not any(piece.independent for piece in self.metrics)

    @property
    def sentence(self) -> str:
        """The answer in words, the same wherever it is shown."""
        made = {
            "better": self._committed,
            "worse": self._committed,
            "scores higher": self._committed,
            "scores lower": self._committed,
            "no difference": self._undecided,
            "metrics disagree": self._divided,
            "do not trust": self._doubted,
        }
        if self.identical:
            return f"{self.claim}."
        return f"{made[self.answer]()}.{self._reversals()}"

    @property
    def claim(self) -> str:
        """The beginning of the sentence: the answer, without what it rests on."""
        pair = f"{self.system} and {self.baseline}"
        if self.identical:
            return f"{pair}: the outputs are the same in every segment"
        if self.answer in COMMITTED:
            scored = self.answer in {"scores higher", "scores lower"}
            claim = self.answer if scored else f"is {self.answer}"
            return f"{self.system} {claim} than {self.baseline}{as_submitted(self.caveats)}"
        if self.answer == "no difference":
            return f"{pair}: no significant difference"
        if self.answer == "metrics disagree":
            return f"the metrics disagree on {self.system}{as_submitted(self.caveats)}"
        return f"do not trust that {self.system} scores {self._doubted_claims}"

    @property
    def grounds(self) -> str:
        """The rest of the sentence: what the answer rests on, and what speaks against it."""
        rest = self.sentence.removeprefix(self.claim).lstrip(",;:. ")
        return f"{rest[:1].upper()}{rest[1:]}"

    def to_dict(self, signatures: Mapping[str, str]) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; ``signatures`` are those of the metrics."""
        return {
            "system": self.system,
            "verdict": self.answer,
            "sentence": self.sentence,
            "as_submitted": [reason_of(damage) for damage in self.damages],
            "counted": [piece.metric.spec for piece in self.counted],
            "not_counted": [doubt.to_dict() for doubt in self.doubts],
            "overlap_not_counted": [piece.metric.spec for piece in self.aside],
            "identical": self.identical,
            "scores": [piece.to_dict(signatures[piece.metric.spec]) for piece in self.metrics],
            "slices": [part.to_dict() for part in self.slices],
            "findings": [finding.to_dict() for finding in self.findings],
            "segments": [segment.to_dict() for segment in self.segments],
        }

    def _committed(self) -> str:
        asked = [piece for piece in self.metrics if piece not in self.aside]
        silent = [piece for piece in asked if piece.direction == "level"]
        scored = self.answer in {"scores higher", "scores lower"}
        text = f"{self.claim}, by {named_titles(self.counted, rates=scored)}"
        if len(self.metrics) == 1:
            text += ", the only metric that was asked"
        elif silent:
            text += f"; {named_titles(silent)}: no significant difference"
        if self.aside:
            text += (
                f"; {named_titles(self.aside)} {_verb(self.aside, 'does')} not count beside them"
            )
        for doubt in self.doubts:
            text += f"; {doubt.evidence.title} does not count: {doubt.reason}"
        if scored and self._favored:
            text += (
                f"; word overlap favors {self.winner} over an LLM, so this does not show that it "
                "is better"
            )
        way = "better" if self.answer in UPWARD else "worse"
        return text + caveat_text(self.caveats, f"{self.system}'s model is {way}")

    @property
    def _favored(self) -> bool:
        """Whether a classic system is ahead of an LLM."""
        return bool(self.llms) and self.winner not in self.llms

    def _undecided(self) -> str:
        text = self.claim
        if all(piece.p_value is None for piece in self.metrics):
            few = "is" if self.units == 1 else "are"
            return f"{text}, as {counted(self.units, self.unit)} {few} too few for any test"
        if self.hopeless:
            found = f"{counted(self.units, self.unit)} are too few for {self.tests} tests at once"
            return f"{text}, as {found}: no p-value could be small enough"
        if self.aside:
            text += f" by {named_titles([piece for piece in self.metrics if piece.independent])}"
        # A difference may be larger and still not pass, as the correction asks for more.
        known = [
            (piece, piece.detectable)
            for piece in self.metrics
            if piece.detectable and piece not in self.aside
        ]
        if any(abs(piece.delta) >= needed for piece, needed in known):
            return f"{text} in {self.tests} tests" if self.tests > 1 else text
        seen = [f"{piece.metric.shown(needed)} {piece.title}" for piece, needed in known]
        return f"{text} (this test set detects {' or '.join(seen)} or more)" if seen else text

    def _divided(self) -> str:
        better, worse = (
            [piece for piece in self.counted if piece.direction == way]
            for way in ("better", "worse")
        )
        text = f"{self.claim}: "
        end = caveat_text(self.caveats, "one of the models is worse")
        if better and worse:
            return (
                f"{text}ahead of {self.baseline} by {named_titles(better)}, "
                f"behind by {named_titles(worse)}{end}"
            )
        way: Direction = "better" if better else "worse"
        other = [
            piece
            for piece in self.metrics
            if piece.lean not in {way, "level"} and piece not in self.aside
        ]
        if independent := [piece for piece in other if piece.independent]:
            other = independent
        return (
            f"{text}{'ahead of' if better else 'behind'} {self.baseline} by "
            f"{named_titles(better or worse)}, but {named_titles(other)} "
            f"{_verb(other, 'leans')} the other way{end}"
        )

    @property
    def _doubted_claims(self) -> str:
        by_way: dict[str, list[DoubtedDifference]] = {}
        for doubt in self.doubts:
            by_way.setdefault(doubt.evidence.direction, []).append(doubt)
        return named(
            [
                f"{SCORED_WORDS[way]} than {self.baseline} by "
                f"{named([doubt.evidence.title for doubt in some])}"
                for way, some in by_way.items()
            ]
        )

    def _doubted(self) -> str:
        reasons = dict.fromkeys(doubt.reason for doubt in self.doubts)
        return f"{self.claim}: {'; '.join(reasons)}"

    def _reversals(self) -> str:
        """Slices all of which contradict the whole, unless the sentence has said so already."""
        told = {
            doubt.evidence.metric.spec for doubt in self.doubts if doubt.finding.audit == "reversal"
        }
        turned: dict[tuple[str, str], list[str]] = {}
        for part in self.slices:
            if part.all and part.metric.spec not in told:
                gain = part.slices[0].delta * (1 if part.metric.higher_is_better else -1)
                ahead = self.system if gain > 0 else self.baseline
                turned.setdefault((ahead, NOUNS[part.by]), []).append(part.title)
        return "".join(
            f" By {named(titles)} {ahead} is ahead in every {noun}, yet "
            f"{self.baseline if ahead == self.system else self.system} on the whole."
            for (ahead, noun), titles in turned.items()
        )


SCORED_WORDS: Final = {"better": "higher", "worse": "lower"}
"""Direction → how a score lies that way; an error rate that is lower counts as higher."""


def named_titles(some: Sequence[MetricEvidence], *, rates: bool = False) -> str:
    """The metrics as a sentence has them; with ``rates`` those where less is better are marked."""
    marks = [
        " (error rate)" if rates and not piece.metric.higher_is_better else "" for piece in some
    ]
    return named([f"{piece.title}{mark}" for piece, mark in zip(some, marks, strict=True)])


def reason_of(finding: Finding) -> str:
    """Why a finding takes a lead away, in a few words; those of other audits in their own."""
    if finding.audit == "reversal":
        noun = NOUNS[finding.numbers["by"]]
        return f"{finding.systems[0]} is ahead in every {noun}"
    audit = AUDITS.get(finding.audit)
    if audit is not None and audit.reason and "reason" not in finding.numbers:
        return f"{finding.systems[0]}{audit.reason}"
    rests_on = finding.numbers.get("rests_on")
    if rests_on == "segments":
        numbers = [str(number) for number in finding.numbers["segments"]]
        return f"the lead rests on segment {named(numbers)}"
    if rests_on == "document":
        return f"the lead rests on document {named(finding.numbers['documents'])}"
    if rests_on is not None:
        return f"the lead rests on {rests_on}"
    return str(finding.numbers.get("reason", finding.meaning.removesuffix(".")))


LEAKED: Final = "reference"
"""The kind of finding on output that raises its score; all others lower it."""


def damages_of(caveats: Sequence[Finding]) -> tuple[Finding, ...]:
    """What made the loser's score lower, such as lines that are cut short."""
    return tuple(caveat for caveat in caveats if caveat.numbers.get("kind") != LEAKED)


def as_submitted(caveats: Sequence[Finding]) -> str:
    """That a claim is about the output as it is, where that was damaged; else nothing."""
    return " as submitted" if damages_of(caveats) else ""


def caveat_text(caveats: Sequence[Finding], claim: str) -> str:
    """The end of a sentence on a system that won over one with such findings.

    Damage explains why it lost, so that the ``claim`` on its model is not shown; that it knew the
    reference makes its loss only the graver.
    """
    damages = damages_of(caveats)
    leaks = [reason_of(caveat) for caveat in caveats if caveat not in damages]
    text = "".join(f"; and that although {leak}" for leak in dict.fromkeys(leaks))
    if damages:
        reasons = named(list(dict.fromkeys(map(reason_of, damages))))
        text += f"; but {reasons}, so this does not show that {claim}"
    return text


def _verb(some: Sequence[MetricEvidence], singular: str) -> str:
    plural = {"does": "do"}.get(singular, singular.removesuffix("s"))
    return singular if len(some) == 1 else plural
