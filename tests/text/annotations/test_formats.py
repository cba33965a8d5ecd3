"""Annotated names: between formats, in files, from pipelines."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.text.annotations import (
    FORMATS,
    AnnotatedText,
    Entity,
    annotate,
    parse_muc,
    read_annotations,
    to_muc,
    write_annotations,
)
from tertium.text.annotations.files import read_spans
from tertium.text.annotations.iob import read_columns
from tertium.text.annotations.muc import ELEMENTS
from tertium.text.files import TextFile
from tests.support.annotated import NEW_YORK, entity, read, written
from tests.support.places import SAMPLE

# ---- between formats ------------------------------------------------------------------------

WORDS = st.text(st.characters(exclude_categories=["Cs", "Z", "C"]), min_size=1, max_size=6).filter(
    lambda word: not any(map(str.isspace, word)) and word != "-DOCSTART-"
)
LABELS = st.sampled_from(["PER", "LOC", "ORGANIZATION", *ELEMENTS])
VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@st.composite
def flat_texts(draw: st.DrawFn) -> AnnotatedText:
    """Words joined by spaces or nothing, some of them entities: what every format can hold."""
    text, entities = "", []
    for word, label in draw(st.lists(st.tuples(WORDS, st.none() | LABELS), max_size=6)):
        text += " " * draw(st.integers(0, 2)) if text else ""
        if label:
            entities.append(entity(len(text), len(text) + len(word), label))
        text += word
    return AnnotatedText(text=text, entities=tuple(entities))


@st.composite
def nested_texts(draw: st.DrawFn, depth: int = 3) -> AnnotatedText:
    """Any text with entities inside entities and attributes: what mark-up and spans can hold."""
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
    entities: list[Entity] = []

    def fill(start: int, end: int, left: int) -> None:
        if end <= start or not left or not draw(st.booleans()):
            return
        first = draw(st.integers(start, end - 1))
        last = draw(st.integers(first + 1, end))
        names = st.sampled_from(["STATUS", "ALT", "min-2"])
        attributes = draw(st.dictionaries(names, VALUES, max_size=2))
        label = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5))
        entities.append(entity(first, last, label, **attributes))
        fill(first, last, left - 1)
        fill(last, end, left - 1)

    fill(0, len(text), depth)
    return AnnotatedText(text=text, entities=tuple(entities))


@given(st.lists(flat_texts(), max_size=4), st.permutations(list(FORMATS)))
def test_flat_entities_pass_through_all_formats(
    texts: list[AnnotatedText], kinds: list[str]
) -> None:
    passed = texts
    for kind in kinds:
        passed = read(written([one.bare() for one in passed], kind), kind)
        assert passed == texts


@given(st.lists(nested_texts(), max_size=3), st.permutations(["muc", "jsonl"]))
def test_nested_entities_pass_through_markup_and_spans(
    texts: list[AnnotatedText], kinds: list[str]
) -> None:
    passed = texts
    for kind in kinds:
        passed = read(written(passed, kind), kind)
        assert passed == texts


@given(flat_texts(), st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_labels_pass_through_columns_and_spans(
    text: AnnotatedText, labels: list[tuple[str, str]]
) -> None:
    texts = [replace(text, document=a, paragraph=b, id=a + b) for a, b in labels]
    for kind in ("conll", "jsonl"):
        assert read(written(texts, kind), kind) == texts


def outcome(kind: str, data: bytes) -> str:
    """The error that a file gives, or an empty string."""
    reader, _ = FORMATS[kind]
    try:
        assert all(one.text is not None for _, one in reader(TextFile(name="file", data=data)))
    except InputError as error:
        return str(error)
    return ""


@given(st.text(alphabet='<>/="ENAMEX TYP&;', max_size=40))
def test_any_text_is_markup_or_a_clear_error(segment: str) -> None:
    said = outcome("muc", segment.encode())
    if said:
        assert said.startswith("file:1, character ")
    else:
        parsed = parse_muc(segment)
        assert parse_muc(to_muc(parsed)) == parsed


@given(st.binary(max_size=60), st.sampled_from(list(FORMATS)))
def test_any_bytes_are_a_file_or_a_clear_error(data: bytes, kind: str) -> None:
    said = outcome(kind, data)
    assert not said or said.startswith("file:")


# ---- values and files -----------------------------------------------------------------------


def test_entities_move_to_the_text_with_its_spaces() -> None:
    columns = AnnotatedText(
        text="McDonald 's , Inc .", entities=(entity(0, 11, "ORG"), entity(14, 19, "MISC"))
    )
    moved = columns.moved_to("McDonald's, Inc.")
    assert [moved.surface(one) for one in moved.entities] == ["McDonald's", "Inc."]
    assert columns.moved_to(columns.text) is columns
    with pytest.raises(InputError, match=r"annotated text 'McDonald.*', expected 'Burger'"):
        columns.moved_to("Burger")


@pytest.mark.parametrize("name", ["a.muc", "a.conll", "a.conll03", "a.iob2", "a.jsonl"])
def test_files_by_extension(name: str, tmp_path: Path) -> None:
    write_annotations(tmp_path / name, [NEW_YORK, AnnotatedText(text="b")])
    assert read_annotations(tmp_path / name) == (NEW_YORK, AnnotatedText(text="b"))


def test_unknown_labels_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.muc"
    path.write_text('x\n<ENAMEX TYPE="PERSN">Ann</ENAMEX>\n', encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_annotations(path, labels=["PERSON", "LOCATION"])
    expected = "unknown label 'PERSN'; did you mean 'PERSON'? known: LOCATION, PERSON"
    assert str(error.value) == f"{path}:2: {expected}"


def test_unknown_formats(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.touch()
    with pytest.raises(InputError, match=r"a\.doc: unknown extension '\.doc', expected one of"):
        read_annotations(path)
    with pytest.raises(
        OptionError, match="unknown format of annotations 'muk'; did you mean 'muc'"
    ):
        read_annotations(path, format="muk")
    with pytest.raises(InputError, match="found a compressed file"):
        write_annotations(tmp_path / "a.muc.gz", [])
    assert read_annotations(path, format="muc") == ()


def test_nothing_is_written_if_not_all_can_be(tmp_path: Path) -> None:
    path = tmp_path / "a.muc"
    with pytest.raises(InputError, match="segment 2: inline mark-up"):
        write_annotations(path, [NEW_YORK, replace(NEW_YORK, id="1")])
    with pytest.raises(InputError, match="a lone surrogate"):
        write_annotations(path, [AnnotatedText(text="\ud800")])
    assert not path.exists()


def test_the_sample_is_annotated() -> None:
    texts = read_annotations(SAMPLE / "entities.jsonl")
    lines = (SAMPLE / "reference.1.en").read_text(encoding="utf-8").splitlines()
    documents = (SAMPLE / "documents.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert [one.text for one in texts] == lines
    assert [one.document for one in texts] == [line.split("\t")[0] for line in documents]
    names = {one.surface(e) for one in texts for e in one.entities if e.label == "PERSON"}
    assert {"Annegret Möllendorf", "Özgür Lindqvist", "Mateusz Wróblewski"} < names
    for one in texts:
        for surface in map(one.surface, one.entities):
            assert surface == surface.strip()


# ---- spaCy ----------------------------------------------------------------------------------


def test_recognisers_are_named_with_spacy() -> None:
    for name in ("en_core_web_sm", "spacy:", "stanza:en"):
        with pytest.raises(OptionError, match="expected spacy: and the name or path"):
            annotate(["a"], name)


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=re.escape(install_hint("spacy"))):
        annotate(["a"], "spacy:en")


def test_readers_give_line_numbers() -> None:
    file = TextFile(name="file", data=b"a\tO\n\n\nb\tO\n")
    assert [line for line, _ in read_columns(file)] == [1, 4]
    spans = TextFile(name="file", data=b'{"text": "", "entities": []}\n' * 2)
    assert [line for line, _ in read_spans(spans)] == [1, 2]
