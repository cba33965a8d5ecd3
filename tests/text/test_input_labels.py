"""What goes along with text: documents, genres, sources and the names of systems."""

import gzip
import os
from pathlib import Path

import pytest

from tertium.errors import InputError, OptionError
from tertium.text.formats.table import system_name
from tertium.text.input_files import open_inputs
from tests.support.reading import joined, references, written


def test_references_separated_by_tabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "sys", "s\ns\ns\n")
    written(tmp_path / "ref", "a\tb\n\td\ne\t\n")
    inputs = open_inputs(["ref"], ["sys"], num_refs=2)
    assert references(inputs.load()) == [["a", None, "e"], ["b", "d", None]]
    assert inputs.load().corpus.references.count == "var"
    assert joined(inputs, 1) == joined(inputs, 9)
    assert references(open_inputs(["ref"], ["sys"]).load()) == [["a\tb", "\td", "e\t"]]
    for content, message in [
        ("a\tb\nc\nd\te\n", "ref:2: 1 reference separated by tabs, expected 2"),
        ("a\tb\na\tb\nc\td\te\n", "ref:3: 3 references separated by tabs, expected 2"),
        ("a\tb\n\t\nc\td\n", "ref:2: no reference, expected at least one"),
    ]:
        written(tmp_path / "ref", content)
        for segments in (1, 9):
            with pytest.raises(InputError) as error:
                list(open_inputs(["ref"], ["sys"], num_refs=2).chunks(segments))
            assert str(error.value) == message
    for several in (["ref"], ["ref", "ref"]):
        with pytest.raises(OptionError, match=r"num_refs: \d"):
            open_inputs(several, ["sys"], num_refs=2 * len(several) - 2)


@pytest.mark.parametrize(
    ("content", "documents", "genres"),
    [
        ("news\td1\nweb\td2\n", ("d1", "d2"), ("news", "web")),
        ("document\tgenre\nd1\tnews\nd2\tweb\n", ("d1", "d2"), ("news", "web")),
        ("domain\tx\tdocument\nnews\t\td1\nweb\t\td2\n", ("d1", "d2"), ("news", "web")),
        ("document\nd1\nd2\n", ("d1", "d2"), None),
        ("genre\nnews\nweb\n", None, ("news", "web")),
    ],
)
def test_documents(
    tmp_path: Path,
    content: str,
    documents: tuple[str, ...] | None,
    genres: tuple[str, ...] | None,
) -> None:
    path = written(tmp_path / "a.txt", "one\ntwo\n")
    labels = written(tmp_path / "a.docs", content)
    corpus = open_inputs([path], [path], documents=labels).load().corpus
    assert (corpus.documents, corpus.genres) == (documents, genres)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("news\td1\n", "a.docs: 1 segment, expected 2 (reference a.txt)"),
        ("news\td1\n" * 3, "a.docs: 3 segments, expected 2 (reference a.txt)"),
        ("", "a.docs: 0 segments, expected 2 (reference a.txt)"),
        ("news\td1\nweb\n", "a.docs:2: 1 column, expected 2 (genre and document, separated"),
        ("genre\tdocument\nweb\n", "a.docs:2: 1 column, expected 2 (genre and document, separ"),
        ("genre\tdomain\na\tb\n", "a.docs:1: a column twice, expected each label once"),
    ],
)
def test_documents_that_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "a.txt", "one\ntwo\n")
    written(tmp_path / "a.docs", content)
    for segments in (1, 2, 3):
        with pytest.raises(InputError) as error:
            list(open_inputs(["a.txt"], ["a.txt"], documents="a.docs").chunks(segments))
        assert str(error.value).startswith(message)


def test_labels_say_how_to_give_them(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "one\n")
    corpus = open_inputs([path], [path]).load().corpus
    for by in ("genre", "document"):
        with pytest.raises(InputError, match=f"no {by} labels, expected a file of documents"):
            corpus.labels(by)
    labelled = written(tmp_path / "a.docs", "news\td1\n")
    corpus = open_inputs([path], [path], documents=labelled).load().corpus
    assert (corpus.labels("genre"), corpus.labels("document")) == (("news",), ("d1",))


def test_source(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "one\ntwo\n")
    source = written(tmp_path / "a.src", "eins\nzwei\n")
    sources = open_inputs([path], [path], source=source).load().corpus.sources
    assert sources is not None
    assert sources.to_list() == ["eins", "zwei"]
    with pytest.raises(InputError, match=r"a\.src: 2 segments, expected 0"):
        open_inputs([os.devnull], [os.devnull], source=source).load()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("out/online-A.txt", "online-A"),
        ("online-A.en.gz", "online-A.en"),
        ("a.b.TSV.zst", "a.b"),
        ("newstest2012.es-en.UPC", "newstest2012.es-en.UPC"),
        ("plain", "plain"),
        ("x.sgm", "x"),
        (".txt", ".txt"),
    ],
)
def test_system_names(path: str, name: str) -> None:
    assert system_name(path) == name


def test_names_of_systems(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one = written(tmp_path / "a.txt", "one\n")
    two = written(tmp_path / "b" / "a.txt.gz", gzip.compress(b"one\n"))
    with pytest.raises(InputError, match=r"b/a\.txt\.gz: system name 'a' is that of .*/a\.txt too"):
        open_inputs([one], [one, two])
    assert open_inputs([one], [one, two], names=["x", "y"]).system_names == ("x", "y")
    with pytest.raises(OptionError, match="names: found 1, expected 2"):
        open_inputs([one], [one, two], names=["x"])
    with pytest.raises(InputError, match="system name 'x' is that of"):
        open_inputs([one], [one, two], names=["x", "x"])
