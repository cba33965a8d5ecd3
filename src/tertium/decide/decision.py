"""What deciding gives back: a verdict for each system, and what was required of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from os.path import basename
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from tertium.compare.baseline_tests import ComparisonSettings
from tertium.compare.score_results import METHODS
from tertium.decide.evidence import MetricEvidence, score_dict
from tertium.decide.power import Power
from tertium.decide.verdict import COMMITTED, LEAKED, UPWARD, Verdict, named_titles, reason_of
from tertium.errors import OptionError
from tertium.inference.corrections import Family
from tertium.inference.joint_tests import PairTest
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Unit
from tertium.tables import dataframe
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas

# What a user requires of a system before it is taken, such as a build that must not get worse.

Required: TypeAlias = Literal["better", "not-worse", "higher", "not-lower"]
REQUIRED: Final[tuple[Required, ...]] = get_args(Required)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement(Plain):
    """What was required of every system, and why it does not hold, if so.

    ``margins`` are points of each metric; none means that the verdict alone decides. ``notes``
    say what the requirement could not ask for with the metrics there are.
    """

    PLAIN = "required margins holds obstacles notes"

    required: Required
    margins: tuple[float, ...]
    obstacles: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every system is what it must be."""
        return not self.obstacles

    @property
    def sentence(self) -> str:
        """Whether it holds, in words."""
        what = f"required: {self.required}{self._margin()}"
        return f"{what}: holds" if self.holds else f"{what}: does not hold"

    def _margin(self) -> str:
        return f" by a margin of {', '.join(f'{margin:g}' for margin in self.margins)}" * bool(
            self.margins
        )


def requirement(
    required: Required, verdicts: Sequence[Verdict], margins: Sequence[float] = ()
) -> Requirement:
    """Hold every verdict against what is required.

    - *better*: the verdict is *better*, the baseline's output is not damaged, and for every metric
      that it counts the lower end of the interval of the gain lies above the margin.
    - *not-worse* without a margin: no metric that counts is significantly worse. With one, for
      every such metric the lower end lies above minus the margin, a test of non-inferiority.
    - *higher*, *not-lower*: the same of the scores alone, whatever they can be evidence of.

    What has to hold for all metrics needs no correction for their number. Where the winner's output
    is the reference, nothing that was scored by it holds.
    """
    if required not in REQUIRED:
        raise OptionError(f"require: found '{required}', expected {' or '.join(REQUIRED)}")
    metrics = len(verdicts[0].metrics)
    if len(margins) not in {0, 1, metrics}:
        raise OptionError(
            f"margin: found {len(margins)}, expected one, or one for each of {metrics} metrics"
        )
    for margin in margins:
        if not 0 <= margin < float("inf"):
            raise OptionError(f"margin: found {margin:g}, expected points of the metric, 0 or more")
    each = tuple(margins) * metrics if len(margins) == 1 else tuple(margins)
    obstacles = tuple(
        reason for verdict in verdicts for reason in _obstacles(required, verdict, each)
    )
    notes = []
    if required in INSTEAD and any(verdict.by_overlap for verdict in verdicts):
        titles = named_titles(verdicts[0].metrics)
        notes.append(
            f"--require {required} by {titles} alone: overlap with the references cannot show who "
            f"is {required.removeprefix('not-')}; add scores of a trained or reference-free metric "
            f"(--scores), or ask for the scores by --require {INSTEAD[required]}"
        )
    return Requirement(
        required=required, margins=tuple(margins), obstacles=obstacles, notes=tuple(notes)
    )


INSTEAD: Final[dict[Required, Required]] = {"better": "higher", "not-worse": "not-lower"}
"""What asks the same of the scores alone."""


def _obstacles(required: Required, verdict: Verdict, margins: Sequence[float]) -> list[str]:
    if required in {"better", "higher"}:
        return _short_of_better(required, verdict, margins)
    if void := _void(verdict):
        return [void]
    asked = [
        piece for piece in verdict.metrics if required == "not-lower" or piece not in verdict.aside
    ]
    if not margins:
        word = required.removeprefix("not-")
        return [
            f"{verdict.system}: significantly {word} by {piece.title}"
            for piece in asked
            if piece.direction == "worse"
        ]
    return [
        _short(verdict, piece, -margin)
        for piece, margin in _with_margins(verdict, margins)
        if piece in asked and not verdict.identical and _below(piece, -margin)
    ]


def _short_of_better(required: Required, verdict: Verdict, margins: Sequence[float]) -> list[str]:
    """Why a system is not better, or does not score higher."""
    enough = {"better"} if required == "better" else UPWARD
    if verdict.answer not in enough:
        return [f"{verdict.system}: {verdict.label}{_reasons(verdict)}"]
    if verdict.damages:
        return [f"{verdict.system}: {verdict.label}, {reason_of(verdict.damages[0])}"]
    if required == "higher" and (lower := [m for m in verdict.metrics if m.direction == "worse"]):
        return [f"{verdict.system}: significantly lower by {named_titles(lower)}"]
    asked = [margin for margin in _with_margins(verdict, margins) if margin[0] in verdict.counted]
    return [_short(verdict, piece, margin) for piece, margin in asked if _below(piece, margin)]


def _reasons(verdict: Verdict) -> str:
    """Why nothing is trusted, where that is the answer."""
    if verdict.answer != "do not trust":
        return ""
    return f", {'; '.join(dict.fromkeys(doubt.reason for doubt in verdict.doubts))}"


def _void(verdict: Verdict) -> str:
    """Why no score says anything: all were made by a reference that is the system's output."""
    leaks = [doubt for doubt in verdict.doubts if doubt.finding.numbers.get("kind") == LEAKED]
    void = {leak.evidence.metric.spec for leak in leaks}
    if not leaks or any(piece.metric.spec not in void for piece in verdict.metrics):
        return ""
    return f"{verdict.system}: {verdict.label}, {leaks[0].reason}"


def _with_margins(verdict: Verdict, margins: Sequence[float]) -> list[tuple[MetricEvidence, float]]:
    return list(zip(verdict.metrics, margins, strict=True)) if margins else []


def _below(evidence: MetricEvidence, bound: float) -> bool:
    return evidence.least_gain is None or evidence.least_gain <= bound


def _short(verdict: Verdict, evidence: MetricEvidence, bound: float) -> str:
    if evidence.least_gain is None:
        return f"{verdict.system}: nothing to draw an interval of {evidence.title} from"
    shown = evidence.metric.shown
    return (
        f"{verdict.system}: the gain in {evidence.title} may be as low as "
        f"{shown(evidence.least_gain, sign='+')}, expected above {shown(bound, sign='+')}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedReferences:
    """What all metrics of overlap compare with: the name of the corpus, and how many sets."""

    name: str
    sets: int

    def __str__(self) -> str:
        if self.sets > 1:
            return f"the same {counted(self.sets, 'reference')}"
        name = basename(self.name)  # noqa: PTH119 - pathlib takes milliseconds to import
        return "one reference" if name == "references" else f"the reference {name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One verdict for each system beside the baseline, and how it was reached.

    ``family`` are the tests that the correction covers, ``test`` the one that was run; ``audits``
    are those that were asked, ``warnings`` what must be known of the scores, ``power`` what the
    test set can find, if that was asked.
    """

    baseline: str
    verdicts: tuple[Verdict, ...]
    segments: int
    unit: Unit
    units: int
    settings: ComparisonSettings
    family: Family
    test: PairTest
    signatures: dict[str, str]
    audits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    requirement: Requirement | None = None
    references: SharedReferences | None = None
    power: Power | None = None

    @property
    def witness(self) -> str:
        """What all metrics share, and what would help, where none shows more than overlap."""
        committed = any(verdict.answer in COMMITTED for verdict in self.verdicts)
        if self.references is None or not committed or not self.verdicts[0].by_overlap:
            return ""
        metrics = self.verdicts[0].metrics
        overlap = [piece for piece in metrics if piece.basis == "overlap"]
        unknown = [piece.title for piece in metrics if piece.basis == "unknown"]
        verb = {1: "compares", 2: "both compare"}.get(len(overlap), "all compare")
        shared = f"one witness: {named_titles(overlap)} {verb} with {self.references}; this"
        second = "a second reference, " if self.references.sets == 1 else ""
        ask = "".join(f"--metric-kind {name}=KIND if {name} is such a metric, " for name in unknown)
        return (
            f"{shared if overlap else 'this'} cannot show who is better; what would help: scores "
            f"of a trained or reference-free metric (--scores), {ask}{second}or human ratings"
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answers in words."""
        return tuple(verdict.sentence for verdict in self.verdicts)

    @property
    def procedure(self) -> str:
        """How it was tested, in a line or two."""
        method = METHODS[self.test]
        units = counted(self.units, self.unit)
        test = (
            f"two-sided p by {method} of {units}, corrected p by {self.family}, "
            f"significant at {self.settings.alpha:.3g}"
            if self.settings.can_find(self.units)
            else "nothing could be tested"
        )
        level = f"{100 * self.settings.level:g} %"
        size = counted(self.segments, "segment")
        return f"{size}; {test}; {level} intervals, seed {self.settings.seed}"

    def __getitem__(self, system: str) -> Verdict:
        for verdict in self.verdicts:
            if verdict.system == system:
                return verdict
        raise KeyError(system)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        own = [
            score_dict(piece.metric, piece.baseline, self.signatures[piece.metric.spec])
            for piece in self.verdicts[0].metrics
        ]
        return {
            "version": __version__,
            "segments": self.segments,
            "baseline": self.baseline,
            "requirement": None if self.requirement is None else self.requirement.to_dict(),
            "systems": [
                {"system": self.baseline, "scores": own},
                *(verdict.to_dict(self.signatures) for verdict in self.verdicts),
            ],
            "unit": self.unit,
            "units": self.units,
            "test": self.test,
            "alpha": self.settings.alpha,
            "trials": self.settings.trials,
            "seed": self.settings.seed,
            "family": self.family.to_dict(),
            "audits": list(self.audits),
            "witness": self.witness,
            "warnings": list(self.warnings),
            **({} if self.power is None else {"power": self.power.to_dict()}),
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per system beside the baseline and metric, with the verdict; needs pandas."""
        return dataframe(
            {
                "system": verdict.system,
                "verdict": verdict.label,
                "metric": piece.metric.spec,
                "score": piece.system,
                "delta": piece.delta,
                "low": None if piece.interval is None else piece.interval.low,
                "high": None if piece.interval is None else piece.interval.high,
                "p_value": piece.p_value,
                "adjusted_p_value": piece.adjusted,
                "significant": piece.significant,
                "detectable": piece.detectable,
                "human_agreement": None if piece.worth is None else piece.worth.share,
            }
            for verdict in self.verdicts
            for piece in verdict.metrics
        )

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{verdict.system} {verdict.label}" for verdict in self.verdicts)
        return f"<Decision against {self.baseline}: {verdicts}>"

    def _repr_html_(self) -> str:
        from html import escape

        from tertium.lazy import drawn

        plain = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return drawn("decision_html", self) or plain
