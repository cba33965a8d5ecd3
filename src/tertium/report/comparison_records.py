"""A comparison as flat records, and those as tab-separated values with all digits."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from tertium.compare.comparing import Comparison
from tertium.compare.differences import GramDifferences
from tertium.compare.frequency import FrequencyTable
from tertium.compare.lengths import LengthTable
from tertium.compare.score_results import ScoreTable
from tertium.compare.sentences import SentenceDifferences

Record: TypeAlias = dict[str, str | int | float | None]

_ESCAPED: Final = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def comparison_tsv(comparison: Comparison) -> Iterator[str]:
    """A table for each section, its names in the first line; an empty line between tables."""
    first = True
    for records in comparison_records(comparison):
        if not records:
            continue
        if not first:
            yield "\n"
        first = False
        yield _line(list(records[0]))
        for record in records:
            yield _line([_text(value) for value in record.values()])


def comparison_records(comparison: Comparison) -> Iterator[list[Record]]:
    """The records of every table, in the order of sections."""
    if comparison.scores is not None:
        yield list(_scores(comparison.scores))
    if comparison.ngrams is not None:
        yield list(_differences(comparison.ngrams))
    if comparison.words is not None:
        yield list(_differences(comparison.words.differences))
        yield list(_frequencies(comparison.words.frequencies))
    if comparison.lengths is not None:
        yield list(_lengths(comparison.lengths))
        yield list(_profiles(comparison.lengths))
    if comparison.sentences is not None:
        yield list(_sentences(comparison.sentences))


def _text(value: str | float | None) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)


def _line(cells: Sequence[str]) -> str:
    return "\t".join(cell.translate(_ESCAPED) for cell in cells) + "\n"


def _scores(table: ScoreTable) -> Iterator[Record]:
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
                yield record


def _differences(every: Sequence[GramDifferences]) -> Iterator[Record]:
    for found in every:
        for side, grams in (("gained", found.gained), ("lost", found.lost)):
            for one in grams:
                yield {"system": found.system, "side": side, **one.to_dict()}


def _frequencies(table: FrequencyTable) -> Iterator[Record]:
    for band in table.bands:
        for name, one in zip(table.systems, band.accuracies, strict=True):
            yield {"frequency": band.label, "system": name, **one.to_dict()}


def _lengths(table: LengthTable) -> Iterator[Record]:
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


def _profiles(table: LengthTable) -> Iterator[Record]:
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


def _sentences(every: Sequence[SentenceDifferences]) -> Iterator[Record]:
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
