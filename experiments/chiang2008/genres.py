"""Two outputs put together from real systems, genre by genre (for Tables 3 to 5 of Chiang et al.).

An assignment has a system translate each genre. Where one assignment is better than another in
every genre and yet worse on the whole, the metric has let words of one genre pay for another.
"""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from experiments.data import Data
from tertium import Metric, parse_metric
from tertium.metrics.contract.base import Rows, Scores

TEST_SET: Final = "wmt23 zh-en"
NIST_BLEU: Final = "bleu[reference_length=shortest]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reversal:
    """Two assignments, as indices of systems by genre."""

    mixed: tuple[int, ...]
    specific: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """All pairs of assignments of which one wins in every genre: how many lose on the whole."""

    clear_wins: int
    reversals: int
    largest: Reversal | None


def genres_of(data: Data) -> list[str]:
    """The genres of the test set."""
    return sorted(set(data.test_set(TEST_SET).corpus.labels("genre")))


def search(data: Data, spec: str) -> Search:
    """All pairs of assignments under one metric."""
    return data.kept(("genres", spec), lambda: _search(data, spec))


def _search(data: Data, spec: str) -> Search:
    counted = data.counted(TEST_SET, spec)
    sums = _sums(data, counted.rows)
    systems, genres = range(sums.shape[1]), range(len(sums))
    assignments = np.array(list(product(systems, repeat=len(sums))))
    parts = np.stack([counted.metric.score(sums[k])[assignments[:, k]] for k in genres])
    wholes = counted.metric.score(np.sum([sums[k][assignments[:, k]] for k in genres], axis=0))
    parts, wholes = counted.sign * parts, counted.sign * wholes
    clear_wins = reversals = 0
    size, largest = 0.0, None
    for mixed in range(len(wholes)):
        lead = (parts - parts[:, mixed, np.newaxis]).min(axis=0)
        loss = wholes[mixed] - wholes
        better = lead > 1e-9
        clear_wins += int(better.sum())
        reversals += int((better & (loss > 1e-9)).sum())
        clearness = np.where(better, np.minimum(lead, loss), -np.inf)
        best = int(clearness.argmax())
        if clearness[best] > size:
            size = float(clearness[best])
            largest = Reversal(
                mixed=tuple(assignments[mixed].tolist()),
                specific=tuple(assignments[best].tolist()),
            )
    return Search(clear_wins=clear_wins, reversals=reversals, largest=largest)


def _sums(data: Data, rows: Rows) -> NDArray[np.float64]:
    """Sums of rows, (genres, systems, K)."""
    labels = np.asarray(data.test_set(TEST_SET).corpus.labels("genre"))
    return np.stack([rows[:, labels == genre].sum(axis=1) for genre in genres_of(data)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """The scores of an assignment: of each genre, then of the whole; lengths likewise."""

    scores: Scores
    lengths: Scores


def scored(data: Data, spec: str, assignment: tuple[int, ...]) -> Scored:
    """The scores of one assignment, and its length ratios; NaN if the metric counts no lengths."""
    metric, rows = _rows(data, spec, assignment)
    labels = np.asarray(data.test_set(TEST_SET).corpus.labels("genre"))
    parts = [rows[labels == genre].sum(axis=0) for genre in genres_of(data)]
    totals = np.stack([*parts, rows.sum(axis=0)])
    lengths = np.full(len(totals), np.nan)
    if "hypothesis_length" in metric.columns:
        of = [metric.columns.index(f"{side}_length") for side in ("hypothesis", "reference")]
        lengths = totals[:, of[0]] / totals[:, of[1]]
    return Scored(scores=metric.score(totals), lengths=lengths)


def _rows(data: Data, spec: str, assignment: tuple[int, ...]) -> tuple[Metric, Rows]:
    """Statistics of the output that the assignment makes; each segment has its genre's system."""
    loaded = data.test_set(TEST_SET)
    owner = dict(zip(genres_of(data), assignment, strict=True))
    columns = [one.hypotheses.to_list() for one in loaded.systems]
    texts = [
        columns[owner[genre]][segment] or ""
        for segment, genre in enumerate(loaded.corpus.labels("genre"))
    ]
    metric = parse_metric(spec).bind(loaded.corpus)
    return metric, metric.statistics(texts, loaded.corpus.references)


def described(data: Data, assignment: tuple[int, ...]) -> str:
    """Which system translates which genre."""
    names = data.test_set(TEST_SET).names
    pairs = zip(genres_of(data), assignment, strict=True)
    return ", ".join(f"{genre} by {names[system]}" for genre, system in pairs)
