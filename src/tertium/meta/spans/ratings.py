"""Marked errors as ratings: minus the points of an output's errors, and its score in ESA."""

from collections.abc import Iterator

from tertium.errors import InputError
from tertium.meta.ratings.entries import Rating, Tally
from tertium.meta.ratings.many_judges import Ratings, collect_ratings
from tertium.meta.spans.entries import Look
from tertium.meta.spans.files import collected, read_looks, span_format
from tertium.meta.spans.span import Annotations
from tertium.meta.spans.weights import Weights
from tertium.text.files import TextFile


def span_ratings(file: TextFile, tally: Tally, weights: Weights | None = None) -> Iterator[Rating]:
    """The ratings that the errors of a file come to, for readers of ratings."""
    kind = span_format(file)
    if kind is None:
        raise InputError(f"{file.name}: found no marked errors, expected some")
    groups: dict[str, list[Look]] = {}
    for look in read_looks(file, kind, tally):
        groups.setdefault(look.pair, []).append(look)
    for pair, looks in groups.items():
        whole = collected(looks, name=pair, tally=Tally(), raw=False)
        yield from (one._replace(pair=pair) for one in rating_rows(whole, weights))


def ratings_of(annotations: Annotations, weights: Weights | None = None) -> tuple[Ratings, ...]:
    """What the raters' marks and scores say of systems, one value for each criterion."""
    groups: dict[str, list[Rating]] = {}
    for rating in rating_rows(annotations, weights):
        groups.setdefault(rating.criterion, []).append(rating)
    return tuple(
        collect_ratings(rows, name=annotations.name, criterion=criterion, width=annotations.width)
        for criterion, rows in groups.items()
    )


def rating_rows(annotations: Annotations, weights: Weights | None = None) -> Iterator[Rating]:
    """Every rating: of marks under ``mqm`` if they have categories, else under ``spans``.

    Scores that raters gave are under ``esa``, or ``da`` where nobody marked an error.
    """
    marked = any(one.spans for one in annotations)
    scored = any(one.score is not None for one in annotations)
    by_marks = "mqm" if annotations.categorised or not marked else "spans"
    used = weights or Weights()
    for one in annotations:
        row = Rating(
            place=one.place,
            system=one.system,
            value=-used.points(one) + 0.0,  # no error is 0, not −0
            criterion=by_marks,
            segment=one.segment,
            judge=one.rater,
            kind=one.kind,
            begin=one.begin,
            seconds=one.seconds,
        )
        if one.score is not None:
            yield row._replace(value=one.score, criterion="esa" if marked else "da")
        if (marked or not scored) and one.kind != "check":
            yield row
