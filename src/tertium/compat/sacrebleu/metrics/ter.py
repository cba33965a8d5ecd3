"""sacreBLEU's TER over tertium's native statistics."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tertium.compat.sacrebleu.metrics.base import Metric, Score
from tertium.compat.sacrebleu.shapes import Stream
from tertium.metrics.ter import TranslationEditRate


class TERScore(Score):
    """TER, its edits, and the mean length of a segment's references, summed over segments."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """TER (Snover et al. 2006) with sacreBLEU's options and defaults."""

    _short_keys: ClassVar[Mapping[str, str]] = {"tok": "t"}

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
        self.tokenizer_signature = "tercom"
        super().__init__(references)

    def _metric(self) -> TranslationEditRate:
        return TranslationEditRate(
            case_sensitive=self.case_sensitive,
            normalized=self.normalized,
            punctuation=not self.no_punct,
            asian_support=self.asian_support,
        )

    def _score_of(self, statistics: Sequence[float]) -> TERScore:
        edits, length = statistics[:2]
        rate: float = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)

    def _signature_pairs(self) -> dict[str, object]:
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": self.tokenizer_signature,
            "norm": self.normalized,
            "punct": not self.no_punct,
            "asian": self.asian_support,
        }
