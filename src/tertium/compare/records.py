"""The parts of a comparison as flat records: what tables for programs are made from."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tertium.compare.differences import GramDifferences
from tertium.compare.frequency import FrequencyTable
from tertium.compare.histograms import HistogramSection
from tertium.compare.lengths import LengthTable
from tertium.compare.score_results import ScoreTable
from tertium.compare.sentences import SentenceDifferences
from tertium.compare.sources import SourceLengthTable, SourceWordTable

Record: TypeAlias = dict[str, object]


def score_records(table: ScoreTable) -> Iterator[Record]:
    """One for each slice, system and metric."""
    for part in table.slices:
        for name, row in zip(table.systems, part.scores, strict=True):
            for score in row:
                record: Record = {table.by: part.label} if table.by else {}
                own, delta = score.interval, score.delta_interval
                record |= {
                    "segments": part.segments,
                    "system": name,
                    "metric": score.metric.spec,
                    "score": score.value,
                    "low": own.low if own else None,
                    "high": own.high if own else None,
                    "delta": score.delta,
                    "delta_low": delta.low if delta else None,
                    "delta_high": delta.high if delta else None,
                    "unit": part.unit,
                    "units": part.units,
                }
                found = {one.test: one for one in score.tests}
                for test in dict.fromkeys((*table.settings.tests, *table.tests)):
                    one = found.get(test)
                    record[f"p_{test}"] = one.p_value if one else None
                    record[f"adjusted_p_{test}"] = one.adjusted if one else None
                record["cluster"] = score.cluster
                record["best_rank"], record["worst_rank"] = score.ranks or (None, None)
                if table.runs is not None:
                    record["runs"] = len(score.runs)
                    record["runs_deviation"] = score.deviation
                    record["p_runs"] = score.runs_p_value
                yield record


def difference_records(every: Sequence[GramDifferences]) -> Iterator[Record]:
    """One for each n-gram."""
    for found in every:
        for side, grams in (("gained", found.gained), ("lost", found.lost)):
            for one in grams:
                yield {"system": found.system, "side": side, **one.to_dict()}


def frequency_records(table: FrequencyTable) -> Iterator[Record]:
    """One for each band of frequency and system."""
    for band in table.bands:
        for name, one in zip(table.systems, band.accuracies, strict=True):
            yield {"frequency": band.label, "system": name, **one.to_dict()}


def length_records(table: LengthTable) -> Iterator[Record]:
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


def ratio_records(table: LengthTable) -> Iterator[Record]:
    """One for each system: its length ratios."""
    for one in table.profiles:
        low, middle, high = one.quartiles
        yield {
            "system": one.system,
            "length_ratio": one.ratio,
            "lower_quartile": low,
            "median": middle,
            "upper_quartile": high,
            **dict(zip(table.ratios.labels, one.counts, strict=True)),
        }


def sentence_records(every: Sequence[SentenceDifferences]) -> Iterator[Record]:
    """One for each example."""
    for found in every:
        for side, pairs in (("better", found.better), ("worse", found.worse)):
            for pair in pairs:
                yield {
                    "system": found.system,
                    "side": side,
                    "metric": found.metric.spec,
                    "segment": pair.number,
                    "effect": pair.effect,
                    "baseline_score": pair.baseline_score,
                    "system_score": pair.system_score,
                    "delta": pair.delta,
                    "reference": " ||| ".join(pair.references),
                    "baseline_hypothesis": pair.baseline.bracketed,
                    "system_hypothesis": pair.system.bracketed,
                }


def source_band_records(table: SourceWordTable) -> Iterator[Record]:
    """One for each band of source words and system."""
    for band in table.bands:
        for name, one in zip(table.systems, band.accuracies, strict=True):
            yield {
                "source_frequency": band.label,
                "source_words": band.source_words,
                "system": name,
                "right": one.right,
                "expected": one.expected,
                "recall": one.recall,
            }


def source_length_records(table: SourceLengthTable) -> Iterator[Record]:
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


def histogram_records(section: HistogramSection) -> Iterator[Record]:
    """One for each histogram, band and system."""
    for one in section.every:
        for name, counts in zip(one.systems, one.counts, strict=True):
            for label, count in zip(one.labels, counts, strict=True):
                yield {"of": one.of, "band": label, "system": name, "segments": count}
