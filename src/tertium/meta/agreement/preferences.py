"""Segment-level agreement with people's preferences: the Kendall's τ of the WMT tasks.

People say that one output is better than another. The metric agrees (concordant), says the
opposite (discordant), or has a tie. Pairs that people found equal never count. The WMT tasks
differ in what a metric's tie counts (Macháček & Bojar 2014):

- ``wmt12``: (C − D − T) / (C + D + T): a tie is as bad as the wrong order; so did WMT10 and 11.
- ``wmt13``: (C − D) / (C + D): ties are ignored.
- ``wmt14``: (C − D) / (C + D + T): a tie is worth nothing, but is counted.
- ``darr`` is ``wmt12``'s formula (Ma et al. 2018), where the preferences are made of
  direct assessments that differ by 25 points or more (WMT17 to WMT20).
- ``consistency`` is C / (C + D + T), the share in people's order (WMT08 and 09; Chen & Kuhn
  2011, section 3.3).
"""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.correlation import Additive, share
from tertium.meta.ratings.judgments import Comparisons, Floats, Indices
from tertium.metrics.contract.base import Rows, Scores
from tertium.suggestions import did_you_mean

PreferenceMeasure: TypeAlias = Literal["wmt12", "wmt13", "wmt14", "darr", "consistency"]
DARR_POINTS: Final = 25.0

# What a concordant, discordant and tied pair adds above and below the line.
_COEFFICIENTS: Final[dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]]] = {
    "wmt12": ((1, -1, -1), (1, 1, 1)),
    "wmt13": ((1, -1, 0), (1, 1, 0)),
    "wmt14": ((1, -1, 0), (1, 1, 1)),
    "darr": ((1, -1, -1), (1, 1, 1)),
    "consistency": ((1, 0, 0), (1, 1, 1)),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Preferences:
    """Pairs of systems on a segment of which people preferred the first.

    ``tied`` is the number of pairs that people found equal, which are not among them.
    """

    segment: Indices = field(repr=False)
    better: Indices = field(repr=False)
    worse: Indices = field(repr=False)
    tied: int = 0

    def __len__(self) -> int:
        return len(self.segment)


def preferences_of(comparisons: Comparisons) -> Preferences:
    """Comparisons without ties; what several judges said counts several times."""
    strict = ~comparisons.tie
    return Preferences(
        segment=comparisons.segment[strict],
        better=comparisons.better[strict],
        worse=comparisons.worse[strict],
        tied=int(comparisons.tie.sum()),
    )


def relative_ranks(ratings: Floats, *, points: float = DARR_POINTS) -> Preferences:
    """daRR: pairs of (systems, segments) direct assessments that differ by so many points.

    >>> found = relative_ranks(np.array([[90.0, 50.0], [60.0, 40.0]]))
    >>> found.better.tolist(), found.worse.tolist(), found.segment.tolist(), found.tied
    ([0], [1], [0], 1)
    """
    if not points > 0:
        raise OptionError(f"points: found {points}, expected more than 0, such as 25")
    first, second = np.triu_indices(len(ratings), 1)
    difference = ratings[first] - ratings[second]
    pairs, segments = np.nonzero(np.abs(difference) >= points)
    ahead = difference[pairs, segments] > 0
    return Preferences(
        segment=segments.astype(np.int32),
        better=np.where(ahead, first[pairs], second[pairs]).astype(np.int32),
        worse=np.where(ahead, second[pairs], first[pairs]).astype(np.int32),
        tied=int(np.count_nonzero(np.abs(difference) < points)),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PreferenceCounts:
    """Concordant, discordant and tied pairs of every segment, shape (segments, 3).

    ``unscored`` is the number of pairs that the metric has no score for.
    """

    rows: Rows = field(repr=False)
    unscored: int

    @property
    def concordant(self) -> int:
        """Pairs in people's order."""
        return int(self.rows[:, 0].sum())

    @property
    def discordant(self) -> int:
        """Pairs in the opposite order."""
        return int(self.rows[:, 1].sum())

    @property
    def tied(self) -> int:
        """Pairs with equal scores."""
        return int(self.rows[:, 2].sum())

    def measure(self, name: str) -> Additive:
        """One of the measures, NaN where no pair counts."""
        if name not in _COEFFICIENTS:
            raise OptionError(did_you_mean("measure", name, _COEFFICIENTS))
        above, below = (
            np.array(coefficients, dtype=np.float64) for coefficients in _COEFFICIENTS[name]
        )

        def score(rows: Rows) -> Scores:
            return share(np.stack([rows @ above, rows @ below], axis=-1))

        return Additive(rows=self.rows, score=score)


def count_preferences(preferences: Preferences, scores: Floats) -> PreferenceCounts:
    """Hold preferences against a metric's (systems, segments) scores; higher is better."""
    segments = scores.shape[1]
    if len(preferences) and int(preferences.segment.max()) >= segments:
        raise InputError(
            f"preferences: found segment {int(preferences.segment.max()) + 1}, "
            f"expected at most {segments} (segments of the metric)"
        )
    better = scores[preferences.better, preferences.segment]
    worse = scores[preferences.worse, preferences.segment]
    rows = np.stack(
        [
            np.bincount(preferences.segment[found], minlength=segments)
            for found in (better > worse, better < worse, better == worse)
        ],
        axis=-1,
    ).astype(np.float64)
    return PreferenceCounts(rows=rows, unscored=len(preferences) - int(rows.sum()))
