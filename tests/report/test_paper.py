"""Figures and tables for papers: real text, the width of a column, no picture twice."""

import re
import struct
import zlib
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tertium.cli.demo import SAMPLE
from tertium.errors import OptionError
from tertium.report.plots.figures import paper_figures, plain_names
from tertium.report.plots.files import _without_rest, browser_path, write_drawings
from tertium.study.results import Study
from tests.support.commands import error, output
from tests.support.studies import sample_study

SVG = "{http://www.w3.org/2000/svg}"
PAIR = [str(SAMPLE / f"systems/{name}.txt") for name in ("birch", "alder")]
FILES = [str(SAMPLE / "reference.1.en"), "-i", *PAIR, "-m", "bleu", "ter", "bleu[order=2]"]


@pytest.fixture(scope="module")
def five() -> Study:
    return sample_study("bleu", "ter", "bleu[order=2]", trials=50)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 (our own)


def texts(svg: str) -> list[str]:
    return [one.text or "" for one in parsed(svg).iter(f"{SVG}text")]


def test_a_figure_is_as_wide_as_a_column_or_the_page(five: Study) -> None:
    for inches in (3.3, 6.9):
        for name, svg in paper_figures(five, pair=five.names[:2], inches=inches).items():
            root = parsed(svg)
            assert root.get("width") == f"{inches * 72:g}pt"
            width, height = (float(one) for one in root.get("viewBox", "").split()[2:])
            for one in root.iter(f"{SVG}text"):
                x, y = float(one.get("x", "nan")), float(one.get("y", "nan"))
                length = 0.5 * 8 * len(one.text or "")
                left = {"start": x, "middle": x - length / 2, "end": x - length}
                place = left[one.get("text-anchor", "start")]
                assert -length / 2 <= place, (name, one.text)
                assert place + length <= width + length / 2, (name, one.text)
                assert 0 < y <= height, (name, one.text)


def test_text_is_text_and_a_title_comes_where_it_is_asked_for(five: Study) -> None:
    plain, titled = (paper_figures(five, pair=("birch", "alder"), title=on) for on in (False, True))
    assert set(plain) == {
        "forest",
        "ranks",
        "differences-bleu",
        "differences-ter",
        "differences-bleu-order-2",
    }
    assert "alder beside birch" not in texts(plain["forest"])
    assert "alder beside birch" in texts(titled["forest"])
    assert {"BLEU", "TER ↓"} <= set(texts(plain["forest"]))
    assert set(five.names) <= set(texts(plain["ranks"]))


def test_of_two_systems_the_forest_turns_with_the_pair(five: Study) -> None:
    deltas = [
        [
            text
            for text in texts(paper_figures(five, ["forest"], pair=pair)["forest"])
            if "." in text
        ]
        for pair in (("birch", "alder"), ("alder", "birch"))
    ]
    turned = [text.translate(str.maketrans("+−", "−+")) for text in deltas[0]]
    assert deltas[0] != deltas[1]
    assert {text for text in turned if "…" not in text} == {
        text for text in deltas[1] if "…" not in text
    }


def test_names_of_files_are_plain(five: Study) -> None:
    assert plain_names(five) == ["bleu", "ter", "bleu-order-2"]
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in paper_figures(five))


def test_what_cannot_be_drawn_says_so(five: Study) -> None:
    with pytest.raises(OptionError, match="expected one of alder, birch"):
        paper_figures(five, ["forest"], pair=("alder", "oak"))


def test_no_picture_is_written_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plotly", reason="plots need the extra 'plots'")
    words = [*FILES, "--trials", "50", "-f", "html", "-o", str(tmp_path)]
    written = [Path(one) for one in output(capsys, "plot", *words).splitlines()]
    names = [path.name for path in written]
    assert names[0] == "forest.html"
    assert "lengths.html" in names
    assert all(re.fullmatch(r"[a-z0-9-]+\.html", name) for name in names)
    seen: dict[str, list[str]] = {}
    for path in written:
        page = re.sub(r"figure-[0-9a-f]{6}|<title>.*?</title>", "", path.read_text("utf-8"))
        seen.setdefault(sha256(page.encode()).hexdigest(), []).append(path.name)
    assert [same for same in seen.values() if len(same) > 1] == []


def test_figures_of_reports_need_no_plotting_library(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "plotly", None)
    words = ["--only", "forest", "differences", "--fit", "column", "--trials", "50"]
    written = output(capsys, "plot", *FILES, *words, "-o", str(tmp_path)).splitlines()
    assert [Path(one).name for one in written][:2] == ["forest.svg", "differences-bleu.svg"]
    assert "alder" in (tmp_path / "forest.svg").read_text(encoding="utf-8")


@pytest.mark.browser
def test_pdf_and_png_are_drawn_by_the_browser(five: Study, tmp_path: Path) -> None:
    from tertium.errors import MissingExtraError

    try:
        browser_path("x.pdf")
    except MissingExtraError as problem:
        pytest.skip(str(problem))
    svg = paper_figures(five, ["ranks"], inches=3.3)["ranks"]
    write_drawings({tmp_path / "ranks.pdf": svg, tmp_path / "ranks.png": svg})
    pdf = (tmp_path / "ranks.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    assert b"/Font" in pdf
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert box is not None
    assert float(box[1]) == pytest.approx(3.3 * 72, abs=1.5)
    png = (tmp_path / "ranks.png").read_bytes()
    height = float(parsed(svg).get("height", "0pt").removesuffix("pt"))
    width, rows = struct.unpack_from(">II", png, 16)
    assert width == 2 * 317
    assert rows == pytest.approx(2 * height * 96 / 72, abs=2)


def test_the_upper_rows_of_a_picture() -> None:
    rows = [bytes([0, k, k, k, k + 1, k + 1, k + 1]) for k in range(4)]

    def chunk(name: bytes, body: bytes) -> bytes:
        code = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + code

    def picture(some: list[bytes]) -> bytes:
        head = struct.pack(">IIBBBBB", 2, len(some), 8, 2, 0, 0, 0)
        body = chunk(b"IDAT", zlib.compress(b"".join(some), 9))
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")

    assert _without_rest(picture(rows), 3) == picture(rows[:3])
    assert _without_rest(picture(rows), 9) == picture(rows)


def test_a_compact_table_has_a_column_for_each_metric(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *FILES[:-1], "-f", "latex", "--compact", "--trials", "200"]
    lines = output(capsys, *words).splitlines()
    assert lines[2] == "\\begin{tabular}{lrr}"
    assert lines[4] == "System & BLEU $\\uparrow$ & TER $\\downarrow$ \\\\"
    birch, alder = (line for line in lines if line.startswith(("birch", "alder")))
    assert "textbf" not in birch
    assert alder.count("\\textbf{") == 2
    assert alder.count("\\rlap{$^\\dagger$}") == 2
    caption = next(line for line in lines if line.startswith("\\caption"))
    assert caption.startswith("\\caption{Scores of 2 systems on 92 segments.")
    assert "differs from birch, $p \\le 0.05$" in caption
    assert lines.count("\\end{table}") == 1


def test_a_compact_table_is_latex(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--compact: found -f tsv, expected -f latex" in error(
        capsys, "compare", *FILES, "-f", "tsv", "--compact"
    )
