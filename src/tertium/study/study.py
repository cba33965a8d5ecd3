"""Gather a study: one call that scores, tests, audits and explains."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from tertium.audit.audit import audit_cases
from tertium.audit.case import Case, cases
from tertium.audit.deletion import deletions_of
from tertium.audit.findings import AuditReport
from tertium.choices import DEFAULT_SEED, TEST_TRIALS, IntervalMethod, Resampling, Section
from tertium.compare.baseline_tests import ComparisonSettings
from tertium.compare.compare import compare
from tertium.compare.differences import GramDifferences, gram_differences
from tertium.compare.grams import CutCorpus, WordCutter, cut_corpus, scored_words
from tertium.decide.decide import decide
from tertium.errors import InputError
from tertium.explanation import Explanation, explain
from tertium.inference.confidence import with_intervals
from tertium.inference.joint_tests import shared_tests
from tertium.inference.resampling import shared_resamples
from tertium.inference.rows import metric_rows
from tertium.inference.units import units_of
from tertium.meta.agreement.agreement_table import agreements
from tertium.meta.ratings.judgments import Judgments
from tertium.meta.ratings.system_names import match_names
from tertium.meta.spans.segments import with_texts
from tertium.meta.spans.span import Annotations
from tertium.metrics.contract.table import AnyMetrics
from tertium.results import Evaluation
from tertium.scored.scored import AnyScored, Scored, as_scored
from tertium.study.pairs import pair_tables
from tertium.study.results import DeletionCurve, SliceScores, Study, entities
from tertium.text.corpus import AnyTexts

MOST_EXPLAINED: Final = 4_500
"""(segment, system, metric) triples that are taken apart word by word. More would make the page
slow to write; of larger studies the segments that tell most are chosen."""
ALPHA: Final = 0.05
"""The significance level of the audits."""
MOST_SLICES: Final = 60
TOP_WORDS: Final = 10
CURVE_POINTS: Final = 60

Progress = Callable[[str], None]


def study(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    audit: bool = True,
    resample: Resampling = "auto",
    interval: IntervalMethod = "percentile",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    most_explained: int = MOST_EXPLAINED,
    judgments: Sequence[Judgments] = (),
    spans: Sequence[Annotations] = (),
    command: str = "",
    progress: Progress = lambda _: None,
) -> Study:
    """Score, test, audit and explain systems on a corpus, for a report; by default under BLEU.

    In the place of a corpus, systems and metrics there may be what `tertium.scored` made of them.
    Intervals and tests resample whole documents where the corpus knows them, unless
    ``resample`` says ``segments``; intervals are made of percentiles, or BCa. ``judgments`` are
    ratings by people, with which the metrics are compared, and ``spans`` errors that they marked
    in the outputs; ``most_explained`` are the (segment, system, metric) triples that are taken
    apart word by word; ``progress`` is told what comes next.
    """
    progress("scoring")
    whole = as_scored(corpus, systems, metrics)
    marked = tuple(with_texts(annotations, whole.corpus, whole.systems) for annotations in spans)
    how: _StudyResampling = {
        "resample": resample,
        "interval": interval,
        "trials": trials,
        "seed": seed,
    }
    some_cases = list(cases(whole, resample=resample, alpha=ALPHA, seed=seed))

    def audited() -> AuditReport | None:
        if audit:
            progress("auditing")
        return audit_cases(some_cases) if audit else None

    brief = _gathered(whole, ("scores", "lengths"), audited, progress, how)
    progress("measuring what could be left out")
    curves = {case.metric.spec: _curves(case) for case in some_cases if not case.metric.refusal}
    progress("explaining segments")
    result = replace(
        brief,
        deletions=curves,
        explanations=_explanations(whole, brief.evaluation, most_explained),
        entities=entities(whole.corpus, whole.systems, whole.metrics),
        spans=marked,
        command=command,
    )
    if len(result.systems) > 1:
        cut = scored_words(whole, WordCutter.like(whole.metrics)).of_systems([0, result.rival])
        words, phrases = _words_and_phrases(cut, TOP_WORDS)
        result = replace(result, words=words, phrases=phrases)
    return _with_people(result, judgments)


def brief_study(
    scored: Scored,
    *,
    resample: Resampling = "auto",
    interval: IntervalMethod = "percentile",
    trials: int = TEST_TRIALS,
    seed: int = DEFAULT_SEED,
    audit: AuditReport | None = None,
    verdicts: bool = True,
    most_explained: int = 0,
) -> Study:
    """What rows alone tell, in a fraction of a second: scores, tests, rank clusters, verdicts.

    ``audit`` is what was found before, for verdicts that heed it; without ``verdicts`` on each
    system beside the first no text is looked at.
    """
    how: _StudyResampling = {
        "resample": resample,
        "interval": interval,
        "trials": trials,
        "seed": seed,
    }
    brief = _gathered(scored, ("scores",), lambda: audit, lambda _: None, how, verdicts=verdicts)
    explained = _explanations(scored, brief.evaluation, most_explained)
    return replace(brief, explanations=explained)


def untested_study(scored: Scored, *, most_explained: int = 0) -> Study:
    """Scores and explanations for a reader of segments: nothing is resampled or tested."""
    evaluation = scored.evaluation()
    return Study(
        corpus=scored.corpus,
        systems=scored.systems,
        evaluation=evaluation,
        pairs={},
        slices=_slices(scored),
        explanations=_explanations(scored, evaluation, most_explained),
        seed=DEFAULT_SEED,
    )


class _StudyResampling(TypedDict):
    """How scores are resampled."""

    resample: Resampling
    interval: IntervalMethod
    trials: int
    seed: int


def _gathered(
    whole: Scored,
    sections: Sequence[Section],
    audited: Callable[[], AuditReport | None],
    progress: Progress,
    asked: _StudyResampling,
    *,
    verdicts: bool = True,
) -> Study:
    """Scores, tests and verdicts, after a look at what the audits found."""
    units = units_of(len(whole.corpus), whole.corpus.documents, asked["resample"])
    progress("resampling")
    how = asked
    settings = ComparisonSettings(**how)
    drawn = shared_resamples(whole, units, trials=how["trials"], seed=how["seed"])
    evaluation = with_intervals(whole, **how)
    progress("comparing")
    several = len(whole.systems) > 1
    comparison = compare(whole, sections=sections, **how) if several else None
    report = audited()
    decision = None
    if several and verdicts:
        progress("deciding")
        decision = decide(whole, audit=False if report is None else report, **how)
    joint = None
    if several and settings.can_find(units.count):
        test = settings.pair_test(units.count)
        joint = shared_tests(whole, units, test, trials=how["trials"], seed=how["seed"])
    tables = pair_tables([group.by(units) for group in metric_rows(whole)], drawn, settings, joint)
    return Study(
        corpus=whole.corpus,
        systems=whole.systems,
        evaluation=evaluation,
        comparison=comparison,
        pairs={metric.spec: table for metric, table in zip(whole.metrics, tables, strict=True)},
        audit=report,
        decision=decision,
        slices=_slices(whole),
        resamples={metric.spec: part for metric, part in zip(whole.metrics, drawn, strict=True)},
        seed=how["seed"],
    )


def words_and_phrases(
    study: Study, first: int, second: int, *, top: int = TOP_WORDS
) -> tuple[GramDifferences, GramDifferences]:
    """Words, and phrases of two to four words, that only one of two systems has right."""
    pair = [study.systems[first], study.systems[second]]
    return _words_and_phrases(cut_corpus(study.corpus, pair, WordCutter.like(study.metrics)), top)


def _words_and_phrases(cut: CutCorpus, top: int) -> tuple[GramDifferences, GramDifferences]:
    (words,) = gram_differences(cut, range(1, 2), top=top)
    (phrases,) = gram_differences(cut, range(2, 5), top=top)
    return words, phrases


def _with_people(study: Study, judgments: Sequence[Judgments]) -> Study:
    """The study with ratings, whose systems get the study's names, and the agreement with them."""
    if not judgments:
        return study
    renamed = []
    for judgment in judgments:
        names = {rated: name for name, rated in match_names(study.names, judgment.systems).items()}
        if not names:
            raise InputError(
                f"ratings of {judgment.name}: found systems {', '.join(judgment.systems)}, "
                f"expected some of {', '.join(study.names)}"
            )
        renamed.append(
            replace(judgment, systems=tuple(names.get(name, name) for name in judgment.systems))
        )
    scores = [study.metric_scores(metric) for metric in study.metrics]
    table = agreements([(rated, scores) for rated in renamed], seed=study.seed)
    return replace(study, judgments=tuple(renamed), agreement=table)


def _curves(case: Case) -> tuple[DeletionCurve, ...]:
    curves = []
    for index, name in enumerate(case.names):
        spoken, deletions = case.lengths.words[index], deletions_of(case, index)
        total = max(1.0, float(spoken.sum()))
        shares = np.concatenate([[0.0], np.cumsum(spoken[deletions.order]) / total])
        some = np.unique(np.linspace(0, len(shares) - 1, CURVE_POINTS).astype(int))
        curves.append(
            DeletionCurve(
                system=name,
                shares=shares[some],
                scores=deletions.scores[some],
                free=float(shares[deletions.free]),
                tolerated=float(shares[deletions.tolerated]),
            )
        )
    return tuple(curves)


def _slices(whole: Scored) -> tuple[SliceScores, ...]:
    """Scores by genre, document and length, as far as there are labels and not too many."""
    return tuple(
        SliceScores(
            by=by,
            slices=slices,
            scores={
                metric.spec: metric.score(slices.sums(rows))
                for metric, rows in zip(whole.metrics, whole.rows, strict=True)
            },
        )
        for by, slices in whole.slicings.items()
        if len(slices) <= MOST_SLICES
    )


def _explanations(whole: Scored, evaluation: Evaluation, most: int) -> tuple[Explanation, ...]:
    each = most // max(1, len(whole.systems) * len(whole.metrics))
    return tuple(
        explain(whole, metric=metric, segments=_telling(evaluation, index, each))
        for index, metric in enumerate(whole.metrics)
        if each
    )


def _telling(evaluation: Evaluation, place: int, most: int) -> list[int]:
    """Numbers of the segments that tell most: where systems differ, and where all are bad."""
    values = [system.scores[place].segments for system in evaluation.systems]
    scores = np.stack([segments for segments in values if segments is not None])
    if scores.shape[1] <= most:
        return list(range(1, scores.shape[1] + 1))
    sign = 1 if evaluation.metrics[place].higher_is_better else -1
    spread: NDArray[np.float64] = np.ptp(scores, axis=0)
    worst = np.argsort(sign * scores.mean(axis=0), kind="stable")
    widest = np.argsort(-spread, kind="stable")
    mixed = np.stack([widest, worst], axis=1).ravel()
    return sorted(number + 1 for number in list(dict.fromkeys(mixed.tolist()))[:most])
