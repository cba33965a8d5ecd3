"""How often something happened in simulations, and how often it should have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from experiments.sections import Table

SIMULATIONS: Final = 5000
"""Every one draws its own resamples: were they shared, all simulations that share them would be too
eager or too shy together, and shares would vary by more than their standard errors say."""
INTERVAL_SIMULATIONS: Final = 2000
"""Intervals need more resamples, and may be further off."""
AT_ONCE: Final = 50
"""Simulations whose data are drawn together."""
TRIALS: Final = 199
"""Of each test: p-values are exact with any number of them."""
RESAMPLES: Final = 999
"""Of each interval, whose ends are rough with few."""
ALPHA: Final = 0.05
COVERED: Final = 0.02
"""How far from 95 % the coverage of an interval may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of simulations beside the one wanted."""

    found: float
    wanted: float
    simulations: int

    @property
    def error(self) -> float:
        """The standard error of the share, if it is the one wanted."""
        return float(np.sqrt(self.wanted * (1 - self.wanted) / self.simulations))

    @property
    def holds(self) -> bool:
        """Whether it is within two standard errors of the one wanted."""
        return abs(self.found - self.wanted) <= 2 * self.error

    @property
    def at_most(self) -> bool:
        """Whether it is not above the one wanted, but for chance."""
        return self.found <= self.wanted + 2 * self.error

    def __str__(self) -> str:
        return f"{100 * self.found:.1f} %"


def shares(counts: Mapping[str, int], simulations: int, wanted: float = ALPHA) -> dict[str, Share]:
    """Counts as shares of all simulations."""
    return {
        name: Share(found=count / simulations, wanted=wanted, simulations=simulations)
        for name, count in counts.items()
    }


def side_by_side(first: str, columns: Mapping[str, Mapping[str, Share]], note: str) -> Table:
    """One column for each setting, one row for each name."""
    names = dict.fromkeys(name for some in columns.values() for name in some)
    rows = [[name, *(str(some[name]) for some in columns.values())] for name in names]
    return Table(columns=[first, *columns], rows=rows, note=note)
