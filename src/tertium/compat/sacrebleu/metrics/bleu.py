"""sacreBLEU's BLEU over tertium's native statistics."""

# ruff: noqa: FBT001, FBT002, PLR0917 - arguments stand where sacreBLEU has them

import logging
import math
from collections.abc import Sequence
from itertools import takewhile
from operator import methodcaller
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu import tokenization
from tertium.compat.sacrebleu.errors import UnknownSmoothingError
from tertium.compat.sacrebleu.metrics.base import Metric, Score
from tertium.compat.sacrebleu.shapes import Stream
from tertium.metrics.bleu import Bleu

# The logger keeps sacreBLEU's name: that is where people silence it.
_log = logging.getLogger("sacrebleu")

_MAX_NGRAM_ORDER: Final = 4
_SMOOTH_DEFAULTS: Final[dict[str, float | None]] = {
    "none": None,
    "floor": 0.1,
    "add-k": 1,
    "exp": None,
}
_SUSPICIOUS_LINES: Final = 100


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

    @property
    def prec_str(self) -> str:
        """The precisions with one decimal."""
        return "/".join(f"{precision:.1f}" for precision in self.precisions)

    @property
    def ratio(self) -> float:
        """Length of the hypotheses over that of the references."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def _verbose(self) -> str:
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )


class BLEU(Metric[BLEUScore]):
    """BLEU (Papineni et al. 2002) with sacreBLEU's options and defaults."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = _SMOOTH_DEFAULTS
    TOKENIZERS: ClassVar[tuple[str, ...]] = tokenization.NAMES
    TOKENIZER_DEFAULT: ClassVar[str] = tokenization.DEFAULT

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = _MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Stream] | None = None,
    ) -> None:
        _check_method(smooth_method)
        self.lowercase = lowercase
        self.trg_lang = trg_lang
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self._force = force
        name = tokenization.chosen_name(tokenize, trg_lang)
        self._tokenizer, self.tokenizer_signature = tokenization.tokenizer_named(name)
        super().__init__(references)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Stream] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Score a corpus; see ``Metric.corpus_score``."""
        result = super().corpus_score(hypotheses, references, n_bootstrap)
        if not self._force:
            _warn_if_tokenized(hypotheses)
        return result

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Score one segment; ``effective_order`` should be on."""
        if not self.effective_order:
            _log.warning("BLEU of a single segment without effective_order is of little use")
        return super().sentence_score(hypothesis, references)

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = _MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from counts of matched and of all n-grams, and the two lengths.

        With ``add-k`` the counts returned contain k.

        >>> BLEU.compute_bleu([3, 2, 1, 1], [4, 3, 2, 1], 4, 4).precisions
        [75.0, 66.66666666666667, 50.0, 100.0]
        """
        return _with_exact_100(
            _bleu(
                correct,
                total,
                sys_len,
                ref_len,
                smooth_method,
                smooth_value,
                effective_order,
                max_ngram_order,
            )
        )

    def _metric(self) -> Bleu:
        return Bleu(tokenizer=self._tokenizer, lowercase=self.lowercase, order=self.max_ngram_order)

    def _score_of(self, statistics: Sequence[float]) -> BLEUScore:
        return _with_exact_100(self._bleu_of([int(count) for count in statistics]))

    def _score_of_resample(self, statistics: NDArray[np.float32]) -> BLEUScore:
        # Not exactly 100 either: a mean of 92.5 would be shown as 92 where sacreBLEU shows 93.
        return self._bleu_of(list(statistics))

    def _bleu_of(self, row: Sequence[float]) -> BLEUScore:
        order = self.max_ngram_order
        return _bleu(
            row[:order],
            row[order : 2 * order],
            int(row[2 * order]),
            int(row[2 * order + 1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            order,
        )

    def _signature_pairs(self) -> dict[str, object]:
        default = _SMOOTH_DEFAULTS[self.smooth_method]
        value = default if self.smooth_value is None else self.smooth_value
        # Methods without a value show none, even where one was given.
        shown = "" if default is None else f"[{value:.2f}]"
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": "yes" if self.effective_order else "no",
            "tok": self.tokenizer_signature,
            "smooth": f"{self.smooth_method}{shown}",
        }


def _bleu(
    correct: Sequence[float],
    total: Sequence[float],
    sys_len: int,
    ref_len: int,
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
    order: int,
) -> BLEUScore:
    """The formula of ``tertium.metrics.bleu`` in sacreBLEU's order of operations.

    Only with precisions of 0 to 100 does every bit agree, and 9.375 round to the same side.
    """
    _check_method(smooth_method)
    value = _SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
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


def _check_method(smooth_method: str) -> None:
    if smooth_method not in _SMOOTH_DEFAULTS:
        raise UnknownSmoothingError(
            f"smooth_method: found '{smooth_method}', expected {', '.join(_SMOOTH_DEFAULTS)}"
        )


def _brevity_penalty(sys_len: int, ref_len: int) -> float:
    if sys_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def _geometric_mean(precisions: Sequence[float]) -> float:
    if any(precision == 0.0 for precision in precisions):
        return 0.0
    return math.exp(sum(math.log(precision) for precision in precisions) / len(precisions))


def _with_exact_100(result: BLEUScore) -> BLEUScore:
    # exp(log(100)) is a little more.
    if math.isclose(result.score, 100.0, rel_tol=1e-13, abs_tol=0.0):
        result.score = 100.0
    return result


def _warn_if_tokenized(hypotheses: Sequence[str]) -> None:
    if sum(map(methodcaller("endswith", " ."), hypotheses)) >= _SUSPICIOUS_LINES:
        _log.warning(
            "%d or more hypotheses end in ' .'; tokenised text should be detokenised before "
            "scoring (force=True silences this)",
            _SUSPICIOUS_LINES,
        )
