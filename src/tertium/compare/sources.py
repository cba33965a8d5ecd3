"""What systems make of the source: words for its words, and which of its words they get right."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts
from tertium.compare.differences import PRIOR, GramDifferences, ranked_differences
from tertium.compare.frequency import FREQUENCIES, WordAccuracy
from tertium.compare.grams import CutCorpus, Gram, WordCutter, Words
from tertium.compare.score_results import WHOLE
from tertium.errors import InputError
from tertium.metrics.annotation.parses import FormError
from tertium.metrics.order.permutations import alignment_points
from tertium.plurals import counted
from tertium.scored.slices import Bands, Slices
from tertium.text.corpus import Corpus, System
from tertium.text.tokenizers import WHITESPACE

FEWEST_SEGMENTS: Final = 3
"""In which a source word must be to be told of, where it stands for its segments."""

SourceWords: TypeAlias = list[Words]
Basis: TypeAlias = Literal["alignment", "segments"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLength:
    """Words for each source word on some segments; ``systems`` are those of each system."""

    label: str
    segments: int
    source_words: int
    reference: float
    systems: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLengthTable:
    """All segments, then those of each genre where genres are known.

    Tables 3 and 5 of Chiang et al. (2008) have these numbers: a system that is long in one genre
    and short in the other pays with the words of the one for those of the other.
    """

    systems: tuple[str, ...]
    rows: tuple[SourceLength, ...]

    def to_dict(self) -> list[dict[str, Any]]:
        """Numbers and text only, ready for JSON."""
        return [
            {
                "genre": row.label,
                "segments": row.segments,
                "source_words": row.source_words,
                "reference": row.reference,
                "systems": [
                    {"system": name, "words_per_source_word": value}
                    for name, value in zip(self.systems, row.systems, strict=True)
                ],
            }
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBand:
    """Source words that are about equally frequent in the sources, in all systems."""

    label: str
    source_words: int
    accuracies: tuple[WordAccuracy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWordTable:
    """How much of what source words should become is there.

    With an ``alignment`` of sources and references a source word should become the reference
    words that it is aligned with. Without one it stands for its ``segments``: everything that
    their references have.
    """

    systems: tuple[str, ...]
    basis: Basis
    bands: tuple[SourceBand, ...]
    differences: tuple[GramDifferences, ...]

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "basis": self.basis,
            "bands": [
                {
                    "frequency": band.label,
                    "source_words": band.source_words,
                    "systems": [
                        {
                            "system": name,
                            "right": accuracy.right,
                            "expected": accuracy.expected,
                            "recall": accuracy.recall,
                        }
                        for name, accuracy in zip(self.systems, band.accuracies, strict=True)
                    ],
                }
                for band in self.bands
            ],
            "differences": [difference.to_dict() for difference in self.differences],
        }


def cut_sources(corpus: Corpus, cutter: WordCutter) -> SourceWords:
    """The words of the sources; a segment without one has none."""
    if corpus.sources is None:
        raise InputError(f"{corpus.name}: no sources, expected a file of them (--source FILE)")
    return cutter.cut(corpus.sources)


def source_length_table(corpus: Corpus, cut: CutCorpus, sources: SourceWords) -> SourceLengthTable:
    """Words per source word, of the references (their mean) and of every system."""
    source = np.array([len(tokens) for tokens in sources])
    words = np.array([[len(hypothesis) for hypothesis in system] for system in cut.systems])
    genres = {} if corpus.genres is None else Slices.of(corpus.genres).places
    rows = []
    for label, places in {WHOLE: np.arange(len(source)), **genres}.items():
        count = int(source[places].sum())
        if count:
            rows.append(
                SourceLength(
                    label=label,
                    segments=len(places),
                    source_words=count,
                    reference=float(cut.reference_lengths[places].sum() / count),
                    systems=tuple((words[:, places].sum(axis=1) / count).tolist()),
                )
            )
    return SourceLengthTable(systems=cut.names, rows=tuple(rows))


def source_word_table(
    corpus: Corpus,
    systems: Sequence[System],
    cut: CutCorpus,
    sources: SourceWords,
    *,
    alignments: Iterable[str] | None = None,
    bands: Bands = FREQUENCIES,
    top: int = 5,
    prior: float = PRIOR,
) -> SourceWordTable:
    """Recall by frequency of the source word, and the source words that make the difference."""
    if alignments is None:
        wanted = list(_of_segments(cut, sources))
    else:
        # Alignments count the words between blanks, so that is how everything is cut.
        blanks = WordCutter(tokenizer=WHITESPACE, lowercase=cut.cutter.lowercase)
        sources = cut_sources(corpus, blanks)
        wanted = list(_of_alignments(corpus, blanks, sources, alignments))
        cut = CutCorpus(
            names=cut.names,
            cutter=blanks,
            references=cut.references,
            systems=tuple(tuple(blanks.cut(system.hypotheses)) for system in systems),
        )
    counts = _counted(cut, wanted)
    frequency = Counter(word for words in sources for word in words)
    # Without alignments a rare word tells of nothing but its segments.
    fewest = 1 if alignments is not None else FEWEST_SEGMENTS
    told = np.flatnonzero(counts.segments >= fewest)

    def gram_of(number: int) -> Gram:
        return (counts.words[told[number]],)

    differences = []
    for number, name in enumerate(cut.names[1:], 1):
        gained, lost = counts.gained[told, number], counts.lost[told, number]
        differences.append(
            GramDifferences(
                system=name,
                baseline=cut.names[0],
                prior=prior,
                gained=ranked_differences(gained, lost, gram_of, top, prior, sign=1),
                lost=ranked_differences(gained, lost, gram_of, top, prior, sign=-1),
            )
        )
    return SourceWordTable(
        systems=cut.names,
        basis="segments" if alignments is None else "alignment",
        bands=tuple(_bands(bands, frequency, counts)),
        differences=tuple(differences),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Counts:
    """What source words should become, and what they became: (words,) and (words, systems)."""

    words: list[str]
    segments: NDArray[np.int64]
    expected: NDArray[np.int64]
    right: NDArray[np.int64]
    gained: NDArray[np.int64]
    lost: NDArray[np.int64]


def _counted(cut: CutCorpus, wanted: Iterable[dict[str, Counter[str]]]) -> _Counts:
    """Add up over segments; what several words of a segment share is counted once."""
    numbers: dict[str, int] = {}
    rows: list[list[int]] = []
    totals: list[int] = []
    words: list[int] = []
    places: list[int] = []
    for segment, pairs in enumerate(wanted):
        have = [Counter(system[segment]) for system in cut.systems]
        known: dict[int, int] = {}
        for word, target in pairs.items():
            if id(target) not in known:
                known[id(target)] = len(rows)
                rows.append([(target & words_).total() for words_ in have])
                totals.append(target.total())
            words.append(numbers.setdefault(word, len(numbers)))
            places.append(known[id(target)])
    counts = np.array(rows, dtype=np.int64).reshape(-1, len(cut.systems))
    change = counts - counts[:, :1]

    def summed(values: NDArray[np.int64]) -> NDArray[np.int64]:
        total = np.zeros((len(numbers), *values.shape[1:]), dtype=np.int64)
        np.add.at(total, words, values[places])
        return total

    return _Counts(
        words=list(numbers),
        segments=np.bincount(words, minlength=len(numbers)) if words else np.zeros(0, np.int64),
        expected=summed(np.array(totals, dtype=np.int64)),
        right=summed(counts),
        gained=summed(np.maximum(0, change)),
        lost=summed(np.maximum(0, -change)),
    )


def _bands(bands: Bands, frequency: Counter[str], counts: _Counts) -> Iterator[SourceBand]:
    """Every band that has source words; those that are aligned with nothing expect nothing."""
    numbers = {word: k for k, word in enumerate(counts.words)}
    vocabulary = list(frequency)
    places = bands.of([frequency[word] for word in vocabulary]).tolist()
    for band, label in enumerate(bands.labels):
        some = [word for word, index in zip(vocabulary, places, strict=True) if index == band]
        if some:
            aligned = [numbers[word] for word in some if word in numbers]
            expected = int(counts.expected[aligned].sum())
            yield SourceBand(
                label=label,
                source_words=sum(frequency[word] for word in some),
                accuracies=tuple(
                    WordAccuracy(right=right, produced=0, expected=expected)
                    for right in counts.right[aligned].sum(axis=0).tolist()
                ),
            )


def _of_segments(cut: CutCorpus, sources: SourceWords) -> Iterator[dict[str, Counter[str]]]:
    for words, references in zip(sources, cut.references, strict=True):
        wanted: Counter[str] = Counter()
        for reference in references:
            wanted |= Counter(reference)
        yield dict.fromkeys(words, wanted)


def _of_alignments(
    corpus: Corpus, cutter: WordCutter, sources: SourceWords, alignments: Iterable[str]
) -> Iterator[dict[str, Counter[str]]]:
    """What each source word is aligned with in the first reference."""
    lines = list(alignments)
    if len(lines) != len(corpus):
        raise InputError(
            f"alignments: {counted(len(lines), 'segment')}, expected {len(corpus)} (reference "
            f"{corpus.name})"
        )
    first = corpus.references.columns[0]
    references = cutter.cut(Texts([text or "" for text in first.to_list()]))
    for number, (line, words, target) in enumerate(zip(lines, sources, references, strict=True), 1):
        wanted: dict[str, Counter[str]] = {}
        try:
            points = sorted(set(alignment_points(line)))
        except FormError as error:
            raise InputError(f"alignments, segment {number}{error}") from None
        for a, b in points:
            if a >= len(words) or b >= len(target):
                raise InputError(
                    f"alignments, segment {number}: found {a}-{b}, expected less than "
                    f"{len(words)}-{len(target)} (words between blanks of source and reference)"
                )
            wanted.setdefault(words[a], Counter())[target[b]] += 1
        yield wanted
