"""Files of names in and out of a store, byte for byte where nobody changed anything."""

from dataclasses import replace
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.serve.annotation.files import EXTENSIONS, Format, export_file, import_file, read_file
from tertium.serve.annotation.layers import change_names, names_of
from tertium.serve.store.connection import Store
from tertium.text.annotations import read_annotations
from tests.support.places import SAMPLE
from tests.support.serve.named import added, named_set, sample_set, text_named

LINES = ["Ann Lee met Bob .", "In Rome, she left."]
FILES: dict[Format, bytes] = {
    "muc": b"\xef\xbb\xbf<ENAMEX  TYPE='PERSON' STATUS=OPT>Ann Lee</ENAMEX> met Bob .\r\n"
    b'In <enamex type="LOCATION">Rome</enamex>, she left.',
    "conll": b"# newdoc id = d1\nAnn NNP I-PER\nLee NNP I-PER\nmet VB O\nBob NNP O\n. . O\n\n\n"
    b"# text = In Rome, she left.\nIn IN O\nRome NN I-LOC\n, , O\nshe PR O\nleft VB O\n. . O\n",
    "jsonl": b'{"id":7,"text":"Ann Lee met Bob .","entities":[{"label":"P","start":0,"end":7,'
    b'"sure":0.5}]}\n{"entities": [], "text": "In Rome, she left."}\n',
}


def imported(store: Store, test_set: int, data: bytes, kind: Format, who: str = "ann") -> None:
    with store.writing() as session:
        text = text_named(session, test_set, "ref")
        file = read_file(text, f"names{EXTENSIONS[kind]}", kind, data)
        import_file(session, text, who, who, file)


def exported(store: Store, test_set: int, kind: Format, who: str = "ann") -> bytes:
    with store.reading() as session:
        return export_file(session, text_named(session, test_set, "ref"), who, kind)


@pytest.mark.parametrize("kind", FILES)
def test_what_nobody_touched_comes_out_as_it_came(store: Store, kind: Format) -> None:
    test_set = named_set(store, {"ref": LINES}, {})
    imported(store, test_set, FILES[kind], kind)
    assert exported(store, test_set, kind) == FILES[kind]


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("muc", b"met Bob", b'met <ENAMEX TYPE="PERSON">Bob</ENAMEX>'),
        ("conll", b"Bob NNP O", b"Bob NNP I-PERSON"),
        ("jsonl", b'"sure":0.5}', b'"sure":0.5}, {"start": 12, "end": 15, "label": "PERSON"}'),
    ],
)
def test_an_edit_changes_its_own_bytes(
    sqlite_store: Store, kind: Format, before: bytes, after: bytes
) -> None:
    store = sqlite_store
    test_set = named_set(store, {"ref": LINES}, {})
    imported(store, test_set, FILES[kind], kind)
    bob = added(0, 12, 15, "PERSON")
    with store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "ann", [bob])
    assert exported(store, test_set, kind) == FILES[kind].replace(before, after)
    with store.writing() as session:
        change_names(session, text, "ann", [replace(bob, action="remove", client_key="undo")])
    assert exported(store, test_set, kind) == FILES[kind]


def test_an_import_makes_the_layer_what_the_file_is(store: Store) -> None:
    test_set = named_set(store, {"ref": LINES}, {})
    with store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "ann", [added(0, 12, 15, "PERSON")])
    imported(store, test_set, FILES["muc"], "muc")
    with store.reading() as session:
        names = names_of(session, text.target, "ann")
    assert [one.key for one in names] == [(0, 0, 7, "PERSON"), (1, 3, 7, "LOCATION")]
    assert {one.origin for one in names} == {"import"}
    imported(store, test_set, FILES["jsonl"], "jsonl")
    assert exported(store, test_set, "jsonl") == FILES["jsonl"]


@pytest.mark.parametrize("into", FILES)
def test_other_formats_hold_the_same_names(
    sqlite_store: Store, into: Format, tmp_path: Path
) -> None:
    test_set = named_set(sqlite_store, {"ref": LINES}, {}, documents=["d", "e"])
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "ann", [added(0, 0, 7, "PERSON"), added(1, 3, 7, "LOCATION")])
    path = tmp_path / f"names{EXTENSIONS[into]}"
    path.write_bytes(exported(sqlite_store, test_set, into))
    read = read_annotations(path)
    assert [one.text for one in read] == LINES
    assert [[str(e) for e in one.entities] for one in read] == [
        ["PERSON 0–7"],
        ["LOCATION 3–7"],
    ]


def test_articles_of_paragraphs_fit_segments(sqlite_store: Store) -> None:
    """The sample's articles have paragraphs of four segments, on wrapped lines."""
    test_set = sample_set(sqlite_store)
    data = (SAMPLE / "articles" / "reference.muc").read_bytes()
    with sqlite_store.writing() as session:
        ref = text_named(session, test_set, "reference 1")
        file = read_file(ref, "reference.muc", "muc", data)
        spans = read_file(ref, "e.jsonl", "jsonl", (SAMPLE / "entities.jsonl").read_bytes())
        assert {one.key for one in file.names} == {one.key for one in spans.names}
        import_file(session, ref, "ann", "ann", file)
        assert export_file(session, ref, "ann", "muc") == data
        port = next(k for k, line in enumerate(ref.segments) if "seaport" in line)
        at = ref.segments[port].index("seaport")
        change_names(session, ref, "ann", [added(port, at, at + 7, "LOCATION")])
        result = export_file(session, ref, "ann", "muc")
    assert result.replace(b'<ENAMEX TYPE="LOCATION">seaport</ENAMEX>', b"seaport") == data
    assert len(result) - len(data) == len(b'<ENAMEX TYPE="LOCATION"></ENAMEX>')


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.muc", b"Ann\n", r"a.muc: 1 segment, expected 2"),
        ("a.muc", b"Ann Lee met Bib .\nIn Rome, she left.\n", r"segment 1: found text '.*Bib"),
        ("a.muc", b"Ann Lee met Bob .\nIn Rome, she left, too.\n", r"segment 2: found text"),
        ("a.muc", b"<ENAMEX>Ann\n\xff", r"invalid UTF-8"),
        ("a.muc", b"<ENAMEX TYPE=X>Ann Lee met Bob .\nIn Rome, she left.\n", r"without end"),
        ("a.muc.gz", b"", r"found a compressed file"),
        ("a.muc", b"", r"0 segments, expected 2"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    sqlite_store: Store, name: str, data: bytes, problem: str
) -> None:
    test_set = named_set(sqlite_store, {"ref": LINES}, {})
    with sqlite_store.reading() as session, pytest.raises(InputError, match=problem):
        read_file(text_named(session, test_set, "ref"), name, "muc", data)


def test_documents_that_one_side_lacks_are_refused(sqlite_store: Store) -> None:
    test_set = named_set(sqlite_store, {"ref": LINES}, {}, documents=["d", "e"])
    article = b"<DOC id=d><TEXT>Ann Lee met Bob .</TEXT></DOC>"
    with sqlite_store.reading() as session, pytest.raises(InputError, match="document 'e' is not"):
        read_file(text_named(session, test_set, "ref"), "a.muc", "muc", article)


def test_a_name_may_not_span_two_segments(sqlite_store: Store) -> None:
    test_set = named_set(sqlite_store, {"ref": ["Ann", "Lee left"]}, {}, documents=["d", "d"])
    article = b"<DOC id=d><TEXT><ENAMEX TYPE=P>Ann Lee</ENAMEX> left</TEXT></DOC>"
    with sqlite_store.reading() as session, pytest.raises(InputError, match="across two segments"):
        read_file(text_named(session, test_set, "ref"), "a.muc", "muc", article)


def test_what_a_format_cannot_hold_is_said(sqlite_store: Store) -> None:
    test_set = named_set(sqlite_store, {"ref": LINES}, {})
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        crossing = [added(0, 0, 7, "P"), added(0, 4, 11, "Q")]
        change_names(session, text, "ann", crossing)
        assert b'"label": "Q"' in export_file(session, text, "ann", "jsonl")
        for kind in ("muc", "conll"):
            with pytest.raises(InputError, match=r"segment 1: (inline mark-up|columns): found"):
                export_file(session, text, "ann", kind)


def test_documents_in_another_order(sqlite_store: Store) -> None:
    test_set = named_set(sqlite_store, {"ref": ["Ann left .", "And ran .", "Bob stayed ."]}, {},
                         documents=["d", "d", "e"])  # fmt: skip
    data = (
        b"<DOC id=e><TEXT>Bob stayed .</TEXT></DOC>\n"
        b"<DOC id=d><TEXT><ENAMEX TYPE=P>Ann</ENAMEX> left . And ran .</TEXT></DOC>\n"
    )
    imported(sqlite_store, test_set, data, "muc")
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "ann", [added(2, 0, 3, "PERSON")])
    assert exported(sqlite_store, test_set, "muc") == data.replace(
        b"Bob", b'<ENAMEX TYPE="PERSON">Bob</ENAMEX>'
    )
