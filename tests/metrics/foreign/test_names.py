"""Scores are called by their name: no folder stands in a result, and none tells two apart."""

import json
import shutil
from pathlib import Path

import pytest

import tertium
from tertium.metrics.foreign.command import CommandMetric
from tertium.metrics.foreign.file_scores import FileScores, metrics_of_files
from tests.support.commands import error, output
from tests.support.sample import REFERENCES, SYSTEMS

NAMES = ("alder", "birch")


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    """A file of scores in a folder that must be seen nowhere."""
    folder = tmp_path / "secret-folder"
    folder.mkdir()
    segments = len(Path(REFERENCES[0]).read_text(encoding="utf-8").splitlines())
    path = folder / "COMET.tsv"
    rows = [
        f"{name}\t{number}\t{0.5 + 0.1 * place + 0.01 * (number % 7)}"
        for place, name in enumerate(NAMES)
        for number in range(1, segments + 1)
    ]
    path.write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n", encoding="utf-8")
    return path


def files(scores: Path) -> list[str]:
    systems = [path for path in map(str, SYSTEMS) if Path(path).stem in NAMES]
    return [*map(str, REFERENCES[:1]), "-i", *systems, "-m", "chrf", "--scores", str(scores)]


COMMANDS = (
    ("score", "-f", "json"),
    ("score", "-f", "table"),
    ("compare", "-f", "json", "--trials", "50"),
    ("compare", "-f", "tsv", "--trials", "50"),
    ("decide", "-f", "json", "--trials", "50"),
    ("decide", "-f", "text", "--trials", "50"),
    ("audit", "-f", "json"),
    ("audit", "-f", "text"),
    ("power", "-f", "json", "--trials", "50"),
    ("explain", "-f", "json"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: " ".join(one[:3]))
def test_no_result_holds_a_folder(
    command: tuple[str, ...], scores: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *flags = command
    said = output(capsys, name, *files(scores), *flags)
    assert "COMET" in said
    assert "secret-folder" not in said


@pytest.mark.slow
def test_no_report_and_no_figure_holds_a_folder(
    scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotly")
    page, figures = tmp_path / "report.html", tmp_path / "figures"
    output(capsys, "report", *files(scores), "--trials", "50", "-o", str(page))
    text = page.read_text(encoding="utf-8")
    assert "COMET" in text
    assert "secret-folder" not in text
    output(capsys, "plot", *files(scores), "--trials", "50", "-f", "html", "-o", str(figures))
    named = [path.name for path in figures.iterdir()]
    assert "scores-comet.html" in named
    assert not [one for one in named if "scores[" in one or "secret" in one]
    assert not any("secret-folder" in path.read_text("utf-8") for path in figures.iterdir())


def test_the_same_scores_in_two_folders_have_one_signature(scores: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "COMET.tsv"
    other.parent.mkdir()
    shutil.copy(scores, other)
    (one,), (two,) = metrics_of_files([scores]), metrics_of_files([other])
    assert one.signature() == two.signature()
    assert one.spec == two.spec == "COMET"
    other.write_text(other.read_text("utf-8").replace("0.5", "0.6"), encoding="utf-8")
    assert metrics_of_files([other])[0].signature() != one.signature()


def test_files_of_systems_have_one_signature_in_two_folders(tmp_path: Path) -> None:
    found = []
    for folder in ("a", "b"):
        for name in NAMES:
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / f"{name}.comet.txt").write_text("0.5\n", encoding="utf-8")
        (metric,) = metrics_of_files([tmp_path / folder / "{system}.comet.txt"])
        found.append(metric.signature())
    assert found[0] == found[1]
    assert "digest:" in found[0]


def test_two_files_of_one_name_need_other_names(
    scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "COMET.tsv"
    shutil.copy(scores, other)
    said = error(capsys, "score", *files(scores), str(other))
    assert "metric 'COMET': found twice, expected once (name=… in the brackets" in said


def test_a_name_of_another_metric_says_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("system\tsegment\tbleu\tterms\na\t1\t3\t4\n", encoding="utf-8")
    assert [one.spec for one in metrics_of_files([path])] == ["scores[name=bleu]", "terms"]


def test_statistics_of_scores_need_no_file(
    scores: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    rows = tmp_path / "rows.parquet"
    said = output(capsys, "score", *files(scores), "-f", "json", "--statistics", str(rows))
    assert b"secret-folder" not in rows.read_bytes()
    scores.unlink()
    again = json.loads(output(capsys, "merge", str(rows), "-f", "json"))
    kept = ("metric", "score", "signature", "higher_is_better")
    assert [
        [one[key] for key in kept] for system in again["systems"] for one in system["scores"]
    ] == [
        [one[key] for key in kept]
        for system in json.loads(said)["systems"]
        for one in system["scores"]
    ]


def test_programs_are_named_without_folders() -> None:
    one = CommandMetric(run="/opt/a/python /srv/first/score.py --fast")
    two = CommandMetric(run="/opt/b/python /srv/second/score.py --fast")
    assert one.spec == two.spec == 'command[run="python score.py --fast"]'
    assert one.signature() == two.signature()
    assert CommandMetric(run="/opt/a/score", label="Mine").spec == "Mine"
    assert tertium.parse_metric(one.recipe) == one


def test_resources_are_named_without_folders(tmp_path: Path) -> None:
    specs = []
    for folder in ("a", "b"):
        path = tmp_path / folder / "stop.txt"
        path.parent.mkdir()
        path.write_text("the\n1\na\n2\n", encoding="utf-8")
        metric = tertium.parse_metric(f"terp[stop_words={path},synonyms={path}]")
        assert tertium.parse_metric(metric.recipe) == metric
        specs.append((metric.spec, metric.signature()))
    assert specs[0] == specs[1]
    assert str(tmp_path) not in "".join(specs[0])


def test_a_metric_of_the_store_keeps_its_text() -> None:
    metric = FileScores(label="COMET", higher="yes")
    assert metric.spec == metric.recipe == "scores[name=COMET,higher=yes]"
