"""Candidates for oracles: what of a structure can be best for one segment."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.decode.formats.table import Structure
from tertium.decode.oracle.exact_bleu import possible_rows, undominated_paths
from tertium.decode.structures.arrays import Floats, Integers, Path, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordErrorRate
from tertium.metrics.ngram.bleu import Bleu
from tertium.plurals import counted
from tertium.text.tokenizers import WHITESPACE

# Words of structures and references as the metric sees them, as numbers for the native search.

UNKNOWN = -2
"""A reference word that the structure does not have; −1 is the empty word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """``numbers`` of the words of a structure; words the metric takes for equal share one."""

    numbers: Integers
    places: dict[str, int]

    @classmethod
    def of(cls, words: Sequence[str], metric: WordMetric, name: str) -> "Vocabulary":
        """The words of a structure, each of which has to be one word to the metric."""
        places: dict[str, int] = {}
        numbers = np.empty(len(words), dtype=np.int32)
        cut = metric.tokenizer.cut_all(Texts(list(words)), lowercase=metric.lowercase)
        for index, (word, parts) in enumerate(zip(words, cut, strict=True)):
            if len(parts) != 1:
                raise InputError(
                    f"{name}: found the word {word!r}, which the tokenizer "
                    f"'{metric.tokenizer}' cuts into {counted(len(parts), 'word')}, expected one "
                    f"(try {metric.name}[tokenizer=none])"
                )
            numbers[index] = places.setdefault(parts[0], len(places))
        return cls(numbers=numbers, places=places)

    def labels(self, labels: Integers) -> Integers:
        """Labels renumbered; negative ones stay as they are."""
        renumbered = labels.copy()
        words = labels >= 0
        renumbered[words] = self.numbers[labels[words]]
        return renumbered

    def reference(self, words: Sequence[str]) -> Integers:
        """The numbers of a reference's words."""
        return np.array([self.places.get(word, UNKNOWN) for word in words], dtype=np.int32)


EXPLORED: Final = (0.0, 0.5, 1.0, 2.0)
"""What an insertion costs in the rates whose oracles are candidates for another metric's."""
CANDIDATES: Final = 20
"""Candidates by each of those rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleSetting:
    """What is maximised and how it is looked for.

    ``band`` and ``beam`` prune forests, which makes results approximate: a node of n words may
    pass n ± ``band`` words of the reference, and from each state of the metric's automaton it may
    lead to ``beam`` others.
    """

    metric: Metric
    count: int = 1
    weights: Weights = None
    band: int | None = None
    beam: int | None = None
    exact: bool = False
    """Look for the exact oracle of BLEU in lattices, as far as they are small enough."""

    def __post_init__(self) -> None:
        if self.exact and not isinstance(self.metric, Bleu):
            raise OptionError(
                f"exact: found {self.metric.name}, expected bleu or bleu-sbp "
                "(grr, wrr and wer are exact without it)"
            )
        for name, least in (("count", 1), ("band", 0), ("beam", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise OptionError(f"{name}: found {value}, expected at least {least}")

    @property
    def rate(self) -> GramRecognitionRate | None:
        """The rate that a search can maximise path by path; ``None`` for any other metric."""
        return rate_of(self.metric)


def rate_of(metric: Metric) -> GramRecognitionRate | None:
    """The k-gram recognition rate whose numerator orders hypotheses as the metric does.

    WRR, and with it WER, is the rate with k = 1, α = 1, β = 0 (Chiang et al. 2008, section 4.2).
    """
    if isinstance(metric, GramRecognitionRate):
        return metric
    if isinstance(metric, WordErrorRate):
        return GramRecognitionRate(
            k=1,
            tokenizer=metric.tokenizer,
            lowercase=metric.lowercase,
            punctuation=metric.punctuation,
        )
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A hypothesis of a structure before it is scored."""

    words: tuple[str, ...]
    text: str
    model_score: float
    features: Floats
    edges: tuple[int, ...]

    @classmethod
    def of_path(cls, path: Path) -> "Candidate":
        """A path of a lattice or a derivation of a forest."""
        return cls(
            words=path.words,
            text=path.text,
            model_score=path.score,
            features=path.features,
            edges=path.edges,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OracleCandidates:
    """What is to be scored for one segment, among it all oracles; ``first`` is the model's own.

    Candidates that are equal in all else are in order of preference.
    """

    segment: int
    name: str
    feature_names: tuple[str, ...]
    references: tuple[str, ...]
    found: tuple[Candidate, ...]
    first: int
    complete: bool = True
    bounding: Rows | None = None
    """Statistics that bound those of all hypotheses; none if ``found`` has every best one."""


def find_candidates(
    segment: int, structure: Structure, references: Sequence[str], setting: OracleSetting
) -> OracleCandidates:
    """Every hypothesis of a list; of a lattice or forest the best ones by each reference."""
    if not references:
        raise InputError(f"segment {segment}: found no reference, expected at least one")
    if isinstance(structure, NBest):
        return _of_list(segment, structure, references, setting.weights)
    first = structure.best(setting.weights)
    if setting.exact:
        return _undominated(segment, structure, first, references, setting)
    candidates: dict[str, Candidate] = {}
    complete = True
    exact = setting.rate
    rates = [exact] if exact else _exploring(setting.metric)
    count = setting.count if exact else max(setting.count, CANDIDATES)
    search = _GraphSearch(structure, rates[0], setting)
    for rate in rates:
        for reference in references:
            complete &= search.run(rate, reference, count, candidates)
    if first.text not in candidates:
        candidates[first.text] = Candidate.of_path(first)
    return OracleCandidates(
        segment=segment,
        name=structure.name,
        feature_names=structure.feature_names,
        references=tuple(references),
        found=tuple(candidates.values()),
        first=list(candidates).index(first.text),
        complete=complete,
    )


def _undominated(
    segment: int,
    structure: Lattice | Forest,
    first: Path,
    references: Sequence[str],
    setting: OracleSetting,
) -> OracleCandidates:
    """The paths of a lattice that may be part of a best corpus by BLEU, or those of climbing."""
    if not isinstance(structure, Lattice):
        raise OptionError("exact: found a forest, expected lattices or n-best lists")
    metric = cast("Bleu", setting.metric)
    paths = undominated_paths(structure, metric, references, setting.weights)
    if paths is None:
        climbing = find_candidates(segment, structure, references, replace(setting, exact=False))
        return replace(climbing, bounding=possible_rows(structure, metric, references))
    candidates = {first.text: Candidate.of_path(first)}
    for edges in paths:
        path = structure.path(edges, setting.weights)
        candidates.setdefault(path.text, Candidate.of_path(path))
    return OracleCandidates(
        segment=segment,
        name=structure.name,
        feature_names=structure.feature_names,
        references=tuple(references),
        found=tuple(candidates.values()),
        first=0,
    )


def _exploring(metric: Metric) -> list[GramRecognitionRate]:
    lowercase = isinstance(metric, WordMetric) and metric.lowercase
    return [
        GramRecognitionRate(alpha=alpha, tokenizer=WHITESPACE, lowercase=lowercase)
        for alpha in EXPLORED
    ]


class _GraphSearch:
    """One lattice or forest, made ready for the native search."""

    def __init__(
        self, structure: Lattice | Forest, metric: GramRecognitionRate, setting: OracleSetting
    ) -> None:
        self.one, self.setting = structure, setting
        self.vocabulary = Vocabulary.of(structure.vocabulary, metric, structure.name)
        self.native: _native.OracleLattice | _native.OracleForest
        if isinstance(structure, Lattice):
            labels = self.vocabulary.labels(structure.labels)
            self.native = native_lattice(structure, setting.weights, labels)
        else:
            symbols = self.vocabulary.labels(structure.symbols)
            self.native = native_forest(structure, setting.weights, symbols)

    def run(
        self,
        rate: GramRecognitionRate,
        reference: str,
        count: int,
        candidates: dict[str, Candidate],
    ) -> bool:
        """Add the best by one reference; false if there may be more than could be found."""
        words = self.vocabulary.reference(rate.words(reference))
        options = {"k": rate.k, "count": count}
        if isinstance(self.native, _native.OracleLattice):
            complete = True
            paths = self.native.best(words, alpha=rate.alpha, beta=rate.beta, **options)
        else:
            paths, complete = self.native.best(
                words,
                alpha=rate.alpha,
                beta=rate.beta,
                band=self.setting.band,
                beam=self.setting.beam,
                **options,
            )
        for _, edges in paths:
            path = self.path(edges)
            candidates.setdefault(path.text, Candidate.of_path(path))
        return complete

    def path(self, edges: list[int]) -> Path:
        """What these edges say and score."""
        if isinstance(self.one, Lattice):
            return self.one.path(edges, self.setting.weights)
        return self.one.derivation(edges, self.setting.weights)


def native_lattice(
    lattice: Lattice, weights: Weights = None, labels: np.ndarray | None = None
) -> _native.OracleLattice:
    """The lattice with its model scores."""
    return _native.OracleLattice(
        lattice.nodes,
        lattice.sources,
        lattice.targets,
        lattice.labels if labels is None else labels,
        lattice.edge_scores(weights),
    )


def native_forest(
    forest: Forest, weights: Weights = None, symbols: np.ndarray | None = None
) -> _native.OracleForest:
    """The forest with its model scores."""
    return _native.OracleForest(
        forest.nodes,
        forest.heads,
        forest.symbol_offsets,
        forest.symbols if symbols is None else symbols,
        forest.tail_offsets,
        forest.tails,
        forest.edge_scores(weights),
    )


def _of_list(
    segment: int, nbest: NBest, references: Sequence[str], weights: Weights
) -> OracleCandidates:
    if not len(nbest):
        raise InputError(f"segment {segment}: found no hypothesis, expected at least one")
    scores = nbest.model_scores(weights)
    places: dict[str, int] = {}
    for index, text in enumerate(nbest.hypotheses):
        old = places.setdefault(text, index)
        if scores[index] > scores[old]:
            places[text] = index
    candidates = tuple(
        Candidate(
            words=tuple(text.split()),
            text=text,
            model_score=float(scores[index]),
            features=nbest.features[index],
            edges=(index,),
        )
        for text, index in places.items()
    )
    return OracleCandidates(
        segment=segment,
        name=f"segment {segment}",
        feature_names=nbest.feature_names,
        references=tuple(references),
        found=candidates,
        first=list(places).index(nbest.hypotheses[int(np.argmax(scores))]),
    )
