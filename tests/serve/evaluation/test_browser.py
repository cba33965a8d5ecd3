"""Evaluation in a browser: send, look, compare, audit, take home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.support.serve.evaluations import BETTER, DOCUMENTS, REFERENCE, SOURCE, WORSE
from tests.support.serve.processes import Running, served
from tests.support.serve.visits import NARROW, WIDE, fits, too_wide, visiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&"
HEBREW = "החתול ישב על השטיח ."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("server")
    with served(folder, "--store", str(folder / "team.db")) as running:
        yield running


def send(page: Page, system: str, text: str, folder: Path) -> None:
    """An output by the form of the page."""
    file = folder / "output.txt"
    file.write_text(text, encoding="utf-8")
    form = page.locator("#send form").first
    form.locator("[name=file]").set_input_files(file)
    form.locator("[name=system]").fill(system)
    form.locator("[name=note]").fill(HOSTILE)
    with page.expect_navigation():
        form.get_by_role("button", name="Send").click()


def make_test_set(page: Page, address: str, folder: Path, name: str) -> None:
    """A project and a test set by the forms of the pages; in its texts are attacks and Hebrew."""
    page.goto(address)
    page.fill("[name=name]", f"{name} {HOSTILE}")
    with page.expect_navigation():
        page.click("text=Make the project")
    page.click("text=New test set")
    texts = {
        "ref.txt": REFERENCE.replace("The cat sat on the mat .", f"{HEBREW} {HOSTILE}", 2),
        "src.txt": SOURCE,
        "docs.tsv": DOCUMENTS.replace("web", HOSTILE.replace("\t", " ")),
    }
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    page.fill("[name=name]", HOSTILE)
    page.set_input_files("[name=references]", folder / "ref.txt")
    page.set_input_files("[name=sources]", folder / "src.txt")
    page.click("text=Documents, metrics, license and note")
    page.set_input_files("[name=documents]", folder / "docs.tsv")
    page.fill("[name=licence]", HOSTILE)
    with page.expect_navigation():
        page.click("text=Make the test set")


def downloaded(page: Page, words: str) -> str:
    """The text of the file that a link with these words leads to."""
    with page.expect_download() as download:
        page.click(f"text={words}")
    return Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("size", "scheme", "name"), [(WIDE, "light", "wide"), (NARROW, "dark", "narrow")]
)
def test_from_upload_to_download(
    browser: Browser,
    server: Running,
    tmp_path: Path,
    size: dict[str, int],
    scheme: str,
    name: str,
) -> None:
    with visiting(browser, server.address, viewport=size, color_scheme=scheme) as page:
        make_test_set(page, server.address, tmp_path, name)
        assert "No system yet" in page.inner_text(".say")
        assert page.inner_text("h1") == HOSTILE
        board = page.url
        send(page, "worse", WORSE, tmp_path)
        send(page, HOSTILE, WORSE, tmp_path)
        send(page, HOSTILE, BETTER, tmp_path)
        assert fits(page)
        rows = page.locator("#score-table tbody tr")
        assert rows.count() == 2
        assert rows.nth(0).locator("th").inner_text().strip() == HOSTILE
        assert HOSTILE in page.inner_text(".say")
        assert page.locator("html").get_attribute("data-theme") == scheme

        page.click("text=Compare two")
        page.wait_for_selector("html[data-ready=yes]")
        assert fits(page), too_wide(page)
        assert HOSTILE in page.inner_text("h1")
        assert "worse" in page.inner_text(".say")
        page.fill("#search", "החתול")
        assert page.inner_text("#found").startswith("2 of 12")
        page.click(".row >> nth=0")
        detail = page.locator("#detail")
        assert HEBREW in detail.inner_text()
        assert HOSTILE in detail.inner_text()
        page.fill("#search", "")
        page.select_option("#order", "gain")
        assert page.locator("#words .grams tbody tr").count() > 3
        assert fits(page)

        page.goto(board)
        page.locator("#score-table a.system >> nth=0").click()
        page.wait_for_selector(".history circle")
        assert page.locator(".history circle").count() == 6
        assert fits(page)

        page.goto(board)
        with page.expect_navigation():
            page.get_by_role("button", name="Audit").click()
        page.wait_for_selector("text=Audited")
        page.wait_for_load_state()  # the page loads once more where the job ends
        with page.expect_navigation():
            page.get_by_role("button", name="Make a report").click()
        page.wait_for_selector("text=Report of")
        assert downloaded(page, "Report of").startswith("<!doctype html>")
        page.click("text=Export")
        assert "tabular" in downloaded(page, "LaTeX")
        assert fits(page)


def test_what_is_wrong_is_said_on_the_page(
    browser: Browser, server: Running, tmp_path: Path
) -> None:
    with visiting(browser, server.address, refused=1, viewport=WIDE) as page:
        make_test_set(page, server.address, tmp_path, "wrong")
        file = tmp_path / "short.txt"
        file.write_text("one line\n", encoding="utf-8")
        page.locator("#send [name=file]").first.set_input_files(file)
        page.click("#send button >> nth=0")
        problem = page.locator("#send .problem").first
        problem.wait_for()
        assert problem.inner_text().startswith("short.txt: 1 segment, expected 12")


def test_why_this_score(browser: Browser, server: Running) -> None:
    with visiting(browser, server.address, viewport=NARROW) as page:
        page.goto(server.address)
        page.fill("[name=name]", "why")
        with page.expect_navigation():
            page.click("text=Make the project")
        page.click("text=Why this score?")
        page.fill("[name=hypothesis]", HOSTILE)
        page.fill("[name=references]", f"{HOSTILE}\n{HEBREW}")
        page.click("text=Explain")
        page.wait_for_selector(".explanation")
        assert page.locator(".explanation").count() == 3
        assert "BLEU 100.00" in page.inner_text("#explained")
        assert fits(page)
