"""Names as spans of characters, in lines of JSON."""

import pytest

from tertium.errors import InputError
from tertium.text.annotations import (
    AnnotatedText,
)
from tests.support.annotated import entity, read, written

SPANS = [
    (
        '{"text": "Ann", "entities": [{"start": 0, "end": 3, "label": "PER", "score": 0.5}]}\n',
        [AnnotatedText(text="Ann", entities=(entity(0, 3, "PER", score=0.5),))],
    ),
    (
        '{"id": 7, "document": "d", "paragraph": "p", "text": "", "entities": [], "x": [1]}\n',
        [AnnotatedText(text="", id="7", document="d", paragraph="p", attributes={"x": [1]})],
    ),
    # spans may cross, and need not be in order
    (
        (
            '{"text": "abc", "entities": [{"start": 1, "end": 3, "label": "B"}, '
            '{"start": 0, "end": 2, "label": "A"}]}\n'
        ),
        [AnnotatedText(text="abc", entities=(entity(0, 2, "A"), entity(1, 3, "B")))],
    ),
]


@pytest.mark.parametrize(("lines", "texts"), SPANS)
def test_spans(lines: str, texts: list[AnnotatedText]) -> None:
    assert read(lines, "jsonl") == texts
    assert read(written(texts, "jsonl"), "jsonl") == texts


BROKEN_SPANS = [
    ("{", "expected one JSON object per line"),
    ("[]", "a line: a list, expected a JSON object"),
    ('{"entities": []}', "'text': null, expected text"),
    ('{"text": "a"}', "'entities': null, expected a list of spans"),
    ('{"text": "a", "entities": [1]}', "an entity: a number, expected a JSON object"),
    (
        '{"text": "a", "entities": [{"start": 0, "end": 2, "label": "A"}]}',
        "entity A 0–2: outside of the text or empty, expected 0 ≤ start < end ≤ 1",
    ),
    ('{"text": "a", "entities": [{"start": 0, "end": 0, "label": "A"}]}', "or empty"),
    ('{"text": "a", "entities": [{"start": -1, "end": 1, "label": "A"}]}', "outside of the text"),
    ('{"text": "a", "entities": [{"start": true, "end": 1, "label": "A"}]}', "'start': true"),
    ('{"text": "a", "entities": [{"start": 0, "end": 1, "label": ""}]}', "empty label"),
    ('{"text": "a", "entities": [{"start": 0, "end": 1}]}', "'label': null, expected text"),
    ('{"text": "\\ud800", "entities": []}', "'text': a lone surrogate"),
    ('{"text": "a", "entities": [], "id": true}', "'id': true or false, expected text"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN_SPANS)
def test_broken_spans(line: str, message: str) -> None:
    good = '{"text": "", "entities": []}\n'
    with pytest.raises(InputError) as error:
        read(good + line, "jsonl")
    assert str(error.value).startswith("file:2: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (AnnotatedText(text="", attributes={"id": "1"}), "attribute 'id', expected another name"),
        (AnnotatedText(text="a", entities=(entity(0, 1, "A", end=1),)), "attribute 'end'"),
        (AnnotatedText(text="", attributes={"x": {1}}), "expected attributes that JSON can hold"),
        (AnnotatedText(text="", attributes={"x": float("nan")}), "JSON can hold"),
    ],
)
def test_nothing_is_left_out_of_spans(text: AnnotatedText, message: str) -> None:
    with pytest.raises(InputError) as error:
        written([text], "jsonl")
    assert message in str(error.value)
