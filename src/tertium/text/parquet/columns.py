"""Columns of text in Parquet files, taken as they lie there: no Python string on the way."""

from collections.abc import Collection
from contextlib import closing
from typing import Any, Final

from tertium import _native
from tertium._native import Texts, concatenate
from tertium.errors import InputError
from tertium.text.column_roles import (
    LABELS,
    TEXT,
    ColumnKey,
    ColumnRoles,
    preferred,
    table_records,
)
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.limits.budget import CELL, Budget
from tertium.text.named_rows import opened_parquet, parquet_modules, readable_parquet
from tertium.text.parquet.batches import batches_of, check_lists, row_budget

EVERY: Final = (*LABELS, TEXT, "source", "reference", "hypothesis")
"""The roles that a column can play."""


def read_parquet(
    file: TextFile, columns: ColumnRoles, *, roles: Collection[str] = EVERY
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
        budget = row_budget(file.name, len(keys))
        budget.add(rows=rows.metadata.num_rows)
        budget.restart()
        for batch in batches_of(rows, keys, budget):
            for name, key in keys.items():
                found = texts_of(batch.column(name), key, f"{file.name}: column '{name}'", done)
                if found is None:
                    return None
                parts[name].append(found)
            done += batch.num_rows
        if not done and keys:
            return None
        done = done or rows.metadata.num_rows
    by_role: dict[str, list[tuple[ColumnKey, Texts]]] = {role: [] for role in EVERY}
    for name, key in keys.items():
        by_role[key.role] += [(key, texts) for texts in _joined(parts[name], file.name)]
    return table_records(file.name, done, tuple(schema.names), by_role, columns)


def keys_of(
    names: Collection[str], columns: ColumnRoles, roles: Collection[str]
) -> dict[str, ColumnKey] | None:
    """The columns of some roles; nothing where a name, or the role of a column, is not plain."""
    if columns.paths or any(len(columns.keys(name)) > 1 for name in names):
        return None
    every = [key for name in names if (key := columns.key(name))]
    known = {key.column: key for key in preferred(every) if key.role in roles}
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
    if lists:
        check_lists(column, place)
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


def _joined(parts: list[list[Texts]], name: str) -> list[Texts]:
    """The pieces of a column below each other; where lists are short, references are missing."""
    width = max(map(len, parts))
    rows = sum(len(part[0]) for part in parts)
    Budget(name, row=CELL, rows="references of all rows").add(rows=width * rows)
    gaps = {len(part[0]): None for part in parts if len(part) < width}
    missing = {size: Texts([None] * size) for size in gaps}
    return [
        concatenate([part[i] if i < len(part) else missing[len(part[0])] for part in parts])
        for i in range(width)
    ]
