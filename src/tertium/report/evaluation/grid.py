"""An evaluation as labelled rows of numbers: what every table format is made from."""

import re
from collections.abc import Iterator, Sequence
from math import isnan
from typing import Final, NamedTuple

from tertium.metrics.contract.spec import SHORT_KEYS
from tertium.results import Evaluation, Score, titles

# Signatures with the short keys of sacreBLEU's ``--short``.

_KEY: Final = rf"(?<![^|])({'|'.join(SHORT_KEYS)}):"


def short_signature(signature: str) -> str:
    """The signature with abbreviated keys; keys that have no abbreviation stay.

    >>> short_signature("nrefs:1|case:mixed|tok:13a|order:2|version:tertium-1")
    '#:1|c:mixed|tok:13a|order:2|v:tertium-1'
    """
    return re.sub(_KEY, lambda match: f"{SHORT_KEYS[match[1]]}:", signature)


WHOLE = "all"
"""The slice that holds every segment."""


class MetricColumn(NamedTuple):
    """One metric as the heading of a column of scores."""

    title: str
    spec: str
    signature: str
    higher_is_better: bool
    finer: int = 0

    def text(self, value: float, decimals: int) -> str:
        """A score as it is shown; a segment may have none."""
        return "–" if isnan(value) else f"{value:.{decimals + self.finer}f}"

    def rounded(self, value: float, decimals: int) -> float:
        """The number that is shown."""
        return round(value, decimals + self.finer)


class ScoreRow(NamedTuple):
    """The scores of one system on one slice or one segment; there may be millions.

    ``scores`` are those behind the values where they may have intervals or tests.
    """

    labels: tuple[str, ...]
    values: tuple[float, ...]
    scores: tuple[Score, ...] = ()


def label_names(evaluation: Evaluation, *, segments: bool = False) -> tuple[str, ...]:
    """What the labels of a row are called."""
    if segments:
        return ("segment", "system")
    return (evaluation.by, "system") if evaluation.by else ("system",)


def columns(evaluation: Evaluation, *, segments: bool = False) -> tuple[MetricColumn, ...]:
    """One column per metric; segments have a signature of their own (``eff:yes``)."""
    scores = evaluation.systems[0].scores
    return tuple(
        MetricColumn(
            title=title,
            spec=score.metric.spec,
            signature=signature(score, segments=segments),
            higher_is_better=score.metric.higher_is_better,
            finer=score.metric.finer,
        )
        for title, score in zip(titles(evaluation.metrics), scores, strict=True)
    )


def signature(score: Score, *, segments: bool = False) -> str:
    """The signature of the corpus score, or of the segment scores."""
    if segments:
        return score.metric.for_segments().signature(score.references)
    return score.signature


def sections(evaluation: Evaluation, *, segments: bool = False) -> Iterator[tuple[ScoreRow, ...]]:
    """Rows that are to be compared with one another: systems on the same text."""
    return _segment_sections(evaluation) if segments else _slice_sections(evaluation)


def _slice_sections(evaluation: Evaluation) -> Iterator[tuple[ScoreRow, ...]]:
    yield tuple(
        ScoreRow(
            labels=(WHOLE, one.system) if evaluation.by else (one.system,),
            values=tuple(score.value for score in one.scores),
            scores=one.scores,
        )
        for one in evaluation.systems
    )
    for label in evaluation.systems[0].scores[0].slices:
        yield tuple(
            ScoreRow(
                labels=(label, one.system),
                values=tuple(score.slices[label].value for score in one.scores),
            )
            for one in evaluation.systems
        )


def _segment_sections(evaluation: Evaluation) -> Iterator[tuple[ScoreRow, ...]]:
    lists = [
        [score.segments.tolist() for score in one.scores if score.segments is not None]
        for one in evaluation.systems
    ]
    for number, values in enumerate(zip(*(zip(*one, strict=True) for one in lists), strict=True)):
        yield tuple(
            ScoreRow(labels=(str(number + 1), one.system), values=scores)
            for one, scores in zip(evaluation.systems, values, strict=True)
        )


def best_values(
    section: Sequence[ScoreRow], heads: Sequence[MetricColumn], decimals: int
) -> tuple[float | None, ...]:
    """The best shown value of each column, or ``None`` where there is nothing to compare.

    Values are compared as shown: two systems that print the same are equally good.
    """
    if len(section) == 1:
        return (None,) * len(heads)
    return tuple(
        _best(head, [row.values[k] for row in section], decimals) for k, head in enumerate(heads)
    )


def _best(head: MetricColumn, values: Sequence[float], decimals: int) -> float | None:
    shown = [head.rounded(value, decimals) for value in values if not isnan(value)]
    return (max if head.higher_is_better else min)(shown, default=None)
