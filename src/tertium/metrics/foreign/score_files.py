"""A file of scores, read by the layout that its name and its first line tell."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.metrics.foreign.score_table import Column, ForeignScores, LinePlaces
from tertium.plurals import counted
from tertium.text.decimals import decimal, is_missing, number_in
from tertium.text.files import TextFile, compression_of
from tertium.text.formats.table import format_of, system_name
from tertium.text.lines import numbered_lines
from tertium.text.memory import HELD
from tertium.text.named_rows import check_json, kind_of, named_rows, whole_json

# Files of scores without a header: a number a line, blocks of systems, what COMET prints.

SCORE: Final = "score"
"""The column of a file that has but one, and no name for it."""

_LEVEL: Final = re.compile(r"\.(sys|seg|doc|domain)\.score$")
_PRINTED: Final = re.compile(r"(.+)\tSegment (\d+)\tscore: (\S+)(?:\tvariance: \S+)?\s*")
_TOTAL: Final = re.compile(r"(.+)\tscore: (\S+)\s*")
_VARIANT: Final = re.compile(r"-(src|all|ref[^-]*)$", flags=re.IGNORECASE)


def level_of(name: str) -> str:
    """The level that mt-metrics-eval writes into a file's name; empty if it has none.

    >>> level_of("metric-scores/zh-en/COMET-refA.seg.score"), level_of("comet.tsv")
    ('seg', '')
    """
    match = _LEVEL.search(name.removesuffix(compression_of(name)))
    return match[1] if match else ""


def metric_of(name: str) -> str:
    """The metric that a file's name tells, without the references that it was given.

    >>> metric_of("zh-en/XCOMET-Ensemble-refA.seg.score"), metric_of("out/comet.tsv")
    ('XCOMET-Ensemble', 'comet')
    """
    bare = PurePath(name.removesuffix(compression_of(name))).name
    if level_of(bare):
        return _VARIANT.sub("", _LEVEL.sub("", bare))
    return system_name(bare)


def is_score(cell: str) -> bool:
    """Whether a cell is a number, or says that there is none."""
    return cell.strip() != "" and (is_missing(cell) or decimal(cell) is not None)


def is_printed(line: str) -> bool:
    """Whether COMET printed the line."""
    return _PRINTED.fullmatch(line) is not None


def read_column(file: TextFile, digest: str) -> ForeignScores:
    """A number a line, for the segments of one system."""
    values = [number_in(line, f"{file.name}:{number}") for number, line in numbered_lines(file)]
    return _line_table(file, digest, LinePlaces(file.name, len(values)), values)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreColumns:
    """The lines of a file of mt-metrics-eval in columns, NaN where there is no score.

    ``system`` is the index of each line's system; ``domains`` are there at that level only. Line
    ``i`` of the columns is line ``i + 1`` of the file.
    """

    systems: tuple[str, ...]
    system: NDArray[np.int32] = field(repr=False)
    values: Column = field(repr=False)
    domains: tuple[str, ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.values)


def read_score_columns(file: TextFile) -> ScoreColumns:
    """The lines of a file of scores or ratings, of any level that its name tells.

    ``system score`` a line, with the domain in front at that level; at the level of segments all
    those of a system in their order.
    """
    if level_of(file.name) != "domain":
        columns = _plain_columns(file.read(growth=HELD))
        if columns is not None:
            return columns
    width = 3 if level_of(file.name) == "domain" else 2
    expected = "domain, system, score" if width > 2 else "system, score"
    names, values, domains = [], [], []
    for number, line in numbered_lines(file):
        location = f"{file.name}:{number}"
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != width:
            raise InputError(
                f"{location}: {counted(len(cells), 'column')}, expected {width} ({expected})"
            )
        *domain, system, text = (cell.strip() for cell in cells)
        names.append(system)
        values.append(number_in(text, location))
        domains += domain
    index = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return ScoreColumns(
        systems=tuple(index),
        system=np.fromiter(map(index.__getitem__, names), dtype=np.int32, count=len(names)),
        values=np.array(values, dtype=np.float64),
        domains=tuple(domains),
    )


_IN_NUMBERS: Final = b"0123456789+-.eE\n"


def _plain_columns(data: bytes) -> ScoreColumns | None:
    """The columns of a file that is written as these files usually are; None of any other.

    A file of scores has ten thousands of lines, and there are hundreds of files, so no line is
    looked at by itself: each system is one block of lines, whose common beginning, its name and a
    tab, is cut off at once. What is left must be made of numbers and ``None``; anything else is for
    the reader that knows every spelling, and can say what is wrong with a line.
    """
    end = len(data) - data.endswith(b"\n")
    start = 0
    blocks: dict[bytes, bytes] = {}
    while start < end:
        name, tab, _ = data[start : data.find(b"\n", start) + 1 or end].partition(b"\t")
        line = b"\n" + name + tab
        if not tab or name in blocks or not _is_bare(name):
            return None
        last = data.rfind(line, start, end)
        stop = data.find(b"\n", max(last, start) + 1, end)
        stop = end if stop < 0 else stop
        blocks[name] = data[start + len(line) - 1 : stop].replace(line, b"\n")
        start = stop + 1
    counts = [block.count(b"\n") + 1 for block in blocks.values()]
    cells = b"\n".join(blocks.values())
    texts = cells.split(b"\n")
    if cells.translate(None, _IN_NUMBERS) != b"Non" * texts.count(b"None") or not counts:
        return None
    if b"None" in cells:
        texts = cells.replace(b"None", b"nan").split(b"\n")
    try:
        numbers = list(map(float, texts))
        systems = tuple(name.decode() for name in blocks)
    except ValueError:
        return None
    values = np.array(numbers, dtype=np.float64)
    if np.isinf(values).any():
        return None
    system = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    return ScoreColumns(systems=systems, system=system, values=values)


def _is_bare(name: bytes) -> bool:
    """Whether a name is visible ASCII, and so has no white space or mark to take off."""
    return name.isascii() and name.decode().isprintable() and b" " not in name and name != b""


def read_blocks(file: TextFile, digest: str) -> ForeignScores:
    """``system score`` a line, all segments of a system in their order (mt-metrics-eval)."""
    level = level_of(file.name)
    if level not in {"", "seg"}:
        raise InputError(
            f"{file.name}: found scores of level {level}, expected those of segments (.seg.score)"
        )
    columns = read_score_columns(file)
    # The shared tasks ask for scores that rise with quality, and turn those that do not.
    return _line_table(
        file,
        digest,
        LinePlaces(file.name, len(columns)),
        columns.values,
        systems=[columns.systems[number] for number in columns.system.tolist()],
        gains=level == "seg",
    )


def read_printed(file: TextFile, digest: str) -> ForeignScores:
    """What ``comet-score`` prints: file, segment from 0, score; system scores end it."""
    places, systems, segments, values = [], [], [], []
    for number, line in numbered_lines(file):
        location = f"{file.name}:{number}"
        match = _PRINTED.fullmatch(line)
        if match is None:
            if line.strip() and not _TOTAL.fullmatch(line):
                raise InputError(
                    f"{location}: found '{line[:60]}', expected FILE, tab, Segment N, tab, score: X"
                )
            continue
        places.append(location)
        systems.append(system_name(match[1]))
        segments.append(match[2])
        values.append(number_in(match[3], location))
    return _line_table(
        file, digest, places, values, systems=systems, segments=segments, title="COMET"
    )


def _line_table(
    file: TextFile,
    digest: str,
    places: Sequence[str],
    values: Sequence[float] | Column,
    *,
    systems: list[str] | None = None,
    segments: list[str] | None = None,
    title: str = "",
    gains: bool = False,
) -> ForeignScores:
    return ForeignScores(
        name=file.name,
        digest=digest,
        scores={SCORE: np.array(values, dtype=np.float64)},
        places=places,
        systems=systems,
        segments=segments,
        titles={SCORE: title or metric_of(file.name)},
        gains=gains,
    )


# Files of scores with named columns: TSV, CSV, JSON lines, Parquet, and COMET's JSON.
#
# Columns are known by their names, in any case. Those that tell what was scored play a role, those
# in `LABELS` are neither that nor scores, and every other column of numbers is one of scores. A
# table may be wide: a column for each system.

ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "systems": ("system", "system_id", "sys", "sysid", "system_name", "model", "model_name"),
    "segments": (
        "segment", "segment_id", "seg", "seg_id", "segid", "globalsegid", "sid", "line", "idx",
    ),
    "documents": ("document", "document_id", "doc_id", "docid", "doc"),
    "ids": ("id", "item_id", "itemid"),
    "hypotheses": (
        "hypothesis", "hyp", "mt", "translation", "hypothesis_segment", "output", "target",
    ),
    "sources": ("source", "src", "source_segment"),
    "references": ("reference", "ref", "reference_segment"),
    "pairs": ("pair", "lp", "langs", "language_pair"),
}  # fmt: skip
"""What a row tells of the text that was scored, and how columns of it are called."""
WEAK: Final = frozenset({"model", "model_name", "line", "idx", "target", "output"})
"""Names that count where no other column plays the role."""

LABELS: Final = frozenset(
    {
        "", "annotator", "annotators", "data", "domain", "domain_name", "genre", "index", "label",
        "method", "rater", "set_id", "source_lang", "src_lang", "target_lang", "testset",
        "tgt_lang", "variance", "year",
    }
)  # fmt: skip
"""Columns that may hold numbers, but are no scores; the one without a name is pandas' index."""
_PANDAS: Final = "unnamed:"
"""How pandas calls a column that has no name in the file."""
JUDGES: Final = frozenset({"judge"})
"""Columns that hold either the scores of a judge or the numbers of several."""

LANGUAGES: Final = (("source_lang", "target_lang"), ("src_lang", "tgt_lang"))
PLAIN: Final = frozenset({"overall", "prediction", "score", "scores", "value"})
"""Columns that are called after what they hold, so that the file says whose scores they are."""
PREDICTION: Final = "prediction"
METRICX: Final = "MetricX"
WMT25: Final = "metric_scores"
"""The column of WMT25's scores: an object of lists over the paragraphs of a document."""


def read_rows(file: TextFile, kind: str, digest: str) -> ForeignScores:
    """Named columns of any of the formats that corpora come in."""
    if kind == "spaces":
        return _row_table(file.name, digest, _spaced_rows(file))
    rows = named_rows(file, kind)
    return _row_table(file.name, digest, _paragraphs(rows.rows), rows.header)


def _spaced_rows(file: TextFile) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of words, as in the averages that Google publishes of MQM ratings."""
    lines = ((number, line.split()) for number, line in numbered_lines(file) if line.strip())
    _, header = next(lines, (1, []))
    for number, cells in lines:
        location = f"{file.name}:{number}"
        if len(cells) != len(header):
            raise InputError(
                f"{location}: {counted(len(cells), 'column')}, expected {len(header)} as in line 1"
            )
        yield location, dict(zip(header, cells, strict=True))


def is_spaced_header(line: str) -> bool:
    """Whether a line without tabs and commas names a system's column and others."""
    cells = [cell.lower() for cell in line.split()]
    return len(cells) > 2 and "," not in line and any(name in cells for name in ROLES["systems"])


def _paragraphs(
    rows: Iterable[tuple[str, dict[str, Any]]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """WMT25's rows of documents as rows of their paragraphs; other rows as they are."""
    for location, row in rows:
        lists = row.get(WMT25)
        if not isinstance(lists, dict):
            yield location, row
            continue
        sizes = {len(values) if isinstance(values, list) else -1 for values in lists.values()}
        if len(sizes) != 1 or -1 in sizes:
            raise InputError(f"{location}: '{WMT25}', expected lists of the same length")
        labels = {name: value for name, value in row.items() if name != WMT25}
        for number in range(sizes.pop()):
            scores = {name: values[number] for name, values in lists.items()}
            yield f"{location}, paragraph {number + 1}", {**labels, "segment": number + 1, **scores}


def read_json(file: TextFile, digest: str) -> ForeignScores:
    """JSON of one value: ``comet-score --to_json`` has a list of segments for each file."""
    whole = whole_json(file)
    if isinstance(whole, list):
        return _row_table(file.name, digest, _listed(file.name, whole))
    if isinstance(whole, dict) and is_prediction(whole):
        scores = enumerate(whole["scores"], 1)
        rows = ((f"{file.name}: score {number}", {"score": score}) for number, score in scores)
        return _row_table(file.name, digest, rows)
    if isinstance(whole, dict) and all(isinstance(values, list) for values in whole.values()):
        return _row_table(file.name, digest, _by_file(file.name, whole))
    raise InputError(
        f"{file.name}: found {kind_of(whole)}, expected a list of segments, or one for each file"
    )


def is_prediction(value: Mapping[str, object]) -> bool:
    """Whether an object is what COMET's ``predict`` gives: scores in the order of the texts."""
    scores = value.get("scores")
    return isinstance(scores, list) and not any(isinstance(score, list | dict) for score in scores)


def _listed(name: str, rows: Iterable[object]) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, row in enumerate(rows, 1):
        location = f"{name}: row {number}"
        if not isinstance(row, dict):
            raise InputError(f"{location}: {kind_of(row)}, expected an object")
        yield location, row


def _by_file(name: str, files: Mapping[str, list[object]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for system, rows in files.items():
        for number, (_, row) in enumerate(_listed(f"{name}: {system}", rows)):
            location = f"{name}: {system} segment {number}"
            yield location, {"system": system_name(system), "segment": number, **row}


def _row_table(
    name: str,
    digest: str,
    rows: Iterable[tuple[str, dict[str, Any]]],
    header: list[str] | None = None,
) -> ForeignScores:
    places: list[str] = []
    cells: dict[str, list[Any]] = {column: [] for column in header or ()}
    for location, row in rows:
        for column in row:
            if column not in cells:  # JSON: rows before this one did not have it
                cells[column] = [None] * len(places)
        for column, values in cells.items():
            values.append(row.get(column))
        places.append(location)
    by_role = _roles(name, cells)
    told = {role: _texts(cells[column], role) for role, column in by_role.items()}
    numbers = {
        column: found
        for column, values in cells.items()
        if column not in by_role.values()
        and not _is_label(column)
        and (found := _numbers(values, places)) is not None
    }
    scores = {
        column: values
        for column, values in numbers.items()
        if column.lower() not in JUDGES or _are_scores(values, len(numbers))
    }
    metricx = PREDICTION in scores and "hypotheses" in told
    return ForeignScores(
        name=name,
        digest=digest,
        scores=scores,
        places=places,
        titles=_titles(name, scores, metricx=metricx),
        errors=frozenset({PREDICTION} if metricx else ()),
        systems=told.get("systems"),
        segments=told.get("segments"),
        documents=told.get("documents"),
        ids=told.get("ids"),
        spare={column: values for column, values in numbers.items() if column not in scores},
        hypotheses=told.get("hypotheses"),
        sources=told.get("sources"),
        references=told.get("references"),
        pairs=told.get("pairs") or _language_pairs(cells),
    )


def _roles(name: str, cells: Iterable[str]) -> dict[str, str]:
    """The column of each role that there is one for."""
    by_role: dict[str, str] = {}
    columns = list(cells)
    for role, names in ROLES.items():
        named = [column for column in columns if column.strip().lower() in names]
        strong = [column for column in named if column.strip().lower() not in WEAK]
        meant = strong or named
        if len(meant) > 1:
            raise InputError(
                f"{name}: found the columns {meant[0]} and {meant[1]}, expected one of {role}"
            )
        if meant:
            by_role[role] = meant[0]
    return by_role


def _is_label(column: str) -> bool:
    plain = column.strip().lower()
    others = (name for names in ROLES.values() for name in names)
    return plain in LABELS or plain.startswith(_PANDAS) or plain in others


def _are_scores(values: Column, columns: int) -> bool:
    """Whether numbers of a judge are scores: the only ones, or such as number nobody."""
    return columns == 1 or bool(np.any(np.isfinite(values) & (values != np.floor(values))))


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
    return np.array([number_in(*pair) for pair in zip(values, places, strict=True)])


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


_KEPT: Final = 32
_DIGITS: Final = 12


def read_scores(path: str) -> ForeignScores:
    """All that a file says; kept while the file stays what it is, for each system asks for it."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return _read(TextFile.find(path))  # which says what is wrong
    return _kept(path, (state.st_ino, state.st_mtime_ns, state.st_size))


def read_sent_scores(file: TextFile) -> ForeignScores:
    """The same of a file that is held already; nothing by its name is looked for."""
    return _read(file)


@lru_cache(maxsize=_KEPT)
def _kept(path: str, _state: tuple[int, ...]) -> ForeignScores:
    return _read(TextFile.find(path))


def _read(file: TextFile) -> ForeignScores:
    digest = hashlib.sha256(file.read(growth=HELD)).hexdigest()[:_DIGITS]
    table = _by_layout(file, digest)
    if not len(table):
        raise InputError(f"{file.name}: empty, expected scores")
    if not table.scores:
        raise InputError(f"{file.name}: found no column of numbers, expected scores")
    return table


def _by_layout(file: TextFile, digest: str) -> ForeignScores:
    if level_of(file.name):
        return read_blocks(file, digest)
    if format_of(file.name) == "parquet":
        return read_rows(file, "parquet", digest)
    first = next((line for _, line in numbered_lines(file) if line.strip()), None)
    if first is None:
        raise InputError(f"{file.name}: empty, expected scores")
    if first.lstrip().startswith(("{", "[")):
        return (
            read_rows(file, "jsonl", digest)
            if _is_row(first, file.name)
            else read_json(file, digest)
        )
    cells = first.split("\t") if "\t" in first else first.split()
    if len(cells) == 2 and is_score(cells[1]):
        return read_blocks(file, digest)
    return _without_names(file, first, digest) or read_rows(file, _divided(file, first), digest)


def _divided(file: TextFile, first: str) -> str:
    """What divides the cells of a table; a header of tabs may stand above rows of spaces."""
    second = next((line for _, line in islice(numbered_lines(file), 1, 2)), "")
    if is_spaced_header(first) and ("\t" not in first or "\t" not in second):
        return "spaces"
    return "tsv" if "\t" in first else "csv"


def _without_names(file: TextFile, first: str, digest: str) -> ForeignScores | None:
    if is_printed(first):
        return read_printed(file, digest)
    return read_column(file, digest) if is_score(first) else None


def _is_row(line: str, name: str) -> bool:
    """Whether a line of JSON is a row by itself: an object, and not one of lists for all files."""
    check_json(line, name)
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict) or is_prediction(row):
        return False
    lists = [value for value in row.values() if isinstance(value, list)]
    return not lists or any(not isinstance(entry, dict) for value in lists for entry in value)
