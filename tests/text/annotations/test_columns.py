"""Names as tags in columns."""

from dataclasses import replace

import pytest

from tertium.errors import InputError
from tertium.text.annotations import (
    AnnotatedText,
)
from tests.support.annotated import NEW_YORK, entity, read, written

SCHEMES = [
    # two entities side by side: only IOB1 begins the first with I
    ("iob1", ["I-LOC", "I-LOC", "B-LOC", "O"], [(0, 1), (2, 2)]),
    ("iob2", ["B-LOC", "I-LOC", "B-LOC", "O"], [(0, 1), (2, 2)]),
    ("iobes", ["B-LOC", "E-LOC", "S-LOC", "O"], [(0, 1), (2, 2)]),
    ("bilou", ["B-LOC", "L-LOC", "U-LOC", "O"], [(0, 1), (2, 2)]),
    ("another type begins another entity", ["I-LOC", "I-PER", "O", "O"], [(0, 0), (1, 1)]),
    ("at the end", ["O", "O", "B-LOC", "I-LOC"], [(2, 3)]),
    ("long iobes", ["B-LOC", "I-LOC", "I-LOC", "E-LOC"], [(0, 3)]),
]


@pytest.mark.parametrize(("tags", "spans"), [row[1:] for row in SCHEMES], ids=lambda _: "")
def test_tags_of_every_scheme(tags: list[str], spans: list[tuple[int, int]]) -> None:
    lines = "".join(f"w{k}\t{tag}\n" for k, tag in enumerate(tags))
    [text] = read(lines, "conll")
    # words are two characters and a space
    assert [(one.start, one.end) for one in text.entities] == [(3 * a, 3 * b + 2) for a, b in spans]


COLUMNS = [
    ("in O\nNew B-LOC\nYork I-LOC\nCity I-LOC\n", [NEW_YORK]),
    ("1\tin\tO\t-\n2\tNew\tB-LOC\t-\n3\tYork\tI-LOC\tx\n4\tCity\tI-LOC\t-\n\n", [NEW_YORK]),
    # CoNLL-2003: part of speech and chunk before the entity
    (
        (
            "-DOCSTART- -X- O O\n\nin IN I-PP O\nNew NNP I-NP I-LOC\nYork NNP I-NP I-LOC\n"
            "City NNP I-NP I-LOC\n\n-DOCSTART- -X- O O\n\nHi UH O O\n"
        ),
        [replace(NEW_YORK, document="1"), AnnotatedText(text="Hi", document="2")],
    ),
    (
        (
            "# newdoc id = a\n# newpar id = p\n# sent_id = s1\n# text = Hi, Ann\n# lang = en\n"
            "Hi\tO\n,\tO\nAnn\tB-PER\n\n# newpar\n# text = \n\n# newdoc\nx\tO\n"
        ),
        [
            AnnotatedText(
                text="Hi, Ann",
                entities=(entity(4, 7, "PER"),),
                document="a",
                paragraph="p",
                id="s1",
                attributes={"lang": "en"},
            ),
            AnnotatedText(text="", document="a", paragraph="2"),
            AnnotatedText(text="x", document="2"),
        ],
    ),
    ("# O\n1 O\n", [AnnotatedText(text="# 1")]),  # a number sign is a word too
    ("#\tB-X\n", [AnnotatedText(text="#", entities=(entity(0, 1, "X"),))]),
    ("", []),
]


@pytest.mark.parametrize(("lines", "texts"), COLUMNS)
def test_columns(lines: str, texts: list[AnnotatedText]) -> None:
    assert read(lines, "conll") == texts
    assert read(written(texts, "conll"), "conll") == texts


def test_words_are_kept_for_writing() -> None:
    lines = "# text = Hi, Ann!\nHi\tO\n,\tO\nAnn\tB-PER\n!\tO\n\n"
    assert written(read(lines, "conll"), "conll") == lines


BROKEN_COLUMNS = [
    ("a\tO\nb\n", "file:2: 1 column, expected 2 as in line 1"),
    ("a\nb\n", "file:1: 1 column, expected a word and its tag"),
    (
        "a\tO\nb\tX-PER\n",
        "file:2: found 'X-PER', expected a tag: O, or B-, I-, E- or S- and a type",
    ),
    ("a\tB-\n", "file:1: found 'B-', expected a tag"),
    ("a\tS-A\nb\tI-A\n", "file:2: found tag 'I-A', expected O or the beginning of an entity"),
    ("a\tB-A\nb\tO\nc\tS-A\n", "file:2: found tag 'O', expected I-A or E-A"),
    ("a\tB-A\nb\tE-B\n", "file:2: found tag 'E-B', expected I-A or E-A"),
    ("a\tS-A\nb\tB-A\n", "file:2: found no end of A, expected E-A"),
    ("# text = ab\na\tO\nc\tO\n", "file:3: found word 'c', expected 'b' of '# text'"),
    ("# text = a b\na\tO\n", "file:2: found no more words, expected 'b' of '# text'"),
    ("# id = 1\n# id = 2\na\tO\n", "file:2: '# id' twice, expected once in a segment"),
]


@pytest.mark.parametrize(("lines", "message"), BROKEN_COLUMNS)
def test_broken_columns(lines: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(lines, "conll")
    assert str(error.value).startswith(message)


UNWRITABLE_COLUMNS = [
    (replace(NEW_YORK, entities=(entity(3, 16, "A"), entity(3, 6, "B"))), "inside another entity"),
    (AnnotatedText(text="a b", entities=(entity(0, 2, "A"),)), "cutting a word"),
    (AnnotatedText(text="a", entities=(entity(0, 1, "A", b="c"),)), "with attributes"),
    (AnnotatedText(text="a", entities=(entity(0, 1, "A\tB"),)), "found label 'A\\tB'"),
    (AnnotatedText(text="a\nb"), "found text 'a\\nb', expected text of one line"),
    (AnnotatedText(text="-DOCSTART-"), "found word '-DOCSTART-'"),
    (AnnotatedText(text="a", attributes={"b": 1}), "found b 1, expected text of one line"),
    (AnnotatedText(text="a", attributes={"text": "b"}), "found attribute 'text'"),
]


@pytest.mark.parametrize(("text", "message"), UNWRITABLE_COLUMNS)
def test_nothing_is_left_out_of_columns(text: AnnotatedText, message: str) -> None:
    with pytest.raises(InputError) as error:
        written([NEW_YORK, text], "conll")
    assert str(error.value).startswith("segment 2: columns: ")
    assert message in str(error.value)


def test_columns_cannot_end_a_document_without_a_new_one() -> None:
    with pytest.raises(InputError, match="found no document, expected one or none at all"):
        written([replace(NEW_YORK, document="a"), NEW_YORK], "conll")
