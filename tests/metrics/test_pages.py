"""Every metric has its page, and the page has every option with its default."""

import re

import pytest

from tertium.metrics.contract.table import METRICS
from tertium.report.metrics import metric_entries
from tests.support.places import DOCS, REPOSITORY

TABLE = (DOCS / "metrics" / "index.md").read_text(encoding="utf-8")
PAGES = dict(re.findall(r"\[`([\w.-]+)`\]\(([\w-]+\.md)\)", TABLE))
ELSEWHERE = {"scores", "command"}
"""On a page of their own, with examples of their files and programs."""
INSTALLED = {"meteor", "meteor-0.6", "maxsim", "tesla-m"}
"""Their defaults depend on what is installed."""


def test_the_readme_lists_every_metric() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| metrics | |\n")[2].partition("\n\n")[0]
    listed = re.findall(r"`([\w.-]+)`", table)
    assert sorted(listed) == sorted(set(METRICS.own) - ELSEWHERE)


def test_every_metric_has_a_page() -> None:
    assert set(PAGES) == set(METRICS.own) - ELSEWHERE


@pytest.mark.parametrize("name", PAGES)
def test_the_page_has_every_option(name: str) -> None:
    page = (DOCS / "metrics" / PAGES[name]).read_text(encoding="utf-8")
    assert "## Pitfalls" in page
    listed = re.findall(r"`([a-z_0-9]+)=([^`]*)`", page.rpartition("## Options")[2])
    (entry,) = metric_entries([name])
    for option in entry.options:
        default = option.to_text(option.default)
        assert option.name in dict(listed)
        assert name in INSTALLED or (option.name, default) in listed
    others = [one for one, page in PAGES.items() if page == PAGES[name]]
    known = {option.name for one in metric_entries(others) for option in one.options}
    assert set(dict(listed)) == known
