"""BLEU from counts, in sacreBLEU's order of operations."""

# ruff: noqa: FBT001, PLR0917 - arguments stand where sacreBLEU has them

import math
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from tertium.compat.sacrebleu.errors import UnknownSmoothingError
from tertium.compat.sacrebleu.metrics.scores import Score

MAX_NGRAM_ORDER: Final = 4
SMOOTH_DEFAULTS: Final[dict[str, float | None]] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1,
    "exp": None,
}


class BLEUScore(Score):
    """BLEU with everything that it was made of."""

    def __init__(
        self,
        score: float,
        counts: list[float],
        totals: list[float],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {int(sys_len)} ref_len = {int(ref_len)})"
        )


def bleu_of_counts(
    correct: Sequence[float],
    total: Sequence[float],
    sys_len: int,
    ref_len: int,
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
    order: int,
) -> BLEUScore:
    """The formula of ``tertium.metrics.ngram.bleu`` in sacreBLEU's order of operations.

    Only with precisions of 0 to 100 does every bit agree, and 9.375 round to the same side.
    """
    check_method(smooth_method)
    value = SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
    counts, totals = list(correct), list(total)
    penalty = _brevity_penalty(sys_len, ref_len)
    precisions = [0.0] * order
    if not any(counts):
        return BLEUScore(0.0, counts, totals, precisions, penalty, sys_len, ref_len)
    if smooth_method == "add-k" and value is not None and totals[0]:
        for n in range(1, order):
            counts[n], totals[n] = counts[n] + value, totals[n] + value
    reached = sum(1 for _ in takewhile(bool, totals[:order]))
    divisor = 1.0
    for n in range(reached):
        if counts[n]:
            precisions[n] = 100.0 * counts[n] / totals[n]
        elif smooth_method == "exp":
            divisor *= 2
            precisions[n] = 100.0 / (divisor * totals[n])
        elif smooth_method == "floor" and value is not None:
            precisions[n] = 100.0 * value / totals[n]
    used = precisions[: reached or None] if effective_order else precisions
    score = penalty * _geometric_mean(used)
    return BLEUScore(score, counts, totals, precisions, penalty, sys_len, ref_len)


def check_method(smooth_method: str) -> None:
    """Refuse a smoothing method that there is not."""
    if smooth_method not in SMOOTH_DEFAULTS:
        raise UnknownSmoothingError(
            f"smooth_method: found '{smooth_method}', expected {', '.join(SMOOTH_DEFAULTS)}"
        )


def _brevity_penalty(sys_len: int, ref_len: int) -> float:
    if sys_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def _geometric_mean(precisions: Sequence[float]) -> float:
    if any(precision == 0.0 for precision in precisions):
        return 0.0
    return math.exp(sum(math.log(precision) for precision in precisions) / len(precisions))


def with_exact_100(result: BLEUScore) -> BLEUScore:
    """A perfect score is 100; exp(log(100)) is a little more."""
    if math.isclose(result.score, 100.0, rel_tol=1e-13, abs_tol=0.0):
        result.score = 100.0
    return result
