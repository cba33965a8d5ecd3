"""A number of a file is the same number, or the same error, in every command that reads it."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.decode.formats.numbered_lines import is_number
from tertium.decode.mbr.matrix_files import read_matrices
from tertium.errors import TertiumError
from tertium.meta.ratings.entries import read_value
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.rating_tables import parse_grades
from tertium.meta.spans.fields import Fields
from tertium.metrics.foreign.score_files import read_scores
from tertium.text.decimals import decimal, number_in, whole

NUMBERS = {"0": 0.0, "-1.5": -1.5, "+2": 2.0, "1e-3": 0.001, ".5": 0.5, "3.": 3.0, " 7 ": 7.0}
MISSING = ["None", "none", "nan", "NaN", "NA", "n/a", "null", "-"]
WRONG = ["1_0", "1,5", "inf", "-inf", "Infinity", "0x10", "１", "1e999", "one", "1 2", "--1", "+"]


def value_by_score_column(text: str, folder: Path) -> float:
    path = folder / "scores.tsv"
    path.write_text(f"system\tsegment\tscore\nA\t1\t{text}\nA\t2\t0.25\nA\t3\t1\n", "utf-8")
    return float(read_scores(str(path)).scores["score"][0])


def value_by_score_lines(text: str, folder: Path) -> float:
    path = folder / "COMET.seg.score"
    path.write_text(f"A\t{text}\nA\t0.25\n", "utf-8")
    return float(read_scores(str(path)).scores["score"][0])


def value_by_rating_lines(text: str, folder: Path) -> float:
    path = folder / "en-de.mqm.seg.score"
    path.write_text(f"A\t{text}\nA\t0.25\n", "utf-8")
    return _rating(path)


def value_by_rating_table(text: str, folder: Path) -> float:
    path = folder / "ratings.tsv"
    path.write_text(f"system\tsegment\trating\nA\t1\t{text}\nA\t2\t0.25\n", "utf-8")
    return _rating(path)


def value_by_rating_json(text: str, folder: Path) -> float:
    path = folder / "ratings.jsonl"
    rows = [{"system": "A", "segment": 1, "rating": text}]
    rows += [{"system": "A", "segment": 2, "rating": "0.25"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return _rating(path)


def _rating(path: Path) -> float:
    (found,) = read_ratings([path])
    values = found.judgments().segments
    assert values is not None
    return float(values[0, 0])


CELLS: dict[str, Callable[[str, Path], float]] = {
    "a cell": lambda text, _: number_in(text, "a:1"),
    "a rating": lambda text, _: read_value(text, "a:1"),
    "a column of scores": value_by_score_column,
    "a file of scores": value_by_score_lines,
    "a file of ratings": value_by_rating_lines,
    "a table of ratings": value_by_rating_table,
    "ratings in JSON": value_by_rating_json,
}


@pytest.mark.parametrize("reader", CELLS)
@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_read_everywhere(reader: str, text: str, tmp_path: Path) -> None:
    assert CELLS[reader](text, tmp_path) == NUMBERS[text]


@pytest.mark.parametrize("reader", CELLS)
@pytest.mark.parametrize("text", MISSING)
def test_what_says_that_there_is_none_is_missing_everywhere(
    reader: str, text: str, tmp_path: Path
) -> None:
    assert math.isnan(CELLS[reader](text, tmp_path))


@pytest.mark.parametrize("reader", CELLS)
@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_number_is_an_error_everywhere(reader: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(TertiumError, match="expected"):
        CELLS[reader](text, tmp_path)


def matrix(text: str, folder: Path) -> object:
    path = folder / "utilities.jsonl"
    row = {"segment": 0, "candidate": "a", "reference": "b", "utility": text}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    return read_matrices(path)


NEEDED: dict[str, Callable[[str, Path], object]] = {
    "grades": lambda text, _: parse_grades([("B", text)]),
    "fields of JSON": lambda text, _: Fields({"score": text}, "a:1").number("score"),
    "utilities": matrix,
}


@pytest.mark.parametrize("reader", NEEDED)
@pytest.mark.parametrize("text", [*WRONG, *MISSING])
def test_what_must_be_a_number_is_none_otherwise(reader: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(TertiumError, match="expected"):
        NEEDED[reader](text, tmp_path)


@pytest.mark.parametrize("text", [*WRONG, *MISSING])
def test_decoders_read_the_same_numbers(text: str) -> None:
    assert not is_number(text)
    assert decimal(text) is None


@pytest.mark.parametrize(
    ("text", "expected"), [("7", 7), (" 12 ", 12), ("1_0", None), ("-1", None), ("٣", None)]
)
def test_whole_numbers(text: str, expected: int | None) -> None:
    assert whole(text) == expected


@pytest.mark.parametrize(("value", "expected"), [(3, 3.0), (0.5, 0.5), (None, math.nan)])
def test_values_of_json(value: object, expected: float) -> None:
    assert number_in(value, "a:1") == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("value", [True, [1], {"a": 1}, math.inf, 10**400])
def test_values_of_json_that_are_no_numbers(value: object) -> None:
    with pytest.raises(TertiumError, match=r"a:1: found .*, expected a number"):
        number_in(value, "a:1")
