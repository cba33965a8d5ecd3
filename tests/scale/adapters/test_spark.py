"""Data frames of Spark, judged by two of its workers on this machine."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tertium.errors import MissingExtraError
from tertium.scale.adapters.spark import Spark
from tests.support.scale import judged_tables as tables

# What the engine warns of is its own affair.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

sql = pytest.importorskip("pyspark.sql", reason="Spark is not installed: 'make test-scale' does it")
if not shutil.which("java") and "JAVA_HOME" not in os.environ:
    pytest.skip(
        "Spark needs Java: no 'java' on the path, and no JAVA_HOME", allow_module_level=True
    )

ADAPTER = Spark()
SCHEMA = "number bigint, mt string, refs array<string>, ref string"


def read(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict() for row in frame.collect()]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Workers with this interpreter, and batches smaller than a partition."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[2]")
        for option, value in {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "200",
            "spark.sql.shuffle.partitions": "2",
        }.items():
            builder = builder.config(option, value)
        started = builder.getOrCreate()
        started.sparkContext.setLogLevel("OFF")
        yield started
        started.stop()


@pytest.fixture(scope="module")
def table(session: Any) -> Any:
    rows = list(zip(*tables.COLUMNS.values(), strict=True))
    return session.createDataFrame(session.sparkContext.parallelize(rows, 3), SCHEMA)


def test_columns(table: Any) -> None:
    tables.expect_columns(ADAPTER, table, read)


def test_score(table: Any) -> None:
    tables.expect_score(ADAPTER, table)


def test_refusals(table: Any) -> None:
    tables.expect_refusals(ADAPTER, table)


def test_nulls(session: Any) -> None:
    rows = list(zip(*tables.WITH_NULLS.values(), strict=True))
    frame = session.createDataFrame(rows, "mt string, refs array<string>")
    tables.expect_nulls(ADAPTER, frame, read)


def test_nothing(session: Any) -> None:
    tables.expect_nothing(ADAPTER, session.createDataFrame([], SCHEMA), read)


def test_workers_with_another_interpreter(
    session: Any, table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = shutil.which("python3", path=f"{sys.base_prefix}/bin")
    if bare is None or sys.prefix == sys.base_prefix:
        pytest.skip("there is no other interpreter, one without tertium")
    monkeypatch.setattr(session.sparkContext, "pythonExec", bare)
    with pytest.raises(MissingExtraError, match="found a Python without tertium, expected one"):
        ADAPTER.score(table, "bleu", hypotheses="mt", references="ref")
