"""The list of metrics, which is made without them, says what they say."""

import json

import pytest

from tertium import lazy
from tertium.metrics.contract.catalog import CATALOG
from tertium.metrics.contract.table import METRICS
from tertium.report import metric_names
from tertium.report.metric_names import NOT_AVAILABLE, metric_lines
from tertium.report.metrics import metric_entries
from tests.support.commands import output, python

IMPORTED = """
import json, sys
from tertium.cli.main import main
main(["metrics"])
print(json.dumps(sorted(sys.modules)))
"""


def test_every_metric_has_the_line_that_follows_from_it() -> None:
    assert tuple(CATALOG) == tuple(METRICS.own)
    for entry in metric_entries(tuple(METRICS.own)):
        if not entry.problem:
            assert CATALOG[entry.name].summary == entry.line


def test_metrics_that_may_be_unavailable_are_those_that_say_so() -> None:
    says = {name for name in METRICS.own if "missing" in vars(METRICS[name])}
    assert {name for name, row in CATALOG.items() if row.packages} == says


def test_the_command_shows_these_lines(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "metrics").splitlines()
    assert shown[-1] == "'tertium metrics NAME' shows paper and options."
    assert [line.split(maxsplit=1) for line in shown[:-2]] == [
        [name, line] for name, line in metric_lines().items()
    ]


def test_a_metric_whose_package_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(metric_names, "find_spec", lambda _: None)
    lines = metric_lines()
    assert tuple(lines)[: len(CATALOG)] == tuple(CATALOG)
    for name in (name for name, row in CATALOG.items() if row.packages):
        (entry,) = metric_entries([name])
        assert lines[name] == entry.line
        assert lines[name].startswith(NOT_AVAILABLE) == bool(entry.problem)


def test_metrics_of_other_packages_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metric_names, "may_be_offered", lambda _: True)
    assert metric_lines() == {entry.name: entry.line for entry in metric_entries()}
    assert lazy.may_be_offered("no.such.group") in {True, False}


def test_the_list_imports_neither_metrics_nor_numpy_nor_the_core() -> None:
    modules = json.loads(python("-c", IMPORTED).out.splitlines()[-1])
    assert {name for name in modules if name.startswith("tertium.metrics.")} == {
        "tertium.metrics.contract",
        "tertium.metrics.contract.catalog",
    }
    assert not {"numpy", "tertium._native", "rich", "importlib.metadata"}.intersection(modules)
