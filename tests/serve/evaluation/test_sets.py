import io
import json
import lzma

import pytest
from sqlalchemy import func, select

from tertium.errors import TertiumError
from tertium.serve.errors import ConflictError, NotFoundError, RequestError, TooLargeError
from tertium.serve.evaluation.corpora import corpus_of
from tertium.serve.evaluation.sets import (
    SetDescription,
    all_test_sets,
    change_test_set,
    create_test_set,
    delete_test_set,
    keys_of,
    one_test_set,
    read_test_set,
)
from tertium.serve.evaluation.systems import read_outputs
from tertium.serve.evaluation.uploads import SentFile, opened
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import StoredText, TestSet
from tests.support.serve.evaluations import (
    REFERENCE,
    SECOND,
    SOURCE,
    file,
    make_project,
    make_test_set,
)

SGML = """<refset setid="s" srclang="de" trglang="en">
<doc docid="a" sysid="r"><seg id="1">one two</seg><seg id="2">three &lt;four&gt;</seg></doc>
<doc docid="b" sysid="r"><seg id="1">five</seg></doc></refset>"""
OUTPUT = """<tstset setid="s" srclang="de" trglang="en">
<doc docid="b" sysid="mine"><seg id="1">fünf</seg></doc>
<doc docid="a" sysid="mine"><seg id="2">drei</seg><seg id="1">eins</seg></doc></tstset>"""


def test_a_test_set_comes_back_as_it_was_sent(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project, licence="CC BY 4.0", source_language="de")
    assert (made.slug, made.segments, made.references) == ("news-2026", 12, ("one", "two"))
    assert made.metrics == ("bleu", "chrf", "ter")
    with store.reading() as session:
        assert all_test_sets(session, project) == (made,)
        assert one_test_set(session, project, "news-2026") == made
        corpus = corpus_of(session, made.id)
        assert corpus.references.columns[0].to_list() == REFERENCE.splitlines()
        assert corpus.references.columns[1].to_list() == SECOND.splitlines()
        assert corpus.sources is not None
        assert corpus.sources.to_list() == SOURCE.splitlines()
        assert corpus.genres == ("news",) * 6 + ("web",) * 6
        assert corpus.documents is not None
        assert len(set(corpus.documents)) == 4


def test_a_text_is_kept_once(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        make_test_set(session, project)
        second = make_test_set(session, project)
        assert second.slug == "news-2026-2"
        assert session.scalar(select(func.count()).select_from(StoredText)) == 5


def test_change_and_delete(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        changed = change_test_set(
            session, "ann", made.id, name="Other", note="a\nb", metrics=["chrf2++", "chrf"]
        )
        assert (changed.name, changed.note) == ("Other", "a\nb")
        assert changed.metrics == ("chrf[word_order=2]", "chrf")
        delete_test_set(session, "ann", made.id)
    with store.writing() as session:
        assert all_test_sets(session, project) == ()
        with pytest.raises(NotFoundError, match="test set news-2026: found none"):
            one_test_set(session, project, "news-2026")
        assert make_test_set(session, project).slug == "news-2026"


def test_a_slug_is_taken_or_odd(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        make_test_set(session, project, slug="x")
    with store.writing() as session, pytest.raises(ConflictError, match="slug: x is taken"):
        make_test_set(session, project, slug="x")
    with store.writing() as session, pytest.raises(RequestError, match="expected letters a-z"):
        make_test_set(session, project, slug="X/../y")
    with store.writing() as session:
        assert make_test_set(session, project, name="测试").slug == "test-set"


def test_segments_that_have_names_are_put_in_order(store: Store) -> None:
    texts = read_test_set([file("ref.sgm", SGML)])
    project = make_project(store)
    with store.writing() as session:
        made = create_test_set(session, "ann", project, texts, SetDescription(name="SGML"))
        keys = keys_of(session, made.id)
        assert keys == (("a", "1"), ("a", "2"), ("b", "1"))
        corpus = corpus_of(session, made.id)
    assert corpus.documents == ("a", "a", "b")
    (sent,) = read_outputs(file("out.sgm", OUTPUT), segments=3, keys=keys)
    assert (sent.system, sent.hypotheses) == ("mine", ("eins", "drei", "fünf"))
    part = OUTPUT.replace('<doc docid="b"', '<doc docid="c"')
    with pytest.raises(TertiumError, match=r"1 only there \(such as document 'b' segment '1'\)"):
        read_outputs(file("out.sgm", part), segments=3, keys=keys)


def test_tables_and_lines_of_json() -> None:
    rows = [{"id": i, "source": f"s{i}", "reference": [f"r{i}", "x"]} for i in range(3)]
    texts = read_test_set([file("t.jsonl", "\n".join(map(json.dumps, rows)))])
    assert (texts.segments, len(texts.references)) == (3, 2)
    assert texts.sources is not None
    packed = SentFile(name="t.tsv.xz", data=lzma.compress(b"id\treference\n1\ta\n2\tb\n"))
    assert read_test_set([packed]).segments == 2
    both = read_test_set([file("t.txt", "a\tb\nc\t\n")], references_per_line=2)
    assert [text.lines for _, text in both.references] == [2, 2]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("r.txt", b"good\n\xff\xfe bad\n", r"r.txt:2: invalid UTF-8, expected UTF-8 text"),
        ("r.txt", b"", r"r.txt: empty, expected text"),
        ("r.docx", b"PK\x03\x04....", r"r.docx: a damaged ZIP archive, expected text \(unp"),
        ("r.pdf", b"%PDF-1.7", r"r.pdf: a PDF document, expected text \(save"),
        ("r.txt", b"<html><p>a</p></html>", r"r.txt: an HTML page, expected text"),
        ("r.txt", b"\x1f\x8b\x08\x00", r"r.txt: damaged .*, expected a whole .gz file"),
        ("r.gz", b"plain", r"r.gz: damaged .*, expected a whole .gz file"),
        ("r.xml", b"<dataset><doc", r"r.xml:1: .*, expected XML"),
        ("r.xml", b'<!DOCTYPE d [<!ENTITY a "b">]><d>&a;</d>', r"an entity declaration"),
        ("r.tsv", b"a\tb\n1\t2\n", r"r.tsv: found a, b, expected a column 'reference'"),
        ("r.jsonl", b"{\n", r"r.jsonl: .*, expected JSON lines or a list"),
        ("r.parquet", b"PAR1 not really", r"r.parquet: "),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(name: str, data: bytes, message: str) -> None:
    with pytest.raises(TertiumError, match=message) as caught:
        read_test_set([SentFile(name=name, data=data)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
        b'{"hypothesis": "a"}\n{"hypothesis": "b"}\n',
        "a\nb\n".encode("utf-16"),
        lzma.compress(b"a\nb\n"),
        (
            b'<tmx><header srclang="de"/><body><tu><tuv xml:lang="de"><seg>x</seg></tuv>'
            b'<tuv xml:lang="en"><seg>a</seg></tuv></tu><tu><tuv xml:lang="de"><seg>y</seg></tuv>'
            b'<tuv xml:lang="en"><seg>b</seg></tuv></tu></body></tmx>'
        ),
    ],
)
def test_an_upload_is_what_its_content_says(data: bytes) -> None:
    (output,) = read_outputs(SentFile(name="out.txt", data=data), segments=2)
    assert (output.system, output.hypotheses) == ("out", ("a", "b"))


def test_counts_that_do_not_fit() -> None:
    one, two = file("one.txt", "a\nb\n"), file("two.txt", "a\n")
    with pytest.raises(TertiumError, match=r"two.txt: 1 segment, expected 2 \(reference one.txt"):
        read_test_set([one, two])
    with pytest.raises(TertiumError, match=r"two.txt: 1 segment, expected 2"):
        read_test_set([one], sources=two)
    with pytest.raises(TertiumError, match=r"docs.tsv:1: 1 column, expected 2"):
        read_test_set([one], documents=file("docs.tsv", "a\nb\n"))
    with pytest.raises(TertiumError, match=r"out.txt: 1 segment, expected 2 \(test set\)"):
        read_outputs(file("out.txt", "x\n"), segments=2)
    with pytest.raises(TertiumError, match=r"unknown format 'exel'"):
        read_test_set([one], format="exel")


def test_a_bomb_does_not_go_off() -> None:
    bomb = lzma.compress(b"\0" * 3_000_000)
    with pytest.raises(TooLargeError, match=r"b.txt.xz: found more than 2 MB after it was"):
        opened(SentFile(name="b.txt.xz", data=bomb), largest=2_000_000)
    twice = SentFile(name="b.gz.xz", data=lzma.compress(lzma.compress(b"x")))
    with pytest.raises(TertiumError, match="compressed twice, expected once"):
        opened(twice)


@pytest.mark.parametrize("name", ["/etc/passwd", "http://localhost/x", "*.txt", "..", "-", "~"])
def test_no_name_is_looked_for(name: str) -> None:
    sent = SentFile.of(name, io.BytesIO(b"one line\n"))
    texts = read_test_set([sent])
    assert texts.segments == 1


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\nb", "x" * 201, "a\u2028b"])
def test_names_that_cannot_be(name: str, store: Store) -> None:
    project = make_project(store)
    with pytest.raises(RequestError, match="name: found"), store.writing() as session:
        make_test_set(session, project, name=name)
    with store.reading() as session:
        assert session.scalar(select(func.count()).select_from(TestSet)) == 0


@pytest.mark.parametrize(
    "tag", ["en", "pt-BR", "zh-Hans", "sr-Latn-RS", "es-419", "eng_Latn", "de-x-low"]
)
def test_languages_follow_bcp_47(sqlite_store: Store, tag: str) -> None:
    project = make_project(sqlite_store)
    with sqlite_store.writing() as session:
        made = make_test_set(session, project, source_language=tag)
    assert made.source_language == tag.replace("_", "-")


@pytest.mark.parametrize(
    ("name", "cure"),
    [("Chinese", "; Chinese is zh"), ("../../x", ""), ("e", ""), ("en/de", ""), ("x-y-z-", "")],
)
def test_other_names_of_languages_are_refused(sqlite_store: Store, name: str, cure: str) -> None:
    project = make_project(sqlite_store)
    with sqlite_store.writing() as session, pytest.raises(RequestError) as refused:
        make_test_set(session, project, source_language=name)
    assert str(refused.value).startswith(f"source language: found '{name}', expected a BCP 47 tag")
    assert str(refused.value).endswith(f"zh-Hans{cure}")
