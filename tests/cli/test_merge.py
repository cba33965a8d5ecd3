"""``tertium score --statistics`` and ``tertium merge``, as they are typed."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.commands import error, json_output, output, python
from tests.support.sample import LABELLED, REFERENCES, SYSTEMS

pytestmark = pytest.mark.slow

pytest.importorskip("pyarrow", reason="files of statistics need pyarrow")

CUTS = [0, 11, 30, 92]


@pytest.fixture
def halves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The sample in three parts, scored alone."""
    parts = []
    for start, stop in pairwise(CUTS):
        files = []
        for path in [REFERENCES[0], *SYSTEMS[:2], LABELLED[1]]:
            lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
            piece = tmp_path / f"{start}.{Path(path).name}"
            header = [lines.pop(0)] if path == LABELLED[1] else []
            piece.write_text("".join([*header, *lines[start:stop]]), encoding="utf-8")
            files.append(str(piece))
        part = str(tmp_path / f"part{start}.parquet")
        output(
            capsys, "score", files[0], "-i", *files[1:3], "--names", "alder", "birch",
            "--documents", files[3], "-m", "bleu", "ribes",
            "--statistics", part, "--first-segment", str(start + 1), "-f", "json",
        )  # fmt: skip
        parts.append(part)
    return parts


WHOLE = ["score", REFERENCES[0], "-i", *SYSTEMS[:2], *LABELLED, "-m", "bleu",
         "ribes"]  # fmt: skip


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["-f", "text"],
        ["-f", "tsv"],
        ["-f", "latex"],
        ["-f", "json"],
        ["-b"],
        ["-sl", "-f", "tsv"],
        ["--by", "genre"],
        ["--by", "length", "-f", "json"],
        ["-ci", "-cin", "50", "-f", "json"],
        ["-pbs", "-pbsn", "50"],
        ["-par", "-parn", "50", "--resample", "segments"],
    ],
    ids=" ".join,
)
def test_all_that_score_shows(
    halves: list[str], flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = output(capsys, "merge", *halves[::-1], "--expect-segments", "92", *flags)
    assert shown == output(capsys, *WHOLE, *flags)


def test_a_missing_part(halves: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "found segments from 31 on, expected from 12 on" in error(
        capsys, "merge", halves[0], halves[2]
    )
    assert "found 30 segments up to here, expected 92 in all" in error(
        capsys, "merge", *halves[:2], "--expect-segments", "92"
    )


def test_a_merged_file_is_a_part(
    halves: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two = str(tmp_path / "two.parquet")
    output(capsys, "merge", *halves[1:], "--first-segment", "12", "--statistics", two)
    assert json_output(capsys, "merge", two, halves[0]) == json_output(capsys, *WHOLE)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--first-segment", "3"], "--first-segment: found alone, expected with --statistics"),
        (["--statistics", "x.tsv"], "statistics: found x.tsv, expected a name that ends in"),
        (["--statistics", "no/x.parquet"], "expected a file to write"),
        (["--statistics", "x.parquet", "--first-segment", "0"], "--first-segment"),
        (["-m", "nist", "--statistics", "x.parquet", "--first-segment", "9"],
         "nist: found a part of a corpus, expected all of it at once"),
    ],
)  # fmt: skip
def test_flags_that_make_no_sense(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in error(capsys, *WHOLE[:5], *words)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['pyarrow'] = None; from tertium.cli.main import main; "
    done = python("-c", hidden + f"sys.exit(main({[*WHOLE, '--statistics', 'x.parquet']!r}))")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("tertium: x.parquet: the package pyarrow is missing, expected")
    assert "pip install" in done.err
    assert list(tmp_path.iterdir()) == []


def test_json_is_that_of_score(halves: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    merged = json.loads(output(capsys, "merge", *halves, "-f", "json"))
    assert list(merged) == ["version", "segments", "systems"]
    assert merged["segments"] == 92
