"""Minimum Bayes risk decoding over lists (Kumar & Byrne 2004)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from tertium import _native
from tertium._native import Texts
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.matrix import Matrix, fitted, utility_matrix
from tertium.decode.mbr.pruning import pays, pruned_expectations
from tertium.decode.structures.arrays import Floats, read_only
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity
from tertium.metrics.ngram.chrf import Chrf

# Reference aggregation: all pseudo references become one, by the mean of their counts.
#
# DeNero, Chiang & Knight (2009) did so with expected n-gram counts for BLEU, Vamvas & Sennrich
# (2024) for chrF. The work grows with N instead of N², and the result is an approximation: the
# score of a mean is not the mean of the scores.

MEAN_REFERENCE = "mean-reference"


def scores_against_mean(metric: Metric, candidates: Sequence[str], evidence: Evidence) -> Floats:
    """Each candidate's score against the mean n-gram counts and mean length of the evidence."""
    chosen = metric.for_segments()
    hypotheses, references = Texts(candidates), Texts(evidence.texts)
    if type(chosen) is Bleu or type(chosen) is BleuStrictBrevity:
        native_texts, lowercase = chosen.tokenizer.native_texts, chosen.lowercase
        rows = _native.bleu_against_mean(
            native_texts(hypotheses, lowercase=lowercase),
            native_texts(references, lowercase=lowercase),
            evidence.probabilities,
            tokenizer=chosen.tokenizer.native_name,
            order=chosen.order,
        )
        return chosen.score(rows[:, : len(chosen.columns)])
    if type(chosen) is Chrf:
        rows = _native.chrf_against_mean(
            hypotheses.lower() if chosen.lowercase else hypotheses,
            references.lower() if chosen.lowercase else references,
            evidence.probabilities,
            character_order=chosen.character_order,
            word_order=chosen.word_order,
            beta=chosen.beta,
            whitespace=chosen.whitespace,
            every_order=not chosen.effective_order,
        )
        return chosen.score(rows)
    raise OptionError(
        f"{MEAN_REFERENCE}: found utility {metric.spec}, expected bleu, bleu-sbp or chrf"
    )


TIE: Final = 1e-9
"""Expected scores that differ by less are equal: they are sums of many rounded numbers."""

Approximation = Literal["mean-reference"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """The candidate with the best expected utility, and what speaks for it.

    Expected scores are in the utility's own direction (a low TER is good). ``decisive`` are those
    that the choice rests on, NaN where a candidate was given up; ``pairs`` were scored for them.
    ``rest`` is the metric that all others are computed by when they are asked for; None if they
    are known or will never be. ``approximation`` is empty if the choice is exact.
    """

    segment: int
    utility: str
    candidates: tuple[str, ...] = field(repr=False)
    evidence: Evidence = field(repr=False)
    decisive: Floats = field(repr=False)
    winner: int
    pairs: int
    higher_is_better: bool = True
    approximation: str = ""
    matrix: Matrix | None = field(default=None, repr=False)
    rest: Metric | None = field(default=None, repr=False)
    _expected: Floats | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "decisive", read_only(self.decisive, np.float64))

    @property
    def expected(self) -> Floats:
        """The expected scores of all candidates, NaN where ``prune`` gave one up.

        Where only some were needed for the choice, all are computed when first asked for.
        """
        if self.rest is None:
            return self.decisive
        if self._expected is None:
            matrix = utility_matrix(self.rest, self.candidates, self.evidence.texts)
            expectations = read_only(matrix @ self.evidence.probabilities, np.float64)
            object.__setattr__(self, "_expected", expectations)
        return self._expected  # type: ignore[return-value]

    @property
    def text(self) -> str:
        """What was chosen."""
        return self.candidates[self.winner]

    @property
    def score(self) -> float:
        """The expected utility of what was chosen."""
        return float(self.decisive[self.winner])

    @property
    def most_probable(self) -> str:
        """What would have been chosen by probability alone."""
        return self.evidence.texts[self.evidence.best]

    def ranking(self) -> list[int]:
        """The candidates from best to worst; those given up last, ties in their order."""
        best_first = -self.expected if self.higher_is_better else self.expected
        order: list[int] = np.argsort(best_first, kind="stable").tolist()  # NaN goes last
        return order

    def __str__(self) -> str:
        how = self.approximation or "exact"
        return f"{self.score:.4f}  {self.text}  ({self.utility}, {how})"


def mbr(
    candidates: NBest | Sequence[str],
    utility: str | Metric = "bleu",
    *,
    evidence: Evidence | NBest | Sequence[str] | None = None,
    scores: ArrayLike | None = None,
    scale: float = 1.0,
    prune: bool | None = None,
    approximate: Approximation | None = None,
    matrix: Matrix | None = None,
    keep_matrix: bool = False,
) -> Choice:
    """The candidate h with the largest Σ_r p(r) · gain(h, r); a metric of errors is a loss.

    ``candidates`` are texts or an n-best list; the same text counts once, with all its
    probability. Probabilities are exp(scale · score), normalised; equal without scores. The pseudo
    references r are the candidates themselves, unless ``evidence`` says otherwise (``scores``
    then belong to the evidence, if it is plain texts).

    TER scores only the pairs that the choice needs, and all when ``expected`` is asked for;
    ``prune=False`` scores all at once, ``prune=True`` gives up candidates that cannot win for good,
    by any metric. ``approximate="mean-reference"`` aggregates the evidence; ``matrix`` are
    utilities known from before. Of equal candidates the first wins. A metric that weighs words by
    all references is fitted to the evidence, unless it is already.

    >>> mbr(["a b c", "a b d", "x y z"], "chrf").text
    'a b c'
    """
    metric = utility if isinstance(utility, Metric) else parse_metric(utility)
    segment, texts = 0, candidates
    if isinstance(candidates, NBest):
        segment, texts = candidates.segment, candidates.hypotheses
        if scores is None and evidence is None:
            scores = candidates.scores
    own = _evidence(texts if evidence is None else evidence, scores, scale)
    distinct = own.texts if evidence is None else Evidence.of(texts).texts  # type: ignore[arg-type]
    metric = fitted(metric, own.texts)
    whole = matrix is not None or keep_matrix
    if sum((prune is True, approximate is not None, whole)) > 1:
        raise OptionError(
            "mbr: found several of prune, approximate and matrix, expected one of them at most"
        )
    if approximate is not None:
        if approximate != MEAN_REFERENCE:
            raise OptionError(f"approximate: found '{approximate}', expected {MEAN_REFERENCE}")
        expected, pairs = scores_against_mean(metric, distinct, own), len(distinct)
    elif prune or (prune is None and not whole and pays(metric, len(distinct) * len(own))):
        expectations = pruned_expectations(metric, distinct, own)
        expected, pairs = expectations.expected, expectations.pairs
    else:
        known = utility_matrix(metric, distinct, own.texts) if matrix is None else matrix
        choice = chosen_by_matrix(
            known,
            distinct,
            own,
            segment=segment,
            utility=metric.spec,
            higher_is_better=metric.higher_is_better,
        )
        return replace(choice, matrix=known if keep_matrix else None)
    return Choice(
        segment=segment,
        utility=metric.spec,
        candidates=distinct,
        evidence=own,
        decisive=expected,
        winner=best_of(expected, higher_is_better=metric.higher_is_better),
        pairs=pairs,
        higher_is_better=metric.higher_is_better,
        approximation=approximate or "",
        rest=None if prune or approximate is not None else metric,
    )


def chosen_by_matrix(
    matrix: Matrix,
    candidates: tuple[str, ...],
    evidence: Evidence,
    *,
    segment: int,
    utility: str,
    higher_is_better: bool,
) -> Choice:
    """The choice by utilities that are known, whoever computed them."""
    if matrix.shape != (len(candidates), len(evidence)):
        raise InputError(
            f"matrix: found shape {matrix.shape}, expected {(len(candidates), len(evidence))} "
            "(distinct candidates, distinct pseudo references)"
        )
    expected = matrix @ evidence.probabilities
    return Choice(
        segment=segment,
        utility=utility,
        candidates=candidates,
        evidence=evidence,
        decisive=expected,
        winner=best_of(expected, higher_is_better=higher_is_better),
        pairs=matrix.size,
        higher_is_better=higher_is_better,
    )


def best_of(expected: Floats, *, higher_is_better: bool = True) -> int:
    """The first of those that are best up to rounding; NaN never is."""
    gains = np.nan_to_num(expected if higher_is_better else -expected, nan=-np.inf)
    top = float(gains.max())
    return int(np.argmax(gains >= top - TIE * max(1.0, abs(top))))


def _evidence(
    given: Evidence | NBest | Sequence[str], scores: ArrayLike | None, scale: float
) -> Evidence:
    if isinstance(given, Evidence):
        if scores is not None:
            raise OptionError("scores: found some beside evidence that has its probabilities")
        return given
    if isinstance(given, NBest):
        scores = given.scores if scores is None else scores
        return Evidence.of(given.hypotheses, scores, scale=scale, place=f"segment {given.segment}")
    return Evidence.of(given, scores, scale=scale)
