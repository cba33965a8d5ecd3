"""``tertium tune`` as users meet it."""

import json
from pathlib import Path

import pytest

from tertium.metrics.contract.table import parse_metric
from tertium.tune import SearchOptions, read_material, tune
from tests.support.commands import error, json_output, output, printed, ran
from tests.support.decoding.tuning import tuning_files
from tests.support.decoding.tuning import tuning_words as words

pytestmark = pytest.mark.slow


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    return tuning_files(tmp_path)


def test_json_is_what_python_gives(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["-m", "bleu", "bleu-sbp", "--also", "ter", "--hold-out", "3", "--seed", "5"]
    shown = json.loads(output(capsys, "tune", *words(files, *more, "-f", "json")))
    material = read_material([files["run1"], files["run2"]], [files["refs"]], hold_out=3)
    report = tune(
        material.dev,
        [parse_metric("bleu[tokenizer=none]"), parse_metric("bleu-sbp[tokenizer=none]")],
        {"f0": 1.0, "f1": 0.5},
        held_out=material.held_out,
        also=[parse_metric("ter")],
        options=SearchOptions(restarts=2, seed=5),
    )
    assert shown == report.to_dict()
    assert shown["before"]["held_out"]["segments"] == 2
    assert shown["metrics"] == ["bleu[tokenizer=none]", "bleu-sbp[tokenizer=none]", "ter"]


def test_text_has_both_objectives_side_by_side(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["-m", "bleu", "bleu-sbp", "--also", "ter", "--hold-out", "3"]
    lines = output(capsys, "tune", *words(files, *more)).splitlines()
    found = json.loads(output(capsys, "tune", *words(files, *more, "-f", "json")))
    assert lines[0] == "dev set  4 segments"
    assert lines[1].split("   ")[-3:] == ["length ratio", "words deleted %", "segments deleted %"]
    names = ["before", "max-BLEU", "max-BLEU-SBP"]
    rows = [found["before"], *found["tuned"]]
    for first, part in ((3, "dev"), (10, "held_out")):
        for line, name, row in zip(lines[first:], names, rows, strict=False):
            outcome = row[part]
            assert line.split() == [
                name,
                *(f"{score:.2f}" for score in outcome["scores"]),
                f"{outcome['length_ratio']:.3f}",
                f"{100 * outcome['words_deleted']:.1f}",
                f"{100 * outcome['segments_deleted']:.1f}",
            ]
    assert lines[7] == "held out  2 segments"
    assert lines[14].split() == ["weight", "of", *names]
    weights = [f"{row['weights']['f0']:.6g}" for row in rows]
    assert lines[16].split() == ["f0", *weights]
    text = "\n".join(lines)
    assert "120 hypotheses, 4 features; 2 restarts, seed 12345" in text
    assert "ascents came to the best score" in text
    assert "flatter" not in text  # there are segments held out


def test_moses_weights_read_back(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(output(capsys, "tune", *words(files, "-f", "json")))
    place = tmp_path / "tuned.txt"
    assert output(capsys, "tune", *words(files, "-f", "moses", "-o", str(place))) == ""
    files["weights"] = str(place)
    again = json.loads(output(capsys, "tune", *words(files, "-f", "json")))
    assert again["before"]["weights"] == pytest.approx(found["tuned"][0]["weights"], abs=1e-15)
    assert again["before"]["dev"] == found["tuned"][0]["dev"]


def test_without_weights_those_of_the_lists_are_taken(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = json_output(capsys, "tune", files["refs"], "-i", files["run1"], "--restarts", "0")
    assert set(found["before"]["weights"].values()) == {0.25}  # no model scores: all the same


def test_other_held_out_files(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    apart = ["--held-out-references", files["refs"], "--held-out-input", files["run2"]]
    found = json_output(
        capsys, "tune", files["refs"], "-i", files["run1"], *apart, "--restarts", "0"
    )
    assert found["hypotheses"] == 90
    assert found["tuned"][0]["held_out"]["segments"] == 6


def test_statistics_of_moses(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--moses-statistics", files["f"], files["s"], "-m", "bleu[smoothing=none]", "bleu-sbp"]
    text = output(capsys, "tune", *given, "--restarts", "1")
    assert text.startswith("dev set  2 segments\n")
    assert "hold some out" in text


def test_damaged_lines_are_counted(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with Path(files["run1"]).open("a", encoding="utf-8") as file:
        file.write("5 ||| x ||| f0= nan f1= 1 f2= 1 f3= 1\n")
    line = f"{files['run1']}: line 91: found 'nan', expected a finite number"
    assert error(capsys, "tune", *words(files)) == f"tertium: {line}"
    skipping = ran(capsys, "tune", *words(files, "--skip-bad", "-f", "moses"))
    assert skipping.status == 0
    assert skipping.err == f"tertium: skipped 1 damaged:\n  {line}\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["REFS"], "input: found none, expected one of -i, --moses-statistics, --decoder"),
        (
            ["REFS", "-i", "RUN", "--decoder", "x {nbest}"],
            "input: found -i and --decoder, expected",
        ),
        (["REFS", "-i", "RUN", "-m", "bleu", "ter", "-f", "moses"], "-f moses: found 2 metrics"),
        (
            ["--moses-statistics", "F", "S", "--hold-out", "2"],
            "--hold-out: found it with --moses-statistics",
        ),
        (
            ["--moses-statistics", "F", "S", "--costs"],
            "--costs: found it with --moses-statistics, expected it",
        ),
        (
            ["REFS", "--moses-statistics", "F", "S"],
            "--moses-statistics: found reference REFS, expected none",
        ),
        (["--moses-statistics", "F", "S", "-m", "ter"], "metric 'ter': found statistics of BLEU"),
        (
            ["REFS", "-i", "RUN", "--held-out-input", "RUN"],
            "held-out: expected both --held-out-ref",
        ),
        (["REFS", "-i", "RUN", "--shell"], "--shell: found it with -i, expected it with --decoder"),
        (["REFS", "--decoder", "x {nbest}", "--state", "S"], "--decoder: found no --weights"),
        (["--decoder", "x {nbest}"], "--decoder: found no REF, expected it beside the command"),
        (["REFS", "-i", "RUN", "-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        (["REFS", "-i", "RUN", "--fixed", "g"], "fixed: found 'g', expected one of f0, f1, f2, f3"),
        (["RUN", "-i", "RUN"], "RUN: found no hypothesis for segment 6, expected segments 0 to 89"),
        (["REFS", "-i", "REFS"], "REFS: line 1: found 'a b c d e f', expected a known format"),
        (
            [
                "REFS",
                "-i",
                "RUN",
                "--hold-out",
                "2",
                "--held-out-input",
                "RUN",
                "--held-out-references",
                "REFS",
            ],
            "held-out: found --hold-out and --held-out-input, expected one",
        ),
        (
            ["REFS", "--decoder", "x {nbest}", "--state", "S", "--weights", "W", "--also", "ter"],
            "--decoder: found several metrics, expected one to tune for",
        ),
    ],
)
def test_mistakes(
    files: dict[str, str], given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"REFS": "refs", "RUN": "run1", "F": "f", "S": "s", "W": "weights"}
    shown = error(capsys, "tune", *(files[places[one]] if one in places else one for one in given))
    for name, key in places.items():
        message = message.replace(name, files[key]) if name in {"REFS", "RUN"} else message
    assert shown.startswith(f"tertium: {message}"), shown


def test_no_numbers_are_imported_for_help() -> None:
    program = (
        "import sys\nfrom tertium.cli.main import main\n"
        "try:\n    main(['tune', '--help'])\nexcept SystemExit:\n    pass\n"
        "assert 'numpy' not in sys.modules"
    )
    shown = printed("-c", program)
    assert "--decoder COMMAND" in shown
    assert "after a kill the same line goes on" in shown
