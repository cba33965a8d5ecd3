"""Segments of several files are joined by what names them, and by position only without a name."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError, OptionError
from tertium.text.input_files import open_inputs
from tests.support.commands import error, output, ran
from tests.support.row_files import WRITERS, hypotheses, jsonl, tsv

WORDS = ["alder", "birch", "cedar", "dogwood", "elm", "fir", "gum"]


KEYS: dict[str, Callable[[int], dict[str, Any]]] = {
    "id": lambda i: {"id": f"x{i}"},
    "doc_id": lambda i: {"doc_id": f"news-{i}"},
    "document": lambda i: {"document": f"news-{i}"},
    "segment_id": lambda i: {"segment_id": i},
    "item_id": lambda i: {"Item ID": f"{i}"},
    "idx": lambda i: {"idx": i},
    "document and segment": lambda i: {"document_id": f"d{i // 3}", "seg_id": i % 3},
}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("key", KEYS)
def test_files_in_another_order_are_joined_by_key(tmp_path: Path, kind: str, key: str) -> None:
    write, name_of = WRITERS[kind], KEYS[key]
    rows = list(range(len(WORDS)))
    other = random.Random(7).sample(rows, len(rows))
    reference = write(
        tmp_path / f"ref.{kind}", [{**name_of(i), "reference": f"r {WORDS[i]}"} for i in rows]
    )
    system = write(
        tmp_path / f"sys.{kind}", [{**name_of(i), "hypothesis": f"h {WORDS[i]}"} for i in other]
    )
    source = write(
        tmp_path / f"src.{kind}", [{"source": f"s {WORDS[i]}", **name_of(i)} for i in other[::-1]]
    )
    inputs = open_inputs([reference], [system], source=source)
    chunk = inputs.load()
    assert hypotheses(chunk) == [[f"h {word}" for word in WORDS]]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == [f"s {word}" for word in WORDS]
    assert inputs.hints == inputs.notes == ()


def test_sets_that_differ_are_an_error_with_counts(tmp_path: Path) -> None:
    reference = jsonl(tmp_path / "ref.jsonl", [{"doc_id": f"d{i}", "ref": "r"} for i in range(5)])
    system = jsonl(tmp_path / "sys.jsonl", [{"doc_id": f"d{i}", "mt": "h"} for i in range(3, 9)])
    with pytest.raises(InputError) as raised:
        open_inputs([reference], [system])
    assert str(raised.value).replace(f"{tmp_path}/", "") == (
        "sys.jsonl: 2 of 5 segments in common with ref.jsonl, 4 only here (such as document 'd5') "
        "and 3 only there (such as document 'd0'), expected the same (--common scores the 2 in "
        "common)"
    )
    inputs = open_inputs([reference], [system], common=True)
    assert inputs.load().corpus.ids == ("d3", "d4")
    assert inputs.load().corpus.notes == (
        "scored on the 2 segments that all files have (--common; 5 in ref.jsonl, 6 in sys.jsonl)",
    )


COMMON = (
    ("score", "-f", "table"),
    ("score", "-f", "json"),
    ("compare", "-f", "table", "--sections", "scores", "--trials", "20"),
    ("compare", "-f", "json", "--sections", "scores", "--trials", "20"),
    ("decide", "-f", "text", "--trials", "20", "--no-audit"),
    ("decide", "-f", "json", "--trials", "20", "--no-audit"),
    ("audit", "-f", "json", "--only", "copies"),
    ("power", "-f", "json", "--trials", "20"),
)


@pytest.mark.parametrize("command", COMMON, ids=lambda one: " ".join(one[:3]))
def test_what_common_leaves_out_is_said_by_every_command(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *flags = command
    whole = [{"id": i, "reference": f"the {word} has leaves"} for i, word in enumerate(WORDS)]
    reference = jsonl(tmp_path / "ref.jsonl", whole)
    systems = [
        jsonl(
            tmp_path / f"{one}.jsonl",
            [{"id": i, "hypothesis": f"{one} {WORDS[i]} has leaves"} for i in some],
        )
        for one, some in (("a", range(6)), ("the", range(1, 7)))
    ]
    said = output(capsys, name, str(reference), "-i", *map(str, systems), "--common", *flags)
    bare = " ".join(said.split())
    assert "scored on the 5 segments that all files have (--common; 7 in ref.jsonl" in bare


def test_what_common_leaves_out_stands_in_a_report_and_beside_an_explanation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotly")
    rows = [{"id": i, "reference": f"the {word} has leaves"} for i, word in enumerate(WORDS)]
    reference = jsonl(tmp_path / "ref.jsonl", rows)
    systems = [
        jsonl(
            tmp_path / f"{one}.jsonl",
            [{"id": i, "hypothesis": f"{one} {WORDS[i]} has leaves"} for i in range(5)],
        )
        for one in ("a", "the")
    ]
    files = [str(reference), "-i", *map(str, systems), "--common", "-m", "chrf"]
    note = "scored on the 5 segments that all files have (--common; 7 in ref.jsonl"
    output(capsys, "report", *files, "--trials", "20", "-o", str(tmp_path / "report.html"))
    assert note in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"tertium: warning: {note}" in ran(capsys, "explain", *files).err
    said = error(capsys, "report", *files, "--ratings", "r.tsv", "-o", str(tmp_path / "x.html"))
    assert "--common: found with ratings, expected without" in said


def test_a_unique_column_that_is_not_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "ref.txt"
    plain.write_text("one\ntwo\n", encoding="utf-8")
    system = jsonl(
        tmp_path / "sys.jsonl", [{"doc_id": i, "hypothesis": one} for i, one in enumerate("ab")]
    )
    (hint,) = open_inputs([plain], [system]).hints
    assert "sys.jsonl: column 'doc_id' names every segment, but " in hint
    assert ran(capsys, "score", str(plain), "-i", str(system)).err == f"tertium: {hint}\n"
    assert ran(capsys, "score", str(plain), "-i", str(system), "-q").err == ""
    # A document that several segments have names none, and goes without saying.
    labels = jsonl(tmp_path / "labels.jsonl", [{"doc_id": "d", "hypothesis": one} for one in "ab"])
    assert open_inputs([plain], [labels]).hints == ()


def test_documents_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    rows = [("a", "r1"), ("a", "r2"), ("b", "r3")]
    reference = jsonl(tmp_path / "ref.jsonl", [{"doc": d, "ref": t} for d, t in rows])
    same = jsonl(tmp_path / "same.jsonl", [{"doc": d, "mt": t} for d, t in rows])
    assert hypotheses(open_inputs([reference], [same]).load()) == [["r1", "r2", "r3"]]
    turned = jsonl(tmp_path / "turned.jsonl", [{"doc": d, "mt": t} for d, t in rows[::-1]])
    with pytest.raises(InputError, match=r"document 'b' in segment 1, expected document 'a' as in"):
        open_inputs([reference], [turned])
    taken = open_inputs([reference], [turned], columns={"id": "none"}).load()
    assert hypotheses(taken) == [["r3", "r2", "r1"]]


def test_ids_of_different_kinds_can_be_told(tmp_path: Path) -> None:
    reference = jsonl(tmp_path / "ref.jsonl", [{"key": k, "reference": k} for k in "abc"])
    system = jsonl(tmp_path / "sys.jsonl", [{"name": k, "hypothesis": k} for k in "cab"])
    chunk = open_inputs([reference], [system], columns={"id": ["key", "name"]}).load()
    assert hypotheses(chunk) == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"common": True}, "--common: found .*ref.txt without keys"),
        ({"split_paragraphs": True}, "--paragraphs: found .*ref.txt, expected tables"),
    ],
)
def test_plain_text_names_nothing(tmp_path: Path, flags: dict[str, Any], message: str) -> None:
    plain = tmp_path / "ref.txt"
    plain.write_text("one\ntwo\n", encoding="utf-8")
    system = jsonl(tmp_path / "sys.jsonl", [{"id": i, "mt": "x"} for i in range(2)])
    with pytest.raises(OptionError, match=message):
        open_inputs([plain], [system], **flags)


PAIRED = [
    {"doc_id": f"{pair}_#_news_#_{i}", "hypothesis": f"{pair} {i}"}
    for pair in ("cs-de_DE", "en-sr_Cyrl_RS", "en-sr_Latn_RS")
    for i in range(2)
]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("cs-de_DE", ["cs-de_DE 0", "cs-de_DE 1"]),
        ("cs-de", ["cs-de_DE 0", "cs-de_DE 1"]),
        ("en-sr_Latn_RS", ["en-sr_Latn_RS 0", "en-sr_Latn_RS 1"]),
        ("all", [str(row["hypothesis"]) for row in PAIRED]),
    ],
)
def test_one_language_pair_of_several(tmp_path: Path, pair: str, expected: list[str]) -> None:
    path = jsonl(tmp_path / "sys.jsonl", PAIRED)
    columns = {"reference": "hypothesis", "hypothesis": "hypothesis"}
    chunk = open_inputs([path], [path], columns=columns, pair=pair).load()
    assert hypotheses(chunk) == [expected]
    assert chunk.corpus.references.columns[0].to_list() == expected


@pytest.mark.parametrize("pair", [None, "en-sr", "de-en"])
def test_a_language_pair_is_never_guessed(tmp_path: Path, pair: str | None) -> None:
    path = jsonl(tmp_path / "sys.jsonl", PAIRED)
    with pytest.raises(InputError, match=r"found 3 language pairs \(cs-de_DE, en-sr_Cyrl_RS"):
        open_inputs([path], [path], columns={"reference": "hypothesis"}, pair=pair)


PAIR_COLUMNS = [
    {"lp": "en-de"},
    {"language_pair": "en-de"},
    {"src_lang": "en", "tgt_lang": "de"},
    {"Source language": "en", "Target-Language": "de"},
]


@pytest.mark.parametrize("columns", PAIR_COLUMNS)
def test_columns_that_tell_the_language_pair(tmp_path: Path, columns: dict[str, str]) -> None:
    others = {name: value.replace("de", "cs") for name, value in columns.items()}
    rows = [{**columns, "ref": "a", "mt": "b"}, {**others, "ref": "c", "mt": "d"}]
    chunk = open_inputs([tsv(tmp_path / "a.tsv", rows)], pair="en-de").load()
    assert hypotheses(chunk) == [["b"]]


def test_references_in_objects(tmp_path: Path) -> None:
    rows = [
        {"doc_id": "d1", "refs": {"refA": {"ref": "a1", "who": 3}, "refB": {"ref": "b1"}}},
        {"doc_id": "d2", "refs": {"refA": {"ref": "a2"}}},
    ]
    system = jsonl(tmp_path / "sys.jsonl", [{"doc_id": d, "mt": d} for d in ("d2", "d1")])
    chunk = open_inputs([jsonl(tmp_path / "ref.jsonl", rows)], [system]).load()
    assert [one.to_list() for one in chunk.corpus.references.columns] == [
        ["a1", "a2"],
        ["b1", None],
    ]
    assert hypotheses(chunk) == [["d1", "d2"]]
    # What has no reference is refused, as anywhere.
    rows.append({"doc_id": "d3", "refs": {}})
    more = jsonl(tmp_path / "more.jsonl", [{"doc_id": d, "mt": d} for d in ("d2", "d1", "d3")])
    with pytest.raises(InputError, match="segment 3: no reference"):
        open_inputs([jsonl(tmp_path / "ref.jsonl", rows)], [more]).load()


def test_paragraphs_are_segments_where_all_files_have_as_many(tmp_path: Path) -> None:
    reference = [{"doc_id": "d1", "ref": "r1\n\nr2"}, {"doc_id": "d2", "ref": "r3"}]
    system = [{"doc_id": "d2", "mt": "h3"}, {"doc_id": "d1", "mt": "h1\n\nh2"}]
    files = [jsonl(tmp_path / "ref.jsonl", reference)], [jsonl(tmp_path / "sys.jsonl", system)]
    assert len(open_inputs(*files).load()) == 2
    chunk = open_inputs(*files, split_paragraphs=True).load()
    assert chunk.corpus.references.columns[0].to_list() == ["r1", "r2", "r3"]
    assert hypotheses(chunk) == [["h1", "h2", "h3"]]
    assert chunk.corpus.documents == ("d1", "d1", "d2")
    assert chunk.corpus.ids == ("d1:1", "d1:2", "d2:1")
    system[1]["mt"] = "h1 h2"
    files[1][0].unlink()
    bad = [jsonl(tmp_path / "sys.jsonl", system)]
    with pytest.raises(InputError, match=r"document 'd1': found different numbers of paragraphs"):
        open_inputs(files[0], bad, split_paragraphs=True)
    left = open_inputs(files[0], bad, split_paragraphs=True, common=True).load()
    assert hypotheses(left) == [["h3"]]
    assert left.corpus.notes == (
        (
            "1 of 2 documents are left out (--common --paragraphs): files have different "
            "numbers of paragraphs there"
        ),
    )


# ---- real files -----------------------------------------------------------------------------


def read(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.shared
@pytest.mark.parametrize("flags", [[], ["--paragraphs"]])
def test_wmt25_in_another_order_scores_the_same(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    rows = read(shared_data / "wmt25" / "systems" / "DLUT_GTCOM.jsonl.gz")
    reference = [
        {"doc_id": row["doc_id"], "refs": {"refA": {"ref": row["hypothesis"]}}} for row in rows
    ]
    system = [
        {"doc_id": row["doc_id"], "hypothesis": row["hypothesis"].replace(" und ", " & ")}
        for row in rows
    ]
    paths = [
        jsonl(tmp_path / "ref.jsonl", reference),
        jsonl(tmp_path / "same.jsonl", system),
        jsonl(tmp_path / "other.jsonl", random.Random(1).sample(system, len(system))),
    ]
    files = [str(paths[0]), "-i", *map(str, paths[1:])]
    scores = output(capsys, "score", *files, "--pair", "cs-de_DE", "-b", "-w", "4", *flags)
    same, other = map(float, scores.split())
    assert same == other
    assert 60 < same < 100


@pytest.mark.shared
def test_wmt26_systems_share_some_documents(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "wmt26" / "systems"
    names = ["CUNI-MH-v3", "CUNI-EdUKate"]
    reference = [
        {"doc_id": row["doc_id"], "reference": row["hypothesis"]}
        for row in read(folder / f"{names[0]}.jsonl.gz")[:400]
    ]
    path = str(jsonl(tmp_path / "ref.jsonl", reference))
    files = [path, "-i", str(folder / f"{names[1]}.jsonl.gz")]
    said = error(capsys, "score", *files)
    assert "ref.jsonl: found 2 language pairs (ces_Latn-deu_Latn, ces_Latn-ukr_Cyrl)" in said
    said = error(capsys, "score", *files, "--pair", "ces_Latn-ukr_Cyrl")
    assert "85 of 85 segments in common with" in said
    assert "230 only here" in said
    said = output(capsys, "score", *files, "--pair", "ces_Latn-ukr_Cyrl", "--common", "-f", "json")
    found = json.loads(said)
    assert found["segments"] == 85
    assert found["warnings"] == [
        (
            "scored on the 85 segments that all files have (--common; 85 in ref.jsonl, 315 in "
            "CUNI-EdUKate.jsonl.gz)"
        )
    ]
