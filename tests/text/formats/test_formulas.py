"""Cells that a spreadsheet would run: made harmless in downloads, and read back as they were."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.text.files import TextFile
from tertium.text.formats.formulas import (
    FORMULA_COLUMN,
    is_formula,
    neutral_cell,
    neutral_table,
    restored_cell,
    restored_row,
)
from tertium.text.named_rows import named_rows

# After OWASP's page on CSV injection, with texts as translations have them.
RUN = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\tx",
    "  =1+1",
    '"=1+1"',
    "'=1+1",
    "'\r",
    "''\tx",
    "＝1+1",
    "- Ja, gerne.",
    "-1 Grad",
]
HARMLESS = ["", "a", "-0.53", "+1", "-1e-05", "-.5", "12 %", "-3%", "a=b", "'s ist gut", "-inf"]


@pytest.mark.parametrize("cell", RUN)
def test_a_cell_that_would_be_run_is_text(cell: str) -> None:
    assert is_formula(cell)
    assert neutral_cell(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", HARMLESS)
def test_numbers_and_texts_are_left_alone(cell: str) -> None:
    assert neutral_cell(cell) == cell


cells = st.text(alphabet="'\"=+-@ \t\ra1.,＝", max_size=6)


@given(cells)
def test_a_cell_comes_back(cell: str) -> None:
    assert restored_cell(neutral_cell(cell)) == cell


@given(st.lists(st.tuples(cells, cells), max_size=5))
def test_a_table_comes_back(rows: list[tuple[str, str]]) -> None:
    header, table = neutral_table(("source", "hypothesis:=A"), rows)
    assert (FORMULA_COLUMN in header) == any(is_formula(cell) for row in rows for cell in row)
    for row, cells_of_row in zip(rows, table, strict=True):
        restored = restored_row(dict(zip(header, cells_of_row, strict=True)))
        assert (restored["source"], restored["hypothesis:=A"]) == row


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_a_csv_file_comes_back(rows: list[tuple[str, str]]) -> None:
    header, table = neutral_table(("source", "hypothesis"), rows)
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([header, *table])
    file = TextFile("a.csv", data=written.getvalue().encode())
    read = [(row["source"], row["hypothesis"]) for _, row in named_rows(file, "csv").rows]
    assert read == rows


def test_a_foreign_apostrophe_is_text(tmp_path: Path) -> None:
    """Only a table that says that it was changed is changed back."""
    path = tmp_path / "a.tsv"
    path.write_text("source\thypothesis\n'-ism'\t'=x\n", encoding="utf-8")
    ((_, row),) = named_rows(TextFile(str(path)), "tsv").rows
    assert row == {"source": "'-ism'", "hypothesis": "'=x"}


@pytest.mark.parametrize("listed", ["[", "[1]", '["nothing"]', '"source"', "[" * 100_000, "null"])
def test_a_damaged_list_of_changes_changes_nothing(listed: str) -> None:
    row = {"source": "'=x", FORMULA_COLUMN: listed}
    assert restored_row(row) == row
