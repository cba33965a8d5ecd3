"""Oracles against composition and shortest path by an independent library of automata."""

from typing import Any

import numpy as np
import pytest

from tertium.decode.oracle.oracles import oracle
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.text.tokenizers import WHITESPACE
from tests.oracles.decoding.lattice_oracle import best_by_composition
from tests.oracles.grr import Automaton, denominator
from tests.support.lattice_strategies import WORDS, random_lattice

COSTS = [(1.0, 0.0), (-0.9, 1.0), (0.5, 0.25), (-1.0, -1.0)]


@pytest.fixture(scope="module")
def kaldifst() -> Any:
    return pytest.importorskip("kaldifst", reason="the extra 'fst' is not installed")


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize(("alpha", "beta"), COSTS)
def test_oracle_is_the_shortest_path(kaldifst: Any, k: int, alpha: float, beta: float) -> None:
    rng = np.random.default_rng(k)
    metric = GramRecognitionRate(k=k, alpha=alpha, beta=beta, tokenizer=WHITESPACE)
    for _ in range(25):
        lattice = random_lattice(rng, nodes=int(rng.integers(2, 12)), arcs=25, empty=0.2)
        words = tuple(str(word) for word in rng.choice([*WORDS, "unseen"], rng.integers(1, 12)))
        weight = best_by_composition(kaldifst, lattice, Automaton(words, k, alpha, beta))
        found = oracle(lattice, " ".join(words), metric)
        # OpenFst adds in single precision.
        assert found.best.score * denominator(words, k) / 100 == pytest.approx(weight, abs=1e-4)
