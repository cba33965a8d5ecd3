"""A project as public pages: what is in them, what never is, and that they open from a disk."""

import re
from pathlib import Path
from typing import Any

import pytest

from tertium.serve.accounts.callers import LOCAL
from tertium.serve.accounts.tokens import make_link
from tertium.serve.evaluation.work import ask_for
from tertium.serve.rating.campaigns import campaign_of, change_state, create_campaign
from tertium.serve.site import SiteChoice, site_files, write_site
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Output, Project
from tertium.serve.workers import work_once
from tests.support.commands import error, output
from tests.support.serve.campaigns import rate_all
from tests.support.serve.evaluations import BETTER, WORSE, make_project, make_test_set, send

TEXT = "The cat sat on the mat"
"""Part of a reference, and of no name."""
NOTE = "asked the vendor for another one"
PRIVATE = ("rita", "olga", ">ann<", "lab-internal-label")
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def filled(sqlite_store: Store) -> Store:
    """Two test sets, uploads with notes, an audit, two campaigns of which one is closed."""
    store = sqlite_store
    project = make_project(store)
    with store.writing() as session:
        session.get_one(Project, project).note = NOTE
        first = make_test_set(session, project, note=NOTE, metrics=("bleu", "chrf"))
        second = make_test_set(session, project, name="Talks", metrics=("bleu", "chrf"))
        for test_set in (first, second):
            send(session, test_set, "mine", WORSE)
            made = send(session, test_set, "mine", BETTER)
            session.get_one(Output, made.id).note = NOTE
            other = send(session, test_set, HOSTILE, WORSE)
        make_link(session, "olga", project, "reader", label="lab-internal-label")
        for name in ("Finished", "Running"):
            one = create_campaign(
                session,
                "olga",
                project,
                name=name,
                protocol="direct-assessment",
                test_set=second.slug,
            )
            change_state(session, "olga", project, one.id, "open")
            rate_all(session, campaign_of(session, project, one.id), "rita")
            if name == "Finished":
                change_state(session, "olga", project, one.id, "closed")
        ask_for(session, "olga", "audit", second.id, [made, other])
    assert work_once(store, "w")
    return store


def exported(store: Store, **choice: Any) -> dict[str, str]:
    files = site_files(store, "p", SiteChoice(**choice))
    return {name: data.decode() for name, data in files}


def test_a_site_has_scores_and_people_but_nothing_private(filled: Store) -> None:
    files = exported(filled)
    assert {"index.html", "test-sets/news-2026.html", "test-sets/talks.html"} <= files.keys()
    assert {"data/talks.json", "data/talks.tsv"} <= files.keys()
    whole = "\n".join(text for name, text in files.items() if not name.startswith("assets/"))
    assert "mine" in files["index.html"]
    assert "Possible ranks by BLEU" in files["index.html"]
    assert "2 uploads" in files["test-sets/talks.html"]
    assert "Finished" in files["test-sets/talks.html"]
    assert "Running" not in whole
    for private in (*PRIVATE, TEXT, NOTE, "Waiting", "/api/"):
        assert private not in whole, private
    for name, text in files.items():
        if name.endswith(".html"):
            assert HOSTILE not in text
            assert not re.search(r'(?:href|src)="(?:https?:|//|/)', text), name


def test_every_link_of_a_site_leads_to_a_file_of_it(filled: Store) -> None:
    files = exported(filled, texts=("all",))
    for name, text in files.items():
        if name.endswith(".html") and not name.startswith("reports/"):
            for link in re.findall(r'(?:href|src)="([^"#]+)', text):
                parts = [*name.split("/")[:-1], *link.split("/")]
                steps: list[str] = []
                for part in parts:
                    if part == "..":
                        steps.pop()
                    elif part != ".":
                        steps.append(part)
                assert "/".join(steps) in files, (name, link)


def test_texts_and_notes_are_public_where_somebody_asks(filled: Store) -> None:
    files = exported(filled, texts=("talks",), notes=True)
    assert "reports/talks.html" in files
    assert "reports/news-2026.html" not in files
    assert NOTE in files["index.html"]
    assert NOTE in files["test-sets/news-2026.html"]
    assert "../reports/talks.html" in files["test-sets/talks.html"]
    assert "Read segments" not in files["test-sets/news-2026.html"]
    for private in PRIVATE:
        assert private not in files["test-sets/talks.html"], private


def test_one_test_set_of_several(filled: Store) -> None:
    files = exported(filled, test_sets=("talks",))
    assert "test-sets/news-2026.html" not in files
    assert "News 2026" not in "".join(files.values())


def test_what_is_public_no_more_is_removed(filled: Store, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(folder, site_files(filled, "p", SiteChoice(texts=("all",))))
    (folder / "CNAME").write_text("eval.example\n", encoding="utf-8")
    assert (folder / "reports" / "talks.html").is_file()
    write_site(folder, site_files(filled, "p", SiteChoice()))
    assert not (folder / "reports" / "talks.html").exists()
    assert (folder / "CNAME").is_file()
    write_site(folder, site_files(filled, "p", SiteChoice(test_sets=("talks",))))
    assert not (folder / "test-sets" / "news-2026.html").exists()


def test_the_command_says_where_the_site_begins(
    capsys: pytest.CaptureFixture[str], filled: Store, tmp_path: Path
) -> None:
    place = str(filled.engine.url.database)
    folder = tmp_path / "out" / "site"
    words = ("serve", "export-site", "p", "--store", place, "-o", str(folder))
    printed = output(capsys, *words)
    count = sum(path.is_file() for path in folder.rglob("*"))
    assert printed == f"{folder / 'index.html'}: {count} files\n"
    assert "news-2026, talks" in error(capsys, *words, "--with-texts", "nothing")
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine\n", encoding="utf-8")
    assert "found other files" in error(capsys, *words[:-1], str(other))
    assert "found p, expected one of these" in error(
        capsys, "serve", "export-site", "q", "--store", place, "-o", str(folder)
    )


def test_nothing_to_show_yet(sqlite_store: Store) -> None:
    project = make_project(sqlite_store)
    assert "No test set" in exported(sqlite_store)["index.html"]
    with sqlite_store.writing() as session:
        made = make_test_set(session, project)
    assert "No output yet" in exported(sqlite_store)[f"test-sets/{made.slug}.html"]
    with sqlite_store.writing() as session:
        send(session, made, "alone", BETTER)
    assert "nothing to compare" in exported(sqlite_store)[f"test-sets/{made.slug}.html"]
    assert LOCAL.actor not in exported(sqlite_store)["index.html"]


@pytest.fixture
def site_folder(filled: Store, tmp_path: Path) -> Path:
    folder = tmp_path / "site with spaces"
    write_site(folder, site_files(filled, "p", SiteChoice(texts=("talks",), notes=True)))
    return folder


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_a_site_opens_from_a_disk_without_a_server(
    request: pytest.FixtureRequest, site_folder: Path, scheme: str, narrow: bool
) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed")
    from tests.support.axe import violations
    from tests.support.serve.visits import NARROW, WIDE, fits, too_wide, visiting

    browser = request.getfixturevalue("browser")
    home = (site_folder / "index.html").as_uri()
    size = NARROW if narrow else WIDE
    with visiting(browser, "file:", viewport=size, color_scheme=scheme) as page:
        page.goto(home)
        assert page.locator("html").get_attribute("data-theme") == scheme
        assert violations(page) == []
        assert fits(page), too_wide(page)
        assert page.locator("table.matrix:visible").count() == 1
        page.click("#matrix-metrics >> text=chrF")
        assert page.locator("table.matrix:visible caption").inner_text().endswith("chrF")
        page.click("article h2 >> text=Talks")
        assert violations(page) == []
        assert fits(page), too_wide(page)
        rows = page.locator("#score-table tbody th")
        assert rows.all_inner_texts() == ["mine", HOSTILE]
        page.click("#score-table thead >> text=BLEU")
        assert rows.all_inner_texts() == [HOSTILE, "mine"]
        page.click("text=Read segments")
        page.wait_for_selector("html[data-ready=yes]")
        page.fill("#search", TEXT)
        assert page.inner_text("#found").startswith("4 of 12")
