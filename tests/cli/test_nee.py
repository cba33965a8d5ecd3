"""``tertium nee`` as users meet it."""

import json
import sys
from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import name_report
from tertium.text.annotations import read_annotations, write_annotations
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output, output, ran

pytestmark = pytest.mark.slow

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(SAMPLE / "systems" / f"{name}.txt") for name in ("alder", "elm")]
ENTITIES = str(SAMPLE / "entities.jsonl")
DOCUMENTS = str(SAMPLE / "documents.tsv")
# The same with and without text2num, which large numbers and amounts need.
EVERYWHERE = ["-q", "-m", "nee[quantities=no]"]
ONE = ["nee", REFERENCES[0], "--annotations", ENTITIES, "-i", *SYSTEMS, *EVERYWHERE]
SIGNATURE = "nrefs:1|case:lc|unit:document|"


@pytest.fixture
def inline(tmp_path: Path) -> str:
    """The first reference with its names in mark-up."""
    path = tmp_path / "marked.en"
    texts = [one.bare() for one in read_annotations(ENTITIES)]
    write_annotations(path, texts, format="muc")
    return str(path)


def rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, *ONE).splitlines()
    assert shown[0].split() == ["system", "NEE", "found", "listed"]
    assert [line.split() for line in shown[2:4]] == [
        ["alder", "81.72", "76", "93"],
        ["elm", "68.82", "64", "93"],
    ]
    assert shown[-2] == "92 segments, 8 units (document)"
    assert shown[-1].startswith(SIGNATURE)


def test_inline_markup_gives_the_same(capsys: pytest.CaptureFixture[str], inline: str) -> None:
    words = ["nee", inline, "-i", *SYSTEMS, "--documents", DOCUMENTS, "-f", "tsv", *EVERYWHERE]
    assert output(capsys, *words) == output(capsys, *ONE, "-f", "tsv")


def test_the_metric_in_score(capsys: pytest.CaptureFixture[str], inline: str) -> None:
    words = ["score", inline, "-i", *SYSTEMS, "-m", EVERYWHERE[-1], "--documents", DOCUMENTS]
    assert output(capsys, *words, "-b", "-w", "2") == "81.72\n68.82\n"
    scored = json.loads(output(capsys, *words, "-f", "json", "--by", "document"))
    report = json_output(capsys, *ONE)
    for one, other in zip(scored["systems"], report["systems"], strict=True):
        [score] = one["scores"]
        [found] = other["scores"]
        assert score["score"] == found["score"]
        assert found["metric"].startswith("nee[unit=document,annotations=")
        assert score["statistics"]["listed_PERSON"] == other["types"]["PERSON"]["listed"]
        slices = {label: part["score"] for label, part in score["slices"].items()}
        assert slices == {label: part["score"] for label, part in other["documents"].items()}


def test_by_type_and_by_document(capsys: pytest.CaptureFixture[str]) -> None:
    by_type = rows(output(capsys, *ONE, "-f", "tsv", "--by", "type"))
    assert by_type[0] == ["type", "system", "kind", "score", "found", "listed"]
    assert by_type[1] == ["all", "alder", "system", repr(7600 / 93), "76.0", "93.0"]
    labels = ["DATE", "LOCATION", "MONEY", "ORGANIZATION", "PERCENT", "PERSON", "TIME"]
    assert [row[0] for row in by_type[1::2]] == ["all", *labels]
    by_document = rows(output(capsys, *ONE, "-f", "tsv", "--by", "document"))
    assert sum(float(row[4]) for row in by_document[3::2]) == 76
    table = output(capsys, *ONE, "--by", "type").splitlines()
    assert table[0].split() == ["type", "system", "NEE", "found", "listed"]


def test_missed_names(capsys: pytest.CaptureFixture[str]) -> None:
    heading, *lines = rows(output(capsys, *ONE, "--missed", "-f", "tsv"))
    assert heading[:6] == ["system", "document", "segment", "type", "name", "part"]
    assert len(lines) == (93 - 76) + (93 - 64)
    [breslau] = [line for line in lines if line[4] == "Wrocław"]
    assert breslau[:4] == ["elm", "painting", "18", "LOCATION"]
    assert "Breslau" in breslau[-1]
    table = output(capsys, *ONE, "--missed")
    assert "Nordstern Express" in table
    assert "North Star Express" in table


def test_agreement_of_humans(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["nee", *REFERENCES, "--annotations", ENTITIES, "-i", *SYSTEMS, *EVERYWHERE]
    [human] = [line for line in output(capsys, *words).splitlines() if "(human)" in line]
    assert human.split() == ["reference.2.en", "(human)", "67.74", "63", "93"]
    lines = rows(output(capsys, *words, "-f", "tsv"))
    assert [line[:2] for line in lines[1:]] == [
        ["alder", "system"],
        ["elm", "system"],
        ["reference.2.en", "human"],
    ]
    # the same as when it is given as a system
    alone = rows(output(capsys, *ONE[:4], "-i", REFERENCES[1], "-f", "tsv", *EVERYWHERE))
    assert alone[1][2:] == lines[3][2:]


def test_json_equals_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(output(capsys, *ONE, "-f", "json", "--unit", "segment", "--partial"))
    whole = open_inputs(REFERENCES[0], SYSTEMS).load()
    metric = NamedEntityEvaluator(
        annotations=ENTITIES, unit="segment", partial=True, quantities=False
    )
    assert made == name_report(whole.corpus, whole.systems, metric).to_dict()
    assert made["units"] == 92


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--unit", "segment"], "|unit:segment|"),
        (["--types", "PERSON", "DATE"], "|types:PERSON+DATE|"),
        (["--partial"], "|partial:yes|"),
        (["-l", "de"], "|lang:de|"),
        (["-m", "nee[diacritics=no,possessives=no]"], "|diacritics:kept|"),
        (["-m", "nee[unit=segment]", "--unit", "document"], "|unit:segment|"),  # brackets win
        (["-m", "nee[numbers=no]"], "|numbers:kept|"),
    ],
)
def test_flags_reach_the_signature(
    flags: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = json_output(capsys, *ONE, *flags)
    assert expected in made["systems"][0]["scores"][0]["signature"]


def test_text_and_names_from_one_file(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["nee", ENTITIES, "--columns", "reference=text", "--annotations", ENTITIES]
    same = output(capsys, *words, "-i", *SYSTEMS, "-f", "tsv", *EVERYWHERE)
    assert same == output(capsys, *ONE, "-f", "tsv")


def test_a_pipeline(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    made = spacy.blank("en")
    made.add_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "Hamburg"}])
    made.to_disk(tmp_path / "rules")
    words = ["nee", REFERENCES[0], "--ner", f"spacy:{tmp_path / 'rules'}", "-i", *SYSTEMS, "-q"]
    lines = rows(output(capsys, *words, "-f", "tsv", "--by", "type"))
    assert lines[-1] == ["GPE", "elm", "system", "100.0", "3.0", "3.0"]


def test_output_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert output(capsys, *ONE, "-f", "json", "-o", str(path)) == ""
    assert json.loads(path.read_text(encoding="utf-8"))["segments"] == 92


def _signature(printed: str) -> str:
    (score,) = json.loads(printed)["systems"][0]["scores"]
    return str(score["signature"])


def test_number_words_that_stay_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "text_to_num", None)
    loud = ["nee", REFERENCES[0], "--annotations", ENTITIES, "-i", *SYSTEMS]
    captured = ran(capsys, *loud, "-f", "json")
    assert captured.status == 0
    kept = "tertium: large numbers, percentages and amounts stay as they are (quantities:kept): "
    assert captured.err.startswith(kept)
    assert "|numbers:unified|quantities:kept|" in _signature(captured.out)
    captured = ran(capsys, *loud, "-l", "de", "-f", "json")
    assert captured.status == 0
    assert "stay as they are (numbers:kept, quantities:kept): text2num" in captured.err
    assert "|numbers:kept|quantities:kept|" in _signature(captured.out)
    assert output(capsys, *loud, "-q")
    assert output(capsys, *loud, "-m", "nee[quantities=no]")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([REFERENCES[0]], "reference.1.en: no annotated names, expected <ENAMEX TYPE="),
        ([REFERENCES[1], "--annotations", ENTITIES], "entities.jsonl: segment 1: annotated text"),
        ([*ONE[1:4], "--ner", "spacy:x"], "found annotations and ner, expected one of them"),
        ([*ONE[1:4], "-m", "bleu"], "--metric: found 'bleu', expected nee and its options"),
        ([*ONE[1:4], "--types", "PERSN"], "unknown type 'PERSN'; did you mean 'PERSON'?"),
        ([REFERENCES[0], "--ner", "stanza:en"], "expected spacy: and the name or path"),
        ([*ONE[1:4], "--missed", "--by", "type", "-f", "tsv"], "expected one table"),
        ([REFERENCES[0], "--annotations", "no.jsonl"], "no.jsonl: no such file"),
    ],
)
def test_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in error(capsys, "nee", *words, "-i", SYSTEMS[0])


def test_by_document_needs_documents(capsys: pytest.CaptureFixture[str], inline: str) -> None:
    said = error(capsys, "nee", inline, "-i", SYSTEMS[0], "--by", "document")
    assert "no document labels, expected a file of documents" in said


def test_broken_markup_is_told_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "broken.en"
    path.write_text('fine\nnot <ENAMEX TYPE="PERSON">fine\n', encoding="utf-8")
    said = error(capsys, "nee", str(path), "-i", str(path))
    expected = "segment 2, character 5: found <ENAMEX> without end, expected </ENAMEX>"
    assert said == f"tertium: {path}: {expected}"
