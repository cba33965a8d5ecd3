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

from tertium.errors import InputError, OptionError
from tertium.inference.choices import DEFAULT_SEED
from tertium.inference.p_values import p_value_of
from tertium.inference.rows import check_trials
from tertium.inference.units import units_of
from tertium.meta.agreement.choices import EXCHANGES, Exchange
from tertium.meta.agreement.correlation import system_agreement
from tertium.meta.agreement.json_numbers import or_none
from tertium.meta.ratings.judgments import Floats
from tertium.plurals import counted
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
    found = np.array([system_agreement(measure, ratings, one) for one in means])
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
