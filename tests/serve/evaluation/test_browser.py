"""Evaluation in a browser: send, look, compare, audit, take home."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page

from tests.support.axe import violations
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
    with visiting(browser, server.address, viewport=WIDE) as page:
        make_test_set(page, server.address, tmp_path, "wrong")
        file = tmp_path / "short.txt"
        file.write_text("one line\n", encoding="utf-8")
        page.locator("#send [name=file]").first.set_input_files(file)
        problem = page.locator("#previews .problem").first
        problem.wait_for()
        assert problem.inner_text().startswith("short.txt: 1 segment, expected 12")
        assert page.locator("#upload button").is_disabled()


def drop(page: Page, files: dict[str, str]) -> None:
    """Let files fall somewhere on the page."""
    transfer = page.evaluate_handle(
        """files => {
            const made = new DataTransfer();
            for (const [name, text] of Object.entries(files))
                made.items.add(new File([text], name));
            return made;
        }""",
        files,
    )
    page.dispatch_event("h1", "dragover", {"dataTransfer": transfer})
    assert page.locator("body.dropping").count() == 1
    page.dispatch_event("h1", "drop", {"dataTransfer": transfer})
    assert page.locator("body.dropping").count() == 0


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_fifteen_files_are_dropped_shown_and_sent(
    browser: Browser, server: Running, tmp_path: Path, size: dict[str, int]
) -> None:
    with visiting(browser, server.address, viewport=size) as page:
        make_test_set(page, server.address, tmp_path, "many")
        files = {f"system-{i:02}.txt": BETTER.replace("house", f"house {i}") for i in range(13)}
        files["short.txt"] = "one line\n"
        files["two.tsv"] = "hypothesis:left\thypothesis:right\n" + "".join(
            f"{line}\t{line} !\n" for line in WORSE.splitlines()
        )
        drop(page, files)
        page.get_by_role("button", name="Send 15 outputs").wait_for()
        boxes = page.locator("#previews fieldset")
        assert boxes.count() == 15
        assert (
            "plain text, a segment a line · 12 segments in their order" in boxes.nth(0).inner_text()
        )
        assert boxes.nth(0).get_by_label("System").input_value() == "system-00"
        assert "short.txt: 1 segment, expected 12" in boxes.nth(13).inner_text()
        assert "2 columns · 12 segments in their order · 2 systems" in boxes.nth(14).inner_text()
        assert "left, right" in boxes.nth(14).inner_text()
        assert violations(page) == []
        assert fits(page), too_wide(page)
        boxes.nth(0).get_by_label("System").fill("renamed")
        page.get_by_role("button", name="Send 15 outputs").click()
        page.wait_for_selector("text=14 of 15 files were sent")
        page.reload()
        rows = page.locator("#score-table tbody th").all_inner_texts()
        assert sorted(one.strip() for one in rows) == sorted(
            ["renamed", "left", "right", *(f"system-{i:02}" for i in range(1, 13))]
        )

        drop(page, {name: files[name] for name in ("system-01.txt", "system-02.txt")})
        page.get_by_role("button", name="Nothing to send").wait_for()
        told = page.locator("#previews .notice").nth(0).inner_text()
        assert told == "The same text as system-01 #1. It is not sent again."
        page.get_by_label("Send it all the same").nth(1).check()
        with page.expect_navigation():
            page.get_by_role("button", name="Send").first.click()
        page.wait_for_selector("#score-table >> text=/#2,/")
        assert page.locator("#score-table >> text=/#2,/").count() == 1


def test_columns_of_a_table_are_chosen(browser: Browser, server: Running, tmp_path: Path) -> None:
    with visiting(browser, server.address, viewport=WIDE) as page:
        make_test_set(page, server.address, tmp_path, "columns")
        table = "number,draft,final\n" + "".join(
            f"{i},{worse},{better}\n"
            for i, (worse, better) in enumerate(
                zip(WORSE.splitlines(), BETTER.splitlines(), strict=True)
            )
        )
        drop(page, {"work.csv": table})
        box = page.locator("#previews fieldset")
        box.locator(".problem").wait_for()
        assert "found number, draft, final" in box.locator(".problem").inner_text()
        assert page.locator("#upload button").is_disabled()
        assert "House the is small" in box.locator("label", has_text="draft").inner_text()
        assert violations(page) == []
        box.get_by_label("final").check()
        page.wait_for_selector("text=Output in final")
        assert box.locator(".problem").count() == 0
        assert "3 columns · 12 segments in their order" in box.inner_text()
        box.get_by_label("draft").check()
        page.get_by_role("button", name="Send 2 outputs").wait_for()
        with page.expect_navigation():
            page.get_by_role("button", name="Send 2 outputs").click()
        rows = page.locator("#score-table tbody th")
        assert [one.strip() for one in rows.all_inner_texts()] == ["final", "draft"]


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
