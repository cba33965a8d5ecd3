"""What surrounds the pages of a project: its tabs, the switcher and the search."""

import re

import pytest

from tertium.serve.web.rendering import HERE
from tests.support.serve.evaluations import BETTER, REFERENCE, WORSE
from tests.support.serve.site import Site

SETS = "/api/v1/projects/own/test-sets"
HOSTILE = "<b>\"'&{{7*7}}"
TABS = ["Overview", "Results", "Segments", "Campaigns", "Names", "People", "Settings"]


@pytest.fixture
def filled(site: Site) -> Site:
    client = site.client("editor")
    files = {"references": ("r.txt", REFERENCE)}
    assert client.post(SETS, data={"name": "News"}, files=files).status_code == 201
    for system, text in ((f"old {HOSTILE}", WORSE), ("new", BETTER)):
        sent = client.post(
            f"{SETS}/news/outputs", data={"system": system}, files={"file": ("o.txt", text)}
        )
        assert sent.status_code == 201, sent.text
    return site


def tabs(page: str) -> tuple[list[str], list[str]]:
    """The titles of all tabs, and of those that are marked as current."""
    found = re.search(r'<nav class="tabs".*?</nav>', page, re.DOTALL)
    assert found is not None
    links = re.findall(r"<a href=\"[^\"]*\"( aria-current=\"page\")?>(\w+)", found[0])
    return [title for _, title in links], [title for current, title in links if current]


@pytest.mark.parametrize(
    ("path", "current"),
    [
        ("", "Overview"),
        ("/new-test-set", "Overview"),
        ("/results", "Results"),
        ("/test-sets/news", "Results"),
        ("/test-sets/news/compare", "Results"),
        ("/segments", "Segments"),
        ("/test-sets/news/segments", "Segments"),
        ("/campaigns", "Campaigns"),
        ("/names", "Names"),
        ("/test-sets/news/names", "Names"),
        ("/people", "People"),
        ("/settings", "Settings"),
        ("/test-sets/news/settings", "Settings"),
        ("/jobs", "Settings"),
    ],
)
def test_every_page_of_a_project_has_the_same_tabs(filled: Site, path: str, current: str) -> None:
    page = filled.client("editor").get(f"/projects/own{path}").text
    assert tabs(page) == (TABS, [current])
    assert page.count("<h1") == 1
    assert page.count("btn primary") <= 1


def test_readers_are_not_led_where_they_may_not_go(filled: Site) -> None:
    titles, _ = tabs(filled.client("reader").get("/projects/own").text)
    assert titles == TABS[:5]


def test_tabs_stay_in_the_test_set_that_is_shown(filled: Site) -> None:
    page = filled.client("reader").get("/projects/own/test-sets/news").text
    assert 'href="/projects/own/test-sets/news/segments">Segments' in page


@pytest.mark.parametrize(
    ("words", "kind"), [("HOUSE", "segment"), ("old", "system"), ("new", "test set"), (HOSTILE, "")]
)
def test_search_finds_names_and_texts(filled: Site, words: str, kind: str) -> None:
    answer = filled.client("reader").get("/projects/own/search", params={"q": words})
    assert answer.status_code == 200
    assert f'<span class="tag">{kind}' in answer.text
    assert HOSTILE not in answer.text


def test_search_without_a_hit_says_so(filled: Site) -> None:
    answer = filled.client("reader").get("/projects/own/search?q=zzzz")
    assert "Nothing found" in answer.text


def test_only_the_tokens_name_colors() -> None:
    files = [path for path in HERE.rglob("*") if path.suffix in {".css", ".html"}]
    assert len(files) > 20
    color = re.compile(r"(?<![&\w])#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", re.IGNORECASE)
    found = {
        path.name: color.findall(re.sub(r'href="[^"]*"', "", path.read_text(encoding="utf-8")))
        for path in files
    }
    assert {name: colors for name, colors in found.items() if colors} == {}
