"""Ratings as files that other tools read."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.rating_sets import collect_rankings, collect_ratings
from tertium.meta.spans.ratings import Weights
from tertium.meta.spans.span import Annotation, Annotations, Span, unit_starts
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.rating.material import ItemMaterial, material_of
from tertium.serve.rating.protocols import Protocol, protocol_named
from tertium.serve.rating.results import (
    Answered,
    annotations,
    current_answers,
    file_rows,
    rating_entries,
)
from tertium.serve.store.schema import Campaign, Rater, RatingEvent, RatingItem
from tertium.text.formats.formulas import neutral_cell, neutral_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What exports are made from."""

    campaign: Campaign
    protocol: Protocol
    material: ItemMaterial = field(repr=False)
    answers: tuple[Answered, ...] = field(repr=False)

    @classmethod
    def of(cls, session: Session, campaign: Campaign) -> "Results":
        """All that counts in a campaign now; none at all is an error."""
        answers = current_answers(session, campaign)
        if not answers:
            raise ConflictError(f"campaign {campaign.id}: found no rating yet, expected one")
        return cls(
            campaign=campaign,
            protocol=protocol_named(campaign.protocol),
            material=material_of(session, campaign),
            answers=answers,
        )

    @property
    def rows(self) -> list[Rating]:
        """A row for every number."""
        if self.protocol.marked:
            return list(file_rows(self.campaign, self.answers, self.material).ratings)
        return list(rating_entries(self.campaign, self.answers, self.material))

    @property
    def marks(self) -> Annotations:
        """Marked errors, or scores without any."""
        return annotations(self.campaign, self.answers, self.material)


def plain(text: str) -> str:
    """A name that divides no column."""
    return " ".join(text.split())


def number(value: float) -> int | float:
    """A whole number without its point."""
    return int(value) if float(value).is_integer() else value


def json_line(value: Any) -> str:
    """A value on one line, its letters as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def write_pearmut(results: Results) -> str:
    """A line for each item and person; Pearmut has no place for controls, so they are left out."""
    lines = []
    for place, one in enumerate(_looks(results)):
        if one.kind:
            continue
        said: dict[str, Any] = {"score": _score(one)}
        if results.protocol.marked:
            text = one.hypothesis or ""
            said["error_spans"] = [_units(span, text, skip="\n") for span in one.spans]
        begin = one.begin or 0.0
        lines.append(
            {
                "user_id": one.rater,
                "item_i": place,
                "item": [
                    {
                        "item_id": str(one.segment + 1),
                        "src": one.source or "",
                        "tgt": {one.system: one.hypothesis or ""},
                    }
                ],
                "annotation": [{one.system: said}],
                "actions": [
                    {"time": begin, "action": "load"},
                    {"time": begin + (one.seconds or 0.0), "action": "submit"},
                ],
            }
        )
    return "".join(f"{json_line(one)}\n" for one in lines)


def write_appraise(results: Results) -> str:
    """A row for each look, with the segment in front of the system as in WMT25's campaigns."""
    material = results.material
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    for item, (answered, one) in enumerate(
        zip(_outputs(results), _looks(results, repeats=True), strict=True), 1
    ):
        kind = {"degraded": "BAD", "repeated": "CHK"}.get(answered.kind, "TGT")
        begin = one.begin or 0.0
        writer.writerow(
            [
                neutral_cell(one.rater),
                one.segment + 1,
                neutral_cell(plain(one.system)),
                item,
                kind,
                material.source_language or "und",
                material.target_language or "und",
                number(_score(one)),
                "",
                "True",
                json_line([_units(span, one.hypothesis or "") for span in one.spans]),
                number(begin),
                number(begin + (one.seconds or 0.0)),
            ]
        )
    return written.getvalue()


def _outputs(results: Results) -> list[Answered]:
    return [one for one in results.answers for _ in one.answers]


def _looks(results: Results, *, repeats: bool = False) -> list[Annotation]:
    """Every look at an output; what was shown again only if asked for."""
    pairs = zip(_outputs(results), results.marks, strict=True)
    plain = results.protocol.scales[0].criterion if results.protocol.scales else ""
    found = []
    for answered, one in pairs:
        if answered.kind == "repeated" and not repeats:
            continue
        found.append(one if results.protocol.marked else _scored(answered, one, plain))
    return found


def _scored(answered: Answered, one: Annotation, criterion: str) -> Annotation:
    answer = next(iter(answered.answers.values()))
    return replace(one, score=float(answer[criterion]))


def _score(one: Annotation) -> float:
    """The rater's score; without one, minus the points of errors, so that none of it is lost."""
    return one.score if one.score is not None else -Weights().points(one) + 0.0


def _units(span: Span, text: str, *, skip: str = "") -> dict[str, Any]:
    """A span in units of JavaScript's strings, whose end is the last that is marked.

    An error in the source has no place in such files and is written like missing text.
    """
    said: dict[str, Any] = {"severity": span.severity, "category": span.category}
    starts = unit_starts(text, skip=skip)
    start, end = ("missing", "missing")
    if span.side == "target" and span.placed and starts[span.end] > starts[span.start]:
        return {"start_i": starts[span.start], "end_i": starts[span.end] - 1, **said}
    return {"start_i": start, "end_i": end, **said}


_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that equal ratings give equal archives."""


def write_archive(results: Results) -> bytes:
    """All the files of mt-metrics-eval in one archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in score_files(results).items():
            archive.writestr(zipfile.ZipInfo(f"human-scores/{name}", _EPOCH), text)
        pair, documents = results.material.pair, results.material.documents
        if pair and documents is not None and not results.protocol.ranked:
            lines = "".join(f"all\t{plain(one)}\n" for one in documents)
            archive.writestr(zipfile.ZipInfo(f"documents/{safe_name(pair)}.docs", _EPOCH), lines)
    return written.getvalue()


def score_files(results: Results) -> dict[str, str]:
    """Files of mt-metrics-eval: scores of segments and systems, and errors by rater."""
    front = f"{safe_name(results.material.pair)}." if results.material.pair else ""
    files: dict[str, str] = {}
    if results.protocol.ranked:
        orders = file_rows(results.campaign, results.answers, results.material).rankings
        criterion = results.protocol.rank_criterion
        ranked = collect_rankings(
            orders, name=criterion, criterion=criterion, width=results.material.segments
        )
        if ranked.comparisons.tie.all():
            raise ConflictError("ranks: found only ties, expected preferences")
        values = ranked.judgments()
        files[f"{front}{criterion}.sys.score"] = _lines(values.systems, values.values.tolist())
        return files
    groups: dict[str, list[Rating]] = {}
    for row in results.rows:
        groups.setdefault(row.criterion, []).append(row)
    for criterion, rows in groups.items():
        if all(row.kind for row in rows):
            continue
        said = collect_ratings(
            rows, name=criterion, criterion=criterion, width=results.material.segments
        ).judgments()
        table = [] if said.segments is None else said.segments.tolist()
        name = safe_name(criterion)
        files[f"{front}{name}.seg.score"] = "".join(
            _lines([system] * len(values), values)
            for system, values in zip(said.systems, table, strict=True)
        )
        files[f"{front}{name}.sys.score"] = _lines(said.systems, said.values.tolist())
    if results.protocol.marked:
        files |= _rating_files(results, front)
    return files


def safe_name(text: str) -> str:
    """A part of a file name: no folder, no dot, nothing that a file system minds.

    >>> safe_name("../../x"), safe_name("zh-en")
    ('_x', 'zh-en')
    """
    return re.sub(r"[^\w-]+", "_", text) or "_"


def _lines(systems: Sequence[str], values: Sequence[float]) -> str:
    rows = zip(systems, values, strict=True)
    return "".join(
        f"{plain(system)}\t{'None' if value != value else number(value)}\n"  # noqa: PLR0124 - NaN
        for system, value in rows
    )


def _rating_files(results: Results, front: str) -> dict[str, str]:
    """A file of errors for each rater; of a rater's looks at an output the first counts."""
    first: dict[tuple[str, str, int], Annotation] = {}
    for one in results.marks:
        if not one.kind:
            first.setdefault((one.rater, one.system, one.segment), one)
    files: dict[str, str] = {}
    for rater in dict.fromkeys(rater for rater, _, _ in first):
        lines = []
        for system in results.material.systems.values():
            for segment in range(results.material.segments):
                look = first.get((rater, system, segment))
                said = "None"
                if look is not None:
                    said = json_line({"errors": [error_fields(span) for span in look.spans]})
                lines.append(f"{plain(system)}\t{said}\t{plain(rater)}\n")
        safe = safe_name(rater)
        name = f"{front}{results.protocol.name}.{safe}.seg.rating"
        if name in files:
            name = f"{front}{results.protocol.name}.{safe}_{len(files)}.seg.rating"
        files[name] = "".join(lines)
    return files


COLUMNS: Final = (
    "pair", "testset", "document", "system", "segment", "judge", "criterion", "rating", "kind",
    "begin", "seconds",
)  # fmt: skip


def write_tsv(results: Results) -> str:
    """A row for every number; a rank counts as its negative."""
    rows = [[str(cell) for cell in row.values()] for row in _table(results.rows)]
    header, table = neutral_table(COLUMNS, rows)
    return "".join("\t".join(cells) + "\n" for cells in (header, *table))


def _table(rows: Iterable[Rating]) -> Iterator[dict[str, Any]]:
    for row in rows:
        yield {
            "pair": row.pair,
            "testset": row.testset,
            "document": plain(row.document),
            "system": plain(row.system),
            "segment": (row.segment or 0) + 1,
            "judge": plain(row.judge),
            "criterion": row.criterion,
            "rating": number(row.value),
            "kind": row.kind,
            "begin": "" if row.begin is None else number(row.begin),
            "seconds": "" if row.seconds is None else number(row.seconds),
        }


def write_jsonl(results: Results) -> str:
    """The rows of the table as objects, or where errors were marked, every look with its texts."""
    if not results.protocol.marked:
        return "".join(f"{json_line(row)}\n" for row in _table(results.rows))
    return "".join(f"{json_line(_standalone(one, results.material))}\n" for one in results.marks)


def _standalone(one: Annotation, material: ItemMaterial) -> dict[str, Any]:
    """An object as mt-metrics-eval's standalone files have, and what these leave out."""
    return {
        "src_lang": material.source_language,
        "tgt_lang": material.target_language,
        "system_id": one.system,
        "segment_id": one.segment,
        "rater_id": one.rater,
        "source": one.source or "",
        "hypothesis": one.hypothesis or "",
        "errors": [error_fields(span) for span in one.spans],
        "score": one.score,
        "kind": one.kind,
        "begin": one.begin,
        "seconds": one.seconds,
    }


def error_fields(span: Span) -> dict[str, Any]:
    """An error in the words of mt-metrics-eval."""
    return {
        "start": span.start,
        "end": span.end,
        "severity": span.severity,
        "category": span.category,
        "is_source_error": span.side == "source",
    }


def write_ranks(results: Results) -> str:
    """The columns of WMT's rankings."""
    material = results.material
    orders = file_rows(results.campaign, results.answers, material).rankings
    most = max(2, *(len(one.systems) for one in orders))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    slots = [name for at in range(1, most + 1) for name in (f"system{at}Id", f"system{at}rank")]
    rows = []
    for one in orders:
        pairs = [*zip(one.systems, one.ranks, strict=True)]
        pairs += [("", -1)] * (most - len(pairs))
        rows.append(
            [
                material.source_language,
                material.target_language,
                str(one.segment + 1),
                one.judge,
                *(cell for system, rank in pairs for cell in (plain(system), str(rank))),
            ]
        )
    header, table = neutral_table(["srclang", "trglang", "srcIndex", "judgeId", *slots], rows)
    writer.writerows([header, *table])
    return written.getvalue()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file to download."""

    name: str
    kind: str
    """The type of its content, for browsers."""
    data: bytes = field(repr=False)


def export_names(protocol: Protocol) -> tuple[str, ...]:
    """The files that a protocol can be exported to."""
    return tuple(name for name, one in EXPORTS.items() if one.fits(protocol))


def exported(session: Session, campaign: Campaign, name: str) -> Exported:
    """One file."""
    protocol = protocol_named(campaign.protocol)
    known = (*export_names(protocol), "events.jsonl")
    if name not in known:
        raise NotFoundError(
            f"export: found {name[:40]!r}, expected {', '.join(known)} of protocol {protocol.name}"
        )
    if name == "events.jsonl":
        lines = "".join(f"{json_line(one)}\n" for one in all_events(session, campaign))
        return Exported(name=name, kind="application/jsonl", data=lines.encode())
    made = EXPORTS[name]
    content = made.write(Results.of(session, campaign))
    data = content if isinstance(content, bytes) else content.encode()
    return Exported(name=name, kind=made.kind, data=data)


def all_events(session: Session, campaign: Campaign) -> Iterator[dict[str, Any]]:
    """Everything that raters ever did, in order; what was taken back, too."""
    rows = session.execute(
        select(RatingEvent, RatingItem, Rater.label)
        .join(RatingItem, RatingItem.id == RatingEvent.item_id)
        .join(Rater, Rater.id == RatingEvent.rater_id)
        .where(RatingItem.campaign_id == campaign.id)
        .order_by(RatingEvent.id)
    )
    systems = material_of(session, campaign).systems
    for event, item, label in rows:
        tutorial = item.kind == "tutorial"
        yield {
            "event": event.id,
            "item": item.id,
            "kind": item.kind,
            "segment": None if tutorial else item.segments[0] + 1,
            "rater": label,
            "action": event.action,
            "values": {
                key if tutorial else systems[int(key)]: value for key, value in event.values.items()
            },
            "seconds": event.seconds,
            "at": event.at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class _Export:
    """How a file is written, and which protocols have it."""

    kind: str
    write: Callable[[Results], str | bytes]
    fits: Callable[[Protocol], bool] = lambda _: True


def _single(protocol: Protocol) -> bool:
    """Whether a whole output has one number, as Pearmut and Appraise know it."""
    return not (protocol.ranked or protocol.constituents) and len(protocol.scales) < 2


def _sentences_ranked(protocol: Protocol) -> bool:
    """Whether whole outputs are ranked: WMT's columns have no place to say that parts were."""
    return protocol.ranked and not protocol.constituents


EXPORTS: Final[Mapping[str, _Export]] = {
    "ratings.tsv": _Export("text/tab-separated-values", write_tsv),
    "ratings.jsonl": _Export("application/jsonl", write_jsonl),
    "mt-metrics-eval.zip": _Export("application/zip", write_archive),
    "wmt-ranks.csv": _Export("text/csv", write_ranks, _sentences_ranked),
    "pearmut.jsonl": _Export("application/jsonl", write_pearmut, _single),
    "appraise.csv": _Export("text/csv", write_appraise, _single),
}
