"""What a file of outputs would be read as, before anything is kept: format, columns, key, systems.

`preview_outputs` runs in a reader process, as uploads do; what it returns has no other types than
those of JSON. A table whose columns say nothing of their role is no error here: its columns are
listed with an example each, so that somebody can choose.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.serve.evaluation.systems import OutputView, chosen_columns, read_outputs
from tertium.serve.evaluation.uploads import SentFile, opened, shown_name
from tertium.text.column_roles import IDENTIFIERS, TEXT, ColumnRoles
from tertium.text.files import TextFile
from tertium.text.formats.content import file_format
from tertium.text.formats.table import FORMATS
from tertium.text.named_rows import named_rows

TABLES: Final = frozenset({"tsv", "csv", "xlsx", "jsonl", "parquet"})
LOOKED_AT: Final = 20
"""Rows in which the columns of JSON lines, and examples, are looked for."""
EXAMPLE: Final = 80
"""Characters of an example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewColumn:
    """A column of a table: what it is taken for ("" if for nothing), and its first value."""

    name: str
    role: str
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewSystem:
    """An output that would be kept; ``identical`` is an earlier one with the same text."""

    name: str
    example: str
    identical: str | None
    newest: bool
    """Whether the identical one is the newest output of a system with this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePreview:
    """What a file would be read as; ``problem`` says why it cannot be, else it is empty."""

    name: str
    format: str
    description: str
    """All that was understood, in a line."""
    segments: int
    joined: str
    """The columns that name the segments, "" where these are in their order."""
    columns: tuple[PreviewColumn, ...]
    systems: tuple[PreviewSystem, ...]
    problem: str


def preview_outputs(
    file: SentFile,
    *,
    segments: int,
    keys: tuple[tuple[str, ...], ...] | None,
    columns: Sequence[str],
    format: str,  # noqa: A002 (the word that users know)
    place: str,
) -> dict[str, Any]:
    """Read a file as `read_outputs` would, and say what became of it."""
    found: dict[str, Any] = {"kind": "", "columns": [], "systems": [], "problem": ""}
    try:
        held = opened(file)
        found["kind"] = kind = file_format(held, format)
        if kind in TABLES:
            found["columns"] = list(_columns(held, kind, columns))
        outputs = read_outputs(
            file, segments=segments, keys=keys, columns=columns, format=format, place=place
        )
    except InputError as error:
        found["problem"] = str(error)
    else:
        found["systems"] = [
            {
                "name": one.system,
                "sha256": one.text.sha256,
                "example": _shortened(next(filter(None, one.hypotheses), "")),
            }
            for one in outputs
        ]
    return found


def preview(
    file: SentFile,
    read: dict[str, Any],
    *,
    segments: int,
    keyed: bool,
    known: Sequence[OutputView],
    system: str = "",
) -> FilePreview:
    """What was read beside the outputs that are known; ``system`` renames the only one."""
    columns = tuple(PreviewColumn(**one) for one in read["columns"])
    by_text = {one.sha256: one for one in known}  # the last of equal ones
    newest = {one.system: one for one in known}
    systems = []
    for one in read["systems"]:
        name = system if system and len(read["systems"]) == 1 else one["name"]
        same = by_text.get(one["sha256"])
        own = newest.get(name)
        repeated = own is not None and own.sha256 == one["sha256"]
        if repeated:
            same = own
        systems.append(
            PreviewSystem(
                name=name,
                example=one["example"],
                identical=None if same is None else same.title,
                newest=repeated,
            )
        )
    identifiers = [one.name for one in columns if one.role in IDENTIFIERS]
    joined = " + ".join(identifiers) if keyed else ""
    return FilePreview(
        name=shown_name(file.name),
        format=read["kind"],
        description=_description(read, segments, joined),
        segments=segments if systems else 0,
        joined=joined,
        columns=columns,
        systems=tuple(systems),
        problem=read["problem"],
    )


def _description(read: dict[str, Any], segments: int, joined: str) -> str:
    """A file in a line.

    >>> _description({"kind": "text", "columns": [], "systems": [{}], "problem": ""}, 2, "")
    'plain text, a segment a line · 2 segments in their order'
    """
    parts = [FORMATS[read["kind"]].summary] if read["kind"] else []
    if read["columns"]:
        parts.append(counted(len(read["columns"]), "column"))
    if read["systems"]:
        how = f"joined by {joined}" if joined else "in their order"
        parts.append(f"{counted(segments, 'segment')} {how}")
    if len(read["systems"]) > 1:
        parts.append(counted(len(read["systems"]), "system"))
    return " · ".join(parts)


def _columns(file: TextFile, kind: str, chosen: Sequence[str]) -> Iterator[dict[str, str]]:
    """The columns of a table with the first value of each."""
    examples: dict[str, str] = {}
    with suppress(InputError):  # which reading the whole file tells, too
        table = named_rows(file, kind)
        with closing(table.rows):  # type: ignore[type-var]
            examples = dict.fromkeys(table.header or (), "")
            for _, cells in islice(table.rows, LOOKED_AT):
                for column, cell in cells.items():
                    if not examples.get(column) and cell is not None:
                        examples[column] = _shortened(cell if isinstance(cell, str) else f"{cell}")
    roles = ColumnRoles.of(chosen_columns(chosen))
    for column, example in examples.items():
        key = roles.key(column)
        role = "" if key is None else "hypothesis" if key.role == TEXT else key.role
        yield {"name": column, "role": role, "example": example}


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXAMPLE else f"{line[: EXAMPLE - 1]}…"
