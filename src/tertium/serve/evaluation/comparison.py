"""Two outputs side by side, from kept rows: the verdict, differences, slices, words, segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.audit.findings import AuditReport
from tertium.compare.differences import GramDifferences, gram_differences
from tertium.compare.grams import WordCutter, scored_words
from tertium.compare.sentences import SentencePair
from tertium.decide.decision import Decision
from tertium.decide.verdict import Verdict
from tertium.report.html.payload import contents, signed
from tertium.results import titles
from tertium.scored.scored import Scored
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.corpora import Board
from tertium.serve.evaluation.leaderboard import trials_for
from tertium.study.results import Study
from tertium.study.study import brief_study

TOP: int = 10
MOST_EXPLAINED: int = 600
MOST_TEXTS: int = 120_000
"""Segments × systems that a browser holds at once."""
MOST_SLICES: int = 40


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
    )


def words_of(board: Board, *, top: int = TOP) -> dict[str, Any]:
    """Words and phrases that only one of two has right."""
    scored = scored_of(board)

    def build() -> dict[str, Any]:
        cut = scored_words(scored, WordCutter.like(scored.metrics)).of_systems([0, 1])
        (words,) = gram_differences(cut, range(1, 2), top=top)
        (phrases,) = gram_differences(cut, range(2, 5), top=top)
        return {"words": _grams(words), "phrases": _grams(phrases)}

    return scored.kept(("served words", top), build)


def browser_contents(board: Board) -> dict[str, Any]:
    """What the segment browser of reports reads: texts, scores and explanations of segments."""
    scored = scored_of(board)
    if len(scored.corpus) * len(scored.systems) > MOST_TEXTS:
        raise RequestError(
            f"segments: found {len(scored.corpus)} of {len(scored.systems)} systems, expected at "
            f"most {MOST_TEXTS} texts at once; compare two systems, or search"
        )

    def build() -> dict[str, Any]:
        study = brief_study(
            scored, trials=trials_for(scored), verdicts=False, most_explained=MOST_EXPLAINED
        )
        return contents(study, figures=False)

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
