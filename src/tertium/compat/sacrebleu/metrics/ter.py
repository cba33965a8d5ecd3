"""sacreBLEU's TER over tertium's native statistics."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tertium.compat.sacrebleu.metrics.base import Numbers, ReferenceInfo, Score, Signature
from tertium.compat.sacrebleu.metrics.lib_ter import translation_edit_rate
from tertium.compat.sacrebleu.metrics.native import NativeMetric
from tertium.compat.sacrebleu.shapes import Stream
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.spec import TER_SHORT_KEYS
from tertium.metrics.edit.ter import TranslationEditRate


class TERSignature(Signature):
    """TER's pairs."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= TER_SHORT_KEYS
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """TER, its edits, and the mean length of a segment's references, summed over segments."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(NativeMetric[TERScore]):
    """TER (Snover et al. 2006) with sacreBLEU's options and defaults."""

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Stream] | None = None,
    ) -> None:
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        super().__init__(references)

    def _metric(self) -> TranslationEditRate:
        return TranslationEditRate(
            case_sensitive=self.case_sensitive,
            normalized=self.normalized,
            punctuation=not self.no_punct,
            asian_support=self.asian_support,
        )

    @property
    def _stepwise(self) -> bool:
        return super()._stepwise or type(self.tokenizer) is not TercomTokenizer

    def _in_order(self, rows: Rows) -> Rows:
        return rows[:, :2]

    def _plain(self, rows: Rows) -> list[list[float]]:
        return [[int(edits), length] for edits, length in rows.tolist()]

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> ReferenceInfo:
        # References come here cut, and sacreBLEU cuts them once more.
        return {"ref_words": [self._preprocess_segment(text).split() for text in refs]}

    def _compute_segment_statistics(
        self, hypothesis: str, ref_kwargs: ReferenceInfo
    ) -> list[float]:
        pairs = [translation_edit_rate(hypothesis.split(), ref) for ref in ref_kwargs["ref_words"]]
        return [min(edits for edits, _ in pairs), sum(length for _, length in pairs) / len(pairs)]

    def _compute_score_from_stats(self, stats: Numbers) -> TERScore:
        edits, length = stats[:2]
        rate: float = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)
