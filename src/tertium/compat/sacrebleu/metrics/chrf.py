"""sacreBLEU's chrF and chrF++ over tertium's native statistics."""

# ruff: noqa: FBT001, FBT002, PLR0917 - arguments stand where sacreBLEU has them

from collections import Counter
from collections.abc import Mapping, Sequence
from string import punctuation
from typing import Any, ClassVar, Final

from tertium.compat.sacrebleu.metrics.base import Numbers, ReferenceInfo, Score, Signature
from tertium.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from tertium.compat.sacrebleu.metrics.native import NativeMetric
from tertium.compat.sacrebleu.shapes import Stream
from tertium.metrics.contract.base import Rows
from tertium.metrics.ngram.chrf import Chrf

_CHAR_ORDER: Final = 6
_WORD_ORDER: Final = 0
_BETA: Final = 2

_TINY: Final = 1e-16
"""What Popović's program puts in the place of a share that is not defined."""


class CHRFSignature(Signature):
    """chrF's pairs, with a β that is not 2, which sacreBLEU shows in the score's name alone."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }
        if args["beta"] != _BETA:
            self.info["beta"] = args["beta"]


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


class CHRF(NativeMetric[CHRFScore]):
    """chrF (Popović 2015) and chrF++ (2017) with sacreBLEU's options and defaults."""

    CHAR_ORDER: ClassVar[int] = _CHAR_ORDER
    WORD_ORDER: ClassVar[int] = _WORD_ORDER
    BETA: ClassVar[int] = _BETA
    _PUNCTS: ClassVar[frozenset[str]] = frozenset(punctuation)
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

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

    def _in_order(self, rows: Rows) -> Rows:
        return rows[:, : 3 * self.order]  # without the mark of text against nothing

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _extract_reference_info(self, refs: Sequence[str]) -> ReferenceInfo:
        return {"ref_ngrams": [self._grams(text) for text in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: ReferenceInfo) -> list[int]:
        grams = self._grams(hypothesis)
        rows = [
            [
                number
                for own, other in zip(grams, reference, strict=True)
                for number in self._get_match_statistics(own, other)
            ]
            for reference in ref_kwargs["ref_ngrams"]
        ]
        return max(rows, key=self._compute_f_score, default=[])

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[int]:
        matches = sum(min(count, ref_ngrams.get(gram, 0)) for gram, count in hyp_ngrams.items())
        # Without any n-gram in the reference those of the hypothesis do not count either.
        return [hyp_ngrams.total() if ref_ngrams else 0, ref_ngrams.total(), matches]

    def _grams(self, text: str) -> list[Counter[str]]:
        words = self._remove_punctuation(text) if self.word_order else []
        return [
            *extract_all_char_ngrams(text, self.char_order, self.whitespace),
            *(extract_word_ngrams(words, n) for n in range(1, self.word_order + 1)),
        ]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """Words, with one mark of punctuation cut off at the end or else at the beginning."""
        words = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in self._PUNCTS:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in self._PUNCTS:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        return words

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        average = _averaged_f_score if self.eps_smoothing else _f_score_of_averages
        return average(statistics, self.beta**2)

    def _compute_score_from_stats(self, stats: Numbers) -> CHRFScore:
        score = self._compute_f_score(list(stats))
        return CHRFScore(score, self.char_order, self.word_order, self.beta)


# The two formulas of ``tertium.metrics.ngram.chrf`` in sacreBLEU's order of operations, so that
# every bit agrees. ``sum`` will not do: some versions of Python round it more exactly than ``+``.


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
