"""Bands that numbers fall into: lengths, frequencies, ratios. Every number has one band."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Half-open intervals between edges that rise: below the first, …, from the last on."""

    edges: tuple[float, ...]

    def __post_init__(self) -> None:
        rises = all(a < b for a, b in zip(self.edges, self.edges[1:], strict=False))
        if not self.edges or not rises or self.edges[0] <= 0:
            found = " ".join(f"{edge:g}" for edge in self.edges) or "none"
            raise OptionError(f"band edges: found {found}, expected numbers above 0 that rise")

    def __len__(self) -> int:
        return len(self.edges) + 1

    def of(self, numbers: ArrayLike) -> NDArray[np.intp]:
        """The index of every number's band."""
        return np.searchsorted(np.asarray(self.edges), np.asarray(numbers), side="right")

    def counts(self, numbers: ArrayLike) -> tuple[int, ...]:
        """How many numbers every band has."""
        return tuple(np.bincount(self.of(numbers), minlength=len(self)).tolist())

    @property
    def labels(self) -> tuple[str, ...]:
        """The bands in words.

        >>> Bands(edges=(1, 2, 5)).labels
        ('0', '1', '2–4', '5+')
        >>> Bands(edges=(0.5, 1)).labels
        ('<0.5', '0.5–1', '1+')
        """
        starts = (0, *self.edges)
        inner = [self._label(a, b) for a, b in zip(starts, self.edges, strict=False)]
        return (*inner, f"{self.edges[-1]:g}+")

    def _label(self, start: float, end: float) -> str:
        if not all(edge == int(edge) for edge in self.edges):
            return f"{start:g}–{end:g}" if start else f"<{end:g}"
        return f"{start:g}" if end == start + 1 else f"{start:g}–{end - 1:g}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {"edges": list(self.edges), "labels": list(self.labels)}


LENGTHS: Final = Bands(edges=(10, 20, 30, 40, 50, 60))
"""Words in a reference: the bands of every slicing by length."""
