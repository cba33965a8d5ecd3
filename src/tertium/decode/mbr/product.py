"""Exact minimum Bayes risk by GRR or WRR over all paths of a small lattice.

The k-gram recognition rate is an automaton over the words of one reference (Chiang et al. 2008,
section 4.2). For K pseudo references the K automata read a path side by side; a state is one state
of each, so there are as many as the product: exact, and only for small cases.
"""

from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np

from tertium.decode.mbr.evidence import Evidence
from tertium.decode.structures.arrays import Floats, Path, Weights
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordRecognitionRate

MOST_CELLS: Final = 20_000_000
"""Numbers that are held in memory: nodes, or states of one automaton, × joint states."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProductChoice:
    """The path of a lattice with the best expected rate, exactly."""

    path: Path
    expected: float
    utility: str
    evidence: Evidence

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return self.path.text


def product_mbr(
    lattice: Lattice, evidence: Evidence, utility: Metric, *, weights: Weights = None
) -> ProductChoice:
    """The path with the largest Σ_r p(r) · rate(path, r) among all, for GRR and WRR.

    Numerators are maxima over alignments and denominators depend on r alone, so the expectation
    of a path is the best joint run of the K automata, weighted by p(r) / denominator(r).
    """
    k, alpha, beta = _rates(utility)
    if lattice.arcs == 0:
        raise InputError(f"{lattice.name}: found no arcs, expected some")
    automata = [
        _Automaton.of(utility.words(text), k, alpha, beta, share)  # type: ignore[attr-defined]
        for text, share in zip(evidence.texts, evidence.probabilities.tolist(), strict=True)
    ]
    shape = tuple(one.states for one in automata)
    # A step looks at every pair of a joint state and a state of one automaton.
    cells = max(lattice.nodes, *shape) * int(np.prod([float(size) for size in shape]))
    if cells > MOST_CELLS:
        raise OptionError(
            f"{lattice.name}: found {cells:,} cells for {len(evidence)} pseudo references, "
            f"expected at most {MOST_CELLS:,}; sampled evidence has no such limit"
        )
    tables = _forward(lattice, automata, shape)
    ends = reduce(np.add.outer, [one.ends for one in automata])
    last = tables[-1] + ends
    arcs = _backward(lattice, automata, tables, np.unravel_index(int(last.argmax()), shape))
    return ProductChoice(
        path=lattice.path(arcs, weights),
        expected=100 * float(last.max()),
        utility=utility.spec,
        evidence=evidence,
    )


def _rates(utility: Metric) -> tuple[int, float, float]:
    """k, α and β; WRR is the rate with k = 1, α = 1, β = 0."""
    if type(utility) is GramRecognitionRate:
        return utility.k, utility.alpha, utility.beta
    if type(utility) is WordRecognitionRate:
        return 1, 1.0, 0.0
    raise OptionError(f"product: found utility {utility.spec}, expected grr or wrr")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Automaton:
    """States (position, matches in a row) of one reference, as max-plus matrices."""

    starts: Floats
    """By state: what words deleted before the first one cost."""
    ends: Floats
    """By state: what words deleted after the last one cost."""
    words: dict[str, Floats]
    """By word of the reference: from state, to state."""
    other: Floats
    """The same for any other word."""

    @property
    def states(self) -> int:
        return len(self.ends)

    def step(self, word: str) -> Floats:
        return self.words.get(word, self.other)

    @classmethod
    def of(cls, words: list[str], k: int, alpha: float, beta: float, share: float) -> "_Automaton":
        """Weights are in units of the expectation: probability over denominator."""
        length = len(words)
        if length == 0:
            raise InputError("pseudo references: found one without a word, expected words")
        unit = share / sum(length - n for n in range(min(k, length)))
        states = [(i, m) for i in range(length + 1) for m in range(min(i, k - 1) + 1)]
        places = {state: place for place, state in enumerate(states)}
        none = np.full((len(states), len(states)), -np.inf)

        def deletions(position: int) -> Floats:
            """Being at a position, and at any later one after deletions."""
            row = np.full(len(states), -np.inf)
            for later in range(position, length + 1):
                row[places[later, 0]] = -beta * (later - position)
            return row

        def matrix(word: str | None) -> Floats:
            table = none.copy()
            for place, (i, m) in enumerate(states):
                row = table[place]
                np.maximum(row, deletions(i) - alpha, out=row)  # inserted
                if i < length:
                    np.maximum(row, deletions(i + 1), out=row)  # substituted
                    if words[i] == word:
                        gain = min(m + 1, k)
                        target = places[i + 1, min(m + 1, k - 1)]
                        row[target] = max(row[target], gain)
                        np.maximum(row, deletions(i + 1) + gain, out=row)
            return table * unit

        return cls(
            starts=deletions(0) * unit,
            ends=np.array([-beta * (length - i) for i, _ in states]) * unit,
            words={word: matrix(word) for word in set(words)},
            other=matrix(None),
        )


def _forward(lattice: Lattice, automata: list[_Automaton], shape: tuple[int, ...]) -> list[Floats]:
    """For each node the best weight of every joint state."""
    tables = [np.full(shape, -np.inf) for _ in range(lattice.nodes)]
    tables[0] = reduce(np.add.outer, [one.starts for one in automata])
    arcs = zip(lattice.sources, lattice.targets, lattice.labels.tolist(), strict=True)
    for source, target, label in arcs:
        reached = tables[source]
        if label != EMPTY:
            for axis, one in enumerate(automata):
                moved = np.moveaxis(reached, axis, -1)
                best = (moved[..., :, None] + one.step(lattice.vocabulary[label])).max(axis=-2)
                reached = np.moveaxis(best, -1, axis)
        np.maximum(tables[target], reached, out=tables[target])
    return tables


def _backward(
    lattice: Lattice,
    automata: list[_Automaton],
    tables: list[Floats],
    state: tuple[np.intp, ...],
) -> list[int]:
    """The arcs of a path that ends in a joint state with its weight."""
    into: list[list[int]] = [[] for _ in range(lattice.nodes)]
    for arc, target in enumerate(lattice.targets.tolist()):
        into[target].append(arc)
    node, arcs = lattice.nodes - 1, []
    while node != 0:
        best, chosen, before = -np.inf, -1, state
        for arc in into[node]:
            table, label = tables[lattice.sources[arc]], int(lattice.labels[arc])
            if label == EMPTY:
                value, place = float(table[state]), state
            else:
                word = lattice.vocabulary[label]
                steps = [one.step(word)[:, s] for one, s in zip(automata, state, strict=True)]
                total = table + reduce(np.add.outer, steps)
                place = np.unravel_index(int(total.argmax()), total.shape)
                value = float(total[place])
            if value > best:
                best, chosen, before = value, arc, place
        arcs.append(chosen)
        node, state = int(lattice.sources[chosen]), before
    return arcs[::-1]
