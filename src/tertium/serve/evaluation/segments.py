"""Segments of a test set: search, order, page by page; and why a text scores what it does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from tertium.explanation import explain
from tertium.metrics.contract.base import Metric
from tertium.scored.scored import scored
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.comparison import scored_of
from tertium.serve.evaluation.corpora import Board, finite, place_of
from tertium.serve.evaluation.metrics import SLOW, checked
from tertium.text.corpus import Corpus, System

Order = Literal["number", "best", "worst", "gain", "loss"]
LONGEST: Final = 10_000
"""Characters of a text that is explained, with its references."""
LONGEST_SLOW: Final = 600
"""The same under metrics whose time grows much faster than the text."""
MOST_REFERENCES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentView:
    """One segment with all outputs; scores are by the metric asked for."""

    number: int
    source: str | None
    references: tuple[str, ...]
    document: str | None
    genre: str | None
    hypotheses: tuple[str, ...]
    scores: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentPage:
    """Some of the segments that fit, and how many these are in all."""

    systems: tuple[str, ...]
    metric: str
    found: int
    segments: tuple[SegmentView, ...]


def search(
    board: Board,
    *,
    query: str = "",
    metric: str | None = None,
    order: Order = "number",
    document: str | None = None,
    genre: str | None = None,
    skip: int = 0,
    limit: int = 50,
) -> SegmentPage:
    """The segments that have a text somewhere, whatever the case of its letters.

    ``gain`` and ``loss`` put those first in which the second output is better, or worse, than
    the first; ``best`` and ``worst`` are by the first output.
    """
    whole = scored_of(board)
    place = 0 if metric is None else place_of(whole, metric)
    chosen = whole.metrics[place]
    scores = whole.segments_of(chosen)
    corpus = whole.corpus
    kept = np.ones(len(corpus), dtype=bool)
    for labels, wanted in ((corpus.documents, document), (corpus.genres, genre)):
        if wanted is not None:
            kept &= np.array([one == wanted for one in labels or ("",) * len(corpus)])
    if query:
        needle = query.lower()
        columns = _texts(board)
        kept &= np.array([needle in one for one in columns])
    found = np.flatnonzero(kept)
    found = found[_ranked(chosen, scores[:, found], order)]
    page = found[skip : skip + limit].tolist()
    return SegmentPage(
        systems=whole.names,
        metric=chosen.spec,
        found=len(found),
        segments=tuple(
            SegmentView(
                number=number + 1,
                source=None if corpus.sources is None else corpus.sources[number] or "",
                references=tuple(corpus.references.of_segment(number)),
                document=None if corpus.documents is None else corpus.documents[number],
                genre=None if corpus.genres is None else corpus.genres[number],
                hypotheses=tuple(one.hypotheses[number] or "" for one in whole.systems),
                scores=tuple(finite(float(one)) for one in scores[:, number]),
            )
            for number in page
        ),
    )


def explain_text(
    hypothesis: str, references: Sequence[str], specs: Sequence[str], *, source: str | None = None
) -> list[dict[str, Any]]:
    """Why a text scores what it does beside its references, metric by metric."""
    texts = [hypothesis, *references, source or ""]
    if not 1 <= len(references) <= MOST_REFERENCES:
        raise RequestError(f"references: found {len(references)}, expected 1 to {MOST_REFERENCES}")
    if sum(map(len, texts)) > LONGEST:
        raise RequestError(
            f"text: found {sum(map(len, texts))} characters, expected at most {LONGEST}"
        )
    corpus = Corpus(
        references=[list(references)], name="text", sources=None if source is None else [source]
    )
    system = System(name="text", hypotheses=[hypothesis])
    found = []
    for spec in specs:
        metric = checked(spec)
        if metric.elsewhere:
            raise RequestError(
                f"metric: found {metric.title}, expected one that can be taken apart"
            )
        if metric.name in SLOW and sum(map(len, texts)) > LONGEST_SLOW:
            raise RequestError(
                f"text: found {sum(map(len, texts))} characters, expected at most "
                f"{LONGEST_SLOW} for {metric.title}"
            )
        whole = scored(corpus, [system], [metric])
        one = explain(whole, metric=whole.metrics[0], segments=[1])
        part = one.segments[0]
        found.append(
            {
                "metric": metric.spec,
                "title": metric.title,
                "higher_is_better": metric.higher_is_better,
                "signature": one.signature,
                "score": part.value,
                "text": metric.shown(part.value),
                "components": [each.to_dict() for each in part.components],
                "trace": list(part.trace),
            }
        )
    return found


def _texts(board: Board) -> list[str]:
    """All that can be searched of each segment, in small letters."""
    whole = scored_of(board)

    def build() -> list[str]:
        columns = [
            *([] if whole.corpus.sources is None else [whole.corpus.sources]),
            *whole.corpus.references.columns,
            *(one.hypotheses for one in whole.systems),
        ]
        rows = zip(*(one.to_list() for one in columns), strict=True)
        return ["\n".join(text or "" for text in row).lower() for row in rows]

    return whole.kept("served texts", build)


def _ranked(metric: Metric, scores: Any, order: Order) -> Any:
    """Places in the order asked for; what has no score comes last."""
    sign = 1.0 if metric.higher_is_better else -1.0
    if order == "number":
        return np.arange(scores.shape[1])
    if order in {"gain", "loss"}:
        if len(scores) < 2:
            raise RequestError(f"order: found {order} of one output, expected two outputs")
        values = sign * (scores[1] - scores[0])
    else:
        values = sign * scores[0]
    if order in {"best", "gain"}:
        values = -values
    return np.argsort(np.where(np.isnan(values), np.inf, values), kind="stable")
