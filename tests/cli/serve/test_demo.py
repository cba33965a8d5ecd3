"""`tertium serve --demo` as a process: a filled store, pages that answer, a stop."""

import json
import re
import signal
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.annotation.layers import layers
from tertium.serve.annotation.scores import name_scores
from tertium.serve.annotation.targets import targets
from tertium.serve.demo import fill_demo
from tertium.serve.evaluation.corpora import latest_outputs
from tertium.serve.store.check import check_store
from tertium.serve.store.connection import Store, open_store
from tests.support.serve.processes import served

SET = "projects/sample/test-sets/sample"


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=600) as answer:  # noqa: S310
        text: str = answer.read().decode()
    return text


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_starts_answers_and_stops(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path, "--demo", "--workers", "0") as server:
        address, page = server.address.split("projects/")
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        assert page == "sample"
        assert "German–English sample" in fetched(server.address)
        if number is signal.SIGINT:
            board = fetched(f"{address}{SET}")
            assert all(name in board for name in ("alder", "birch", "cedar", "dogwood", "elm"))
            assert "alder 3 has 90 of the 93 names" in fetched(f"{address}{SET}/names")
            campaigns = json.loads(fetched(f"{address}api/v1/projects/sample/campaigns"))
            assert {one["protocol"] for one in campaigns} == {
                "direct-assessment",
                "adequacy-fluency",
            }
            for one in campaigns:
                shown = fetched(f"{address}projects/sample/campaigns/{one['id']}")
                assert "judge-4" in shown
            texts = json.loads(fetched(f"{address}api/v1/{SET}/names"))
            for key in ("source", *(one["key"] for one in texts)):
                assert "Choose words" in fetched(f"{address}{SET}/names/{key}")
        server.process.send_signal(number)
        assert server.process.wait() == 0
    # Nothing is left behind, not even a store in this folder.
    assert {path.name for path in tmp_path.iterdir()} == {"server.log"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = open_store(tmp_path_factory.mktemp("demo") / "demo.db")
    fill_demo(store)
    return store


def test_the_demo_is_filled_once_and_sound(demo: Store) -> None:
    assert fill_demo(demo) == "projects/sample"
    assert check_store(demo).problems == ()
    with demo.reading() as session:
        assert {one.system: one.number for one in latest_outputs(session, 1)} == {
            "alder": 3, "birch": 2, "cedar": 1, "dogwood": 2, "elm": 4,
        }  # fmt: skip
        reference = targets(session, 1)[1]
        names = {one.annotator: one.names for one in layers(session, reference)}
        assert names["annotator-1"] == 100
        assert 80 < names["annotator-2"] < 100
        assert name_scores(session, 1).references[0].annotator == "annotator-1"
