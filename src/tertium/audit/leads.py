"""Leads of one system over another, and whether they are more than chance.

Tests are those of `compare`, by documents where they are known, two-sided and not corrected for
the number of pairs: a lead that does not even pass so is noise, and no finding calls it a lead.
"""

from dataclasses import dataclass
from typing import Final

from tertium.audit.case import Case
from tertium.choices import TEST_TRIALS
from tertium.inference.joint_tests import PairTest, shared_tests, usual_test
from tertium.inference.many import AllPairs, all_pairs_by, all_pairs_of
from tertium.inference.p_values import p_value_text
from tertium.inference.rows import MetricRows, metric_rows
from tertium.inference.units import Units
from tertium.metrics.contract.base import Metric, Rows
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.results import Unit

VISIBLE: Final = 0.01
"""A difference that people would report, as a share of the score, whatever a test says."""

_METHODS: Final[dict[PairTest, str]] = {
    "bootstrap": "paired bootstrap",
    "randomization": "randomization",
    "t-test": "t-test (CR2)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLead(Plain):
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


def lead(case: Case, pair: tuple[int, int]) -> ScoreLead:
    """The lead of one system of a case over another, or the other way round."""
    tested = case.kept("all pairs", lambda: _tested(case))
    return lead_of(tested, pair, alpha=case.alpha)


def _tested(case: Case) -> AllPairs:
    """The tests of all metrics are made once, for `compare`, audits and reports."""
    test = usual_test(case.units.count)
    joint = shared_tests(case.scored, case.units, test, trials=TEST_TRIALS, seed=case.seed)
    groups = [group.by(case.units) for group in metric_rows(case.scored)]
    every = all_pairs_by(groups, case.scored.names, joint, seed=case.seed, level=0.95, more=0)
    return every[case.scored.metrics.index(case.metric)]


def all_leads(metric: Metric, rows: Rows, units: Units, *, seed: int) -> AllPairs:
    """Every pair of systems tested; ``rows`` are (systems, segments, K) statistics."""
    names = [str(number) for number in range(len(rows))]
    group = MetricRows(metric=metric, rows=rows).by(units)
    test = usual_test(units.count)
    return all_pairs_of([group], names, test=test, trials=TEST_TRIALS, seed=seed)[0]


def lead_of(tested: AllPairs, pair: tuple[int, int], *, alpha: float) -> ScoreLead:
    """One of the pairs that were tested."""
    index = tested.pairs.index((min(pair), max(pair)))
    scores = [tested.scores[i] for i in pair]
    p_value = float(tested.p_values[index])
    return ScoreLead(
        share=abs(scores[0] - scores[1]) / (max(map(abs, scores)) or 1.0),
        p_value=p_value,
        floor=tested.floor,
        significant=p_value <= alpha,
        test=tested.test,
        unit=tested.unit,
        units=tested.units,
    )
