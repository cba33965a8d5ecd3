"""What deciding gives back: a verdict for each system, and what was required of them."""

from dataclasses import dataclass
from html import escape
from typing import Any

from tertium.compare.baseline_tests import Settings
from tertium.compare.score_results import METHODS
from tertium.decide.evidence import score_dict
from tertium.decide.requirement import Requirement
from tertium.decide.verdict import Verdict
from tertium.inference.corrections import Family
from tertium.inference.joint_tests import PairTest
from tertium.results import Unit, counted
from tertium.version import __version__


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
    settings: Settings
    family: Family
    test: PairTest
    signatures: dict[str, str]
    audits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    requirement: Requirement | None = None

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
        return f"{self.segments} segments; {test}; {level} intervals, seed {self.settings.seed}"

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
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        found = ", ".join(f"{one.system} {one.label}" for one in self.verdicts)
        return f"<Decision against {self.baseline}: {found}>"

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(one)}</p>" for one in self.sentences)
