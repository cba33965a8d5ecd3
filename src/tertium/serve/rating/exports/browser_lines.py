"""Ratings as Pearmut and Appraise write them."""

import csv
import io
from dataclasses import replace
from typing import Any

from tertium.meta.spans.offsets import unit_starts
from tertium.meta.spans.span import Annotation, Span
from tertium.meta.spans.weights import Weights
from tertium.serve.rating.exports.content import Results, json_line, number, plain
from tertium.serve.rating.results import Answered
from tertium.text.formats.formulas import neutral_cell


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
