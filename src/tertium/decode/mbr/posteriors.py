"""n-gram posteriors: how probable it is that a path has an n-gram at least once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tertium import _native
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.structures.arrays import Floats, Integers, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import InputError, OptionError


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
        found = []
        for theta, grams, values in zip(thetas, self.words, self.probabilities, strict=True):
            there = table[grams]
            known = (there >= 0).all(axis=1)
            found.append((np.ascontiguousarray(there[known]), theta * values[known]))
        return found


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
        found = [
            _native.lattice_posteriors(*structure, scores, nodes=lattice.nodes, order=n)
            for n in range(1, order + 1)
        ]
    except ValueError as error:  # only n-grams beyond number
        raise InputError(f"{lattice.name}: {error}") from None
    return NgramPosteriors(
        vocabulary=lattice.vocabulary,
        words=tuple(grams for grams, _ in found),
        probabilities=tuple(values for _, values in found),
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
    found = [
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
        vocabulary=forest.vocabulary, words=tuple(grams), probabilities=tuple(found)
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
