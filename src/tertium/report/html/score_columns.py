"""The cells of the table of scores: numbers, their intervals on one axis, and the best group."""

from collections.abc import Sequence

import numpy as np

from tertium.metrics.contract.base import Metric
from tertium.report.html.charts import Lean, ScoreCell, common_axis, whisker
from tertium.results import USUAL_LEVEL
from tertium.study.results import Study
from tertium.study.standings import RatedSystems


def score_columns(study: Study, rated: Sequence[RatedSystems]) -> list[list[ScoreCell]]:
    """The cells of the table, [column][system]: metrics, then people's ratings."""
    metrics = [_metric_column(study, index) for index in range(len(study.metrics))]
    return [*metrics, *(_rating_column(ratings) for ratings in rated)]


def _metric_column(study: Study, index: int) -> list[ScoreCell]:
    """Scores on one axis; bold are systems that no test puts behind another, or all first ones."""
    metric = study.metrics[index]
    scores = [system.scores[index] for system in study.evaluation.systems]
    compared = [study.compared(system)[index] for system in range(len(scores))]
    ends = [
        None if score.interval is None else (score.interval.low, score.interval.high)
        for score in scores
    ]
    axis = common_axis(
        [*(score.value for score in scores), *(end for pair in ends if pair for end in pair)],
        higher_is_better=metric.higher_is_better,
    )
    leader = study.ranking(metric)[0]
    firsts = [
        other.ranks[0] == 1
        if other is not None and other.ranks is not None
        else score.text == scores[leader].text
        for score, other in zip(scores, compared, strict=True)
    ]
    cells = []
    for score, other, pair, first in zip(scores, compared, ends, firsts, strict=True):
        told = [
            "" if score.interval is None else f"95 % interval {_range(metric, pair)}",
            f"possible ranks {other.ranks_text}" if other is not None and other.ranks else "",
            f"cluster {other.cluster}" if other is not None and other.cluster else "",
        ]
        best = first and len(scores) > 1
        lean: Lean = "ink" if best else "unsure"
        cells.append(
            ScoreCell(
                text=score.text,
                value=score.value,
                whisker=None if pair is None else whisker(axis, score.value, pair, lean=lean),
                best=best,
                tip="; ".join(filter(None, told)),
            )
            if np.isfinite(score.value)
            else ScoreCell(text="", missing="no score")
        )
    return cells


def _range(metric: Metric, ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{metric.shown(ends[0])} to {metric.shown(ends[1])}"


def _rating_column(ratings: RatedSystems) -> list[ScoreCell]:
    values, drawn = ratings.given, ratings.drawn
    ends: list[tuple[float, float] | None] = [None] * len(values)
    if drawn is not None:
        tail = (1 - USUAL_LEVEL) / 2
        for index in np.flatnonzero(np.isfinite(drawn).all(axis=1)).tolist():
            low, high = np.quantile(drawn[index], [tail, 1 - tail]).tolist()
            ends[index] = (low, high)
    axis = common_axis([*values.tolist(), *(end for pair in ends if pair for end in pair)])
    tiers = ratings.standing.tiers
    best = np.nanmax(values)
    cells = []
    for index, value in enumerate(values.tolist()):
        if not np.isfinite(value):
            cells.append(ScoreCell(text="", missing="not rated"))
            continue
        first = value == best if tiers is None else tiers[index] == 1
        pair = ends[index]
        lean: Lean = "ink" if first else "unsure"
        cells.append(
            ScoreCell(
                text=f"{value:.2f}".replace("-", "−"),
                value=value,
                whisker=None if pair is None else whisker(axis, value, pair, lean=lean),
                best=first,
            )
        )
    return cells
