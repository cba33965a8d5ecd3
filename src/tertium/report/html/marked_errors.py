"""Errors that people marked in the outputs, for the page's script."""

from collections.abc import Sequence
from typing import Any

from tertium.meta.spans.offsets import unit_starts
from tertium.meta.spans.span import Annotation, Span
from tertium.report.html.cut_text import CUT
from tertium.study.results import Study


def marked_errors(study: Study, hypotheses: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    """Every rater's marks by "system:segment"; None where nobody marked anything.

    A look is (rater, score or None, marks), a mark (start, end, severity, category, quote): offsets
    count the units of JavaScript's strings, the end exclusive, and a mark in the source has none
    but quotes what is marked there. ``texts`` are those that the page shows otherwise,
    ``hypotheses`` what it shows: segment → system → text with cuts.
    """
    looks = [one for some in study.spans for one in some]
    if not looks:
        return None
    raters = list(dict.fromkeys(one.rater for one in looks))
    number = {name: place for place, name in enumerate(raters)}
    system = {name: place for place, name in enumerate(study.names)}
    marks: dict[str, list[Any]] = {}
    texts: dict[str, str] = {}
    for one in looks:
        at = system[one.system]
        key = f"{at}:{one.segment}"
        text = one.hypothesis or ""
        if hypotheses[one.segment][at].replace(CUT, "") != text:
            texts[key] = text
        marks.setdefault(key, []).append([number[one.rater], one.score, _marks(one, text)])
    return {"raters": raters, "marks": marks, "texts": texts}


def _marks(look: Annotation, text: str) -> list[list[Any]]:
    starts = unit_starts(text)
    order = sorted(look.spans, key=lambda one: (one.side != "target", one.start, one.end))
    return [_mark(one, starts, look.source or "") for one in order]


def _mark(span: Span, starts: Sequence[int], source: str) -> list[Any]:
    if span.side == "source":
        quote = source[span.start : span.end]
        return [None, None, span.severity, span.category, quote]
    if not span.placed:
        return [None, None, span.severity, span.category, ""]
    return [starts[span.start], starts[span.end], span.severity, span.category, ""]
