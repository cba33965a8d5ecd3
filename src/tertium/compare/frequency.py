"""Word accuracy by frequency: how well rare words fare, and how well common ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.compare.grams import CutCorpus
from tertium.plain import Plain
from tertium.scored.slices import Bands

FREQUENCIES: Final = Bands(edges=(1, 2, 3, 4, 5, 10, 100, 1000))
"""Occurrences of a word; the lower bands are narrow because most words are rare."""

FrequencySource: TypeAlias = Literal["references", "training"]

_WORDS = range(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordAccuracy(Plain):
    """Words of one band: how many a system has right, has at all, and should have."""

    PLAIN = "right produced expected precision recall f1"

    right: int
    produced: int
    expected: int

    @property
    def precision(self) -> float | None:
        """Right words over words produced, 0 to 100; ``None`` of nothing."""
        return 100 * self.right / self.produced if self.produced else None

    @property
    def recall(self) -> float | None:
        """Right words over words expected."""
        return 100 * self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both: 2 · right / (produced + expected)."""
        words = self.produced + self.expected
        return 200 * self.right / words if words else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyBand:
    """Words that are about equally frequent, in all systems."""

    label: str
    accuracies: tuple[WordAccuracy, ...]

    @property
    def expected(self) -> int:
        """Words in the references."""
        return self.accuracies[0].expected


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyTable:
    """Bands of frequency × systems.

    ``source`` says where words were counted. In the references a segment counts a word as often
    as the reference that has it most often; band 0 is then what no reference has.
    """

    systems: tuple[str, ...]
    source: FrequencySource
    bands: tuple[FrequencyBand, ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "source": self.source,
            "bands": [
                {
                    "frequency": band.label,
                    "systems": [
                        {"system": name, **accuracy.to_dict()}
                        for name, accuracy in zip(self.systems, band.accuracies, strict=True)
                    ],
                }
                for band in self.bands
            ],
        }


def frequency_table(
    cut: CutCorpus, training: Mapping[str, int] | None = None, bands: Bands = FREQUENCIES
) -> FrequencyTable:
    """Accuracy of every system in every band that has words.

    ``training`` are the frequencies of words in the text that systems were trained on.
    """
    numbered = cut.numbered
    grams, vocabulary = numbered.reference_grams(_WORDS), numbered.vocabulary
    words = np.array([grams.words(gram)[0] for gram in range(grams.grams)], dtype=np.intp)
    word_of_entry = words[grams.entries]

    def by_word(entries: NDArray[np.int32]) -> NDArray[np.float64]:
        counts: NDArray[np.float64]
        counts = np.bincount(word_of_entry, entries, minlength=len(vocabulary)).astype(np.float64)
        return counts

    expected = by_word(grams.expected)
    if training is None:
        frequencies = expected
    else:
        frequencies = np.array([training.get(word, 0) for word in vocabulary], dtype=np.float64)
    places = bands.of(frequencies)

    def totals(counts: NDArray[np.float64]) -> list[int]:
        sums = np.bincount(places, counts, minlength=len(bands))
        return [int(number) for number in sums]

    return FrequencyTable(
        systems=cut.names,
        source="references" if training is None else "training",
        bands=_bands(
            bands,
            totals(expected),
            [
                totals(np.bincount(tokens, minlength=len(vocabulary)).astype(np.float64))
                for tokens, _ in numbered.systems
            ],
            [totals(by_word(grams.count(*system))) for system in numbered.systems],
        ),
    )


def _bands(
    bands: Bands,
    expected: Sequence[int],
    produced: Sequence[Sequence[int]],
    right: Sequence[Sequence[int]],
) -> tuple[FrequencyBand, ...]:
    every = (
        FrequencyBand(
            label=label,
            accuracies=tuple(
                WordAccuracy(right=hits[k], produced=words[k], expected=expected[k])
                for words, hits in zip(produced, right, strict=True)
            ),
        )
        for k, label in enumerate(bands.labels)
    )
    return tuple(
        band
        for band in every
        if any(accuracy.produced or accuracy.expected for accuracy in band.accuracies)
    )
