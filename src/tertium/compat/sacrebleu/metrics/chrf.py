"""sacreBLEU's chrF and chrF++ over tertium's native statistics."""

# ruff: noqa: FBT001, FBT002, PLR0917 - arguments stand where sacreBLEU has them

from collections.abc import Sequence
from typing import ClassVar, Final

from tertium.compat.sacrebleu.metrics.base import Metric, Score
from tertium.compat.sacrebleu.shapes import Stream
from tertium.metrics.chrf import Chrf

_CHAR_ORDER: Final = 6
_WORD_ORDER: Final = 0
_BETA: Final = 2

_TINY: Final = 1e-16
"""What Popović's program puts in the place of a share that is not defined."""


class CHRFScore(Score):
    """chrF, named after its β and with a plus for each order of words.

    >>> CHRFScore(50.0, char_order=6, word_order=2, beta=2)
    chrF2++ = 50.00
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: float) -> None:
        super().__init__(f"chrF{beta}{'+' * word_order}", score)
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta


class CHRF(Metric[CHRFScore]):
    """chrF (Popović 2015) and chrF++ (2017) with sacreBLEU's options and defaults."""

    CHAR_ORDER: ClassVar[int] = _CHAR_ORDER
    WORD_ORDER: ClassVar[int] = _WORD_ORDER
    BETA: ClassVar[int] = _BETA

    def __init__(
        self,
        char_order: int = _CHAR_ORDER,
        word_order: int = _WORD_ORDER,
        beta: float = _BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Stream] | None = None,
    ) -> None:
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._metric()  # refuses orders and a beta that mean nothing, before any text is read
        super().__init__(references)

    def _metric(self) -> Chrf:
        return Chrf(
            lowercase=self.lowercase,
            effective_order=not self.eps_smoothing,
            character_order=self.char_order,
            word_order=self.word_order,
            whitespace=self.whitespace,
            beta=self.beta,
        )

    def _score_of(self, statistics: Sequence[float]) -> CHRFScore:
        average = _averaged_f_score if self.eps_smoothing else _f_score_of_averages
        counts = statistics[: 3 * self.order]  # without the mark of text against nothing
        score = average(counts, self.beta**2)
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    def _signature_pairs(self) -> dict[str, object]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "no" if self.eps_smoothing else "yes",
            "nc": self.char_order,
            "nw": self.word_order,
            "space": "yes" if self.whitespace else "no",
        }


# The two formulas of ``tertium.metrics.chrf`` in sacreBLEU's order of operations, so that every
# bit agrees. ``sum`` will not do: on some versions of Python it rounds more exactly than ``+``.


def _averaged_f_score(statistics: Sequence[float], factor: float) -> float:
    """The mean over all orders of their F-scores, as in Popović's program."""
    total: float = 0.0
    counts = statistics[0::3], statistics[1::3], statistics[2::3]
    for hypothesis, reference, matches in zip(*counts, strict=True):
        precision = matches / hypothesis if hypothesis > 0 else _TINY
        recall = matches / reference if reference > 0 else _TINY
        total += _f_score(precision, recall, factor, empty=_TINY)
    return 100 * total / len(counts[0])


def _f_score_of_averages(statistics: Sequence[float], factor: float) -> float:
    """The F-score of precision and recall averaged over the orders that both sides have.

    It is 0 for nothing against nothing, where tertium's own chrF says 100.
    """
    precision: float = 0.0
    recall: float = 0.0
    orders = 0
    counts = statistics[0::3], statistics[1::3], statistics[2::3]
    for hypothesis, reference, matches in zip(*counts, strict=True):
        if hypothesis > 0 and reference > 0:
            precision += matches / hypothesis
            recall += matches / reference
            orders += 1
    if not orders:
        return 0.0
    return 100 * _f_score(precision / orders, recall / orders, factor, empty=0.0)


def _f_score(precision: float, recall: float, factor: float, *, empty: float) -> float:
    """(1 + β²) P R / (β² P + R)."""
    weighted = factor * precision + recall
    return (1 + factor) * precision * recall / weighted if weighted > 0 else empty
