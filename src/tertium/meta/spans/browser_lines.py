"""Errors marked in a browser: JSON lines of WMT25's human evaluation and of Pearmut.

Both name the last marked unit of JavaScript's strings, and both have the texts, so that offsets
become code points here. They are known to be dirty where a browser changed the text (mark-up, line
breaks), so what lies beyond the text is cut to it, and counted.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tertium.errors import InputError
from tertium.meta.ratings.entries import OmissionCounts, is_pair
from tertium.meta.spans.fields import Fields, Look, MarkedError, first_object, whole_json
from tertium.meta.spans.span import from_units, unit_starts
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.named_rows import json_row

PARTS: Final = "_#_"
"""What divides WMT25's names of segments: pair, domain, document, number."""
NO_ITEMS: Final = ("welcome_", "random_", "goodbye_")
"""How Pearmut calls what is no item of the campaign: tutorials, checks of attention, thanks."""


def is_wmt25(row: Mapping[str, object]) -> bool:
    """Whether an object is a segment of WMT25's human evaluation."""
    return {"scores", "tgt_text", "doc_id"} <= row.keys()


def is_pearmut(row: Mapping[str, object]) -> bool:
    """Whether an object is an answer that Pearmut recorded."""
    return {"annotation", "user_id"} <= row.keys()


def is_campaign(value: object) -> bool:
    """Whether a JSON value is a campaign that Pearmut is to run: items, and nobody's answers."""
    return isinstance(value, dict) and {"campaign_id", "data", "info"} <= value.keys()


def is_download(value: object) -> bool:
    """Whether a JSON value is what Pearmut's dashboard gives: the answers of each campaign."""
    if not isinstance(value, dict) or not value:
        return False
    rows = [row for rows in value.values() if isinstance(rows, list) for row in rows]
    return (
        all(isinstance(value_, list) for value_ in value.values())
        and bool(rows)
        and all(isinstance(row, dict) and is_pearmut(row) for row in rows)
    )


def read_wmt25(file: TextFile, tally: OmissionCounts) -> Iterator[Look]:
    """Every annotation of WMT25, of the first round and the second, or of the control tasks."""
    for row in _rows(file):
        name = row.text("doc_id")
        pair = name.partition(PARTS)[0]
        texts = row.inner("tgt_text")
        for system, said in row.inner("scores").values.items():
            location = f"{row.place}: {system}"
            hypothesis = texts.text(system)
            for round_ in _rounds(said, location):
                yield Look(
                    place=location,
                    system=system,
                    rater=round_.text("annotator", "rater"),
                    id=name,
                    pair=pair if is_pair(pair) else "",
                    marks=_marks(round_, "errors", hypothesis, tally),
                    score=round_.number("human") if "human" in round_ else None,
                    **_times(round_),
                    hypothesis=hypothesis,
                    source=row.text("src_text", "") or None,
                )


def _rounds(said: object, location: str) -> Iterator[Fields]:
    """What annotators said of one output: numbered keys, or a list where all saw the same."""
    if isinstance(said, list):
        yield from (Fields.of(row, location) for row in said)
        return
    fields = Fields.of(said, location)
    for suffix in ("1", "2", ""):
        if f"human{suffix}" in fields or f"errors{suffix}" in fields:
            keys = ("human", "errors", "annotator", "times")
            own = {key: fields.values.get(f"{key}{suffix}") for key in keys}
            own["annotator"] = own["annotator"] or f"round{suffix or 1}"
            yield Fields(own, location)


def _times(fields: Fields) -> dict[str, Any]:
    """When the first interaction was, and how long after it the last."""
    times = fields.items("times")
    ends = (times[0], times[-1]) if times else ("", "")
    begin, finish = (decimal(str(value)) for value in ends)
    if begin is None or finish is None:
        return {"begin": None, "seconds": None}
    return {"begin": begin, "seconds": finish - begin if finish > begin else None}


def read_pearmut(file: TextFile, tally: OmissionCounts) -> Iterator[Look]:
    """Every answer of a campaign; a user's later answer to an item replaces the earlier.

    A text in the place of answers says that the task of a user was taken back.
    """
    looks: dict[tuple[str, ...], Look] = {}
    for campaign, row in _pearmut_rows(file):
        item = row.text("item_i", "")
        if isinstance(row.values.get("annotation"), str):
            who = (campaign, row.text("user_id"))
            gone = [key for key in looks if key[:2] == who and item in {"", key[2]}]
            for key in gone:
                tally.add("answers that were taken back", looks.pop(key).place)
            continue
        extra = item.startswith(NO_ITEMS)
        for look in _answers(row, tally):
            if extra and (look.kind != "check" or item.startswith(NO_ITEMS[0])):
                tally.add("tutorials and what is no item", look.place)
                continue
            key = (campaign, look.rater, item, look.id, look.system, look.kind)
            if key in looks:
                tally.add("answers that the same person changed later", look.place)
            looks[key] = look._replace(pair=_pair_of(campaign))
    yield from looks.values()


def _pearmut_rows(file: TextFile) -> Iterator[tuple[str, Fields]]:
    """The answers of a campaign's lines, or of all campaigns of a dashboard's download."""
    lines = [(number, line) for number, line in numbered_lines(file) if line.strip()]
    whole = None if len(lines) > 1 and first_object(lines[0][1]) else whole_json(file)
    if whole is None or not is_download(whole):
        for number, line in lines:
            location = f"{file.name}:{number}"
            yield Path(file.name).stem, Fields(json_row(line, location), location)
        return
    for campaign, rows in whole.items():
        for number, row in enumerate(rows, 1):
            yield campaign, Fields(row, f"{file.name}: {campaign} {number}")


def _pair_of(campaign: str) -> str:
    """The language pair that a campaign's name has in it, if any.

    >>> _pair_of("wmt25_#_en-cs_CZ"), _pair_of("example")
    ('en-cs_CZ', '')
    """
    return next((part for part in re.split(r"_#_|[.:/\s]", campaign) if is_pair(part)), "")


def _answers(row: Fields, tally: OmissionCounts) -> Iterator[Look]:
    if "annotation" not in row:
        raise InputError(f"{row.place}: found no 'annotation', expected the answers of a user")
    answers = row.values["annotation"]
    answers = answers if isinstance(answers, list) else [answers]
    shown = list(row.objects("item"))
    if shown and len(shown) != len(answers):
        raise InputError(f"{row.place}: {len(answers)} annotations, expected {len(shown)} (items)")
    outputs = sum(len(listed) for listed in answers if isinstance(listed, dict))
    begin, seconds = _worked(row)
    names = _item_names(row, shown, len(answers))
    for number, answer in enumerate(answers):
        if answer is None:
            tally.add("items that were skipped", row.place)
            continue
        item = shown[number] if shown else Fields({}, row.place)
        if "form" in item.values:
            tally.add("answers to forms", row.place)
            continue
        texts = item.inner("tgt")
        for system, said in Fields.of(answer, row.place).values.items():
            fields = Fields.of(said, f"{row.place}: {system}")
            hypothesis = texts.text(system) if system in texts else None
            sliders = tuple(
                (name.lower(), fields.inner("sliders").number(name))
                for name, value in fields.inner("sliders").values.items()
                if value is not None
            )
            if "score" not in fields and not fields.items("error_spans") and not sliders:
                tally.add("outputs without a score or an error, not looked at", fields.place)
                continue
            passed = _passed(item, system, Fields.of(answer, row.place))
            look = Look(
                place=fields.place,
                system=system,
                rater=row.text("user_id"),
                id=names[number],
                marks=_marks(fields, "error_spans", hypothesis, tally, skip="\n"),
                score=fields.number("score") if "score" in fields else None,
                begin=begin,
                seconds=None if seconds is None else seconds / max(1, outputs),
                hypothesis=hypothesis,
                source=item.text("src", "") or None,
                sliders=sliders,
            )
            if passed is not None:
                yield look._replace(
                    marks=(),
                    score=float(passed),
                    kind="check",
                    begin=None,
                    seconds=None,
                    sliders=(),
                )
            yield look


def _item_names(row: Fields, shown: Sequence[Fields], count: int) -> list[str]:
    """What each item of a document is called by everybody who saw it.

    ``item_i`` counts the documents of a user's own task, so it is no name. Items without an
    ``item_id`` go by the sources of the whole document, or by the outputs where there are none.
    """
    user, number = row.text("user_id"), row.text("item_i", "0")
    if not shown:
        return [f"{user}:{number}:{index}" for index in range(count)]
    texts = [item.text("src", "") or json.dumps(item.values.get("tgt")) for item in shown]
    document = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    return [item.text("item_id", "") or f"{document}:{index}" for index, item in enumerate(shown)]


def _passed(item: Fields, system: str, answer: Fields) -> bool | None:
    """Whether a score is where the item's rules want it; None if there is no such rule.

    Rules that warn are no test: they are shown until they hold.
    """
    given = item.inner("validation").values.get(system)
    rules = [
        Fields.of(rule, f"{item.place}: validation of {system}")
        for rule in (given if isinstance(given, list) else [given])
        if rule is not None
    ]
    kept = []
    own = answer.inner(system)
    for rule in rules:
        if "warning" in rule or "score" not in own:
            continue
        score = own.number("score")
        if limits := rule.items("score"):
            ends = Fields({"low": limits[0], "high": limits[-1]}, rule.place)
            kept.append(ends.number("low") <= score <= ends.number("high"))
        if "score_greaterthan" in rule:
            other = answer.inner(rule.text("score_greaterthan"))
            kept.append("score" in other and score > other.number("score"))
    return all(kept) if kept else None


def _worked(row: Fields) -> tuple[float | None, float | None]:
    """When the work on a document began and how long it took, by the actions recorded."""
    times = [action.number("time") for action in row.objects("actions") if "time" in action]
    if len(times) > 1 and times[-1] > times[0]:
        return times[0], times[-1] - times[0]
    return (times[0] if times else None), (row.number("time") if "time" in row else None)


def _marks(
    fields: Fields, key: str, text: str | None, tally: OmissionCounts, *, skip: str = ""
) -> tuple[MarkedError, ...]:
    """The errors of a list; ``skip`` are characters that the tool does not count."""
    starts = None if text is None else unit_starts(text, skip=skip)
    marks = []
    for fields_ in fields.objects(key):
        severity = fields_.text("severity", "").lower() or "undecided"
        category = category_of(fields_)
        last = 0 if text is None else len(text)
        if _is_missing(fields_, starts):
            marks.append(MarkedError(last, last, severity, category))
            continue
        start, end = fields_.whole("start_i"), fields_.whole("end_i")
        if starts is None:
            tally.add("errors in texts that the file does not have, offsets taken as they are",
                      fields_.place)  # fmt: skip
            marks.append(MarkedError(start, end + 1, severity, category))
        else:
            place = from_units(start, end, starts, fields_.place, tally)
            marks.append(MarkedError(place.start, place.end, severity, category))
    return tuple(marks)


def category_of(fields: Fields) -> str:
    """The category as text; Appraise has a list of it and its parts."""
    value = fields.values.get("category") or fields.values.get("error_type")
    if isinstance(value, list):
        return "/".join(map(str, value)).lower()
    return fields.text("category", "").lower() if value is None else str(value).lower()


def _is_missing(fields: Fields, starts: list[int] | None) -> bool:
    """Whether text is missing: said so, or marked on a sign behind the text.

    A campaign of Pearmut may have several such signs, one unit each.
    """
    start = fields.values.get("start_i")
    if start == "missing" or starts is None:
        return start == "missing"
    return start == fields.values.get("end_i") and isinstance(start, int) and start >= starts[-1]


def _rows(file: TextFile) -> Iterator[Fields]:
    for number, line in numbered_lines(file):
        if line.strip():
            location = f"{file.name}:{number}"
            yield Fields(json_row(line, location), location)
