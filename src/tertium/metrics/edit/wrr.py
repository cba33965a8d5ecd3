"""Word recognition rate (McCowan et al. 2005): the decomposable complement of WER."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.contract.base import Rows, Scores
from tertium.metrics.edit.wer import WordErrorRate


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecognitionRate(WordErrorRate):
    """1 − WER = max (M − I) / |r|: matches minus insertions over reference length."""

    name: ClassVar[str] = "wrr"
    title: ClassVar[str] = "WRR"
    summary: ClassVar[str] = "100 minus WER: matched minus inserted words per reference word"
    citation: ClassVar[str] = "McCowan et al. 2005"
    higher_is_better: ClassVar[bool] = True
    best: ClassVar[float] = 100.0
    worst: ClassVar[float] = -np.inf

    def score(self, rows: Rows) -> Scores:
        return 100 - WordErrorRate.score(self, rows)
