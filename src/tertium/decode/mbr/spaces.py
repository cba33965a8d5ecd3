"""Minimum Bayes risk over lattices and forests, by candidates and evidence taken from them."""

from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.linear_bleu import LinearBleu, best_text
from tertium.decode.mbr.lists import Choice, mbr
from tertium.decode.mbr.posteriors import forest_posteriors
from tertium.decode.mbr.random_paths import sampled_texts
from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import OptionError
from tertium.inference.choices import DEFAULT_SEED
from tertium.metrics.contract.base import Metric

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
    found = mbr(candidates, utility, evidence=evidence, prune=prune)
    return replace(found, segment=segment, approximation=str(chosen))


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
