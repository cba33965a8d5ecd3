"""Datasets of Ray Data, judged by a cluster of two workers on this machine."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tertium.scale.adapters.ray import Ray
from tests.support.scale import judged_tables as tables

# What the engine warns of is its own affair.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

ray = pytest.importorskip("ray", reason="Ray is not installed: 'make test-scale' does that")
pa = pytest.importorskip("pyarrow", reason="datasets of Ray need pyarrow")

ADAPTER = Ray()


def read(dataset: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dataset.take_all()
    return found


@pytest.fixture(scope="module")
def data() -> Iterator[Any]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray.data
    ray.shutdown()


@pytest.fixture(scope="module")
def table(data: Any) -> Any:
    """Seven blocks, which two workers finish in any order."""
    whole = pa.table(tables.COLUMNS)
    cuts = [0, 1, 300, 301, 700, 1100, 1499, len(whole)]
    return data.from_arrow([whole[a:b] for a, b in pairwise(cuts)])


def test_columns(table: Any) -> None:
    tables.expect_columns(ADAPTER, table, read)


def test_score(table: Any) -> None:
    tables.expect_score(ADAPTER, table)


def test_refusals(table: Any) -> None:
    tables.expect_refusals(ADAPTER, table)


def test_nulls(data: Any) -> None:
    tables.expect_nulls(ADAPTER, data.from_arrow(pa.table(tables.WITH_NULLS)), read)


def test_nothing(data: Any) -> None:
    empty = pa.table(tables.COLUMNS)[:0]
    tables.expect_nothing(ADAPTER, data.from_arrow(empty), read)
