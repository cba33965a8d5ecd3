"""``tertium meta rank`` on a folder as mt-metrics-eval has them."""

from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import error, json_output, output

SYSTEMS = ("Alder", "Birch", "Elm", "Fir")
QUICK = ("--trials", "100")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ratings of two language pairs, and three metrics of each."""
    rng = np.random.default_rng(4)
    for pair in ("de-en", "en-cs"):
        ratings = np.arange(4.0)[:, None] + rng.normal(size=(4, 30))
        _written(tmp_path / "human-scores" / f"{pair}.mqm", ratings)
        for place, metric in enumerate(("COMET-refA", "chrF-refA", "Kiwi-src")):
            scores = ratings + (1 + 4 * place) * rng.normal(size=ratings.shape)
            _written(tmp_path / "metric-scores" / pair / metric, scores)
    return tmp_path


def _written(base: Path, values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    base.parent.mkdir(parents=True, exist_ok=True)
    segments = [
        f"{name}\t{value}\n"
        for name, row in zip(SYSTEMS, values, strict=True)
        for value in row.tolist()
    ]
    totals = [
        f"{name}\t{value}\n"
        for name, value in zip(SYSTEMS, values.mean(axis=1).tolist(), strict=True)
    ]
    base.with_name(f"{base.name}.seg.score").write_text("".join(segments), encoding="utf-8")
    base.with_name(f"{base.name}.sys.score").write_text("".join(totals), encoding="utf-8")


def test_one_table_over_all_pairs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "meta", "rank", str(folder), *QUICK)
    first, heading, _, *rows = shown.splitlines()
    assert first == "metrics ranked by their mean over 4 columns"
    assert "de-en soft pairwise accuracy" in heading
    assert "en-cs acc_eq, mean over segments" in heading
    assert rows[0].split()[:2] == ["COMET", "1"]
    assert {row.split()[0] for row in rows[:3]} == {"COMET", "chrF", "Kiwi[noref]"}
    assert "p-value of row over column" in shown
    assert "--permute items holds its level" in shown


def test_json_has_all_digits_and_p_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = json_output(capsys, "meta", "rank", str(folder), *QUICK, "-f", "json")
    assert made["task"] == "wmt24"
    assert [column["name"] for column in made["columns"]] == ["de-en"] * 2 + ["en-cs"] * 2
    overall = made["overall"]
    assert overall["metrics"][0]["metric"] == "COMET"
    assert overall["metrics"][0]["rank"] == 1
    assert overall["p_values"][0][0] is None
    assert 0 < overall["p_values"][0][1] <= 1


def test_latex_and_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    latex = output(capsys, "meta", "rank", str(folder), *QUICK, "-f", "latex")
    assert r"\toprule" in latex
    assert "COMET" in latex
    rows = output(capsys, "meta", "rank", str(folder), *QUICK, "-f", "tsv").splitlines()
    assert rows[0].split("\t") == ["metric", "name", "criterion", "measure", "value", "rank"]
    assert len(rows) == 1 + 3 * 5


def test_plots_carry_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plotly")
    plot = folder / "plots" / "p.html"
    plot.parent.mkdir()
    output(capsys, "meta", "rank", str(folder), *QUICK, "--plot", str(plot))
    files = sorted(path.name for path in plot.parent.iterdir())
    assert len(files) == 5
    assert all("Kiwi" in (plot.parent / name).read_text(encoding="utf-8") for name in files)
    scatter = folder / "scatter"
    scatter.mkdir()
    output(
        capsys,
        *("meta", "rank", str(folder), *QUICK),
        *("--plot", str(scatter / "s.html"), "--plot-kind", "scatter"),
    )
    assert len(list(scatter.iterdir())) == 6


def test_what_is_missing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "found neither FOLDER nor --ratings" in error(capsys, "meta", "rank")
    assert "found no such folder" in error(capsys, "meta", "rank", str(folder / "none"))
    assert "no test of it" in error(
        capsys, "meta", "rank", str(folder), "--measures", "segment-kendall-item"
    )
