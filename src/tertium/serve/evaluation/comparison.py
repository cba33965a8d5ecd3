"""Two outputs side by side, and segments of any number of them, from stored rows.

A pair has a verdict, differences, slices and words; segments are searched, ordered and shown page
by page, and a text is explained.
"""

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from tertium.audit.findings import AuditReport
from tertium.compare.differences import GramDifferences, gram_differences
from tertium.compare.grams import WordCutter, scored_words
from tertium.compare.sentences import SentencePair
from tertium.decide.decision import Decision
from tertium.decide.verdict import Verdict
from tertium.explanation import explain
from tertium.metrics.contract.base import Metric
from tertium.report.html.payload import contents
from tertium.report.html.wording import signed
from tertium.results import titles
from tertium.scored.scored import Scored, scored
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.corpora import Board, finite, place_of, trials_for
from tertium.serve.evaluation.metrics import SLOW, checked
from tertium.study.results import Study
from tertium.study.study import brief_study, untested_study
from tertium.text.corpus import Corpus, System

TOP: int = 10
MOST_EXPLAINED: int = 600
MOST_TEXTS: int = 120_000
"""Segments × systems that a browser holds at once."""
MOST_SLICES: int = 40
MOST_WITH_STATISTICS: int = 10
"""Systems whose segments a browser is given with the statistics that scores are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One metric's scores of both, and how sure their difference is."""

    spec: str
    metric: str
    higher_is_better: bool
    first: str
    second: str
    delta: str
    interval: str
    p: str
    significant: bool
    direction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceDifference:
    """Both systems on one slice of the corpus, by the first metric."""

    label: str
    segments: int
    first: str
    second: str
    delta: str
    opposing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairView:
    """What there is to say of two outputs, the first of them the baseline."""

    first: str
    second: str
    verdict: str
    sentence: str
    witness: str
    procedure: str
    metric: str
    differences: tuple[Difference, ...]
    slices: dict[str, tuple[SliceDifference, ...]]
    segments: tuple[SentencePair, ...]
    warnings: tuple[str, ...]
    whole: Verdict
    gains: tuple[float, ...]
    """By how much each segment is better in the second, by the first metric."""


def scored_of(board: Board) -> Scored:
    """The rows of a board; an error says what is missing."""
    if board.scored is None:
        waiting = f"; {', '.join(board.waiting)} are being computed" if board.waiting else ""
        raise RequestError(f"scores: found no metric with scores of all outputs{waiting}")
    return board.scored


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAudit:
    """What a job found, and its number, by which results that heed it are known."""

    job: int
    report: AuditReport


def decision_of(board: Board, audit: KeptAudit | None = None) -> Decision:
    """The verdict on every output beside the first."""
    study = _study(board, audit)
    if study.decision is None:
        raise RequestError("outputs: found one, expected two or more to compare")
    return study.decision


def pair_view(board: Board, audit: KeptAudit | None = None) -> PairView:
    """A pair as a page shows it."""
    decision = decision_of(board, audit)
    study = _study(board, audit)
    verdict = decision.verdicts[0]
    return PairView(
        first=decision.baseline,
        second=verdict.system,
        verdict=verdict.label,
        sentence=verdict.sentence,
        witness=decision.witness,
        procedure=decision.procedure,
        metric=titles(study.metrics)[0],
        differences=_differences(verdict),
        slices=_slices(study),
        segments=verdict.segments,
        warnings=decision.warnings,
        whole=verdict,
        gains=_gains(scored_of(board)),
    )


def _gains(scored: Scored) -> tuple[float, ...]:
    metric = scored.metrics[0]
    first, second = scored.segments_of(metric)[:2]
    sign = 1 if metric.higher_is_better else -1
    return tuple((sign * (second - first)).tolist())


def words_of(board: Board, *, top: int = TOP) -> dict[str, Any]:
    """Words and phrases that only one of two has right."""
    scored = scored_of(board)

    def build() -> dict[str, Any]:
        cut = scored_words(scored, WordCutter.like(scored.metrics)).of_systems([0, 1])
        (words,) = gram_differences(cut, range(1, 2), top=top)
        (phrases,) = gram_differences(cut, range(2, 5), top=top)
        return {"words": _grams(words), "phrases": _grams(phrases)}

    return scored.kept(("served words", top), build)


def browser_json(board: Board) -> bytes:
    """What the segment browser of reports reads, as compressed JSON.

    These are texts, scores and explanations of segments. Compressed, those of 50 systems take a
    tenth of the memory, and are ready for whoever asks next.
    """
    scored = scored_of(board)
    if len(scored.corpus) * len(scored.systems) > MOST_TEXTS:
        raise RequestError(
            f"segments: found {len(scored.corpus)} of {len(scored.systems)} systems, expected at "
            f"most {MOST_TEXTS} texts at once; compare two systems, or search"
        )

    def build() -> bytes:
        study = untested_study(scored, most_explained=MOST_EXPLAINED)
        few = len(scored.systems) <= MOST_WITH_STATISTICS
        whole = contents(study, pairs=False, statistics=few)
        text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return gzip.compress(text.encode("utf-8", errors="replace"), compresslevel=6, mtime=0)

    return scored.kept("served browser", build)


def _study(board: Board, audit: KeptAudit | None) -> Study:
    scored = scored_of(board)
    job, report = (None, None) if audit is None else (audit.job, audit.report)
    return scored.kept(
        ("decided study", job),
        lambda: brief_study(scored, trials=trials_for(scored), audit=report),
    )


def _differences(verdict: Verdict) -> tuple[Difference, ...]:
    return tuple(
        Difference(
            spec=one.metric.spec,
            metric=one.title,
            higher_is_better=one.metric.higher_is_better,
            first=one.metric.shown(one.baseline),
            second=one.metric.shown(one.system),
            delta=signed(one.delta, one.metric.finer),
            interval=""
            if one.interval is None
            else f"{signed(one.interval.low, one.metric.finer)} to "
            f"{signed(one.interval.high, one.metric.finer)}",
            p=one.p_text,
            significant=one.significant,
            direction=one.direction,
        )
        for one in verdict.metrics
    )


def _slices(study: Study) -> dict[str, tuple[SliceDifference, ...]]:
    metric = study.metrics[0]
    whole = np.subtract(*study.scores_of(metric)[[1, 0]])
    found: dict[str, tuple[SliceDifference, ...]] = {}
    for one in study.slices:
        if len(one.slices) > MOST_SLICES:
            continue
        scores = one.scores[metric.spec]
        found[one.by] = tuple(
            SliceDifference(
                label=label,
                segments=count,
                first=metric.shown(float(scores[0, place])),
                second=metric.shown(float(scores[1, place])),
                delta=signed(float(scores[1, place] - scores[0, place]), metric.finer),
                opposing=bool((scores[1, place] - scores[0, place]) * whole < 0),
            )
            for place, (label, count) in enumerate(
                zip(one.slices.labels, one.slices.counts, strict=True)
            )
        )
    return found


def _grams(found: GramDifferences) -> dict[str, Sequence[dict[str, Any]]]:
    return {
        side: [{"text": one.text, "gained": one.gained, "lost": one.lost} for one in some]
        for side, some in (("gained", found.gained), ("lost", found.lost))
    }


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
