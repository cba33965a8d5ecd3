"""Names beside points, placed so that they cover neither each other nor the points."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_LETTER: Final = 6.2
"""Width of a letter in pixels, about, at the size of labels."""
_LINE: Final = 13.0
_GAP: Final = 7.0

# Plotly's names of the places around a point: what share of the text lies left of it, and
# how many lines above or below.
_PLACES: Final = {
    "middle right": (0.0, 0.0),
    "middle left": (1.0, 0.0),
    "top center": (0.5, 1.0),
    "bottom center": (0.5, -1.0),
    "top right": (0.0, 1.0),
    "bottom right": (0.0, -1.0),
    "top left": (1.0, 1.0),
    "bottom left": (1.0, -1.0),
}


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    right: float
    bottom: float
    top: float

    def overlap(self, other: "Box") -> float:
        """The area shared by both."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, wide) * max(0.0, high)


def placed(
    names: Sequence[str],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    *,
    width: float,
    height: float,
) -> list[str]:
    """Where each name stands, as Plotly's ``textposition``; points fill width × height pixels."""
    across, up = _pixels(x, width), _pixels(y, height)
    marks = [Box(a - 5, a + 5, b - 5, b + 5) for a, b in zip(across, up, strict=True)]
    frame = Box(-0.08 * width, 1.08 * width, -0.08 * height, 1.08 * height)
    chosen: dict[int, str] = {}
    taken: list[Box] = []
    # From the top down: neighbours are decided one after the other.
    for number in sorted(range(len(names)), key=lambda i: (-up[i], across[i])):
        options = list(_boxes(len(names[number]), across[number], up[number]))
        costs = [
            sum(box.overlap(other) for other in taken)
            + sum(box.overlap(mark) for mark in marks)
            + 10 * ((box.right - box.left) * _LINE - box.overlap(frame))
            for _, box in options
        ]
        # Places that cost the same do so on every machine, whatever its last digits are.
        place, box = options[int(np.argmin(np.round(costs, 6)))]
        chosen[number] = place
        taken.append(box)
    return [chosen[number] for number in range(len(names))]


def _pixels(values: NDArray[np.float64], size: float) -> list[float]:
    spread = float(np.ptp(values)) if len(values) else 0.0
    if spread == 0:
        return [size / 2] * len(values)
    scaled: list[float] = ((values - values.min()) / spread * size).tolist()
    return scaled


def _boxes(letters: int, x: float, y: float) -> Iterator[tuple[str, Box]]:
    wide = letters * _LETTER
    for place, (share, line) in _PLACES.items():
        gap = _GAP * (1 - 2 * share)
        left = x - share * wide + gap
        middle = y + line * (_LINE / 2 + _GAP)
        yield place, Box(left, left + wide, middle - _LINE / 2, middle + _LINE / 2)
