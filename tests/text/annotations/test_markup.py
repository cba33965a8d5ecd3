"""Names marked up in text, as in MUC."""

import pytest

from tertium.errors import InputError
from tertium.text.annotations import (
    AnnotatedText,
    Entity,
    parse_muc,
    to_muc,
)
from tests.support.annotated import entity, read

MUC = [
    ('<ENAMEX TYPE="PERSON">Ann</ENAMEX> left', "Ann left", [entity(0, 3, "PERSON")]),
    ("in <TIMEX TYPE=DATE>May</TIMEX>", "in May", [entity(3, 6, "DATE")]),
    ("<numex type='MONEY'>$5</numex>.", "$5.", [entity(0, 2, "MONEY")]),
    # the example of an optional organisation in the MUC-7 guidelines has such attributes
    (
        '<ENAMEX TYPE="LOCATION" STATUS="OPT" MIN="U.S.">the U.S.</ENAMEX>',
        "the U.S.",
        [entity(0, 8, "LOCATION", STATUS="OPT", MIN="U.S.")],
    ),
    (
        '<ENAMEX TYPE="ORGANIZATION">Bank of <ENAMEX TYPE="LOCATION">Spain</ENAMEX></ENAMEX>',
        "Bank of Spain",
        [entity(0, 13, "ORGANIZATION"), entity(8, 13, "LOCATION")],
    ),
    # an element that its label does not have by default is kept
    ('<NUMEX TYPE="DATE">1999</NUMEX>', "1999", [entity(0, 4, "DATE", element="NUMEX")]),
    ('AT&T < <b> <ENAMEX TYPE="ORG">R&amp;D</ENAMEX>', "AT&T < <b> R&D", [entity(11, 14, "ORG")]),
    ("no name &#10; here", "no name \n here", []),
    ("", "", []),
]


@pytest.mark.parametrize(("segment", "text", "entities"), MUC)
def test_muc(segment: str, text: str, entities: list[Entity]) -> None:
    parsed = parse_muc(segment)
    assert (parsed.text, list(parsed.entities)) == (text, entities)
    assert parse_muc(to_muc(parsed)) == parsed


BROKEN_MUC = [
    ('a <ENAMEX TYPE="PERSON">b', "file:1, character 3: found <ENAMEX> without end"),
    (
        '<ENAMEX TYPE="X">a <TIMEX TYPE="DATE">b</ENAMEX> c</TIMEX>',
        "character 40: found </ENAMEX>, expected </TIMEX>",
    ),
    ("a</ENAMEX>", "character 2: found </ENAMEX>, expected a start tag before it"),
    ("<ENAMEX>a</ENAMEX>", "character 1: found <ENAMEX> without TYPE"),
    ('<ENAMEX TYPE="">a</ENAMEX>', "found <ENAMEX> without TYPE"),
    ('<ENAMEX TYPE="A"></ENAMEX>', "found an empty <ENAMEX>"),
    ('<ENAMEX TYPE="A" TYPE="B">a</ENAMEX>', "found attribute TYPE twice, expected once"),
    ('<ENAMEX TYPE="A" element="B">a</ENAMEX>', "found attribute element"),
    ('<ENAMEX TYPE="A" b>a</ENAMEX>', "found 'b' in <ENAMEX>, expected attributes"),
    ('<ENAMEX TYPE="A', "found '<ENAMEX TYPE=\"A', expected '>'"),
    ('<ENAMEX TYPE="A">a</ENAMEX b="c">', 'found </ENAMEX b="c">, expected </ENAMEX>'),
]


@pytest.mark.parametrize(("segment", "message"), BROKEN_MUC)
def test_broken_muc_is_one_line(segment: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(segment, "muc")
    assert message in str(error.value)
    assert str(error.value).startswith("file:1, character ")
    assert "\n" not in str(error.value)


UNWRITABLE_MUC = [
    (AnnotatedText(text="a", id="1"), "found document, paragraph, id or other attributes"),
    (
        AnnotatedText(text="a b c", entities=(entity(0, 3, "A"), entity(2, 5, "B"))),
        "found B 2–5 crossing A 0–3",
    ),
    (AnnotatedText(text="a", entities=(entity(0, 1, "A", score=0.5),)), "attribute score=0.5"),
    (AnnotatedText(text="a", entities=(entity(0, 1, "A", **{"a b": "c"}),)), "attribute a b='c'"),
    (AnnotatedText(text="a", entities=(entity(0, 1, "A", type="c"),)), "attribute"),
]


@pytest.mark.parametrize(("text", "message"), UNWRITABLE_MUC)
def test_nothing_is_left_out_of_muc(text: AnnotatedText, message: str) -> None:
    with pytest.raises(InputError) as error:
        to_muc(text)
    assert message in str(error.value)
