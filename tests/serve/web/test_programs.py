"""Metrics of the operator's own programs: asked for by name, run by jobs, shown to nobody."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium.errors import OptionError
from tertium.serve.evaluation.metrics import ProgramMetric, offered, rebuilt, set_up_programs
from tertium.serve.workers import work_once
from tests.support.serve.evaluations import BETTER, REFERENCE, WORSE
from tests.support.serve.site import Site

SETS = "/api/v1/projects/own/test-sets"
SET = f"{SETS}/news-2026"
LENGTHS = """\
import json, sys
for line in sys.stdin:
    print(len(json.loads(line)["hypothesis"]), flush=True)
"""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program that answers with lengths, offered as Long."""
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    script = tmp_path / "secret-place.py"
    script.write_text(LENGTHS, encoding="utf-8")
    spec = f'command[run="{sys.executable} {script}",name=Long,version=1.0,cache=no]'
    set_up_programs([spec])
    yield
    set_up_programs([])


def mean_length(text: str) -> float:
    lines = text.splitlines()
    return sum(map(len, lines)) / len(lines)


@pytest.mark.usefixtures("command")
def test_a_program_scores_by_jobs_and_its_rows_outlive_it(any_site: Site) -> None:
    client = any_site.client("editor")
    made = client.post(
        SETS,
        data={"name": "News 2026", "metrics": "bleu Long"},
        files=[("references", ("one.txt", REFERENCE))],
    )
    assert made.status_code == 201, made.text
    for system, text in (("worse", WORSE), ("better", BETTER)):
        sent = client.post(
            f"{SET}/outputs", data={"system": system}, files={"file": ("o.txt", text)}
        )
        assert sent.json()["job"] is not None
    while work_once(any_site.store, "worker"):
        pass
    board = client.get(f"{SET}/leaderboard")
    assert "secret-place" not in board.text
    assert "Long" in board.text
    assert f"{mean_length(BETTER):.2f}" in board.text
    set_up_programs([])  # the server is started again without it
    later = client.get(f"{SET}/leaderboard").json()
    assert later["waiting"] == []
    assert later["metrics"] == board.json()["metrics"]
    refused = client.patch(SET, json={"metrics": made.json()["metrics"]})
    assert refused.status_code == 400
    assert "Long: its program is not set up on this server" in refused.json()["error"]


@pytest.mark.usefixtures("command")
def test_a_pasted_text_is_not_sent_to_a_program(site: Site) -> None:
    asked = {"hypothesis": "a", "references": ["b"], "metrics": ["Long"]}
    answer = site.client("reader").post("/api/v1/projects/own/explain", json=asked)
    assert answer.status_code == 400
    assert "expected one that can be taken apart" in answer.json()["error"]


@pytest.mark.usefixtures("command")
def test_names_directions_and_versions() -> None:
    assert "Long" in offered()
    metric = rebuilt("Long")
    assert isinstance(metric, ProgramMetric)
    assert metric.spec == "program[name=Long,version=1.0,higher=yes]"
    assert rebuilt(metric.spec) == metric
    assert "secret-place" not in metric.signature(1)
    other = rebuilt("program[name=Long,version=2.0,higher=yes]")
    assert isinstance(other, ProgramMetric)
    assert not other.run


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("bleu", r"expected command\[run"),
        ("command[run=cat,name=BLEU]", "the name of another metric"),
        ("command[run=cat]", "found '' as name"),
        ('command[run=cat,name="a b"]', "found 'a b' as name"),
    ],
)
def test_what_cannot_be_offered(spec: str, sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        set_up_programs([spec])
