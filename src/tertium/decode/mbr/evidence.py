"""What is probable: texts without duplicates, with probabilities that add up to 1."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tertium.decode.structures.arrays import Floats, read_only
from tertium.errors import InputError, OptionError
from tertium.plurals import counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Distinct texts in the order of their first places, and how probable each is.

    >>> Evidence.of(["a", "b", "a"]).probabilities
    array([0.66666667, 0.33333333])
    """

    texts: tuple[str, ...]
    probabilities: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", tuple(self.texts))
        shares: Floats = read_only(self.probabilities, np.float64)
        object.__setattr__(self, "probabilities", shares)
        if shares.shape != (len(self.texts),) or len(set(self.texts)) < len(self.texts):
            found = f"found {counted(len(self.texts), 'text')} and {shares.size} probabilities"
            raise InputError(f"evidence: {found}, expected distinct texts with one each")
        if not (shares >= 0).all() or abs(shares.sum() - 1) > 1e-6:
            raise InputError(
                f"evidence: found probabilities that sum to {shares.sum():g}, "
                "expected 1, and none below 0"
            )

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        scores: ArrayLike | None = None,
        *,
        scale: float = 1.0,
        place: str = "candidates",
    ) -> "Evidence":
        """Probabilities ∝ exp(scale · score), all equal without scores; the same text adds up."""
        if isinstance(texts, str):
            raise InputError(f"{place}: found one string, expected several texts")
        if len(texts) == 0:
            raise InputError(f"{place}: found none, expected at least one text")
        for number, text in enumerate(texts, 1):
            if not isinstance(text, str):
                raise InputError(f"{place}: found {text!r} as text {number}, expected a string")
        shares = probabilities_of(scores, len(texts), scale=scale, location=place)
        sums: dict[str, float] = {}
        for text, share in zip(texts, shares.tolist(), strict=True):
            sums[text] = sums.get(text, 0.0) + share
        return cls(texts=tuple(sums), probabilities=np.array(list(sums.values())))

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def best(self) -> int:
        """The most probable text, the first among equals."""
        return int(np.argmax(self.probabilities))


def probabilities_of(
    scores: ArrayLike | None, size: int, *, scale: float = 1.0, location: str = "candidates"
) -> Floats:
    """Model scores (log-probabilities up to a constant) as probabilities that sum to 1.

    ``scale`` is the posterior scale of Kumar & Byrne (2004): below 1 flattens, 0 is uniform.
    """
    if not (np.isfinite(scale) and scale >= 0):
        raise OptionError(f"scale: found {scale:g}, expected a number, 0 or more")
    if scores is None:
        return np.full(size, 1 / size)
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != (size,):
        raise InputError(f"{location}: found {counted(values.size, 'score')}, expected {size}")
    if not np.isfinite(values).all():
        worst = int(np.argmin(np.isfinite(values)))
        raise InputError(
            f"{location}: text {worst + 1}: found score {values[worst]}, expected a finite number"
        )
    scaled = scale * values
    shares = np.exp(scaled - scaled.max())
    return np.asarray(shares / shares.sum())
