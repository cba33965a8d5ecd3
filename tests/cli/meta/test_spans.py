"""``tertium meta spans`` as users meet it."""

from pathlib import Path
from typing import Any

import pytest

from tertium.meta import read_spans, span_report
from tertium.meta.agreement.choices import SPAN_FORMATS
from tertium.meta.spans.weights import Weights
from tests.support.commands import error, json_output, output
from tests.support.meta.span_files import error as mark
from tests.support.meta.span_files import json_lines, rating_file, wmt25_row


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two raters of two systems, who agree on some."""
    first: dict[str, Any] = {
        "A": [[mark(0, 3, "major")], []],
        "B": [[mark(1, 2)], [mark(0, 4, "major")]],
    }
    second: dict[str, Any] = {"A": [[mark(0, 3, "minor")], []], "B": [[mark(1, 2)], None]}
    return [
        str(rating_file(tmp_path, "rater1", first)),
        str(rating_file(tmp_path, "rater2", second)),
    ]


def test_json_is_what_python_gives(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = json_output(capsys, "meta", "spans", *files, "--points", "major=10")
    (found,) = read_spans(files)
    report = span_report(found, weights=Weights({"major": 10}))
    assert shown["spans"] == [report.to_dict()]
    a, b = shown["spans"][0]["systems"]
    assert (a["name"], a["scores"]["mqm"]) == ("A", -2.75)  # ((10 + 1) / 2 + 0) / 2
    assert (b["name"], b["scores"]["mqm"], b["severities"]) == ("B", -5.5, {"major": 1, "minor": 2})


def test_the_table_names_systems_categories_raters_and_agreement(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = output(capsys, "meta", "spans", *files)
    for words in ("by system", "by category", "style/awkward", "by rater", "all pairs", "no α"):
        assert words in shown
    latex = output(capsys, "meta", "spans", *files, "-f", "latex")
    assert r"\toprule" in latex


def test_texts_give_alpha(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("A", "B"):
        (tmp_path / f"{name}.txt").write_text("abcd\nefgh\n", encoding="utf-8")
    systems = [str(tmp_path / "A.txt"), str(tmp_path / "B.txt")]
    shown = json_output(capsys, "meta", "spans", *files, "-i", *systems)
    assert shown["spans"][0]["agreement"]["alpha"] == 1
    assert shown["spans"][0]["agreement"]["severity_alpha"] < 1


def test_what_is_wrong_is_one_line(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "expected such as major=5" in error(capsys, "meta", "spans", *files, "--points", "x")
    assert "expected with it" in error(capsys, "meta", "spans", *files, "--source", "x")
    assert "did you mean 'rater1'" in error(capsys, "meta", "spans", *files, "--raters", "ratr1")
    assert "expected a readable file" in error(capsys, "meta", "spans", str(tmp_path / "none"))
    rows = [wmt25_row(), wmt25_row(doc_id="cs-uk_UA_#_n_#_d_#_0")]
    two = str(json_lines(tmp_path, rows, "w.jsonl"))
    (tmp_path / "A.txt").write_text("x\n", encoding="utf-8")
    assert "expected one of them by --pair" in error(
        capsys, "meta", "spans", two, "-i", str(tmp_path / "A.txt")
    )


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "meta", "spans", "--help")
    for name in SPAN_FORMATS:
        assert f"\n  {name} " in shown


def test_every_error_can_be_listed(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = json_output(capsys, "meta", "spans", *files, "--list")
    (found,) = read_spans(files)
    assert shown["spans"][0]["spans"] == [span.to_dict() for span in found.spans]
    assert "spans" not in json_output(capsys, "meta", "spans", *files)["spans"][0]
