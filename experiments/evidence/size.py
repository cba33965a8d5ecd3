"""Sizes, power and coverage of tests and intervals on WMT24's real documents.

A null hypothesis that is true: two real systems exchange their outputs document by document at
random, so that neither is better; for a board, several systems do. Documents are drawn from those
of the test set (1 to 76 segments each) without replacement, so that lengths are real ones.
Intervals are asked for the score on all documents, of which samples are drawn with replacement.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from typing import Final, NamedTuple

import numpy as np

from experiments.data import Data
from experiments.running import main
from experiments.sections import Section, Table
from tertium.choices import INTERVALS
from tertium.inference.bootstrap import paired_bootstraps
from tertium.inference.corrections import holm
from tertium.inference.joint_tests import (
    JointTests,
    all_system_pairs,
    bootstrap_tests,
    swap_tests,
    t_tests,
    usual_test,
)
from tertium.inference.many import all_pairs_of
from tertium.inference.resampling import resampled_scores
from tertium.inference.rows import MetricRows
from tertium.inference.units import units_of
from tertium.metrics.contract.base import Rows

PAIRS: Final = ("en-cs", "en-hi", "en-ru")
METRICS: Final = ("bleu", "chrf")
DOCUMENTS: Final = (8, 12, 20, 40, 80)
FEW: Final = (3, 4, 5)
TRIALS: Final = 999
FAMILY_TRIALS: Final = 1199
"""Of families: with fewer Holm could not find any of 56 tests significant."""
SYSTEMS: Final = 8
"""Of a board."""
ALPHA: Final = 0.05
POINTS: Final = (6.0, 12.0)
"""Differences whose power is asked for."""
SEED: Final = 26


class Board(NamedTuple):
    """Rows of all systems by document, one array for each metric, (systems, documents, K)."""

    rows: tuple[Rows, ...]


Rates = dict[str, dict[str, float]]
"""Row → column → share."""


def boards(data: Data) -> list[Board]:
    """The three test sets."""
    found = []
    for pair in PAIRS:
        documents = data.test_set(f"wmt24 {pair}").corpus.documents
        segments = len(documents or ())
        units = units_of(segments, documents)
        rows = (data.counted(f"wmt24 {pair}", spec).rows for spec in METRICS)
        found.append(Board(tuple(map(units.sums, rows))))
    return found


def groups_of(data: Data, rows: tuple[Rows, ...]) -> list[MetricRows]:
    """Some rows as the tests want them."""
    metrics = (data.counted(f"wmt24 {PAIRS[0]}", spec).metric for spec in METRICS)
    return [
        MetricRows(metric=metric, rows=some, unit="document")
        for metric, some in zip(metrics, rows, strict=True)
    ]


def exchanged(rows: tuple[Rows, ...], rng: np.random.Generator) -> tuple[Rows, ...]:
    """Systems that exchange their outputs document by document, the same under every metric."""
    systems, documents = rows[0].shape[:2]
    order = np.argsort(rng.random((systems, documents)), axis=0)
    return tuple(one[order, np.arange(documents)] for one in rows)


def drawn(
    some: list[Board], documents: int, systems: int, repetitions: int, seed: int
) -> Iterator[tuple[tuple[Rows, ...], np.random.Generator]]:
    """Random systems on random documents, from one test set after the other."""
    rng = np.random.default_rng(seed)
    for board in islice(cycle(some), repetitions):
        chosen = rng.choice(len(board.rows[0]), systems, replace=False)
        places = rng.choice(board.rows[0].shape[1], documents, replace=False)
        yield tuple(one[np.ix_(chosen, places)] for one in board.rows), rng


def procedures(groups: list[MetricRows], seed: int) -> dict[str, JointTests]:
    """Each test of the first two systems, under every metric."""
    pair = [(0, 1)]
    resampled = resampled_scores(groups, trials=TRIALS, seed=seed)
    swapped = swap_tests(groups, pair, trials=TRIALS, seed=seed)
    return {
        "default": t_tests(groups, pair) if usual_test(groups[0].units) == "t-test" else swapped,
        "randomization": swapped,
        "paired bootstrap": bootstrap_tests(groups, pair, resampled),
        "t-test, CR2": t_tests(groups, pair),
    }


def rejected(data: Data, rows: tuple[Rows, ...], seed: int) -> dict[str, list[bool]]:
    """Which tests of two systems are significant, by procedure: one for each metric."""
    groups = groups_of(data, rows)
    found = {
        name: (made.p_values <= ALPHA).tolist() for name, made in procedures(groups, seed).items()
    }
    swaps = swap_tests(groups, [(0, 1)], trials=TRIALS, seed=seed)
    if swaps.studentized:
        found["studentized randomization"] = [
            own_p_value(swaps, test) <= ALPHA for test in range(len(METRICS))
        ]
    else:
        found["studentized randomization"] = found["randomization"]
    intervals = paired_bootstraps(groups, trials=TRIALS, seed=seed, interval="bca")
    found["BCa interval without 0"] = [
        not one.interval.low <= 0 <= one.interval.high for (one,) in intervals
    ]
    return found


def own_p_value(made: JointTests, test: int) -> float:
    """The p-value of a test's own statistic, which is studentized where one document dominates."""
    row = made.rows[test]
    if row < 0:
        return 1 / (1 + made.trials)
    reached = int((made.null[row] >= made.statistics[test] - made.ties[test]).sum())
    return reached / made.trials if made.exact else (1 + reached) / (1 + made.trials)


def sizes(
    data: Data, documents: int, repetitions: int, *, seed: int = SEED
) -> dict[str, dict[str, float]]:
    """How often tests find a difference of systems that exchanged their outputs."""
    counts: dict[str, dict[str, int]] = {}
    for number, (rows, rng) in enumerate(drawn(boards(data), documents, 2, repetitions, seed)):
        _count(counts, rejected(data, exchanged(rows, rng), number))
    return _shares(counts, repetitions)


def powers(
    data: Data, documents: int, repetitions: int, *, seed: int = SEED
) -> dict[str, dict[str, float]]:
    """How often they find a difference of 6 to 12 points between two real systems."""
    counts: dict[str, dict[str, int]] = {}
    asked = dict.fromkeys(METRICS, 0)
    metrics = [data.counted(f"wmt24 {PAIRS[0]}", spec).metric for spec in METRICS]
    for number, (rows, _) in enumerate(drawn(boards(data), documents, 2, repetitions, seed)):
        scores = [metric.score(one.sum(axis=1)) for metric, one in zip(metrics, rows, strict=True)]
        large = [POINTS[0] <= abs(one[1] - one[0]) <= POINTS[1] for one in scores]
        if not any(large):
            continue
        found = rejected(data, rows, number)
        for spec, counted in zip(METRICS, large, strict=True):
            asked[spec] += counted
        masked = {
            name: [one and counted for one, counted in zip(some, large, strict=True)]
            for name, some in found.items()
        }
        _count(counts, masked)
    return {
        name: {spec: count / max(1, asked[spec]) for spec, count in some.items()}
        for name, some in counts.items()
    }


def family_errors(
    data: Data, documents: int, systems: int, repetitions: int, *, better: int = 0, seed: int = SEED
) -> dict[str, float]:
    """How often a board of systems that exchanged their outputs has any significant pair.

    The first ``better`` systems stay as they are; pairs with them are not counted.
    """
    pairs = all_system_pairs(systems)
    equal = np.array([a >= better for a, _ in pairs] * len(METRICS))
    counts: dict[str, int] = dict.fromkeys(("max-T", "Holm", "not corrected"), 0)
    for number, (rows, rng) in enumerate(
        drawn(boards(data), documents, systems, repetitions, seed)
    ):
        kept = tuple(one[:better] for one in rows)
        moved = exchanged(tuple(one[better:] for one in rows), rng)
        mixed = tuple(np.concatenate(some) for some in zip(kept, moved, strict=True))
        made = swap_tests(groups_of(data, mixed), pairs, trials=FAMILY_TRIALS, seed=number)
        counts["max-T"] += bool((made.adjusted(more=0)[equal] <= ALPHA).any())
        counts["Holm"] += bool((holm(made.p_values)[equal] <= ALPHA).any())
        counts["not corrected"] += bool((made.p_values[equal] <= ALPHA).any())
    return {name: count / repetitions for name, count in counts.items()}


def family_powers(
    data: Data, documents: int, systems: int, repetitions: int, *, seed: int = SEED
) -> dict[str, float]:
    """The share of pairs of real systems on a board that are significant, by correction."""
    pairs = all_system_pairs(systems)
    found: dict[str, list[float]] = {name: [] for name in ("max-T", "max-T, plain", "Holm")}
    for number, (rows, _) in enumerate(drawn(boards(data), documents, systems, repetitions, seed)):
        groups = groups_of(data, rows)
        made = swap_tests(groups, pairs, trials=FAMILY_TRIALS, seed=number)
        plain = swap_tests(groups, pairs, trials=FAMILY_TRIALS, seed=number, dominant=1.0)
        found["max-T"].append((made.adjusted(more=0) <= ALPHA).mean())
        found["max-T, plain"].append((plain.adjusted(more=0) <= ALPHA).mean())
        found["Holm"].append((holm(made.p_values) <= ALPHA).mean())
    return {name: float(np.mean(some)) for name, some in found.items()}


def coverage(
    data: Data, documents: int, repetitions: int, *, seed: int = SEED
) -> dict[str, dict[str, float]]:
    """How often intervals of a difference hold that on all documents of the test set."""
    rng = np.random.default_rng(seed)
    counts: dict[str, dict[str, int]] = {}
    for number, board in enumerate(islice(cycle(boards(data)), repetitions)):
        chosen = rng.choice(len(board.rows[0]), 2, replace=False)
        places = rng.integers(0, board.rows[0].shape[1], documents)
        whole = [group.observed for group in groups_of(data, tuple(x[chosen] for x in board.rows))]
        groups = groups_of(data, tuple(one[np.ix_(chosen, places)] for one in board.rows))
        resampled = resampled_scores(groups, trials=TRIALS, seed=number)
        for name in INTERVALS:
            made = paired_bootstraps(groups, seed=number, interval=name, drawn=resampled)
            held: dict[str, list[bool]] = {"a difference": [], "a score": []}
            for (one,), scores in zip(made, whole, strict=True):
                delta = scores[1] - scores[0]
                held["a difference"].append(one.interval.low <= delta <= one.interval.high)
                own = one.system_interval
                held["a score"].append(own.low <= scores[1] <= own.high)
            _count(counts, {f"{name}, {what}": some for what, some in held.items()})
    return _shares(counts, repetitions)


def rank_ranges(data: Data, documents: int, repetitions: int, *, seed: int = SEED) -> list[str]:
    """Ranges of ranks of all systems: how often they hold that on all documents; their width."""
    rng = np.random.default_rng(seed)
    held, widths, clusters, systems = [], [], [], []
    for number, board in enumerate(islice(cycle(boards(data)), repetitions)):
        places = rng.integers(0, board.rows[0].shape[1], documents)
        whole = groups_of(data, board.rows)
        groups = groups_of(data, tuple(one[:, places] for one in board.rows))
        names = [str(place) for place in range(groups[0].systems)]
        made = all_pairs_of(groups, names, trials=TRIALS, seed=number)
        for group, pairs in zip(whole, made, strict=True):
            ranks = 1 + np.argsort(np.argsort([-score for score in group.observed]))
            ends = np.array(pairs.rank_ranges())
            held.append(((ends[:, 0] <= ranks) & (ranks <= ends[:, 1])).mean())
            widths.append(np.median(ends[:, 1] - ends[:, 0] + 1))
            clusters.append(len(pairs.clusters()))
            systems.append(len(names))
    return [
        f"{100 * np.mean(held):.1f} %",
        f"{np.median(widths):.0f} of {np.mean(systems):.0f}",
        f"{np.mean(clusters):.1f}",
    ]


def _count(counts: dict[str, dict[str, int]], found: Mapping[str, list[bool]]) -> None:
    for name, some in found.items():
        own = counts.setdefault(name, dict.fromkeys(METRICS, 0))
        for spec, one in zip(METRICS, some, strict=True):
            own[spec] += bool(one)


def _shares(counts: Mapping[str, Mapping[str, int]], repetitions: int) -> Rates:
    return {
        name: {spec: count / repetitions for spec, count in some.items()}
        for name, some in counts.items()
    }


def _table(first: str, columns: Mapping[str, Rates], note: str) -> Table:
    """A column for each number of documents; a cell has one share for each metric."""
    names = dict.fromkeys(name for some in columns.values() for name in some)
    rows = [
        [name, *(_cell(some[name]) if name in some else "–" for some in columns.values())]
        for name in names
    ]
    return Table(columns=[first, *columns], rows=rows, note=note)


def _cell(shares: Mapping[str, float]) -> str:
    return " / ".join(f"{100 * share:.1f}" for share in shares.values()) + " %"


def _by_documents(
    first: str, made: Callable[[int], dict[str, float]], documents: tuple[int, ...], note: str
) -> Table:
    columns = {f"{count} documents": made(count) for count in documents}
    names = next(iter(columns.values()))
    rows = [[name, *(f"{100 * some[name]:.1f} %" for some in columns.values())] for name in names]
    return Table(columns=[first, *columns], rows=rows, note=note)


def tables(data: Data, repetitions: int = 1000) -> Iterator[Table]:
    """All tables of docs/significance.md, one after the other."""
    few = repetitions // 2
    tests = len(METRICS) * len(all_system_pairs(SYSTEMS))

    def labelled(made: Callable[[int], Rates], documents: tuple[int, ...]) -> dict[str, Rates]:
        return {f"{count} documents": made(count) for count in documents}

    error = 200 * (0.05 * 0.95 / repetitions) ** 0.5
    yield _table(
        "size, BLEU / chrF",
        labelled(lambda n: sizes(data, n, repetitions), (*FEW, *DOCUMENTS)),
        f"Should be 5 %; two standard errors of {repetitions} repetitions are {error:.1f} points.",
    )
    yield _by_documents(
        f"family-wise error, {SYSTEMS} equal systems, {tests} tests",
        lambda n: family_errors(data, n, SYSTEMS, few),
        DOCUMENTS,
        f"Should be at most 5 %; two standard errors of {few} repetitions are "
        f"{200 * (0.05 * 0.95 / few) ** 0.5:.1f} points.",
    )
    yield _by_documents(
        f"family-wise error, 4 of {SYSTEMS} systems are equal",
        lambda n: family_errors(data, n, SYSTEMS, few, better=SYSTEMS - 4),
        DOCUMENTS,
        "Errors are pairs among the four.",
    )
    yield _table(
        "power for 6 to 12 points, BLEU / chrF",
        labelled(lambda n: powers(data, n, repetitions), (*FEW, *DOCUMENTS)),
        "Real pairs of systems with such a difference on the documents drawn.",
    )
    yield _by_documents(
        f"pairs found, {SYSTEMS} real systems, {tests} tests",
        lambda n: family_powers(data, n, SYSTEMS, few // 4),
        DOCUMENTS,
        "Plain: never studentized.",
    )
    yield _table(
        "coverage of 95 % intervals, BLEU / chrF",
        labelled(lambda n: coverage(data, n, repetitions), DOCUMENTS),
        "Should be 95 %.",
    )
    yield Table(
        columns=["rank ranges of all systems", "coverage", "median width", "clusters"],
        rows=[[f"{count} documents", *rank_ranges(data, count, 12)] for count in (40, 80, 171)],
        note="Boards of 19 to 26 systems, BLEU and chrF.",
    )


def evidence(data: Data) -> Section:
    """All tables."""
    return Section(title="Tests and intervals on real documents", blocks=[*tables(data)])


if __name__ == "__main__":
    main(evidence)
