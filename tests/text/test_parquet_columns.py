"""Parquet is read without Python strings where it can be, and the same comes out either way."""

from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.text import column_roles
from tertium.text.column_roles import ColumnRoles, TableBuilder
from tertium.text.corpus import Chunk
from tertium.text.files import TextFile
from tertium.text.input_files import open_inputs
from tertium.text.keyed_segments import Records
from tertium.text.named_rows import named_rows
from tertium.text.parquet_tables import read_parquet, stored_table

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

LISTS = [["一", "ب"], ["c"], ["d", "e", "f"]]
TEXTS = ["a", "שלום", ""]
PLAIN: dict[str, dict[str, Any]] = {
    "one reference": {"hypothesis": TEXTS, "reference": ["x", "y", "z"]},
    "two systems and references": {
        "hypothesis_A": TEXTS,
        "hypothesis:B": ["1", "2", "3"],
        "reference": ["x", "y", "z"],
        "reference_2": ["u", "v", "w"],
    },
    "lists": {"hypothesis": TEXTS, "references": LISTS},
    "labels": {
        "id": ["7", "8", "9"],
        "source": ["q", "r", "s"],
        "document": ["d", "d", "e"],
        "domain": ["web", "news", "web"],
        "paragraph": ["1", "2", "1"],
        "reference": TEXTS,
        "other": [1, 2, 3],
    },
    "large": {"reference": arrow.array(TEXTS, arrow.large_string())},
    "dictionary": {"reference": arrow.array(["a", "b", "a"]).dictionary_encode()},
}
ODD: dict[str, dict[str, Any]] = {
    "nulls": {"reference": ["x", None, "z"], "reference_2": ["u", "v", "w"]},
    "nulls in lists": {"references": [["x", None], ["y"], ["z"]]},
    "an empty list": {"references": [["x"], [], ["z"]], "hypothesis": TEXTS},
    "objects": {"hypotheses": [{"A": "x"}, {"A": "y"}, {"A": "z"}]},
    "numbers as labels": {"id": [1, 2, 3], "reference": TEXTS},
    "a list beside a column": {"references": LISTS, "reference_2": TEXTS},
    "no rows": {"reference": arrow.array([], arrow.string())},
}


def written(folder: Path, columns: dict[str, Any]) -> TextFile:
    path = folder / "a.parquet"
    parquet.write_table(arrow.table(columns), path)
    return TextFile.find(path)


def by_values(file: TextFile) -> Records:
    roles = ColumnRoles.of(None)
    header, rows = named_rows(file, "parquet", roles.key)
    table = TableBuilder(file.name, roles, header or ())
    for place, row in rows:
        table.add(place, row)
    return table.records()


@pytest.mark.parametrize("columns", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("rows", [1 << 16, 2])
def test_plain_columns_are_those_of_the_slow_way(
    columns: dict[str, Any], rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.text.parquet_tables.ROWS", rows)
    file = written(tmp_path, columns)
    assert read_parquet(file, ColumnRoles.of(None)) == by_values(file)


@pytest.mark.parametrize("columns", ODD.values(), ids=ODD)
def test_what_is_less_plain_is_left_to_the_slow_way(
    columns: dict[str, Any], tmp_path: Path
) -> None:
    file = written(tmp_path, columns)
    assert read_parquet(file, ColumnRoles.of(None)) is None
    assert column_roles.read_table(file, "parquet", ColumnRoles.of(None)) == by_values(file)


def test_bytes_that_are_no_text_are_told_with_their_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.text.parquet_tables.ROWS", 2)
    broken = arrow.array([b"a", b"b", b"c", b"\xff\xfe"], arrow.binary()).view(arrow.string())
    file = written(tmp_path, {"reference": broken})
    with pytest.raises(InputError, match=r"a\.parquet: column 'reference', row 4: .*UTF-8"):
        column_roles.read_table(file, "parquet", ColumnRoles.of(None))


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("columns", PLAIN.values(), ids=PLAIN)
def test_texts_that_stay_in_the_file_are_those_that_are_held(
    columns: dict[str, Any], size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.text.parquet_tables.ROWS", 2)
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"hypothesis": TEXTS, **columns}), path, row_group_size=2)
    streamed = list(open_inputs(path).chunks(size))
    monkeypatch.setattr("tertium.text.parquet_tables.stored_table", lambda *_, **__: None)
    held = list(open_inputs(path).chunks(size))
    assert [contents(one) for one in streamed] == [contents(one) for one in held]


def contents(chunk: Chunk) -> list[object]:
    corpus = chunk.corpus
    texts = [*corpus.references.columns, *(one.hypotheses for one in chunk.systems)]
    labels = [corpus.documents, corpus.genres, corpus.paragraphs, corpus.ids]
    sources = corpus.sources.to_list() if corpus.sources is not None else None
    names = [one.name for one in chunk.systems]
    return [names, [one.to_list() for one in texts], sources, labels]


def test_only_plain_strings_stay_in_the_file(tmp_path: Path) -> None:
    roles = ColumnRoles.of(None)
    assert stored_table(written(tmp_path, PLAIN["one reference"]), roles) is not None
    for columns in [PLAIN["lists"], *(one for name, one in ODD.items() if name != "objects")]:
        assert stored_table(written(tmp_path, columns), roles) is None
