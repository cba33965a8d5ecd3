"""Entity annotations: every format read, written, and read again."""

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
    annotation_lines,
    parse_muc,
    read_annotations,
    to_muc,
    write_annotations,
)
from tertium.text.annotations.iob import read_columns
from tertium.text.annotations.muc import ELEMENTS
from tertium.text.annotations.spans import read_spans
from tertium.text.files import TextFile

SAMPLE = Path(__file__).resolve().parents[2] / "src" / "tertium" / "data" / "sample"


def entity(start: int, end: int, label: str, /, **attributes: object) -> Entity:
    return Entity(start=start, end=end, label=label, attributes=attributes)


def read(lines: str, kind: str) -> list[AnnotatedText]:
    """What a file with these lines says."""
    reader, _ = FORMATS[kind]
    return [one for _, one in reader(TextFile(name="file", data=lines.encode()))]


def written(texts: list[AnnotatedText], kind: str) -> str:
    return "".join(annotation_lines(texts, kind))


# ---- MUC mark-up ----------------------------------------------------------------------------

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


# ---- columns --------------------------------------------------------------------------------

NEW_YORK = AnnotatedText(text="in New York City", entities=(entity(3, 16, "LOC"),))
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
    ("a\tO\nb\n", "file:2: 1 columns, expected 2 as in line 1"),
    ("a\nb\n", "file:1: 1 columns, expected a word and its tag"),
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


# ---- JSON lines -----------------------------------------------------------------------------

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
