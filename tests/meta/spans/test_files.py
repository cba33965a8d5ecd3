"""Every tool's files of marked errors come to the same values."""

from pathlib import Path
from typing import Any

import pytest

from tertium.choices import SPAN_FORMATS
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.spans.files import marked, read_spans, span_format, unquoted
from tertium.meta.spans.span import Annotations
from tertium.text.files import TextFile
from tests.support.meta.span_files import (
    DAY,
    DAY_UNITS,
    HYPOTHESIS,
    appraise_file,
    error,
    json_lines,
    left_out,
    marked_table,
    pearmut_row,
    rating_file,
    wmt25_row,
)


def read_one(path: Path, **options: Any) -> Annotations:
    (found,) = read_spans(path, **options)
    return found


def standalone_row(**more: Any) -> dict[str, Any]:
    return {
        "source": "source",
        "hypothesis": HYPOTHESIS,
        "errors": [error(*DAY, severity="Major")],
        "segment_id": 4,
        "system_id": "A",
        "rater_id": "r1",
        **more,
    }


def test_every_format_is_known_and_means_the_same_characters(tmp_path: Path) -> None:
    """All of them mark "day", though a browser counts the emoji as two and the end as inside."""
    marks = [{"start_i": DAY_UNITS[0], "end_i": DAY_UNITS[1], "severity": "major"}]
    before, after = HYPOTHESIS[: DAY[0]], HYPOTHESIS[DAY[1] :]
    files = {
        "mt-metrics-eval": rating_file(tmp_path, "rater1", {"A": [[error(*DAY)]]}),
        "standalone": json_lines(tmp_path, [standalone_row()], "standalone.jsonl"),
        "mqm": marked_table(
            tmp_path, [f"A|d|1|1|r1|source|{before}<v>day</v>{after}|Style/Awkward|Minor"]
        ),
        "wmt25": json_lines(tmp_path, [wmt25_row()], "wmt25.jsonl"),
        "pearmut": json_lines(tmp_path, [pearmut_row()], "pearmut.jsonl"),
        "appraise": appraise_file(
            tmp_path, [("u", "wmt23.A", 1, "TGT", "eng", "deu", 60, "d#A", False, marks, 1.0, 2.5)]
        ),
    }
    assert tuple(files) == SPAN_FORMATS
    for name, path in files.items():
        assert span_format(TextFile.find(path)) == name
        found = read_one(path)
        first = found.annotations[0]
        assert first.system == "A"
        (span,) = first.spans
        if name == "appraise":  # it has no text: offsets stay what the browser counted
            assert found.units == "utf-16"
            assert (span.start, span.end) == (DAY_UNITS[0], DAY_UNITS[1] + 1)
        else:
            assert (span.start, span.end) == DAY, name
            assert HYPOTHESIS[span.start : span.end] == "day"
        assert found == read_one(path, format=name)


def test_rating_files_count_segments_by_system(tmp_path: Path) -> None:
    path = rating_file(tmp_path, "rater7", {"A": [None, [error(0, 2)]], "B": [[], None]})
    found = read_one(path)
    assert found.name == "zh-en"
    assert [(one.system, one.segment, one.rater, len(one.spans)) for one in found] == [
        ("A", 1, "rater7", 1),
        ("B", 0, "rater7", 0),
    ]
    assert (found.ids, found.width) == ((), 2)


def test_a_third_column_is_the_rater(tmp_path: Path) -> None:
    path = tmp_path / "en-de.mqm.merged.seg.rating"
    path.write_text('A\t{"errors": []}\tann\nA\tNone\n', encoding="utf-8")
    assert read_one(path).raters == ("ann",)


def test_marks_in_the_source_and_unmarked_errors(tmp_path: Path) -> None:
    rows = [
        "A|d|1|2|r1|a <v>source</v>|target text|Accuracy/Omission|Major",
        "A|d|1|2|r1|a source|target text|Non-translation!|Major",
        "A|d|1|2|r2|a source|target text|No-error|No-error",
        "A|d|1|3|r1|a source|text|HOTW-test|HOTW-test",
    ]
    found = read_one(marked_table(tmp_path, rows))
    first, second = found.annotations
    assert (first.segment, first.rater, second.spans) == (1, "r1", ())
    there, nowhere = first.spans
    assert (there.side, there.start, there.end) == ("source", 2, 8)
    assert not nowhere.placed
    assert left_out(found) == {
        "errors without a mark in the text, counted but not shown": 1,
        "rows that test the rater": 1,
    }


def test_newer_tables_have_other_names_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
        "A\td\t1\t7\tr1\ts\t<v>t</v>\tOther\tMinor\t{}\n",
        encoding="utf-8",
    )
    assert read_one(path).annotations[0].segment == 6


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("", None, None, True)),
        ("<v></v>ab", ("ab", 0, 0, True)),
        ("a<v>b</v>c<v>d</v>", ("abcd", 1, 4, True)),  # one error in two parts
        ("ab<v>cd", ("abcd", 2, 4, False)),
        ("ab</v>cd", ("abcd", 0, 4, False)),
        ("שלום <v>עולם</v>", ("שלום עולם", 5, 9, True)),
        ("<V>a</V>", ("<V>a</V>", None, None, True)),  # the marks are lower case
    ],
)
def test_marked(text: str, expected: tuple[Any, ...]) -> None:
    assert tuple(marked(text)) == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [('""', '""'), ('"""a"""', '"a"'), ('"a""b"', 'a"b'), ('"a" "b"', '"a" "b"'), ("", "")],
)
def test_unquoted(cell: str, expected: str) -> None:
    assert unquoted(cell) == expected


def test_wmt25_rounds_times_and_control_tasks(tmp_path: Path) -> None:
    control = wmt25_row(
        scores={"A": [{"human": 50, "annotator": "x", "errors": [], "times": [5.0, 9.0]}]},
        doc_id="cs-de_DE_#_news_#_doc_#_1",
    )
    found = read_one(json_lines(tmp_path, [wmt25_row(), control], "wmt25.jsonl"))
    assert found.name == "cs-de_DE"
    said = [(one.segment, one.rater, one.score, one.begin, one.seconds) for one in found]
    assert said == [
        (0, "ann1", 60, 100.0, 30.0),
        (0, "ann2", 90, None, None),
        (1, "x", 50, 5.0, 4.0),
    ]
    assert found.ids[1].endswith("_#_1")


def test_missing_text_has_no_place(tmp_path: Path) -> None:
    units = len(HYPOTHESIS) + 1  # an emoji in it
    rows = [
        wmt25_row(),
        pearmut_row(
            annotation=[
                {"A": {"score": 1, "error_spans": [
                    {"start_i": units, "end_i": units, "severity": "major", "category": None}]}}
            ]
        ),
    ]  # fmt: skip
    rows[0]["scores"]["A"]["errors1"] = [
        {"start_i": "missing", "end_i": "missing", "severity": "minor"}
    ]
    for row, name in zip(rows, ("wmt25", "pearmut"), strict=True):
        found = read_one(json_lines(tmp_path, [row], f"{name}.jsonl"))
        (span,) = found.annotations[0].spans
        assert span.start == span.end == len(HYPOTHESIS)
        assert not found.exclusions


def test_pearmut_does_not_count_line_breaks(tmp_path: Path) -> None:
    row = pearmut_row(
        item=[{"item_id": "x", "src": "", "tgt": {"A": "ab\ncd\n\nef"}}],
        annotation=[
            {"A": {"score": 0, "error_spans": [{"start_i": 2, "end_i": 4, "severity": "minor"}]}}
        ],
    )
    (span,) = read_one(json_lines(tmp_path, [row], "p.jsonl")).spans
    assert "ab\ncd\n\nef"[span.start : span.end] == "cd\n\ne"


def test_a_row_of_pearmut_without_answers_is_told(tmp_path: Path) -> None:
    rows = [
        pearmut_row(),
        {key: pearmut_row()[key] for key in pearmut_row() if key != "annotation"},
    ]
    with pytest.raises(
        InputError, match=r"p\.jsonl:2: found no 'annotation', expected the answers"
    ):
        read_one(json_lines(tmp_path, rows, "p.jsonl"))


def test_pearmut_tutorials_second_thoughts_and_skips(tmp_path: Path) -> None:
    rows = [
        pearmut_row(item_i="welcome_0"),
        pearmut_row(),
        pearmut_row(annotation=[{"A": {"score": 5, "error_spans": []}}]),
        pearmut_row(user_id="user2", annotation=[None]),
        pearmut_row(user_id="user3", annotation=[{"A": {"score": None, "error_spans": []}}]),
    ]
    found = read_one(json_lines(tmp_path, rows, "p.jsonl"))
    assert [(one.rater, one.score, one.seconds) for one in found] == [("user1", 5, 40.0)]
    assert set(left_out(found)) == {
        "tutorials and what is no item",
        "answers that the same person changed later",
        "items that were skipped",
        "outputs without a score or an error, not looked at",
    }


def test_pearmut_of_an_old_version_without_texts(tmp_path: Path) -> None:
    row = {
        "user_id": "alice",
        "item_i": 0,
        "annotation": {"A": {"score": 85, "error_spans": [
            {"start_i": 11, "end_i": 16, "category": None, "severity": "minor"}]}},
        "time": 45,
    }  # fmt: skip
    found = read_one(json_lines(tmp_path, [row], "p.jsonl"))
    assert [(one.start, one.end) for one in found.spans] == [(11, 17)]
    assert found.annotations[0].seconds == 45
    assert "errors in texts that the file does not have, offsets taken as they are" in left_out(
        found
    )


def test_appraise_items_of_documents_and_controls(tmp_path: Path) -> None:
    """The second item of a damaged document is the second of the document; reverse order, too."""
    rows: list[tuple[Any, ...]] = [
        ("u1", "wmt23.A", 12, "BAD", "eng", "deu", 20, "doc#A#bad3", False, [], 300.0, 310.0),
        ("u1", "wmt23.A", 11, "BAD", "eng", "deu", 30, "doc#A#bad3", False, [], 200.0, 210.0),
        ("u1", "wmt23.A", 2, "TGT", "eng", "deu", 90, "doc#A", False, [], 120.0, 130.0),
        ("u1", "wmt23.A", 2, "TGT", "eng", "deu", 91, "doc#A", False, [], 125.0, 130.0),
        ("u1", "wmt23.A", 1, "TGT", "eng", "deu", 80, "doc#A", False, [], 100.0, 100.0),
        ("u1", "x-tutorial", 0, "TGT", "eng", "deu", 80, "t", False, [], 1.0, 2.0),
    ]
    found = read_one(appraise_file(tmp_path, rows))
    by_score = {one.score or 0.0: one for one in found}
    assert sorted(by_score) == [20, 30, 80, 91]  # the later look at item 2
    assert by_score[20].segment == by_score[91].segment != by_score[80].segment
    assert by_score[30].segment == by_score[80].segment
    assert [by_score[score].kind for score in (20, 80)] == ["degraded", ""]
    assert by_score[80].seconds is None  # one click, which took no time
    assert set(left_out(found)) == {
        "items of the tutorial",
        "looks that the same person changed later",
    }
    (said,) = read_ratings(tmp_path / "scores.csv")
    assert isinstance(said, Ratings)
    assert len(said) == 2
    assert len(said.rows) == 4
    assert said.criterion == "da"


def test_appraise_of_wmt25_and_of_python(tmp_path: Path) -> None:
    rows: list[tuple[Any, ...]] = [
        ("u", "cs-de_#_news_#_d_#_3", "A", 4, "TGT", "ces", "deu", 5, "d", True, [], 1, 2, "", ""),
        ("u", "seg", "A", 5, "CHK", "ces", "deu", 6, "d", True,
         "\"{'start_i': 0, 'end_i': 50, 'severity': 'major'}\"", 1, 2),
    ]  # fmt: skip
    found = read_one(appraise_file(tmp_path, rows))
    assert found.ids == ("cs-de_#_news_#_d_#_3", "seg")
    assert [(one.start, one.end, one.severity) for one in found.spans] == [(0, 51, "major")]


def test_offsets_beyond_the_text_are_cut_and_counted_where_browsers_made_them(
    tmp_path: Path,
) -> None:
    row = wmt25_row()
    last = len(HYPOTHESIS) + 40
    row["scores"]["A"]["errors1"] = [
        {"start_i": 0, "end_i": last, "severity": "minor"},
        {"start_i": last, "end_i": last + 1, "severity": "minor"},
        {"start_i": 6, "end_i": 6, "severity": "minor"},  # half of the emoji
    ]
    found = read_one(json_lines(tmp_path, [row], "w.jsonl"))
    assert [(one.start, one.end) for one in found.spans] == [
        (0, len(HYPOTHESIS)),
        (len(HYPOTHESIS), len(HYPOTHESIS)),
        (5, 6),
    ]
    assert left_out(found) == {
        "offsets beyond the text, cut to it": 2,
        "offsets inside a character of two UTF-16 units, widened to it": 1,
    }


def test_a_misfit_is_an_error_where_programs_wrote_the_offsets(tmp_path: Path) -> None:
    rows = [standalone_row(errors=[error(0, len(HYPOTHESIS) + 1)])]
    with pytest.raises(InputError, match=r"s\.jsonl:1: span from 0 to 18, expected inside .*17"):
        read_one(json_lines(tmp_path, rows, "s.jsonl"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('A\t{"errors": [{"start": 1}]}\n', "r.seg.rating:1: errors 1: no 'end', expected one"),
        ('A\t{"errors": [{"start": "1"}]}\n', "errors 1: 'start' is '1', expected a whole number"),
        ('A\t{"errors": 5}\n', "'errors' is a number, expected a list"),
        ('A\t{"errors": [5]}\n', "errors 1: a number, expected an object"),
        ("A\t{\n", "expected one JSON object per line"),
        ("A\n", "1 column, expected system, JSON"),
        ("A\tNone\nB\tNone\nB\tNone\n", "2 segments of B, expected 1 (as A)"),
        ("A\tNone\n", "found no annotation, expected at least one"),
        ("", "found no annotation, expected at least one"),
        ('A\t{"errors": [{"start": 3, "end": 1, "severity": "x"}]}\n', "found 3 to 1"),
    ],
)
def test_damaged_rating_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "zh-en.mqm.r.seg.rating"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_spans(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A|d|1|x|r1|s|t|Other|Minor", "mqm_test.tsv:2: segment 'x', expected a number from 1 on"),
        ("A|d|1|1||s|t|Other|Minor", "no rater, expected a name"),
        ("A|d|1|1|r|s|t|Other", "8 columns, expected 9"),
    ],
)
def test_damaged_tables(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_spans(marked_table(tmp_path, [row]))
    assert message in str(caught.value)


def test_what_is_no_file_of_errors(tmp_path: Path) -> None:
    path = tmp_path / "ratings.tsv"
    path.write_text("system\trating\nA\t1\n", encoding="utf-8")
    assert span_format(TextFile.find(path)) is None
    with pytest.raises(InputError, match=r"ratings.tsv:1: found .* expected marked errors"):
        read_spans(path)
    with pytest.raises(OptionError, match="did you mean 'pearmut'"):
        read_spans(path, format="paermut")
    with pytest.raises(InputError, match="no such files"):
        read_spans(tmp_path)


def test_a_choice_of_raters_and_pairs(tmp_path: Path) -> None:
    paths = [rating_file(tmp_path, name, {"A": [[]]}) for name in ("rater1", "rater2", "other")]
    (some,) = read_spans(paths, raters=["rater*"])
    assert some.raters == ("rater1", "rater2")
    assert left_out(some) == {"annotations of other raters": 1}
    with pytest.raises(OptionError, match="rater 'nobody'"):
        read_spans(paths, raters=["nobody"])
    with pytest.raises(OptionError, match="zh-de"):
        read_spans(paths, pair="zh-de")
    (folder,) = read_spans(tmp_path)
    assert len(folder) == 3


def test_pearmut_checks_of_attention_are_controls(tmp_path: Path) -> None:
    """A rule that warns is shown until it holds, so it tests nobody."""
    rules: list[tuple[Any, float | None]] = [
        ({"score": [60, 80]}, 1.0),
        ({"score": [0, 30]}, 0.0),
        ([{"score": [60, 80]}, {"score": [90, 100]}], 0.0),
        ({"score": [0, 30], "warning": "look again"}, None),
        ({"score_greaterthan": "B"}, 1.0),
        ({"error_spans": []}, None),
    ]
    rows = [
        pearmut_row(
            item_i=f"random_{number}",
            item=[{"item_id": f"r{number}", "tgt": {"A": HYPOTHESIS, "B": "b"},
                   "validation": {"A": rule}}],
            annotation=[{"A": {"score": 70, "error_spans": []},
                         "B": {"score": 10, "error_spans": []}}],
        )
        for number, (rule, _) in enumerate(rules)
    ]  # fmt: skip
    found = read_one(json_lines(tmp_path, [*rows, pearmut_row()], "p.jsonl"))
    checks = [one.score for one in found if one.kind == "check"]
    assert checks == [expected for _, expected in rules if expected is not None]
    assert [one.score for one in found if not one.kind] == [70]
    (said,) = [one for one in read_ratings(tmp_path / "p.jsonl") if one.criterion == "esa"]
    assert len(said) == 1
