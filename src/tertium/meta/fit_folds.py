"""What to hold out of a fit: whole test sets, or some systems of each."""

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.choices import VALIDATIONS
from tertium.meta.fit_cases import PreparedCase
from tertium.meta.judgments import Floats
from tertium.meta.measures import LEAST_SYSTEMS
from tertium.suggestions import did_you_mean

Split: TypeAlias = tuple[tuple[int, ...] | None, ...]
"""The places of some systems of every case; ``None`` where the case is not taken at all."""

MOST_FOLDS: Final = 5


def splits_of(
    prepared: Sequence[PreparedCase], how: str, folds: int | None, seed: int
) -> list[tuple[str, Split]]:
    """What to hold out, each with a name; nothing where there is too little."""
    if how == "none":
        return []
    if how == "cases":
        if len(prepared) < 2:
            raise InputError("validation by cases: found 1 case, expected at least 2")
        return [
            (
                one.name,
                tuple(tuple(range(x.systems)) if x is one else None for x in prepared),
            )
            for one in prepared
        ]
    if how != "systems":
        raise OptionError(did_you_mean("validation", how, VALIDATIONS))
    least = min(one.systems for one in prepared) // LEAST_SYSTEMS
    count = min(MOST_FOLDS, least) if folds is None else folds
    if folds is not None and not 2 <= folds <= least:
        raise OptionError(
            f"folds: found {folds}, expected 2 to {least}, so that each has {LEAST_SYSTEMS} systems"
        )
    if count < 2:
        return []
    rng = np.random.default_rng(seed)
    placed = [_places(one.aligned.ratings, count, rng) for one in prepared]
    return [
        (
            f"fold {fold + 1} of {count}",
            tuple(tuple(np.flatnonzero(places == fold).tolist()) for places in placed),
        )
        for fold in range(count)
    ]


def _places(ratings: Floats, folds: int, rng: np.random.Generator) -> Floats:
    """The fold of every system, such that each fold has good and bad ones."""
    result = np.zeros(len(ratings))
    order = np.argsort(ratings, kind="stable")
    for start in range(0, len(order), folds):
        some = order[start : start + folds]
        result[some] = rng.permutation(folds)[: len(some)]
    return result
