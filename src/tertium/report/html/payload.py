"""What the page's script reads: texts, segment scores, statistics and explanations, packed."""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts, with_cut_marks
from tertium.compare.grams import WordCutter
from tertium.meta.ratings.judgments import Floats, Judgments
from tertium.meta.spans.span import Annotation, Span, unit_starts
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.pictures import Picture
from tertium.report.html.verdict import chosen_pairs
from tertium.report.html.wording import without_folders
from tertium.report.plots.style import styles_of
from tertium.results import titles
from tertium.study.results import Study

# Text with its token boundaries in one string, so that a page needs no tokenizer.

CUT: Final = "\x1f"
"""Stands between two tokens that no space parts in the text: ASCII's unit separator."""


def cut_texts(texts: Texts, cutter: WordCutter) -> list[str]:
    r"""Every text with `CUT` where a token ends without a space; a missing one is empty.

    Splitting the result at spaces and cuts gives the tokens, deleting the cuts the text. A
    tokenizer that rewrites the text (entities, case) leaves nothing to cut; then the tokens
    themselves are returned, parted by spaces.

    >>> cut_texts(Texts(["Wait, he said.", "R&amp;D"]), WordCutter())
    ['Wait\x1f, he said\x1f.', 'R & D']
    """
    tokenizer = cutter.tokenizer
    prepared = tokenizer.native_texts(texts, lowercase=cutter.lowercase)
    return with_cut_marks(texts, tokenizer.native_name, prepared)


# Errors that people marked in the outputs, for the page's script.


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


MOST_COLUMNS: Final = 24
"""A metric with more statistics than people read (AMBER has hundreds) shows its parts only."""
_PRECISION: Final = 100

SIGNS: Final = {
    "circle": "●",
    "square": "■",
    "diamond": "◆",
    "triangle-up": "▲",
    "cross": "✚",
    "triangle-down": "▼",
    "x": "✖",
}
"""Symbols of systems as characters, for lists and headings."""


def payload(study: Study) -> str:
    """Everything the script needs as compressed JSON in base64, the same for the same study."""
    whole = contents(study)
    # Nothing in it holds itself, which takes a sixth of the time to see.
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), check_circular=False)
    # A lone surrogate, such as a damaged file may hold, becomes a visible replacement.
    packed = gzip.compress(text.encode("utf-8", errors="replace"), compresslevel=4, mtime=0)
    return b64encode(packed).decode("ascii")


def contents(study: Study, *, pairs: bool = True, statistics: bool = True) -> dict[str, Any]:
    """The payload before it is packed. Segment scores and statistics are in hundredths.

    Without ``pairs`` it is what the segment browser alone reads; without ``statistics`` it shows
    none of segments, which are half of what there is to read of many systems.
    """
    corpus = study.corpus
    cutter = WordCutter.like(study.metrics)
    references = [corpus.references.of_segment(place) for place in range(len(corpus))]
    hypotheses = _cut(study, cutter)
    return {
        "systems": list(study.names),
        "rival": study.rival,
        "metrics": [
            _metric(study, one, title, statistics=statistics)
            for one, title in zip(study.metrics, titles(study.metrics), strict=True)
        ],
        "ids": list(corpus.ids) if corpus.ids else None,
        "sources": _plain(corpus.sources) if corpus.sources is not None else None,
        "references": _cut_lists(references, cutter),
        "hypotheses": hypotheses,
        "slices": [
            {
                "by": one.by,
                "labels": list(one.slices.labels),
                "of": one.slices.of_segment.tolist(),
            }
            for one in study.slices
        ],
        "colours": [f"var(--sys-{1 + index % len(SIGNS)})" for index in range(len(study.names))],
        "signs": [SIGNS[one.symbol] for one in styles_of(study.names).values()],
        "pairs": chosen_pairs(study) if pairs else {},
        "ratings": _ratings(study),
        "explained": _explained(study),
        "entities": _entities(study),
        "spans": marked_errors(study, hypotheses),
    }


def _metric(study: Study, metric: Metric, title: str, *, statistics: bool) -> dict[str, Any]:
    columns = metric.columns if statistics and len(metric.columns) <= MOST_COLUMNS else ()
    rows = study.rows_of(metric) if columns else None
    return {
        "spec": without_folders(metric.spec),
        "title": without_folders(title),
        "higher": metric.higher_is_better,
        "aligns": metric.aligns,
        "decimals": 2 + metric.finer,
        "segments": _scaled(study.segments_of(metric), 10.0 ** (2 + metric.finer)),
        "columns": list(columns),
        "rows": None if rows is None else [_column(rows[..., k]) for k in range(len(columns))],
    }


def _scaled(numbers: NDArray[np.float64], scale: float = _PRECISION) -> list[Any]:
    """Numbers, such as in hundredths, as integers, which compress far better than decimals.

    What is no number, for a segment may have no score, is ``None``.
    """
    finite = np.nan_to_num(numbers, nan=0.0, posinf=1e12, neginf=-1e12)
    whole: NDArray[Any] = np.rint(finite * scale).astype(np.int64)
    missing = np.isnan(numbers)
    if missing.any():
        whole = whole.astype(object)
        whole[missing] = None
    result: list[Any] = whole.tolist()
    return result


def _column(numbers: NDArray[np.float64]) -> dict[str, Any]:
    """A statistic of all systems and segments; counts are kept as they are."""
    whole = bool((numbers == np.rint(numbers)).all())
    values = numbers.astype(np.int64).tolist() if whole else _scaled(numbers)
    return {"scale": 1 if whole else _PRECISION, "values": values}


def _plain(texts: Texts) -> list[str]:
    return [texts[place] or "" for place in range(len(texts))]


def _cut(study: Study, cutter: WordCutter) -> list[list[str]]:
    """Segment → system → text, so that like stands beside like and compresses well."""
    columns = [cut_texts(system.hypotheses, cutter) for system in study.systems]
    return [list(row) for row in zip(*columns, strict=True)]


def _cut_lists(references: Iterable[list[str]], cutter: WordCutter) -> list[list[str]]:
    lists = list(references)
    flat = [text for row in lists for text in row]
    cut = iter(cut_texts(Texts(flat), cutter))
    return [[next(cut) for _ in row] for row in lists]


def segment_ratings(study: Study) -> list[Judgments]:
    """The judgments that rate the study's segments one by one."""
    return [
        one
        for one in study.judgments
        if one.segments is not None and one.segments.shape[1] == len(study.corpus)
    ]


def _ratings(study: Study) -> list[dict[str, Any]]:
    """The ratings of single segments: criterion, and system → segment → rating, if any."""
    ratings = []
    for one in segment_ratings(study):
        by_name = dict(zip(one.systems, cast("Floats", one.segments), strict=True))
        values = [
            [None if np.isnan(value) else round(value, 2) for value in by_name[name].tolist()]
            if name in by_name
            else None
            for name in study.names
        ]
        ratings.append({"criterion": one.criterion, "values": values})
    return ratings


def _explained(study: Study) -> dict[str, dict[str, Any]]:
    """Spec → "system:segment" → parts of the score, what happened, and how words are aligned."""
    place = {name: number for number, name in enumerate(study.names)}
    return {
        without_folders(one.metric.spec): {
            f"{place[part.system]}:{part.number - 1}": [
                [[each.name, round(each.value, 2), each.note] for each in part.components],
                list(part.trace),
                [_picture(each) for each in part.pictures],
            ]
            for part in one.segments
        }
        for one in study.explanations
    }


def _entities(study: Study) -> dict[str, Any] | None:
    """Segment → names with their types and, for every system, "1" where it has the name."""
    if study.entities is None:
        return None
    return {
        "unit": study.entities.unit,
        "of": [
            [[one.label, one.text, "".join("01"[found] for found in one.found)] for one in names]
            for names in study.entities.of_segment
        ],
    }


def _picture(picture: Picture) -> dict[str, Any]:
    """Columns compress better than pairs; places that are all alike are left out."""
    pairs = picture.pairs
    result: dict[str, Any] = {
        "kinds": "".join(one.kind for one in pairs),
        "above": [one.reference for one in pairs],
        "below": [one.output for one in pairs],
    }
    if picture.shifts:
        result |= {"shifts": picture.shifts, "shift": [one.shift for one in pairs]}
    if any(one.note for one in pairs):
        result["notes"] = [one.note for one in pairs]
    if not picture.counted:
        result["uncounted"] = True
    return result
