"""NIST and WMT test sets in SGML and XML."""

import io
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text.input_files import open_inputs
from tests.support.reading import hypotheses, joined, references, written

REFERENCES = """<!DOCTYPE REFSET SYSTEM "refset.dtd">
<!-- A reference section will begin with a <refset> tag -->
<REFSET setid="test" srclang=any trglang="en">
<DOC docid="d1" sysid="ref" genre="news" origlang="cs">
<hl>
<seg id="1"> A &lt;headline&gt; &amp; AT&T &quot;caf&#xe9;&quot; </seg>
</hl>
<p>
<Seg id=2>two lines
   in one</Seg>
</p>
</DOC>
<doc sysid='ref' docid='d2' genre='web'>
<seg id="1">a < b &unknown; &nbsp;</seg>
<seg id="2"/>
</doc>
"""
TEXTS = ['A <headline> & AT&T "café"', "two lines in one", "a < b &unknown; \u00a0", ""]

SYSTEMS = """<tstset setid="test" srclang="any" trglang="en">
<doc docid="d2" sysid="A"><seg id="2">A22</seg><seg id="1">A21</seg></doc>
<doc docid="d1" sysid="A"><seg id="1">A11</seg><seg id="2">A12</seg></doc>
<doc docid="d1" sysid="B"><seg id="1">B11</seg><seg id="2">B12</seg></doc>
<doc docid="d2" sysid="B"><seg id="1">B21</seg><seg id="2">B22</seg></doc>
</tstset>
"""

DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="test"><collection id="general">
  <doc origlang="en" id="d1" domain="news">
    <src lang="en"><p><seg id="1">s11</seg><seg id="2">s12</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">1 &amp; &#233;</seg><seg id="2">a12</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="2">b12</seg><seg id="1">b11</seg></p></ref>
    <hyp system="X" language="de"><p><seg id="1">x11</seg><seg id="2">x12</seg></p></hyp>
  </doc>
  <doc origlang="en" id="suite" testsuite="pronouns">
    <src lang="en"><p><seg id="1">left out</seg></p></src>
    <hyp system="X" language="de"><p><seg id="1">left out</seg></p></hyp>
  </doc>
  <doc origlang="en" id="d2" domain="social">
    <src lang="en"><p><seg id="1">s21</seg></p></src>
    <ref lang="de" translator="B"><p><seg id="1">b21</seg></p></ref>
    <hyp system="X" language="de"><p><seg id="1"></seg></p></hyp>
  </doc>
</collection></dataset>
"""


def test_nist_sgml(tmp_path: Path) -> None:
    reference = written(tmp_path / "ref.sgm", "\ufeff" + REFERENCES.replace("\n", "\r\n"))
    inputs = open_inputs([reference], [written(tmp_path / "sys.sgml", SYSTEMS)])
    chunk = inputs.load()
    assert references(chunk) == [TEXTS]
    assert inputs.system_names == ("A", "B")
    assert hypotheses(chunk) == [["A11", "A12", "A21", "A22"], ["B11", "B12", "B21", "B22"]]
    assert chunk.corpus.labels("genre") == ("news", "news", "web", "web")
    assert chunk.corpus.labels("document") == ("d1", "d1", "d2", "d2")
    assert chunk.corpus.ids == ("d1:1", "d1:2", "d2:1", "d2:2")
    assert joined(inputs, 1) == joined(inputs, 3) == joined(inputs, 100)


def test_several_references_and_sets_in_one_file(tmp_path: Path) -> None:
    def set_of(tag: str, attributes: str, letter: str) -> str:
        segments = "".join(f"<seg id='{number}'>{letter}{number}</seg>" for number in "12")
        return f"<{tag} setid='t' {attributes}><doc docid='d'>{segments}</doc></{tag}>"

    content = (
        "<?xml version='1.0'?><!DOCTYPE mteval SYSTEM 'ftp://mteval-xml-v1.3.dtd'><mteval>"
        + set_of("srcset", "", "s")
        + set_of("refset", "refid='one'", "r")
        + set_of("refset", "refid='two'", "q")
        + set_of("tstset", "sysid='sys'", "h")
        + "</mteval>"
    )
    for name in ("all.xml", "all.sgm"):
        inputs = open_inputs([written(tmp_path / name, content)])
        chunk = inputs.load()
        assert references(chunk) == [["r1", "r2"], ["q1", "q2"]]
        assert hypotheses(chunk) == [["h1", "h2"]]
        assert inputs.system_names == ("sys",)
        assert chunk.corpus.sources is not None
        assert chunk.corpus.sources.to_list() == ["s1", "s2"]
        assert chunk.corpus.genres is None


@pytest.mark.parametrize("name", ["all.xml", "all.sgm"])
def test_wmt_dataset(tmp_path: Path, name: str) -> None:
    inputs = open_inputs([written(tmp_path / name, DATASET)])
    chunk = inputs.load()
    assert references(chunk) == [["1 & é", "a12", None], ["b11", "b12", "b21"]]
    assert hypotheses(chunk) == [["x11", "x12", ""]]
    assert inputs.system_names == ("X",)
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == ["s11", "s12", "s21"]
    assert chunk.corpus.genres == ("news", "news", "social")
    assert chunk.corpus.documents == ("d1", "d1", "d2")


def test_plain_text_beside_markup_matches_by_position(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain", "1\n2\n3\n4\n")
    systems = written(tmp_path / "sys.sgm", SYSTEMS)
    reference = written(tmp_path / "ref.sgm", REFERENCES)
    assert hypotheses(open_inputs([reference], [plain]).load()) == [["1", "2", "3", "4"]]
    # Nothing but the system's file says in which order the documents come.
    assert hypotheses(open_inputs([plain], [systems]).load())[0] == ["A22", "A21", "A11", "A12"]
    table = written(tmp_path / "sys.tsv", "id\thypothesis\n9\t1\n8\t2\n7\t3\n6\t4\n")
    assert hypotheses(open_inputs([reference], [table]).load()) == [["1", "2", "3", "4"]]


def test_a_segment_without_id_is_numbered(tmp_path: Path) -> None:
    content = "<tstset><doc docid='d1'><seg>a<seg id=2></seg></doc></tstset>"
    with pytest.raises(InputError, match=r"sys\.sgm:1: <seg> without an end, expected </seg>"):
        open_inputs(["/dev/null"], [written(tmp_path / "sys.sgm", content)])
    content = "<refset><doc docid='d1'><seg>a</seg><p><seg>b<!-- c --></seg></doc>"
    chunk = open_inputs([written(tmp_path / "a.sgm", content)], stdin=io.BytesIO(b"\n\n")).load()
    assert references(chunk) == [["a", "b"]]
    assert chunk.corpus.ids == ("d1:1", "d1:2")


SEGMENTS = "<refset><doc docid='d1'>{}</doc></refset>"
ERRORS = [
    ("a.sgm", "", "a.sgm: no segments, expected <seg> in <srcset>, <refset>, <tstset> or"),
    ("a.sgm", "<refset>\n<doc genre=x>", "a.sgm:2: <doc> without a docid, expected one for"),
    ("a.sgm", "<refset>\n<seg id=1>", "a.sgm:2: <seg> outside of <doc>, expected <doc docid=…>"),
    ("a.sgm", "<doc docid=d>\n<seg id=1>", "a.sgm:2: <seg> outside of a set, expected <srcset>"),
    ("a.sgm", "<refset>\n<doc docid='d1>", "a.sgm:2: <doc … docid='d1>, expected attributes"),
    ("a.sgm", SEGMENTS.format("\n<seg id=1>x"), "a.sgm:2: <seg> without an end, expected </seg>"),
    (
        "a.sgm",
        SEGMENTS.format("<seg id=1>x</seg>\n<seg id=1>y</seg>"),
        "a.sgm:2: document 'd1' segment '1' twice of the reference, expected once",
    ),
    (
        "a.sgm",
        SEGMENTS.format("<seg id=1>x</seg>") + SYSTEMS,
        "a.sgm: document 'd2' segment '2' of system 'A', expected only those of the reference",
    ),
    (
        "a.sgm",
        REFERENCES.replace('<seg id="2"/>', "") + SYSTEMS.replace('<seg id="2">A22</seg>', ""),
        "a.sgm: document 'd2' segment '2' of system 'B', expected only those of reference 'ref'",
    ),
    (
        "a.sgm",
        REFERENCES + SYSTEMS.replace('<seg id="2">A22</seg>', ""),
        "a.sgm: no document 'd2' segment '2' of system 'A', expected as of reference 'ref'",
    ),
    ("a.sgm", SYSTEMS, "a.sgm: found system, expected a column 'reference', <refset> or <ref>"),
    ("a.xml", "<refset>\n<doc>", "a.xml:2: <doc> without a docid, expected one for"),
    ("a.xml", "<refset>\nAT&T</refset>", "a.xml:2: not well-formed (invalid token), expected XML"),
    ("a.xml", "", "a.xml:1: no element found, expected XML (format 'sgml' is tolerant)"),
    (
        "a.xml",
        "<!DOCTYPE x [\n<!ENTITY a 'aaa'>\n]><x>&a;</x>",
        "a.xml:2: an entity declaration, expected none",
    ),
    (
        "a.xml",
        "<!DOCTYPE x SYSTEM 'x.dtd'>\n<refset>&nbsp;</refset>",
        "a.xml:2: unknown entity &nbsp;, expected plain text",
    ),
    (
        "a.xml",
        DATASET.replace('<seg id="2">a12</seg>', ""),
        "a.xml: no document 'd1' segment '2' of reference 'A', expected as of the source",
    ),
    (
        "a.xml",
        DATASET.replace('<ref lang="de" translator="B"><p><seg id="1">b21</seg></p></ref>', ""),
        "a.xml: segment 3: no reference, expected at least one",
    ),
    (
        "a.xml",
        DATASET.replace('<seg id="2">x12</seg>', ""),
        "a.xml: no document 'd1' segment '2' of system 'X', expected as of the source",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), ERRORS)
def test_markup_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / name, content)
    with pytest.raises(InputError) as error:
        open_inputs([name]).load()
    assert str(error.value).startswith(message)


def test_segments_that_files_lack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "ref.sgm", REFERENCES)
    for old, new, message in [
        (
            '<doc docid="d2" sysid="A"><seg id="2">',
            '<doc docid="d2" sysid="A"><seg id="3">',
            "sys.sgm: document 'd2' segment '2' of system 'B', expected only those of system 'A'",
        ),
        (
            'seg id="2"',
            'seg id="3"',
            (
                "sys.sgm: 2 of 4 segments in common with ref.sgm, 2 only here (such as document "
                "'d2' segment '3') and 2 only there (such as document 'd1' segment '2'), expected "
                "the same (--common scores the 2 in common)"
            ),
        ),
    ]:
        written(tmp_path / "sys.sgm", SYSTEMS.replace(old, new))
        with pytest.raises(InputError) as error:
            open_inputs(["ref.sgm"], ["sys.sgm"])
        assert str(error.value) == message


plain_segments = st.lists(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
        max_size=9,
    ).map(str.strip),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("kind", ["sgm", "xml"])
@settings(deadline=None)  # files
@given(segments=plain_segments, data=st.data())
def test_written_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, kind: str, segments: list[str], data: st.DataObject
) -> None:
    def file_of(tag: str, order: list[int]) -> str:
        lines = (f'<seg id="{place}">{escape(segments[place])}</seg>\n' for place in order)
        return f'<{tag} setid="t"><doc docid="d" sysid="x">\n{"".join(lines)}</doc></{tag}>\n'

    folder = tmp_path_factory.mktemp("markup")
    places = list(range(len(segments)))
    reference = written(folder / f"ref.{kind}", file_of("refset", places))
    shuffled = data.draw(st.permutations(places))
    system = written(folder / f"sys.{kind}", file_of("tstset", shuffled))
    chunk = open_inputs([reference], [system]).load()
    assert references(chunk) == hypotheses(chunk) == [segments]


@pytest.mark.shared
def test_newstest2012_is_the_same_in_sgml_and_plain_text(shared_data: Path) -> None:
    folder = shared_data / "wmt12"
    marked = folder / "newstest2012-ref.en.sgm"
    plain = folder / "newstest2012-ref.en"
    chunk = open_inputs([marked], [plain]).load()
    assert len(chunk) == 3003
    words = [
        [(text or "").split() for text in side[0]]
        for side in (references(chunk), hypotheses(chunk))
    ]
    assert words[0] == words[1]
    assert set(chunk.corpus.labels("genre")) == {"news"}
    assert len(set(chunk.corpus.labels("document"))) == 99


@pytest.mark.shared
def test_meteor_sgml(shared_data: Path) -> None:
    folder = shared_data / "meteor"
    inputs = open_inputs([folder / "ref.sgm"], [folder / "test.sgm"])
    assert inputs.system_names == ("cmu-combo",)
    assert len(inputs.load()) == 2525


@pytest.mark.shared
def test_wmt23_documents(shared_data: Path) -> None:
    folder = shared_data / "wmt23"
    inputs = open_inputs(
        sorted((folder / "references").glob("he-en.*")),
        sorted((folder / "system-outputs" / "he-en").glob("*.txt")),
        source=folder / "sources" / "he-en.txt",
        documents=folder / "documents" / "he-en.docs",
    )
    corpus = inputs.load().corpus
    assert len(corpus) == 1910
    assert corpus.references.count == "2"
    assert len(set(corpus.labels("genre"))) == 2
    assert joined(inputs, 700) == joined(inputs, 10_000)


@pytest.mark.parametrize("rest", ["a\nb", "a " * 300, "'\r\n'"])
def test_damaged_attributes_are_shown_in_one_short_line(tmp_path: Path, rest: str) -> None:
    path = written(tmp_path / "a.sgm", f"<refset><doc docid='d' ={rest}><seg id=1>x</seg></doc>")
    with pytest.raises(InputError, match=r"a\.sgm:1: <doc … .*, expected attr") as raised:
        open_inputs([path], [path], format="sgml").load()
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300 + len(str(path))
