"""Files of marked errors in, annotations out: one value for each language pair.

The format is known by the file's name and its first line, as that of ratings is.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, TypeAlias

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import SPAN_FORMATS
from tertium.meta.ratings.entries import Tally
from tertium.meta.spans.appraise import is_appraise, read_appraise
from tertium.meta.spans.browser_lines import is_pearmut, is_wmt25, read_pearmut, read_wmt25
from tertium.meta.spans.entries import Look
from tertium.meta.spans.marked_tables import is_marked_table, read_marked_table
from tertium.meta.spans.rating_lines import (
    SUFFIX,
    first_object,
    is_rating_file,
    is_standalone,
    read_rating_file,
    read_standalone,
)
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

AnyPath: TypeAlias = str | os.PathLike[str]

MOST_SEGMENTS: Final = 10_000_000
"""No test set is larger; a larger number is no segment's, and would take all memory."""


def read_spans(
    paths: AnyPath | Iterable[AnyPath],
    *,
    format: str = "auto",  # noqa: A002 - the user's word
    pair: str | None = None,
    raters: Sequence[str] = (),
) -> tuple[Annotations, ...]:
    """What raters marked, one value for each language pair.

    ``pair`` and ``raters`` (where ``*`` and ``?`` stand for any letters) choose among what the
    files have. All that is left out or mended is stated in ``exclusions``.
    """
    tally = Tally()
    named = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    looks: list[Look] = []
    formats = set()
    for path in _files(named):
        file = TextFile.find(path)
        kind = span_format(file) if format == "auto" else _known(format)
        if kind is None:
            raise _unknown(file)
        formats.add(kind)
        looks += read_looks(file, kind, tally)
    if not looks:
        raise InputError(f"{_listed(named)}: found no annotation, expected at least one")
    looks = _chosen(looks, pair, raters, tally)
    groups: dict[str, list[Look]] = {}
    for look in looks:
        groups.setdefault(look.pair or pair or "", []).append(look)
    return tuple(
        collected(some, name=name or Path(named[0]).name, tally=tally, raw="appraise" in formats)
        for name, some in groups.items()
    )


def read_looks(file: TextFile, kind: str, tally: Tally) -> Iterator[Look]:
    """All that a file of a known format says."""
    match kind:
        case "mt-metrics-eval":
            return read_rating_file(file)
        case "standalone":
            return read_standalone(file)
        case "mqm":
            return read_marked_table(file, tally)
        case "wmt25":
            return read_wmt25(file, tally)
        case "pearmut":
            return read_pearmut(file, tally)
        case _:
            return read_appraise(file, tally)


def span_format(file: TextFile) -> str | None:
    """The format of a file of marked errors, or None if it is none."""
    if is_rating_file(file.name):
        return "mt-metrics-eval"
    first = next((line for _, line in numbered_lines(file) if line.strip()), "")
    if first.lstrip().startswith("{"):
        row = first_object(first)
        kinds = {"wmt25": is_wmt25, "pearmut": is_pearmut, "standalone": is_standalone}
        return next((name for name, fits in kinds.items() if fits(row)), None)
    if is_marked_table(first.split("\t")):
        return "mqm"
    return "appraise" if is_appraise(first.split(",")) else None


def rated_by_spans(path: AnyPath) -> bool:
    """Whether a file of ratings is one of marked errors; a folder of ratings is none."""
    return not Path(path).is_dir() and span_format(TextFile.find(path)) is not None


def collected(looks: Sequence[Look], *, name: str, tally: Tally, raw: bool) -> Annotations:
    """Looks at one test set, whose segments get numbers in the order they are met in."""
    numbers: dict[str, int] = {}
    found = []
    for look in looks:
        known = look.segment
        segment = numbers.setdefault(look.id, len(numbers)) if known is None else known
        found.append(_annotation(look, segment))
    last = max(found, key=lambda one: one.segment)
    if last.segment >= MOST_SEGMENTS:
        raise InputError(
            f"{last.place}: segment {last.segment + 1}, expected no more than {MOST_SEGMENTS}"
        )
    return Annotations(
        name=name,
        annotations=tuple(found),
        ids=tuple(numbers),
        units="utf-16" if raw else "characters",
        exclusions=tally.exclusions(),
    )


def _annotation(look: Look, segment: int) -> Annotation:
    return Annotation(
        segment=segment,
        system=look.system,
        rater=look.rater,
        place=look.place,
        spans=tuple(
            Span(
                segment=segment,
                system=look.system,
                rater=look.rater,
                start=mark.start,
                end=mark.end,
                severity=mark.severity,
                category=mark.category,
                side=mark.side,
            )
            for mark in look.marks
        ),
        score=look.score,
        kind=look.kind,
        begin=look.begin,
        seconds=look.seconds,
        hypothesis=look.hypothesis,
        source=look.source,
    )


def _chosen(
    looks: Sequence[Look], pair: str | None, raters: Sequence[str], tally: Tally
) -> list[Look]:
    pairs = list(dict.fromkeys(look.pair for look in looks if look.pair))
    if pair is not None and pairs and pair not in pairs:
        raise OptionError(did_you_mean("language pair", pair, pairs))
    names = list(dict.fromkeys(look.rater for look in looks))
    for pattern in raters:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise OptionError(did_you_mean("rater", pattern, names))
    kept = []
    for look in looks:
        if pair is not None and look.pair and look.pair != pair:
            tally.add("annotations of other language pairs", look.pair)
        elif raters and not any(fnmatchcase(look.rater, pattern) for pattern in raters):
            tally.add("annotations of other raters", look.rater)
        else:
            kept.append(look)
    return kept


def _files(paths: Iterable[AnyPath]) -> list[str]:
    """Files as they are, and files of errors in folders of mt-metrics-eval."""
    found: list[str] = []
    for path in paths:
        top = Path(path)
        if not top.is_dir():
            found.append(os.fspath(path))
            continue
        named = top / "human-scores"
        inside = sorted(map(str, (named if named.is_dir() else top).glob(f"*{SUFFIX}")))
        if not inside:
            raise InputError(f"{path}: no such files, expected PAIR.NAME.RATER{SUFFIX}")
        found += inside
    if not found:
        raise InputError("spans: found no files, expected at least one")
    return found


def _known(name: str) -> str:
    if name not in SPAN_FORMATS:
        raise OptionError(did_you_mean("format of spans", name, ("auto", *SPAN_FORMATS)))
    return name


def _unknown(file: TextFile) -> InputError:
    first = next((line for _, line in numbered_lines(file)), "")
    shown = first if len(first) < 60 else f"{first[:60]}…"
    return InputError(
        f"{file.name}:1: found '{shown}', expected marked errors: PAIR.NAME.RATER{SUFFIX}, a raw "
        "table of MQM, or the lines of WMT25, Pearmut or Appraise"
    )


def _listed(paths: Sequence[AnyPath]) -> str:
    return ", ".join(os.fspath(path) for path in paths)
