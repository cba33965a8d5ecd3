"""What the page's script reads: texts, segment scores, statistics and explanations, packed."""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts
from tertium.compare.grams import WordCutter
from tertium.metrics.base import Metric
from tertium.report.html.cut_text import cut_text
from tertium.report.html.entities import entities
from tertium.report.plots.base import styles_of
from tertium.report.plots.study import PLOTS, people_plot, slices_plot
from tertium.report.rows import titles
from tertium.report.study import Study

MOST_COLUMNS: Final = 24
"""A metric with more statistics than people read (AMBER has hundreds) shows its parts only."""
_PRECISION: Final = 100

SIGNS: Final = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "triangle-up": "▲",
    "cross": "✚",
    "triangle-down": "▼",
    "x": "✖",
}
"""Plotly's symbols as characters, for legends outside of plots."""


def payload(study: Study) -> str:
    """Everything the script needs as compressed JSON in base64, the same for the same study."""
    text = json.dumps(contents(study), ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate, such as a damaged file may hold, becomes a visible replacement.
    packed = gzip.compress(text.encode("utf-8", errors="replace"), compresslevel=6, mtime=0)
    return b64encode(packed).decode("ascii")


def contents(study: Study) -> dict[str, Any]:
    """The payload before it is packed. Segment scores and statistics are in hundredths."""
    corpus = study.corpus
    cutter = WordCutter.like(study.metrics)
    references = [corpus.references.of_segment(place) for place in range(len(corpus))]
    return {
        "systems": list(study.names),
        "rival": _rival(study),
        "metrics": [
            _metric(study, one, title)
            for one, title in zip(study.metrics, titles(study.metrics), strict=True)
        ],
        "ids": list(corpus.ids) if corpus.ids else None,
        "sources": _plain(corpus.sources) if corpus.sources is not None else None,
        "references": _cut_lists(references, cutter),
        "hypotheses": _cut(study, cutter),
        "slices": [
            {"by": one.by, "labels": list(one.labels), "of": one.of_segment.tolist()}
            for one in study.slices
        ],
        "colours": [one.colour for one in styles_of(study.names).values()],
        "signs": [SIGNS[one.symbol] for one in styles_of(study.names).values()],
        "figures": _figures(study),
        "ratings": _ratings(study),
        "explained": _explained(study),
        "entities": entities(study),
    }


def _metric(study: Study, metric: Metric, title: str) -> dict[str, Any]:
    columns = metric.columns if len(metric.columns) <= MOST_COLUMNS else ()
    rows = study.rows_of(metric) if columns else None
    return {
        "spec": metric.spec,
        "title": title,
        "higher": metric.higher_is_better,
        "segments": _hundredths(study.segments_of(metric)),
        "columns": list(columns),
        "rows": None if rows is None else [_column(rows[..., k]) for k in range(len(columns))],
    }


def _rival(study: Study) -> int:
    """The place of the best system beside the baseline, by the first metric."""
    metric = study.metrics[0]
    others = study.scores_of(metric)[1:] * (1 if metric.higher_is_better else -1)
    return int(others.argmax()) + 1 if others.size else 0


def _hundredths(numbers: NDArray[np.float64]) -> list[Any]:
    """Numbers in hundredths as integers, which compress far better than decimals."""
    finite = np.nan_to_num(numbers, nan=0.0, posinf=1e12, neginf=-1e12)
    result: list[Any] = np.rint(finite * _PRECISION).astype(np.int64).tolist()
    return result


def _column(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """A statistic of all systems and segments; counts are kept as they are."""
    whole = bool((numbers == np.rint(numbers)).all())
    values = numbers.astype(np.int64).tolist() if whole else _hundredths(numbers)
    return {"scale": 1 if whole else _PRECISION, "values": values}


def _plain(texts: Texts) -> list[str]:
    return [texts[place] or "" for place in range(len(texts))]


def _cut(study: Study, cutter: WordCutter) -> list[list[str]]:
    """Segment → system → text, so that like stands beside like and compresses well."""
    columns = []
    for system in study.systems:
        words = cutter.cut(system.hypotheses)
        texts = _plain(system.hypotheses)
        columns.append([cut_text(text, one) for text, one in zip(texts, words, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _cut_lists(references: Iterable[list[str]], cutter: WordCutter) -> list[list[str]]:
    lists = list(references)
    flat = [text for row in lists for text in row]
    cut = iter(zip(flat, cutter.cut(Texts(flat)), strict=True))
    return [[cut_text(*next(cut)) for _ in row] for row in lists]


def _figures(study: Study) -> dict[str, dict[str, Any]]:
    """Plot → spec → figure. The scatter plot is empty: the script puts a pair of systems in."""
    names = ["scores", "segments", "resamples"] + (["lengths"] if study.comparison else [])
    figures = {
        name: {one.spec: _figure(PLOTS[name](study, one)) for one in study.metrics}
        for name in names
    }
    figures["deletions"] = {
        one.spec: _figure(PLOTS["deletions"](study, one))
        for one in study.metrics
        if one.spec in study.deletions
    }
    for number, some_judgments in enumerate(study.judgments):
        figures[f"people-{number}"] = {
            one.spec: _figure(people_plot(study, one, some_judgments)) for one in study.metrics
        }
    for some in study.slices:
        figures[f"slices-{some.by}"] = {
            one.spec: _figure(slices_plot(study, one, some.by)) for one in study.metrics
        }
    return figures


def _figure(figure: Any) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(figure.to_json())
    return result


def _ratings(study: Study) -> list[dict[str, Any]]:
    """The ratings of single segments: criterion, and system → segment → rating, if any."""
    ratings = []
    for one in study.judgments:
        if one.segments is None or one.segments.shape[1] != len(study.corpus):
            continue
        by_name = dict(zip(one.systems, one.segments, strict=True))
        values = [
            [None if np.isnan(value) else round(value, 2) for value in by_name[name].tolist()]
            if name in by_name
            else None
            for name in study.names
        ]
        ratings.append({"criterion": one.criterion, "values": values})
    return ratings


def _explained(study: Study) -> dict[str, dict[str, Any]]:
    """Spec → "system:segment" → parts of the score and what happened, line by line."""
    place = {name: number for number, name in enumerate(study.names)}
    return {
        one.metric.spec: {
            f"{place[part.system]}:{part.number - 1}": [
                [[each.name, round(each.value, 2), each.note] for each in part.components],
                list(part.trace),
            ]
            for part in one.segments
        }
        for one in study.explanations
    }
