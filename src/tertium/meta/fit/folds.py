"""What to hold out of a fit: whole test sets, or some systems under all their criteria.

Two criteria of the same systems are no two test sets. Adequacy and fluency of one output go up and
down together, so that parameters fitted to one have seen the other: held out that way, even a
fit to random numbers looks like a gain.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.installation import scipy_for
from tertium.meta.agreement.choices import VALIDATIONS
from tertium.meta.agreement.measures import LEAST_SYSTEMS
from tertium.meta.fit.cases import MatchedCase
from tertium.meta.ratings.judgments import Floats
from tertium.suggestions import did_you_mean

Split: TypeAlias = tuple[tuple[int, ...] | None, ...]
"""The places of some systems of every case; ``None`` where the case is not taken at all."""

MOST_FOLDS: Final = 5


def cases_by_test_set(matched: Sequence[MatchedCase]) -> list[list[int]]:
    """The places of cases by test set: those that share an output belong together."""
    groups: list[tuple[set[str], list[int]]] = []
    for place, one in enumerate(matched):
        outputs, places = set(one.outputs), [place]
        for group in [group for group in groups if group[0] & outputs]:
            outputs |= group[0]
            places = [*group[1], *places]
            groups.remove(group)
        groups.append((outputs, places))
    return sorted(places for _, places in groups)


def splits_of(
    matched: Sequence[MatchedCase], how: str | None, folds: int | None, seed: int
) -> tuple[str, list[tuple[str, Split]]]:
    """How it is held out, and what, each with a name; nothing where there is too little.

    Without a choice these are test sets where there are several, such as years; else systems.
    """
    together = cases_by_test_set(matched)
    chosen = how or ("test-sets" if len(together) > 1 else "systems")
    if chosen not in VALIDATIONS:
        raise OptionError(did_you_mean("validation", chosen, VALIDATIONS))
    if chosen == "test-sets":
        return chosen, _test_sets(matched, together)
    return chosen, _systems(matched, together, folds, seed) if chosen == "systems" else []


def _test_sets(
    matched: Sequence[MatchedCase], together: Sequence[Sequence[int]]
) -> list[tuple[str, Split]]:
    if len(together) < 2:
        raise InputError(
            "validation by test sets: found 1 test set, expected at least 2; criteria of the same "
            "systems are one"
        )
    return [
        (
            ", ".join(matched[place].name for place in places),
            tuple(
                tuple(range(one.systems)) if place in places else None
                for place, one in enumerate(matched)
            ),
        )
        for places in together
    ]


def _systems(
    matched: Sequence[MatchedCase],
    together: Sequence[Sequence[int]],
    folds: int | None,
    seed: int,
) -> list[tuple[str, Split]]:
    """Some systems of every test set, held out under all criteria at once."""
    least = min(one.systems for one in matched) // LEAST_SYSTEMS
    count = min(MOST_FOLDS, least) if folds is None else folds
    if folds is not None and not 2 <= folds <= least:
        raise OptionError(
            f"folds: found {folds}, expected 2 to {least}, so that each has {LEAST_SYSTEMS} systems"
        )
    if count < 2:
        return []
    rng = np.random.default_rng(seed)
    fold_of: dict[str, int] = {}
    for places in together:
        goodness = _goodness([matched[place] for place in places])
        folded = _places(np.array(list(goodness.values())), count, rng)
        fold_of |= dict(zip(goodness, folded.astype(int).tolist(), strict=True))
    return [
        (
            f"fold {fold + 1} of {count}",
            tuple(
                tuple(i for i, output in enumerate(one.outputs) if fold_of[output] == fold)
                for one in matched
            ),
        )
        for fold in range(count)
    ]


def _goodness(cases: Sequence[MatchedCase]) -> dict[str, float]:
    """Every output of a test set with its mean rank, as a share, under the criteria it has."""
    with scipy_for("folds of a fit"):
        from scipy.stats import rankdata

    found: dict[str, list[float]] = {}
    for one in cases:
        ranks = rankdata(one.aligned.ratings) / one.systems
        for output, rank in zip(one.outputs, ranks.tolist(), strict=True):
            found.setdefault(output, []).append(rank)
    return {output: float(np.mean(ranks)) for output, ranks in found.items()}


def _places(ratings: Floats, folds: int, rng: np.random.Generator) -> Floats:
    """The fold of every system, such that each fold has good and bad ones."""
    result = np.zeros(len(ratings))
    order = np.argsort(ratings, kind="stable")
    for start in range(0, len(order), folds):
        some = order[start : start + folds]
        result[some] = rng.permutation(folds)[: len(some)]
    return result
