"""Scores of random versions of a corpus, a block of trials at a time.

The native core adds up rows; here the sums become scores. However many trials there are, only
the sums of one block are in memory. All systems and metrics of a call see the same choices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tertium._native import PackedRows
from tertium.inference.p_values import tie_width
from tertium.inference.rows import MetricRows, check_same_units, check_trials, metric_rows
from tertium.inference.units import Units
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.results import Unit
from tertium.scored.runs import Runs
from tertium.scored.scored import Scored

# What tests by random numbers have in common: what was drawn, and two systems set against it.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Numbers that a metric gave for units drawn at random."""

    metric: Metric
    seed: int
    unit: Unit
    units: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedSystems(Drawn):
    """A system and the baseline on the same segments."""

    baseline: float
    system: float

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline, means over runs."""
        return self.system - self.baseline

    @property
    def tie(self) -> float:
        """Differences so small are rounding."""
        return tie_width(self.baseline, self.system)


Places: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = NDArray[np.intp]
"""Places of systems, (pairs, 2)."""

MOST_TRIALS: Final = 4096
"""Trials of a block: more would not make the native core any faster."""
LEAST_TRIALS: Final = 64
"""Fewer would make it slow; a corpus so large takes more memory itself."""
BLOCK_BYTES: Final = 64 << 20
SCORED_AT_ONCE: Final = 1 << 13
"""Sums handed to a metric together, few enough that its intermediate results stay in cache."""


def resampled_scores(groups: Sequence[MetricRows], *, trials: int, seed: int) -> list[Scores]:
    """For each metric the scores of all systems on bootstrap resamples, (systems, trials).

    Of a system with several runs it is their mean; a resample has the same units of each.
    """
    check_same_units(groups)
    check_trials(trials, seed)
    results = [np.zeros((group.systems, trials)) for group in groups]
    for run in range(groups[0].runs):
        joined = _joined([group.of_run(run) for group in groups])
        distinct, places = _distinct(joined)
        packed = PackedRows(distinct)
        for block in _blocks(range(trials), joined):
            sums = packed.resampled_sums(seed=seed, stream=0, first=block.start, trials=len(block))
            for group, own, result in zip(groups, _parted(places, groups), results, strict=True):
                for some in _slices(group.systems, SCORED_AT_ONCE // len(block)):
                    scores = group.metric.score(sums[own[some]].swapaxes(1, 2))
                    result[some, block.start : block.stop] += scores
    return [result / groups[0].runs for result in results]


def shared_resamples(
    scored: Scored, units: Units, *, trials: int, seed: int, runs: Runs | None = None
) -> list[Scores]:
    """`resampled_scores` of all metrics of what is scored, drawn once for all who ask.

    A trial depends on the seed and its own number alone, so that fewer are the first of many.
    With ``runs`` they are the means of each system's runs, which see the same resamples.
    """
    key = ("resamples", units.unit, units.count, seed)

    def drawn() -> list[Scores]:
        by_unit = [group.by(units) for group in metric_rows(scored)]
        return resampled_scores(by_unit, trials=trials, seed=seed)

    known = scored.kept(key, drawn, enough=lambda rows: rows[0].shape[1] >= trials)
    some = [scores[:, :trials] for scores in known]
    return some if runs is None else [runs.rows(scores).mean(axis=1) for scores in some]


def tries_every_swap(
    groups: Sequence[MetricRows], trials: int, *, stratified: bool = False
) -> bool:
    """Whether there are no more ways to swap units than trials, so that chance is not needed."""
    coins = groups[0].units * (groups[0].runs if stratified else 1)
    return coins < trials.bit_length() and 1 << coins <= trials


def swapped_differences(
    groups: Sequence[MetricRows],
    pairs: Sequence[tuple[int, int]],
    *,
    trials: int,
    seed: int,
    stratified: bool = False,
) -> list[Scores]:
    """For each metric the score differences of pairs of systems that swap units at random.

    The result has the shape (pairs, trials). A trial tosses a coin for every unit, which holds
    for all runs, or if ``stratified`` one for every unit of every run; for a pair (a, b) it
    exchanges what a and b made of the units that show heads, and takes the mean over runs of
    score(b) − score(a). Where `tries_every_swap` holds, every way the coins can fall comes up
    once instead, and there are as many trials as ways.
    """
    check_same_units(groups)
    check_trials(trials, seed)
    chosen = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    every = tries_every_swap(groups, trials, stratified=stratified)
    if every:
        trials = 1 << groups[0].units * (groups[0].runs if stratified else 1)
    return swapped_differences_of(
        groups,
        [chosen] * len(groups),
        trials=range(trials),
        seed=seed,
        stratified=stratified,
        every=every,
    )


def swapped_differences_of(
    groups: Sequence[MetricRows],
    pairs: Sequence[Pairs],
    *,
    trials: range,
    seed: int,
    stratified: bool = False,
    every: bool = False,
) -> list[Scores]:
    """`swapped_differences` of each metric's own pairs, (pairs, 2), in a range of trials.

    Trial t is the same whatever the range. With ``every`` the coins are the bits of its number.
    """
    check_same_units(groups)
    units, runs = groups[0].units, groups[0].runs
    results = [np.zeros((len(chosen), len(trials))) for chosen in pairs]
    for run in range(runs):
        joined = _joined([group.of_run(run) for group in groups])
        # Where every swap is tried the units are few, and all columns are quickly added up.
        distinct, places = (joined, np.arange(joined.shape[1])) if every else _distinct(joined)
        packed = PackedRows(distinct)
        coins = run if stratified else 0
        for block in _blocks(trials, joined):
            if every:
                sums = joined.T @ _heads(block, coins * units, units)
            else:
                sums = packed.tossed_sums(
                    seed=seed, stream=coins, first=block.start, trials=len(block)
                )
            own_places = _parted(places, groups)
            at = slice(block.start - trials.start, block.stop - trials.start)
            for group, own, chosen, result in zip(groups, own_places, pairs, results, strict=True):
                for some in _slices(len(chosen), SCORED_AT_ONCE // len(block)):
                    result[some, at] += _swapped(group, run, sums, own, chosen[some])
    return results if runs == 1 else [result / runs for result in results]


def swapped_sums(columns: Rows, *, trials: range, seed: int, every: bool = False) -> Scores:
    """Sums of (units, columns) whose signs turn where a unit is swapped, (columns, trials).

    The swaps are those of `swapped_differences_of` without strata.
    """
    units = len(columns)
    result = np.empty((columns.shape[1], len(trials)))
    packed = PackedRows(np.ascontiguousarray(columns))
    for block in _blocks(trials, columns):
        if every:
            heads = columns.T @ _heads(block, 0, units)
        else:
            heads = packed.tossed_sums(seed=seed, stream=0, first=block.start, trials=len(block))
        at = slice(block.start - trials.start, block.stop - trials.start)
        result[:, at] = columns.sum(axis=0)[:, np.newaxis] - 2 * heads
    return result


def _heads(block: range, first: int, units: int) -> Rows:
    """1 where a unit's coin shows heads, (units, trials): the bits of the trial's number."""
    numbers = np.arange(block.start, block.stop, dtype=np.uint64)
    places = np.arange(first, first + units, dtype=np.uint64)
    return ((numbers >> places[:, np.newaxis]) & np.uint64(1)).astype(np.float64)


def _swapped(group: MetricRows, run: int, heads: Rows, own: Places, pairs: Places) -> Scores:
    """Differences of pairs after the swap; ``own`` has the systems' places among the sums."""
    a, b = pairs.T
    totals = group.of_run(run).sum(axis=1)[..., np.newaxis]
    moved = heads[own[b]] - heads[own[a]]
    swapped_a = group.metric.score((totals[a] + moved).swapaxes(1, 2))
    swapped_b = group.metric.score((totals[b] - moved).swapaxes(1, 2))
    return swapped_b - swapped_a


def _joined(rows: Sequence[Rows]) -> Rows:
    """All statistics of a unit beside one another: (units, metrics · systems · K)."""
    units = rows[0].shape[1]
    parts = [row.transpose(1, 0, 2).reshape(units, -1) for row in rows]
    return np.ascontiguousarray(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))


def _distinct(joined: Rows) -> tuple[Rows, Places]:
    """Each different column once, and the place of every column among those.

    What is counted in references alone is the same for all systems, and metrics such as BLEU and
    BLEU-SBP have most of their counts in common.
    """
    firsts: list[int] = []
    known: dict[int, list[int]] = {}
    places = np.empty(joined.shape[1], dtype=np.intp)
    for number, column in enumerate(joined.T):
        alike = known.setdefault(crc32(column.tobytes()), [])
        same = (column_ for column_ in alike if np.array_equal(joined[:, firsts[column_]], column))
        if (index := next(same, None)) is None:
            index = len(firsts)
            firsts.append(number)
            alike.append(index)
        places[number] = index
    return np.ascontiguousarray(joined[:, firsts]), places


def _parted(places: Places, groups: Sequence[MetricRows]) -> Iterator[Places]:
    """The places of each metric's sums, (systems, K)."""
    start = 0
    for group in groups:
        end = start + group.systems * group.rows.shape[-1]
        yield places[start:end].reshape(group.systems, -1)
        start = end


def _blocks(trials: range, joined: Rows) -> Iterator[range]:
    units, columns = joined.shape
    trial_bytes = units // 4 + 8 * columns  # two bits a unit, and the sums
    size = min(MOST_TRIALS, max(LEAST_TRIALS, BLOCK_BYTES // max(1, trial_bytes)))
    starts = range(trials.start, trials.stop, size)
    return (range(start, min(trials.stop, start + size)) for start in starts)


def _slices(count: int, size: int) -> Iterator[slice]:
    """Slices of at most ``size``, or 1 where that would be nothing."""
    step = max(1, size)
    return (slice(start, start + step) for start in range(0, count, step))
