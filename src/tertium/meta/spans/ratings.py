"""Marked errors as ratings: minus the points of an output's errors, and its score in ESA."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from types import MappingProxyType
from typing import Final

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import OmissionCounts, Rating
from tertium.meta.ratings.rating_sets import Ratings, collect_ratings
from tertium.meta.spans.fields import Look
from tertium.meta.spans.files import collected, looks_of
from tertium.meta.spans.rating_lines import check_length, is_rating_file
from tertium.meta.spans.segments import RatedCorpus, locate
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile

# From marked errors to a score: what each severity and category costs.
#
# MQM as Freitag et al. (TACL 2021) weigh it, which is what mt-metrics-eval publishes: a major error
# 5, a minor one 1, minor punctuation 0.1, a non-translation 25, neutral ones and faults of the
# source nothing. ESA has no categories; its spans weigh 5 and 1 (Kocmi et al., WMT 2024).

MQM_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "critical": 25.0,
        "major": 5.0,
        "minor": 1.0,
        "neutral": 0.0,
        "undecided": 0.0,
        "major/non-translation!": 25.0,
        "minor/fluency/punctuation": 0.1,
        "minor/linguistic conventions/punctuation": 0.1,
        "*/accuracy/creative reinterpretation": 0.0,
        "*/source issue": 0.0,
        "*/source error": 0.0,
    }
)
"""SEVERITY, or SEVERITY/CATEGORY[/SUBCATEGORY] with * for any severity → points. The longest rule
that fits counts. A critical error is what a non-translation is."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The points of every error; ``rules`` are added to those of MQM, or replace them.

    >>> weights = Weights({"major": 10})
    >>> span = Span(segment=0, system="A", rater="r", start=0, end=1, severity="major")
    >>> weights.of(span)
    10.0
    """

    rules: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule, points in self.rules.items():
            if not isfinite(points):
                raise OptionError(f"weight of {rule}: found {points}, expected a finite number")
            if not rule or not all(part.strip() for part in rule.split("/")):
                raise OptionError(
                    f"weight of '{rule}': found no severity or category, expected such as major "
                    "or minor/fluency/punctuation"
                )
        merged = {**MQM_WEIGHTS, **{rule.lower(): float(w) for rule, w in self.rules.items()}}
        object.__setattr__(self, "rules", MappingProxyType(merged))

    def knows(self, span: Span) -> bool:
        """Whether an error has points."""
        return self._rule(span) is not None

    def _rule(self, span: Span) -> str | None:
        parts = [part for part in span.category.split("/") if part]
        for size in range(len(parts), -1, -1):
            tail = "".join(f"/{part}" for part in parts[:size])
            for severity in (span.severity, "*"):
                if severity + tail in self.rules:
                    return severity + tail
        return None

    def of(self, span: Span) -> float:
        """The points of one error."""
        rule = self._rule(span)
        if rule is not None:
            return self.rules[rule]
        known = [rule for rule in self.rules if "/" not in rule]
        raise InputError(
            f"segment {span.segment + 1} of {span.system}: "
            f"{did_you_mean('severity', span.severity, known)}; its weight can be given"
        )

    def points(self, annotation: Annotation) -> float:
        """The points of all errors of an output; more is worse."""
        return sum(map(self.of, annotation.spans), 0.0)


UNKNOWN_TEXT: Final = "ratings of texts that the test set does not have"
OTHER_TEXT: Final = "ratings of texts that differ from the outputs, laid by their numbers"
UNKNOWN_CONTROL: Final = "ratings of controls whose segment cannot be told"


def span_ratings(
    files: Sequence[TextFile],
    tally: OmissionCounts,
    weights: Weights | None = None,
    *,
    texts: RatedCorpus | None = None,
    pair: str | None = None,
) -> Iterator[Rating]:
    """The ratings that the errors of some files come to, for readers of ratings.

    With ``texts`` every rating is on its segment of that test set; without, segments only tell
    items apart. ``pair`` is the language pair that will be chosen, if one will.
    """
    groups: dict[str, list[Look]] = {}
    if texts is not None:
        for file in filter(lambda file_: is_rating_file(file_.name), files):
            check_length(file, len(texts.corpus), pair)
    looks, raw = looks_of(files, tally)
    for look in looks:
        groups.setdefault(look.pair, []).append(look)
    for name, some in groups.items():
        whole = collected(some, name=name, tally=OmissionCounts(), raw=raw)
        if texts is not None and (pair is None or name in {"", pair}):
            whole = _located(whole, texts, tally, alone=len(groups) == 1 or bool(pair))
        used = weights or Weights()
        weighed = _is_weighable(whole, used, tally)
        rows = rating_rows(whole, used, weighed=weighed)
        yield from (row._replace(pair=name) for row in rows)


def _located(
    annotations: Annotations, texts: RatedCorpus, tally: OmissionCounts, *, alone: bool
) -> Annotations:
    """The annotations on the segments of the test set; what it does not have is stated."""
    if not alone:  # whose texts these are is asked for when the pairs are known
        return annotations
    found = []
    segments = locate(annotations, texts)
    numbered = _numbers_hold(annotations, segments)
    for annotation, located in zip(annotations, segments, strict=True):
        segment = located
        if (
            segment is None
            and annotation.key is None
            and numbered
            and annotation.segment < len(texts.corpus)
        ):
            tally.add(OTHER_TEXT, annotation.place, pair=annotations.name)
            segment = annotation.segment
        if segment is not None:
            spans = tuple(replace(span, segment=segment) for span in annotation.spans)
            found.append(replace(annotation, segment=segment, spans=spans, key=None))
        else:
            reason = UNKNOWN_CONTROL if annotation.kind else UNKNOWN_TEXT
            tally.add(reason, annotation.place, pair=annotations.name)
    if not found:
        raise InputError(
            f"ratings of {annotations.name}: found no rated text of these systems, expected some"
        )
    return replace(annotations, annotations=tuple(found))


def _numbers_hold(annotations: Annotations, segments: Sequence[int | None]) -> bool:
    """Whether numbers of segments are right wherever a text confirms or refutes them.

    Tables of MQM may have a text with other quotation marks or blanks than the outputs; its number
    is as good as the others'.
    """
    checked = [
        segment == annotation.segment
        for annotation, segment in zip(annotations, segments, strict=True)
        if annotation.key is None and annotation.hypothesis is not None and segment is not None
    ]
    return bool(checked) and all(checked)


def _is_weighable(annotations: Annotations, weights: Weights, tally: OmissionCounts) -> bool:
    """Whether all errors have points, or else there are scores, which need none.

    A campaign may have severities of its own; where nobody gave scores, that is an error.
    """
    strange = {span.severity: span for span in annotations.spans if not weights.knows(span)}
    if not strange:
        return True
    if not all(annotation.score is not None or annotation.sliders for annotation in annotations):
        weights.of(next(iter(strange.values())))
    marked = [annotation for annotation in annotations if annotation.spans]
    tally.add(
        f"outputs whose errors are not weighed, as {', '.join(strange)} has no points",
        marked[0].place,
        len(marked),
        pair=annotations.name,
    )
    return False


def ratings_of(annotations: Annotations, weights: Weights | None = None) -> tuple[Ratings, ...]:
    """What the raters' marks and scores say of systems, one value for each criterion."""
    groups: dict[str, list[Rating]] = {}
    for rating in rating_rows(annotations, weights):
        groups.setdefault(rating.criterion, []).append(rating)
    return tuple(
        collect_ratings(rows, name=annotations.name, criterion=criterion, width=annotations.width)
        for criterion, rows in groups.items()
    )


def rating_rows(
    annotations: Annotations, weights: Weights | None = None, *, weighed: bool = True
) -> Iterator[Rating]:
    """Every rating: of marks under ``mqm`` if they have categories, else under ``spans``.

    Scores that raters gave are under ``esa``, or ``da`` where nobody marked an error, and those on
    scales of a campaign's own under their names; if marks are not ``weighed``, they are all there
    is.
    """
    marked = any(annotation.spans for annotation in annotations)
    scored = any(annotation.score is not None or annotation.sliders for annotation in annotations)
    by_marks = "mqm" if annotations.categorised or not marked else "spans"
    used = weights or Weights()
    for annotation in annotations:
        row = Rating(
            place=annotation.place,
            system=annotation.system,
            value=-used.points(annotation) + 0.0 if weighed else 0.0,  # no error is 0, not −0
            criterion=by_marks,
            segment=annotation.segment,
            judge=annotation.rater,
            kind=annotation.kind,
            begin=annotation.begin,
            seconds=annotation.seconds,
            document=annotation.document,
            located=annotation.key is None,
        )
        yield from (row._replace(value=value, criterion=name) for name, value in annotation.sliders)
        if annotation.score is not None:
            yield row._replace(value=annotation.score, criterion="esa" if marked else "da")
        if weighed and (marked or not scored) and annotation.kind != "check":
            yield row
