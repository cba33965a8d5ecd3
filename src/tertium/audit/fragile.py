"""Audit: what does a lead rest on? Few segments, one document, case, punctuation, tokenizer."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from tertium._native import Texts
from tertium.audit.case import Case
from tertium.audit.findings import Finding, Severity
from tertium.audit.leads import ScoreLead, lead
from tertium.audit.outputs import changed, without_case, without_punctuation
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.contract.word_metric import WordMetric
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.tokenizers import Tokenizer

NAME: Final = "fragile"
FEW: Final = 5
FEW_SHARE: Final = 0.05
"""A lead that fewer segments than this, and a smaller share of all, decide is fragile."""
LEAST_DOCUMENTS: Final = 3


def fragile(case: Case) -> list[Finding]:
    """Leads of each system over the next in the ranking.

    What is not significant is no lead, and rests on nothing. But where people would report one,
    and a single segment or document made it, they are warned.
    """
    leads = {
        pair: lead(case, pair)
        for pair in case.neighbours
        if case.sign * _gap(case.scores, pair) > 0 and not case.tied(*pair)
    }
    findings = []
    for pair, score_lead in leads.items():
        if score_lead.significant or score_lead.visible:
            findings += _few_segments(case, pair, score_lead)
            findings += _one_document(case, pair, score_lead)
    sure = {pair: score_lead for pair, score_lead in leads.items() if score_lead.significant}
    concerned = sorted({system for pair in sure for system in pair})
    for name, scores in _recomputed(case, concerned) if sure and not case.metric.refusal else ():
        findings += [
            _surface(case, pair, score_lead, name, scores)
            for pair, score_lead in sure.items()
            if case.sign * _gap(scores, pair) <= 0
        ]
    return findings


def deciding_segments(metric: Metric, better: Rows, worse: Rows, most: int) -> list[int] | None:
    """Segments without which the lead is gone, most decisive first; ``None`` if they are more."""
    sign = 1 if metric.higher_is_better else -1
    totals = better.sum(axis=0), worse.sum(axis=0)
    leads = sign * (metric.score(totals[0] - better) - metric.score(totals[1] - worse))
    order = np.argsort(leads, kind="stable")[:most]
    left = sign * (
        metric.score(totals[0] - np.cumsum(better[order], axis=0))
        - metric.score(totals[1] - np.cumsum(worse[order], axis=0))
    )
    gone = np.flatnonzero(left <= 0)
    return order[: gone[0] + 1].tolist() if len(gone) else None


def _few_segments(case: Case, pair: tuple[int, int], score_lead: ScoreLead) -> list[Finding]:
    most = min(FEW - 1, int(FEW_SHARE * len(case.corpus)))
    if most < 1:
        return []
    deciding = deciding_segments(case.metric, case.rows[pair[0]], case.rows[pair[1]], most)
    if deciding is None or (len(deciding) > 1 and not score_lead.significant):
        return []
    shown = ", ".join(str(i + 1) for i in deciding)
    noun = "segment" if len(deciding) == 1 else f"{counted(len(deciding), 'segment')}"
    return [
        _finding(
            case,
            pair,
            score_lead,
            _resting(score_lead, alone=len(deciding) == 1),
            without=f"without the {noun} {shown} of {len(case.corpus)} nothing is left of it",
            advice="Do not call the one system better than the other by this score.",
            numbers={"rests_on": "segments", "segments": [i + 1 for i in deciding]},
        )
    ]


def _resting(score_lead: ScoreLead, *, alone: bool) -> Severity:
    """How bad it is that a lead rests on little: a single text is no ground for any claim."""
    if not alone:
        return "note"
    return "serious" if score_lead.significant else "warning"


def _one_document(case: Case, pair: tuple[int, int], score_lead: ScoreLead) -> list[Finding]:
    documents = case.scored.slicings.get("document")
    if documents is None or len(documents) < LEAST_DOCUMENTS:
        return []
    sums = case.kept("by document", lambda: documents.sums(case.rows))[list(pair)]
    left = case.sign * np.subtract(*case.metric.score(sums.sum(axis=1, keepdims=True) - sums))
    deciding = [documents.labels[index] for index in np.flatnonzero(left <= 0).tolist()]
    if not deciding:
        return []
    shown = ", ".join(deciding[:3]) + (", …" if len(deciding) > 3 else "")
    return [
        _finding(
            case,
            pair,
            score_lead,
            _resting(score_lead, alone=True),
            without=f"without the document {shown} nothing is left of it"
            if len(deciding) == 1
            else f"{len(deciding)} of {len(documents)} documents can each undo it ({shown})",
            advice="Test by document, and do not generalise beyond these texts.",
            numbers={"rests_on": "document", "documents": deciding},
        )
    ]


def _recomputed(case: Case, concerned: Sequence[int]) -> Iterator[tuple[str, Scores]]:
    """Scores without case, without punctuation, and by another tokenizer; NaN of no concern."""
    for name, change in (("case", without_case), ("punctuation", without_punctuation)):
        if name == "case" and _folds_case(case.metric):
            continue
        corpus, systems = case.kept_for_all((name, "changed"), partial(_changed, case, change))
        fitted = case.metric.bind(corpus) if case.metric.needs_fit else case.metric
        yield name, _scores(fitted, systems, corpus, concerned)
    if isinstance(case.metric, WordMetric) and case.metric.tokenizer.name in {"13a", "intl"}:
        other = "intl" if case.metric.tokenizer.name == "13a" else "13a"
        metric = case.metric.with_options(tokenizer=Tokenizer(other))
        fitted = metric.bind(case.corpus) if metric.needs_fit else metric
        yield "tokenization", _scores(fitted, case.systems, case.corpus, concerned)


def _folds_case(metric: Metric) -> bool:
    return not getattr(metric, "case_sensitive", not getattr(metric, "lowercase", False))


def _changed(case: Case, change: Callable[[Texts], Texts]) -> tuple[Corpus, tuple[System, ...]]:
    """References and hypotheses with their text changed; sources stay what they are."""
    references = changed(case.corpus.references, change)
    systems = (
        System(name=system.name, hypotheses=change(system.hypotheses)) for system in case.systems
    )
    corpus = Corpus(references=references, name=case.corpus.name, sources=case.corpus.sources)
    return corpus, tuple(systems)


def _scores(
    metric: Metric, systems: Sequence[System], corpus: Corpus, concerned: Sequence[int]
) -> Scores:
    scores = np.full(len(systems), np.nan)
    sums = [metric.rows_of(systems[index], corpus).sum(axis=0) for index in concerned]
    scores[list(concerned)] = metric.score(np.stack(sums))
    return scores


def _surface(
    case: Case, pair: tuple[int, int], score_lead: ScoreLead, name: str, scores: Scores
) -> Finding:
    how = {
        "case": "with all text in lower case",
        "punctuation": "with all punctuation taken out",
        "tokenization": "with words cut by another tokenizer (intl for 13a, or the reverse)",
    }[name]
    return _finding(
        case,
        pair,
        score_lead,
        "warning",
        without=f"{how} it is {case.metric.shown(scores[pair[0]])} to "
        f"{case.metric.shown(scores[pair[1]])}",
        advice=f"If {name} does not matter to your readers, the lead does not either.",
        numbers={
            "rests_on": name,
            "scores_without": {case.names[i]: float(scores[i]) for i in pair},
        },
    )


def _finding(
    case: Case,
    pair: tuple[int, int],
    score_lead: ScoreLead,
    severity: Severity,
    *,
    without: str,
    advice: str,
    numbers: dict[str, Any],
) -> Finding:
    first, second = (case.names[i] for i in pair)
    scores = {case.names[i]: float(case.scores[i]) for i in pair}
    return Finding(
        audit=NAME,
        metric=case.metric.spec,
        systems=(first, second),
        severity=severity,
        size=score_lead.share,
        numbers={"scores": scores, "lead": score_lead.to_dict(), **numbers},
        meaning=(
            f"{first} {'leads' if score_lead.significant else 'scores better than'} {second}, "
            f"{case.metric.shown(scores[first])} to {case.metric.shown(scores[second])} "
            f"({score_lead}), but {without}."
        ),
        advice=advice,
    )


def _gap(scores: Scores, pair: tuple[int, int]) -> float:
    return float(scores[pair[0]] - scores[pair[1]])
