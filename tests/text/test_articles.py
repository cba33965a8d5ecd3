"""Articles in MUC mark-up and in folders: read, aligned by document and paragraph, scored."""

import doctest
import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cli.demo import SAMPLE
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.name_units import unit_agreement
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import name_report
from tertium.text.annotations import read_annotations
from tertium.text.articles import ArticleUnit, read_articles
from tertium.text.files import TextFile
from tertium.text.input_files import open_inputs
from tests.support.commands import error, output
from tests.support.places import DOCS

ARTICLES = SAMPLE / "articles"
EVERYWHERE = ["-q", "-m", "nee[quantities=no]"]

REFERENCE = """\
<DOC>
<DOCID> flight </DOCID>
<SLUG> BC-FLIGHT </SLUG>
<TEXT>
<p>
On <TIMEX TYPE="DATE">3 May</TIMEX> <ENAMEX TYPE="PERSON">Ann
Lee</ENAMEX> flew for AT&amp;T to <ENAMEX
TYPE="LOCATION" ALT="NYC">New York</ENAMEX>.
<p>
<ENAMEX TYPE="PERSON">Ann Lee</ENAMEX> stayed.
</TEXT>
</DOC>

<DOC>
<DOCNO>thanks</DOCNO>
<TEXT>
<P> <ENAMEX TYPE="ORGANIZATION">UNICEF</ENAMEX> thanked her. </P>
</TEXT>
</DOC>
"""
SYSTEM = """\
<doc id="thanks"><text><p>Unicef thanks
her.</p></text></doc>
<doc id="flight"><text>
<p>Ann
Lee has flown for AT&amp;T to NYC on 3 May.</p>
<p>She stayed.</p>
</text></doc>
"""
DIVIDED = SYSTEM.replace("on 3 May.</p>", "</p><p>on 3 May.</p>")


def written(folder: Path, **files: str) -> list[str]:
    paths = []
    for name, text in files.items():
        path = folder / f"{name}.muc"
        path.write_text(text, encoding="utf-8")
        paths.append(str(path))
    return paths


def test_paragraphs_and_wrapped_names(tmp_path: Path) -> None:
    [reference] = written(tmp_path, reference=REFERENCE)
    first, second, third = read_annotations(reference)
    assert first.text == "On 3 May Ann Lee flew for AT&T to New York."
    assert [first.surface(one) for one in first.entities] == ["3 May", "Ann Lee", "New York"]
    assert first.entities[2].aliases == ("NYC",)
    assert [(one.document, one.paragraph) for one in (first, second, third)] == [
        ("flight", "1"),
        ("flight", "2"),
        ("thanks", "1"),
    ]
    assert third.text == "UNICEF thanked her."


def test_files_are_aligned_by_document_and_paragraph(tmp_path: Path) -> None:
    reference, system = written(tmp_path, reference=REFERENCE, system=SYSTEM)
    whole = open_inputs(reference, system).load()
    assert whole.corpus.documents == ("flight", "flight", "thanks")
    assert whole.corpus.paragraphs == ("1", "2", "1")
    [mine] = whole.systems
    assert mine.name == "system"
    assert mine.hypotheses.to_list() == [
        "Ann Lee has flown for AT&T to NYC on 3 May.",
        "She stayed.",
        "Unicef thanks her.",
    ]


def counted(reference: str, system: str, unit: ArticleUnit) -> tuple[float, float]:
    whole = open_inputs(reference, system, articles=unit).load()
    metric = NamedEntityEvaluator(unit=unit)
    total = name_report(whole.corpus, whole.systems, metric).systems[0].total
    return total.found, total.listed


def test_units(tmp_path: Path) -> None:
    reference, system = written(tmp_path, reference=REFERENCE, system=SYSTEM)
    assert counted(reference, system, "document") == (4, 4)
    assert counted(reference, system, "paragraph") == (4, 5)  # "She" is not Ann Lee


def test_articles_that_are_divided_differently(tmp_path: Path) -> None:
    reference, system = written(tmp_path, reference=REFERENCE, system=DIVIDED)
    assert counted(reference, system, "document") == (4, 4)
    with pytest.raises(InputError) as raised:
        open_inputs(reference, system)
    assert str(raised.value).startswith(
        f"{system}: document 'flight': 3 paragraphs, expected 2 (as in {reference})"
    )


def test_names_do_not_reach_over_the_end_of_a_paragraph(tmp_path: Path) -> None:
    split = SYSTEM.replace("Ann\nLee", "Ann</p><p>Lee")
    reference, system = written(tmp_path, reference=REFERENCE, system=split)
    assert counted(reference, system, "document") == (3, 4)


BROKEN = [
    ("<DOC>\n<TEXT>a</TEXT>\n</DOC>", ":1: found <DOC> without a name, expected one <DOCID> or"),
    ('<DOC id="a"><DOCNO>b</DOCNO></DOC>', ":1: found 'a' and 'b', expected one <DOCID>"),
    ('<DOC id="a">x', ":1: found <DOC> without end, expected </DOC>"),
    ('<DOC id="a">x\n<DOC id="b">y</DOC>', ":1: found <DOC> without end, expected </DOC>"),
    ('<DOC id="a">x</DOC>\n\nstray', ":3: found 'stray', expected <DOC> and its article"),
    ('<DOC id="a">x</DOC><DOC id="a">y</DOC>', ": document 'a' twice, expected once"),
    ('<DOC id="a">\n<TEXT>x</DOC>', ":1: found <TEXT> or </TEXT> alone, expected both in turn"),
    (
        '<DOC id="a"><TEXT>\n<p>\n<ENAMEX TYPE="X">b\n<p>c</ENAMEX></TEXT></DOC>',
        ":3, character 1: found <ENAMEX> without end, expected </ENAMEX>",
    ),
]


@pytest.mark.parametrize(("text", "message"), BROKEN)
def test_broken_articles(text: str, message: str, tmp_path: Path) -> None:
    [path] = written(tmp_path, broken=text)
    with pytest.raises(InputError) as raised:
        open_inputs(path, path)
    assert str(raised.value).startswith(f"{path}{message}")
    assert "\n" not in str(raised.value)


PIECES = [
    '<DOC id="a">', "<DOC>", "</DOC>", "<DOCID>b</DOCID>", "<TEXT>", "</TEXT>", "<p>", "</p>",
    '<ENAMEX TYPE="P">', "</ENAMEX>", "Ann", " ", "\n\n", "&amp;", "<seg>", "é",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_pieces_are_articles_or_a_clear_error(pieces: list[str]) -> None:
    file = TextFile(name="file", data="".join(['<DOC id="a">', *pieces]).encode())
    said, rows = "", (0, 0, 0)
    try:
        records = read_articles(file)
        rows = len(records.documents or ()), len(records.paragraphs or ()), records.size
    except InputError as error:
        said = str(error)
    assert not said or (said.startswith("file:") and "\n" not in said)
    assert len(set(rows)) == 1


@pytest.mark.slow
def test_long_damaged_files_are_read_in_linear_time() -> None:
    """Each would take hours if every tag were looked up to the end of the file."""
    for piece in ("<DOC>", "<TEXT>", "<DOCID>", "<p>"):
        file = TextFile(name="file", data=('<DOC id="a">' + piece * 200_000 + "</DOC>").encode())
        with suppress(InputError):
            read_articles(file)


def test_documents_must_be_the_same(tmp_path: Path) -> None:
    one = '<DOC id="a">x</DOC>'
    two = one + '<DOC id="b">y</DOC>'
    first, second = written(tmp_path, one=one, two=two)
    for articles in ("document", "paragraph"):
        with pytest.raises(InputError, match=r"two\.muc: document 'b', expected only those of "):
            open_inputs(first, second, articles=articles)
        with pytest.raises(InputError, match=r"one\.muc: no document 'b', expected as in .*two"):
            open_inputs(second, first, articles=articles)


def test_paragraphs_without_tags_are_parted_by_empty_lines(tmp_path: Path) -> None:
    [path] = written(tmp_path, plain="<DOC>\n<DOCNO>a</DOCNO>\none\ntwo\n \nthree\n</DOC>\n")
    assert [one.text for one in read_annotations(path)] == ["one two", "three"]


def test_an_empty_paragraph_keeps_its_number(tmp_path: Path) -> None:
    [path] = written(tmp_path, gap='<DOC id="a"><p>one</p>\n<p></p>\n<p>three</p></DOC>')
    assert [one.text for one in read_annotations(path)] == ["one", "", "three"]


def test_mark_up_without_articles_is_a_segment_a_line(tmp_path: Path) -> None:
    [path] = written(tmp_path, lines='<ENAMEX TYPE="PERSON">Ann</ENAMEX>\nleft\n')
    assert len(open_inputs(path, path).load()) == 2


def test_a_folder_has_an_article_in_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, name in (("reference", 'Then <ENAMEX TYPE="PERSON">Ann\nLee</ENAMEX>'),
                         ("system", "So Ann\nLee")):  # fmt: skip
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.txt").write_text(f"{name} left.\n\nBye.\n", encoding="utf-8")
        (tmp_path / folder / "a.txt").write_text("Hello.\n", encoding="utf-8")
    folders = [str(tmp_path / folder) for folder in ("reference", "system")]
    whole = open_inputs(folders[0], folders[1]).load()
    assert whole.corpus.documents == ("a", "b", "b")
    assert whole.systems[0].hypotheses.to_list() == ["Hello.", "So Ann Lee left.", "Bye."]
    shown = output(capsys, "nee", folders[0], "-i", folders[1], *EVERYWHERE, "-f", "tsv")
    assert shown.splitlines()[1] == "system\tsystem\t100.0\t1.0\t1.0"
    lines = str(SAMPLE / "reference.1.en")
    for paths in ((lines, folders[1]), (folders[1], lines)):
        with pytest.raises(InputError, match="system: is a directory, expected a file, or art"):
            open_inputs(*paths)
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="none: found no file, expected one for every article"):
        open_inputs(tmp_path / "none", folders[1])


# ---- the sample: the same numbers from lines and from articles ------------------------------


@pytest.mark.parametrize(("system", "found"), [("alder", 76), ("elm", 64), ("birch", 75)])
def test_articles_of_the_sample_give_what_lines_give(
    system: str, found: int, capsys: pytest.CaptureFixture[str]
) -> None:
    articles = output(
        capsys, "nee", str(ARTICLES / "reference.muc"), "-i", str(ARTICLES / f"{system}.muc"),
        *EVERYWHERE, "-f", "tsv", "--by", "document",
    )  # fmt: skip
    lines = output(
        capsys, "nee", str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / f"systems/{system}.txt"),
        "--annotations", str(SAMPLE / "entities.jsonl"),
        *EVERYWHERE, "-f", "tsv", "--by", "document",
    )  # fmt: skip
    assert articles == lines
    assert articles.splitlines()[1].split("\t")[4] == f"{found}.0"


ALIGNED = [str(ARTICLES / f"{name}.muc") for name in ("alder", "cedar", "elm", "human")]


def test_a_paragraph_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The units of articles, said for lines in a file of documents."""
    lines = (SAMPLE / "documents.tsv").read_text(encoding="utf-8").splitlines()
    counts: dict[str, int] = {}
    rows = ["document\tparagraph"]
    for line in lines[1:]:
        document = line.split("\t")[0]
        rows.append(f"{document}\t{counts.setdefault(document, 0) // 4 + 1}")
        counts[document] += 1
    path = tmp_path / "documents.tsv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    by_lines = output(
        capsys, "nee", str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems/alder.txt"),
        "--annotations", str(SAMPLE / "entities.jsonl"), "--documents", str(path),
        *EVERYWHERE, "-f", "tsv", "--by", "paragraph",
    )  # fmt: skip
    by_articles = output(
        capsys, "nee", str(ARTICLES / "reference.muc"), "-i", ALIGNED[0],
        *EVERYWHERE, "-f", "tsv", "--by", "paragraph",
    )  # fmt: skip
    assert by_lines == by_articles
    assert by_lines.splitlines()[2].startswith("seaport 1\talder\tsystem\t")


@pytest.mark.slow
def test_agreement_of_units(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["nee", str(ARTICLES / "reference.muc"), "-i", *ALIGNED, "--compare-units", *EVERYWHERE]
    made = json.loads(output(capsys, *words, "-f", "json"))
    whole = open_inputs(ARTICLES / "reference.muc", ALIGNED).load()
    metric = NamedEntityEvaluator(quantities=False)
    assert made == unit_agreement(whole.corpus, whole.systems, metric).to_dict()
    scores = {
        unit: [one[unit]["score"] for one in made["systems"]]
        for unit in ("by_document", "by_paragraph")
    }
    expected = np.corrcoef(scores["by_document"], scores["by_paragraph"])[0, 1]
    assert made["pearson_over_systems"] == pytest.approx(expected)
    assert expected > 0.9
    parts = [
        (part["by_document"]["score"], part["by_paragraph"]["score"])
        for one in made["systems"]
        for part in one["documents"].values()
        if part["by_document"]["listed"]
    ]
    expected_parts = np.corrcoef(np.array(parts), rowvar=False)[0, 1]
    assert made["pearson_over_documents"] == pytest.approx(expected_parts)
    for one in made["systems"]:
        assert one["by_paragraph"]["listed"] >= one["by_document"]["listed"]
    table = output(capsys, *words)
    assert f"Pearson's r between the two: {expected:.3f} over 4 translations" in table
    tsv = output(capsys, *words, "-f", "tsv").splitlines()
    assert tsv[0] == "document\tsystem\tkind\tby_document\tby_paragraph"
    assert len(tsv) == 1 + 4 * (1 + 8)


def test_two_numbers_have_no_correlation(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "nee",
        str(ARTICLES / "reference.muc"),
        "-i",
        ALIGNED[0],
        "--compare-units",
        *EVERYWHERE,
    ]
    made = json.loads(output(capsys, *words, "-f", "json"))
    assert made["pearson_over_systems"] is None


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--compare-units", "--missed"],
            "--compare-units: found with --by or --missed, expected one of them",
        ),
        (
            ["--compare-units", "--unit", "segment"],
            "--compare-units: found unit=segment, expected none",
        ),
        (
            ["--by", "paragraph", "--unit", "document"],
            "--by paragraph: found unit=document, expected unit=paragraph",
        ),
    ],
)
def test_flags_that_do_not_go_together(
    flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["nee", str(ARTICLES / "reference.muc"), "-i", ALIGNED[0], *flags, "-q"]
    assert message in error(capsys, *words)


def test_paragraphs_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "nee", str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems/alder.txt"),
        "--annotations", str(SAMPLE / "entities.jsonl"), "-q",
    ]  # fmt: skip
    for flags in (["--compare-units"], ["--by", "paragraph"], ["--unit", "paragraph"]):
        assert "no paragraph labels, expected a file of documents" in error(capsys, *words, *flags)


def test_unknown_units_of_articles_are_an_error() -> None:
    with pytest.raises(OptionError, match="articles: found 'page', expected paragraph or document"):
        open_inputs(ALIGNED[0], ALIGNED[1], articles="page")  # type: ignore[arg-type]


def test_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("text_to_num", reason="text2num is not installed")
    monkeypatch.chdir(SAMPLE)
    page = DOCS / "metrics" / "nee.md"
    failures, attempts = doctest.testfile(str(page), module_relative=False)
    assert (failures, attempts) == (0, 7)
