"""Word accuracy by frequency: how well rare words fare, and how well common ones."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from tertium.compare.grams import CutCorpus, Gram, expected_grams, grams_of
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
                        {"system": name, **one.to_dict()}
                        for name, one in zip(self.systems, band.accuracies, strict=True)
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
    wanted = [expected_grams(references, _WORDS) for references in cut.references]
    expected = _sum(wanted)
    produced, right = [], []
    for hypotheses in cut.systems:
        found = [grams_of(words, _WORDS) for words in hypotheses]
        produced.append(_sum(found))
        right.append(_sum(a & b for a, b in zip(found, wanted, strict=True)))
    vocabulary = sorted(set(expected).union(*produced))
    if training is None:
        counts = [expected[gram] for gram in vocabulary]
    else:
        counts = [training.get(word, 0) for (word,) in vocabulary]
    places = bands.of(counts)

    def totals(words: Counter[Gram]) -> list[int]:
        sums = np.bincount(places, [words[gram] for gram in vocabulary], minlength=len(bands))
        return [int(number) for number in sums]

    return FrequencyTable(
        systems=cut.names,
        source="references" if training is None else "training",
        bands=_bands(
            bands,
            totals(expected),
            [totals(words) for words in produced],
            [totals(words) for words in right],
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
        band for band in every if any(one.produced or one.expected for one in band.accuracies)
    )


def _sum(counters: Iterable[Counter[Gram]]) -> Counter[Gram]:
    total: Counter[Gram] = Counter()
    for counter in counters:
        total.update(counter)
    return total
