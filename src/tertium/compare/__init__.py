"""Systems side by side: scores with their tests, slices, words, lengths and sentences.

>>> from tertium import Corpus, References, System
>>> from tertium._native import Texts
>>> corpus = Corpus(references=References.of(["the cat sat", "a dog ran"]), name="ref")
>>> systems = [
...     System(name="old", hypotheses=Texts(["the cat sits", "a dog runs"])),
...     System(name="new", hypotheses=Texts(["the cat sat", "a dog ran"])),
... ]
>>> compared = compare(corpus, systems, ["wer"], trials=100)
>>> compared.scores.slices[0].scores[1][0].delta
-33.33333333333333
"""

import sys
from types import ModuleType

from tertium.compare.bands import Bands
from tertium.compare.comparing import SECTIONS, Comparison, Section, WordSection, compare
from tertium.compare.differences import GramDifference, GramDifferences, log_odds
from tertium.compare.frequency import FrequencyBand, FrequencyTable, WordAccuracy
from tertium.compare.histograms import Histogram, HistogramSection
from tertium.compare.lengths import LengthBand, LengthCell, LengthTable, RatioProfile
from tertium.compare.score_results import ComparedScore, ScoreSlice, ScoreTable, Verdict
from tertium.compare.sentences import Marked, SentenceDifferences, SentencePair
from tertium.compare.sources import SourceBand, SourceLength, SourceLengthTable, SourceWordTable
from tertium.compare.testing import Settings

__all__ = [
    "SECTIONS",
    "Bands",
    "ComparedScore",
    "Comparison",
    "FrequencyBand",
    "FrequencyTable",
    "GramDifference",
    "GramDifferences",
    "Histogram",
    "HistogramSection",
    "LengthBand",
    "LengthCell",
    "LengthTable",
    "Marked",
    "RatioProfile",
    "ScoreSlice",
    "ScoreTable",
    "Section",
    "SentenceDifferences",
    "SentencePair",
    "Settings",
    "SourceBand",
    "SourceLength",
    "SourceLengthTable",
    "SourceWordTable",
    "Verdict",
    "WordAccuracy",
    "WordSection",
    "compare",
    "log_odds",
]


class _CallablePackage(ModuleType):
    """``tertium.compare`` is this package once it is imported, and has to stay the function."""

    __call__ = staticmethod(compare)


sys.modules[__name__].__class__ = _CallablePackage
