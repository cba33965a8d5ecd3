"""Files of scores with named columns: TSV, CSV, JSON lines, Parquet, and COMET's JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from tertium.errors import InputError
from tertium.metrics.foreign.line_layouts import is_score, metric_of
from tertium.metrics.foreign.score_table import Column, ScoreTable, score_of
from tertium.text.file_names import system_name
from tertium.text.files import TextFile
from tertium.text.named_rows import kind_of, named_rows

ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "systems": ("system", "system_id", "sys", "sysid", "system_name"),
    "segments": ("segment", "segment_id", "seg", "seg_id", "sid", "line"),
    "hypotheses": ("hypothesis", "hyp", "mt", "translation", "hypothesis_segment", "output"),
    "sources": ("source", "src", "source_segment"),
    "references": ("reference", "ref", "reference_segment"),
    "pairs": ("pair", "lp", "langs", "language_pair"),
}
"""What a row tells of the text that was scored, and how columns of it are called."""

LABELS: Final = frozenset(
    {
        "annotator", "data", "doc", "doc_id", "docid", "document", "domain", "domain_name",
        "genre", "id", "index", "judge", "label", "method", "rater", "set_id", "source_lang",
        "src_lang", "target_lang", "testset", "tgt_lang", "variance",
    }
)  # fmt: skip
"""Columns that may hold numbers, but are no scores."""

LANGUAGES: Final = (("source_lang", "target_lang"), ("src_lang", "tgt_lang"))
PLAIN: Final = frozenset({"overall", "prediction", "score", "scores", "value"})
"""Columns that are called after what they hold, so that the file says whose scores they are."""
PREDICTION: Final = "prediction"
METRICX: Final = "MetricX"


def read_rows(file: TextFile, kind: str, digest: str) -> ScoreTable:
    """Named columns of any of the formats that corpora come in."""
    rows = named_rows(file, kind)
    return _table(file.name, digest, rows.rows, rows.header)


def read_json(file: TextFile, digest: str) -> ScoreTable:
    """JSON of one value: ``comet-score --to_json`` has a list of segments for each file."""
    try:
        whole = json.loads(file.read())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file.name}: {error}, expected JSON") from None
    if isinstance(whole, list):
        return _table(file.name, digest, _listed(file.name, whole))
    if isinstance(whole, dict) and all(isinstance(one, list) for one in whole.values()):
        return _table(file.name, digest, _by_file(file.name, whole))
    raise InputError(
        f"{file.name}: found {kind_of(whole)}, expected a list of segments, or one for each file"
    )


def _listed(name: str, rows: Iterable[object]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, row in enumerate(rows, 1):
        place = f"{name}: row {number}"
        if not isinstance(row, dict):
            raise InputError(f"{place}: {kind_of(row)}, expected an object")
        yield place, row


def _by_file(name: str, files: Mapping[str, list[object]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for system, rows in files.items():
        for number, (_, row) in enumerate(_listed(f"{name}: {system}", rows)):
            place = f"{name}: {system} segment {number}"
            yield place, {"system": system_name(system), "segment": number, **row}


def _table(
    name: str,
    digest: str,
    rows: Iterable[tuple[str, dict[str, Any]]],
    header: list[str] | None = None,
) -> ScoreTable:
    places: list[str] = []
    cells: dict[str, list[Any]] = {column: [] for column in header or ()}
    for place, row in rows:
        for column in row:
            if column not in cells:  # JSON: rows before this one did not have it
                cells[column] = [None] * len(places)
        for column, values in cells.items():
            values.append(row.get(column))
        places.append(place)
    by_role = _roles(name, cells)
    told = {role: _texts(cells[column], role) for role, column in by_role.items()}
    taken = {*by_role.values(), *(c for c in cells if c.lower() in LABELS)}
    scores = {
        column: numbers
        for column, values in cells.items()
        if column not in taken and (numbers := _numbers(values, places)) is not None
    }
    metricx = PREDICTION in scores and "hypotheses" in told
    return ScoreTable(
        name=name,
        digest=digest,
        scores=scores,
        places=places,
        titles=_titles(name, scores, metricx=metricx),
        errors=frozenset({PREDICTION} if metricx else ()),
        systems=told.get("systems"),
        segments=told.get("segments"),
        hypotheses=told.get("hypotheses"),
        sources=told.get("sources"),
        references=told.get("references"),
        pairs=told.get("pairs") or _language_pairs(cells),
    )


def _roles(name: str, cells: Iterable[str]) -> dict[str, str]:
    """The column of each role that there is one for."""
    found: dict[str, str] = {}
    for column in cells:
        for role, names in ROLES.items():
            if column.lower() in names:
                if role in found:
                    raise InputError(
                        f"{name}: found the columns {found[role]} and {column}, "
                        f"expected one of {role}"
                    )
                found[role] = column
    return found


def _texts(values: list[Any], role: str) -> list[str]:
    if role == "systems":
        return [system_name(_text(value)) for value in values]
    return [_text(value) for value in values]


def _text(value: object) -> str:
    if isinstance(value, list):  # several references: the first, as it is what COMET is given
        return _text(value[0]) if value else ""
    return "" if value is None else str(value)


def _numbers(values: list[Any], places: list[str]) -> Column | None:
    """The column's scores; nothing if most of it is no numbers, so that it is none of scores."""
    readable = sum(map(_readable, values))
    there = any(value not in (None, "") for value in values)
    if 2 * readable <= len(values) or not there:
        return None
    return np.array([score_of(*pair) for pair in zip(values, places, strict=True)])


def _readable(value: object) -> bool:
    if isinstance(value, str):
        return not value or is_score(value)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _titles(name: str, scores: Iterable[str], *, metricx: bool) -> dict[str, str]:
    columns = list(scores)
    titles = {column: metric_of(name) for column in columns if column.lower() in PLAIN}
    if metricx:
        titles[PREDICTION] = METRICX
    return titles


def _language_pairs(cells: Mapping[str, list[Any]]) -> list[str] | None:
    for source, target in LANGUAGES:
        if source in cells and target in cells:
            both = zip(cells[source], cells[target], strict=True)
            return [f"{one}-{other}" for one, other in both]
    return None
