"""Plots: built from small data, written to files, the same each time."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.report.plots import (
    NEUTRAL,
    Line,
    agreement_by_systems,
    curve,
    heat_map,
    judged_points,
    prediction_error,
    rated_points,
    styles_of,
    write_figure,
    write_figures,
)
from tertium.report.plots.meta import Box, placed
from tertium.report.plots.style import PALETTE

pytestmark = pytest.mark.slow

pytest.importorskip("plotly", reason="plots need the extra 'plots'")

HOSTILE = "</script><b>R&D"
NAMES = ["online-A", "online-B", "uedin", HOSTILE]
RATINGS = [0.1, 0.4, 0.2, 0.5]
SCORES = [20.0, 27.0, 23.0, 30.0]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@pytest.fixture
def browser() -> str:
    pytest.importorskip("kaleido", reason="images need the extra 'plots'")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium or Chrome on the path to draw images with")
    return found


def scatter() -> object:
    return rated_points(NAMES, RATINGS, SCORES, metric="BLEU", criterion="adequacy").figure()


def traces(figure: object) -> list[dict[str, object]]:
    return json.loads(figure.to_json())["data"]  # type: ignore[attr-defined,no-any-return]


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("page", ["#FFFFFF", "#0D1117"])
@pytest.mark.parametrize(
    ("colour", "least"), [*((one, 2.0) for one in PALETTE), (NEUTRAL.text, 4.0)]
)
def test_colours_are_seen_on_light_and_dark_pages(page: str, colour: str, least: float) -> None:
    low, high = sorted([luminance(page), luminance(colour)])
    assert (high + 0.05) / (low + 0.05) >= least


def test_a_system_keeps_its_style() -> None:
    systems = [f"system {i}" for i in range(30)]
    styles = styles_of(systems)
    assert len({(one.colour, one.symbol) for one in styles.values()}) == 30
    assert styles_of([*systems, "one more"])["system 7"] == styles["system 7"]
    figure = rated_points(
        systems[5:8], [1, 2, 3], [1, 3, 2], metric="m", criterion="c", styles=styles
    ).figure()
    colours = traces(figure)[-1]["marker"]["color"]  # type: ignore[index]
    assert colours == [styles[name].colour for name in systems[5:8]]


def test_scatter_draws_the_least_squares_line() -> None:
    line, points = traces(scatter())
    slope, offset = np.polyfit(RATINGS, SCORES, 1)
    assert line["x"] == [0.1, 0.5]
    assert line["y"] == pytest.approx([0.1 * slope + offset, 0.5 * slope + offset])
    assert points["text"][3] == "&lt;/script&gt;&lt;b&gt;R&amp;D"  # type: ignore[index]
    r = np.corrcoef(RATINGS, SCORES)[0, 1]
    assert f"(r = {r:.3f})" in scatter().layout.title.text  # type: ignore[attr-defined]


def test_scatter_says_who_is_not_rated() -> None:
    figure = rated_points(NAMES, [*RATINGS[:3], np.nan], SCORES, metric="m", criterion="c").figure()
    assert len(traces(figure)[-1]["x"]) == 3  # type: ignore[arg-type]
    assert "1 not rated" in figure.layout.title.text


def test_scatter_of_judgments_matches_systems_by_name() -> None:
    judgments = Judgments(
        name="wmt", criterion="rank", systems=("a", "b", "c"), values=np.array([1.0, 2.0, 3.0])
    )
    scores = MetricScores(metric="bleu", systems=("c", "a"), values=np.array([30.0, 10.0]))
    figure = judged_points(judgments, scores).figure()
    (points,) = traces(figure)  # two systems: no line
    assert (points["x"], points["y"], points["text"]) == ([1, 3], [10, 30], ["a", "c"])
    assert figure.layout.title.text == "wmt: bleu against rank, 1 without a score"


def test_heat_map_leaves_what_is_unknown_empty() -> None:
    figure = heat_map(["bleu", "wer"], ["a", "b"], [[0.5, np.nan], [-0.25, 1.0]])
    (trace,) = traces(figure)
    assert trace["z"] == [[0.5, None], [-0.25, 1.0]]
    assert trace["text"] == [["0.50", ""], ["−0.25", "1.00"]]


def test_prediction_error_has_a_line_per_criterion() -> None:
    found = traces(prediction_error([1, 2, 4], {"adequacy": [3, 2, 1], "fluency": [1, 2, 3]}))
    assert [one["name"] for one in found] == ["adequacy", "fluency"]
    assert [one["x"] for one in found] == [[1, 2, 4]] * 2


def test_curve_with_a_band() -> None:
    line = Line(name="BLEU", x=[2, 3], y=[0.5, 0.6], low=[0.1, 0.4], high=[0.9, 0.8])
    band, drawn = traces(agreement_by_systems([line]))
    assert band["y"] == [0.9, 0.8, 0.4, 0.1]
    assert drawn["y"] == [0.5, 0.6]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Line(name="l", x=[1, 2], y=[1]), "line 'l': found 1 value of y, expected 2"),
        (lambda: Line(name="l", x=[1], y=[1], low=[0]), "found half a band"),
        (lambda: heat_map(["a"], ["b"], [[1, 2]]), r"found values of shape \(1, 2\)"),
        (
            lambda: rated_points(["a"], [1, 2], [1], metric="m", criterion="c").figure(),
            "found 1 name, 2 ratings and 1 score",
        ),
    ],
)
def test_errors_say_what_was_found(build: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build()  # type: ignore[operator]


def test_labels_do_not_overlap_where_there_is_room() -> None:
    x, y = np.array([0.0, 1.0, 1.02, 5.0]), np.array([0.0, 1.0, 1.0, 5.0])
    places = placed(["alpha", "beta", "gamma", "delta"], x, y, width=500, height=300)
    assert places[1] != places[2]
    assert Box(0, 2, 0, 2).overlap(Box(1, 3, 1, 3)) == 1
    assert Box(0, 1, 0, 1).overlap(Box(2, 3, 0, 1)) == 0


@pytest.mark.parametrize("seed", range(20))
def test_the_last_digits_move_no_label(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.random((2, 12))
    names = [f"system {place}" for place in range(12)]
    places = placed(names, x, y, width=500, height=300)
    for _ in range(20):
        near = [values * (1 + 1e-15 * rng.integers(-2, 3, 12)) for values in (x, y)]
        assert placed(names, *near, width=500, height=300) == places


def test_labels_stay_inside() -> None:
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    assert placed(["a" * 40] * 2, x, y, width=400, height=300)[1].endswith("left")


def test_page_holds_everything_and_runs_no_names(tmp_path: Path) -> None:
    write_figure(scatter(), tmp_path / "one.html")
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert HOSTILE not in text
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", text)
    assert "Plotly.newPlot" in text
    write_figure(scatter(), tmp_path / "two.html")
    assert (tmp_path / "two.html").read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_images(tmp_path: Path, browser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", browser)
    line = Line(name="oracle", x=[1, 10, 100], y=[20, 25, 29])
    oracle = curve([line], title="t", x_title="n", y_title="BLEU", logarithmic=True)
    heads = {"a.svg": b"<svg", "b.svg": b"<svg", "c.png": b"\x89PNG", "d.pdf": b"%PDF"}
    figures = {"a.svg": scatter(), "b.svg": scatter(), "c.png": oracle, "d.pdf": oracle}
    write_figures({tmp_path / name: figure for name, figure in figures.items()})
    for name, head in heads.items():
        assert (tmp_path / name).read_bytes().startswith(head)
    first, second = (tmp_path / name for name in ("a.svg", "b.svg"))
    assert first.read_bytes() == second.read_bytes()
    text = first.read_text(encoding="utf-8")
    assert "online-A" in text
    assert "<b>" not in text


def test_no_browser_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("kaleido", reason="images need the extra 'plots'")
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "nothing"))
    with pytest.raises(MissingExtraError, match=r"found no browser.*apt install chromium") as error:
        write_figure(scatter(), tmp_path / "one.svg")
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"found suffix '\.gif', expected one of \.html, \.svg"):
        write_figure(scatter(), tmp_path / "one.gif")
