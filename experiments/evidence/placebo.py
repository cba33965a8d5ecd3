"""How often standings by people draw a line between two systems that are equally good.

Two real systems of WMT23 zh-en exchange their ratings at random, a document at a time, so that
neither is better than the other; a test at 5 % may find a difference in 5 % of the repetitions.
Beside it all systems exchange theirs: then any two that differ are an error of the whole family.

``python -m experiments.evidence.placebo DATA`` prints the tables of docs/meta.md.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.ratings.standing import Standings, standings

CRITERIA: Final = {"mqm": "MQM", "da-sqm": "DA-SQM"}
REPETITIONS: Final = 400
SIZES: Final = (5, 8, 12, 20, 40)
"""Documents of small campaigns."""
SMALL_REPETITIONS: Final = 1000
SEED: Final = 2023


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How often something happened among so many repetitions."""

    count: int
    size: int

    @property
    def value(self) -> float:
        """The share."""
        return self.count / self.size

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 %: what other repetitions could have given."""
        z2 = 1.959964**2
        middle = (self.count + z2 / 2) / (self.size + z2)
        half = z2**0.5 / (self.size + z2)
        half *= (self.size * self.value * (1 - self.value) + z2 / 4) ** 0.5
        return middle - half, middle + half

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def read(data: Path, criterion: str) -> Ratings:
    """The ratings of WMT23 zh-en under one criterion, with their documents."""
    (ratings,) = read_ratings([data / "wmt23" / "human-scores" / f"zh-en.{criterion}.seg.score"])
    if not isinstance(ratings, Ratings):
        raise TypeError(f"{criterion}: found rankings, expected ratings")
    return ratings


def exchanged(
    ratings: Ratings,
    rng: np.random.Generator,
    *,
    systems: int | None = None,
    documents: int | None = None,
) -> Ratings:
    """Some systems drawn at random, all by default, whose documents belong to any of them.

    Of ``documents`` so many are drawn from those that were rated.
    """
    table = ratings.judgments().segments
    if table is None or ratings.documents is None:
        raise TypeError("ratings: found none of segments in documents, expected some")
    size = systems or len(ratings.systems)
    chosen = table[rng.permutation(len(table))[:size]]
    _, document = np.unique(ratings.documents, return_inverse=True)
    orders = rng.permuted(np.tile(np.arange(size), (document.max() + 1, 1)), axis=1)
    mixed = np.take_along_axis(chosen, orders[document].T, axis=0)
    if documents is not None:
        rated = np.unique(document[np.isfinite(mixed).all(axis=0)])
        drawn = rng.choice(rated, documents, replace=False)
        mixed = np.where(np.isin(document, drawn), mixed, np.nan)
    system, segment = np.nonzero(np.isfinite(mixed))
    return replace(
        ratings,
        systems=tuple(f"placebo {number}" for number in range(size)),
        system=system.astype(np.int32),
        segment=segment.astype(np.int32),
        judge=np.zeros(len(system), dtype=np.int32),
        value=mixed[system, segment],
        rows=(),
    )


def line_drawn(found: Standings) -> bool:
    """Whether a line divides the systems."""
    return found[len(found) - 1].cluster > 1


def any_different(found: Standings) -> bool:
    """Whether any two systems differ significantly."""
    return found.basis is not None and found.basis.different > 0


def placebo(ratings: Ratings, repetitions: int, *, seed: int = SEED) -> tuple[Share, Share, Share]:
    """Lines by segments, lines by documents, and any difference among all systems by documents."""
    rng = np.random.default_rng(seed)
    counts = [0, 0, 0]
    for repetition in range(repetitions):
        two = exchanged(ratings, rng, systems=2)
        every = exchanged(ratings, rng)
        counts[0] += line_drawn(standings(replace(two, documents=None), seed=repetition))
        counts[1] += line_drawn(standings(two, seed=repetition))
        counts[2] += any_different(standings(every, seed=repetition))
    first, second, third = (Share(count=count, size=repetitions) for count in counts)
    return first, second, third


def small_placebo(ratings: Ratings, documents: int, repetitions: int, *, seed: int = SEED) -> Share:
    """Lines between two systems by so many documents, drawn at random."""
    rng = np.random.default_rng([seed, documents])
    lines = sum(
        line_drawn(standings(exchanged(ratings, rng, systems=2, documents=documents), seed=number))
        for number in range(repetitions)
    )
    return Share(count=lines, size=repetitions)


def tables(data: Path, repetitions: int = REPETITIONS) -> Iterator[str]:
    """The lines of both tables in Markdown."""
    given = {title: read(data, criterion) for criterion, title in CRITERIA.items()}
    columns = ("documents", "repetitions", "by segments", "by documents", "any of all pairs")
    yield f"| ratings | {' | '.join(columns)} |"
    yield "|---|--:|--:|--:|--:|--:|"
    for title, ratings in given.items():
        cells = [title, str(_documents(ratings)), str(repetitions)]
        cells += map(str, placebo(ratings, repetitions))
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield f"| documents drawn | {' | '.join(given)} |"
    yield f"|--:|{'--:|' * len(given)}"
    for size in SIZES:
        shares = [small_placebo(ratings, size, SMALL_REPETITIONS) for ratings in given.values()]
        yield f"| {size} | {' | '.join(map(str, shares))} |"


def _documents(ratings: Ratings) -> int:
    basis = standings(ratings).basis
    return 0 if basis is None else basis.units


def main(arguments: Sequence[str]) -> None:
    """Print the table of a folder of data."""
    for line in tables(Path(arguments[0])):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
