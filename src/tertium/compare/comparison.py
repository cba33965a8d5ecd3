"""What a comparison gives back: sections that were asked for, and those not as ``None``."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from tertium.compare.differences import (
    GramDifference,
    GramDifferences,
)
from tertium.compare.frequency import FrequencyTable
from tertium.compare.grams import WordCutter
from tertium.compare.histograms import HistogramSection
from tertium.compare.lengths import LengthTable
from tertium.compare.records import (
    Record,
    difference_records,
    frequency_records,
    histogram_records,
    length_records,
    ratio_records,
    score_records,
    sentence_records,
    source_band_records,
    source_length_records,
)
from tertium.compare.score_results import ScoreTable
from tertium.compare.sections import SECTIONS, Section
from tertium.compare.sentences import SentenceDifferences
from tertium.compare.sources import (
    SourceWordTable,
)
from tertium.errors import OptionError
from tertium.notebooks import dataframe, html_table
from tertium.suggestions import did_you_mean
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSection:
    """Words gained and lost against the baseline, accuracy by frequency and by source word."""

    differences: tuple[GramDifferences, ...]
    frequencies: FrequencyTable
    sources: SourceWordTable | None = None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "differences": [one.to_dict() for one in self.differences],
            "frequencies": self.frequencies.to_dict(),
            **({} if self.sources is None else {"sources": self.sources.to_dict()}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Systems beside the first of them, the baseline; sections not asked for are ``None``."""

    systems: tuple[str, ...]
    segments: int
    cutter: WordCutter
    scores: ScoreTable | None = None
    ngrams: tuple[GramDifferences, ...] | None = None
    words: WordSection | None = None
    lengths: LengthTable | None = None
    histograms: HistogramSection | None = None
    sentences: tuple[SentenceDifferences, ...] | None = None
    identical: tuple[str, ...] = ()
    """Systems whose output is that of the baseline, segment by segment."""

    @property
    def baseline(self) -> str:
        """The system that all others are compared with."""
        return self.systems[0]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections there are."""
        return tuple(name for name in SECTIONS if getattr(self, name) is not None)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "segments": self.segments,
            "baseline": self.baseline,
            "systems": [
                {
                    "system": name,
                    **({} if self.scores is None else {"scores": self.scores.whole_dicts(number)}),
                }
                for number, name in enumerate(self.systems)
            ],
            **({"identical": list(self.identical)} if self.identical else {}),
            "tokenizer": self.cutter.tokenizer.name,
            "lowercase": self.cutter.lowercase,
            **{name: _section_dict(getattr(self, name)) for name in self.sections},
        }

    @property
    def tables(self) -> dict[str, list[Record]]:
        """Every section as one or two tables of flat records, by name."""
        found: dict[str, list[Record]] = {}
        if self.scores is not None:
            found["scores"] = list(score_records(self.scores))
        if self.ngrams is not None:
            found["ngrams"] = list(difference_records(self.ngrams))
        if self.words is not None:
            found["words"] = list(difference_records(self.words.differences))
            found["frequencies"] = list(frequency_records(self.words.frequencies))
            if self.words.sources is not None:
                found["source_frequencies"] = list(source_band_records(self.words.sources))
                found["source_words"] = list(difference_records(self.words.sources.differences))
        if self.lengths is not None:
            found["lengths"] = list(length_records(self.lengths))
            found["ratios"] = list(ratio_records(self.lengths))
            if self.lengths.per_source is not None:
                found["source_lengths"] = list(source_length_records(self.lengths.per_source))
        if self.histograms is not None:
            found["histograms"] = list(histogram_records(self.histograms))
        if self.sentences is not None:
            found["sentences"] = list(sentence_records(self.sentences))
        return found

    def to_dataframe(self, table: str = "scores") -> "pandas.DataFrame":
        """One of the ``tables``, by default a row per slice, system and metric; needs pandas."""
        tables = self.tables
        if table not in tables:
            raise OptionError(did_you_mean("table", table, tables))
        return dataframe(tables[table])

    def __repr__(self) -> str:
        others = ", ".join(self.systems[1:])
        return f"<Comparison of {others} with {self.baseline}, {self.segments} segments>"

    def _repr_html_(self) -> str:
        tables = [] if self.scores is None else [self.scores._repr_html_()]
        sections = {
            "words": self.words.differences if self.words else (),
            "n-grams": self.ngrams or (),
        }
        for kind, found in sections.items():
            rows = [[one.system, *map(_listed, (one.gained, one.lost))] for one in found]
            if rows:
                headers = ["system", f"{kind} gained", f"{kind} lost"]
                tables.append(html_table(headers, rows))
        return "".join(tables) or f"<p>{escape(repr(self))}</p>"


def _listed(grams: Iterable[GramDifference]) -> str:
    return ", ".join(f"{one.text} (+{one.gained} −{one.lost})" for one in grams)


def _section_dict(section: Any) -> Any:
    many = isinstance(section, tuple)
    return [one.to_dict() for one in section] if many else section.to_dict()
