"""XLIFF, TMX, PO, subtitles and workbooks: segments, keys, inline codes, odd files."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.text.input_files import open_inputs
from tests.support.commands import json_output
from tests.support.reading import hypotheses, references, written

openpyxl = pytest.importorskip("openpyxl")


def xliff(*units: str, body: str = "") -> str:
    inside = "".join(units)
    return (
        '<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
        f"{body or f'<file original={chr(34)}a{chr(34)}><body>{inside}</body></file>'}</xliff>"
    )


def unit(identity: str, target: str | None, source: str = "s") -> str:
    written_target = "" if target is None else f"<target>{target}</target>"
    return f'<trans-unit id="{identity}"><source>{source}</source>{written_target}</trans-unit>'


def tmx(*units: str, header: str = 'srclang="de"') -> str:
    return f'<tmx version="1.4"><header {header}/><body>{"".join(units)}</body></tmx>'


def pair(identity: str, german: str, english: str) -> str:
    return (
        f'<tu tuid="{identity}"><tuv xml:lang="de-DE"><seg>{german}</seg></tuv>'
        f'<tuv xml:lang="en"><seg>{english}</seg></tuv></tu>'
    )


def catalog(*messages: str) -> str:
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    return "\n".join([header, *messages])


def loaded(path: Path, **options: str) -> tuple[list[str | None], list[str | None]]:
    """The sources and the references of a file."""
    corpus = open_inputs([path], None, **options).load().corpus  # type: ignore[arg-type]
    sources = [] if corpus.sources is None else corpus.sources.to_list()
    return sources, corpus.references.columns[0].to_list()


def test_units_in_another_order_are_joined_by_their_names(tmp_path: Path) -> None:
    written(tmp_path / "r.xlf", xliff(unit("1", "one"), unit("2", "two"), unit("3", "three")))
    written(tmp_path / "x.xlf", xliff(unit("3", "three"), unit("1", "one"), unit("2", "two")))
    written(tmp_path / "r.tmx", tmx(pair("a", "x", "one"), pair("b", "y", "two")))
    written(tmp_path / "x.tmx", tmx(pair("b", "y", "two"), pair("a", "x", "one")))
    messages = ['msgid "x"\nmsgstr "one"\n', 'msgctxt "c"\nmsgid "x"\nmsgstr "two"\n']
    written(tmp_path / "r.po", catalog(*messages))
    written(tmp_path / "x.po", catalog(*messages[::-1]))
    for kind in ("xlf", "tmx", "po"):
        chunk = open_inputs([tmp_path / f"r.{kind}"], [tmp_path / f"x.{kind}"]).load()
        assert hypotheses(chunk) == references(chunk)
        assert references(chunk)[0][:2] == ["one", "two"]


@pytest.mark.parametrize(
    ("reference", "system", "message"),
    [
        (xliff(unit("1", "a"), unit("2", "b")), xliff(unit("1", "a"), unit("3", "b")), "'2'"),
        (tmx(pair("1", "x", "a")), tmx(pair("2", "x", "a")), "'1'"),
    ],
)
def test_other_units_are_an_error(
    tmp_path: Path, reference: str, system: str, message: str
) -> None:
    ours, theirs = written(tmp_path / "r", reference), written(tmp_path / "s", system)
    with pytest.raises(InputError, match=message):
        open_inputs([ours], [theirs]).load()


def test_a_translated_file_alone_is_no_system_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path / "r.xlf", xliff(unit("1", "a")))
    with pytest.raises(InputError, match="0 segments"):
        open_inputs([path], stdin=io.BytesIO()).load()


CODES: dict[str, tuple[str, str, str]] = {
    "g": ('A <g id="1">red</g> car', "A red car", 'A <g id="1">red</g> car'),
    "x": ('Go <x id="1" equiv-text="{0}"/>!', "Go !", "Go {0}!"),
    "x without a text": ('Go <x id="1"/>!', "Go !", 'Go <x id="1"/>!'),
    "bpt": ('<bpt id="1">&lt;b&gt;</bpt>red<ept id="1">&lt;/b&gt;</ept>', "red", "<b>red</b>"),
    "ph with sub": ('a<ph id="1">x<sub>y</sub></ph>b', "ab", "axyb"),
    "line break": ('one<x id="1" ctype="lb"/>two', "one two", 'one<x id="1"/>two'),
    "mrk": ('a <mrk mtype="seg" mid="0">word</mrk>', "a word", "a word"),
    "wrapped": ("one\n   two", "one two", "one two"),
}


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("form", ["xliff", "tmx"])
def test_inline_codes_are_dropped_or_kept(tmp_path: Path, kind: str, form: str) -> None:
    marked, dropped, kept = CODES[kind]
    text = xliff(unit("1", marked)) if form == "xliff" else tmx(pair("1", "x", marked))
    path = written(tmp_path / "a", text)
    assert loaded(path)[1] == [dropped]
    assert loaded(path, inline_codes="keep")[1] == [kept]


def test_inline_codes_by_a_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "a.xlf", xliff(unit("1", 'a red <x id="1"/> car goes by')))
    plain = written(tmp_path / "r", "a red car goes by\n")
    scores = [
        str(json_output(capsys, "score", str(plain), "-i", str(path), *flags))
        for flags in ((), ("--inline-codes", "keep"))
    ]
    assert "100.0" in scores[0]
    assert "100.0" not in scores[1]
    with pytest.raises(Exception, match="inline codes: found 'some', expected drop or keep"):
        loaded(path, inline_codes="some")


def test_xliff_2_has_segments_data_and_characters(tmp_path: Path) -> None:
    text = (
        '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="de">'
        '<file id="f"><group id="g"><unit id="u"><notes><note>no</note></notes><originalData>'
        '<data id="d">&lt;br&gt;</data></originalData>'
        '<segment><source>eins</source><target>one<ph id="1" equiv="BR"/></target></segment>'
        "<ignorable><source> </source></ignorable>"
        '<segment id="s2"><source>zwei</source><target><pc id="2">two</pc><cp hex="0001"/>'
        "</target></segment></unit>"
        '<unit id="v" translate="no"><segment><source>no</source></segment></unit>'
        '<unit id="w"><segment><source>drei</source></segment></unit></group></file></xliff>'
    )
    path = written(tmp_path / "a", text)
    inputs = open_inputs([written(tmp_path / "r", "a\nb\nc\n")], [path], source=path)
    chunk = inputs.load()
    assert chunk.corpus.ids == ("u/1", "u/s2", "w")
    assert hypotheses(chunk) == [["one", "two\x01", ""]]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == ["eins", "zwei", "drei"]
    with pytest.raises(InputError, match="segment 3: no reference"):
        open_inputs([path], None).load()


def test_xliff_of_several_documents_and_suggestions(tmp_path: Path) -> None:
    suggestion = "<alt-trans><source>s</source><target>wrong</target></alt-trans>"
    inner = unit("1", "a").replace("</trans-unit>", f"{suggestion}</trans-unit>")
    body = "".join(
        f'<file original="{name}"><body><group>{inner}</group></body></file>' for name in "xy"
    )
    corpus = open_inputs([written(tmp_path / "a", xliff(body=body))], None).load().corpus
    assert corpus.ids == ("x:1", "y:1")
    assert corpus.documents == ("x", "y")
    assert corpus.references.columns[0].to_list() == ["a", "a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (xliff(), "no segments, expected <trans-unit> or <unit>"),
        (xliff(unit("1", "a"))[:-8], "no element found, expected XML"),
        (xliff("<!DOCTYPE a>"), "expected XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>', "an entity declaration"),
        (xliff(unit("1", "a").replace("</trans-unit>", "<target>b</target></trans-unit>")),
         "<target> twice"),
        (tmx(), "no segments, expected <seg> in <tuv> in <tu>"),
        (tmx(pair("1", "x", "y"), header=""), "languages de-DE, en, expected a source and one tar"),
        (tmx(pair("1", "x", "y").replace("en", "de-DE")), "'de-DE' twice in a <tu>"),
        (tmx("<tu><tuv><seg>a</seg></tuv></tu>"), "<tuv> without xml:lang"),
        (tmx(pair("1", "x", "y"), '<tu><tuv xml:lang="en"><seg>z</seg></tuv></tu>'),
         "segment 2: no 'de-DE', expected one in every <tu>"),
        ('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=klingon\\n"\n',
         "encoding 'klingon', expected"),
        ('msgid "a"\nmsgstr "b\n', ":2: found 'msgstr \"b', expected msgid"),
        ('msgid "a"\nmsgstr b\n', ":2: found 'msgstr b', expected msgid, msgstr or msgctxt"),
        (catalog(), "no segments, expected messages"),
        ("1\n00:00:01,000 --> 00:00:02,000\nHi\n\nlost text\n", ":5: found 'lost text', exp"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n\nlost\n", ":6: found 'lost', expected a cue"),
        ("WEBVTT\n\nNOTE -->\nno cue\n", "no cues, expected subtitles"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        loaded(written(tmp_path / "a", text))
    assert message in str(refused.value)


def test_source_language_of_tmx_units_overrides_the_header(tmp_path: Path) -> None:
    """As Translate Toolkit writes it: the header says English, each unit German."""
    german = pair("1", "eins", "one").replace("<tu ", '<tu srclang="de-DE" ', 1)
    path = written(tmp_path / "a", tmx(german, header='srclang="en"'))
    chunk = open_inputs([path], [path]).load()
    assert chunk.systems[0].hypotheses.to_list() == ["one"]
    mixed = tmx(german, pair("2", "zwei", "two"), header='srclang="en"')
    with pytest.raises(InputError, match="srclang 'en' after 'de-de', expected one source"):
        open_inputs([written(tmp_path / "b", mixed)], [path])


def test_languages_of_tmx_are_columns(tmp_path: Path) -> None:
    third = '<tuv xml:lang="fr"><seg>un</seg></tuv></tu>'
    path = written(tmp_path / "a", tmx(pair("1", "eins", "one").replace("</tu>", third)))
    with pytest.raises(InputError, match="languages de-DE, en, fr, expected a source and one "):
        loaded(path)
    corpus = open_inputs([path], None, columns={"reference": "fr"}).load().corpus
    assert corpus.references.columns[0].to_list() == ["un"]
    assert corpus.sources is not None
    assert corpus.sources.to_list() == ["eins"]
    one = '<tu><tuv xml:lang="en"><seg>one</seg></tuv></tu>'
    chunk = open_inputs([written(tmp_path / "b", tmx(one))], [tmp_path / "b"]).load()
    assert references(chunk) == hypotheses(chunk) == [["one"]]
    assert chunk.corpus.sources is None


def test_plurals_contexts_and_untranslated_messages_of_po(tmp_path: Path) -> None:
    text = catalog(
        'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "eine"\nmsgstr[1] "viele"\n',
        'msgctxt "menu"\nmsgid "Open"\nmsgstr "Öffnen \\"jetzt\\"\\n"\n',
        'msgid "Close"\nmsgstr ""\n',
        '#~ msgid "old"\n#~ msgstr "alt"\n',
    )
    path = written(tmp_path / "a", text)
    inputs = open_inputs([written(tmp_path / "r", "a\nb\nc\nd\n")], [path], source=path)
    chunk = inputs.load()
    assert chunk.corpus.ids == ("%d file[0]", "%d file[1]", "menu|Open", "Close")
    assert hypotheses(chunk) == [["eine", "viele", 'Öffnen "jetzt"\n', ""]]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == ["%d file", "%d files", "Open", "Close"]


def test_subtitles(tmp_path: Path) -> None:
    srt = (
        "\ufeff1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}<i>Tom & I</i>\r\nare here.\r\n\r\n"
        "2\r\n00:00:03,000 --> 00:00:04,000 X1:40\r\n\r\n"
    )
    vtt = (
        "WEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE a remark\n\n"
        "00:01.000 --> 00:02.000 align:start\n<v Ann>Tom &amp; I</v>\nare <00:01.500>here.\n\n"
        "second\n01:00:03.000 --> 01:00:04.000\n\n"
    )
    for text in (srt, vtt):
        assert loaded(written(tmp_path / "a", text))[1] == ["Tom & I are here.", ""]
    path = written(tmp_path / "a", srt)
    kept = loaded(path, inline_codes="keep")[1]
    assert kept == ["{\\an8}<i>Tom & I</i> are here.", ""]
    other = srt.replace("2\r\n00:00:03", "7\r\n00:00:03")
    with pytest.raises(InputError, match="id '2'"):
        open_inputs([path], [written(tmp_path / "b", other)]).load()


def workbook(*sheets: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Sheet{number}")
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_cells_of_a_workbook(tmp_path: Path) -> None:
    from datetime import datetime

    date = datetime(2026, 1, 1)  # noqa: DTZ001 - as a sheet has it
    rows: list[list[object]] = [
        ["id", "reference", "hypothesis", "when"],
        [1, "1984", 1984, date],
        [2, ' "quoted"\ttext ', 2.5, date],
        [],
        [3, "last", None, None],
    ]
    path = written(tmp_path / "a", workbook([["remarks"], ["x"]], rows))
    chunk = open_inputs([path]).load()
    assert references(chunk) == [["1984", ' "quoted"\ttext ', "last"]]
    assert hypotheses(chunk) == [["1984", "2.5", ""]]
    assert chunk.corpus.ids == ("1", "2", "3")
    rows[1][2] = date
    with pytest.raises(InputError, match=r"row 2, column 3: 2026-.*, expected text \(format the c"):
        open_inputs([written(path, workbook(rows))])
    with pytest.raises(
        InputError, match="sheets 'Sheet1', 'Sheet2' have texts, expected one sheet"
    ):
        open_inputs([written(path, workbook(rows, rows))])
    with pytest.raises(InputError, match="empty, expected a row of column names"):
        open_inputs([written(path, workbook([[]]))])


def blown_up(part: str, content: Callable[[str], str]) -> bytes:
    """A workbook in which one part is changed."""
    out = io.BytesIO()
    data = workbook([["reference", "hypothesis"], ["a", "b"]])
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, content(text) if name == part else text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("part", "content", "message"),
    [
        ("xl/theme/theme1.xml", lambda text: text + " " * 280_000_000, "when unpacked, expected"),
        ("xl/theme/theme1.xml", lambda text: text + " " * 3_000_000, "grows more than"),
        ("xl/worksheets/sheet1.xml", lambda text: text.replace('r="2"', 'r="2000000000"'),
         "expected at most 1048576 rows"),
        ("xl/worksheets/sheet1.xml", lambda text: text.replace('r="B1"', 'r="XFD1"'),
         "expected at most"),
        ("xl/workbook.xml", lambda _: "<html>", "damaged"),
    ],
)  # fmt: skip
def test_workbooks_that_blow_up_are_refused(
    tmp_path: Path, part: str, content: Callable[[str], str], message: str
) -> None:
    path = written(tmp_path / "a.xlsx", blown_up(part, content))
    with pytest.raises(InputError, match=message):
        open_inputs([path])


@pytest.mark.parametrize("name", ["openpyxl", "polib"])
def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    import sys

    from tertium.errors import MissingExtraError

    monkeypatch.setitem(sys.modules, name, None)
    data = workbook([["reference"], ["a"]]) if name == "openpyxl" else catalog().encode()
    extra = "xlsx" if name == "openpyxl" else "po"
    with pytest.raises(MissingExtraError, match=rf"the package {name} is missing.*\[{extra}\]"):
        open_inputs([written(tmp_path / "a", data)], None)


def test_files_of_another_program_are_read(tmp_path: Path) -> None:
    """translate-toolkit has writers of its own; its license keeps it out of what is installed."""
    reason = "translate-toolkit is not installed"
    factories = {
        "xlf": pytest.importorskip("translate.storage.xliff", reason=reason).xlifffile,
        "tmx": pytest.importorskip("translate.storage.tmx", reason=reason).tmxfile,
        "po": pytest.importorskip("translate.storage.pypo", reason=reason).pofile,
    }
    pairs = [
        ("Das Haus <b>ist</b> & war groß.", "The house <b>is</b> & was big."),
        ('Er sagte "ja".', 'He said "yes".'),
        ("  Rand  ", "  margin  "),
        ("猫", "cat"),
    ]
    for kind, factory in factories.items():
        store = factory()
        if kind == "tmx":
            for source, target in pairs:
                store.addtranslation(source, "de", target, "en")
        else:
            for source, target in pairs:
                made = store.addsourceunit(source)
                made.target = target
        if kind == "po":
            store.updateheader(add=True, Content_Type="text/plain; charset=UTF-8")
        path = written(tmp_path / f"a.{kind}", bytes(store))
        corpus = open_inputs([path], None).load().corpus
        assert corpus.sources is not None
        found = list(
            zip(corpus.sources.to_list(), corpus.references.columns[0].to_list(), strict=True)
        )
        expected = pairs if kind == "po" else [(a.strip(), b.strip()) for a, b in pairs]
        assert found == expected
