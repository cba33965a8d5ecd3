"""Three runs of two systems that are equally good, and tests that must not find them different."""

from collections import Counter
from typing import Final

import numpy as np

from experiments.simulations.pairs import DOCUMENTS, ERRORS, LENGTH, OWN, WER, error_rows
from experiments.simulations.shares import (
    ALPHA,
    AT_ONCE,
    SIMULATIONS,
    TRIALS,
    Share,
    shares,
)
from tertium.inference.bootstrap import paired_bootstraps
from tertium.inference.many import runs_p_value
from tertium.inference.randomization import randomizations
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Rows

RUNS: Final = 3
SETTINGS: Final = {
    "nothing differs": (0.0, 0.0),
    "systems differ on segments": (0.0, OWN),
    "runs differ": (0.03, 0.0),
    "both": (0.03, OWN),
}
"""Deviations of logarithms: of runs, and of each system on each segment, the same in all runs."""
BOTH: Final = "bootstrap and Welch's t-test, as `--runs --test bootstrap`"


def sizes(setting: str, *, simulations: int = SIMULATIONS) -> dict[str, Share]:
    """How often tests find a difference that is not there."""
    rng, found = np.random.default_rng(13), Counter[str]()
    by_run, by_segment = SETTINGS[setting]
    segments = DOCUMENTS * LENGTH
    for block in range(simulations // AT_ONCE):
        words = rng.integers(5, 40, size=(AT_ONCE, 1, 1, segments)).astype(np.float64)
        effects = by_segment * rng.normal(size=(AT_ONCE, 2, 1, segments))
        effects = effects + by_run * rng.normal(size=(AT_ONCE, 2, RUNS, 1))
        noise = rng.gamma(4.0, 0.25, size=(AT_ONCE, 2, RUNS, segments))
        for place, rows in enumerate(error_rows(words * ERRORS * np.exp(effects) * noise, words)):
            found.update(_rejections(rows, seed=AT_ONCE * block + place))
    return shares(found, simulations)


def _rejections(rows: Rows, *, seed: int) -> dict[str, int]:
    """1 for each test that finds a difference."""
    group = MetricRows(metric=WER, rows=rows)
    together, stratified = (
        randomizations([group], trials=TRIALS, seed=seed, stratified=each)[0][0].p_value
        for each in (False, True)
    )
    drawn = paired_bootstraps([group], trials=TRIALS, seed=seed)[0][0].p_value
    welch = runs_p_value(*group.of_runs)
    return {
        "paired bootstrap": int(drawn <= ALPHA),
        "randomization": int(together <= ALPHA),
        "randomization stratified by run": int(stratified <= ALPHA),
        "Welch's t-test of runs": int(welch <= ALPHA),
        BOTH: int(max(drawn, welch) <= ALPHA),
    }
