"""Many metrics on a narrow screen: best first, nothing cut, nothing lost."""

import numpy as np
import pytest
from rich.console import Console

from tertium.meta import AgreementReport, RatedSet, agreement_report
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.report.meta.agreement_grids import agreement_grids
from tertium.report.meta.grids import ComparisonCell, Grid
from tertium.report.meta.view import agreement_view, fitting

pytestmark = pytest.mark.slow

NAMES = [f"A-metric-with-a-long-name-{n}" for n in range(14)]


def report() -> AgreementReport:
    rng = np.random.default_rng(1)
    systems = tuple(f"s{n}" for n in range(10))
    rated = np.arange(10.0)[:, np.newaxis] + rng.normal(size=(10, 6))
    people = Judgments(
        name="zh-en", criterion="mqm", systems=systems, values=rated.mean(axis=1), segments=rated
    )
    scores = []
    for place, name in enumerate(NAMES):  # the later, the better
        made = rated + (14 - place) * rng.normal(size=rated.shape)
        scores.append(
            MetricScores(metric=name, systems=systems, values=made.mean(axis=1), segments=made)
        )
    return agreement_report([RatedSet(judgments=people, scores=tuple(scores))], trials=50)


def test_metrics_are_sorted_by_the_first_measure() -> None:
    whole = report()
    system, segment, tests = agreement_grids(whole)
    values = {one.metric: one["pearson"].value for one in whole.table}
    shown = [row[0].text for row in system.groups[0]]
    assert shown == sorted(NAMES, key=lambda name: -values[name])
    assert [row[0].text.split()[1] for row in tests.groups[0]] == shown
    assert [row[0].text.split()[0] for row in tests.groups[0]] == list(tests.headings[1:])
    parts = {one.metric: one["segment-pearson-none"].value for one in whole.table}
    assert [row[0].text for row in segment.groups[0]] == sorted(NAMES, key=lambda n: -parts[n])
    # A p-value stands in the row of its metric and the column of the other.
    assert whole.tested[0].tests is not None
    p = whole.tested[0].tests.p_value(shown[0], shown[3])
    assert tests.groups[0][0][4].text == f"{p:.4f}"


@pytest.mark.parametrize("width", [80, 100, 60])
def test_no_line_is_wider_than_the_screen_and_no_cell_is_lost(width: int) -> None:
    whole = report()
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(agreement_view(whole, terminal=width), highlight=False, crop=False)
    lines = capture.get().split("\n")
    assert max(map(len, lines)) <= width
    shown = " ".join(" ".join(lines).split())
    for grid in agreement_grids(whole):
        for row in grid.groups[0]:
            for cell in row:
                assert cell.text in shown


def test_columns_of_text_are_in_every_part() -> None:
    row = tuple(ComparisonCell(text) for text in ("alder", "0.123", "0.456", "0.789"))
    grid = Grid(title="t", headings=("who", "x", "y", "z"), left=frozenset({0}), groups=((row,),))
    assert list(fitting(grid, None)) == list(fitting(grid, 29)) == [grid]
    first, second = fitting(grid, 28)
    assert [cell.text for cell in first.groups[0][0]] == ["alder", "0.123", "0.456"]
    assert [cell.text for cell in second.groups[0][0]] == ["alder", "0.789"]
    assert (first.title, second.title) == ("t", "t (continued)")
    assert [len(part.headings) for part in fitting(grid, 3)] == [2, 2, 2]


def test_long_headings_are_broken_between_words() -> None:
    headings = ("metric", "Kendall τ-b, mean over segments", "acc_eq, mean over segments")
    row = (ComparisonCell("bleu"), ComparisonCell("0.123"), ComparisonCell("0.456"))
    grid = Grid(title="t", headings=headings, left=frozenset({0}), groups=((row,),))
    [found] = fitting(grid, 40)
    assert found.headings[1] == "Kendall τ-b,\nmean over\nsegments"
