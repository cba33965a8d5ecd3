"""Arrow columns of any layout have the rows that the same Python strings have."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.arrow import fit, scores, statistics, tokenize
from tertium.errors import InputError, MissingExtraError, OptionError
from tests.support.effort import examples

pa = pytest.importorskip("pyarrow", reason="columns of Arrow need pyarrow")

WORDS = st.sampled_from(
    ["", "a cat", "a much longer text than twelve bytes", "قطة جلست هنا", "猫 が"]
)
TEXTS = st.lists(st.one_of(st.none(), WORDS), max_size=20)


def layouts(values: list[str | None]) -> dict[str, Any]:
    """The same texts in every layout of Arrow."""
    plain = pa.array(values, pa.string())
    padded = pa.array([None, "before", *values, "after"], pa.string())
    views = pa.array(["x" * 20, *values], pa.string_view())
    half = len(values) // 2
    return {
        "string": plain,
        "large_string": plain.cast(pa.large_string()),
        "string_view": views.slice(1),
        "dictionary": plain.dictionary_encode(),
        "small dictionary": pa.DictionaryArray.from_arrays(
            plain.dictionary_encode().indices.cast(pa.int8()), plain.dictionary_encode().dictionary
        ),
        "slice": padded.slice(2, len(values)),
        "sliced dictionary": padded.dictionary_encode().slice(2, len(values)),
        "chunks": pa.chunked_array([plain.slice(0, half), plain.slice(half)], pa.string()),
        "no chunks": pa.chunked_array([plain]),
        "table": pa.table({"any": plain}),
        "batch": pa.record_batch({"any": padded}).slice(2, len(values)),
    }


@given(values=TEXTS, data=st.data())
@settings(max_examples=examples(40), deadline=None)
def test_every_layout_gives_the_same_rows(values: list[str | None], data: st.DataObject) -> None:
    size = len(values)
    others = data.draw(st.lists(st.one_of(st.none(), WORDS), min_size=size, max_size=size))
    expected = [
        None if one is None or other is None else tertium.parse_metric("bleu")
        .statistics([one], [other])[0].tolist()
        for one, other in zip(values, others, strict=True)
    ]  # fmt: skip
    for name, column in layouts(values).items():
        found = statistics("bleu", column, layouts(others)[name])
        assert found.to_pylist() == expected, name
        assert found.type == pa.list_(pa.float64(), 10)


LISTS = st.one_of(st.none(), st.lists(st.one_of(st.none(), WORDS), max_size=3))


@given(rows=st.lists(LISTS, max_size=12))
@settings(max_examples=examples(40), deadline=None)
def test_lists_are_several_references(rows: list[list[str | None] | None]) -> None:
    ours = pa.array(["a cat sat"] * len(rows), pa.string())
    metric = tertium.parse_metric("chrf")
    expected = []
    for row in rows:
        known = [one for one in row or [] if one is not None]
        expected.append(metric.statistics(["a cat sat"], [known])[0].tolist() if known else None)
    plain = pa.array(rows, pa.list_(pa.string()))
    padded = pa.array([["x", "y"], None, *rows], pa.list_(pa.string()))
    for column in (
        plain,
        plain.cast(pa.large_list(pa.large_string())),
        padded.slice(2),
        pa.chunked_array([plain, plain.slice(len(rows))]),
    ):
        assert statistics(metric, ours, column).to_pylist() == expected


def test_lists_of_one_size() -> None:
    rows = [["a", "b"], None, ["a b", None]]
    column = pa.array([["x", "x"], *rows], pa.list_(pa.string(), 2)).slice(1)
    found = scores("wer", pa.array(["a", "a", "a b"]), column)
    assert found.to_pylist() == [0.0, None, 0.0]


def test_scores_are_those_of_segments() -> None:
    ours, theirs = ["the cat sat on a mat", "a dog"], ["the cat sat on the mat", "a dog ran"]
    expected = tertium.score(ours, theirs, "bleu", segments=True).segments
    found = scores("bleu", pa.array(ours), pa.array(theirs))
    np.testing.assert_array_equal(found.to_numpy(), expected)


def test_rows_can_be_added_up() -> None:
    ours, theirs = ["the cat sat", "a dog"], ["the cat sat on", "a dog ran"]
    rows = np.asarray(statistics("bleu", pa.array(ours), pa.array(theirs)).values).reshape(2, -1)
    metric = tertium.parse_metric("bleu")
    assert float(metric.score(rows.sum(axis=0))) == tertium.score(ours, theirs).value


def test_a_metric_that_sees_all_references_first() -> None:
    ours, theirs = pa.array(["a b", "c d"]), pa.array(["a b", "c e"])
    with pytest.raises(OptionError, match="nist: found a metric that has not seen the references"):
        statistics("nist", ours, theirs)
    whole = tertium.parse_metric("nist").fit(["a b", "c e"]).statistics(["a b"], ["a b"])
    found = statistics(fit("nist", theirs), ours.slice(0, 1), theirs.slice(0, 1))
    assert found.to_pylist() == whole.tolist()


def test_tokens_are_those_of_the_tokenizer() -> None:
    texts = ["Hello, world.", None, "", "猫が座る", "don't stop"]
    for name in ("13a", "intl", "zh", "char", "none"):
        cut = tertium.Tokenizer.parse(name).cut
        expected = [None if one is None else cut(one) for one in texts]
        for column in layouts(texts).values():
            assert tokenize(column, name).to_pylist() == expected
    assert tokenize(pa.array(["Ä B"]), "none", lowercase=True).to_pylist() == [["ä", "b"]]


def broken(data: bytes) -> Any:
    """A column whose bytes nobody has looked at."""
    offsets = np.array([0, 1, len(data)], np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.StringArray.from_buffers(2, buffers[1], buffers[2])


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (["a", "b"], "hypotheses: found list, expected a column that speaks Arrow"),
        (pa.array([1, 2]), "hypotheses: found a column of Arrow's format 'l', expected text"),
        (pa.array([b"a", b"b"]), "hypotheses: found a column of Arrow's format 'z', expected text"),
        (pa.array([["a"], ["b"]]), r"hypotheses: found a column of Arrow's format '\+l', expected"),
        (pa.array([1, 1]).dictionary_encode(), "format 'l', expected text"),
        (pa.table({"a": ["x", "y"], "b": ["x", "y"]}), r"format '\+s', expected text"),
        (broken(b"a\xff"), "hypotheses: row 2: found bytes that are no UTF-8, expected text"),
        (broken("é".encode()), "hypotheses: row 1: found bytes that are no UTF-8, expected text"),
        (pa.array(["a"]), r"hypotheses: 1 row, expected 2 \(references\)"),
    ],
)
def test_what_is_no_text_is_refused(column: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        statistics("bleu", column, pa.array(["a", "b"]))


def test_references_of_another_type_are_refused() -> None:
    with pytest.raises(InputError, match=r"references: .*'\+s', expected text or lists of text"):
        statistics("bleu", pa.array(["a"]), pa.array([{"a": "x", "b": "y"}]))
    with pytest.raises(InputError, match=r"references: .*'l', expected text"):
        statistics("bleu", pa.array(["a"]), pa.array([[1]]))


def test_a_slice_of_a_table_of_one_column() -> None:
    rows = pa.StructArray.from_arrays([pa.array(["x", "a", None, "b", "y"])], ["any"])
    expected = [0.0, None, 0.0]
    assert scores("wer", rows.slice(1, 3), pa.array(["a", "a", "b"])).to_pylist() == expected
    lists = pa.StructArray.from_arrays([pa.array([["x"], ["a"], None, ["b", "c"]])], ["any"])
    assert scores("wer", pa.array(["a", "a", "c"]), lists.slice(1)).to_pylist() == expected
    holes = pa.array([{"any": "a"}, None])
    with pytest.raises(InputError, match=r"hypotheses: .*'\+s', expected text"):
        scores("wer", holes, pa.array(["a", "b"]))


def test_a_stream_that_fails() -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": ["x"]})
        raise ValueError("the disk is gone")

    stream = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches())
    with pytest.raises(InputError, match=r"hypotheses: .*the disk is gone"):
        statistics("bleu", stream, pa.array(["x"]))


def test_columns_without_text() -> None:
    assert statistics("bleu", pa.nulls(2), pa.array(["a", "b"])).to_pylist() == [None, None]
    assert len(statistics("bleu", pa.array([], pa.string()), pa.array([], pa.string()))) == 0
    assert scores("wer", pa.array([], pa.string()), pa.array([], pa.string())).type == pa.float64()


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pa.array(["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"the package pyarrow is missing, .*pip install"):
        statistics("bleu", column, column)


OURS, THEIRS = ["a cat", None, "a dog ran away today"], ["a cat", "x", "a dog ran off"]
EXPECTED = [0.0, None, 50.0]


def test_polars() -> None:
    polars = pytest.importorskip("polars", reason="Polars is not installed")
    frame = polars.DataFrame({"ours": OURS, "theirs": THEIRS})
    found = scores("wer", frame["ours"], frame["theirs"])
    assert found.to_pylist() == EXPECTED
    filtered = frame.filter(polars.col("ours").is_not_null())
    assert scores("wer", filtered["ours"], filtered["theirs"]).to_pylist() == [0.0, 50.0]
    several = polars.Series([["a"], ["b"], ["a dog ran away today"]])
    assert scores("wer", frame["ours"], several).to_pylist()[2] == 0.0
    category = frame["theirs"].cast(polars.Categorical)
    assert scores("wer", frame["ours"], category).to_pylist() == EXPECTED


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    base = duckdb.connect()
    base.execute("CREATE TABLE t AS SELECT * FROM (VALUES (1, 'a cat', 'a cat'), (2, NULL, 'x'), "
                 "(3, 'a dog ran away today', 'a dog ran off')) AS t(n, ours, theirs)")  # fmt: skip
    ours = base.sql("SELECT ours FROM t ORDER BY n")
    theirs = base.sql("SELECT theirs FROM t ORDER BY n")
    assert scores("wer", ours, theirs).to_pylist() == EXPECTED


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"ours": OURS, "theirs": THEIRS}, dtype="string[pyarrow]")
    if not hasattr(frame["ours"], "__arrow_c_stream__"):
        pytest.skip("pandas before 3 has no Arrow stream of a series")
    assert scores("wer", frame["ours"], frame["theirs"]).to_pylist() == EXPECTED


LISTED = [["a cat"], ["x"], ["a dog ran off", "a dog ran away today"]]


def listed(name: str) -> Any:
    """Lists of references, as other programs lay them out."""
    flat = pa.array([text for row in LISTED for text in row])
    ends = pa.array([0, 1, 2, 4], pa.int32())
    if name == "views":
        return pa.array(LISTED, pa.list_(pa.string_view()))
    if name == "dictionary":
        return pa.ListArray.from_arrays(ends, flat.dictionary_encode())
    if name == "texts from the middle of others":
        padded = pa.concat_arrays([pa.array(["before", None]), flat, pa.array(["after"])])
        return pa.ListArray.from_arrays(ends, padded.slice(2, len(flat)))
    if name == "Polars":
        polars = pytest.importorskip("polars", reason="Polars is not installed")
        return polars.concat([polars.Series(LISTED[:1]), polars.Series(LISTED[1:])], rechunk=False)
    if name == "pandas":
        pandas = pytest.importorskip("pandas", reason="pandas is not installed")
        return pandas.Series(LISTED, dtype=pandas.ArrowDtype(pa.list_(pa.string())))
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    base = duckdb.connect()
    base.register("lists", pa.table({"number": range(3), "refs": LISTED}))
    return base.sql("SELECT refs FROM lists ORDER BY number")


@pytest.mark.parametrize(
    "name",
    ["views", "dictionary", "texts from the middle of others", "Polars", "pandas", "DuckDB"],
)
def test_lists_of_other_programs(name: str) -> None:
    column = listed(name)
    if not hasattr(column, "__arrow_c_stream__") and not hasattr(column, "__arrow_c_array__"):
        pytest.skip("pandas before 3 has no Arrow stream of a series")
    expected = statistics("ter", pa.array(OURS), pa.array(LISTED)).to_pylist()
    assert statistics("ter", pa.array(OURS), column).to_pylist() == expected
    assert expected[1] is None


def test_what_few_columns_are_is_refused_by_name() -> None:
    from pyarrow import compute

    ours = pa.array(["a", "b"])
    for column, found in (
        (compute.run_end_encode(ours), r"\+r"),
        (pa.array([["a"], ["b"]], pa.list_view(pa.string())), r"\+vl"),
        (pa.array([[["a"]], [["b"]]]), r"\+l"),
    ):
        with pytest.raises(InputError, match=f"references: found .* '{found}', expected text"):
            statistics("bleu", ours, column)


def test_pandas_categories_and_plain_strings() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"ours": OURS, "theirs": THEIRS})
    if not hasattr(frame["ours"], "__arrow_c_stream__"):
        pytest.skip("pandas before 3 has no Arrow stream of a series")
    for kind in ("str", "category", "object", pandas.ArrowDtype(pa.large_string())):
        typed = frame.astype(kind)
        assert scores("wer", typed["ours"], typed["theirs"]).to_pylist() == EXPECTED, kind
