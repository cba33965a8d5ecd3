"""Frames of Polars, judged by the engine itself."""

from typing import Any

import pytest

from tertium.arrow import scores
from tertium.errors import InputError
from tertium.scale.adapters.polars import Polars, expression
from tests.support.scale import judged_tables as tables

polars = pytest.importorskip("polars", reason="Polars is not installed")

ADAPTER = Polars()


def read(frame: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = frame.lazy().collect().to_dicts()
    return found


@pytest.fixture(params=["eager", "lazy", "chunks"])
def table(request: pytest.FixtureRequest) -> Any:
    frame = polars.DataFrame(tables.COLUMNS)
    if request.param == "chunks":
        return polars.concat([frame[:400], frame[400:401], frame[401:]], rechunk=False)
    return frame.lazy() if request.param == "lazy" else frame


def test_columns(table: Any) -> None:
    tables.expect_columns(ADAPTER, table, read)


def test_score(table: Any) -> None:
    tables.expect_score(ADAPTER, table)


def test_refusals(table: Any) -> None:
    tables.expect_refusals(ADAPTER, table)


def test_nulls() -> None:
    tables.expect_nulls(ADAPTER, polars.DataFrame(tables.WITH_NULLS), read)
    tables.expect_nulls(ADAPTER, polars.LazyFrame(tables.WITH_NULLS), read)


def test_nothing() -> None:
    tables.expect_nothing(ADAPTER, polars.DataFrame(tables.COLUMNS).clear(), read)


def test_a_lazy_frame_knows_its_columns_before_it_runs() -> None:
    lazy = polars.LazyFrame(tables.COLUMNS)
    judged = ADAPTER.statistics(lazy, ["wer", "bleu"], hypotheses="mt", references="ref")
    found = judged.collect_schema()
    assert found["wer_statistics"] == polars.Array(polars.Float64, 4)
    assert found["bleu_statistics"] == polars.Array(polars.Float64, 10)
    assert judged.collect(engine="streaming").schema == found
    better = ADAPTER.scores(lazy, "wer", hypotheses="mt", references="ref").filter(
        polars.col("wer") < 50
    )
    assert 0 < len(better.collect()) < len(tables.HYPOTHESES)


def test_an_expression() -> None:
    frame = polars.DataFrame(tables.COLUMNS)
    chosen = expression("ter", hypotheses="mt", references=polars.concat_list("ref", "mt"))
    assert frame.select(chosen)["ter"].to_list() == [0.0] * len(frame)
    plain = expression("chrf[word_order=2]", hypotheses="mt", references="ref")
    found = frame.lazy().select(plain, "number").collect(engine="streaming").sort("number")
    expected = scores("chrf[word_order=2]", frame["mt"], frame["ref"])
    assert found["chrf[word_order=2]"].to_list() == expected.to_pylist()


def test_a_column_of_another_type() -> None:
    frame = polars.DataFrame(tables.COLUMNS)
    with pytest.raises(InputError, match="hypotheses: found a column of Arrow's format 'l'"):
        ADAPTER.scores(frame, "wer", hypotheses="number", references="ref")
    category = frame.with_columns(polars.col("ref").cast(polars.Categorical))
    tables.expect_score(ADAPTER, category)
