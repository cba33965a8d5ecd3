"""Tables of scores as people have them: labels are no scores, and keys join them to segments."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium import Corpus, System
from tertium.errors import TertiumError
from tertium.metrics.foreign.file_scores import FileScores, metrics_of_files
from tests.support.commands import error, output

CORPUS = Corpus(references=["a", "b", "c"], name="ref.en", ids=["d1", "d2", "d3"])
SYSTEMS = [System(name="one", hypotheses=["x", "y", "z"]), System(name="two", hypotheses=["u"] * 3)]
SCORES = {"one": [0.5, 0.25, 0.75], "two": [1.0, 0.0, 0.5]}

TABLES = {
    "pandas' index": (
        "a.csv",
        ",system,segment,COMET\n"
        + "".join(
            f"{3 * s + i},{name},{i + 1},{SCORES[name][i]}\n"
            for s, name in enumerate(SCORES)
            for i in range(3)
        ),
    ),
    "pandas' index read and written again": (
        "a.csv",
        "Unnamed: 0,system,seg_id,COMET\n"
        + "".join(f"{i},{n},{i + 1},{SCORES[n][i]}\n" for n in SCORES for i in range(3)),
    ),
    "model and idx": (
        "a.tsv",
        "model\tidx\tCOMET\n"
        + "".join(f"{n}\t{i}\t{SCORES[n][i]}\n" for n in SCORES for i in range(3)),
    ),
    "documents as keys, in another order": (
        "a.tsv",
        "system\tdoc_id\tCOMET\n"
        + "".join(f"{n}\td{i + 1}\t{SCORES[n][i]}\n" for n in SCORES for i in (2, 0, 1)),
    ),
    "ids as keys, with more than are scored": (
        "a.jsonl",
        "".join(
            json.dumps({"system": n, "id": f"d{i + 1}", "COMET": [*SCORES[n], 9.0][i]}) + "\n"
            for n in SCORES
            for i in (3, 2, 0, 1)
        ),
    ),
    "Google's averages": (
        "mqm.avg_seg_scores.tsv",
        "system COMET seg_id\n"
        + "".join(f"{n} {SCORES[n][i]} {i + 1}\n" for n in SCORES for i in range(3)),
    ),
    "Google's averages below a header of tabs": (
        "mqm.avg_seg_scores.tsv",
        "system\tCOMET\tseg_id\n"
        + "".join(f"{n} {SCORES[n][i]} {i + 1}\n" for n in SCORES for i in range(3)),
    ),
}


@pytest.mark.parametrize("case", TABLES)
def test_one_column_of_scores_is_found(case: str, tmp_path: Path) -> None:
    name, text = TABLES[case]
    (tmp_path / name).write_text(text, encoding="utf-8")
    (metric,) = metrics_of_files([tmp_path / name])
    assert metric.title == "COMET"
    found = tertium.evaluate(CORPUS, SYSTEMS, [metric], segments=True)
    for system in SYSTEMS:
        assert found[system.name].scores[0].segments == pytest.approx(SCORES[system.name])


def test_averages_that_count_errors(tmp_path: Path) -> None:
    path = tmp_path / "mqm_newstest2020_ende.avg_seg_scores.tsv"
    path.write_text("system mqm_avg_score seg_id\none 5.0 1\none None 2\none 0.0 3\n", "utf-8")
    (metric,) = metrics_of_files([path])
    assert not metric.higher_is_better
    assert tertium.evaluate(CORPUS, SYSTEMS[:1], [metric])["one"].scores[0].value == 2.5
    path.write_text("system mqm_avg_score seg_id\none -5.0 1\none None 2\none 0.0 3\n", "utf-8")
    assert metrics_of_files([path])[0].higher_is_better  # WMT21's are turned around


def test_a_judge_may_be_one_who_scores(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    rows = "".join(f"one\t{i}\t{score}\t0.5\n" for i, score in ((1, 0.5), (2, 1), (3, 0.25)))
    path.write_text("system\tsegment\tjudge\tCOMET\n" + rows, encoding="utf-8")
    assert [one.title for one in metrics_of_files([path])] == ["judge", "COMET"]
    path.write_text("system\tsegment\tjudge\none\t1\t80\none\t2\t90\none\t3\t70\n", "utf-8")
    assert [one.title for one in metrics_of_files([path])] == ["judge"]
    # Whole numbers beside other scores number people, unless they are asked for.
    path.write_text("system\tsegment\tjudge\tCOMET\none\t1\t4\t.5\none\t2\t5\t.5\n", "utf-8")
    assert [one.title for one in metrics_of_files([path])] == ["COMET"]
    asked = FileScores(file=str(path), column="judge", first="1")
    found = tertium.evaluate(CORPUS, SYSTEMS[:1], [asked], segments=True)["one"].scores[0]
    assert found.segments is not None
    assert np.asarray(found.segments)[:2].tolist() == [4.0, 5.0]


def test_comets_prediction(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    for text in (
        json.dumps({"scores": SCORES["one"], "system_score": 0.5}),
        json.dumps({"scores": SCORES["one"], "system_score": 0.5}, indent=2),
    ):
        path.write_text(text, encoding="utf-8")
        (metric,) = metrics_of_files([path])
        found = tertium.evaluate(CORPUS, SYSTEMS[:1], [metric], segments=True)
        assert found["one"].scores[0].segments == pytest.approx(SCORES["one"])


def wide(folder: Path) -> Path:
    path = folder / "COMET.tsv"
    lines = [f"{i + 1}\t{SCORES['one'][i]}\t{SCORES['two'][i]}" for i in range(3)]
    path.write_text("\n".join(["segment\tone\ttwo", *lines]) + "\n", encoding="utf-8")
    return path


def test_a_column_for_each_system(tmp_path: Path) -> None:
    (metric,) = metrics_of_files([wide(tmp_path)], systems=["one", "two"])
    assert (metric.title, metric.spec) == ("COMET", "COMET")
    found = tertium.evaluate(CORPUS, SYSTEMS, [metric], segments=True)
    for name, scores in SCORES.items():
        assert found[name].scores[0].segments == pytest.approx(scores)
    # What is called otherwise is a metric of its own.
    assert [one.title for one in metrics_of_files([wide(tmp_path)])] == ["one", "two"]


def test_a_column_for_each_system_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("ref", "one", "two"):
        (tmp_path / f"{name}.txt").write_text("x\ny\nz\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in ("ref", "one", "two")]
    said = output(
        capsys, "score", files[0], "-i", *files[1:], "--scores", str(wide(tmp_path)), "-f", "json"
    )
    values = [system["scores"][-1]["score"] for system in json.loads(said)["systems"]]
    assert values == pytest.approx([np.mean(scores) for scores in SCORES.values()])


def test_keys_that_both_sides_lack_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("system\tid\tx\none\td0\t1\none\td1\t2\none\td2\t3\n", encoding="utf-8")
    with pytest.raises(
        TertiumError, match=r"2 of 3 segments in common with ref\.en for one, 1 only"
    ):
        tertium.evaluate(CORPUS, SYSTEMS[:1], metrics_of_files([path]))


def test_two_columns_of_one_role_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("system\tsys\tsegment\tx\none\tone\t1\t2\n", encoding="utf-8")
    with pytest.raises(TertiumError, match="found the columns system and sys"):
        metrics_of_files([path])
    path.write_text("system\tmodel\tsegment\tx\none\tbase\t1\t2\n", encoding="utf-8")
    assert [one.title for one in metrics_of_files([path])] == ["x"]


# ---- WMT25 ----------------------------------------------------------------------------------

DOCUMENTS = [
    ("cs-de_DE", "news", "a", ["eins", "zwei"], [0.5, 0.25]),
    ("cs-de_DE", "speech", "vid_b", ["drei"], [1.0]),
    ("en-ru_RU", "news", "a", ["vier"], [9.0]),
]


def wmt25(folder: Path) -> tuple[Path, Path]:
    """A system's documents, and its scores as the shared task has them."""
    texts, scores = folder / "mine.jsonl", folder / "scores" / "mine.jsonl"
    scores.parent.mkdir(exist_ok=True)
    rows = [
        {"doc_id": f"{pair}_#_{domain}_#_{name}", "hypothesis": "\n\n".join(some)}
        for pair, domain, name, some, _ in DOCUMENTS
    ]
    texts.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    lists = [
        {
            "language_pair": pair,
            "domain": domain,
            "document_id": name.removeprefix("vid_"),
            "metric_scores": {"Kiwi": values, "MetricX-24": [-one for one in values]},
        }
        for pair, domain, name, _, values in DOCUMENTS[::-1]
    ]
    scores.write_text("".join(json.dumps(row) + "\n" for row in lists), encoding="utf-8")
    return texts, scores


def test_lists_over_paragraphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts, scores = wmt25(tmp_path)
    columns = ["--columns", "reference=hypothesis", "hypothesis=hypothesis"]
    words = [str(texts), "-i", str(texts), *columns, "--pair", "cs-de"]
    pattern = str(scores.parent / "{system}.jsonl")
    said = output(capsys, "score", *words, "--paragraphs", "-sl", "-f", "json", "--scores", pattern)
    (system,) = json.loads(said)["systems"]
    *_, kiwi, metricx = system["scores"]
    assert (kiwi["metric"], kiwi["segments"]) == ("Kiwi", [0.5, 0.25, 1.0])
    assert metricx["higher_is_better"]
    message = error(capsys, "score", *words, "--scores", str(scores))
    assert "found 3 scores of parts of documents, expected one for each of 2 segments" in message
    assert "(--paragraphs)" in message


@pytest.mark.shared
def test_wmt25_scores_are_the_means_of_their_paragraphs(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared_data / "wmt25"
    texts = folder / "systems" / "DLUT_GTCOM.jsonl.gz"
    columns = ["--columns", "reference=hypothesis", "hypothesis=hypothesis"]
    words = [str(texts), "-i", str(texts), *columns, "--pair", "cs-de_DE", "--paragraphs"]
    pattern = str(folder / "automatic_scores" / "{system}.jsonl.gz")
    said = output(capsys, "score", *words, "-f", "json", "--scores", pattern)
    found = json.loads(said)
    assert found["segments"] == 457
    values: dict[str, list[float]] = {}
    with gzip.open(folder / "automatic_scores" / "DLUT_GTCOM.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            if row["language_pair"] == "cs-de_DE":
                for name, some in row["metric_scores"].items():
                    values.setdefault(name, []).extend(some)
    scores = {one["metric"]: one["score"] for one in found["systems"][0]["scores"]}
    assert len(values) == 5
    for name, some in values.items():
        assert scores[name] == pytest.approx(np.mean(some))
