"""Tables, JSON lines, and the columns of WMT's rankings."""

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tertium.meta.ratings.entries import Rating
from tertium.meta.spans.span import Annotation, Span
from tertium.serve.rating.exports.content import Results, json_line, number, plain
from tertium.serve.rating.material import ItemMaterial
from tertium.serve.rating.results import file_rows
from tertium.text.formats.formulas import neutral_table

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
