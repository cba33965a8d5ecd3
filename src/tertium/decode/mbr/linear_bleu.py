"""Lattice minimum Bayes risk with linear BLEU (Tromble, Kumar, Och & Macherey 2008).

BLEU's logarithm is approximated by a function that is linear in a hypothesis' n-grams, so the
expected gain of a path is a sum over its words, and one search finds the best path of the lattice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Final, TypeAlias

import numpy as np

from tertium import _native
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.oracle.margin import within
from tertium.decode.structures.arrays import Floats, Integers, Path, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.errors import InputError, OptionError

# Lattices in which a word leads from a node to one place only (Mohri 1997, tropical semiring).
#
# Several derivations of one word sequence become one path with the best of their scores. Nodes of
# the new lattice are sets of old nodes, each with how far it is behind the best of the set.

LARGEST: Final = 2_000_000
"""Arcs of a deterministic lattice; there are lattices that would need more than memory has."""

GRAIN: Final = 2.0**-30
"""Scores that differ by less are rounded alike, so that sets that are the same are found so."""

Front: TypeAlias = dict[int, float]
"""Nodes, and the best score of coming to each."""


def determinized(lattice: Lattice, weights: Weights = None) -> Lattice:
    """The same word sequences, each on one path with its best score, the only feature.

    >>> both = Lattice.build([(0, 1, "a", 1.0), (0, 2, "a", 3.0), (1, 3, "b"), (2, 3, "b")])
    >>> [(path.text, path.score) for path in determinized(both).paths()]
    [('a b', 3.0)]
    """
    steps = _Steps(lattice, weights)
    first = steps.closed({0: 0.0})
    numbers = {_key(first): 0}
    waiting = [(0, first)]
    arcs: list[tuple[int, int, str, float]] = []
    finals: dict[int, float] = {}
    while waiting:
        number, front = waiting.pop()
        if lattice.nodes - 1 in front:
            finals[number] = front[lattice.nodes - 1]
        for word, reached in steps.by_word(front).items():
            score = max(reached.values())
            behind = {node: value - score for node, value in reached.items()}
            key = _key(behind)
            if key not in numbers:
                numbers[key] = len(numbers)
                waiting.append((numbers[key], behind))
            arcs.append((number, numbers[key], word, score))
        if len(arcs) > LARGEST:
            raise InputError(
                f"{lattice.name}: more than {LARGEST} arcs once it is deterministic, "
                "expected a smaller lattice"
            )
    if not arcs:  # nothing but the empty path
        arcs = [(0, 1, "", finals[0])]
        finals = {1: 0.0}
    return Lattice.build(
        arcs,
        start=0,
        finals={state: {"score": value} for state, value in finals.items()},
        feature_names=("score",),
        name=lattice.name,
    )


def best_path_of(lattice: Lattice, words: tuple[str, ...], weights: Weights = None) -> Path:
    """The best of the lattice's paths that say these words."""
    scores = lattice.edge_scores(weights).tolist()
    spoken, leaving = lattice.words, _leaving(lattice)
    # For each node and number of words said: the best score, and the arc and place before.
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0.0, -1, -1)}
    for node in range(lattice.nodes):
        for said in range(len(words) + 1):
            reached = best.get((node, said))
            if reached is None:
                continue
            for arc in leaving[node]:
                word = spoken[arc]
                if word and (said == len(words) or word != words[said]):
                    continue
                state = (int(lattice.targets[arc]), said + bool(word))
                value = reached[0] + scores[arc]
                if state not in best or value > best[state][0]:
                    best[state] = (value, arc, said)
    node, said = lattice.nodes - 1, len(words)
    if (node, said) not in best:
        raise InputError(f"{lattice.name}: found no path that says the words, expected one")
    arcs = []
    while node:
        _, arc, said = best[node, said]
        arcs.append(arc)
        node = int(lattice.sources[arc])
    return lattice.path(arcs[::-1], weights)


class _Steps:
    """Where sets of nodes lead."""

    def __init__(self, lattice: Lattice, weights: Weights) -> None:
        scores = lattice.edge_scores(weights).tolist()
        columns = (lattice.sources, lattice.targets, lattice.labels)
        self.final = lattice.nodes - 1
        self.empty: list[list[tuple[int, float]]] = [[] for _ in range(lattice.nodes)]
        self.spoken: list[list[tuple[str, int, float]]] = [[] for _ in range(lattice.nodes)]
        arcs = zip(*(column.tolist() for column in columns), scores, strict=True)
        for source, target, label, score in arcs:
            if label == EMPTY:
                self.empty[source].append((target, score))
            else:
                self.spoken[source].append((lattice.vocabulary[label], target, score))

    def closed(self, front: Front) -> Front:
        """What arcs without a word add; nodes from which nothing but those goes on drop out."""
        waiting = list(front)
        heapify(waiting)
        while waiting:  # arcs go forward, so a node that is taken has its best score
            node = heappop(waiting)
            for target, score in self.empty[node]:
                value = front[node] + score
                if target not in front:
                    heappush(waiting, target)
                    front[target] = value
                elif value > front[target]:
                    front[target] = value
        return {
            node: value for node, value in front.items() if self.spoken[node] or node == self.final
        }

    def by_word(self, front: Front) -> dict[str, Front]:
        """For each word the nodes it leads to."""
        fronts: dict[str, Front] = {}
        for node, value in front.items():
            for word, target, score in self.spoken[node]:
                reached = fronts.setdefault(word, {})
                better = value + score
                if better > reached.get(target, float("-inf")):
                    reached[target] = better
        return {word: self.closed(reached) for word, reached in fronts.items()}


def _key(front: Front) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((node, round(value / GRAIN)) for node, value in front.items()))


def _leaving(lattice: Lattice) -> list[list[int]]:
    arcs: list[list[int]] = [[] for _ in range(lattice.nodes)]
    for arc, source in enumerate(lattice.sources.tolist()):
        arcs[source].append(arc)
    return arcs


# n-gram posteriors: how probable it is that a path has an n-gram at least once.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NgramPosteriors(Mapping[tuple[str, ...], float]):
    """Probabilities of n-grams, by their words; n-grams that cannot occur are absent.

    ``words[n − 1]`` has the n-grams of order n as rows of indices into the vocabulary,
    ``probabilities[n − 1]`` their probabilities. ``approximation`` is empty if they are exact.

    >>> found = text_posteriors(Evidence.of(["a b a", "b"]), order=2)
    >>> found["a",], found["b", "a"]
    (0.5, 0.5)
    """

    vocabulary: tuple[str, ...] = field(repr=False)
    words: tuple[Integers, ...] = field(repr=False)
    probabilities: tuple[Floats, ...] = field(repr=False)
    approximation: str = ""
    _looked_up: dict[tuple[str, ...], float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_looked_up", {})

    @property
    def _places(self) -> dict[tuple[str, ...], float]:
        """Made when somebody asks by words: the search goes by numbers, and there can be many."""
        if not self._looked_up:
            names = self.vocabulary
            self._looked_up.update(
                (tuple(names[word] for word in row), probability)
                for grams, values in zip(self.words, self.probabilities, strict=True)
                for row, probability in zip(grams.tolist(), values.tolist(), strict=True)
            )
        return self._looked_up

    @property
    def order(self) -> int:
        """The longest n-gram."""
        return len(self.words)

    def __getitem__(self, gram: tuple[str, ...]) -> float:
        return self._places[gram]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def gains(
        self, thetas: Sequence[float], vocabulary: Sequence[str]
    ) -> list[tuple[Integers, Floats]]:
        """θₙ · p of every n-gram that can be said in another vocabulary, numbered by that."""
        numbers = {word: number for number, word in enumerate(vocabulary)}
        table = np.array([numbers.get(word, -1) for word in self.vocabulary], dtype=np.int32)
        result = []
        for theta, grams, values in zip(thetas, self.words, self.probabilities, strict=True):
            there = table[grams]
            known = (there >= 0).all(axis=1)
            result.append((np.ascontiguousarray(there[known]), theta * values[known]))
        return result


def lattice_posteriors(
    lattice: Lattice, order: int = 4, *, scale: float = 1.0, weights: Weights = None
) -> NgramPosteriors:
    """Exact posteriors of all n-grams up to an order, paths ∝ exp(scale · model score).

    The probabilities of all paths that say the same are added. A path counts once for an
    n-gram, however often it has it (Tromble et al. 2008, equation 9, is a probability, no
    expected count): mass that has the n-gram already is carried along and not counted again.
    """
    _check(order, scale)
    scores = np.ascontiguousarray(scale * lattice.edge_scores(weights))
    structure = lattice.sources, lattice.targets, lattice.labels
    try:
        candidates = [
            _native.lattice_posteriors(*structure, scores, nodes=lattice.nodes, order=n)
            for n in range(1, order + 1)
        ]
    except ValueError as error:  # only n-grams beyond number
        raise InputError(f"{lattice.name}: {error}") from None
    return NgramPosteriors(
        vocabulary=lattice.vocabulary,
        words=tuple(grams for grams, _ in candidates),
        probabilities=tuple(values for _, values in candidates),
    )


def forest_posteriors(
    forest: Forest,
    texts: Iterable[str],
    order: int = 4,
    *,
    scale: float = 1.0,
    weights: Weights = None,
) -> NgramPosteriors:
    """Exact posteriors of the n-grams that some texts have, derivations ∝ exp(scale · score).

    A forest can have more n-grams than anybody can list, so only those of the candidates are
    looked up: for each, the inside algorithm with the automaton that recognises it.
    """
    _check(order, scale)
    numbers = {word: number for number, word in enumerate(forest.vocabulary)}
    tables: list[dict[tuple[int, ...], None]] = [{} for _ in range(order)]
    for text in texts:
        words = [numbers.get(word, -1) for word in text.split()]
        for n, table in enumerate(tables, 1):
            table.update(dict.fromkeys(gram for gram in grams_of(words, n) if min(gram) >= 0))
    scores = np.ascontiguousarray(scale * forest.edge_scores(weights))
    grams = [
        np.array(list(table), dtype=np.int32).reshape(-1, n) for n, table in enumerate(tables, 1)
    ]
    hypotheses = [
        _native.forest_posteriors(
            forest.heads,
            forest.symbol_offsets,
            forest.symbols,
            forest.tail_offsets,
            forest.tails,
            scores,
            nodes=forest.nodes,
            grams=of_order,
        )
        for of_order in grams
    ]
    return NgramPosteriors(
        vocabulary=forest.vocabulary, words=tuple(grams), probabilities=tuple(hypotheses)
    )


def text_posteriors(
    evidence: Evidence, order: int = 4, *, approximation: str = ""
) -> NgramPosteriors:
    """Posteriors from texts with probabilities: n-best lists, or samples of a forest."""
    numbers: dict[str, int] = {}
    sums: list[dict[tuple[int, ...], float]] = [{} for _ in range(order)]
    for text, probability in zip(evidence.texts, evidence.probabilities.tolist(), strict=True):
        words = [numbers.setdefault(word, len(numbers)) for word in text.split()]
        for n, table in enumerate(sums, 1):
            for gram in set(grams_of(words, n)):
                table[gram] = table.get(gram, 0.0) + probability
    return NgramPosteriors(
        vocabulary=tuple(numbers),
        words=tuple(
            np.array(list(table), dtype=np.int32).reshape(-1, n) for n, table in enumerate(sums, 1)
        ),
        probabilities=tuple(np.array(list(table.values())) for table in sums),
        approximation=approximation,
    )


def grams_of(words: Sequence[int], n: int) -> Iterable[tuple[int, ...]]:
    """The n-grams of a text, in order."""
    return zip(*(words[start:] for start in range(n)), strict=False)


def _check(order: int, scale: float) -> None:
    if order < 1:
        raise OptionError(f"order: found {order}, expected at least 1")
    if not (np.isfinite(scale) and scale >= 0):
        raise OptionError(f"scale: found {scale:g}, expected a number, 0 or more")


PRECISION: Final = 0.85
RATIO: Final = 0.72
"""Unigram precision and decay that Tromble et al. measured for Arabic-English on dev data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearBleu:
    """BLEU made linear, ``θ₀ |E| + Σₙ θₙ Σ p(n-gram)`` over the n-grams of the text E.

    The weights are θ₀ = −1/T and θₙ = 1 / (4 T p rⁿ⁻¹).
    ``precision`` p is that of unigrams, ``ratio`` r how precision falls from one order to the
    next, T the number of reference words. T only scales the gain, so it is 1 unless a word
    penalty is to be measured in another unit (HiFST's default is 10). ``word_penalty`` is what
    every word costs besides: above 0 shortens.

    >>> [round(theta, 4) for theta in LinearBleu(precision=0.5, ratio=0.5).thetas]
    [-1.0, 0.5, 1.0, 2.0, 4.0]
    """

    precision: float = PRECISION
    ratio: float = RATIO
    order: int = 4
    reference_words: float = 1.0
    word_penalty: float = 0.0

    def __post_init__(self) -> None:
        for name in ("precision", "ratio"):
            value = getattr(self, name)
            if not 0 < value <= 1:
                raise OptionError(f"linear BLEU: found {name} {value:g}, expected above 0, up to 1")
        if not (self.reference_words > 0 and np.isfinite(self.reference_words)):
            found = f"found reference_words {self.reference_words:g}"
            raise OptionError(f"linear BLEU: {found}, expected a number above 0")
        if not np.isfinite(self.word_penalty):
            raise OptionError("linear BLEU: word_penalty: expected a finite number")
        if self.order < 1:
            raise OptionError(f"linear BLEU: found order {self.order}, expected at least 1")

    @property
    def thetas(self) -> tuple[float, ...]:
        """θ₀, θ₁, …, θ_order."""
        total = self.reference_words
        powers = (self.ratio**n for n in range(self.order))
        return (-1 / total, *(1 / (4 * total * self.precision * power) for power in powers))

    def gain(self, words: Sequence[str], posteriors: NgramPosteriors) -> float:
        """The expected gain of a text."""
        zero, *thetas = self.thetas
        total = (zero - self.word_penalty) * len(words)
        for n, theta in enumerate(thetas, 1):
            for start in range(len(words) - n + 1):
                total += theta * posteriors.get(tuple(words[start : start + n]), 0.0)
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinearChoice:
    """The path of a lattice with the best expected gain."""

    path: Path
    gain: float
    formula: LinearBleu
    posteriors: NgramPosteriors = field(repr=False)
    scale: float
    margin: float | None

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return self.path.text

    def __str__(self) -> str:
        return f"{self.gain:.4f}  {self.text}"


def linear_bleu_mbr(
    lattice: Lattice,
    formula: LinearBleu | None = None,
    *,
    evidence: Lattice | NgramPosteriors | None = None,
    scale: float = 1.0,
    margin: float | None = None,
    weights: Weights = None,
) -> LinearChoice:
    """The path with the best expected linear BLEU, exactly.

    Posteriors come from the lattice itself or from other evidence, whose path scores are
    multiplied by ``scale``. ``margin`` first drops all arcs of which no path comes that near to
    the best score: from the evidence, and from the lattice if it is the evidence. Before that the
    lattice is made deterministic, as HiFST does: of several derivations of one word sequence the
    best one counts, where without a margin their probabilities are added.
    """
    formula = formula or LinearBleu()
    space, given = lattice, weights
    if margin is not None and not isinstance(evidence, NgramPosteriors):
        pruned = within(determinized(evidence or lattice, weights), margin)
        if evidence is None:
            lattice = pruned
        evidence, weights = pruned, None
    if not isinstance(evidence, NgramPosteriors):
        evidence = lattice_posteriors(
            evidence or lattice, formula.order, scale=scale, weights=weights
        )
    elif evidence.order != formula.order:
        raise OptionError(
            f"linear BLEU: found posteriors up to {evidence.order}-grams, expected {formula.order}"
        )
    zero, *thetas = formula.thetas
    try:
        arcs, gain = _native.lattice_gain_path(
            lattice.sources,
            lattice.targets,
            lattice.labels,
            nodes=lattice.nodes,
            word_gain=zero - formula.word_penalty,
            grams=evidence.gains(thetas, lattice.vocabulary),
        )
    except ValueError as error:  # only n-grams beyond number
        raise InputError(f"{lattice.name}: {error}") from None
    return LinearChoice(
        path=best_path_of(space, lattice.path(arcs).words, given),
        gain=gain,
        formula=formula,
        posteriors=evidence,
        scale=scale,
        margin=margin,
    )


def best_text(
    texts: Evidence | Sequence[str], posteriors: NgramPosteriors, formula: LinearBleu
) -> tuple[int, Floats]:
    """The text with the best expected linear BLEU, the first among equals, and all gains."""
    candidates = texts.texts if isinstance(texts, Evidence) else texts
    gains = np.array([formula.gain(text.split(), posteriors) for text in candidates])
    return int(np.argmax(gains)), gains
