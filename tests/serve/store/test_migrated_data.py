"""Every version up and down with rows in every table: none is lost on the way up."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Column, MetaData, Table, func, insert, inspect, select

from tertium.serve.store.connection import Store, open_store
from tertium.serve.store.migration import migrate, versions
from tertium.serve.store.schema import Base

# What conditions of tables allow, by the name of the column.
ALLOWED = {
    "state": {"campaign": "open", "job": "done"},
    "kind": {"rating_item": "regular"},
    "action": {"rating_event": "rate", "annotation_event": "add"},
    "target_kind": "output",
    "format": "muc",
}
BY_TYPE: dict[type, object] = {
    bool: True, int: 7, float: 0.25, str: "sieben", bytes: b"\x00\xff",
    datetime: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), object: {"a": [1, "ß"]},  # JSON
}  # fmt: skip


def value_of(column: "Column[Any]", table: Table) -> object:
    if column.foreign_keys or column.name == "id":
        return 1
    allowed = ALLOWED.get(column.name)
    if isinstance(allowed, dict):
        allowed = allowed.get(table.name)
    return allowed or BY_TYPE[column.type.python_type]


Rows = dict[str, dict[str, object]]


def tables(store: Store) -> list[Table]:
    metadata = MetaData()
    metadata.reflect(store.engine)
    return [one for one in metadata.sorted_tables if one.name != "alembic_version"]


def fill(store: Store, some: list[Table]) -> None:
    """One row in each table that has none."""
    with store.engine.begin() as connection:
        for table in some:
            if not connection.scalar(select(func.count()).select_from(table)):
                row = {one.name: value_of(one, table) for one in table.columns}
                connection.execute(insert(table), row)


def rows(store: Store, some: list[Table]) -> Rows:
    """The row of each table that has one."""
    with store.engine.connect() as connection:
        found = {
            table.name: connection.execute(select(table)).mappings().one_or_none() for table in some
        }
    return {name: dict(row) for name, row in found.items() if row is not None}


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request: pytest.FixtureRequest, empty_place: Callable[[str], str]) -> Iterator[Store]:
    store = open_store(empty_place(request.param), migrate=False)
    yield store
    store.close()


@pytest.mark.slow
def test_rows_survive_every_version(empty: Store) -> None:
    steps = versions()
    shapes: dict[str, list[Table]] = {}
    seen: dict[str, Rows] = {}
    before: Rows = {}
    for step in steps:
        migrate(empty, step)
        shapes[step] = tables(empty)
        after = rows(empty, shapes[step])
        assert set(after) == set(before)
        for table, row in before.items():
            kept = {name: value for name, value in after[table].items() if name in row}
            assert kept == row, (step, table)
        fill(empty, shapes[step])
        before = seen[step] = rows(empty, shapes[step])
    assert set(before) == set(Base.metadata.tables)
    for step in reversed(steps[:-1]):
        migrate(empty, step)
        names = set(inspect(empty.engine).get_table_names()) - {"alembic_version"}
        assert names == set(seen[step])
        assert rows(empty, shapes[step]) == seen[step], step
    migrate(empty)  # and once more with the rows of the oldest version
    assert rows(empty, shapes[steps[-1]])["project"]["name"] == "sieben"
