"""TSV, CSV, JSON lines and Parquet: the same segments whichever way they were written."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text.input_files import open_inputs
from tests.support.effort import examples
from tests.support.reading import hypotheses, joined, references, written

Table = Mapping[str, Sequence[str | None]]

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
cells_of_tsv = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters='\n\r\t"'), max_size=9
)


def as_tsv(table: Table) -> bytes:
    rows = [
        list(table),
        *([cell or "" for cell in row] for row in zip(*table.values(), strict=True)),
    ]
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def as_csv(table: Table) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return out.getvalue().encode()


def as_jsonl(table: Table) -> bytes:
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_parquet(table: Table) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    columns = {name: arrow.array(list(column), arrow.string()) for name, column in table.items()}
    parquet.write_table(arrow.table(columns), out)
    return out.getvalue()


WRITERS: dict[str, Callable[[Table], bytes]] = {
    "tsv": as_tsv,
    "csv": as_csv,
    "jsonl": as_jsonl,
    "parquet": as_parquet,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
@settings(max_examples=examples(40), deadline=None)  # files
@given(data=st.data())
def test_written_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    cell = cells_of_tsv if kind == "tsv" else any_text
    optional = st.none() | cell.filter(bool)
    row = st.tuples(cell, cell, cell, optional, st.just("news") | cell, cell)
    rows = data.draw(st.lists(row, min_size=1, max_size=8))
    if kind in ("tsv", "csv"):  # an empty cell would be a missing reference
        rows = [
            (source, hypothesis, reference or "x", *rest)
            for source, hypothesis, reference, *rest in rows
        ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    names = ("source", "hypothesis", "reference", "reference_2", "genre", "document")
    path = tmp_path_factory.mktemp("table") / f"sys.{kind}"
    inputs = open_inputs([written(path, WRITERS[kind](dict(zip(names, columns, strict=True))))])
    chunk = inputs.load()
    assert inputs.system_names == ("sys",)
    assert hypotheses(chunk) == [columns[1]]
    assert references(chunk) == columns[2:4]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == columns[0]
    assert [list(chunk.corpus.labels(by)) for by in ("genre", "document")] == columns[4:]
    for segments in (1, 2, 7):
        assert joined(inputs, segments) == joined(inputs, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_more_rows_than_a_batch_and_a_long_cell(tmp_path: Path, kind: str) -> None:
    texts = [f"row {number}" for number in range(40_000)]
    texts[5] = "long " * 2_000_000
    path = written(tmp_path / f"a.{kind}", WRITERS[kind]({"reference": texts, "hypothesis": texts}))
    chunk = open_inputs([path]).load()
    assert hypotheses(chunk) == references(chunk) == [texts]


@pytest.mark.parametrize("kind", WRITERS)
def test_several_systems_and_renamed_columns(tmp_path: Path, kind: str) -> None:
    table = {
        "target": ["r1", "r2"],
        "reference_old": ["x", "x"],
        "mt": ["m1", "m2"],
        "hypothesis_A": ["a1", "a2"],
        "hypothesis:b/c": ["b1", "b2"],
        "hypothesis": ["h1", "h2"],
        "domain": ["news", "web"],
    }
    path = written(tmp_path / f"all.{kind}", WRITERS[kind](table))
    inputs = open_inputs([path])
    assert inputs.system_names == ("A", "b/c", "all")
    assert hypotheses(inputs.load()) == [["a1", "a2"], ["b1", "b2"], ["h1", "h2"]]
    assert inputs.load().corpus.genres == ("news", "web")
    inputs = open_inputs([path], columns={"reference": "target", "hypothesis": "mt"})
    assert inputs.system_names == ("all",)
    assert references(inputs.load()) == [["r1", "r2"]]
    assert hypotheses(inputs.load()) == [["m1", "m2"]]
    several = {"reference": ["target", "mt"], "hypothesis": ["reference_old", "hypothesis"]}
    inputs = open_inputs([path], columns=several)
    assert inputs.system_names == ("reference_old", "hypothesis")
    assert references(inputs.load()) == [["r1", "r2"], ["m1", "m2"]]


@pytest.mark.parametrize("kind", WRITERS)
def test_tables_match_by_id(tmp_path: Path, kind: str) -> None:
    def table(name: str, contents: Table) -> Path:
        return written(tmp_path / f"{name}.{kind}", WRITERS[kind](contents))

    reference = table("ref", {"id": ["1", "2", "3"], "reference": ["r1", "r2", "r3"]})
    system = table("sys", {"hypothesis": ["h3", "h1", "h2"], "id": ["3", "1", "2"]})
    plain = written(tmp_path / "plain.txt", "p1\np2\np3\n")
    inputs = open_inputs([reference], [system, plain])
    assert inputs.system_names == ("sys", "plain")
    assert hypotheses(inputs.load()) == [["h1", "h2", "h3"], ["p1", "p2", "p3"]]
    assert inputs.load().corpus.ids == ("1", "2", "3")
    # Without ids on one side the position counts.
    assert hypotheses(open_inputs([plain], [system]).load()) == [["h3", "h1", "h2"]]
    for name, ids, message in [
        (
            "few",
            "31",
            (
                f"few.{kind}: 2 of 3 segments in common with ref.{kind}, 1 only there (such as id "
                "'2'), expected the same (--common scores the 2 in common)"
            ),
        ),
        (
            "many",
            "3142",
            (
                f"many.{kind}: 3 of 3 segments in common with ref.{kind}, 1 only here (such as id "
                "'4'), expected the same (--common scores the 3 in common)"
            ),
        ),
        ("twice", "3131", f"twice.{kind}: id '3' in segments 1 and 3, expected once"),
    ]:
        bad = table(name, {"id": list(ids), "hypothesis": list(ids)})
        with pytest.raises(InputError) as error:
            open_inputs([reference], [bad])
        assert str(error.value).replace(f"{tmp_path}/", "") == message


def test_source_and_system_tables_beside_plain_text(tmp_path: Path) -> None:
    plain = written(tmp_path / "ref.txt", "r1\nr2\n")
    table = written(tmp_path / "all.tsv", "source\thypothesis\ns1\th1\ns2\th2\n")
    chunk = open_inputs([plain], [table], source=table).load()
    assert hypotheses(chunk) == [["h1", "h2"]]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == ["s1", "s2"]
    longer = written(tmp_path / "longer.tsv", "hypothesis\nh1\nh2\nh3\n")
    with pytest.raises(
        InputError, match=r"longer\.tsv: 3 segments, expected 2 \(reference .*txt\)"
    ):
        open_inputs([plain], [longer]).load()


def test_json_lists_objects_and_numbers(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "references": ["a", "b"], "hypotheses": {"x": "hx", "y": "hy"}, "other": [1]},
        {"id": 2, "references": ["c"], "hypotheses": {"y": "hy", "x": "hx"}},
        {"id": 3, "references": [None, "d", "e"], "hypotheses": {"x": "", "y": "\ud83d\ude00"}},
        {"id": 4, "reference": "f", "hypotheses": {"x": "1", "y": "2"}},
    ]
    path = written(tmp_path / "a.jsonl", "\r\n".join(map(json.dumps, rows)))
    inputs = open_inputs([path])
    assert inputs.system_names == ("x", "y")
    assert hypotheses(inputs.load()) == [["hx", "hx", "", "1"], ["hy", "hy", "😀", "2"]]
    assert references(inputs.load()) == [
        ["a", "c", None, None],
        ["b", None, "d", None],
        [None, None, "e", None],
        [None, None, None, "f"],
    ]
    assert inputs.load().corpus.ids == ("1", "2", "3", "4")


def test_parquet_lists_and_structs(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    rows = [
        {"id": 7, "references": ["a", "b"], "hypotheses": {"x": "hx"}, "other": 1.5},
        {"id": 8, "references": ["c"], "hypotheses": {"x": "hz"}, "other": 2.5},
    ]
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    inputs = open_inputs([path])
    assert hypotheses(inputs.load()) == [["hx", "hz"]]
    assert references(inputs.load()) == [["a", "c"], ["b", None]]
    assert inputs.load().corpus.ids == ("7", "8")


@pytest.mark.parametrize("kind", ["tsv", "csv"])
def test_a_table_without_rows(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path / f"a.{kind}", WRITERS[kind]({"reference": [], "hypothesis": []}))
    assert len(open_inputs([path]).load()) == 0


def test_an_only_empty_cell_is_an_empty_reference(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "reference\thypothesis\n\th1\nr2\t\n")
    assert references(open_inputs([path]).load()) == [["", "r2"]]
    assert hypotheses(open_inputs([path]).load()) == [["h1", ""]]


ERRORS = [
    ("a.tsv", "", "a.tsv: empty, expected a row of column names"),
    ("a.csv", "", "a.csv: empty, expected a row of column names"),
    ("a.tsv", "reference\ta\nx\n", "a.tsv:2: 1 column, expected 2 as in line 1"),
    ("a.tsv", "reference\nx\ty\n", "a.tsv:2: 2 columns, expected 1 as in line 1"),
    ("a.csv", 'reference,a\n"x\ny",z\nx\n', "a.csv:4: 1 column, expected 2 as in line 1"),
    ("a.csv", 'reference\n"x"y\n', "a.csv:2: ',' expected after '\"', expected CSV"),
    ("a.csv", 'reference\n"x\n', "a.csv:2: unexpected end of data, expected CSV"),
    ("a.tsv", "id\tid\n", "a.tsv:1: column 'id' twice, expected once"),
    (
        "a.tsv",
        "target\thypothesis\nx\ty\n",
        (
            "a.tsv: found target, hypothesis, expected to know what 'target' is beside a "
            "hypothesis: --columns reference=target"
        ),
    ),
    (
        "a.tsv",
        "reference\tgenre\tdomain\thypothesis\nx\ty\tz\th\n",
        "a.tsv: 'genre' and 'domain' both give the genre, expected one column",
    ),
    (
        "a.tsv",
        "reference_1\treference_2\thypothesis\na\tb\tc\n\t\td\n",
        "a.tsv: segment 2: no reference, expected at least one",
    ),
    ("a.jsonl", "{}\n\n", "a.jsonl:2: Expecting value: line 1 column 1 (char 0), expected one"),
    ("a.jsonl", "[1]\n", "a.jsonl: object 1: a number, expected an object"),
    ("a.jsonl", "[" * 99_999, "a.jsonl: maximum recursion depth exceeded"),
    ("a.json", '{\n"reference": "x"\n}\n', "a.json: an object over several lines, expected JSON l"),
    ("a.jsonl", '{"reference": 5}\n', "a.jsonl:1: 'reference' is a number, expected text"),
    (
        "a.jsonl",
        '{"reference": "r", "hypotheses": {"x": ["h"]}}\n',
        "a.jsonl:1: 'hypotheses' of 'x' is a list, expected text",
    ),
    (
        "a.jsonl",
        '{"reference": "r", "hypothesis": "h"}\n{"reference": "r"}\n',
        "a.jsonl: segment 2: no 'hypothesis', expected one in every row",
    ),
    (
        "a.jsonl",
        '{"reference": "r", "hypothesis": "h"}\n{"reference": "r", "hypothesis": null}\n',
        "a.jsonl: segment 2: no 'hypothesis', expected one in every row",
    ),
    (
        "a.jsonl",
        '{"reference": "r", "hypothesis": "h"}\n{"references": [], "hypothesis": "h"}\n',
        "a.jsonl: segment 2: no reference, expected at least one",
    ),
    (
        "a.jsonl",
        '{"reference": "r", "hypothesis": "h"}\n{"reference": "\\ud800", "hypothesis": "h"}\n',
        "a.jsonl: segment 2: a lone surrogate, expected UTF-8 text",
    ),
    (
        "a.jsonl",
        '{"reference": "r", "hypothesis_x": "h", "hypothesis:x": "h"}\n',
        "a.jsonl: system name 'x' is that of a.jsonl too, expected different names",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), ERRORS)
def test_tables_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / name, content)
    with pytest.raises(InputError) as error:
        open_inputs([name], stdin=io.BytesIO()).load()
    assert str(error.value).startswith(message)


def test_parquet_that_is_none(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = written(tmp_path / "a.parquet", b"not parquet at all")
    with pytest.raises(InputError, match=r"a\.parquet: .*, expected a Parquet file"):
        open_inputs([path])


def test_roles_that_files_lack(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", "reference\nx\n")
    with pytest.raises(
        InputError, match="found reference, expected a column 'hypothesis', <tstset>"
    ):
        open_inputs([path], [path])
    with pytest.raises(InputError, match="found reference, expected a column 'source', <srcset>"):
        open_inputs([path], "-", source=path, stdin=io.BytesIO(b"x\n"))
    with pytest.raises(InputError, match="no column 'topic', expected for the genre"):
        open_inputs([path], "-", columns={"genre": "topic"}, stdin=io.BytesIO(b"x\n"))


def test_the_csv_limit_of_the_process_is_left_alone(tmp_path: Path) -> None:
    before = csv.field_size_limit()
    path = written(tmp_path / "a.csv", "reference,hypothesis\na,b\n")
    assert len(open_inputs([path]).load()) == 1
    assert csv.field_size_limit() == before
