"""Two systems of equal quality: tests, verdicts and intervals by segment and by document."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
from scipy.stats import binom

from experiments.simulations.shares import (
    ALPHA,
    AT_ONCE,
    INTERVAL_SIMULATIONS,
    RESAMPLES,
    SIMULATIONS,
    TRIALS,
    Share,
    shares,
)
from tertium.choices import INTERVALS
from tertium.compare.baseline_tests import ComparisonSettings
from tertium.compare.scores import score_table
from tertium.decide.rules import verdicts
from tertium.inference.bootstrap import paired_bootstraps
from tertium.inference.randomization import randomizations
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import MetricRows
from tertium.inference.sign_test import substitution_sign_test
from tertium.inference.units import Units, units_of
from tertium.metrics.contract.base import Rows, Scores
from tertium.metrics.contract.table import parse_metric

DOCUMENTS: Final = 80
LENGTH: Final = 4
"""Segments of a document."""
ERRORS: Final = 0.3
"""In a word, on average."""
HARD: Final = 0.3
OWN: Final = 0.25
"""How much documents differ for both systems, and for each: deviations of logarithms."""
WER: Final = parse_metric("wer")
TRUTH: Final = 100 * ERRORS * float(np.exp((HARD**2 + OWN**2) / 2))


def groups_of(
    rng: np.random.Generator, *, dependent: bool, documents: int = DOCUMENTS
) -> list[MetricRows]:
    """As many simulations as go at once; effects belong to documents, or to single segments."""
    segments = documents * LENGTH
    units, each = (documents, LENGTH) if dependent else (segments, 1)
    shared, own = rng.normal(size=(AT_ONCE, 1, units)), rng.normal(size=(AT_ONCE, 2, units))
    rates = ERRORS * np.exp(HARD * shared + OWN * own).repeat(each, axis=2)
    words = rng.integers(5, 40, size=(AT_ONCE, 1, segments)).astype(np.float64)
    noise = rng.gamma(4.0, 0.25, size=(AT_ONCE, 2, segments))  # of mean 1, skewed
    return [MetricRows(metric=WER, rows=one) for one in error_rows(words * rates * noise, words)]


def error_rows(errors: Scores, words: Scores) -> Rows:
    """Rows of WER: errors as substitutions, and the words of the references."""
    rows = np.zeros((*errors.shape, len(WER.columns)))
    rows[..., 0], rows[..., -1] = errors, words
    return rows


def units(documents: int = DOCUMENTS) -> dict[str, Units]:
    """What is resampled."""
    labels = np.repeat(np.arange(documents), LENGTH).tolist()
    return {
        "segments": units_of(len(labels), None),
        "documents": units_of(len(labels), labels, "documents"),
    }


def sizes(*, dependent: bool, simulations: int = SIMULATIONS) -> dict[str, Share]:
    """How often the tests find a difference that is not there."""
    found = Counter[str]()
    for seed, group in enumerate(simulated(11, simulations, dependent=dependent)):
        for name, unit in units().items():
            by = group.by(unit)
            ((resampled,),) = paired_bootstraps([by], trials=TRIALS, seed=seed)
            ((swapped,),) = randomizations([by], trials=TRIALS, seed=seed)
            signs = substitution_sign_test(WER, *by.rows)
            found[f"paired bootstrap, {name}"] += resampled.p_value <= ALPHA
            found[f"randomization, {name}"] += swapped.p_value <= ALPHA
            found[f"sign test, {name}"] += signs.p_value <= ALPHA
    return {
        name: Share(found=count / simulations, wanted=attainable(name), simulations=simulations)
        for name, count in found.items()
    }


def simulated(
    seed: int, simulations: int, *, dependent: bool, documents: int = DOCUMENTS
) -> Iterator[MetricRows]:
    """So many pairs of systems."""
    rng = np.random.default_rng(seed)
    for _ in range(simulations // AT_ONCE):
        yield from groups_of(rng, dependent=dependent, documents=documents)


def attainable(test: str) -> float:
    """5 %; of a sign test what is nearest below it among the shares that fair coins can give."""
    if not test.startswith("sign test"):
        return ALPHA
    coins = DOCUMENTS * (LENGTH if test.endswith("segments") else 1)
    tails = 2 * binom.cdf(np.arange(coins // 2), coins, 0.5)
    return float(tails[tails <= ALPHA].max())


def verdict_sizes(
    unit: str, *, dependent: bool, simulations: int = SIMULATIONS
) -> dict[str, Share]:
    """How often the rules of 'tertium decide' find one of two equal systems better or worse."""
    rng, found = np.random.default_rng(17), Counter[str]()
    labels = None if unit == "segments" else units()[unit].of_segment.tolist()
    for seed, group in enumerate(simulated(15, simulations, dependent=dependent)):
        settings = ComparisonSettings(trials=TRIALS, seed=seed)
        both = [group, _other(group, rng)]
        found[f"verdict of one metric, {unit}"] += _commits(both[:1], settings, labels)
        found[f"verdict of two metrics, {unit}"] += _commits(both, settings, labels)
    return shares(found, simulations)


def _commits(
    groups: list[MetricRows], settings: ComparisonSettings, labels: list[str] | None
) -> bool:
    table = score_table(["a", "b"], groups, settings, references="1", documents=labels)
    (verdict,) = verdicts(table)
    return verdict.answer != "no difference"


def _other(group: MetricRows, rng: np.random.Generator) -> MetricRows:
    """A metric that sees the same errors, each larger or smaller by chance."""
    errors, words = group.rows[..., 0], group.rows[..., -1]
    own = errors * rng.gamma(4.0, 0.25, size=errors.shape)
    return MetricRows(metric=WER, rows=error_rows(own, words))


def coverage(
    *, dependent: bool, documents: int = DOCUMENTS, simulations: int = INTERVAL_SIMULATIONS
) -> dict[str, Share]:
    """How often the intervals of a score and of a difference hold the truth."""
    found = Counter[str]()
    every = simulated(12, simulations, dependent=dependent, documents=documents)
    for seed, group in enumerate(every):
        for name, unit in units(documents).items():
            by = [group.by(unit)]
            drawn = resampled_scores(by, trials=RESAMPLES, seed=seed)
            for kind in INTERVALS:
                ((made,),) = paired_bootstraps(by, seed=seed, interval=kind, drawn=drawn)
                own, delta = made.system_interval, made.interval
                found[f"{kind}, a score, {name}"] += own.low <= TRUTH <= own.high
                found[f"{kind}, a difference, {name}"] += delta.low <= 0 <= delta.high
    return shares(found, simulations, 1 - ALPHA)
