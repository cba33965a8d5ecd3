"""The files of mt-metrics-eval: scores of segments and systems, and errors by rater."""

import io
import re
import zipfile
from collections.abc import Sequence
from typing import Final

from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.many_judges import collect_rankings, collect_ratings
from tertium.meta.spans.span import Annotation
from tertium.serve.errors import ConflictError
from tertium.serve.rating.exports.content import Results, json_line, number, plain
from tertium.serve.rating.exports.tables import error_fields
from tertium.serve.rating.results import file_rows

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
