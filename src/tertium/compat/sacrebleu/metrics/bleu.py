"""sacreBLEU's BLEU over tertium's native statistics."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from operator import methodcaller
from typing import Any, ClassVar, Final

from tertium.compat.sacrebleu.metrics.base import Numbers, ReferenceInfo, Score, Signature
from tertium.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from tertium.compat.sacrebleu.metrics.native import NativeMetric
from tertium.compat.sacrebleu.shapes import Stream, UnknownSmoothingError
from tertium.compat.sacrebleu.tokenizers import (
    DEFAULT_TOKENIZER,
    LANGUAGE_TOKENIZERS,
    TOKENIZERS,
    BaseTokenizer,
    chosen_name,
    tokenizer_class,
)
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer
from tertium.compat.sacrebleu.utils import sacrelogger, sum_of_lists
from tertium.metrics.contract.base import Rows
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.tokenizers import Tokenizer

# BLEU from counts, in sacreBLEU's order of operations.

# ruff: noqa: FBT001, PLR0917 - arguments stand where sacreBLEU has them


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


# ruff: noqa: FBT001, FBT002, PLR0917 - arguments stand where sacreBLEU has them


_SUSPICIOUS_LINES: Final = 100
_TOKENIZERS: Final = TOKENIZERS


def _get_tokenizer(name: str) -> Callable[[], BaseTokenizer]:
    """What makes the tokenizer of that name: other programs call this."""
    return tokenizer_class(name)


class BLEUSignature(Signature):
    """BLEU's pairs; an order other than 4 and a value of many digits are shown, too."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": _tokenizer_text(args["tokenizer"], args["tokenizer_signature"]),
            "smooth": _smoothing_text(args["smooth_method"], args["smooth_value"]),
        }
        if args["max_ngram_order"] != MAX_NGRAM_ORDER:
            self.info["order"] = args["max_ngram_order"]


def _tokenizer_text(tokenizer: BaseTokenizer, shown: str) -> str:
    """The name shown; somebody's own tokenizer must not go by the name of one of ours."""
    if _is_ours(tokenizer):
        return tokenizer.signature()
    return type(tokenizer).__name__ if shown in TOKENIZERS else shown


def _smoothing_text(method: str, value: float | None) -> str:
    default = SMOOTH_DEFAULTS[method]
    if default is None:  # methods without a value show none, even where one was given
        return method
    value = float(default if value is None else value)
    rounded = f"{value:.2f}"
    return f"{method}[{rounded if float(rounded) == value else repr(value)}]"


class BLEU(NativeMetric[BLEUScore]):
    """BLEU (Papineni et al. 2002) with sacreBLEU's options and defaults."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = SMOOTH_DEFAULTS
    TOKENIZERS: ClassVar[tuple[str, ...]] = tuple(TOKENIZERS)
    TOKENIZER_DEFAULT: ClassVar[str] = DEFAULT_TOKENIZER
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = LANGUAGE_TOKENIZERS
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Stream] | None = None,
    ) -> None:
        check_method(smooth_method)
        self.lowercase = lowercase
        self.trg_lang = trg_lang
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.tokenizer = tokenizer_class(chosen_name(tokenize, trg_lang))()
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)
        self._force = force

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
            sacrelogger.warning("BLEU of a single segment without effective_order is of little use")
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
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from counts of matched and of all n-grams, and the two lengths.

        With ``add-k`` the counts returned contain k.

        >>> BLEU.compute_bleu([3, 2, 1, 1], [4, 3, 2, 1], 4, 4).precisions
        [75.0, 66.66666666666667, 50.0, 100.0]
        """
        return with_exact_100(
            bleu_of_counts(
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
        return Bleu(
            tokenizer=_own_tokenizer(self.tokenizer),
            lowercase=self.lowercase,
            order=self.max_ngram_order,
        )

    def _in_order(self, rows: Rows) -> Rows:
        counts = 2 * self.max_ngram_order
        return rows[:, [counts, counts + 1, *range(counts)]]

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> ReferenceInfo:
        grams: Counter[tuple[str, ...]] = Counter()
        lengths = []
        for text in refs:
            ngrams, length = extract_all_word_ngrams(text, 1, self.max_ngram_order)
            grams |= ngrams
            lengths.append(length)
        return {"ref_ngrams": grams, "ref_lens": lengths}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: ReferenceInfo) -> list[int]:
        grams, length = extract_all_word_ngrams(hypothesis, 1, self.max_ngram_order)
        correct, total = [0] * self.max_ngram_order, [0] * self.max_ngram_order
        known = ref_kwargs["ref_ngrams"]
        for gram, count in grams.items():
            total[len(gram) - 1] += count
            correct[len(gram) - 1] += min(count, known.get(gram, 0))
        closest = self._get_closest_ref_len(length, ref_kwargs["ref_lens"])
        return [length, closest, *correct, *total]

    def _get_closest_ref_len(self, hyp_len: int, ref_lens: Sequence[int]) -> int:
        return min(ref_lens, key=lambda length: (abs(hyp_len - length), length), default=-1)

    def _compute_score_from_stats(self, stats: Numbers) -> BLEUScore:
        # Not exactly 100: a resampled mean of 92.5 would be shown as 92 where sacreBLEU shows 93.
        order = self.max_ngram_order
        return bleu_of_counts(
            list(stats[2 : 2 + order]),
            list(stats[2 + order :]),
            int(stats[0]),
            int(stats[1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            order,
        )

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> BLEUScore:
        return with_exact_100(self._compute_score_from_stats(sum_of_lists(stats)))


def _own_tokenizer(tokenizer: BaseTokenizer) -> Tokenizer:
    """What the native core works with; people put their own into ``BLEU().tokenizer``."""
    if isinstance(tokenizer, NamedTokenizer) and _is_ours(tokenizer):
        return tokenizer.native
    return Tokenizer(type(tokenizer).__name__, tokenizer)


def _is_ours(tokenizer: BaseTokenizer) -> bool:
    return type(tokenizer).__module__.startswith("tertium.")


def _warn_if_tokenized(hypotheses: Sequence[str]) -> None:
    if sum(map(methodcaller("endswith", " ."), hypotheses)) >= _SUSPICIOUS_LINES:
        sacrelogger.warning(
            "%d or more hypotheses end in ' .'; tokenised text should be detokenised before "
            "scoring (force=True silences this)",
            _SUSPICIOUS_LINES,
        )


__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature", "sacrelogger"]
