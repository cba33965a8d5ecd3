"""Leads of one system over another, and whether they are more than chance.

Tests are those of `compare`, two-sided and not corrected for the number of pairs: a lead that
does not even pass so is noise, and no finding calls it a lead.
"""

from dataclasses import dataclass
from typing import Any, Final

from tertium.audit.case import Case
from tertium.inference.choices import TEST_TRIALS
from tertium.inference.many import AllPairs, PairTest, all_pairs_of
from tertium.inference.p_values import p_value_text
from tertium.inference.resampling import shared_resamples
from tertium.inference.rows import MetricRows
from tertium.inference.units import Units
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Unit, counted

VISIBLE: Final = 0.01
"""A difference that people would report, as a share of the score, whatever a test says."""

_METHODS: Final[dict[PairTest, str]] = {
    "bootstrap": "paired bootstrap",
    "randomization": "randomization",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """One system's score beside another's, and how likely chance makes such a difference.

    ``share`` is the difference as a share of the score; ``floor`` is the smallest p-value that
    the trials can give, or 0.
    """

    share: float
    p_value: float
    floor: float
    significant: bool
    test: PairTest
    unit: Unit
    units: int

    @property
    def visible(self) -> bool:
        """Whether people would report it though no test does."""
        return self.share >= VISIBLE

    @property
    def method(self) -> str:
        """The test, and of what."""
        return f"{_METHODS[self.test]} of {counted(self.units, self.unit)}"

    def __str__(self) -> str:
        text = p_value_text(self.p_value, self.floor)
        found = f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"
        return f"{'' if self.significant else 'no significant lead: '}{found}, {self.method}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "share": self.share,
            "p_value": self.p_value,
            "floor": self.floor,
            "significant": self.significant,
            "test": self.test,
            "unit": self.unit,
            "units": self.units,
        }


def lead(case: Case, pair: tuple[int, int]) -> Lead:
    """The lead of one system of a case over another, or the other way round."""
    tested = case.kept("all pairs", lambda: _tested(case))
    return lead_of(tested, pair, alpha=case.alpha)


def _tested(case: Case) -> AllPairs:
    drawn = None
    if not case.units.few:
        every = shared_resamples(case.scored, case.units, trials=TEST_TRIALS, seed=case.seed)
        drawn = every[case.scored.metrics.index(case.metric)]
    return all_leads(case.metric, case.rows, case.units, seed=case.seed, drawn=drawn)


def all_leads(
    metric: Metric, rows: Rows, units: Units, *, seed: int, drawn: Scores | None = None
) -> AllPairs:
    """Every pair of systems tested; ``rows`` are (systems, segments, K) statistics.

    ``drawn`` are their scores on resamples, if they are there already.
    """
    group = MetricRows(metric=metric, rows=rows).by(units)
    test: PairTest = "randomization" if units.few else "bootstrap"
    return all_pairs_of(
        [group],
        [str(number) for number in range(len(rows))],
        test=test,
        trials=TEST_TRIALS,
        seed=seed,
        drawn=None if drawn is None else [drawn],
    )[0]


def lead_of(tested: AllPairs, pair: tuple[int, int], *, alpha: float) -> Lead:
    """One of the pairs that were tested."""
    place = tested.pairs.index((min(pair), max(pair)))
    scores = [tested.scores[i] for i in pair]
    p_value = float(tested.p_values[place])
    # Randomization of so few units tries every way to swap them, and has no floor.
    floor = 0.0 if tested.test == "randomization" else 1 / (1 + tested.trials)
    return Lead(
        share=abs(scores[0] - scores[1]) / (max(map(abs, scores)) or 1.0),
        p_value=p_value,
        floor=floor,
        significant=p_value <= alpha,
        test=tested.test,
        unit=tested.unit,
        units=tested.units,
    )
