"""Files of marked errors in, annotations out: one value for each language pair.

The format is known by the file's name and its first line, as that of ratings is.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from tertium.choices import SPAN_FORMATS
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import OmissionCounts, language_pair, read_segment
from tertium.meta.spans.appraise import (
    Task,
    is_appraise,
    is_batches,
    read_appraise,
    read_batches,
    with_batches,
)
from tertium.meta.spans.browser_lines import (
    is_campaign,
    is_download,
    is_pearmut,
    is_wmt25,
    read_pearmut,
    read_wmt25,
)
from tertium.meta.spans.fields import Look, MarkedError, first_object, whole_json
from tertium.meta.spans.rating_lines import (
    SUFFIX,
    is_rating_file,
    is_standalone,
    read_rating_file,
    read_standalone,
)
from tertium.meta.spans.span import Annotation, Annotations, ItemKey, Side, Span
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines

# The raw tables of MQM, ``mqm_*.tsv``: a row for each error, marked ``<v>…</v>`` in the text.
#
# Columns are ``system doc doc_id seg_id rater source target category severity``; newer files call
# the numbers ``docSegId`` and ``globalSegId``. An output without errors has one row of
# ``No-error``. Some files quote cells as spreadsheets do, others have bare quotation marks.

NEEDED: Final = ("system", "rater", "source", "target", "category", "severity")
NUMBERS: Final = ("globalsegid", "seg_id", "segid")
"""The column of a segment's number in the test set, from 1; the first of these that there is."""
NO_ERROR: Final = frozenset({"no-error", "no error"})
TESTS: Final = frozenset({"hotw-test"})
"""Severities of rows that test whether a rater looks, not what the text is like."""
_MARK: Final = re.compile("</?v>")


class MarkedText(NamedTuple):
    """A text without its marks, and what they enclosed; ``whole`` is False if they do not close."""

    text: str
    start: int | None
    end: int | None
    whole: bool = True


def is_marked_table(cells: Sequence[str]) -> bool:
    """Whether a first line has the columns of such a table."""
    names = {cell.strip().lower() for cell in cells}
    return names.issuperset(NEEDED) and bool(names.intersection(NUMBERS))


def read_marked_table(file: TextFile, tally: OmissionCounts) -> Iterator[Look]:
    """Every output that a rater looked at, with all the errors of its rows."""
    lines = numbered_lines(file)
    _, first = next(lines, (1, ""))
    header = [cell.strip().lower() for cell in first.split("\t")]
    if not is_marked_table(header):
        raise InputError(
            f"{file.name}:1: columns {', '.join(header)}, expected {', '.join(NEEDED)} and seg_id"
        )
    looks: dict[tuple[str, int, str], Look] = {}
    marks: dict[tuple[str, int, str], list[MarkedError]] = {}  # lists: an output may have many
    for number, line in lines:
        if not line.strip():
            continue
        location = f"{file.name}:{number}"
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(
                f"{location}: {counted(len(cells), 'column')}, expected {len(header)} as in line 1"
            )
        row = dict(zip(header, map(unquoted, cells), strict=True))
        if row["severity"].strip().lower() in TESTS:
            tally.add("rows that test the rater", location)
            continue
        look = _look(row, location, tally)
        key = (look.system, look.segment or 0, look.rater)
        other = looks.get(key)
        if other is not None and other.hypothesis != look.hypothesis:
            tally.add("outputs whose rows have different texts, the first taken", location)
        looks.setdefault(key, look)
        marks.setdefault(key, []).extend(look.marks)
    for key, look in looks.items():
        yield look._replace(marks=tuple(marks[key]))


def _look(row: Mapping[str, str], location: str, tally: OmissionCounts) -> Look:
    source, target = marked(row["source"]), marked(row["target"])
    if not (source.whole and target.whole):
        tally.add("marks that do not close, taken to the end of the text", location)
    system, rater = row["system"].strip(), row["rater"].strip()
    if not system or not rater:
        raise InputError(f"{location}: no {'rater' if system else 'system'}, expected a name")
    name = next(name_ for name_ in NUMBERS if name_ in row)
    return Look(
        place=location,
        system=system,
        rater=rater,
        segment=read_segment(row[name].strip(), location),
        marks=_marks(row, source, target, location, tally),
        hypothesis=target.text,
        source=source.text,
    )


def _marks(
    row: Mapping[str, str],
    source: MarkedText,
    target: MarkedText,
    location: str,
    tally: OmissionCounts,
) -> tuple[MarkedError, ...]:
    severity, category = row["severity"].strip().lower(), row["category"].strip().lower()
    if severity in NO_ERROR or category in NO_ERROR:
        return ()
    side: Side = "source" if target.start is None else "target"
    offsets = source if side == "source" else target
    if offsets.start is None or offsets.end is None:
        tally.add("errors without a mark in the text, counted but not shown", location)
        return (MarkedError(len(target.text), len(target.text), severity, category),)
    return (MarkedError(offsets.start, offsets.end, severity, category, side),)


def marked(text: str) -> MarkedText:
    """The text without marks, and the places of the first and the last.

    >>> marked("Wir <v>sehen</v> Licht")
    MarkedText(text='Wir sehen Licht', start=4, end=9, whole=True)
    >>> marked("no mark").start
    """
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    last = 0
    for mark in _MARK.finditer(text):
        piece = text[last : mark.start()]
        parts.append(piece)
        place += len(piece)
        last = mark.end()
        (ends if mark.group() == "</v>" else starts).append(place)
    plain = "".join(parts) + text[last:]
    if not starts and not ends:
        return MarkedText(plain, None, None)
    whole = len(starts) == len(ends)
    start = min(starts, default=0)
    end = max(ends) if whole else len(plain)
    return MarkedText(plain, start, max(start, end), whole)


def unquoted(cell: str) -> str:
    """A cell as it was before a spreadsheet quoted it.

    A text that has quotation marks at both ends and none inside is no such cell: a spreadsheet
    would have doubled them.

    >>> unquoted('"He said ""no"" twice"'), unquoted('"no"'), unquoted('"a" and "b"')
    ('He said "no" twice', '"no"', '"a" and "b"')
    """
    inner = cell[1:-1]
    if len(cell) < 4 or cell[0] != '"' or cell[-1] != '"' or '""' not in inner:
        return cell
    return cell if '"' in inner.replace('""', "") else inner.replace('""', '"')


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
        result = next((name for name, fits in kinds.items() if fits(row)), None)
        if result is not None:
            return result
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
    last = max(found, key=lambda row: row.segment)
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
    result: list[str] = []
    for path in paths:
        top = Path(path)
        if not top.is_dir():
            result.append(os.fspath(path))
            continue
        named = top / "human-scores"
        inside = sorted(map(str, (named if named.is_dir() else top).glob(f"*{SUFFIX}")))
        if not inside:
            raise InputError(f"{path}: no such files, expected PAIR.NAME.RATER{SUFFIX}")
        result += inside
    if not result:
        raise InputError("spans: found no files, expected at least one")
    return result


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
