"""Formats are told by content, whatever a file is called; plain text stays plain text."""

import io
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import sacrebleu
from experiments.evidence.formats import (
    REFUSED,
    WRITERS,
    Writer,
    read_back,
    refusal,
    sample_rows,
    score,
)

from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile
from tertium.text.formats.content import file_format
from tertium.text.formats.table import KNOWN_FORMATS, CorpusFormat, ReadingOptions, format_of
from tertium.text.input_files import open_inputs
from tertium.text.keyed_segments import Records, monolingual_records
from tests.support.commands import error, json_output, ran
from tests.support.reading import hypotheses, references, written

SACREBLEU = sacrebleu.corpus_bleu(
    [row.hypothesis for row in sample_rows()], [[row.reference for row in sample_rows()]]
).score


@pytest.mark.parametrize(
    ("writer", "extension"),
    [
        pytest.param(writer, extension, id=f"{writer.name} as '{extension}'")
        for writer in WRITERS
        # Plain text under the name of a table is an error of that table.
        for extension in ("own", ".txt", "", ".out", ".jsonl", ".tsv", ".sgm")[
            : 4 if writer.name.startswith("plain text") else None
        ]
    ],
)
def test_one_test_set_has_one_score_in_every_format(
    tmp_path: Path, writer: Writer, extension: str
) -> None:
    found = writer.extension if extension == "own" else extension
    rows = sample_rows()
    chunk = read_back(tmp_path, writer.write(rows), found)
    assert score(chunk) == pytest.approx(SACREBLEU, abs=1e-9)
    assert hypotheses(chunk) == [[row.hypothesis for row in rows]]
    if writer.name != "MUC articles":  # whose references keep their mark-up for NEE
        assert references(chunk) == [[row.reference for row in rows]]


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_read_is_refused_with_the_cure(tmp_path: Path, kind: str) -> None:
    said = refusal(tmp_path, REFUSED[kind])
    assert said.startswith("system.txt: ")
    assert ", expected " in said


@pytest.mark.parametrize("command", ["compare", "decide"])
def test_commands_that_judge_read_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    rows = sample_rows()
    perfect = [row._replace(hypothesis=row.reference) for row in rows]
    for writer in (one for one in WRITERS if one.name in {"plain text", "XLIFF 1.2"}):
        folder = tmp_path / writer.extension.strip(".")
        folder.mkdir()
        for name, some in (("alder", rows), ("birch", perfect)):
            files = writer.write(some)
            written(folder / "ref", files.reference)
            written(folder / name, files.system or b"")
        words = [str(folder / one) for one in ("ref", "alder", "birch")]
        outcome = ran(capsys, command, words[0], "-i", *words[1:], "-m", "bleu")
        assert outcome.status == 0, outcome.err
        assert f"{SACREBLEU:.2f}" in outcome.out


@pytest.mark.parametrize(
    "text",
    [
        "{ is an opening brace.\nThe second line.\n",
        "{name}, you have {count} messages.\n{other} text\n",
        '{"key": is no JSON}\nA line.\n',
        "[Applause]\nThank you.\n",
        "[1] See above.\n[2] See below.\n",
        "<unk> house is large.\n<s> a </s>\n",
        "<b>Bold</b> beginnings.\nA line.\n",
        "<!-- a remark --> and text\nA line.\n",
        "<p>A paragraph.</p>\n<p>Another one.</p>\n",
        "<div>\nA line.\n<b>Bold</b>\n",
        "<3 you all\nA line.\n",
        "<doc> is a tag of SGML\nA line.\n",
        "# heading\nA line.\n#tag\n",
        "msgid is a keyword of gettext.\nA line.\n",
        "1\nA line.\n2\n",
        "1\tone\n2\ttwo\n",
        "WEBVTT is a format.\nA line.\n",
        "Reference, hypothesis and source are words.\nA line.\n",
        "source\nreference\n",
        "source of light, hypothesis of dark\nA line.\n",
        "Subject;Predicate;Object\nA line.\n",
        "PAR 1 is a golf score.\n",
        "BZh is a prefix.\n",
        "PK is a pair of letters.\n",
        "%PDF is a sign.\n",
        "GIF is a format.\n",
        '"Hello," she said.\n"Hi."\n',
        "",
        "\n\n",
        "a\0b\n",
    ],
)
def test_sentences_with_signs_stay_plain_text(tmp_path: Path, text: str) -> None:
    assert file_format(TextFile.find(written(tmp_path / "a", text))) == "text"


@pytest.mark.parametrize("kind", [kind for kind in REFUSED if kind.startswith("HTML")])
def test_a_forced_format_reads_lines(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path / "page.xml", REFUSED[kind])
    chunk = open_inputs([path], [path], format="text").load()
    assert len(chunk.corpus) == 2


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a", "a\n")
    assert "docx" not in KNOWN_FORMATS
    with pytest.raises(Exception, match="unknown format 'docx'"):
        open_inputs([path], [path], format="docx")


def test_content_of_standard_input_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = sample_rows()
    tmx = next(writer for writer in WRITERS if writer.name == "TMX").write(rows)
    reference = written(tmp_path / "ref", tmx.reference)

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(tmx.system or b"")))
    assert f"{SACREBLEU:.4f}"[:6] in str(json_output(capsys, "score", str(reference), "-i", "-"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<resources>\n<string name='a'>text</string>\n</resources>\n",
            "no segments, expected <seg>",
        ),
        ("<?xml version='1.0'?><tt><p>text</p></tt>", "no segments, expected <seg>"),
        ("<?xml version='1.0'?><html><p>text</p></html>", "an HTML page"),
        ("<head><title>x</title></head>\n<p>text</p>\n", "an HTML page"),
        ('{\n  "@locale": "en",\n  "title": "text"\n}\n', "an object over several lines"),
    ],
)
def test_other_markup_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path / "a.txt", text)
    with pytest.raises(InputError, match=message):
        open_inputs([path], [path]).load()


@pytest.mark.parametrize("text", ["The house.\nA cat.\n", "Кошка сидит.\nДом.\n", "القط جلس.\n"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark_is_named(tmp_path: Path, text: str, codec: str) -> None:
    named = codec.upper().replace("16-", "16")
    with pytest.raises(InputError, match=f"{named} without a byte-order mark, expected UTF-8 text"):
        file_format(TextFile.find(written(tmp_path / "a", text.encode(codec))))


def test_a_web_page_as_a_system_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = written(tmp_path / "ref", "a\nb\n")
    page = written(tmp_path / "out.txt", REFUSED["HTML"])
    said = error(capsys, "score", str(reference), "-i", str(page))
    assert said.endswith("--input-format text reads its lines as they are)")


@pytest.mark.parametrize(
    ("declared", "text"),
    [
        ("gb18030", "简体𠀀"),
        ("gb2312", "简体"),
        ("big5", "繁體"),
        ("shift_jis", "日本語"),
        ("euc-jp", "日本語"),
        ("euc-kr", "한국어"),
        ("windows-1251", "Кошка"),
        ("koi8-r", "Кошка"),
        ("iso-8859-1", "Käse"),
    ],
)
@pytest.mark.parametrize("name", ["a.xml", "a.sgm", "a"])
def test_xml_is_read_in_the_encoding_that_it_declares(
    tmp_path: Path, declared: str, text: str, name: str
) -> None:
    document = (
        f'<?xml version="1.0" encoding="{declared}"?><dataset><doc id="d"><src><seg id="1">s</seg>'
        f'</src><ref translator="A"><seg id="1">{text}</seg></ref></doc></dataset>'
    )
    path = written(tmp_path / name, document.encode(declared))
    assert references(open_inputs([path], None).load()) == [[text]]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_xml_is_read_with_and_without_a_mark(tmp_path: Path, codec: str) -> None:
    document = (
        '<?xml version="1.0" encoding="UTF-16"?><dataset><doc id="d"><src><seg id="1">日本</seg>'
        '</src><ref><seg id="1">x</seg></ref></doc></dataset>'
    )
    path = written(tmp_path / "a", document.encode(codec))
    corpus = open_inputs([path], None).load().corpus
    assert corpus.sources is not None
    assert corpus.sources.to_list() == ["日本"]


@pytest.mark.parametrize("encoding", ["klingon-1", "base64", "zip", "rot13", "idna", "utf-7"])
def test_names_that_are_no_encodings_are_input_errors(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path / "a.xml", f"<?xml version='1.0' encoding='{encoding}'?><dataset/>")
    with pytest.raises(InputError, match=f"encoding '{encoding}', expected a known one"):
        open_inputs([path], None)


def test_bytes_that_are_not_in_the_declared_encoding_are_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xml", b"<?xml version='1.0' encoding='euc-jp'?>\n\n<a>\xff</a>")
    with pytest.raises(InputError, match=r"a\.xml:3: invalid EUC-JP, expected EUC-JP text"):
        open_inputs([path], None)


@pytest.mark.parametrize("codec", ["utf-16", "utf-32"])
def test_damaged_wide_text_is_an_error(tmp_path: Path, codec: str) -> None:
    path = written(tmp_path / "a", "one\ntwo\n".encode(codec)[:-1])
    with pytest.raises(InputError, match=f"invalid {codec.upper()}, expected"):
        open_inputs([path], [path]).load()


@pytest.mark.parametrize(("name", "count"), [("a.csv", 1), ("a.tsv", 1), ("a", 1)])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_of_a_table_is_found(
    tmp_path: Path, name: str, count: int, separator: str
) -> None:
    text = "hypothesis_A,reference,hypothesis_B\na,b,c\n".replace(",", separator)
    chunk = open_inputs([written(tmp_path / name, text)]).load()
    assert len(chunk.corpus) == count
    assert hypotheses(chunk) == [["a"], ["c"]]


def test_the_line_that_excel_takes_for_itself_is_no_header(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "sep=;\nreference;hypothesis\n1,5;2\n")
    assert references(open_inputs([path]).load()) == [["1,5"]]


@pytest.mark.shared
def test_no_file_of_real_data_is_taken_for_something_else(shared_data: Path) -> None:
    told = {}
    for path in sorted(shared_data.rglob("*")):
        if path.is_file():
            found = file_format(TextFile.find(path))
            told[str(path.relative_to(shared_data))] = (format_of(path.name), found)
    others = {name: kind for name, (named, kind) in told.items() if named != kind}
    # Logs of simultaneous translation, a table of counts and judgments are JSON and XML indeed.
    expected = {".log.gz": "jsonl", ".stats": "jsonl", ".jcml.gz": "xml"}
    assert len(told) > 500
    assert {name: kind for name, kind in others.items()
            if not any(name.endswith(end) and kind == known for end, known in expected.items())
            } == {}  # fmt: skip


def test_every_format_has_a_line_in_the_documentation() -> None:
    page = Path(__file__).parents[3] / "docs" / "input.md"
    rows = [line for line in page.read_text(encoding="utf-8").split("\n") if line.startswith("| ")]
    named = [name for row in rows for name in row.split(" | ")[0].removeprefix("| ").split(", ")]
    assert not set(KNOWN_FORMATS) - set(named), "expected a row of the table of docs/input.md"


def read_upside_down(file: TextFile, options: ReadingOptions) -> Records:
    """The reader of another package: lines from the last to the first."""
    assert options.format == "upside-down"
    lines = file.read().decode().splitlines()[::-1]
    return monolingual_records(file.name, [None] * len(lines), lines)


OFFERED_FORMAT = CorpusFormat(
    reader="tests.text.formats.test_content:read_upside_down", has_systems=False
)


@pytest.mark.parametrize("attribute", ["read_upside_down", "OFFERED_FORMAT"])
def test_another_package_offers_a_format(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    attribute: str,
) -> None:
    point = EntryPoint("upside-down", f"{__name__}:{attribute}", "tertium.readers")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: [point])
    path = written(tmp_path / "a.txt", "one\ntwo\n")
    chunk = open_inputs([path], [path], format="upside-down").load()
    assert references(chunk) == hypotheses(chunk) == [["two", "one"]]
    done = json_output(capsys, "score", str(path), "-i", str(path), "--input-format", "upside-down")
    assert done["systems"]
    with pytest.raises(OptionError, match=r"unknown format 'upside'; did you mean 'upside-down'"):
        open_inputs([path], [path], format="upside")
