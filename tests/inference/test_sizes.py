"""Simulations: tests reject true null hypotheses as often as they say, intervals hold truths.

The numbers of docs/significance.md come from the same functions with more simulations. Every one
draws its own resamples: shared ones would make shares vary more than their standard errors say.
"""

from functools import cache

import pytest
from experiments.simulations import metrics, pairs, runs
from experiments.simulations.shares import COVERED, Share

from tertium.inference.units import FEWEST_FOR_INTERVALS

SIMULATIONS = 1000

pytestmark = pytest.mark.slow


@cache
def sizes(dependent: bool) -> dict[str, Share]:
    return pairs.sizes(dependent=dependent, simulations=SIMULATIONS)


@cache
def coverage(dependent: bool, documents: int) -> dict[str, Share]:
    return pairs.coverage(dependent=dependent, documents=documents)


@cache
def of_runs(setting: str) -> dict[str, Share]:
    return runs.sizes(setting, simulations=SIMULATIONS)


@cache
def worth_coverage() -> dict[str, Share]:
    return metrics.worth_coverage(simulations=SIMULATIONS)


TESTS = ("paired bootstrap", "randomization", "sign test")


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("dependent", "unit"), [(False, "segments"), (False, "documents"), (True, "documents")]
)
def test_sizes_hold(test: str, unit: str, dependent: bool) -> None:
    found = sizes(dependent)[f"{test}, {unit}"]
    assert found.holds, found


@pytest.mark.parametrize("test", TESTS)
def test_by_segment_they_break_where_documents_are_alike(test: str) -> None:
    found = sizes(True)[f"{test}, segments"]
    assert found.found > found.wanted + 6 * found.error


@pytest.mark.parametrize(("dependent", "unit"), [(False, "segments"), (True, "documents")])
def test_verdicts_hold_their_size(dependent: bool, unit: str) -> None:
    found = pairs.verdict_sizes(unit, dependent=dependent, simulations=SIMULATIONS)
    assert found[f"verdict of one metric, {unit}"].holds
    # Holm's correction is careful where metrics are alike, as these are.
    assert found[f"verdict of two metrics, {unit}"].at_most
    assert found[f"verdict of two metrics, {unit}"].found > 0.02


@pytest.mark.parametrize("kind", ["percentile", "bca"])
@pytest.mark.parametrize("what", ["a score", "a difference"])
@pytest.mark.parametrize(
    ("dependent", "unit", "documents"),
    [
        (False, "segments", pairs.DOCUMENTS),
        (False, "documents", pairs.DOCUMENTS),
        (True, "documents", pairs.DOCUMENTS),
        # The fewest that come without a warning.
        (False, "segments", FEWEST_FOR_INTERVALS["segment"] // pairs.LENGTH),
        (False, "documents", FEWEST_FOR_INTERVALS["document"]),
        (True, "documents", FEWEST_FOR_INTERVALS["document"]),
        (True, "documents", 40),
    ],
)
def test_intervals_cover(kind: str, what: str, unit: str, dependent: bool, documents: int) -> None:
    found = coverage(dependent, documents)[f"{kind}, {what}, {unit}"]
    assert found.found == pytest.approx(0.95, abs=COVERED)


@pytest.mark.parametrize("kind", ["percentile", "bca"])
@pytest.mark.parametrize("what", ["a score", "a difference"])
def test_by_segment_they_miss_where_documents_are_alike(kind: str, what: str) -> None:
    assert coverage(True, pairs.DOCUMENTS)[f"{kind}, {what}, segments"].found < 0.9


# ---- several runs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "test", ["paired bootstrap", "randomization", "randomization stratified by run"]
)
def test_runs_that_differ_in_nothing(test: str) -> None:
    assert of_runs("nothing differs")[test].holds


def test_the_stratified_test_wants_systems_alike_on_each_segment() -> None:
    found = of_runs("systems differ on segments")
    assert found["paired bootstrap"].holds
    assert found["randomization"].holds
    assert found["randomization stratified by run"].found > 0.07


def test_segments_say_nothing_of_runs() -> None:
    found = of_runs("runs differ")
    assert found["paired bootstrap"].found > 0.1
    assert found["Welch's t-test of runs"].at_most


@pytest.mark.parametrize("setting", runs.SETTINGS)
def test_what_decides_about_runs_never_rejects_too_often(setting: str) -> None:
    assert of_runs(setting)[runs.BOTH].at_most


# ---- metrics and people ---------------------------------------------------------------------


def test_metrics_that_agree_equally_well() -> None:
    found = metrics.sizes(simulations=SIMULATIONS)
    assert found["Williams' test"].holds
    assert found["p-values of soft pairwise accuracy"].holds
    assert found["PERM-SYS, Pearson's r"].holds


@pytest.mark.parametrize("delta", metrics.DELTAS)
def test_intervals_of_worth_cover(delta: float) -> None:
    found = worth_coverage()[f"worth of a difference of {delta:g}"]
    assert found.found == pytest.approx(0.95, abs=COVERED)
