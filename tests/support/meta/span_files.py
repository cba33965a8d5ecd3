"""Files of marked errors, each in the layout of the tool that writes it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tertium.meta.spans.span import Annotations

HYPOTHESIS = "Nice 🙂 day, folks"
"""A text with a character outside of the basic plane, in front of words to mark."""
DAY = (7, 10)
"""Where "day" stands in it, in code points."""
DAY_UNITS = (8, 10)
"""The same as a browser counts: UTF-16 units, the last of them included."""


def rating_file(
    folder: Path, rater: str, systems: Mapping[str, Sequence[list[dict[str, Any]] | None]]
) -> Path:
    """A file of mt-metrics-eval."""
    path = folder / f"zh-en.mqm.{rater}.seg.rating"
    lines = [
        f"{system}\t{'None' if errors is None else json.dumps({'errors': errors})}"
        for system, segments in systems.items()
        for errors in segments
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def error(start: int, end: int, severity: str = "minor", category: str = "", **more: Any) -> Any:
    """An error as mt-metrics-eval writes it."""
    return {
        "start": start,
        "end": end,
        "category": category or "style/awkward",
        "severity": severity,
        "score": None,
        "is_source_error": False,
        **more,
    }


def marked_table(folder: Path, rows: Sequence[str], name: str = "mqm_test.tsv") -> Path:
    """A raw table of MQM; rows have their cells divided by ``|``."""
    header = "system|doc|doc_id|seg_id|rater|source|target|category|severity"
    path = folder / name
    text = "\n".join(row.replace("|", "\t") for row in (header, *rows)) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def json_lines(folder: Path, rows: Sequence[Any], name: str) -> Path:
    """An object a line."""
    path = folder / name
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def wmt25_row(**more: Any) -> dict[str, Any]:
    """A segment of WMT25 that two annotators saw of one system."""
    mark = {"start_i": DAY_UNITS[0], "end_i": DAY_UNITS[1], "severity": "major"}
    return {
        "scores": {
            "A": {
                "human1": 60,
                "errors1": [mark],
                "annotator1": "ann1",
                "times1": [100.0, 130.0],
                "human2": 90,
                "errors2": [],
                "annotator2": "ann2",
            }
        },
        "src_text": "source",
        "tgt_text": {"A": HYPOTHESIS},
        "doc_id": "cs-de_DE_#_news_#_doc_#_0",
        **more,
    }


def pearmut_row(**more: Any) -> dict[str, Any]:
    """A document of one item that a user saw of one system."""
    mark = {
        "start_i": DAY_UNITS[0],
        "end_i": DAY_UNITS[1],
        "severity": "minor",
        "category": "Accuracy/Mistranslation",
    }
    return {
        "annotation": [{"A": {"score": 70, "error_spans": [mark]}}],
        "item": [{"item_id": "seg-1", "src": "source", "tgt": {"A": HYPOTHESIS}}],
        "actions": [{"time": 10.0, "action": "load"}, {"time": 50.0, "action": "submit"}],
        "user_id": "user1",
        "item_i": 0,
        **more,
    }


def appraise_file(folder: Path, rows: Sequence[Sequence[Any]], name: str = "scores.csv") -> Path:
    """An export of Appraise; errors are lists, written as JSON in a quoted cell."""
    lines = []
    for row in rows:
        cells = [
            '"' + json.dumps(cell).replace('"', '""') + '"' if isinstance(cell, list) else str(cell)
            for cell in row
        ]
        lines.append(",".join(cells))
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def left_out(annotations: Annotations) -> dict[str, int]:
    """What was left out or mended, and how often."""
    return {one.reason: one.count for one in annotations.exclusions}
