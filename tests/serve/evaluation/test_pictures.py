"""What pages of test sets draw, and what they say where scores are missing."""

import re

import pytest

from tertium.serve.evaluation.comparison import pair_view
from tertium.serve.evaluation.corpora import board, latest_outputs, partial_boards
from tertium.serve.evaluation.leaderboard import leaderboard
from tertium.serve.evaluation.pictures import drawn_entries, pair_forest
from tertium.serve.store.connection import Store
from tests.support.serve.evaluations import (
    BETTER,
    REFERENCE,
    WORSE,
    make_project,
    make_test_set,
    send,
)
from tests.support.serve.site import Site

SETS = "/api/v1/projects/own/test-sets"


@pytest.fixture
def waiting(site: Site) -> Site:
    """Three systems, of which two have COMET's scores."""
    client = site.client("editor")
    files = {"references": ("r.txt", REFERENCE)}
    assert client.post(SETS, data={"name": "News"}, files=files).status_code == 201
    for system, text in (("better", BETTER), ("worse", WORSE), ("ANVITA", WORSE)):
        sent = client.post(
            f"{SETS}/news/outputs", data={"system": system}, files={"file": ("o.txt", text)}
        )
        assert sent.status_code == 201, sent.text
    scores = "".join(f"{name}\t{i / 10}\n" for name in ("better", "worse") for i in range(12))
    sent = client.post(f"{SETS}/news/scores", files={"file": ("COMET-refA.seg.score", scores)})
    assert sent.status_code == 201, sent.text
    return site


def test_missing_scores_of_one_system_leave_those_of_the_others(waiting: Site) -> None:
    found = waiting.client("reader").get(f"{SETS}/news/leaderboard").json()
    assert [one["title"] for one in found["metrics"]] == ["BLEU", "chrF", "TER", "COMET"]
    cells = {one["name"]: one["cells"] for one in found["entries"]}
    assert [name for name, some in cells.items() if some[3] is None] == ["ANVITA"]
    assert cells["better"][3]["low"] < cells["better"][3]["value"] < cells["better"][3]["high"]
    assert all(one is not None for some in cells.values() for one in some[:3])
    assert found["missing"] == ["COMET waits for ANVITA #1"]


def test_the_page_says_what_a_metric_waits_for_and_sorts_it_last(waiting: Site) -> None:
    page = waiting.client("reader").get("/projects/own/test-sets/news?sort=4").text
    assert "COMET waits for ANVITA #1" in page
    table = page[page.index('id="score-table"') : page.index("</table>")]
    assert re.findall(r"<bdi>(\w+)</bdi>", table)[-1] == "ANVITA"
    assert table.count('<span class="gap">none</span>') == 1
    assert 'aria-sort="descending"' in table


def test_further_right_is_better_in_every_column(store: Store) -> None:
    project = make_project(store)
    with store.writing() as session:
        made = make_test_set(session, project)
        send(session, made, "worse", WORSE)
        send(session, made, "better", BETTER)
    with store.reading() as session:
        whole = board(session, made.id, latest_outputs(session, made.id))
        found = leaderboard(whole, partial_boards(session, made.id, whole))
        view = pair_view(whole)
    for column, head in enumerate(found.metrics):
        first, second = (row.cells[column] for row in drawn_entries(found, column))
        assert first.value is not None
        assert second.value is not None
        assert (first.value > second.value) == head.higher_is_better
        assert first.whisker is not None
        assert second.whisker is not None
        assert first.whisker.mark > second.whisker.mark
        assert first.whisker.start <= first.whisker.mark <= first.whisker.end
    plot = pair_forest(view)
    rows = {row.effect.title: row for row in plot.rows}
    assert rows["TER"].effect.lower_is_better
    assert rows["TER"].effect.delta_text.startswith("−")
    assert all(row.effect.gain > 0 for row in plot.rows)
    assert all(row.whisker is None or row.whisker.mark > 50 for row in plot.rows)
