"""The numbers that every wheel must give."""

import copy
import json

import pytest
from tools import sample_scores
from tools.sample_scores import KEPT, METRICS, differences, main, numbers, numbers_of

pytestmark = pytest.mark.slow


def test_this_copy_gives_the_numbers_that_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert f"all {numbers_of(kept)} the same" in capsys.readouterr().out
    assert numbers_of(kept) > 1500
    assert all(set(one) == set(METRICS) for one in kept["scores"].values())
    assert len(kept["scores"]) == 5


def test_a_number_that_differs_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = numbers()
    wrong = copy.deepcopy(found)
    wrong["scores"]["elm"]["bleu"]["score"] += 1e-9
    wrong["mbr"]["chrf"][3] += 1
    monkeypatch.setattr(sample_scores, "numbers", lambda: wrong)
    assert main([]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("/scores/elm/bleu/score: found ")
    assert shown[1].startswith("/mbr/chrf/3: found ")
    assert shown[2].startswith("numbers of the sample: 2 of ")


@pytest.mark.parametrize(
    ("kept", "found", "count"),
    [
        ({"a": 1.0}, {"a": 1.0 + 1e-14}, 0),  # logarithms differ in the last digit
        ({"a": 1.0}, {"a": 1.0 + 1e-9}, 1),
        ({"a": [3, 4]}, {"a": [3, 5]}, 1),
        ({"a": [3, 4]}, {"a": [3]}, 1),
        ({"a": 1}, {"b": 1}, 1),
        ({"a": 0.0}, {"a": 1e-300}, 1),
        ({"a": float("nan")}, {"a": 1.0}, 1),
    ],
)
def test_what_counts_as_a_difference(kept: object, found: object, count: int) -> None:
    assert len(list(differences(kept, found))) == count
