"""Permutation tests of two metrics' agreement with people (Deutsch, Dror & Roth 2021).

If it made no difference which of the two metrics scored an output, exchanging their scores at
random would change the agreement as often in favour of one as of the other. Both are brought to
mean 0 and deviation 1 first, since their units differ. What is exchanged together, and what a
small p-value then says:

- ``systems`` (PERM-SYS): all scores of a system. The difference would be there with other systems.
- ``items`` (PERM-INPUTS): all scores of a segment. It would be there with other segments, for
  these same systems.
- ``both`` (PERM-BOTH): every score of a segment of a system for itself, as if each were an
  independent draw. Systems are held fixed here too: if the metrics have likes and dislikes for
  single systems, which all segments of a system share, this test takes them for merit.

Segments of a document are not independent: where documents are known, they are the items, and all
their segments are exchanged together.

PERM-SYS compares Pearson's r as Fisher's z = artanh r, whose spread is the same for any r.
Exchanged scores have a lower r than those that were brought to one deviation before, and so
differences of r itself are found significant too often where systems are few: with 12 of them in
some 6.5 % of the cases instead of 5 % (experiments/simulations). The other two are as published.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED, EXCHANGES, Exchange
from tertium.errors import InputError, OptionError
from tertium.inference.p_values import p_value_of
from tertium.inference.rows import check_trials
from tertium.inference.units import units_of
from tertium.meta.agreement.correlation import system_agreement
from tertium.meta.agreement.grouped_correlation import calibrate_ties
from tertium.meta.agreement.shared_systems import Aligned, align, common_systems
from tertium.meta.ratings.judgments import Floats, Judgments, MetricScores, or_none
from tertium.plurals import counted
from tertium.results import Unit
from tertium.suggestions import did_you_mean

PAPER_NAMES: Final = {"systems": "PERM-SYS", "items": "PERM-INPUTS", "both": "PERM-BOTH"}
BLOCK_BYTES: Final = 64 << 20
ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutationTest:
    """How much better the second metric agrees, and how that compares with chance."""

    measure: str
    exchange: Exchange
    baseline: float
    system: float
    observed: float
    """The difference as it is compared with ``null``: of PERM-SYS that of Fisher's z."""
    null: Floats = field(repr=False)
    seed: int

    @property
    def delta(self) -> float:
        """Agreement of the second metric minus that of the first."""
        return self.system - self.baseline

    @property
    def trials(self) -> int:
        """The number of exchanges, those without a defined agreement left out."""
        return len(self.null)

    @property
    def p_value(self) -> float:
        """One-sided: how often chance does as much for the second metric."""
        return self._share(self.null >= self.observed - ROUNDING)

    @property
    def p_value_two_sided(self) -> float:
        """How often chance makes so great a difference, for whichever metric."""
        return self._share(np.abs(self.null) >= abs(self.observed) - ROUNDING)

    def _share(self, extreme: NDArray[np.bool_]) -> float:
        if np.isnan(self.observed):
            return float("nan")
        return p_value_of(int(np.count_nonzero(extreme)), self.trials)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; the null distribution is left out."""
        return {
            "test": "permutation",
            "exchange": self.exchange,
            "measure": self.measure,
            "baseline": or_none(self.baseline),
            "system": or_none(self.system),
            "delta": or_none(self.delta),
            "p_value": or_none(self.p_value),
            "p_value_two_sided": or_none(self.p_value_two_sided),
            "trials": self.trials,
            "seed": self.seed,
        }


def permutation_test(
    ratings: Floats,
    baseline: Floats,
    system: Floats,
    *,
    measure: str = "pearson",
    exchange: Exchange = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> PermutationTest:
    """Does the second metric agree better with system ratings than the first?

    Both metrics' scores are (systems, segments), and a system's score is the mean of its
    segments; or (systems,), where only whole systems can be exchanged. ``documents`` has the
    document of every segment.
    """
    first, second = standardised(baseline), standardised(system)
    if first.shape != second.shape or len(first) != len(ratings):
        raise InputError(
            f"scores: found shapes {np.shape(baseline)} and {np.shape(system)}, "
            f"expected the same, for {counted(len(ratings), 'system')} (ratings)"
        )
    if np.ndim(baseline) == 1 and exchange != "systems":
        raise OptionError(
            f"exchange: found '{exchange}' without scores of segments, expected 'systems'"
        )
    difference = first - second
    means = first.mean(axis=1), second.mean(axis=1)

    scale = _fisher_z if (measure, exchange) == ("pearson", "systems") else np.asarray
    nulls = []
    for mask in coins(first.shape, exchange, trials=trials, seed=seed, documents=documents):
        moved = (difference * mask).mean(axis=2)
        worse = system_agreement(measure, ratings, means[0] - moved)
        better = system_agreement(measure, ratings, means[1] + moved)
        nulls.append(scale(better) - scale(worse))
    null = np.concatenate(nulls)
    found = np.array([system_agreement(measure, ratings, mean) for mean in means])
    worse, better = scale(found)
    return PermutationTest(
        measure=measure,
        exchange=exchange,
        baseline=float(found[0]),
        system=float(found[1]),
        observed=float(better - worse),
        null=null[~np.isnan(null)],
        seed=seed,
    )


def _fisher_z(agreement: Floats) -> Floats:
    """Pearson's r on the scale where differences are held against each other."""
    whole = 1 - ROUNDING  # of a metric that says what people say z would be infinite
    return np.arctanh(np.clip(agreement, -whole, whole))


def standardised(scores: Floats, known: NDArray[np.bool_] | None = None) -> Floats:
    """All scores of a metric with mean 0 and deviation 1, as (systems, segments).

    Only ``known`` ones count, if given; the others become 0.
    """
    scores = np.asarray(scores, dtype=np.float64)
    matrix = scores[:, np.newaxis] if scores.ndim == 1 else scores
    counted = matrix if known is None else matrix[known]
    if matrix.ndim != 2 or not counted.size or np.isnan(counted).any():
        raise InputError(
            f"scores: found shape {scores.shape}, expected (systems, segments) without NaN"
        )
    constant = bool((counted == counted.flat[0]).all())
    centred = (matrix - counted.mean()) / (1.0 if constant else counted.std())
    return np.asarray(centred if known is None else np.where(known, centred, 0.0))


def coins(
    shape: tuple[int, int],
    exchange: str,
    *,
    trials: int,
    seed: int,
    documents: Sequence[str] | None = None,
) -> Iterator[NDArray[np.bool_]]:
    """Blocks of coins, (trials, systems or 1, segments or 1); a document's segments share one."""
    check_trials(trials, seed)
    if exchange not in EXCHANGES:
        raise OptionError(did_you_mean("exchange", exchange, EXCHANGES))
    systems, segments = shape
    items = None if exchange == "systems" else units_of(segments, documents)
    count_of = 1 if items is None else items.count
    size = {"both": (systems, count_of), "items": (1, count_of), "systems": (systems, 1)}[exchange]
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK_BYTES // (8 * systems * segments))
    for start in range(0, trials, step):
        count = min(step, trials - start)
        thrown = rng.integers(0, 2, (count, *size), dtype=np.int8).astype(np.bool_)
        yield thrown if items is None else thrown[:, :, items.of_segment]


# Permutation tests of acc_eq, the accuracy with calibrated ties (Deutsch et al. 2021, 2023).
#
# A pair of outputs is right or wrong by itself, once it is known which metric scored each of the
# two. So the accuracy after any exchange is a sum over pairs, linear in the coins of both outputs
# and in their product, and thousands of exchanges are a few matrix products. ε is calibrated once
# for each metric; for a pair whose outputs were scored by different metrics it lies halfway
# between.

ACC_EQ: Final = "acc-eq-item"
SOFT: Final = "soft-accuracy"
PERMUTABLE: Final = ("pearson", "spearman", "kendall", "accuracy", SOFT, ACC_EQ)
"""Measures that metrics can be tested by."""


def accuracy_permutation_test(
    ratings: Floats,
    baseline: Floats,
    system: Floats,
    *,
    exchange: Exchange = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
    documents: Sequence[str] | None = None,
) -> PermutationTest:
    """Does the second metric have a higher acc_eq (mean over segments) than the first?

    All are (systems, segments). Ratings may be NaN; scores may be where the rating is.
    ``documents`` has the document of every segment.
    """
    if not np.shape(ratings) == np.shape(baseline) == np.shape(system):
        raise InputError(
            f"scores: found shapes {np.shape(baseline)} and {np.shape(system)}, "
            f"expected {np.shape(ratings)} (ratings)"
        )
    known = ~np.isnan(ratings)
    if np.isnan(baseline[known]).any() or np.isnan(system[known]).any():
        raise InputError("scores: found NaN, expected a score of every rated output")
    first, second = (standardised(scores, known) for scores in (baseline, system))
    accuracy = _accuracy(ratings, first, second)
    nulls = []
    for mask in coins(first.shape, exchange, trials=trials, seed=seed, documents=documents):
        second_at = mask.astype(np.float64)
        nulls.append(accuracy.value(1 - second_at) - accuracy.value(second_at))
    return PermutationTest(
        measure=ACC_EQ,
        exchange=exchange,
        baseline=accuracy.constant,
        system=accuracy.of_second,
        observed=accuracy.of_second - accuracy.constant,
        null=np.concatenate(nulls),
        seed=seed,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Accuracy:
    """The accuracy as a function of coins: 1 where the second metric scored an output.

    ``constant`` is that of the first metric, ``of_second`` that of the other; ``linear`` is
    (systems, segments), ``products`` (pairs of systems, segments).
    """

    constant: float
    of_second: float
    linear: Floats
    products: Floats
    left: NDArray[np.intp]
    right: NDArray[np.intp]

    def value(self, thrown: Floats) -> Floats:
        """Of coins (trials, systems or 1, segments or 1)."""
        systems, segments = thrown.shape[1:]
        if systems == 1:  # the same coin twice is its own product
            weights = self.linear.sum(axis=0) + self.products.sum(axis=0)
            return np.asarray(self.constant + thrown[:, 0] @ weights)
        if segments == 1:
            flat = thrown[:, :, 0]
            found = flat @ self.linear.sum(axis=1)
            both = flat[:, self.left] * flat[:, self.right]
            return np.asarray(self.constant + found + both @ self.products.sum(axis=1))
        found = self.constant + np.tensordot(thrown, self.linear, axes=2)
        for index, (i, j) in enumerate(zip(self.left, self.right, strict=True)):
            found = found + (thrown[:, i] * thrown[:, j]) @ self.products[index]
        return np.asarray(found)


def _accuracy(ratings: Floats, first: Floats, second: Floats) -> _Accuracy:
    epsilons = [_epsilon(ratings, measured) for measured in (first, second)]
    left, right = np.triu_indices(len(ratings), 1)
    rated = ratings[left] - ratings[right]
    there = ~np.isnan(rated)
    pairs = there.sum(axis=0)
    weights = there / np.maximum(pairs, 1) / max(1, int((pairs > 0).sum()))

    def right_at(a: int, b: int) -> Floats:
        scores = (first, second)
        distance = scores[a][left] - scores[b][right]
        tied = np.abs(distance) <= (epsilons[a] + epsilons[b]) / 2
        agrees = np.where(tied, rated == 0, np.sign(distance) == np.sign(rated))
        return np.asarray(np.where(there, agrees, 0.0) * weights)

    none, both = right_at(0, 0), right_at(1, 1)
    of_first, of_other = right_at(1, 0), right_at(0, 1)
    linear = np.zeros(ratings.shape)
    np.add.at(linear, left, of_first - none)
    np.add.at(linear, right, of_other - none)
    return _Accuracy(
        constant=float(none.sum()),
        of_second=float(both.sum()),
        linear=linear,
        products=both - of_first - of_other + none,
        left=left,
        right=right,
    )


def _epsilon(ratings: Floats, scores: Floats) -> float:
    found = calibrate_ties(ratings, scores, "item").epsilon
    return 0.0 if np.isnan(found) else found


# Permutation tests between all metrics, beside Williams' for those whose segments are known.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutationMatrix:
    """One-sided p-values that the metric of a row agrees better than that of a column.

    NaN where the row's agreement is not the greater one. ``agreements`` are those of the scores
    that were exchanged: of systems, or of the means of their segments. ``left_out`` are metrics
    that have none.
    """

    metrics: tuple[str, ...]
    measure: str
    exchange: Exchange
    agreements: tuple[float, ...]
    p_values: Floats = field(repr=False)
    trials: int
    seed: int
    left_out: tuple[str, ...] = ()
    unit: Unit = "segment"
    """What an item is: a document where documents are known."""

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "test": "permutation",
            "exchange": self.exchange,
            "measure": self.measure,
            "metrics": list(self.metrics),
            "agreements": [or_none(value) for value in self.agreements],
            "p_values": [[or_none(value) for value in row] for row in self.p_values.tolist()],
            "trials": self.trials,
            "seed": self.seed,
            "left_out": list(self.left_out),
            "unit": self.unit,
        }


def permutation_matrix(
    judgments: Judgments,
    scores: Sequence[MetricScores],
    *,
    measure: str = "pearson",
    exchange: Exchange = "systems",
    trials: int = 1000,
    seed: int = DEFAULT_SEED,
) -> PermutationMatrix:
    """A permutation test of all pairs of metrics, on systems that all of them scored.

    ``measure`` is one of the system level, soft-accuracy or acc-eq-item. All but the exchange of
    whole systems under a measure of systems needs scores of segments; metrics without them are left
    out.
    """
    if exchange not in EXCHANGES:
        raise OptionError(did_you_mean("exchange", exchange, EXCHANGES))
    whole = exchange == "systems" and measure not in {ACC_EQ, SOFT}
    chosen: list[MetricScores] = []
    left_out: list[MetricScores] = []
    for score in scores:
        fits = whole or _scored_throughout(align(judgments, score), measure)
        (chosen if fits else left_out).append(score)
    if len(chosen) < 2:
        raise InputError(
            f"{judgments.name} {judgments.criterion}: found {counted(len(chosen), 'metric')} with "
            "a score of "
            f"every segment that the permutation test of {measure} needs, expected two or more"
        )
    aligned = common_systems(judgments, chosen)
    size = len(aligned)
    p_values = np.full((size, size), np.nan)
    agreements = [float("nan")] * size
    if measure == SOFT:
        agreements = _soft_tests(aligned, p_values, exchange, trials=trials, seed=seed)
    for a in range(size if measure != SOFT else 0):
        for b in range(a + 1, size):
            test = _tested(
                aligned[a], aligned[b], measure, exchange, whole=whole, trials=trials, seed=seed
            )
            agreements[a], agreements[b] = test.baseline, test.system
            row, column = (b, a) if test.delta > 0 else (a, b)
            if abs(test.delta) > 0:  # neither equal nor NaN
                # Exchanging the metrics turns the null distribution round.
                sign = np.sign(test.delta)
                extreme = sign * test.null >= sign * test.observed - ROUNDING
                p_values[row, column] = p_value_of(int(np.count_nonzero(extreme)), test.trials)
    return PermutationMatrix(
        metrics=tuple(chosen_scores.metric for chosen_scores in chosen),
        measure=measure,
        exchange=exchange,
        agreements=tuple(agreements),
        p_values=p_values,
        trials=trials,
        seed=seed,
        left_out=tuple(other_scores.metric for other_scores in left_out),
        unit=units_of(len(judgments.documents or ()), judgments.documents).unit,
    )


def _soft_tests(
    aligned: Sequence[Aligned], p_values: Floats, exchange: Exchange, *, trials: int, seed: int
) -> list[float]:
    """Soft pairwise accuracies; p-values are filled in where the row's is the greater one."""
    from tertium.meta.agreement.null_differences import SoftDifferences

    ratings = aligned[0].segment_ratings
    if ratings is None:
        raise InputError(f"{aligned[0].place}: no ratings of segments, expected some for {SOFT}")
    rated = ~np.isnan(ratings).any(axis=0)
    documents = aligned[0].judgments.documents
    null = SoftDifferences(
        ratings[:, rated],
        [_segments(one)[:, rated] for one in aligned],
        exchange=exchange,
        documents=None
        if documents is None
        else [documents[place] for place in np.flatnonzero(rated).tolist()],
        trials=trials,
        seed=seed,
    )
    greater = null.values[:, np.newaxis] > null.values[np.newaxis, :]
    p_values[greater] = null.p_values()[greater]
    return [float(value) for value in null.values]


def _scored_throughout(aligned: Aligned, measure: str) -> bool:
    """Whether every segment that counts has a score to exchange."""
    if aligned.segment_scores is None:
        return False
    scores = aligned.segment_scores
    if measure in {ACC_EQ, SOFT} and aligned.segment_ratings is not None:
        scores = scores[~np.isnan(aligned.segment_ratings)]
    return not bool(np.isnan(scores).any())


def _tested(
    first: Aligned,
    second: Aligned,
    measure: str,
    exchange: Exchange,
    *,
    whole: bool,
    trials: int,
    seed: int,
) -> PermutationTest:
    if measure == ACC_EQ:
        if first.segment_ratings is None:
            raise InputError(f"{first.place}: no ratings of segments, expected some for {measure}")
        return accuracy_permutation_test(
            first.segment_ratings,
            _segments(first),
            _segments(second),
            exchange=exchange,
            trials=trials,
            seed=seed,
            documents=first.judgments.documents,
        )
    a, b = (side.scores if whole else _segments(side) for side in (first, second))
    return permutation_test(
        first.ratings,
        a,
        b,
        measure=measure,
        exchange=exchange,
        trials=trials,
        seed=seed,
        documents=None if whole else first.judgments.documents,
    )


def _segments(aligned: Aligned) -> Floats:
    if aligned.segment_scores is None:
        raise InputError(f"{aligned.place}: no scores of segments, expected some to exchange")
    return aligned.segment_scores
