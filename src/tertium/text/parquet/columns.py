"""Columns of text in Parquet files, taken as they lie there: no Python string on the way."""

from collections.abc import Callable, Collection
from contextlib import closing
from typing import Any, Final

from tertium import _native
from tertium._native import Texts, concatenate
from tertium.errors import InputError
from tertium.text.column_roles import LABELS, ROLES, ColumnKey, ColumnRoles
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.named_rows import opened_parquet, parquet_modules, readable_parquet

ROWS: Final = 1 << 15
"""How many are decoded at a time."""


def read_parquet(
    file: TextFile, columns: ColumnRoles, *, roles: Collection[str] = ROLES
) -> Records | None:
    """All rows of a table whose columns of these roles are all text without gaps, else nothing.

    Whatever is less plain (nulls, numbers, objects, lists of several columns) is for
    `tertium.text.tables`, which goes through it value by value and gives the same for plain text.
    """
    arrow, _ = parquet_modules(file.name)
    with readable_parquet(file.name, arrow), closing(opened_parquet(file)) as rows:
        schema = rows.schema_arrow
        keys = keys_of(schema.names, columns, roles)
        if keys is None or not _are_plain(schema, keys, arrow.types):
            return None
        parts: dict[str, list[list[Texts]]] = {name: [] for name in keys}
        done = 0
        for batch in rows.iter_batches(batch_size=ROWS, columns=list(keys)):
            for name, key in keys.items():
                found = texts_of(batch.column(name), key, f"{file.name}: column '{name}'", done)
                if found is None:
                    return None
                parts[name].append(found)
            done += batch.num_rows
        if not done and keys:
            return None
        done = done or rows.metadata.num_rows
    return _records(file.name, tuple(schema.names), keys, parts, done)


def keys_of(
    names: Collection[str], columns: ColumnRoles, roles: Collection[str]
) -> dict[str, ColumnKey] | None:
    """The columns of some roles; nothing where one name, or one role for one column, is twice."""
    known = {name: key for name in names if (key := columns.key(name)) and key.role in roles}
    single = [key.role for key in known.values() if key.role not in {"reference", "hypothesis"}]
    unique = len(set(names)) == len(names) and len(set(single)) == len(single)
    return known if unique else None


def _are_plain(schema: Any, keys: dict[str, ColumnKey], types: Any) -> bool:
    """Whether the core can take every column, and in the order of the slow way."""
    references = [name for name, key in keys.items() if key.role == "reference"]
    for name, key in keys.items():
        kind = schema.field(name).type
        if key.role == "reference" and len(references) == 1 and _is_list(kind, types):
            kind = kind.value_type
        if not is_text(kind, types):
            return False
    return True


def _is_list(kind: Any, types: Any) -> bool:
    return bool(types.is_list(kind) or types.is_large_list(kind))


def is_text(kind: Any, types: Any) -> bool:
    """Whether a column of this type has strings."""
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def texts_of(column: Any, key: ColumnKey, place: str, before: int) -> list[Texts] | None:
    """The native columns of one of Arrow's; nothing if a value is missing."""
    lists = hasattr(column, "flatten") and hasattr(column, "offsets")
    if column.null_count or (lists and column.flatten().null_count):
        return None
    try:
        texts, valid = _native.arrow_array(
            *column.__arrow_c_array__(), lists=key.role == "reference"
        )
    except ValueError as error:
        raise InputError(_located(str(error), place, before)) from None
    return texts if 0 not in valid else None  # an empty list has no reference


def _located(message: str, place: str, before: int) -> str:
    """The core counts the rows that it was given."""
    head, _, rest = message.partition(": ")
    if not head.startswith("row "):
        return f"{place}: {message}"
    return f"{place}, row {before + int(head.removeprefix('row '))}: {rest}"


def _records(
    name: str,
    found: tuple[str, ...],
    keys: dict[str, ColumnKey],
    parts: dict[str, list[list[Texts]]],
    size: int,
) -> Records:
    def of_role(role: str) -> list[tuple[ColumnKey, Texts]]:
        return [
            (key, texts)
            for column, key in keys.items()
            if key.role == role
            for texts in _joined(parts[column])
        ]

    def only(role: str, made: Callable[[Texts], Any]) -> Any:
        return next((made(texts) for _, texts in of_role(role)), None)

    labels = {role: only(role, _labels) for role in LABELS}
    return Records(
        name=name,
        size=size,
        found=found,
        keys=None if labels["id"] is None else tuple((label,) for label in labels["id"]),
        source=only("source", lambda texts: texts),
        references=tuple(texts for _, texts in of_role("reference")),
        systems=tuple(
            (None if key.part is None else str(key.part), texts)
            for key, texts in of_role("hypothesis")
        ),
        documents=labels["document"],
        genres=labels["genre"],
        paragraphs=labels["paragraph"],
    )


def _joined(parts: list[list[Texts]]) -> list[Texts]:
    """The pieces of a column below each other; where lists are short, references are missing."""
    width = max(map(len, parts))
    gaps = {len(part[0]): None for part in parts if len(part) < width}
    missing = {size: Texts([None] * size) for size in gaps}
    return [
        concatenate([part[i] if i < len(part) else missing[len(part[0])] for part in parts])
        for i in range(width)
    ]


def _labels(texts: Texts) -> tuple[str, ...]:
    known: dict[str, str] = {}
    return tuple(known.setdefault(label or "", label or "") for label in texts.to_list())
