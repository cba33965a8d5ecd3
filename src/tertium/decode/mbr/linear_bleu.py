"""Lattice minimum Bayes risk with linear BLEU (Tromble, Kumar, Och & Macherey 2008).

BLEU's logarithm is approximated by a function that is linear in a hypothesis' n-grams, so the
expected gain of a path is a sum over its words, and one search finds the best path of the lattice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tertium import _native
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.posteriors import NgramPosteriors, lattice_posteriors
from tertium.decode.oracle.margin import within
from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.determinization import best_path_of, determinized
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.path import Path
from tertium.errors import InputError, OptionError

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
