"""``tertium meta spans`` as users meet it."""

from pathlib import Path
from typing import Any

import pytest

from tertium.choices import SPAN_FORMATS
from tertium.meta import read_spans, span_report
from tertium.meta.spans.ratings import Weights
from tests.support.commands import error, json_output, output, ran
from tests.support.meta.span_files import appraise_file, json_lines, rating_file, wmt25_row
from tests.support.meta.span_files import error as mark


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
    assert "did you mean 'rater1'" in error(capsys, "meta", "spans", *files, "--judges", "ratr1")
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
    shown = json_output(capsys, "meta", "spans", *files, "--list-errors")
    (found,) = read_spans(files)
    assert shown["spans"][0]["spans"] == [span.to_dict() for span in found.spans]
    assert "spans" not in json_output(capsys, "meta", "spans", *files)["spans"][0]


@pytest.fixture
def campaign(tmp_path: Path) -> list[str]:
    """Texts and an Appraise export whose scores fall with the line, in the order of a campaign."""
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    references = [f"{word} is the number that stands here" for word in words]
    for name, step in (("A", 1), ("B", 2), ("C", 3)):
        outputs = [
            " ".join(text.split()[: max(1, 7 - (number * step) // 3)])
            for number, text in enumerate(references)
        ]
        (tmp_path / f"{name}.txt").write_text("\n".join(outputs) + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("\n".join(references) + "\n", encoding="utf-8")
    documents = [f"d{number // 2}" for number in range(8)]
    labels = "".join(f"news\t{one}\n" for one in documents)
    (tmp_path / "labels.docs").write_text(labels, encoding="utf-8")
    rows: list[tuple[Any, ...]] = [
        ("u", name, line, "TGT", "eng", "deu", 100 - line * step, documents[line], True, [], 1, 2)
        for name, step in (("A", 4), ("B", 8), ("C", 12))
        for line in (5, 2, 7, 0, 4, 1, 6, 3)
    ]
    appraise_file(tmp_path, rows)
    systems = [str(tmp_path / f"{name}.txt") for name in "ABC"]
    return [str(tmp_path / "ref.txt"), "-i", *systems, "-m", "chrf"]


def test_an_export_agrees_by_segment_and_not_by_the_order_of_its_rows(
    campaign: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = ["--ratings", str(tmp_path / "scores.csv"), "--resample", "none"]
    words = ["meta", "agree", *campaign, *ratings]
    said = error(capsys, *words)
    assert "expected the test set's documents (--documents FILE), or the campaign's batches" in said
    shown = json_output(capsys, *words, "--documents", str(tmp_path / "labels.docs"))
    measures = {one["measure"]: one["value"] for one in shown["agreements"][0]["measures"]}
    assert measures["segment-pearson-none"] > 0.9


def test_a_report_lays_ratings_on_the_same_segments(
    campaign: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = str(tmp_path / "report.html")
    ratings = ["--ratings", str(tmp_path / "scores.csv"), "--no-audit", "--trials", "100"]
    words = ["report", *campaign, *ratings, "-o", page]
    assert "or the campaign's batches beside the export" in error(capsys, *words)
    assert ran(capsys, *words, "--documents", str(tmp_path / "labels.docs")).status == 0
