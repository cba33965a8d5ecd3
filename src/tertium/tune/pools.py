"""The hypotheses that updates choose from, segment by segment."""

from collections.abc import Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.decode.oracle.candidates import Vocabulary, native_forest, native_lattice, rate_of
from tertium.decode.structures.arrays import Path, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import OptionError
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.tune.graphs import Graph, GraphSurface
from tertium.tune.merged_lists import NBestSurface
from tertium.tune.surfaces import Surface

if TYPE_CHECKING:
    from scipy import sparse


# Hope: the path that is best by model and metric together (Chiang 2012).
#
# The k-gram recognition rate is a sum over the arcs of a path, as the model's score is. So the path
# with the largest sum of both is found exactly, in the time of an oracle.


class HopeSearch:
    """One lattice or forest and its references, for a rate."""

    __slots__ = ("_labels", "_references", "one", "rate")

    def __init__(
        self, one: Lattice | Forest, rate: GramRecognitionRate, references: Sequence[str]
    ) -> None:
        self.one, self.rate = one, rate
        vocabulary = Vocabulary.of(one.vocabulary, rate, one.name)
        raw = one.labels if isinstance(one, Lattice) else one.symbols
        self._labels = vocabulary.labels(raw)
        # The denominator: every n-gram of the reference, up to k words.
        self._references = [
            (vocabulary.reference(words), max(1.0, grams(len(words), rate.k)))
            for words in (rate.words(reference) for reference in references)
        ]

    def best(self, weights: Weights = None, *, share: float = 1.0) -> list[Path]:
        """For each reference the path with the largest ``share`` · rate + model score.

        The rate is 0 to 1 here. Of equal paths the one that the model prefers.
        """
        found = []
        for reference, denominator in self._references:
            rate, mix = self.rate, denominator / share
            if isinstance(self.one, Lattice):
                paths = native_lattice(self.one, weights, self._labels).best(
                    reference, k=rate.k, alpha=rate.alpha, beta=rate.beta, count=1, mix=mix
                )
                found.append(self.one.path(paths[0][1], weights))
            else:
                paths, _ = native_forest(self.one, weights, self._labels).best(
                    reference, k=rate.k, alpha=rate.alpha, beta=rate.beta, count=1, mix=mix
                )
                found.append(self.one.derivation(paths[0][1], weights))
        return found


def grams(length: int, k: int) -> float:
    """How many n-grams of up to k words so many words have."""
    return float(sum(max(0, length - n + 1) for n in range(1, k + 1)))


Vector: TypeAlias = NDArray[np.float64]
Block: TypeAlias = "NDArray[np.float64] | sparse.csr_matrix"

_FEW: Final = 200
"""So many features are quicker as a table with all the zeros."""


class Pool:
    """Features, scaled, and statistics of all hypotheses that are known of each segment.

    Features are divided by how much they vary, so that steps are fair to all of them. The lists
    of an `NBestSurface` are known from the beginning; of lattices and forests, `grow` takes in
    what the model likes under some weights and what model and metric like together.
    """

    __slots__ = ("_graphs", "_metric", "blocks", "rows", "scales", "surface")

    def __init__(self, surface: Surface, metric: Metric, paths: int = 1) -> None:
        self.surface, self.scales = surface, surface.spread()
        self._metric = surface.bound(metric)
        self._graphs: list[_Graph] = []
        self.blocks: list[Block] = []
        self.rows: list[Rows] = []
        if isinstance(surface, NBestSurface):
            rows, offsets = surface.rows(metric), surface.candidates.offsets
            for begin, end in pairwise(offsets.tolist()):
                table = surface.candidates.features[begin:end] / self.scales
                self.blocks.append(table if table.shape[1] <= _FEW else _without_zeros(table))
                self.rows.append(rows[begin:end])
        elif isinstance(surface, GraphSurface):
            self._graphs = [
                _Graph(graph, references, surface.feature_names, self._metric, paths)
                for graph, references in zip(surface.graphs, surface.references, strict=True)
            ]
            width = len(surface.feature_names)
            self.blocks = [np.zeros((0, width)) for _ in self._graphs]
            self.rows = [np.zeros((0, len(self._metric.columns))) for _ in self._graphs]
        else:
            raise OptionError(f"{type(surface).__name__}: expected n-best lists or graphs")

    def grow(self, segment: int, weights: Vector) -> None:
        """Take in what a lattice or forest has to say under these (scaled) weights."""
        if not self._graphs:
            return
        texts, features = self._graphs[segment].search(weights / self.scales)
        if not texts:
            return
        fresh = self.surface.statistics(self._metric, texts, [segment] * len(texts))
        self.rows[segment] = np.concatenate([self.rows[segment], fresh])
        self.blocks[segment] = np.concatenate([self.blocks[segment], features / self.scales])


def _without_zeros(table: NDArray[np.float64]) -> "sparse.csr_matrix":
    with scipy_for(f"training with more than {_FEW} features"):
        from scipy import sparse

    return sparse.csr_matrix(table)


class _Graph:
    """One lattice or forest, and the hypotheses of it that have been seen."""

    def __init__(
        self,
        graph: Graph,
        references: Sequence[str],
        names: tuple[str, ...],
        metric: Metric,
        paths: int,
    ) -> None:
        self.graph, self.paths = graph, paths
        self.places = [names.index(name) for name in graph.feature_names]
        self.width = len(names)
        self.seen: set[tuple[str, bytes]] = set()
        rate = rate_of(metric)
        self.hope = None if rate is None else HopeSearch(graph, rate, references)

    def search(self, weights: Vector) -> tuple[list[str], NDArray[np.float64]]:
        """Texts and features that are new."""
        own = weights[self.places]
        found = list(islice(self.graph.ranked(own), self.paths))
        if self.hope is not None:
            found += self.hope.best(own)
        texts, features = [], []
        for path in found:
            table = np.zeros(self.width)
            table[self.places] = path.features
            key = path.text, table.tobytes()
            if key not in self.seen:
                self.seen.add(key)
                texts.append(path.text)
                features.append(table)
        return texts, np.array(features).reshape(len(texts), self.width)
