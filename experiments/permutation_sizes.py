"""How often permutation tests find a difference between two metrics that are equally good."""

from typing import Final

import numpy as np

from experiments.data import Data
from experiments.running import main
from experiments.sections import Claim, Section, Table, number
from tertium.choices import EXCHANGES
from tertium.meta.agreement.permutation_test import (
    PAPER_NAMES,
    accuracy_permutation_test,
    permutation_test,
)

SYSTEMS: Final = 12
SEGMENTS: Final = 100
NOISE: Final = 3.0
"""Deviation of a metric's score of an output, in units of the spread of systems."""
BIAS: Final = 0.6
"""Deviation of what a metric holds for or against a system, in the same units."""
ALPHA: Final = 0.05
SETTINGS: Final = {"noise of items only": 0.0, "a bias for each system": BIAS}
MEASURES: Final = {"pearson": "Pearson r, systems", "acc-eq-item": "acc_eq, segments"}
SIMULATIONS: Final = {"pearson": 1000, "acc-eq-item": 300}


def sizes(bias: float, *, measure: str, simulations: int, trials: int = 99) -> dict[str, float]:
    """The share of simulations in which two metrics made alike differ (two-sided p ≤ 0.05)."""
    rng = np.random.default_rng(20)
    rejected = dict.fromkeys(EXCHANGES, 0)
    for _ in range(simulations):
        quality = rng.normal(size=SYSTEMS)
        rated = quality[:, np.newaxis] + rng.normal(size=(SYSTEMS, SEGMENTS))
        liked = quality + bias * rng.normal(size=(2, SYSTEMS))
        first, second = liked[:, :, np.newaxis] + NOISE * rng.normal(size=(2, *rated.shape))
        for exchange in EXCHANGES:
            seed = int(rng.integers(1 << 30))
            if measure == "pearson":
                found = permutation_test(
                    quality, first, second, exchange=exchange, trials=trials, seed=seed
                )
            else:
                found = accuracy_permutation_test(
                    rated, first, second, exchange=exchange, trials=trials, seed=seed
                )
            rejected[exchange] += found.p_value_two_sided <= ALPHA
    return {exchange: count / simulations for exchange, count in rejected.items()}


def run(data: Data) -> Section:  # noqa: ARG001 - an experiment without data
    """Both kinds of metrics under all three tests."""
    found = {
        (title, setting): sizes(bias, measure=name, simulations=SIMULATIONS[name])
        for name, title in MEASURES.items()
        for setting, bias in SETTINGS.items()
    }
    rows = [[*key, *(number(one[each], 3) for each in EXCHANGES)] for key, one in found.items()]
    biased = {title: found[title, setting] for title, setting in found if SETTINGS[setting]}
    return Section(
        title="The size of permutation tests between metrics",
        blocks=[
            (
                "No paper's table, but what to know before such a p-value is believed. Two metrics "
                f"are made alike: each scores the {SEGMENTS} segments of {SYSTEMS} systems with "
                f"the system's quality, noise {NOISE:g} times as wide as the spread of systems, "
                f"and, in every second row, a bias of its own for each system ({BIAS:g} times). As "
                f"neither is better, a test at {ALPHA:g} should find a difference in 5 % of the "
                f"simulations, {SIMULATIONS['pearson']} with Pearson's r and "
                f"{SIMULATIONS['acc-eq-item']} with acc_eq."
            ),
            Table(
                columns=["agreement", "metrics have", *(PAPER_NAMES[one] for one in EXCHANGES)],
                rows=rows,
                note="`tertium meta agree --permute systems`, `items` and `both`.",
            ),
            Claim(
                whose="Put to the test here",
                text="the test keeps its size, rejecting at most twice as often as it should, "
                "where metrics have a bias for each system.",
                outcomes={
                    f"{title} {PAPER_NAMES[each]}": one[each] <= 2 * ALPHA
                    for title, one in biased.items()
                    for each in EXCHANGES
                },
            ),
        ],
    )


if __name__ == "__main__":
    main(run)
