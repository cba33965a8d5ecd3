"""Approximate randomization (Noreen 1989; Riezler & Maxwell 2005), also over several runs."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.inference.p_values import two_sided
from tertium.inference.resampling import PairedSystems, swapped_differences, tries_every_swap
from tertium.inference.rows import MetricRows, pair
from tertium.metrics.contract.base import Metric, Rows, Scores


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Randomization(PairedSystems):
    """A difference beside those that remain when it does not matter whose output is whose.

    It is ``exact`` where the null distribution has every way to swap the units once, which
    needs no more trials than were allowed: 10,000 are enough for 13 units.
    """

    null: Scores = field(repr=False)
    runs: int
    exact: bool

    @property
    def trials(self) -> int:
        """The number of swaps tried."""
        return len(self.null)

    @property
    def p_value(self) -> float:
        """Two-sided: how often a swap leaves a difference as large as the observed one."""
        return two_sided(self.null, self.delta, self.tie, exact=self.exact)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the null distribution is left out."""
        return {
            "method": "exact randomization" if self.exact else "approximate randomization",
            "metric": self.metric.spec,
            "baseline": self.baseline,
            "system": self.system,
            "delta": self.delta,
            "p_value": self.p_value,
            "runs": self.runs,
            "unit": self.unit,
            "units": self.units,
            "trials": self.trials,
            "seed": self.seed,
        }


def approximate_randomization(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    stratified: bool = True,
) -> Randomization:
    """Could the difference be chance? Both are statistics, (segments, K).

    With ``documents``, the label of every segment's document, whole documents are swapped.

    For systems that were trained several times they are (runs, segments, K): the score is then
    the mean over runs, and a segment is swapped in each run on its own, never between runs
    (stratified as in MultEval, Clark et al. 2011). That takes the runs of a segment for
    independent: it asks whether the systems are the same on every segment. Not ``stratified``, a
    segment is swapped in all runs at once, and the question is whether they are equally good.
    """
    group = pair(metric, baseline_rows, system_rows, documents)
    return randomizations([group], trials=trials, seed=seed, stratified=stratified)[0][0]


def randomizations(
    groups: Sequence[MetricRows],
    *,
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    stratified: bool = True,
) -> tuple[tuple[Randomization, ...], ...]:
    """Every system but the first against the first, under every metric: [metric][system − 1].

    All of them swap the same units.
    """
    pairs = [(0, number) for number in range(1, groups[0].systems)] if groups else []
    every = swapped_differences(groups, pairs, trials=trials, seed=seed, stratified=stratified)
    exact = bool(groups) and tries_every_swap(groups, trials, stratified=stratified)
    return tuple(
        tuple(
            Randomization(
                metric=group.metric,
                baseline=observed[0],
                system=observed[b],
                null=null,
                runs=group.runs,
                seed=seed,
                unit=group.unit,
                units=group.units,
                exact=exact,
            )
            for (_, b), null in zip(pairs, differences, strict=True)
        )
        for group, differences, observed in (
            (group, differences, group.observed)
            for group, differences in zip(groups, every, strict=True)
        )
    )
