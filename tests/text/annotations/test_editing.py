"""Files with other names in them: every byte that nobody changed is what it was."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text.annotations import AnnotatedText, Entity, read_annotations
from tertium.text.annotations.editing import edited, wrapped_places
from tests.support.annotated import entity, read, written
from tests.support.effort import examples
from tests.support.places import SAMPLE

ARTICLE = b"""\xef\xbb\xbf<DOC>\r
<DOCID> a&amp;b </DOCID>
<TEXT>
<p>
In <ENAMEX
   TYPE='LOCATION' ALT="NYC">New
York</ENAMEX> &amp; elsewhere,   <TIMEX TYPE=DATE>May</TIMEX>\tcame.
<p>
Nothing &lt;here&gt; .
</TEXT>
</DOC>
"""


def test_nothing_changes_where_nothing_was_changed() -> None:
    for name, kind in (("entities.jsonl", "jsonl"), ("articles/reference.muc", "muc")):
        data = (SAMPLE / name).read_bytes()
        texts = read_annotations(SAMPLE / name)
        wanted = {number: one.entities for number, one in enumerate(texts)}
        assert edited(data, wanted, format=kind) == data
        assert edited(data, {}, format=kind) == data


def test_only_the_tag_of_a_wrapped_article_changes() -> None:
    [first, second] = read(ARTICLE.decode("utf-8-sig"), "muc")
    assert first.text == "In New York & elsewhere, May came."
    retyped = [entity(3, 11, "ORGANIZATION"), entity(25, 28, "DATE")]
    assert edited(ARTICLE, {0: retyped}, format="muc") == ARTICLE.replace(
        b"'LOCATION'", b'"ORGANIZATION"'
    )
    # MUC has dates and places in different elements.
    moved = edited(ARTICLE, {0: [entity(3, 11, "DATE"), entity(25, 28, "DATE")]}, format="muc")
    assert moved == (
        ARTICLE.replace(b"<ENAMEX\n   TYPE='LOCATION'", b'<TIMEX\n   TYPE="DATE"').replace(
            b"York</ENAMEX>", b"York</TIMEX>"
        )
    )
    without = edited(ARTICLE, {0: [entity(3, 11, "LOCATION")]}, format="muc")
    assert without == ARTICLE.replace(b"<TIMEX TYPE=DATE>May</TIMEX>", b"May")
    assert second.text == "Nothing <here> ."
    added = edited(ARTICLE, {1: [entity(8, 14, "LOCATION")]}, format="muc")
    assert added == ARTICLE.replace(
        b"&lt;here&gt;", b'<ENAMEX TYPE="LOCATION">&lt;here&gt;</ENAMEX>'
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        # Around, inside, and beside the name that is there.
        ([(0, 6, "A"), (3, 5, "PER")], '<ENAMEX TYPE="A">Mr <ENAMEX TYPE="PER">Li'),
        ([(3, 5, "PER"), (3, 5, "B")], '<ENAMEX TYPE="PER"><ENAMEX TYPE="B">Li</ENAMEX></ENAMEX>'),
        ([(3, 5, "PER"), (3, 4, "C")], '<ENAMEX TYPE="PER"><ENAMEX TYPE="C">L</ENAMEX>i</ENAMEX>'),
        ([(3, 5, "PER"), (3, 7, "D")], '<ENAMEX TYPE="D"><ENAMEX TYPE="PER">Li</ENAMEX>, <'),
        ([(3, 5, "PER"), (1, 5, "E")], 'M<ENAMEX TYPE="E">r <ENAMEX TYPE="PER">Li</ENAMEX></'),
        ([(3, 5, "PER"), (5, 6, "F")], 'Li</ENAMEX><ENAMEX TYPE="F">,</ENAMEX>'),
        ([(3, 5, "PER"), (2, 3, "G")], '<ENAMEX TYPE="G"> </ENAMEX><ENAMEX TYPE="PER">Li'),
        ([(0, 2, "DATE"), (0, 2, "H"), (3, 5, "PER")],
         '<TIMEX TYPE="DATE"><ENAMEX TYPE="H">Mr</ENAMEX></TIMEX>'),
    ],
)  # fmt: skip
def test_tags_are_nested(names: list[tuple[int, int, str]], expected: str) -> None:
    line = b'Mr <ENAMEX TYPE="PER">Li</ENAMEX>, hello\n'
    result = edited(line, {0: [entity(*one) for one in names]}, format="muc").decode()
    assert expected in result
    assert {(e.start, e.end, e.label) for e in read(result, "muc")[0].entities} == set(names)


def test_names_that_cross_are_refused_in_markup() -> None:
    line = b'a <ENAMEX TYPE="X">b c</ENAMEX> d\n'
    with pytest.raises(InputError, match=r"segment 1: .*characters 2–5 crossing 0–3"):
        edited(line, {0: [entity(2, 5, "X"), entity(0, 3, "Y")]}, format="muc", name="f")


@pytest.mark.parametrize(
    ("before", "names", "after"),
    [
        # IOB2, IOB1, IOBES, BILOU; other columns and comments stay.
        ("# x = 1\nAnn\tNN\tB-PER\nLee\tNN\tI-PER\nran\tVB\tO\n", [(0, 3, "PER"), (8, 11, "X")],
         "# x = 1\nAnn\tNN\tB-PER\nLee\tNN\tO\nran\tVB\tB-X\n"),
        ("a I-P\nb O\nc O\n", [(0, 1, "P"), (2, 5, "P")], "a I-P\nb B-P\nc I-P\n"),
        ("a S-P\nb O\nc O\nd O\n", [(0, 1, "P"), (2, 7, "P")], "a S-P\nb B-P\nc I-P\nd E-P\n"),
        ("a U-P\nb O\nc O\n", [(2, 5, "Q")], "a O\nb B-Q\nc L-Q\n"),
        ("a O\r\nb O\r\n\r\n\r\nc O", [(0, 3, "P")], "a B-P\r\nb I-P\r\n\r\n\r\nc O"),
    ],
)  # fmt: skip
def test_only_tags_of_changed_words_change_in_columns(
    before: str, names: list[tuple[int, int, str]], after: str
) -> None:
    wanted = {0: [entity(*one) for one in names]}
    assert edited(before.encode(), wanted, format="conll") == after.encode()


@pytest.mark.parametrize("names", [[(1, 3, "P")], [(0, 3, "P"), (2, 3, "P")]])
def test_what_columns_cannot_hold_is_refused(names: list[tuple[int, int, str]]) -> None:
    with pytest.raises(
        InputError, match=r"f: segment 1: columns: found P .–3 (cutting|overlapping)"
    ):
        edited(b"ab O\nc O\n" if len(names) == 1 else b"a O\nb O\n",
               {0: [entity(*one) for one in names]}, format="conll", name="f")  # fmt: skip


def test_spans_keep_their_keys_and_order() -> None:
    line = (
        '{"text":"a b c" , "entities":[ {"label":"X","end":5,"start":4, "note":"é"},'
        '{"start":0,"end":1,"label":"Y"}],"more":[1,2]}\n'
    )
    assert edited(line.encode(), {0: [entity(4, 5, "Z"), entity(0, 1, "Y")]}, format="jsonl") == (
        line.replace('"X"', '"Z"').encode()
    )
    only = edited(line.encode(), {0: [entity(4, 5, "X")]}, format="jsonl").decode()
    assert only == line.replace(',{"start":0,"end":1,"label":"Y"}', "")
    other = edited(line.encode(), {0: [entity(0, 1, "Y")]}, format="jsonl").decode()
    assert other == re.sub(r'\{"label".*?\},', "", line)
    new = edited(line.encode(), {0: [entity(2, 3, "W")]}, format="jsonl").decode()
    assert read(new, "jsonl")[0].entities == (entity(2, 3, "W"),)


LETTERS = st.text('ab <&>"é漢', max_size=12)


@st.composite
def edits(draw: st.DrawFn) -> tuple[list[AnnotatedText], dict[int, list[Entity]]]:
    """Texts with nested names, and other names for some of them."""
    texts = [draw(texts_with_names()) for _ in range(draw(st.integers(1, 4)))]
    some = draw(st.sets(st.integers(0, len(texts) - 1)))
    return texts, {
        k: list(draw(texts_with_names(text=texts[k].text)).entities) for k in sorted(some)
    }


@st.composite
def texts_with_names(draw: st.DrawFn, text: str | None = None) -> AnnotatedText:
    """A text whose names lie in each other or apart."""
    text = draw(LETTERS) if text is None else text
    names: dict[tuple[int, int, str], Entity] = {}
    for _ in range(draw(st.integers(0, 4)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        crossing = any(s < start < e < end or start < s < end < e for s, e, _ in names)
        if not crossing:
            label = draw(st.sampled_from(["PERSON", "DATE", "MONEY"]))
            names[start, end, label] = entity(start, end, label)
    return AnnotatedText(text=text, entities=tuple(names.values()))


def _labels(text: AnnotatedText) -> set[tuple[int, int, str]]:
    return {(one.start, one.end, one.label) for one in text.entities}


@pytest.mark.parametrize("kind", ["muc", "jsonl"])
@settings(max_examples=examples(200))
@given(case=edits())
def test_a_file_says_what_it_was_told_and_the_rest_stays(
    kind: str, case: tuple[list[AnnotatedText], dict[int, list[Entity]]]
) -> None:
    texts, wanted = case
    before = written(texts, kind)
    after = edited(before.encode(), wanted, format=kind).decode()
    for number, one in enumerate(read(after, kind)):
        names = AnnotatedText(
            text=one.text, entities=tuple(wanted.get(number, texts[number].entities))
        )
        assert one.text == texts[number].text
        assert _labels(one) == _labels(names)
    untouched = [k for k in range(len(texts)) if k not in wanted]
    lines = before.split("\n"), after.split("\n")
    assert [lines[0][k] for k in untouched] == [lines[1][k] for k in untouched]
    # There and back again.
    back = {k: list(texts[k].entities) for k in wanted}
    again = edited(after.encode(), back, format=kind).decode()
    assert [_labels(one) for one in read(again, kind)] == [_labels(one) for one in texts]


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("ab", [(0, 1), (1, 2)]),
        ("a \n b", [(0, 1), (1, 4), (4, 5)]),
        (" \n a ", [(3, 4)]),
        ("a", [(0, 1)]),
        (" \n", []),
        ("", []),
    ],
)
def test_characters_of_wrapped_lines_know_their_offsets(
    paragraph: str, expected: list[tuple[int, int]]
) -> None:
    """Blanks between words are one character, however long; at the edges they are none."""
    assert wrapped_places(paragraph) == expected
