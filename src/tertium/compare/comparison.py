"""What a comparison gives back: sections that were asked for, and those not as ``None``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.choices import SECTIONS, Section
from tertium.compare.differences import GramDifference, GramDifferences
from tertium.compare.grams import WordCutter
from tertium.compare.score_results import Record, ScoreTable, score_records
from tertium.compare.sentences import SentenceDifferences
from tertium.errors import OptionError
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.tables import dataframe, html_table
from tertium.version import __version__

if TYPE_CHECKING:  # sections that nobody asks for are not imported
    import pandas

    from tertium.compare.frequency import FrequencyTable
    from tertium.compare.histograms import HistogramSection
    from tertium.compare.lengths import LengthTable
    from tertium.compare.sources import SourceLengthTable, SourceWordTable


# The parts of a comparison as flat records: what tables for programs are made from.


def difference_records(every: Sequence[GramDifferences]) -> Iterator[Record]:
    """One for each n-gram."""
    for section in every:
        for side, grams in (("gained", section.gained), ("lost", section.lost)):
            for gram in grams:
                yield {"system": section.system, "side": side, **gram.to_dict()}


def frequency_records(table: "FrequencyTable") -> Iterator[Record]:
    """One for each band of frequency and system."""
    for band in table.bands:
        for name, accuracy in zip(table.systems, band.accuracies, strict=True):
            yield {"frequency": band.label, "system": name, **accuracy.to_dict()}


def length_records(table: "LengthTable") -> Iterator[Record]:
    """One for each band of length, system and metric."""
    for band in table.bands:
        for name, cell in zip(table.systems, band.cells, strict=True):
            pairs = zip(table.metrics, cell.scores, cell.segment_means, strict=True)
            for metric, score, mean in pairs:
                yield {
                    "length": band.label,
                    "segments": band.segments,
                    "system": name,
                    "metric": metric.spec,
                    "score": score,
                    "segment_mean": mean,
                    "length_ratio": cell.length_ratio,
                }


def ratio_records(table: "LengthTable") -> Iterator[Record]:
    """One for each system: its length ratios."""
    for profile in table.profiles:
        low, middle, high = profile.quartiles
        yield {
            "system": profile.system,
            "length_ratio": profile.ratio,
            "lower_quartile": low,
            "median": middle,
            "upper_quartile": high,
            **dict(zip(table.ratios.labels, profile.counts, strict=True)),
        }


def sentence_records(every: Sequence[SentenceDifferences]) -> Iterator[Record]:
    """One for each example."""
    for section in every:
        for side, pairs in (("better", section.better), ("worse", section.worse)):
            for pair in pairs:
                yield {
                    "system": section.system,
                    "side": side,
                    "metric": section.metric.spec,
                    "segment": pair.number,
                    "effect": pair.effect,
                    "baseline_score": pair.baseline_score,
                    "system_score": pair.system_score,
                    "delta": pair.delta,
                    "reference": " ||| ".join(pair.references),
                    "baseline_hypothesis": pair.baseline.bracketed,
                    "system_hypothesis": pair.system.bracketed,
                }


def source_band_records(table: "SourceWordTable") -> Iterator[Record]:
    """One for each band of source words and system."""
    for band in table.bands:
        for name, accuracy in zip(table.systems, band.accuracies, strict=True):
            yield {
                "source_frequency": band.label,
                "source_words": band.source_words,
                "system": name,
                "right": accuracy.right,
                "expected": accuracy.expected,
                "recall": accuracy.recall,
            }


def source_length_records(table: "SourceLengthTable") -> Iterator[Record]:
    """One for each genre and system; the references are one more."""
    for row in table.rows:
        values = [("reference", row.reference), *zip(table.systems, row.systems, strict=True)]
        for number, (name, value) in enumerate(values):
            yield {
                "genre": row.label,
                "segments": row.segments,
                "source_words": row.source_words,
                "kind": "system" if number else "reference",
                "system": name,
                "words_per_source_word": value,
            }


def histogram_records(section: "HistogramSection") -> Iterator[Record]:
    """One for each histogram, band and system."""
    for histogram in section.every:
        for name, counts in zip(histogram.systems, histogram.counts, strict=True):
            for label, count in zip(histogram.labels, counts, strict=True):
                yield {"of": histogram.of, "band": label, "system": name, "segments": count}


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSection(Plain):
    """Words gained and lost against the baseline, accuracy by frequency and by source word."""

    PLAIN = "differences frequencies sources?"

    differences: tuple[GramDifferences, ...]
    frequencies: "FrequencyTable"
    sources: "SourceWordTable | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Systems beside the first of them, the baseline; sections not asked for are ``None``."""

    systems: tuple[str, ...]
    segments: int
    cutter: WordCutter
    scores: ScoreTable | None = None
    ngrams: tuple[GramDifferences, ...] | None = None
    words: WordSection | None = None
    lengths: "LengthTable | None" = None
    histograms: "HistogramSection | None" = None
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
        result: dict[str, list[Record]] = {}
        if self.scores is not None:
            result["scores"] = list(score_records(self.scores))
        if self.ngrams is not None:
            result["ngrams"] = list(difference_records(self.ngrams))
        if self.words is not None:
            result["words"] = list(difference_records(self.words.differences))
            result["frequencies"] = list(frequency_records(self.words.frequencies))
            if self.words.sources is not None:
                result["source_frequencies"] = list(source_band_records(self.words.sources))
                result["source_words"] = list(difference_records(self.words.sources.differences))
        if self.lengths is not None:
            result["lengths"] = list(length_records(self.lengths))
            result["ratios"] = list(ratio_records(self.lengths))
            if self.lengths.per_source is not None:
                result["source_lengths"] = list(source_length_records(self.lengths.per_source))
        if self.histograms is not None:
            result["histograms"] = list(histogram_records(self.histograms))
        if self.sentences is not None:
            result["sentences"] = list(sentence_records(self.sentences))
        return result

    def to_dataframe(self, table: str = "scores") -> "pandas.DataFrame":
        """One of the ``tables``, by default a row per slice, system and metric; needs pandas."""
        tables = self.tables
        if table not in tables:
            raise OptionError(did_you_mean("table", table, tables))
        return dataframe(tables[table])

    def __repr__(self) -> str:
        others = ", ".join(self.systems[1:])
        return f"<Comparison of {others} with {self.baseline}, {counted(self.segments, 'segment')}>"

    def _repr_html_(self) -> str:
        from html import escape

        from tertium.lazy import drawn

        tables = []
        if self.scores is not None:
            tables = [drawn("comparison_html", self), self.scores._repr_html_()]
        sections = {
            "words": self.words.differences if self.words else (),
            "n-grams": self.ngrams or (),
        }
        for kind, section in sections.items():
            rows = [
                [difference.system, *map(_listed, (difference.gained, difference.lost))]
                for difference in section
            ]
            if rows:
                headers = ["system", f"{kind} gained", f"{kind} lost"]
                tables.append(html_table(headers, rows))
        return "".join(tables) or f"<p>{escape(repr(self))}</p>"


def _listed(grams: Iterable[GramDifference]) -> str:
    return ", ".join(f"{gram.text} (+{gram.gained} −{gram.lost})" for gram in grams)


def _section_dict(section: Any) -> Any:
    many = isinstance(section, tuple)
    return [part.to_dict() for part in section] if many else section.to_dict()
