"""What deciding gives back: a verdict for each system, and what was required of them."""

from dataclasses import dataclass
from html import escape
from pathlib import PurePath
from typing import Any

from tertium.compare.baseline_tests import ComparisonSettings
from tertium.compare.score_results import METHODS
from tertium.decide.evidence import score_dict
from tertium.decide.requirement import Requirement
from tertium.decide.verdict import COMMITTED, Verdict, named_titles
from tertium.inference.corrections import Family
from tertium.inference.joint_tests import PairTest
from tertium.plurals import counted
from tertium.results import Unit
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedReferences:
    """What all metrics of overlap compare with: the name of the corpus, and how many sets."""

    name: str
    sets: int

    def __str__(self) -> str:
        if self.sets > 1:
            return f"the same {self.sets} references"
        name = PurePath(self.name).name
        return "one reference" if name == "references" else f"the reference {name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One verdict for each system beside the baseline, and how it was reached.

    ``family`` are the tests that the correction covers, ``test`` the one that was run; ``audits``
    are those that were asked, ``warnings`` what must be known of the scores.
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

    @property
    def witness(self) -> str:
        """What all metrics share, and what would help, where none shows more than overlap."""
        committed = any(one.answer in COMMITTED for one in self.verdicts)
        if self.references is None or not committed or not self.verdicts[0].by_overlap:
            return ""
        metrics = self.verdicts[0].metrics
        overlap = [one for one in metrics if one.basis == "overlap"]
        unknown = [one.title for one in metrics if one.basis == "unknown"]
        verb = {1: "compares", 2: "both compare"}.get(len(overlap), "all compare")
        shared = f"one witness: {named_titles(overlap)} {verb} with {self.references}; this"
        second = "a second reference, " if self.references.sets == 1 else ""
        ask = "".join(f"--evidence {name}=KIND if {name} is such a metric, " for name in unknown)
        return (
            f"{shared if overlap else 'this'} cannot show who is better; what would help: scores "
            f"of a trained or reference-free metric (--scores), {ask}{second}or human ratings"
        )

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answers in words."""
        return tuple(one.sentence for one in self.verdicts)

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
        for one in self.verdicts:
            if one.system == system:
                return one
        raise KeyError(system)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        own = [
            score_dict(one.metric, one.baseline, self.signatures[one.metric.spec])
            for one in self.verdicts[0].metrics
        ]
        return {
            "version": __version__,
            "segments": self.segments,
            "baseline": self.baseline,
            "requirement": None if self.requirement is None else self.requirement.to_dict(),
            "systems": [
                {"system": self.baseline, "scores": own},
                *(one.to_dict(self.signatures) for one in self.verdicts),
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
        }

    def __repr__(self) -> str:
        found = ", ".join(f"{one.system} {one.label}" for one in self.verdicts)
        return f"<Decision against {self.baseline}: {found}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(one)}</p>" for one in self.sentences)
