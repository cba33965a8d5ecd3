"""Marked errors laid on a corpus."""

from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.segments import with_texts
from tertium.meta.spans.span import Annotations
from tertium.text.corpus import Corpus, System
from tests.support.meta.span_files import (
    DAY_UNITS,
    HYPOTHESIS,
    appraise_file,
    error,
    json_lines,
    left_out,
    marked_table,
    rating_file,
    wmt25_row,
)


def read_one(path: Path) -> Annotations:
    (found,) = read_spans(path)
    return found


def laid(path: Path, texts: list[str], **more: Any) -> Annotations:
    system = System(name="A", hypotheses=texts)
    return with_texts(read_one(path), Corpus(references=texts, **more), [system])


def test_appraise_is_laid_by_document_and_converted(tmp_path: Path) -> None:
    marks = [{"start_i": DAY_UNITS[0], "end_i": DAY_UNITS[1], "severity": "major"}]
    missing = [{"start_i": "missing", "end_i": "missing", "severity": "minor"}]
    rows: list[tuple[Any, ...]] = [
        ("u", "A", 7, "TGT", "eng", "deu", 1, "two#A", True, missing, 1, 2),
        ("u", "A", 9, "TGT", "eng", "deu", 2, "one#A", True, marks, 1, 2),
        ("u", "A", 8, "TGT", "eng", "deu", 3, "one#A", True, [], 1, 2),
        ("u", "A", 10, "BAD", "eng", "deu", 3, "one#A#bad1", True, [], 1, 2),
    ]
    texts = ["first", HYPOTHESIS, "third"]
    found = laid(appraise_file(tmp_path, rows), texts, documents=["one", "one", "two"])
    by_score = {one.score: one for one in found}
    assert [by_score[score].segment for score in (1, 2, 3)] == [2, 1, 0]
    (span,) = by_score[2].spans
    assert HYPOTHESIS[span.start : span.end] == "day"
    (nowhere,) = by_score[1].spans
    assert nowhere.start == nowhere.end == len("third")
    assert "annotations of controls, whose texts are not here" in left_out(found)
    assert found.units == "characters"


def test_texts_tell_the_segment_where_names_do_not(tmp_path: Path) -> None:
    """The file has the second and the third segment, and one that the system never said."""
    rows = [
        wmt25_row(doc_id=f"cs-de_DE_#_n_#_d_#_{number}", tgt_text={"A": text})
        for number, text in enumerate([HYPOTHESIS, "never said", HYPOTHESIS])
    ]
    rows[1]["scores"]["A"]["errors1"] = []
    found = laid(json_lines(tmp_path, rows, "w.jsonl"), ["other", HYPOTHESIS, HYPOTHESIS])
    assert sorted({one.segment for one in found}) == [1, 2]
    assert left_out(found) == {"annotations of texts that the system does not have": 2}


def test_numbers_without_texts_must_fit(tmp_path: Path) -> None:
    path = rating_file(tmp_path, "r", {"A": [[], [error(0, 3)]]})
    assert laid(path, ["ab", "abc"]).annotations[1].hypothesis == "abc"
    with pytest.raises(InputError, match=r"seg\.rating:2: segment 2, expected 1 to 1"):
        laid(path, ["ab"])
    with pytest.raises(InputError, match=r"rating:2: span from 0 to 3, expected .*\(0 to 2\)"):
        laid(path, ["abc", "ab"])


def test_offsets_in_the_source_must_fit(tmp_path: Path) -> None:
    path = rating_file(tmp_path, "r", {"A": [[error(0, 3, is_source_error=True)]]})
    assert laid(path, ["x"], sources=["abc"]).spans[0].side == "source"
    assert laid(path, ["x"]).spans[0].end == 3  # without sources nobody can tell
    with pytest.raises(InputError, match="span from 0 to 3"):
        laid(path, ["x"], sources=["ab"])


def test_right_to_left_text_counts_from_its_first_letter(tmp_path: Path) -> None:
    text = "שלום עולם 🙂 יפה"
    row = "A|d|1|1|r|s|שלום <v>עולם</v> 🙂 יפה|Style|Minor"
    found = laid(marked_table(tmp_path, [row]), [text])
    (span,) = found.spans
    assert text[span.start : span.end] == "עולם"


def test_other_systems_are_left_out_and_none_is_an_error(tmp_path: Path) -> None:
    path = rating_file(tmp_path, "r", {"A": [[]], "B": [[]]})
    assert left_out(laid(path, ["x"])) == {"annotations of systems that are not here": 1}
    with pytest.raises(InputError, match="found systems A, B, expected some of C"):
        with_texts(read_one(path), Corpus(references=["x"]), [System(name="C", hypotheses=["x"])])
