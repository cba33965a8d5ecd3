"""The site: every link leads somewhere, every page is listed, and nothing comes from elsewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.support import places
from tests.support.commands import python
from tests.support.places import DOCS, REPOSITORY, blocks, page_name, unblocked

PAGES = [*sorted(REPOSITORY.glob("*.md")), *places.PAGES]


@cache
def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.*?)\s*$", unblocked(page), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]+`", "code", unblocked(page))):
        if not re.match(r"[a-z]+:", link):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            if anchor:
                assert anchor in anchors(target), link


def test_every_page_is_listed_once() -> None:
    """In a table of contents: a page that is in none cannot be found."""
    listed = []
    for page in places.PAGES:
        for block in blocks(page, r"\{toctree\}"):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed += [(page.parent / f"{line}.md").resolve() for line in names]
    assert sorted(listed) == sorted(set(places.PAGES) - {DOCS / "index.md"})


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere() -> None:
    """Where `make docs` builds it, so that only pages that changed since are built again."""
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package, reason=f"{package} is not installed: make docs")
    site = REPOSITORY / "build" / "docs"
    words = ("-m", "sphinx", "--fail-on-warning", "--quiet", str(DOCS), str(site))
    done = python(*words, folder=REPOSITORY)
    assert (done.status, done.err) == (0, "")
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*(?:src|href)=\"([^\"]*)\"", text)
        assert not [one for one in loaded if "//" in one], page
        # A signature that Sphinx cannot take apart is shown in one piece, with whole paths.
        assert not re.search(r"&lt;(?:factory|function)|~\w+\.\w+", _signatures(text)), page
        # A description with a colon is one description: "Which lengths: …" names no type.
        assert 'Type<span class="colon">' not in text, page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\([\"']?(?:https?:)?//", text), sheet
    findings = (site / "what-can-go-wrong.html").read_text(encoding="utf-8")
    assert "_static/site.css" in findings
    assert re.search(r'<span class="go go-Sentence">warning   reversal ', findings)
    assert '<span class="go">all     birch    52.38</span>' in findings


def _signatures(text: str) -> str:
    """What stands in the heads of functions and classes."""
    return "\n".join(re.findall(r"<dt class=\"sig [^>]*>(.*?)</dt>", text, re.DOTALL))


FILE = re.compile(r"`((?:benchmarks|cpp|examples|experiments|src|tests|tools)/[\w./-]+)`")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=page_name
)
def test_files_that_are_named_exist(page: Path) -> None:
    for path in FILE.findall(page.read_text(encoding="utf-8")):
        assert (REPOSITORY / path).exists(), path
