"""Values of every protocol: what is taken, and what is refused in which words."""

import math
from typing import Any

import pytest

from tertium.serve.errors import RequestError
from tertium.serve.rating.protocols import MOST_ERRORS, PROTOCOLS, Texts, checked, protocol_named

ONE = Texts(source="Die Katze", outputs={"A": "The cät 🙂"})
THREE = Texts(source="s", outputs={"A": "a", "B": "b", "C": "c"})

GOOD: list[tuple[str, Texts, Any, Any]] = [
    ("adequacy-fluency", ONE, {"A": {"adequacy": 1, "fluency": 5}}, None),
    ("ranking", THREE, {"A": {"rank": 1}, "B": {"rank": 3}, "C": {"rank": 1}}, None),
    ("constituent-ranking", THREE, {"A": {"rank": 2}, "B": {"rank": 2}, "C": {"rank": 1}}, None),
    ("constituent-acceptance", ONE, {"A": {"constituent-accept": 1}}, None),
    ("direct-assessment", ONE, {"A": {"da": 0}}, None),
    ("direct-assessment", ONE, {"A": {"da": 66.5}}, None),
    ("scalar-quality", ONE, {"A": {"sqm": 100}}, None),
    ("esa", ONE, {"A": {"score": 50, "errors": []}}, None),
    (
        "esa",
        ONE,
        {"A": {"score": 50, "errors": [{"start": 8, "end": 9, "severity": "major"}]}},
        {"side": "target", "start": 8, "end": 9, "severity": "major", "category": ""},
    ),
    (
        "esa",
        ONE,
        {"A": {"score": 1, "errors": [{"missing": True, "severity": "minor"}]}},
        # Missing text has no place; readers of such files keep it behind the text.
        {"side": "target", "start": 9, "end": 9, "severity": "minor", "category": ""},
    ),
    (
        "mqm",
        ONE,
        {"A": {"errors": [{"start": 0, "end": 9, "side": "source", "severity": "critical",
                           "category": "source error"}]}},
        {"side": "source", "start": 0, "end": 9, "severity": "critical",
         "category": "source error"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "texts", "values", "error"), GOOD)
def test_what_fits_is_kept_as_it_is(name: str, texts: Texts, values: Any, error: Any) -> None:
    found = checked(protocol_named(name), values, texts)
    if error is not None:
        assert found["A"]["errors"] == [error]
    else:
        assert found == values


def esa(**error: Any) -> Any:
    return {"A": {"score": 5, "errors": [{"start": 0, "end": 3, "severity": "minor", **error}]}}


BAD: list[tuple[str, Texts, Any, str]] = [
    ("constituent-acceptance", ONE, {"A": {"constituent-accept": 2}},
     "constituent-accept: found 2, expected a whole number from 0 to 1"),
    ("esa", ONE, [], r"values: found \[\], expected an object of outputs"),
    ("esa", ONE, {}, "values: found nothing, expected one of each output: A"),
    ("esa", ONE, {"A": {}, "B": {}}, "values: found A, B, expected one of each output: A"),
    ("ranking", THREE, {"A": {"rank": 1}}, "values: found A, expected one of each output: A, B, C"),
    ("esa", ONE, {"A": 5}, "values of A: found 5, expected score, errors"),
    ("esa", ONE, {"A": {"score": 5}}, "values of A: found score, expected score, errors"),
    ("adequacy-fluency", ONE, {"A": {"adequacy": 6, "fluency": 1}},
     "values of A: adequacy: found 6, expected a whole number from 1 to 5"),
    ("adequacy-fluency", ONE, {"A": {"adequacy": True, "fluency": 1}}, "found True, expected"),
    ("adequacy-fluency", ONE, {"A": {"adequacy": 2.0, "fluency": 1}}, "found 2.0, expected"),
    ("direct-assessment", ONE, {"A": {"da": "50"}}, "da: found '50', expected a number from 0"),
    ("direct-assessment", ONE, {"A": {"da": math.nan}}, "found nan, expected a number"),
    ("direct-assessment", ONE, {"A": {"da": math.inf}}, "found inf, expected a number"),
    ("direct-assessment", ONE, {"A": {"da": -1}}, "found -1, expected a number from 0 to 100"),
    ("ranking", THREE, {one: {"rank": 4} for one in "ABC"}, "rank: found 4, expected .* 1 to 3"),
    ("ranking", THREE, {one: {"rank": 0} for one in "ABC"}, "rank: found 0, expected"),
    ("ranking", THREE, {one: {"rank": "1"} for one in "ABC"}, "rank: found '1', expected"),
    ("esa", ONE, {"A": {"score": 5, "errors": {}}}, "errors: found {}, expected a list"),
    ("esa", ONE, {"A": {"score": 5, "errors": [5]}}, "errors 1: found 5, expected an object"),
    ("esa", ONE, esa(end=10), r"errors 1: end: found 10, expected 0 to 9 \(characters\)"),
    ("esa", ONE, esa(start=-1), "start: found -1, expected 0 to 9"),
    ("esa", ONE, esa(start=3), "errors 1: found 3 to 3, expected an end after the start"),
    ("esa", ONE, esa(start=None), "start: found None, expected"),
    ("esa", ONE, esa(severity="huge"), "severity: found 'huge', expected minor, major"),
    ("esa", ONE, esa(severity="critical"), "severity: found 'critical', expected minor, major"),
    ("esa", ONE, esa(category="other"), "category: found 'other', expected none in esa"),
    ("esa", ONE, esa(side="above"), "side: found 'above', expected target, source"),
    ("esa", ONE, esa(side=["source"]), "side: found"),
    ("esa", ONE, esa(side="source", end=10), "end: found 10, expected 0 to 9"),
    ("mqm", ONE, {"A": {"errors": [{"start": 0, "end": 1, "severity": "minor"}]}},
     "category: found None, expected accuracy/mistranslation"),
    ("esa", ONE, {"A": {"score": 5, "errors": [{}] * (MOST_ERRORS + 1)}}, "no more than 200"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "texts", "values", "words"), BAD)
def test_what_does_not_fit_is_refused(name: str, texts: Texts, values: Any, words: str) -> None:
    with pytest.raises(RequestError, match=words) as raised:
        checked(protocol_named(name), values, texts)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 700


def test_an_unknown_protocol_is_told_its_neighbour() -> None:
    with pytest.raises(RequestError, match="unknown protocol 'esaa'; did you mean 'esa'"):
        protocol_named("esaa")


def test_every_protocol_asks_for_something() -> None:
    assert list(PROTOCOLS) == [
        "adequacy-fluency", "ranking", "constituent-ranking", "constituent-acceptance",
        "direct-assessment", "scalar-quality", "esa", "mqm",
    ]  # fmt: skip
    for one in PROTOCOLS.values():
        assert one.scales or one.ranked or one.marked
        assert one.to_dict()["name"] == one.name
