"""Relations of DuckDB and functions of its SQL, judged by the engine itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import InputError
from tertium.scale.adapters.duckdb import DuckDB, register
from tests.support.scale import judged_tables as tables

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
pa = pytest.importorskip("pyarrow", reason="tables of DuckDB need pyarrow")

ADAPTER = DuckDB()


def read(reader: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reader.read_all().to_pylist()
    return found


@pytest.fixture
def connection() -> Iterator[Any]:
    with duckdb.connect() as base:
        base.register("texts", pa.table(tables.COLUMNS))
        yield base


def test_columns(connection: Any) -> None:
    tables.expect_columns(ADAPTER, connection.sql("SELECT * FROM texts ORDER BY number"), read)


def test_score(connection: Any) -> None:
    tables.expect_score(ADAPTER, connection.sql("SELECT mt, refs FROM texts ORDER BY number"))


def test_refusals(connection: Any) -> None:
    tables.expect_refusals(ADAPTER, connection.sql("SELECT * FROM texts"))
    with pytest.raises(InputError, match="hypotheses: found a column of Arrow's format 'l'"):
        ADAPTER.scores(connection.table("texts"), "wer", hypotheses="number", references="ref")


def test_nulls(connection: Any) -> None:
    connection.register("holes", pa.table(tables.WITH_NULLS))
    tables.expect_nulls(ADAPTER, connection.sql("SELECT * FROM holes"), read)


def test_nothing(connection: Any) -> None:
    tables.expect_nothing(ADAPTER, connection.sql("SELECT * FROM texts WHERE number < 0"), read)


def test_what_is_judged_can_be_stored(connection: Any, tmp_path: Path) -> None:
    """By another connection, as the one that is read has its result open."""
    path = str(tmp_path / "judged.parquet")
    judged = ADAPTER.scores(connection.table("texts"), "bleu", hypotheses="mt", references="refs")
    with duckdb.connect() as other:
        other.from_arrow(judged).write_parquet(path)
        found = other.read_parquet(path).aggregate("count(*), avg(bleu)").fetchall()[0]
    expected = tertium.score(tables.HYPOTHESES, tables.REFERENCES, segments=True).segments
    assert expected is not None
    assert found == (len(expected), pytest.approx(expected.mean()))


def test_a_function_of_sql(connection: Any) -> None:
    assert register(connection, "bleu-sbp") == "bleu_sbp"
    assert register(connection, "chrf[word_order=2]", "chrf_words", several=True) == "chrf_words"
    for function, metric, column, texts in (
        ("bleu_sbp", "bleu-sbp", "ref", tables.SINGLE),
        ("chrf_words", "chrf[word_order=2]", "refs", tables.REFERENCES),
    ):
        found = connection.table("texts").order("number").project(f"{function}(mt, {column})")
        expected = tertium.score(tables.HYPOTHESES, texts, metric, segments=True).segments
        assert expected is not None
        assert [row[0] for row in found.fetchall()] == expected.tolist()


def test_a_function_over_many_vectors_and_nulls(connection: Any) -> None:
    register(connection, "wer")
    found = connection.sql(
        "SELECT sum(wer(CASE WHEN i % 2 = 0 THEN 'a b' || i END, 'a b' || i)), count(*) "
        "FROM range(10000) t(i)"
    ).fetchall()[0]
    assert found == (0.0, 10_000)
    assert connection.sql("SELECT wer('a', NULL), wer(NULL, 'a'), wer('a', 'b')").fetchall()[0] == (
        None, None, 100.0
    )  # fmt: skip
