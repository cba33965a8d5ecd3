"""Small lattices and forests, at random: few words, parallel arcs, empty words, single nodes.

Two ways to get them: hypothesis strategies, which shrink a failure to something that can be read,
and functions of a random generator, for thousands of cases in one test. Feature values are
multiples of 1/4, so that sums are exact and ties happen.
"""

import numpy as np
from hypothesis import strategies as st

from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice

WORDS = ("a", "b", "c", "the", "naïve")
FEATURES = ("lm", "tm")

numbers = st.integers(-12, 12).map(lambda number: number / 4)


@st.composite
def lattices(
    draw: st.DrawFn, *, most_nodes: int = 5, most_arcs: int = 9, words: tuple[str, ...] = WORDS
) -> Lattice:
    """A lattice of at most so many arcs, about; an empty word is one word of many."""
    nodes = draw(st.integers(1, most_nodes))
    pairs = [(draw(st.integers(0, node - 1)), node) for node in range(1, nodes)]
    leaving = {source for source, _ in pairs}
    pairs += [
        (node, draw(st.integers(node + 1, nodes - 1)))
        for node in range(nodes - 1)
        if node not in leaving
    ]
    if nodes > 1:
        for _ in range(draw(st.integers(0, max(0, most_arcs - len(pairs))))):
            source = draw(st.integers(0, nodes - 2))
            pairs.append((source, draw(st.integers(source + 1, nodes - 1))))
    word = st.sampled_from(["", *words])
    arcs = [
        (source, target, draw(word), (draw(numbers), draw(numbers))) for source, target in pairs
    ]
    return Lattice.build(
        arcs, start=0, finals=[nodes - 1], feature_names=FEATURES, weights=[1.0, -0.5]
    )


@st.composite
def forests(
    draw: st.DrawFn, *, most_nodes: int = 4, arity: int = 2, words: tuple[str, ...] = WORDS
) -> Forest:
    """A forest whose nodes have one to three hyperedges each."""
    nodes = draw(st.integers(1, most_nodes))
    word = st.sampled_from(words)
    edges = []
    for head in range(nodes):
        for _ in range(draw(st.integers(1, 3))):
            tails = draw(st.lists(st.integers(0, head - 1), max_size=arity)) if head else []
            symbols: list[str | int] = [*tails, *draw(st.lists(word, max_size=2))]
            edges.append((head, draw(st.permutations(symbols)), (draw(numbers), draw(numbers))))
    return Forest.build(
        edges, goal=nodes - 1, feature_names=FEATURES, weights=[1.0, -0.5], trim=True
    )


def random_lattice(
    rng: np.random.Generator,
    *,
    nodes: int = 5,
    arcs: int = 9,
    words: tuple[str, ...] = WORDS,
    empty: float = 0.15,
) -> Lattice:
    """A lattice of exactly so many nodes and, where they suffice, arcs."""
    pairs = [(int(rng.integers(node)), node) for node in range(1, nodes)]
    leaving = {source for source, _ in pairs}
    pairs += [
        (node, int(rng.integers(node + 1, nodes)))
        for node in range(nodes - 1)
        if node not in leaving
    ]
    while nodes > 1 and len(pairs) < arcs:
        source = int(rng.integers(nodes - 1))
        pairs.append((source, int(rng.integers(source + 1, nodes))))
    rows = [
        (
            source,
            target,
            "" if rng.random() < empty else str(rng.choice(words)),
            (rng.integers(-12, 13, 2) / 4).tolist(),
        )
        for source, target in pairs
    ]
    return Lattice.build(
        rows, start=0, finals=[nodes - 1], feature_names=FEATURES, weights=[1.0, -0.5]
    )


def _random_tails(rng: np.random.Generator, head: int, arity: int) -> list[int]:
    """Mostly some, often the node just below, so that derivations get deep."""
    if not head or rng.random() < 0.15:
        return []
    tails: list[int] = rng.integers(head, size=int(rng.integers(1, arity + 1))).tolist()
    if rng.random() < 0.7:
        tails[int(rng.integers(len(tails)))] = head - 1
    return tails


def random_forest(
    rng: np.random.Generator,
    *,
    nodes: int = 4,
    edges: int = 2,
    arity: int = 2,
    words: tuple[str, ...] = WORDS,
) -> Forest:
    """A forest of at most so many nodes with at most so many hyperedges each."""
    rows = []
    for head in range(nodes):
        for _ in range(int(rng.integers(1, edges + 1))):
            tails = _random_tails(rng, head, arity)
            spoken = [str(rng.choice(words)) for _ in range(int(rng.integers(3)))]
            symbols: list[str | int] = [*tails, *spoken]
            order = rng.permutation(len(symbols)).tolist()
            features = (rng.integers(-12, 13, 2) / 4).tolist()
            rows.append((head, [symbols[place] for place in order], features))
    return Forest.build(
        rows, goal=nodes - 1, feature_names=FEATURES, weights=[1.0, -0.5], trim=True
    )
