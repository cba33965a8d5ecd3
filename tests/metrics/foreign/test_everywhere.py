"""Foreign scores in every command, beside tertium's own, with some of them missing."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tertium.cli.demo import SAMPLE
from tertium.metrics.foreign.command import stop_programs
from tests.support.commands import error, output

pytestmark = pytest.mark.slow

NAMES = ("alder", "birch", "cedar")
SEGMENTS = 92
INPUT = [
    str(SAMPLE / "reference.1.en"),
    "-i",
    *(str(SAMPLE / "systems" / f"{name}.txt") for name in NAMES),
    "--documents",
    str(SAMPLE / "documents.tsv"),
]


@pytest.fixture(scope="module")
def scores() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Systems × segments; one in ten is missing."""
    rng = np.random.default_rng(7)
    values = rng.random((len(NAMES), SEGMENTS)).round(4)
    values[rng.random(values.shape) < 0.1] = np.nan
    return values


@pytest.fixture
def table(tmp_path: Path, scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> str:
    path = tmp_path / "scores.tsv"
    lines = ["system\tsegment\tMine"]
    for name, row in zip(NAMES, scores.tolist(), strict=True):
        lines += [
            f"{name}\t{i}\t{'' if value != value else value}"  # noqa: PLR0124 - NaN
            for i, value in enumerate(row, 1)
        ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def missing(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[str]:
    counts = np.isnan(scores).sum(axis=1).tolist()
    assert all(counts)
    return [
        f"{name}: Mine has no score for {count} of {SEGMENTS} segments: left out"
        for name, count in zip(NAMES, counts, strict=True)
    ]


UNKNOWN = "Mine: model and version unknown, so others cannot make these scores again"


def test_score(
    capsys: pytest.CaptureFixture[str],
    table: str,
    missing: list[str],
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> None:
    words = ["score", *INPUT, "-m", "bleu", "--scores", table]
    found = json.loads(output(capsys, *words, "-f", "json", "-sl"))
    assert found["warnings"] == [UNKNOWN, *missing]
    mine = [one["scores"][1] for one in found["systems"]]
    assert [one["score"] for one in mine] == pytest.approx(np.nanmean(scores, axis=1).tolist())
    assert mine[0]["segments"].count(None) == np.isnan(scores[0]).sum()
    shown = output(capsys, *words)
    assert f"alder    54.97   {np.nanmean(scores[0]):.4f}" in shown
    for line in (UNKNOWN, *missing):
        assert f"warning: {line}\n" in shown
    assert "–" in output(capsys, *words, "-sl")
    assert output(capsys, *words, "-f", "latex").count("% warning: ") == 4


def test_compare(capsys: pytest.CaptureFixture[str], table: str, missing: list[str]) -> None:
    spec = f"scores[file={table}]"
    words = ["compare", *INPUT, "--trials", "200", "-m", spec, "bleu"]
    found = json.loads(output(capsys, *words, "-f", "json", "--by", "genre"))
    assert set(missing) <= set(found["scores"]["findings"])
    histogram = found["histograms"]["scores"][0]
    assert [sum(one["segments"]) for one in histogram["systems"]] == [
        SEGMENTS - int(line.split()[6]) for line in missing
    ]
    shown = output(capsys, *words)
    assert "Mine ± 95 %" in shown
    assert "nan" not in shown


def test_audit(capsys: pytest.CaptureFixture[str], table: str, missing: list[str]) -> None:
    words = ["audit", *INPUT, "-m", "bleu", "--scores", table]
    found = json.loads(output(capsys, *words, "-f", "json"))
    assert found["warnings"] == [UNKNOWN, *missing]
    skipped = {one["audit"]: one["reason"] for one in found["skipped"]}
    # What `copies` leaves out is a matter of the input and of what is installed.
    known = {"deletion", "words", "permutation", "straw-men", "fragile"}
    assert set(skipped) - {"copies", "damage"} == known
    assert skipped["deletion"] == "Mine is read from a file, which has no scores of other texts"
    assert skipped["fragile"].startswith("only case and punctuation: Mine is read from a file")
    assert "\nMine  " in output(capsys, *words)


def test_explain(
    capsys: pytest.CaptureFixture[str],
    table: str,
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> None:
    known = int(np.flatnonzero(~np.isnan(scores[0]))[0])
    unknown = int(np.flatnonzero(np.isnan(scores[0]))[0])
    numbers = [str(known + 1), str(unknown + 1)]
    words = ["explain", *INPUT, "-m", "bleu", "--scores", table, "--segment", *numbers]
    found = json.loads(output(capsys, *words, "-f", "json"))
    traces = found["systems"][0]["scores"][1]["traces"]
    rank = 1 + int((scores[0] > scores[0, known]).sum())
    assert [(one["score"], one["rank"]) for one in traces] == [
        (scores[0, known], rank),
        (None, None),
    ]
    shown = output(capsys, *words)
    assert f"segment {known + 1}, alder  {scores[0, known]:.4f}, rank {rank} of {SEGMENTS}" in shown
    assert f"segment {unknown + 1}, alder  –\n" in shown


def test_report_and_plots(
    capsys: pytest.CaptureFixture[str], table: str, missing: list[str], tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    words = [*INPUT, "-m", "bleu", "--scores", table, "--trials", "200", "-o", str(page)]
    output(capsys, "report", *words, "--ratings", str(SAMPLE / "ratings.tsv"))
    text = page.read_text(encoding="utf-8")
    assert "Mine" in text
    assert missing[0] in text


def test_meta_agree(capsys: pytest.CaptureFixture[str], table: str) -> None:
    words = ["meta", "agree", *INPUT, "-m", "bleu", "--scores", table, "--trials", "20"]
    shown = output(capsys, *words, "--ratings", str(SAMPLE / "ratings.tsv"))
    rows = [line.split()[0] for line in shown.splitlines() if line.startswith(("Mine ", "bleu "))]
    assert rows.count("Mine") == rows.count("bleu") > 1


def test_audits_of_a_program_make_up_texts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script = tmp_path / "ones.py"
    script.write_text("import sys\nfor line in sys.stdin: print(1, flush=True)\n", "utf-8")
    spec = f'command[run="{sys.executable} {script}",name=Ones,model=none,version=1]'
    found = json.loads(output(capsys, "audit", *INPUT, "-m", spec, "-f", "json"))
    stop_programs()
    assert {one["audit"] for one in found["skipped"]} <= {"copies", "damage", "gaming"}
    # A metric that likes everything the same lets all words go.
    assert {one["audit"] for one in found["findings"]} >= {"deletion", "permutation"}


def test_the_same_scores_twice(capsys: pytest.CaptureFixture[str], table: str) -> None:
    message = error(capsys, "score", *INPUT, "--scores", table, table)
    assert message.startswith("tertium: metric 'Mine': found twice, expected once")


def test_metrics_tells_what_can_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "metrics", "scores", "command")
    for word in ("file=", "column=", "higher=auto", "model=unknown", "version=unknown", "run="):
        assert word in shown
    listed = json.loads(output(capsys, "metrics", "scores", "-f", "json"))["metrics"][0]
    assert listed["title"] == "scores"
    assert listed["higher_is_better"] is True
