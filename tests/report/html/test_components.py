"""Tokens and components that report, server and documentation share."""

import re
from itertools import product

import pytest
from jinja2 import Environment

from tertium.report.html.charts import (
    Axis,
    Chip,
    Effect,
    Lane,
    Meter,
    Panel,
    ScoreCell,
    Whisker,
    common_axis,
    distribution,
    forest,
    rank_plot,
    trend,
    whisker,
)
from tertium.report.html.page import REPORT_FOLDER, templates

TOKENS = (REPORT_FOLDER / "assets" / "tokens.css").read_text(encoding="utf-8")
NASTY = '<img src=x onerror=alert(1)>"&'
_HEX = re.compile(r"#[0-9a-fA-F]{3,8}\b")
_COLOR = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
COLORS = {name: (light, dark) for name, light, dark in _COLOR.findall(TOKENS)}


def luminance(color: str) -> float:
    def linear(part: str) -> float:
        value = int(part, 16) / 255
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(color[k : k + 2]) for k in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


TEXTS = [
    *product(("ink", "ink-2", "ink-3", "ahead", "behind", "unsure", "accent"), ("card", "bg")),
    ("on-accent", "accent"),
    ("accent", "accent-soft"),
    ("warn", "warn-soft"),
    ("ink", "warn-soft"),
    ("card", "warn"),
    ("card", "ahead"),
    ("ahead", "ahead-soft"),
    ("ink-2", "unsure-soft"),
    ("ink-2", "track"),
    *product(("ink",), ("major", "minor", "insert", "delete", "change")),
    *product(("ink",), ("match-1", "match-2", "match-3", "match-4")),
    *product(("ink",), [f"type-{k}" for k in range(1, 10)]),
]
MARKS = [
    *product(("ahead-mark", "behind-mark", "unsure-mark"), ("card", "bg")),
    *product([f"sys-{k}" for k in range(1, 8)], ("card",)),
    ("major-line", "card"),
    ("minor-line", "card"),
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_and_marks_stand_out_from_their_ground(scheme: int) -> None:
    def low(pairs: list[tuple[str, str]], least: float) -> list[str]:
        found = [(a, b, contrast(COLORS[a][scheme], COLORS[b][scheme])) for a, b in pairs]
        return [f"{a} on {b}: {ratio:.2f}" for a, b, ratio in found if ratio < least]

    assert low(TEXTS, 4.5) == []
    assert low(MARKS, 2.85) == []


def test_only_the_tokens_name_colors() -> None:
    files = [
        path
        for path in REPORT_FOLDER.rglob("*")
        if path.suffix in {".css", ".html"} and path.name != "tokens.css"
    ]
    assert len(files) > 10
    found = {
        path.name: _HEX.findall(re.sub(r'href="[^"]*"', "", path.read_text(encoding="utf-8")))
        for path in files
    }
    assert {name: colors for name, colors in found.items() if colors} == {}


def test_every_color_has_a_light_and_a_dark_value() -> None:
    assert len(COLORS) == len(re.findall(r"--[a-z0-9-]+: light-dark", TOKENS))
    assert set(_HEX.findall(TOKENS)) == {color for pair in COLORS.values() for color in pair}


@pytest.mark.parametrize(
    ("axis", "ends", "expected"),
    [
        (Axis(0, 10), (2, 4), (20, 40, False, False)),
        (Axis(10, 0), (2, 4), (60, 80, False, False)),
        (Axis(0, 10), (-1, 4), (0, 40, True, False)),
        (Axis(10, 0), (-1, 4), (60, 100, False, True)),
        (Axis(-5, 5), (-9, -7), (0, 0, True, False)),
    ],
)
def test_ends_off_the_axis_are_open_on_their_side(
    axis: Axis, ends: tuple[float, float], expected: tuple[float, float, bool, bool]
) -> None:
    drawn = whisker(axis, sum(ends) / 2, ends)
    assert (drawn.start, drawn.end, drawn.open_start, drawn.open_end) == expected


def effect(title: str, gain: float, detectable: float | None, **more: object) -> Effect:
    made: dict[str, object] = {
        "title": title,
        "gain": gain,
        "ends": (gain - 0.1, gain + 0.1),
        "delta_text": f"{gain:+.2f}",
        "detectable": detectable,
        "words": "" if detectable else "identical outputs",
        **more,
    }
    return Effect(**made)  # type: ignore[arg-type]


def test_a_forest_plot_has_one_unit_for_all_metrics() -> None:
    plot = forest(
        "new",
        "old",
        [
            effect("BLEU", 1.0, 0.5),
            effect("COMET", 0.02, 0.01),
            effect("TER", -8.0, 0.5, lower_is_better=True),
            effect("copies", 0.0, None),
            effect("MQM", 0.3, 0.3, people=True),
        ],
    )
    by_title = {row.effect.title: row for row in plot.rows}
    assert next(row.effect.title for row in plot.rows) == "MQM"
    assert [row.effect.title for row in plot.rows][-1] == "TER"
    bleu, comet = by_title["BLEU"].whisker, by_title["COMET"].whisker
    assert bleu is not None
    assert comet is not None
    assert bleu.mark == comet.mark > 50
    assert by_title["copies"].whisker is None
    ter = by_title["TER"].whisker
    assert ter is not None
    assert ter.open_start
    assert not ter.open_end
    start, width = plot.band
    assert start == pytest.approx(50 - width / 2, abs=0.02)


def test_a_rank_plot_marks_what_contradicts_people() -> None:
    people = Lane(title="MQM", ranks=(1, 2, 3), ranges=((1, 1), (2, 3), (2, 3)))
    metric = Lane(title="BLEU", ranks=(3, 1, 0), ranges=((2, 3), (1, 1), (0, 0)))
    plot = rank_plot(
        ["A", "B", "C"],
        [
            Panel(title="People", lanes=(people,), people=True),
            Panel(title="Words", lanes=(metric,)),
        ],
        order=[0, 1, 2],
        tiers=[1, 2, 2],
    )
    cells = [row.cells[1][0] for row in plot.rows]
    assert [cell and cell.lean for cell in cells] == ["behind", "ahead", None]
    assert [row.starts_tier for row in plot.rows] == [False, True, False]


def test_a_histogram_collects_what_lies_far_out() -> None:
    found = distribution([-50.0, -0.4, 0.0, 0.0, 1.5, 2.0, 90.0], bars=5, limit=5)
    assert [bar.count for bar in found.bars] == [1, 0, 3, 2, 1]
    assert found.worse == pytest.approx(2 / 7)
    assert found.better == pytest.approx(3 / 7)
    assert [bar.lean for bar in found.bars] == ["behind", "behind", "unsure", "ahead", "ahead"]


def test_a_trend_has_better_scores_above() -> None:
    def heights(line: str) -> list[float]:
        return [float(point.split(",")[1]) for point in line.split()]

    rising = heights(trend([1, 2, 3]).line)
    assert rising == sorted(rising, reverse=True)
    falling = heights(trend([1, 2, 3], higher_is_better=False).line)
    assert falling == sorted(falling)


@pytest.fixture(scope="module")
def environment() -> Environment:
    return templates()


@pytest.mark.parametrize(
    "call",
    [
        "verdict.html:verdict(bad, bad, [meter], [chip])",
        "forest.html:forest(forest)",
        "rank.html:rank(rank)",
        "scores.html:score_cell(cell)",
        "distribution.html:histogram(distribution)",
        "distribution.html:share(distribution)",
        "trend.html:spark(trend, bad)",
        "segment.html:segment_row(bad, bad, 'rtl', bad, [(bad, 50, bad)])",
        "states.html:empty(bad, bad, (bad, bad))",
        "states.html:progress(0.5, 0.2, bad)",
        "states.html:facts([(bad, bad)])",
        "shell.html:tabs([(bad, bad, 3, true)], bad)",
        "shell.html:brand(bad)",
        "marks.html:name(bad)",
        "marks.html:name(bad, 10)",
    ],
)
def test_components_escape_what_others_named(environment: Environment, call: str) -> None:
    file, expression = call.split(":", 1)
    source = f'{{% import "report/components/{file}" as it %}}{{{{ it.{expression} }}}}'
    lane = Lane(title=NASTY, ranks=(1, 2), ranges=((1, 2), (1, 2)), agreement=0.7)
    mark = Whisker(start=1, end=2, mark=1.5, title=NASTY)
    shown = environment.from_string(source).render(
        bad=NASTY,
        meter=Meter(strength="weak", label=NASTY, note=NASTY),
        chip=Chip(weight="warn", text=NASTY, href="#x", tip=NASTY),
        forest=forest(
            NASTY,
            NASTY,
            [effect(NASTY, 1.0, 1.0, agree=0.8, agree_text=NASTY, tip=NASTY, group=NASTY)],
        ),
        rank=rank_plot(
            [NASTY, "b"],
            [Panel(title=NASTY, lanes=(lane,), note=NASTY)],
            order=[1, 0],
            tiers=[1, 1],
        ),
        cell=ScoreCell(text=NASTY, whisker=mark, tip=NASTY),
        distribution=distribution([1.0, -1.0, 0.0]),
        trend=trend([1, 2], [(0, 2), (1, 3)]),
    )
    assert "<img" not in shown
    assert "alert(1)>" not in shown


def test_a_meter_says_its_strength_in_ink_and_in_words(environment: Environment) -> None:
    source = '{% import "report/components/verdict.html" as it %}{{ it.meter(one) }}'
    shown = environment.from_string(source).render(one=Meter(strength="moderate"))
    assert shown.count('class="on"') == 2
    assert "moderate</span>" in shown


def test_a_common_axis_turns_where_less_is_better() -> None:
    axis = common_axis([30.0, 50.0, float("nan")], higher_is_better=False)
    assert axis.at(30) > axis.at(50)
