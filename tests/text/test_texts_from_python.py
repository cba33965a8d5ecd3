"""Texts as programs have them: lists, dicts, data frames, arrays; and what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tertium
from tertium import Corpus, OptionError, System, TertiumError
from tertium.errors import InputError

OLD = ["the cat sat", "a dog", "nobody came"] * 8
NEW = ["the cat sat down", "a dog ran", "nobody came"] * 8
REFERENCES = ["the cat sat down", "the dog ran", "nobody came home"] * 8
OTHER = ["a cat sat down", "a dog ran", "nobody has come"] * 8
SYSTEMS = {"old": OLD, "new": NEW}

COLUMNS: dict[str, Callable[[list[str]], Any]] = {
    "tuple": tuple,
    "numpy": np.array,
    "pandas": lambda texts: pd.Series(texts, index=range(7, 7 + len(texts))),
    "pandas strings": lambda texts: pd.Series(texts, dtype="string"),
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow chunks": lambda texts: pa.chunked_array([texts[:5], texts[5:]]),
}
TABLES: dict[str, Callable[[dict[str, list[str]]], Any]] = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_column_is_as_good_as_a_list(column: Callable[[list[str]], Any]) -> None:
    found = tertium.score(column(NEW), column(REFERENCES), "chrf", segments=True)
    expected = tertium.score(NEW, REFERENCES, "chrf", segments=True)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_table_has_a_system_or_a_set_of_references_in_each_column(
    table: Callable[[dict[str, list[str]]], Any],
) -> None:
    sets = table({"first": REFERENCES, "second": OTHER})
    found = tertium.score(table(SYSTEMS), sets, ["bleu", "wer"])
    lists = list(zip(REFERENCES, OTHER, strict=True))
    for name, texts in SYSTEMS.items():
        for metric in ("bleu", "wer"):
            assert found[name][metric].value == tertium.score(texts, lists, metric).value
            assert found[name][metric].references == "2"


CALLS: dict[str, Callable[..., Any]] = {
    "evaluate": tertium.evaluate,
    "scored": lambda *texts: tertium.scored(*texts).evaluation(),
    "compare": lambda *texts: tertium.compare(*texts, trials=100),
    "decide": lambda *texts: tertium.decide(*texts, trials=100),
    "audit": tertium.audit,
    "study": lambda *texts: tertium.study(*texts, trials=100),
    "power": lambda *texts: tertium.power(*texts, trials=100),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_every_call_takes_systems_by_name(call: Callable[..., Any]) -> None:
    corpus = Corpus(references=REFERENCES)
    systems = [System(name=name, hypotheses=texts) for name, texts in SYSTEMS.items()]
    expected = call(corpus, systems).to_dict()
    for texts in (
        (SYSTEMS, REFERENCES),
        (SYSTEMS, corpus),
        (REFERENCES, SYSTEMS),
        (corpus, SYSTEMS),
        (systems, REFERENCES),
        (pd.DataFrame(SYSTEMS), pd.DataFrame({"references": REFERENCES})),
    ):
        assert call(*texts).to_dict() == expected


def test_one_metric_needs_no_list() -> None:
    found = tertium.compare(SYSTEMS, REFERENCES, "wer", trials=100).to_dict()
    assert found == tertium.compare(SYSTEMS, REFERENCES, ["wer"], trials=100).to_dict()
    assert tertium.explain(SYSTEMS, REFERENCES, "wer").metric.name == "wer"


def test_scores_are_found_by_the_metric() -> None:
    scores = tertium.score(NEW, REFERENCES, ["bleu[order=2]", "chrf"])["system"]
    assert scores["bleu[order=2]"] is scores.scores[0]
    assert scores["chrf"] is scores.scores[1]
    with pytest.raises(KeyError, match="wer"):
        scores["wer"]


def test_missing_references_of_a_data_frame() -> None:
    frame = pd.DataFrame({"first": REFERENCES, "second": [None, *OTHER[1:]]})
    expected = [[REFERENCES[0]], *map(list, zip(REFERENCES[1:], OTHER[1:], strict=True))]
    assert tertium.score(NEW, frame).value == tertium.score(NEW, expected).value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: tertium.score(pd.Series(["a", None]), ["a", "b"]),
            "hypotheses: found None, expected a string for every segment",
        ),
        (
            lambda: tertium.score(["a", "b"], pd.Series(["a", None])),
            "segment 2: no reference, expected at least one",
        ),
        (
            lambda: tertium.score(["a"], iter(["a"])),  # type: ignore[call-overload]
            "references: found list_iterator, expected a list of segments",
        ),
        (
            lambda: tertium.score(["a"], [1]),  # type: ignore[list-item]
            "references: segment 1: found int, expected a string or a list of strings",
        ),
        (
            lambda: tertium.score(["a"], ["a"], []),
            "metric: found none, expected at least one",
        ),
        (
            lambda: tertium.score(["a", "b"], {"first": ["a", "b"], "second": ["a"]}),
            "references: found columns of different lengths (first 2, second 1), expected one",
        ),
        (
            lambda: tertium.evaluate({"a": pd.DataFrame({"x": ["a"]})}, ["a"]),
            "a: found a table of x, expected one column",
        ),
        (
            lambda: tertium.compare(["a"], ["a"]),
            'systems: found str, expected names and segments, such as {"A": ["first segment", …]}',
        ),
        (
            lambda: tertium.compare({"a": ["a"]}),
            "references: found none, expected them beside the systems",
        ),
        (
            lambda: tertium.decide(["a", "b"], {"a": ["a", "b"], "b": ["a"]}),
            "b: 1 segment, expected 2 (reference references)",
        ),
    ],
)
def test_wrong_shapes_are_errors_of_one_line(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(TertiumError) as caught:
        call()
    assert str(caught.value) == message
    assert isinstance(caught.value, InputError | OptionError)


def test_an_open_file_is_not_a_list_of_segments(tmp_path: Any) -> None:
    (tmp_path / "a.txt").write_text("a\n", encoding="utf-8")
    message = "hypotheses: found an open file, expected a list"
    with (
        (tmp_path / "a.txt").open(encoding="utf-8") as file,
        pytest.raises(InputError, match=message),
    ):
        tertium.score(file, ["a"])


def test_results_become_data_frames() -> None:
    decision = tertium.decide(SYSTEMS, REFERENCES, ["bleu", "chrf"], trials=100)
    frame = decision.to_dataframe()
    assert list(frame["metric"]) == ["bleu", "chrf"]
    assert list(frame["delta"]) == [piece.delta for piece in decision["new"].metrics]
    power = tertium.power(SYSTEMS, REFERENCES, trials=100)
    assert list(power.to_dataframe()["detectable"]) == [pair.detectable for pair in power.pairs]
