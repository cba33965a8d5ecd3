"""Bootstrap resamples (Koehn 2004), drawn exactly as sacreBLEU draws them."""

import os
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.errors import SeedError
from tertium.metrics.contract.base import Rows

_DRAWN_AT_ONCE: Final = 1 << 20
"""Segment numbers in memory at a time; drawing in blocks does not change the numbers."""


def seed_text() -> str:
    """The seed that sacreBLEU's environment variable asks for; ``none`` means any."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


def resampled_sums(rows: Rows, trials: int, seed: str) -> Iterator[NDArray[np.float32]]:
    """For each trial the summed statistics of as many segments, drawn with replacement.

    sacreBLEU resamples in single precision and adds the segments one by one, and its scores
    inherit the rounding; the sums are made likewise so that the last digit agrees.
    """
    rng = np.random.default_rng(seed_number(seed))
    single = np.ascontiguousarray(rows, dtype=np.float32)
    segments = len(single)
    block = max(1, _DRAWN_AT_ONCE // segments)
    for start in range(0, trials, block):
        draws = rng.choice(segments, size=(min(block, trials - start), segments), replace=True)
        yield from (single.take(draw, axis=0).sum(axis=0) for draw in draws)


def seed_number(seed: str) -> int | None:
    """The number in the text, or ``None`` for any."""
    if seed == "none":
        return None
    try:
        return int(seed)
    except ValueError:
        raise SeedError(
            f"SACREBLEU_SEED: found '{seed}', expected a whole number or none"
        ) from None
