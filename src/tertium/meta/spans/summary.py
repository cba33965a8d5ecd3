"""Marked errors in numbers: by system, by category, by rater, and how far raters agree."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.meta.ratings.judgments import Exclusion
from tertium.meta.spans.agreement import SpanAgreement, span_agreement
from tertium.meta.spans.ratings import Weights, ratings_of
from tertium.meta.spans.span import Annotation, Annotations, Span, heaviness
from tertium.plain import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorTotals(Plain):
    """What was marked in the outputs of a system, or by a rater, or of a category.

    ``outputs`` are annotations, of which one without errors is one, too. ``scores`` are by
    criterion: minus the points of errors, and the raters' own scores; they are NaN where there are
    none. ``seconds`` is the median time an output took, NaN if nobody measured it.
    """

    PLAIN = "name outputs errors severities=by_severity points scores seconds"

    name: str
    outputs: int
    errors: int
    by_severity: dict[str, int]
    points: float
    scores: dict[str, float]
    seconds: float

    @property
    def rate(self) -> float:
        """Errors an output."""
        return self.errors / self.outputs if self.outputs else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanReport(Plain):
    """All that marked errors of one language pair come to; systems are best first."""

    PLAIN = (
        "name annotations segments controls severities systems categories raters agreement "
        "spans? exclusions"
    )

    name: str
    annotations: int
    segments: int
    severities: tuple[str, ...]
    systems: tuple[ErrorTotals, ...]
    categories: tuple[ErrorTotals, ...]
    raters: tuple[ErrorTotals, ...]
    agreement: SpanAgreement | None
    controls: int = 0
    spans: tuple[Span, ...] | None = None
    """Every error, if they were asked for."""
    exclusions: tuple[Exclusion, ...] = ()


def span_report(
    annotations: Annotations, *, weights: Weights | None = None, listed: bool = False
) -> SpanReport:
    """Count, weigh and compare marked errors; controls count for no system.

    ``listed`` keeps every error in the report, so that programs read one format for all.
    """
    used = weights or Weights()
    real = [annotation for annotation in annotations if not annotation.kind]
    spans = [span for annotation in real for span in annotation.spans]
    severities = _severities(spans)
    scores = _system_scores(annotations, used)
    systems = [
        _marked(
            name,
            [annotation for annotation in real if annotation.system == name],
            severities,
            used,
            scores[name],
        )
        for name in annotations.systems
        if name in scores
    ]
    first = next(iter(scores.values()), {})
    best = next(iter(first), "")
    return SpanReport(
        name=annotations.name,
        annotations=len(real),
        segments=len({annotation.segment for annotation in real}),
        severities=severities,
        systems=tuple(
            sorted(systems, key=lambda system: -np.nan_to_num(system.scores[best], nan=-1e9))
        ),
        categories=_categories(spans, severities, used, len(real)),
        raters=tuple(
            _marked(
                name,
                some,
                severities,
                used,
                _rater_scores(some, used, categorised=annotations.categorised),
            )
            for name in annotations.raters
            if (some := [annotation for annotation in real if annotation.rater == name])
        ),
        agreement=span_agreement(annotations),
        controls=len(annotations) - len(real),
        spans=tuple(spans) if listed else None,
        exclusions=annotations.exclusions,
    )


def _system_scores(annotations: Annotations, weights: Weights) -> dict[str, dict[str, float]]:
    """System → criterion → the mean over segments, as mt-metrics-eval takes it."""
    result: dict[str, dict[str, float]] = {}
    for ratings in ratings_of(annotations, weights):
        said = ratings.judgments()
        for name, value in zip(said.systems, said.values.tolist(), strict=True):
            result.setdefault(name, {})[said.criterion] = value
    return result


def _rater_scores(
    some: Sequence[Annotation], weights: Weights, *, categorised: bool
) -> dict[str, float]:
    scores = [annotation.score for annotation in some if annotation.score is not None]
    points = float(-np.mean([weights.points(annotation) for annotation in some])) + 0.0
    marks = {"mqm" if categorised else "spans": points}
    return {"esa": float(np.mean(scores)), **marks} if scores else marks


def _marked(
    name: str,
    some: Sequence[Annotation],
    severities: Sequence[str],
    weights: Weights,
    scores: dict[str, float],
) -> ErrorTotals:
    seconds = [annotation.seconds for annotation in some if annotation.seconds is not None]
    return ErrorTotals(
        name=name,
        outputs=len(some),
        errors=sum(len(annotation.spans) for annotation in some),
        by_severity=_counts((span for annotation in some for span in annotation.spans), severities),
        points=sum(map(weights.points, some)),
        scores=scores,
        seconds=float(np.median(seconds)) if seconds else float("nan"),
    )


def _categories(
    spans: Sequence[Span], severities: Sequence[str], weights: Weights, outputs: int
) -> tuple[ErrorTotals, ...]:
    """Categories, those that cost most first."""
    groups: dict[str, list[Span]] = {}
    for span in spans:
        groups.setdefault(span.category, []).append(span)
    summaries = [
        ErrorTotals(
            name=name,
            outputs=outputs,
            errors=len(some),
            by_severity=_counts(some, severities),
            points=sum(map(weights.of, some)),
            scores={},
            seconds=float("nan"),
        )
        for name, some in groups.items()
    ]
    return tuple(sorted(summaries, key=lambda row: (-row.points, -row.errors, row.name)))


def _counts(spans: Iterable[Span], severities: Sequence[str]) -> dict[str, int]:
    found = Counter(span.severity for span in spans)
    return {name: found.get(name, 0) for name in severities}


def _severities(spans: Iterable[Span]) -> tuple[str, ...]:
    """Those that occur, the heaviest first."""
    names = {span.severity for span in spans}
    return tuple(sorted(names, key=lambda name: (-heaviness(name), name)))
