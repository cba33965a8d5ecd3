"""Damaged files of marked errors are refused in one line, or read; nothing else happens."""

import json
from pathlib import Path
from random import Random

import pytest

from tertium.errors import InputError, TertiumError
from tertium.meta.ratings.files import read_ratings
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.summary import span_report
from tests.support.meta.damage import changed, scratched
from tests.support.meta.span_files import (
    HYPOTHESIS,
    appraise_file,
    error,
    json_lines,
    marked_table,
    pearmut_row,
    rating_file,
    wmt25_row,
)

pytestmark = pytest.mark.slow


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, str]:
    """A whole file of every format."""
    standalone = {
        "source": "s",
        "hypothesis": HYPOTHESIS,
        "errors": [error(0, 3)],
        "segment_id": 0,
        "system_id": "A",
        "rater_id": "r",
    }
    mark = {"start_i": 1, "end_i": 2, "severity": "minor", "error_type": ["a", "b"]}
    row = ("u", "A", 1, "TGT", "eng", "deu", 60, "d#A", False, [mark], 1.0, 2.5)
    paths = [
        rating_file(tmp_path, "r", {"A": [[error(0, 3)], None]}),
        json_lines(tmp_path, [standalone], "standalone.jsonl"),
        marked_table(tmp_path, ["A|d|1|1|r|s|a <v>b</v>|Style|Minor"]),
        json_lines(tmp_path, [wmt25_row()], "wmt25.jsonl"),
        json_lines(tmp_path, [pearmut_row()], "pearmut.jsonl"),
        appraise_file(tmp_path, [row]),
    ]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("seed", range(4))
def test_damage_is_one_line(tmp_path: Path, whole: dict[str, str], seed: int) -> None:
    draw = Random(seed)
    for _ in range(400):
        name, text = draw.choice(list(whole.items()))
        if name.endswith(".jsonl") and draw.random() < 0.6:
            text = json.dumps(changed(json.loads(text), draw)) + "\n"
        else:
            text = scratched(text, draw)
        path = tmp_path / "damaged" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        try:
            for one in read_spans(path):
                json.dumps(span_report(one).to_dict(), allow_nan=False)
        except TertiumError as refused:
            assert "\n" not in str(refused)  # noqa: PT017 - most files are read


def test_a_segment_no_test_set_has(tmp_path: Path) -> None:
    row = "A|d|1|999999999999|r|s|a <v>b</v>|Style|Minor"
    with pytest.raises(InputError, match="segment 999999999999, expected no more than 10000000"):
        read_spans(marked_table(tmp_path, [row]))


def test_what_was_mended_is_stated_of_ratings_too(tmp_path: Path) -> None:
    row = wmt25_row()
    row["scores"]["A"]["errors1"][0]["end_i"] = 500
    for one in read_ratings(json_lines(tmp_path, [row], "w.jsonl")):
        assert "offsets beyond the text, cut to it" in [each.reason for each in one.exclusions]
