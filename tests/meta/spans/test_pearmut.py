"""Answers that Pearmut recorded, as its server and its dashboard give them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.rating_sets import Ratings
from tertium.meta.spans.files import read_spans
from tests.support.meta.shuffled_exports import (
    OUTPUTS,
    assert_each_on_its_segment,
    judged,
    pearmut_answers,
    pearmut_item,
    rated_corpus,
)
from tests.support.meta.span_files import (
    json_lines,
    left_out,
    pearmut_row,
)
from tests.support.ratings import reasons, write


def test_the_download_of_pearmuts_dashboard_is_read(tmp_path: Path) -> None:
    rows = [pearmut_answers("u", 0, [4, 5]), pearmut_answers("v", 0, [2, 0])]
    for indent in (None, 2):
        text = json.dumps({"wmt25_#_en-cs_CZ": rows}, indent=indent)
        path = write(tmp_path, f"annotations{indent}.json", text)
        one = judged(path, rated_corpus(documents=False))
        assert one.name == "en-cs_CZ"
        assert_each_on_its_segment(one, {0, 2, 4, 5})


def test_pearmuts_items_without_an_id_are_told_apart_by_their_texts(tmp_path: Path) -> None:
    """Item 0 of a user's task is not item 0 of another's, and the same document is the same."""
    rows = [
        pearmut_answers("u", 0, [4, 5]),
        pearmut_answers("v", 0, [2, 0]),
        pearmut_answers("v", 1, [4, 5]),
    ]
    path = json_lines(tmp_path, rows, "p.jsonl")
    (one,) = read_ratings(path)
    assert isinstance(one, Ratings)
    assert len(set(one.segment.tolist())) == 4
    assert_each_on_its_segment(judged(path, rated_corpus(documents=False)), {0, 2, 4, 5})


def test_severities_of_a_campaigns_own_do_not_hide_its_scores(tmp_path: Path) -> None:
    marks = [{"start_i": 0, "end_i": 1, "severity": "Deadly", "category": None}]
    path = json_lines(tmp_path, [pearmut_answers("u", 0, [4, 5], marks=marks)], "p.jsonl")
    (one,) = read_ratings(path)
    assert one.criterion == "esa"
    assert reasons(one) == ["4 outputs whose errors are not weighed, as deadly has no points"]
    (marked,) = read_spans(path)
    assert {span.severity for span in marked.spans} == {"deadly"}


def test_answers_of_pearmut_that_were_taken_back_are_gone(tmp_path: Path) -> None:
    rows = [
        pearmut_answers("u", 0, [4, 5]),
        pearmut_answers("u", 1, [0, 1]),
        {"user_id": "u", "item_i": 0, "annotation": "RESET"},
    ]
    (found,) = read_spans(json_lines(tmp_path, rows, "p.jsonl"))
    assert {one.source for one in found} == {"source 0", "source 1"}
    assert left_out(found) == {"answers that were taken back": 4}


def test_signs_behind_a_text_of_pearmut_have_no_place(tmp_path: Path) -> None:
    """A campaign may have more signs than that for missing text, one unit each."""
    units = len(OUTPUTS["A"][4])
    marks = [{"start_i": units + 1, "end_i": units + 1, "severity": "minor"}]
    row = pearmut_row(
        item=[pearmut_item("A", 4)], annotation=[{"A": {"score": 5, "error_spans": marks}}]
    )
    (found,) = read_spans(json_lines(tmp_path, [row], "p.jsonl"))
    assert [(one.start, one.end) for one in found.spans] == [(units, units)]
    assert not found.exclusions


def test_sliders_of_a_campaigns_own_are_criteria(tmp_path: Path) -> None:
    sliders = {"Fluency": 3, "Adequacy": None}
    said: dict[str, Any] = {"score": None, "sliders": sliders, "error_spans": []}
    rows = [
        pearmut_row(item=[pearmut_item("A", 4)], annotation=[{"A": said}]),
        pearmut_row(
            item_i="welcome_0", item=[{"text": "Your name?", "form": "string"}], annotation=["Ann"]
        ),
    ]
    (one,) = read_ratings(json_lines(tmp_path, rows, "p.jsonl"))
    assert isinstance(one, Ratings)
    assert (one.criterion, one.value.tolist()) == ("fluency", [3])
    assert reasons(one) == ["1 answers to forms"]


def test_a_campaign_file_of_pearmut_is_refused_with_the_cure(tmp_path: Path) -> None:
    text = json.dumps({"info": {}, "campaign_id": "x", "data": [[]]})
    with pytest.raises(InputError, match="without answers, expected what its server records"):
        read_spans(write(tmp_path, "campaign.json", text))
