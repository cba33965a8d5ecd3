"""All systems of a test set at a glance, and the scores of one system over time."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tertium.audit.findings import named
from tertium.metrics.contract.base import Metric
from tertium.report.html.charts import middle_cut
from tertium.report.plots.style import styles_of
from tertium.results import titles
from tertium.scored.scored import Scored
from tertium.serve.evaluation.corpora import Board, finite, trials_for
from tertium.serve.evaluation.metrics import rebuilt
from tertium.serve.evaluation.systems import OutputView
from tertium.study.answer import Lead, answer
from tertium.study.results import Study
from tertium.study.study import brief_study


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricHead:
    """A column of the table."""

    spec: str
    title: str
    higher_is_better: bool
    signature: str
    decimals: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCell:
    """One score; ``cluster`` counts from 1, ``ranks`` are those that the tests leave possible."""

    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    range: str = ""
    cluster: int | None = None
    ranks: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the table: an output and its scores, in the order of the metrics."""

    output: OutputView
    name: str
    colour: str
    cells: tuple[BoardCell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadView:
    """Who leads by one metric, in words."""

    metric: str
    leader: str
    score: str
    runner_up: str
    gap: str
    verdict: str
    p: str
    sure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """The answer in words, then the table, the best by the first metric on top."""

    headline: str
    leads: tuple[LeadView, ...]
    procedure: str
    notes: tuple[str, ...]
    metrics: tuple[MetricHead, ...]
    entries: tuple[Entry, ...]
    waiting: tuple[str, ...]
    """Metrics that are still to be computed for some outputs."""
    missing: tuple[str, ...] = ()
    """For each metric without scores of some outputs, which ones it waits for."""


def study_of(scored: Scored) -> Study:
    """Scores, tests and rank clusters of systems; made once."""
    return scored.kept(
        "brief study", lambda: brief_study(scored, trials=trials_for(scored), verdicts=False)
    )


def leaderboard(board: Board, parts: Mapping[str, Board] | None = None) -> Leaderboard:
    """The table of a board.

    ``parts`` are boards of the outputs that have scores where others lack them
    (`partial_boards`); such scores have intervals and tests among themselves.
    """
    partial = tuple(_partial_head(spec) for spec in board.partial)
    known = {spec: _known_cells(part) for spec, part in (parts or {}).items()}
    missing = tuple(_missing(board, head) for head in partial)
    styles = styles_of([one.title for one in board.outputs])
    if board.scored is None:
        entries = tuple(
            Entry(
                output=one,
                name=one.system,
                colour=styles[one.title].colour,
                cells=_partial_cells(board, one, partial, known),
            )
            for one in board.outputs
        )
        return Leaderboard(
            headline=_waiting_headline(board),
            leads=(),
            procedure="",
            notes=(),
            metrics=partial,
            entries=entries,
            waiting=board.waiting,
            missing=missing,
        )
    study = study_of(board.scored)
    whole = answer(study)
    heads = tuple(
        MetricHead(
            spec=metric.spec,
            title=title,
            higher_is_better=metric.higher_is_better,
            signature=score.signature,
            decimals=2 + metric.finer,
        )
        for metric, title, score in zip(
            study.metrics, titles(study.metrics), study.evaluation.systems[0].scores, strict=True
        )
    )
    entries = tuple(
        Entry(
            output=board.outputs[place],
            name=study.names[place],
            colour=styles[board.outputs[place].title].colour,
            cells=(
                *(_cell(study, metric, place) for metric in study.metrics),
                *_partial_cells(board, board.outputs[place], partial, known),
            ),
        )
        for place in study.ranking(study.metrics[0])
    )
    return Leaderboard(
        headline=whole.headline,
        leads=tuple(map(_lead, whole.leads)),
        procedure=whole.procedure,
        notes=_notes(study),
        metrics=(*heads, *partial),
        entries=entries,
        waiting=board.waiting,
        missing=missing,
    )


def possible_ranks(found: Leaderboard) -> dict[str, dict[str, tuple[int, int]]]:
    """The ranks that the tests of each metric, by title, leave possible to each system."""
    ranks: dict[str, dict[str, tuple[int, int]]] = {}
    for entry in found.entries:
        for head, cell in zip(found.metrics, entry.cells, strict=True):
            if cell is not None and cell.ranks:
                first, _, last = cell.ranks.partition("–")
                ranks.setdefault(head.title, {})[entry.name] = (int(first), int(last or first))
    return ranks


def _waiting_headline(board: Board) -> str:
    if not board.outputs:
        return "No system yet: send the output of one, and its scores are here."
    if board.waiting:
        return "Scores are being computed; this takes a moment."
    return "No metric has scores of all systems."


def _cell(study: Study, metric: Metric, place: int) -> BoardCell:
    number = [one.spec for one in study.metrics].index(metric.spec)
    score = study.evaluation.systems[place].scores[number]
    compared = study.compared(place)[number]
    every = study.scores_of(metric)
    best = every.max() if metric.higher_is_better else every.min()
    decimals = 2 + metric.finer
    interval = score.interval
    return BoardCell(
        value=finite(score.value),
        text=score.text,
        low=None if interval is None else finite(interval.low),
        high=None if interval is None else finite(interval.high),
        range="" if interval is None else interval.text(decimals).replace("± ", "±"),
        cluster=compared.cluster if compared else None,
        ranks=compared.ranks_text if compared else "",
        best=metric.shown(score.value) == metric.shown(float(best)),
    )


def _lead(lead: Lead) -> LeadView:
    return LeadView(
        metric=lead.title,
        leader=", ".join(lead.tied) or lead.leader,
        score=lead.score_text,
        runner_up=lead.runner_up,
        gap=lead.gap_text if lead.runner_up else "",
        verdict=lead.verdict,
        p=lead.p_text,
        sure=lead.sure,
    )


def _notes(study: Study) -> tuple[str, ...]:
    found = list(study.evaluation.warnings)
    if study.comparison is not None and (scores := study.comparison.scores) is not None:
        found += [one for one in (scores.interval_note, scores.cluster_note) if one]
        found += list(scores.findings)
    return tuple(dict.fromkeys(found))


def _partial_head(spec: str) -> MetricHead:
    metric = rebuilt(spec)
    return MetricHead(
        spec=spec,
        title=metric.title,
        higher_is_better=metric.higher_is_better,
        signature=metric.signature(),
        decimals=2 + metric.finer,
    )


def _partial_cells(
    board: Board,
    output: OutputView,
    heads: tuple[MetricHead, ...],
    known: Mapping[str, Mapping[int, BoardCell]],
) -> tuple[BoardCell | None, ...]:
    cells = []
    for head in heads:
        value = board.partial[head.spec].get(output.id)
        shown = None if value is None else BoardCell(value=value, text=f"{value:.{head.decimals}f}")
        cells.append(known.get(head.spec, {}).get(output.id, shown))
    return tuple(cells)


def _known_cells(part: Board) -> dict[int, BoardCell]:
    """The cells of one metric by output, with what can be said of those that have scores."""
    if part.scored is None:
        return {}
    study = study_of(part.scored)
    return {
        output.id: _cell(study, study.metrics[0], place)
        for place, output in enumerate(part.outputs)
    }


def _missing(board: Board, head: MetricHead) -> str:
    """Which outputs a metric waits for."""
    having = board.partial[head.spec]
    names = [one.title for one in board.outputs if one.id not in having]
    return f"{head.title} waits for {named(names)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The score of one output."""

    output: int
    number: int
    at: datetime
    value: float | None
    text: str
    low: float | None
    high: float | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One metric of one system over time."""

    spec: str
    title: str
    higher_is_better: bool
    points: tuple[Point, ...]


def history(board: Board) -> tuple[History, ...]:
    """The scores of all outputs of a board, metric by metric, in their order."""
    if board.scored is None:
        return ()
    study = study_of(board.scored)
    found = []
    for number, (metric, title) in enumerate(
        zip(study.metrics, titles(study.metrics), strict=True)
    ):
        points = []
        for output, system in zip(board.outputs, study.evaluation.systems, strict=True):
            score = system.scores[number]
            points.append(
                Point(
                    output=output.id,
                    number=output.number,
                    at=output.uploaded_at,
                    value=finite(score.value),
                    text=score.text,
                    low=None if score.interval is None else finite(score.interval.low),
                    high=None if score.interval is None else finite(score.interval.high),
                    note=output.note,
                )
            )
        found.append(
            History(
                spec=metric.spec,
                title=title,
                higher_is_better=metric.higher_is_better,
                points=tuple(points),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point of a plot and its whisker, in the plot's own units."""

    x: float
    y: float
    top: float
    bottom: float
    point: Point
    label: str
    """The beginning of the note, where there is room for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A history as a picture: a page draws it without any script."""

    width: int
    height: int
    marks: tuple[Mark, ...]
    line: str
    ribbon: str
    """The outline of all intervals; none where some score has no interval."""
    ticks: tuple[tuple[float, str], ...]
    """Heights and what stands beside them."""


def history_plot(one: History, *, width: int = 640, height: int = 240) -> Plot | None:
    """The picture of a history; none where there is nothing to see."""
    known = [point for point in one.points if point.value is not None]
    if not known:
        return None
    lows = [_end(point, point.low) for point in known]
    highs = [_end(point, point.high) for point in known]
    least, most = min(lows), max(highs)
    margin = (most - least) * 0.08 or 1.0
    least, most = least - margin, most + margin
    step = (width - _LEFT - _RIGHT) / max(1, len(known) - 1)
    letters = int(min(step, width / 4) / _LETTER)

    def y(value: float) -> float:
        return round(_TOP + (most - value) / (most - least) * (height - _TOP - _BOTTOM), 1)

    marks = tuple(
        Mark(
            x=round(_LEFT + place * step, 1),
            y=y(_end(point, point.value)),
            top=y(high),
            bottom=y(low),
            point=point,
            label=middle_cut(point.note, letters) if letters >= _LEAST_LABEL else "",
        )
        for place, (point, low, high) in enumerate(zip(known, lows, highs, strict=True))
    )
    return Plot(
        width=width,
        height=height,
        marks=marks,
        line=" ".join(f"{mark.x},{mark.y}" for mark in marks),
        ribbon=_ribbon(marks),
        ticks=tuple((y(value), f"{value:.{digits}f}") for value, digits in _ticks(least, most)),
    )


_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 44, 28, 28
_LETTER, _LEAST_LABEL = 8, 8
"""Width of a letter of a label, and how many letters say anything."""


def _ribbon(marks: Sequence[Mark]) -> str:
    if len(marks) < 2 or any(mark.point.low is None or mark.point.high is None for mark in marks):
        return ""
    ends = [(mark.x, mark.top) for mark in marks] + [(mark.x, mark.bottom) for mark in marks[::-1]]
    return " ".join(f"{x},{y}" for x, y in ends)


def _end(point: Point, end: float | None) -> float:
    return end if end is not None else point.value or 0.0


def _ticks(least: float, most: float) -> list[tuple[float, int]]:
    """Round numbers between two, four or so, with the digits that they need."""
    size = 10.0 ** math.floor(math.log10((most - least) / 3))
    step = next(size * some for some in (1, 2, 5, 10) if (most - least) / (size * some) <= 5)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first = math.ceil(least / step)
    return [(number * step, digits) for number in range(first, math.floor(most / step) + 1)]
