"""What every audit starts from: one metric's statistics of all systems on one corpus."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tertium.inference.choices import Resampling
from tertium.inference.units import Units, units_of
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.ngram.bleu import Bleu
from tertium.scored import Scored
from tertium.text.corpus import Corpus, System

Counts: TypeAlias = NDArray[np.float64]
Built = TypeVar("Built")

AuditSlicing: TypeAlias = Literal["genre", "document", "length"]
SLICINGS: Final[tuple[AuditSlicing, ...]] = ("genre", "document", "length")

EQUAL: Final = 1e-9
"""Scores that lie nearer than this share of themselves are equal."""
MOST_PAIRS: Final = 120
"""All pairs of 16 systems; of more systems those that lie nearest in rank."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lengths:
    """Words by the tokenizer 13a, whatever the metric counts itself.

    ``words`` and ``closest`` are (systems, segments): each output, and the reference nearest to
    it in length. ``references`` is the mean length of each segment's references.
    """

    words: Counts
    closest: Counts
    references: Counts


def lengths_of(corpus: Corpus, systems: tuple[System, ...]) -> Lengths:
    """Count words; BLEU's statistics have both sides already."""
    counted = np.stack(
        [Bleu(order=1).statistics(one.hypotheses, corpus.references) for one in systems]
    )
    mean = Bleu(order=1, reference_length="average")
    references = mean.statistics(systems[0].hypotheses, corpus.references)[:, -1]
    return Lengths(words=counted[..., -2], closest=counted[..., -1], references=references)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One metric, bound to a corpus, with the rows of all systems, (systems, segments, K).

    ``slicings`` are labels of all segments by the name of the slicing; ``units`` are what is
    resampled, documents where they are known; ``common`` is what the cases of several metrics
    share.
    """

    metric: Metric
    corpus: Corpus
    systems: tuple[System, ...]
    rows: Rows = field(repr=False)
    lengths: Lengths = field(repr=False)
    slicings: dict[str, tuple[str, ...]] = field(repr=False)
    units: Units
    alpha: float
    seed: int
    common: dict[Hashable, object] = field(default_factory=dict, repr=False)
    _kept: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(one.name for one in self.systems)

    @property
    def sign(self) -> int:
        """+1 where more is better, −1 for error rates."""
        return 1 if self.metric.higher_is_better else -1

    @property
    def scores(self) -> Scores:
        """The corpus score of every system."""
        return self.kept("scores", lambda: self.metric.score(self.rows.sum(axis=1)))

    @property
    def ranking(self) -> list[int]:
        """The systems from best to worst."""
        return [int(i) for i in np.argsort(-self.sign * self.scores, kind="stable")]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of systems, the better one first; of very many those nearest in rank."""
        ranking = self.ranking
        places = combinations(range(len(ranking)), 2)
        nearest = sorted(places, key=lambda pair: (pair[1] - pair[0], pair))[:MOST_PAIRS]
        return [(ranking[a], ranking[b]) for a, b in nearest]

    @property
    def neighbours(self) -> list[tuple[int, int]]:
        """Pairs of systems that are next to each other in the ranking, the better one first."""
        ranking = self.ranking
        return list(pairwise(ranking))

    def kept(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """``build()``, made on first use: audits share what is costly."""
        return _kept(self._kept, key, build)

    def kept_for_all(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """The same for what does not depend on the metric."""
        return _kept(self.common, key, build)

    def tied(self, a: int, b: int) -> bool:
        """Whether two systems have the same score, as people see it."""
        return f"{self.scores[a]:.2f}" == f"{self.scores[b]:.2f}"


def _kept(store: dict[Hashable, object], key: Hashable, build: Callable[[], Built]) -> Built:
    if key not in store:
        store[key] = build()
    return cast("Built", store[key])


def cases(
    scored: Scored,
    *,
    by: Sequence[AuditSlicing] = (),
    resample: Resampling = "auto",
    alpha: float,
    seed: int,
) -> Iterator[Case]:
    """One metric after the other; words are counted only once."""
    corpus, systems = scored.corpus, scored.systems
    lengths = lengths_of(corpus, systems)
    slicings = slicings_of(corpus, lengths.references, by)
    units = units_of(len(corpus), corpus.documents, resample)
    common: dict[Hashable, object] = {}
    for metric, rows in zip(scored.metrics, scored.rows, strict=True):
        yield Case(
            metric=metric,
            corpus=corpus,
            systems=systems,
            rows=rows,
            lengths=lengths,
            slicings=slicings,
            units=units,
            alpha=alpha,
            seed=seed,
            common=common,
        )


def equal_width(*scores: float) -> float:
    """How far two scores of this size may lie apart and still be equal."""
    return EQUAL * max(1.0, *map(abs, scores))


def length_bands(references: Counts, bands: int = 3) -> tuple[str, ...] | None:
    """Segments in bands of reference length with about as many segments in each.

    >>> length_bands(np.array([3.0, 9.0, 4.0, 8.0, 20.0, 31.0]))
    ('up to 4 words', 'up to 9 words', 'up to 4 words', 'up to 9 words', 'longer', 'longer')
    """
    cuts = np.quantile(references, np.arange(1, bands) / bands, method="lower")
    cuts = np.unique(cuts[cuts < references.max()]) if len(references) else cuts
    if not len(cuts):
        return None
    labels = [f"up to {cut:g} words" for cut in cuts.tolist()] + ["longer"]
    return tuple(labels[place] for place in np.searchsorted(cuts, references).tolist())


def slicings_of(
    corpus: Corpus, lengths: Counts, by: Sequence[AuditSlicing]
) -> dict[str, tuple[str, ...]]:
    """Labels of every slicing, where there are several; those asked for must be there."""
    found: dict[str, tuple[str, ...]] = {}
    for one in by or SLICINGS:
        if one == "length":
            labels = length_bands(lengths)
        elif by:
            labels = corpus.labels(one)
        else:
            labels = corpus.genres if one == "genre" else corpus.documents
        if labels is not None and len(set(labels)) > 1:
            found[one] = labels
    return found
