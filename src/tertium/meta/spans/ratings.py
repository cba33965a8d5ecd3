"""Marked errors as ratings: minus the points of an output's errors, and its score in ESA."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts, Rating
from tertium.meta.ratings.many_judges import Ratings, collect_ratings
from tertium.meta.spans.entries import Look
from tertium.meta.spans.files import collected, looks_of
from tertium.meta.spans.rating_lines import check_length, is_rating_file
from tertium.meta.spans.segments import RatedCorpus, locate
from tertium.meta.spans.span import Annotations
from tertium.meta.spans.weights import Weights
from tertium.text.files import TextFile

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
        for file in filter(lambda one: is_rating_file(one.name), files):
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
        yield from (one._replace(pair=name) for one in rows)


def _located(
    annotations: Annotations, texts: RatedCorpus, tally: OmissionCounts, *, alone: bool
) -> Annotations:
    """The annotations on the segments of the test set; what it does not have is stated."""
    if not alone:  # whose texts these are is asked for when the pairs are known
        return annotations
    found = []
    segments = locate(annotations, texts)
    numbered = _numbers_hold(annotations, segments)
    for one, located in zip(annotations, segments, strict=True):
        segment = located
        if segment is None and one.key is None and numbered and one.segment < len(texts.corpus):
            tally.add(OTHER_TEXT, one.place, pair=annotations.name)
            segment = one.segment
        if segment is not None:
            spans = tuple(replace(span, segment=segment) for span in one.spans)
            found.append(replace(one, segment=segment, spans=spans, key=None))
        else:
            reason = UNKNOWN_CONTROL if one.kind else UNKNOWN_TEXT
            tally.add(reason, one.place, pair=annotations.name)
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
        segment == one.segment
        for one, segment in zip(annotations, segments, strict=True)
        if one.key is None and one.hypothesis is not None and segment is not None
    ]
    return bool(checked) and all(checked)


def _is_weighable(annotations: Annotations, weights: Weights, tally: OmissionCounts) -> bool:
    """Whether all errors have points, or else there are scores, which need none.

    A campaign may have severities of its own; where nobody gave scores, that is an error.
    """
    strange = {span.severity: span for span in annotations.spans if not weights.knows(span)}
    if not strange:
        return True
    if not all(one.score is not None or one.sliders for one in annotations):
        weights.of(next(iter(strange.values())))
    marked = [one for one in annotations if one.spans]
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
    marked = any(one.spans for one in annotations)
    scored = any(one.score is not None or one.sliders for one in annotations)
    by_marks = "mqm" if annotations.categorised or not marked else "spans"
    used = weights or Weights()
    for one in annotations:
        row = Rating(
            place=one.place,
            system=one.system,
            value=-used.points(one) + 0.0 if weighed else 0.0,  # no error is 0, not −0
            criterion=by_marks,
            segment=one.segment,
            judge=one.rater,
            kind=one.kind,
            begin=one.begin,
            seconds=one.seconds,
            document=one.document,
            located=one.key is None,
        )
        yield from (row._replace(value=value, criterion=name) for name, value in one.sliders)
        if one.score is not None:
            yield row._replace(value=one.score, criterion="esa" if marked else "da")
        if weighed and (marked or not scored) and one.kind != "check":
            yield row
