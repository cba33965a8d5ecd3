"""What adapters ask for, and of whom."""

import sys
from importlib import import_module
from typing import Any

import pytest

from tertium import _native
from tertium.arrow import fit
from tertium.errors import MissingExtraError, OptionError
from tertium.scale.adapters.adapter import Task, leave_processors_to_the_engine

pa = pytest.importorskip("pyarrow", reason="tables of Arrow need pyarrow")


def test_columns_are_named_after_metrics_unless_they_have_names() -> None:
    def names(kind: Any, metrics: Any) -> list[str]:
        task = Task.of(kind, metrics, "mt", "ref")
        return [name for name, _ in task.metrics]

    assert names("scores", "bleu[tokenizer=13a]") == ["bleu"]
    assert names("statistics", ["wer", "chrf[word_order=2]"]) == [
        "wer_statistics",
        "chrf[word_order=2]_statistics",
    ]
    assert names("statistics", {"a": "bleu", "b": "ter"}) == ["a", "b"]


def test_one_column_may_be_both_sides() -> None:
    task = Task.of("scores", "wer", "text", "text")
    assert task.extended(pa.table({"text": ["a b", None]})).to_pydict() == {
        "text": ["a b", None],
        "wer": [0.0, None],
    }


def test_a_worker_has_one_thread_unless_the_user_knows_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    try:
        monkeypatch.setenv("TERTIUM_THREADS", "3")
        leave_processors_to_the_engine()
        assert _native.worker_count() == 3
        monkeypatch.delenv("TERTIUM_THREADS")
        leave_processors_to_the_engine()
        assert _native.worker_count() == 1
    finally:
        _native.set_worker_count(0)


@pytest.mark.parametrize(
    ("engine", "package", "call"),
    [
        ("polars", "polars", lambda module: module.expression("bleu")),
        (
            "spark",
            "pyspark.sql.types",
            lambda module: module.Spark().extended(None, Task.of("scores", "bleu", "mt", "ref")),
        ),
    ],
)
def test_an_engine_that_is_not_installed(
    engine: str, package: str, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"tertium.scale.adapters.{engine}")
    monkeypatch.setitem(sys.modules, package, None)
    message = f"{engine}: the package {package.partition('.')[0]} is missing, .*pip install"
    with pytest.raises(MissingExtraError, match=message):
        call(module)


def test_adapters_are_imported_without_their_engines() -> None:
    """A table shows that its engine is there, so nothing is imported before one is given."""
    for engine in ("duckdb", "polars", "ray", "spark"):
        module = import_module(f"tertium.scale.adapters.{engine}")
        assert {"statistics", "scores", "score"} <= set(dir(module))


def test_a_metric_that_stays_in_its_process() -> None:
    bound = fit("nist", pa.array(["a b", "c d"]))
    task = Task.of("scores", bound, "mt", "ref")
    table = pa.table({"mt": ["a b"], "ref": ["a b"]})
    assert task.extended(table)["nist"].to_pylist()[0] > 0
    for engine, name in (("ray", "Ray"), ("spark", "Spark")):
        adapter = getattr(import_module(f"tertium.scale.adapters.{engine}"), name)()
        with pytest.raises(OptionError, match=r"^nist: found a metric that cannot be sent to wor"):
            adapter.extended(None, task)
        with pytest.raises(OptionError, match=r"^nist: found a metric that cannot be sent to wor"):
            next(adapter.partials(None, task, keep=False))
    Task.of("scores", ["bleu[tokenizer=intl]", "ter", "chrf"], "mt", "ref").check_sendable()
