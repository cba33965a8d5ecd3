"""Systems side by side: scores with their tests, slices, words, lengths and sentences.

>>> from tertium import Corpus, References, System, compare
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

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.choices import SECTIONS as SECTIONS
    from tertium.choices import Section as Section
    from tertium.compare.baseline_tests import ComparisonSettings as ComparisonSettings
    from tertium.compare.compare import compare as compare
    from tertium.compare.comparison import Comparison as Comparison
    from tertium.compare.comparison import WordSection as WordSection
    from tertium.compare.differences import GramDifference as GramDifference
    from tertium.compare.differences import GramDifferences as GramDifferences
    from tertium.compare.differences import log_odds as log_odds
    from tertium.compare.frequency import FrequencyBand as FrequencyBand
    from tertium.compare.frequency import FrequencyTable as FrequencyTable
    from tertium.compare.frequency import WordAccuracy as WordAccuracy
    from tertium.compare.histograms import Histogram as Histogram
    from tertium.compare.histograms import HistogramSection as HistogramSection
    from tertium.compare.lengths import LengthBand as LengthBand
    from tertium.compare.lengths import LengthCell as LengthCell
    from tertium.compare.lengths import LengthTable as LengthTable
    from tertium.compare.lengths import RatioProfile as RatioProfile
    from tertium.compare.score_results import ComparedScore as ComparedScore
    from tertium.compare.score_results import ScoreSlice as ScoreSlice
    from tertium.compare.score_results import ScoreTable as ScoreTable
    from tertium.compare.score_results import TestResult as TestResult
    from tertium.compare.sentences import Marked as Marked
    from tertium.compare.sentences import SentenceDifferences as SentenceDifferences
    from tertium.compare.sentences import SentencePair as SentencePair
    from tertium.compare.sources import SourceBand as SourceBand
    from tertium.compare.sources import SourceLength as SourceLength
    from tertium.compare.sources import SourceLengthTable as SourceLengthTable
    from tertium.compare.sources import SourceWordTable as SourceWordTable
    from tertium.scored.slices import Bands as Bands
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "ComparisonSettings": "tertium.compare.baseline_tests",
            "compare": "tertium.compare.compare",
            "Comparison": "tertium.compare.comparison",
            "WordSection": "tertium.compare.comparison",
            "GramDifference": "tertium.compare.differences",
            "GramDifferences": "tertium.compare.differences",
            "log_odds": "tertium.compare.differences",
            "FrequencyBand": "tertium.compare.frequency",
            "FrequencyTable": "tertium.compare.frequency",
            "WordAccuracy": "tertium.compare.frequency",
            "Histogram": "tertium.compare.histograms",
            "HistogramSection": "tertium.compare.histograms",
            "LengthBand": "tertium.compare.lengths",
            "LengthCell": "tertium.compare.lengths",
            "LengthTable": "tertium.compare.lengths",
            "RatioProfile": "tertium.compare.lengths",
            "ComparedScore": "tertium.compare.score_results",
            "ScoreSlice": "tertium.compare.score_results",
            "ScoreTable": "tertium.compare.score_results",
            "TestResult": "tertium.compare.score_results",
            "SECTIONS": "tertium.choices",
            "Section": "tertium.choices",
            "Marked": "tertium.compare.sentences",
            "SentenceDifferences": "tertium.compare.sentences",
            "SentencePair": "tertium.compare.sentences",
            "SourceBand": "tertium.compare.sources",
            "SourceLength": "tertium.compare.sources",
            "SourceLengthTable": "tertium.compare.sources",
            "SourceWordTable": "tertium.compare.sources",
            "Bands": "tertium.scored.slices",
        },
        call="compare",
    )
