"""``nltk.translate.bleu_score``: BLEU with the smoothings of Chen & Cherry (2014).

NLTK counts at least one n-gram of each order in each segment, also where a segment is too short to
have one, so short segments lower a corpus score that ``bleu[tokenizer=none]`` does not.
"""

import fractions
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Self, TypeAlias

from tertium.compat.nltk.tokens import Sentence, check_sizes, match_rows, ngrams
from tertium.errors import OptionError

Weights: TypeAlias = Sequence[float]
Precision: TypeAlias = "float | Fraction | fractions.Fraction"
Smoother: TypeAlias = Callable[..., list[Any]]

BLEU_4: Final = (0.25, 0.25, 0.25, 0.25)


class Fraction(fractions.Fraction):
    """A fraction whose numerator and denominator stay the counts they were: 2/4 is not 1/2.

    >>> Fraction(2, 4).denominator, Fraction(2, 4) == 0.5
    (4, True)
    """

    __slots__ = ("_counts",)
    _counts: tuple[int, int]

    def __new__(cls, numerator: int, denominator: int) -> Self:
        self = super().__new__(cls, numerator, denominator)
        self._counts = (numerator, denominator)
        return self

    @property
    def numerator(self) -> int:
        """The count of matches."""
        return self._counts[0]

    @property
    def denominator(self) -> int:
        """The count of n-grams."""
        return self._counts[1]


def sentence_bleu(
    references: Sequence[Sentence],
    hypothesis: Sentence,
    weights: Weights | Sequence[Weights] = BLEU_4,
    smoothing_function: Smoother | None = None,
    auto_reweigh: bool = False,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float | list[float]:
    """BLEU of one segment, from 0 to 1; a list of scores for a list of weights.

    >>> hypothesis, reference = "it is a small red house".split(), "it is a small house".split()
    >>> round(sentence_bleu([reference], hypothesis), 4)
    0.5373
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Sequence[Sentence]],
    hypotheses: Sequence[Sentence],
    weights: Weights | Sequence[Weights] = BLEU_4,
    smoothing_function: Smoother | None = None,
    auto_reweigh: bool = False,  # noqa: FBT001, FBT002 - NLTK's argument
) -> float | list[float]:
    """BLEU of a corpus: counts of all segments, then precisions and their weighted mean."""
    check_sizes("corpus_bleu", list_of_references, hypotheses)
    settings: Any = weights if _several(weights) else [weights]
    order = max(len(setting) for setting in settings)
    rows = match_rows(hypotheses, list_of_references, order)
    matches = [int(count) for count in rows[:, :order].sum(axis=0)]
    totals = [int(count) for count in rows[:, order : 2 * order].clip(min=1).sum(axis=0)]
    length, reference_length = (int(count) for count in rows[:, 2 * order :].sum(axis=0))
    if not matches[0]:
        return 0 if len(settings) == 1 else [0] * len(settings)
    smooth = smoothing_function or SmoothingFunction().method0
    # NLTK hands the last segment over, also where the precisions are those of a corpus.
    precisions = smooth(
        [Fraction(*counts) for counts in zip(matches, totals, strict=True)],
        references=list_of_references[-1],
        hypothesis=hypotheses[-1],
        hyp_len=length,
    )
    penalty = brevity_penalty(reference_length, length)
    scores = []
    for setting in settings:
        used = setting
        if auto_reweigh and length < 4 and setting == BLEU_4:
            used = (1 / length,) * length
        logarithms = (
            weight * math.log(precision)
            for weight, precision in zip(used, precisions, strict=False)
            if precision > 0
        )
        scores.append(penalty * math.exp(math.fsum(logarithms)))
    return scores[0] if len(settings) == 1 else scores


def _several(weights: Weights | Sequence[Weights]) -> bool:
    return len(weights) > 0 and hasattr(weights[0], "__len__")


def modified_precision(references: Sequence[Sentence], hypothesis: Sentence, n: int) -> Fraction:
    """Matches, clipped by the reference that has most of each n-gram, over n-grams (at least 1)."""
    row = match_rows([hypothesis], [references], n)[0]
    return Fraction(int(row[n - 1]), max(1, int(row[2 * n - 1])))


def closest_ref_length(references: Iterable[Sentence], hyp_len: int) -> int:
    """The reference length nearest to the hypothesis's; of two, the shorter."""
    lengths = (len(reference) for reference in references)
    return min(lengths, key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """exp(1 − r/c) where c ≤ r, else 1; 0 for an empty hypothesis."""
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class SmoothingFunction:
    """The smoothings that Chen & Cherry (2014) compare, ``method0`` to ``method7``.

    A method takes the precisions of all orders as fractions, with references, hypothesis and its
    length, and returns a precision for each.
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        """``epsilon`` is used by method 1, ``alpha`` by method 6, ``k`` by methods 4 and 7."""
        self.epsilon, self.alpha, self.k = epsilon, alpha, k

    def method0(self, p_n: list[Any], *_args: object, **_options: object) -> list[Any]:
        """No smoothing: an order without a match makes the score 0, with a warning."""
        for n, precision in enumerate(p_n, 1):
            if not precision.numerator:
                warnings.warn(
                    f"no {n}-gram of the hypothesis is in a reference, so BLEU is 0 whatever "
                    "shorter n-grams match; use a lower order or a SmoothingFunction()",
                    stacklevel=3,
                )
        # The logarithm of the smallest number makes every score 0 to all digits shown.
        return [p if p.numerator else sys.float_info.min for p in p_n]

    def method1(self, p_n: list[Any], *_args: object, **_options: object) -> list[Any]:
        """``epsilon`` matches in the place of none."""
        return [p if p.numerator else self.epsilon / p.denominator for p in p_n]

    def method2(self, p_n: list[Any], *_args: object, **_options: object) -> list[Any]:
        """One more match and one more n-gram above order 1 (Lin & Och 2004)."""
        return [p_n[0], *(Fraction(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

    def method3(self, p_n: list[Any], *_args: object, **_options: object) -> list[Any]:
        """1/2, 1/4, 1/8 … matches for the first, second, third order without any (mteval)."""
        return self._halved(p_n, lambda halving: 1 / halving)

    def method4(
        self,
        p_n: list[Any],
        references: Sequence[Sentence],
        hypothesis: Sentence,
        hyp_len: int | None = None,
        *_args: object,
        **_options: object,
    ) -> list[Any]:
        """As method 3, with matches that shrink for short translations: ln(length) / k of them."""
        length = hyp_len or len(hypothesis)
        if length <= 1:
            return p_n
        return self._halved(p_n, lambda halving: 1 / (halving * self.k / math.log(length)))

    @staticmethod
    def _halved(p_n: list[Any], matches: Callable[[int], float]) -> list[Any]:
        """``matches(2)``, ``matches(4)`` … for the orders without a match."""
        smoothed, halving = [], 1
        for precision in p_n:
            if not precision.numerator:
                halving *= 2
                smoothed.append(matches(halving) / precision.denominator)
            else:
                smoothed.append(precision)
        return smoothed

    def method5(
        self,
        p_n: list[Any],
        references: Sequence[Sentence],
        hypothesis: Sentence,
        hyp_len: int | None = None,
        *_args: object,
        **_options: object,
    ) -> list[Any]:
        """The mean of the precisions of orders n − 1 (smoothed), n and n + 1."""
        above = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        smoothed: list[Any] = []
        below = p_n[0] + 1
        for precision, longer in zip(p_n, above, strict=True):
            below = (below + precision + longer) / 3
            smoothed.append(below)
        return smoothed

    def method6(
        self,
        p_n: list[Any],
        references: Sequence[Sentence],
        hypothesis: Sentence,
        hyp_len: int | None = None,
        *_args: object,
        **_options: object,
    ) -> list[Any]:
        """Interpolated with the precision that orders n − 1 and n − 2 foretell (Gao & He 2013)."""
        if not p_n[2]:
            raise ZeroPrecisionError(
                "SmoothingFunction.method6: found no matching trigram, expected one "
                "(another method smooths such text)"
            )
        smoothed = list(p_n[:2])
        for n, precision in enumerate(p_n[2:], 3):
            before, last = smoothed[-2:]
            prior = 0 if before == 0 else last**2 / before
            total = sum(1 for _ in ngrams(hypothesis, n))
            smoothed.append((precision.numerator + self.alpha * prior) / (total + self.alpha))
        return smoothed

    def method7(
        self,
        p_n: list[Any],
        references: Sequence[Sentence],
        hypothesis: Sentence,
        hyp_len: int | None = None,
        *_args: object,
        **_options: object,
    ) -> list[Any]:
        """Method 4, then method 5."""
        precisions = self.method4(p_n, references, hypothesis, hyp_len)
        return self.method5(precisions, references, hypothesis, hyp_len)


class ZeroPrecisionError(OptionError, AssertionError):
    """A smoothing needs matches that the text does not have; NLTK fails an assertion there."""
