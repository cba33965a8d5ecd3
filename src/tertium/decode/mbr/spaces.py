"""Minimum Bayes risk over lattices and forests, by candidates and evidence taken from them."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Literal

import numpy as np

from tertium.choices import DEFAULT_SEED
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.linear_bleu import LinearBleu, best_text, forest_posteriors
from tertium.decode.mbr.lists import Choice, mbr
from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.graph import Hypergraph
from tertium.decode.structures.lattice import Lattice
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric

# Independent samples of a lattice's paths or a forest's derivations.


def sampled_texts(
    space: Lattice | Forest,
    size: int,
    *,
    seed: int,
    scale: float = 1.0,
    weights: Weights = None,
) -> list[str]:
    """Texts of paths drawn with probability ∝ exp(scale · model score), with replacement."""
    if size < 1:
        raise OptionError(f"samples: found {size}, expected at least 1")
    if not (np.isfinite(scale) and scale >= 0):
        raise OptionError(f"scale: found {scale:g}, expected a number, 0 or more")
    graph = space.hypergraph()
    edges = sampled_edges(graph, scale * space.edge_scores(weights), size, seed)
    return [space.of_edges(some).text for some in edges]


def sampled_edges(graph: Hypergraph, values: Floats, size: int, seed: int) -> Iterator[list[int]]:
    """Edges of derivations, from the goal down, left before right.

    An edge is chosen among those into its node by its share of their inside sums, so the
    probability of a whole derivation is exactly its share of all.
    """
    shares = cumulative_shares(graph, values)
    rng = np.random.default_rng(seed)
    draws = iter(rng.random(0).tolist())
    for _ in range(size):
        edges: list[int] = []
        open_nodes = [graph.goal]
        while open_nodes:
            node = open_nodes.pop()
            if not graph.edges[node]:
                continue  # the axiom
            draw = next(draws, None)
            if draw is None:
                draws = iter(rng.random(4096).tolist())
                draw = next(draws)
            index = min(bisect_right(shares[node], draw), len(shares[node]) - 1)
            edge = graph.edges[node][index]
            edges.append(edge)
            open_nodes += reversed(graph.tails[edge])
        yield edges


def cumulative_shares(graph: Hypergraph, values: Floats) -> list[list[float]]:
    """For each node the running sums of its edges' probabilities."""
    numbers = values.tolist()
    sums = [0.0] * len(graph.edges)
    shares: list[list[float]] = []
    for node, edges in enumerate(graph.edges):
        scores = np.array([numbers[e] + sum(sums[t] for t in graph.tails[e]) for e in edges])
        if len(scores):
            top = float(scores.max())
            weights = np.exp(scores - top)
            sums[node] = top + float(np.log(weights.sum()))
            shares.append(list(accumulate((weights / weights.sum()).tolist())))
        else:
            shares.append([])
    return shares


LINEAR_BLEU = "linear-bleu"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSearch:
    """What of a lattice or forest is looked at.

    Candidates are the distinct texts of the ``best`` best paths and of all samples. Evidence are
    ``samples`` independent draws, which estimate every expectation without bias; or, with
    ``evidence="n-best"``, the best paths with probabilities normalised among themselves, which
    leaves out the mass of all the others.
    """

    best: int = 200
    samples: int = 1000
    evidence: Literal["samples", "n-best"] = "samples"
    scale: float = 1.0
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if self.best < 0 or self.samples < 0 or self.best + self.samples < 1:
            found = f"found best={self.best}, samples={self.samples}"
            raise OptionError(f"search: {found}, expected one above 0 and none below")
        needed = "best" if self.evidence == "n-best" else "samples"
        if getattr(self, needed) < 1:
            raise OptionError(f"search: found {needed}=0, expected some for the evidence")

    def __str__(self) -> str:
        candidates = [f"{self.best} best paths"] * (self.best > 0)
        candidates += [f"{self.samples} samples"] * (self.samples > 0)
        said = f"candidates: {' and '.join(candidates)}; evidence: {self.evidence}"
        return f"{said}, seed {self.seed}" if self.samples else said


def space_mbr(
    space: Lattice | Forest,
    utility: str | Metric = "grr[tokenizer=none]",
    search: SpaceSearch | None = None,
    *,
    weights: Weights = None,
    segment: int = 0,
    prune: bool | None = None,
) -> Choice:
    """The candidate with the best expected utility under the evidence; see `SpaceSearch`.

    An approximation of the search over all paths, and labelled so: only candidates that were
    drawn or ranked can win.
    """
    chosen = search or SpaceSearch()
    candidates, evidence = _texts(space, chosen, weights)
    result = mbr(candidates, utility, evidence=evidence, prune=prune)
    return replace(result, segment=segment, approximation=str(chosen))


def forest_linear_mbr(
    forest: Forest,
    formula: LinearBleu | None = None,
    search: SpaceSearch | None = None,
    *,
    weights: Weights = None,
    segment: int = 0,
) -> Choice:
    """Linear BLEU (Tromble et al. 2008; Kumar et al. 2009) with exact posteriors of the forest.

    Posteriors are those of all derivations; the candidates are taken as by `space_mbr`, whose
    evidence the result keeps only to say which text was the most probable.
    """
    chosen, formula = search or SpaceSearch(), formula or LinearBleu()
    candidates, evidence = _texts(forest, chosen, weights)
    posteriors = forest_posteriors(
        forest, candidates, formula.order, scale=chosen.scale, weights=weights
    )
    winner, gains = best_text(candidates, posteriors, formula)
    return Choice(
        segment=segment,
        utility=LINEAR_BLEU,
        candidates=candidates,
        evidence=evidence,
        decisive=gains,
        winner=winner,
        pairs=len(candidates),
        approximation=f"{str(chosen).partition(';')[0]}; evidence: all derivations",
    )


def _texts(
    space: Lattice | Forest, search: SpaceSearch, weights: Weights
) -> tuple[tuple[str, ...], Evidence]:
    """Distinct candidates, and the evidence."""
    ranked = list(islice(space.ranked(weights), search.best))
    samples = (
        sampled_texts(space, search.samples, seed=search.seed, scale=search.scale, weights=weights)
        if search.samples
        else []
    )
    texts = tuple(dict.fromkeys([*(path.text for path in ranked), *samples]))
    if search.evidence == "samples":
        return texts, Evidence.of(samples)
    scores = [path.score for path in ranked]
    return texts, Evidence.of([path.text for path in ranked], scores, scale=search.scale)
