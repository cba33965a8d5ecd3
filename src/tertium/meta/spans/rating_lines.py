"""Errors in the files of mt-metrics-eval: a line for each output, or an object for each rating.

``PAIR.NAME.RATER.seg.rating`` has lines ``system JSON`` or ``system JSON rater``, all segments of
a system in order, where ``None`` says not rated; a standalone file has JSON lines with the texts.
Offsets are code points, ends are exclusive, and what does not fit the text is an error.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from tertium.errors import InputError
from tertium.meta.ratings.entries import is_pair
from tertium.meta.spans.fields import Fields, Look, MarkedError
from tertium.meta.spans.span import Kind, check_fit
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import json_row

SUFFIX = ".seg.rating"


def is_rating_file(name: str) -> bool:
    """Whether a file is called as mt-metrics-eval calls its files of errors.

    >>> is_rating_file("zh-en.mqm.rater1.seg.rating"), is_rating_file("zh-en.mqm.seg.score")
    (True, False)
    """
    return Path(name).name.endswith(SUFFIX)


def is_standalone(row: dict[str, object]) -> bool:
    """Whether an object is a standalone rating of mt-metrics-eval."""
    return {"hypothesis", "errors"} <= row.keys()


def read_rating_file(file: TextFile) -> Iterator[Look]:
    """Every rated output of a file, known by its place among those of its system."""
    pair, rater = _from_name(file.name)
    counts: dict[str, int] = {}
    for number, line in numbered_lines(file):
        location = f"{file.name}:{number}"
        cells = line.rstrip().split("\t")
        if len(cells) not in {2, 3}:
            raise InputError(
                f"{location}: {counted(len(cells), 'column')}, expected system, JSON and no more "
                "than a rater"
            )
        system = cells[0].strip()
        segment = counts.get(system, 0)
        counts[system] = segment + 1
        if cells[1] == "None":
            continue
        yield Look(
            place=location,
            system=system,
            rater=cells[2] if len(cells) == 3 else rater,
            segment=segment,
            pair=pair,
            marks=_marks(Fields(json_row(cells[1], location), location)),
        )
    first = next(iter(counts), "")
    for system, count in counts.items():
        if count != counts[first]:
            raise InputError(
                f"{file.name}: {counted(count, 'segment')} of {system}, expected {counts[first]} "
                f"(as {first})"
            )


def check_length(file: TextFile, size: int, pair: str | None = None) -> None:
    """Refuse a file of another number of segments: its lines are all that tells which they are."""
    own, _ = _from_name(file.name)
    if pair is not None and own not in {"", pair}:
        return
    systems = [line.partition("\t")[0].strip() for _, line in numbered_lines(file)]
    count = systems.count(systems[0]) if systems else size
    if count != size:
        raise InputError(f"{file.name}: {counted(count, 'segment')}, expected {size} (the texts)")


def read_standalone(file: TextFile) -> Iterator[Look]:
    """Every object of a file with texts; ``segment_id`` counts from 0.

    ``score``, ``kind``, ``begin`` and ``seconds`` are taken where they are there.
    """
    for number, line in numbered_lines(file):
        if not line.strip():
            continue
        location = f"{file.name}:{number}"
        row = Fields(json_row(line, location), location)
        source, target = row.text("source", ""), row.text("hypothesis")
        marks = _marks(row)
        for mark in marks:
            text = source if mark.side == "source" else target
            check_fit(mark.start, mark.end, len(text), location)
        pair = "-".join(row.text(key) for key in ("src_lang", "tgt_lang") if key in row)
        yield Look(
            place=location,
            system=row.text("system_id"),
            rater=row.text("rater_id", "rater"),
            segment=row.whole("segment_id"),
            pair=pair if is_pair(pair) else "",
            marks=marks,
            score=row.number("score") if "score" in row else None,
            kind=_kind(row),
            begin=row.number("begin") if "begin" in row else None,
            seconds=row.number("seconds") if "seconds" in row else None,
            hypothesis=target,
            source=source or None,
        )


def _kind(row: Fields) -> Kind:
    kind = row.text("kind", "")
    if kind not in get_args(Kind):
        known = ", ".join(filter(None, get_args(Kind)))
        raise InputError(f"{row.place}: kind '{kind}', expected {known}")
    return kind  # type: ignore[return-value]  # it is one of them


def _marks(row: Fields) -> tuple[MarkedError, ...]:
    return tuple(
        MarkedError(
            start=error.whole("start"),
            end=error.whole("end"),
            severity=error.text("severity", "").lower(),
            category=error.text("category", "").lower(),
            side="source" if error.values.get("is_source_error") else "target",
        )
        for error in row.objects("errors")
    )


def _from_name(name: str) -> tuple[str, str]:
    """Language pair and rater, as far as a file's name has them.

    >>> _from_name("human-scores/zh-en.mqm.rater1.seg.rating")
    ('zh-en', 'rater1')
    """
    front = Path(name).name.removesuffix(SUFFIX).split(".")
    pair = front[0] if is_pair(front[0]) else ""
    return pair, front[-1] if len(front) > 1 else "rater"
