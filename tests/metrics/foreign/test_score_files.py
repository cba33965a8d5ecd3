"""Files of scores in the layouts that other tools write."""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium import Corpus, System, TertiumError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.foreign.file_scores import FileScores, metrics_of_files

CORPUS = Corpus(
    references=["the cat", "a dog ran", "the cat"],
    sources=["die Katze", "ein Hund lief", "die Katze"],
    name="ref.en",
)
SYSTEMS = [
    System(name="one", hypotheses=["the cat", "the dog ran", "cats"]),
    System(name="two", hypotheses=["the cat", "a dog", "החתול ישן"]),
]
SCORES = {"one": [0.9, 0.5, 0.25], "two": [0.9, 0.75, 0.5]}


def rows() -> list[tuple[str, int, str, str, str, float]]:
    """System, segment from 0, source, hypothesis, reference and score of every text."""
    sources = CORPUS.sources
    assert sources is not None
    return [
        (
            one.name,
            place,
            sources[place] or "",
            one.hypotheses[place] or "",
            CORPUS.references.of_segment(place)[0],
            SCORES[one.name][place],
        )
        for one in SYSTEMS
        for place in range(3)
    ]


def blocks() -> str:
    return "".join(f"{row[0]}\t{row[5]}\n" for row in rows())


def printed() -> str:
    lines = [f"out/{row[0]}.txt\tSegment {row[1]}\tscore: {row[5]:.4f}\n" for row in rows()]
    return "".join([*lines, "out/one.txt\tscore: 0.5500\n", "out/two.txt\tscore: 0.7167\n"])


def comet() -> str:
    files: dict[str, list[dict[str, object]]] = {}
    for system, _, source, text, reference, score in rows():
        row = {"src": source, "mt": text, "ref": reference, "COMET": score}
        files.setdefault(f"out/{system}.txt", []).append(row)
    return json.dumps(files, ensure_ascii=False, indent=4)


def metricx() -> str:
    keys = ("source", "hypothesis", "reference", "prediction")
    return "".join(
        json.dumps(dict(zip(keys, row[2:], strict=True)), ensure_ascii=False) + "\n"
        for row in rows()
    )


def wmt25() -> str:
    head = (
        "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\t"
        "overall\n"
    )
    lines = [f"d\t{r[1]}\tde\ten_GB\tofficial\t{r[0]}\tnews\tESA\t{r[5]}\n" for r in rows()]
    return head + "".join(lines)


def table(separator: str, first: int) -> str:
    lines = [("system", "segment", "Mine", "genre", "Other")]
    lines += [(r[0], str(r[1] + first), str(r[5]), "7", str(2 * r[5])) for r in rows()]
    return "\n".join(separator.join(line) for line in lines) + "\n"


LAYOUTS = {
    "COMET-refA.seg.score": (blocks, "COMET", True),
    "blocks.txt": (blocks, "blocks", True),
    "printed.tsv": (printed, "COMET", True),
    "comet.json": (comet, "COMET", True),
    "metricx.jsonl": (metricx, "MetricX", False),
    "submission.tsv": (wmt25, "submission", True),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_layouts(tmp_path: Path, name: str, newline: str) -> None:
    write, title, higher = LAYOUTS[name]
    path = tmp_path / name
    path.write_bytes(write().replace("\n", newline).encode())
    (metric,) = metrics_of_files([path])
    assert (metric.title, metric.higher_is_better) == (title, higher)
    found = tertium.evaluate(CORPUS, SYSTEMS, [metric], segments=True)
    for system in found.systems:
        segments = system.scores[0].segments
        assert segments is not None
        np.testing.assert_allclose(segments, SCORES[system.system])
        assert system.scores[0].value == pytest.approx(np.mean(SCORES[system.system]))


@pytest.mark.parametrize(("suffix", "separator"), [("tsv", "\t"), ("csv", ",")])
@pytest.mark.parametrize("first", [0, 1])
def test_tables(tmp_path: Path, suffix: str, separator: str, first: int) -> None:
    path = tmp_path / f"all.{suffix}.gz"
    path.write_bytes(gzip.compress(table(separator, first).encode()))
    mine, other = metrics_of_files([path])
    assert (mine.title, other.title) == ("Mine", "Other")
    assert mine.spec == "Mine"
    again = parse_metric(mine.recipe)
    assert (again.title, again.signature()) == (mine.title, mine.signature())
    found = tertium.evaluate(CORPUS, SYSTEMS, [mine, other])
    assert found["two"].scores[1].value == pytest.approx(2 * np.mean(SCORES["two"]))


def test_parquet(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "scores.parquet"
    columns = list(zip(*rows(), strict=True))
    names = ["system", "segment", "source", "hypothesis", "reference", "Mine"]
    parquet.write_table(arrow.table(dict(zip(names, map(list, columns), strict=True))), path)
    (metric,) = metrics_of_files([path])
    found = tertium.evaluate(CORPUS, SYSTEMS, [metric])
    assert found["one"].scores[0].value == pytest.approx(np.mean(SCORES["one"]))


def test_a_file_for_each_system(tmp_path: Path) -> None:
    for name, scores in SCORES.items():
        (tmp_path / f"{name}.comet.txt").write_text("\n".join(map(str, scores)), encoding="utf-8")
    (metric,) = metrics_of_files([tmp_path / "{system}.comet.txt"])
    assert metric.title == "comet"
    found = tertium.evaluate(CORPUS, SYSTEMS, [metric])
    assert found["two"].scores[0].value == pytest.approx(np.mean(SCORES["two"]))
    alone = FileScores(file=str(tmp_path / "one.comet.txt"), system="one")
    assert tertium.evaluate(CORPUS, SYSTEMS[:1], [alone])["one"].scores[0].value == pytest.approx(
        np.mean(SCORES["one"])
    )
    with pytest.raises(TertiumError, match=r"found scores of one, expected those of two: system="):
        tertium.evaluate(CORPUS, SYSTEMS, [alone])


def test_one_text_has_one_score_wherever_it_stands(tmp_path: Path) -> None:
    twice = Corpus(references=["x", "x"], name="ref")
    path = tmp_path / "m.jsonl"
    same = System(name="s", hypotheses=["y", "y"])
    path.write_text('{"hypothesis": "y", "reference": "x", "prediction": 2}\n', encoding="utf-8")
    metric = FileScores(file=str(path))
    assert tertium.evaluate(twice, [same], [metric])["s"].scores[0].value == 2
    with path.open("a", encoding="utf-8") as file:
        file.write('{"hypothesis": "y", "reference": "x", "prediction": 3}\n')
    with pytest.raises(TertiumError, match=r"m.jsonl:2: found 3 for a text that has 2 before"):
        tertium.evaluate(twice, [same], [metric])


def test_missing_scores_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    lines = ["system\tsegment\tX", "one\t1\t0.5", "one\t2\tNone", "two\t1\t", "two\t3\t0.25"]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = tertium.evaluate(CORPUS, SYSTEMS, metrics_of_files([path]))
    assert [one.scores[0].value for one in found.systems] == [0.5, 0.25]
    assert found.warnings[1:] == (
        "one: X has no score for 2 of 3 segments: left out",
        "two: X has no score for 2 of 3 segments: left out",
    )


WRONG = {
    "empty": ("a.tsv", "", "a.tsv: empty, expected scores"),
    "only a header": ("a.tsv", "system\tscore\n", "a.tsv: empty, expected scores"),
    "no numbers": ("a.tsv", "system\tgood\none\tyes\n", "found no column of numbers"),
    "a missing system": (
        "a.seg.score",
        "on\t1\non\t1\non\t1\ntwo\t1\ntwo\t1\ntwo\t1\n",
        "a.seg.score: found scores of on, two, expected some of one (did you mean 'on'?)",
    ),
    "too few": (
        "a.seg.score",
        "one\t1\none\t1\n",
        "a.seg.score: 2 scores of one, expected 3 (reference ref.en)",
    ),
    "another level": ("a.sys.score", "one\t1\n", "found scores of level sys, expected those of"),
    "a comma": (
        "a.tsv",
        "system\tX\none\t0,5\none\t0.5\none\t0.5\n",
        "a.tsv:2: found '0,5', expected a number with a point, not a comma",
    ),
    "a word": (
        "a.tsv",
        "system\tX\none\t1\none\t1\none\tbad\n",
        "a.tsv:4: found 'bad', expected a number",
    ),
    "an infinity": ("a.seg.score", "one\tinf\n", "a.seg.score:1: found 'inf', expected a number"),
    "three columns": ("a.seg.score", "one\t1\t2\n", "a.seg.score:1: 3 columns, expected 2"),
    "a segment too many": (
        "a.tsv",
        "system\tsegment\tX\none\t0\t1\none\t3\t1\n",
        "a.tsv:3: found segment 3 of one, expected 3 segments (reference ref.en)",
    ),
    "a segment twice": (
        "a.tsv",
        "system\tsegment\tX\none\t0\t1\none\t0\t1\n",
        "a.tsv:3: found segment 0 of one again, expected it once",
    ),
    "numbers that begin nowhere": (
        "a.tsv",
        "system\tsegment\tX\none\t1\t1\none\t2\t1\n",
        "a.tsv: found segments neither 0 nor 3, expected to know the number of the first: first=0",
    ),
    "a segment without a number": (
        "a.tsv",
        "system\tsegment\tX\none\tfirst\t1\n",
        "a.tsv:2: found segment 'first', expected a whole number",
    ),
    "another test set": (
        "a.jsonl",
        '{"hypothesis": "else", "reference": "else", "prediction": 1}\n',
        "a.jsonl: found no score of 'the cat' (segment 1 of one), expected one for every text",
    ),
    "shifted lines": (
        "a.tsv",
        "system\thyp\tX\none\tthe dog ran\t1\none\tcats\t1\none\tx\t1\n",
        "a.tsv:2: found the text 'the dog ran', expected 'the cat' (segment 1 of one)",
    ),
    "no JSON": ("a.json", "{\n", "a.json: Expecting"),
    "JSON of something else": (
        "a.json",
        '{"a":\n 1}\n',
        "a.json: found an object, expected a list",
    ),
    "two language pairs": (
        "a.tsv",
        "system\tlp\tX\none\tde-en\t1\none\tfr-en\t1\n",
        "a.tsv: found scores of de-en, fr-en, expected one: pair=de-en",
    ),
    "two columns of systems": (
        "a.tsv",
        "system\tsys\tX\none\tone\t1\n",
        "a.tsv: found the columns system and sys, expected one of systems",
    ),
    "a column of no system": ("a.txt", "0.5\n0.5\n0.5\n", "found scores of no system, expected"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit(tmp_path: Path, case: str) -> None:
    name, text, message = WRONG[case]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TertiumError) as error:
        tertium.evaluate(CORPUS, SYSTEMS, metrics_of_files([path]))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_scores_that_are_out_of_step_say_so(tmp_path: Path) -> None:
    texts = ["a", "b", "c", "d", "e"]
    path = tmp_path / "a.tsv"
    lines = [f"s\t{text}\t1" for text in [*texts[1:], "x"]]
    path.write_text("\n".join(["system\tmt\tX", *lines]), encoding="utf-8")
    system = System(name="s", hypotheses=texts)
    with pytest.raises(TertiumError, match=r"the scores are 1 too early$"):
        tertium.evaluate(Corpus(references=texts), [system], metrics_of_files([path]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("scores", "scores: found no file, expected scores[file=FILE]"),
        ("scores[file=none.tsv]", "none.tsv: no such file or directory, expected a readable file"),
        ("scores[fil=x]", "unknown option of scores 'fil'; did you mean 'file'?"),
        ("scores[file=x,higher=maybe]", "option higher: found 'maybe', expected auto or yes or no"),
        ("scores[file={file},column=Min]", "did you mean 'Mine'? known: Mine, Other"),
        ("scores[file={file}]", "found the columns of scores Mine, Other, expected one: column=…"),
    ],
)
def test_wrong_specs(tmp_path: Path, spec: str, message: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(table("\t", 1), encoding="utf-8")
    with pytest.raises(TertiumError) as error:
        tertium.evaluate(CORPUS, SYSTEMS, [spec.replace("{file}", str(path))])
    assert message in str(error.value)


def test_texts_alone_have_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "COMET-refA.seg.score"
    path.write_text(blocks(), encoding="utf-8")
    with pytest.raises(TertiumError, match="COMET is read from a file, which has no scores"):
        tertium.score(["a"], ["a"], f"scores[file={path}]")


@pytest.mark.parametrize(
    ("name", "scores", "higher", "expected"),
    [
        ("TER", "3 2 1", "auto", False),
        ("TER", "-3 -2 -1", "auto", True),  # turned around already
        ("MetricX-24", "3 2 1", "auto", False),
        ("MetricX-24", "3 2 1", "yes", True),
        ("COMET", "3 2 1", "auto", True),
        ("COMET", "3 2 1", "no", False),
    ],
)
def test_direction(tmp_path: Path, name: str, scores: str, higher: str, expected: bool) -> None:
    path = tmp_path / "a.tsv"
    lines = [f"one\t{score}" for score in scores.split()]
    path.write_text("\n".join([f"system\t{name}", *lines]), encoding="utf-8")
    metric = parse_metric(f"scores[file={path},higher={higher}]")
    assert metric.higher_is_better is expected
    assert f"|higher:{'yes' if expected else 'no'}|" in metric.signature()


def test_signature_tells_who_and_what(tmp_path: Path) -> None:
    path = tmp_path / "COMET-refA.seg.score"
    path.write_text(blocks(), encoding="utf-8")
    metric = parse_metric(f"scores[file={path},model=wmt22-comet-da,version=2.2.6,precision=fp16]")
    identity = "name:COMET|model:wmt22-comet-da|release:2.2.6|precision:fp16|higher:yes"
    digest = "digest:" + hashlib.sha256(blocks().encode()).hexdigest()[:12]
    assert metric.signature(1) == (
        f"nrefs:1|{identity}|{digest}|version:tertium-{tertium.__version__}"
    )
    assert not metric.doubts
    assert parse_metric(f"scores[file={path}]").doubts == (
        "model and version unknown, so others cannot make these scores again",
    )
