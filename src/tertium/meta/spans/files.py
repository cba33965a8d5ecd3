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
from tertium.meta.ratings.entries import OmissionCounts
from tertium.meta.ratings.languages import language_pair
from tertium.meta.spans.appraise import is_appraise, read_appraise
from tertium.meta.spans.batches import Task, is_batches, read_batches, with_batches
from tertium.meta.spans.browser_lines import (
    is_campaign,
    is_download,
    is_pearmut,
    is_wmt25,
    read_pearmut,
    read_wmt25,
)
from tertium.meta.spans.entries import Look
from tertium.meta.spans.fields import first_object, whole_json
from tertium.meta.spans.marked_tables import is_marked_table, read_marked_table
from tertium.meta.spans.rating_lines import (
    SUFFIX,
    is_rating_file,
    is_standalone,
    read_rating_file,
    read_standalone,
)
from tertium.meta.spans.span import Annotation, Annotations, ItemKey, Span
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
    tally = OmissionCounts()
    named = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    looks, raw = looks_of([TextFile.find(path) for path in _files(named)], tally, format=format)
    if not looks:
        raise InputError(f"{_listed(named)}: found no annotation, expected at least one")
    chosen = None if pair is None else language_pair(pair)
    looks = _chosen(looks, chosen, raters, tally)
    groups: dict[str, list[Look]] = {}
    for look in looks:
        groups.setdefault(look.pair or chosen or "", []).append(look)
    return tuple(
        collected(some, name=name or Path(named[0]).name, tally=tally, raw=raw)
        for name, some in groups.items()
    )


def looks_of(
    files: Sequence[TextFile],
    tally: OmissionCounts,
    *,
    format: str = "auto",  # noqa: A002 - the user's word
) -> tuple[list[Look], bool]:
    """All that some files say, and whether offsets are still those of a browser.

    Batches of a campaign among the files are where the others' texts come from.
    """
    looks: list[Look] = []
    tasks: list[Task] = []
    raw = False
    for file in files:
        kind = span_format(file)
        if kind == "batches":
            tasks += read_batches(file)
            continue
        kind = kind if format == "auto" else _known(format)
        if kind is None:
            raise _unknown(file)
        raw = raw or kind == "appraise"
        looks += read_looks(file, kind, tally)
    return (with_batches(looks, tasks) if tasks else looks), raw


def read_looks(file: TextFile, kind: str, tally: OmissionCounts) -> Iterator[Look]:
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
    first = next((line for _, line in numbered_lines(file) if line.strip()), "").strip()
    if first.startswith("{"):
        row = first_object(first)
        kinds = {"wmt25": is_wmt25, "pearmut": is_pearmut, "standalone": is_standalone}
        found = next((name for name, fits in kinds.items() if fits(row)), None)
        if found is not None:
            return found
        whole = row or whole_json(file)
        if is_campaign(whole):
            raise InputError(
                f"{file.name}: a campaign of Pearmut without answers, expected what its server "
                "records (outputs/CAMPAIGN.jsonl) or its dashboard gives (annotations.json)"
            )
        return "pearmut" if is_download(whole) else None
    if first.startswith("["):
        return "batches" if is_batches(whole_json(file)) else None
    if is_marked_table(first.split("\t")):
        return "mqm"
    return "appraise" if is_appraise(first.split(",")) else None


def rated_by_spans(path: AnyPath) -> bool:
    """Whether a file of ratings is one of marked errors; a folder of ratings is none."""
    return not Path(path).is_dir() and span_format(TextFile.find(path)) is not None


def collected(looks: Sequence[Look], *, name: str, tally: OmissionCounts, raw: bool) -> Annotations:
    """Looks at one test set.

    Items whose segment the file does not say get numbers that tell them apart, and a key by which
    `tertium.meta.spans.segments` finds the segment.
    """
    numbers: dict[str, int] = {}
    first = 1 + max((look.segment for look in looks if look.segment is not None), default=-1)
    found = []
    for look in looks:
        known = look.segment
        segment = numbers.setdefault(look.id, first + len(numbers)) if known is None else known
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
        exclusions=tally.exclusions(name),
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
        sliders=look.sliders,
        document=look.document,
        key=None
        if look.segment is not None
        else ItemKey(look.id, look.number, look.document, look.position, look.shown),
    )


def _chosen(
    looks: Sequence[Look], pair: str | None, raters: Sequence[str], tally: OmissionCounts
) -> list[Look]:
    pairs = list(dict.fromkeys(look.pair for look in looks if look.pair))
    if pair is not None and pairs and pair not in pairs:
        raise OptionError(did_you_mean("language pair", pair, pairs))
    names = list(dict.fromkeys(look.rater for look in looks))
    for pattern in raters:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise OptionError(did_you_mean("rater", pattern, names))
    kept: list[Look] = []
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
