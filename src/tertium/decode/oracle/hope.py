"""Hope: the path that is best by model and metric together (Chiang 2012).

The k-gram recognition rate is a sum over the arcs of a path, as the model's score is. So the path
with the largest sum of both is found exactly, in the time of an oracle.
"""

from collections.abc import Sequence

from tertium.decode.oracle.candidates import native_forest, native_lattice
from tertium.decode.oracle.words import Vocabulary
from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.path import Path
from tertium.metrics.edit.grr import GramRecognitionRate


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
