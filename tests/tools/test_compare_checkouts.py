"""The script that holds two checkouts' results together notices every difference."""

import json
from typing import Any

import pytest
from tools.compare_checkouts import allowed, differences

RESULT = '{"segments": 2, "systems": [{"system": "a.b", "scores": [41.5, null]}], "tests": {}}'


def changed(path: list[str | int], value: object) -> Any:
    """The result with one value put in another's place."""
    made = json.loads(RESULT)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made


def test_a_result_equals_itself() -> None:
    assert list(differences(json.loads(RESULT), json.loads(RESULT))) == []


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (["segments"], 3, "segments: 2, 3"),
        (["segments"], 2.0, "segments: 2, 2.0"),  # another type is another text of JSON
        (["segments"], None, "segments: 2, None"),
        (["systems", 0, "system"], "a", "systems[0].system: 'a.b', 'a'"),
        (
            ["systems", 0, "scores", 0],
            41.50000000000001,
            "systems[0].scores[0]: 41.5, 41.50000000000001",
        ),
        (["systems", 0, "scores", 1], 0.0, "systems[0].scores[1]: None, 0.0"),
        (["systems", 0, "scores"], [41.5], "systems[0].scores[]: '2 entries', '1 entries'"),
        (["tests"], [], "tests: {}, []"),
        (["tests", "sign"], "nothing", "tests.sign: nothing, 'nothing'"),
    ],
)
def test_what_differs_is_named_with_its_path(
    path: list[str | int], value: object, expected: str
) -> None:
    before, now = json.loads(RESULT), changed(path, value)
    assert [f"{place}: {was!r}, {new!r}" for place, was, new in differences(before, now)] == [
        expected
    ]
    back = [f"{place}: {new!r}, {was!r}" for place, was, new in differences(now, before)]
    assert back == [expected]


def test_a_new_measure_between_others_shifts_none() -> None:
    old = [{"measure": "pearson", "value": 0.5}, {"measure": "kendall", "value": 0.25}]
    new = [old[0], {"measure": "soft-accuracy", "value": 1}, {"measure": "kendall", "value": 0.3}]
    found = [path for path, _, _ in differences({"measures": old}, {"measures": new})]
    assert found == ["measures.kendall.value", "measures.soft-accuracy"]


@pytest.mark.parametrize(
    ("pattern", "command", "expected"),
    [
        ("systems[].scores[]", "audit", True),
        ("systems*", "audit", True),
        ("audit: systems*", "audit", True),
        ("audit: systems*", "score", False),
        ("systems[].score", "audit", False),
        ("systems", "audit", False),
        ("*", "audit", True),
    ],
)
def test_a_difference_is_allowed_by_its_path(pattern: str, command: str, expected: bool) -> None:
    assert allowed(command, "systems[3].scores[0]", ["other", pattern]) is expected
    assert not allowed(command, "systems[3].scores[0]", [])
