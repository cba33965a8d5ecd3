"""Texts that bite, texts from right to left, and what organisers do in the browser."""

import pytest
from playwright.sync_api import Browser

from tests.serve.rating.browser.conftest import Server
from tests.support.serve.campaigns import HOSTILE
from tests.support.serve.rater_page import (
    number,
    rater_page,
    wait_for_next,
    wait_for_saved,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVIL = f"{HOSTILE}<img src=x onerror=alert(1)>' \"{{{{7*7}}}} javascript:alert(1)"


@pytest.mark.parametrize("protocol", ["esa", "ranking"])
def test_hostile_text_is_only_text(browser: Browser, server: Server, protocol: str) -> None:
    ground = {
        "sources": [EVIL, EVIL],
        "documents": [EVIL, EVIL],
        "hypotheses": {f"{EVIL}1": [f"{EVIL}a", f"{EVIL}b"], f"{EVIL}2": [EVIL, EVIL]},
    }
    tutorial = [{"source": EVIL, "outputs": [EVIL, EVIL], "feedback": EVIL}]
    made = server.invited(
        protocol, f"hostile-{protocol}", ground=ground, instructions=EVIL, tutorial=tutorial,
        show=["source", "reference"],
    )  # fmt: skip
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        assert tab.locator("#words").text_content() == EVIL
        for key in ("1", "2") if protocol == "ranking" else ("Enter", "5", "ArrowDown", "ArrowDown",
                                                             "5"):  # fmt: skip
            tab.keyboard.press(key)
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".feedback")
        assert EVIL in (tab.locator(".feedback").text_content() or "")
        tab.keyboard.press("Enter")
        wait_for_next(tab, "1")
        shown = tab.locator("#item .text").all_text_contents()
        assert sum(EVIL in one for one in shown) >= 3
        assert tab.evaluate("document.querySelectorAll('#item script, #item img').length") == 0
        assert rater.complaints == []
        page = rater.context.new_page()
        # The organiser, who needs no link on this machine, sees the names as text.
        rater.context.clear_cookies()
        page.goto(f"{server.address}/projects/hostile-{protocol}/campaigns/{made.campaign}")
        assert page.evaluate("document.querySelectorAll('main script, main img').length") == 0
        assert rater.complaints == []
        assert all(url.startswith(server.address) for url in rater.requests)


def test_right_to_left_text_is_marked_in_its_own_direction(
    browser: Browser, server: Server
) -> None:
    text = "הבית הישן עומד ליד הנהר"
    ground = {"sources": ["The old house"], "hypotheses": {"x": [text]}}
    made = server.invited("esa", "hebrew", ground=ground)
    with rater_page(browser, narrow=True, color_scheme="dark") as rater:
        tab = rater.open(made.address)
        assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
        field = tab.locator(".output .words")
        assert field.evaluate("one => getComputedStyle(one).direction") == "rtl"
        first, last = (tab.locator(".output .word").nth(at).bounding_box() for at in (0, 2))
        assert first is not None
        assert last is not None
        assert first["x"] > last["x"]
        tab.keyboard.press("ArrowLeft")  # on to the second word, which stands to the left
        tab.keyboard.press("Shift+ArrowLeft")
        tab.keyboard.press("1")
        tab.keyboard.press("Enter")
        tab.keyboard.press("9")
        tab.keyboard.press("Enter")
        wait_for_next(tab, "1")
        wait_for_saved(tab)
    (found,) = made.answers()
    (answer,) = found.answers.values()
    (error,) = answer["errors"]
    assert text[error["start"] : error["end"]] == "הישן עומד"


def test_text_without_spaces_has_words(browser: Browser, server: Server) -> None:
    text = "这是一个很长的句子🙂，没有空格"
    ground = {"sources": ["A long sentence"], "hypotheses": {"x": [text]}}
    made = server.invited("mqm", "chinese", ground=ground)
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        assert tab.locator(".output .word").count() > 4
        tab.keyboard.press("End")
        tab.keyboard.press("2")
        tab.keyboard.press("a")
        tab.keyboard.press("Delete")
        assert tab.locator(".errors li").count() == 0
        tab.keyboard.press("2")
        tab.keyboard.press("Escape")
        assert tab.locator(".errors li").count() == 0
        tab.keyboard.press("2")
        tab.keyboard.press("a")
        tab.keyboard.press("Enter")
        wait_for_next(tab, "1")
        wait_for_saved(tab)
    (found,) = made.answers()
    (answer,) = found.answers.values()
    (error,) = answer["errors"]
    assert error["end"] == len(text)
    assert text[error["start"] :] in {"空格", "没有空格"}


def test_an_organiser_makes_a_campaign_and_invites(browser: Browser, server: Server) -> None:
    server.invited("esa", "organised")
    home = f"{server.address}/projects/organised/campaigns"
    with rater_page(browser) as rater:
        tab = rater.context.new_page()
        tab.goto(home)
        tab.fill("[name=name]", "Second & last")
        tab.select_option("[name=protocol]", "direct-assessment")
        tab.fill("[name=segments]", "1")
        tab.click("text=What raters see, and attention checks")
        tab.fill("[name=degraded]", "0")
        tab.fill("[name=repeated]", "0")
        tab.click("text=Make a draft")
        tab.wait_for_url(f"{home}/*")
        assert "No ratings yet." in tab.inner_text("main")
        tab.click("text=Open it")
        tab.wait_for_selector("text=Close it")
        tab.fill("[name=label]", "Ann")
        tab.click("text=Make a link")
        address = tab.locator(".shown-once input").input_value()
        assert address.startswith(f"{server.address}/l/")
        assert rater.complaints == []
        board = tab.url
        with rater_page(browser, narrow=True) as other:
            page = other.open(address)
            assert page.inner_text("#title") == "Second & last"
            for _ in range(2):
                before = number(page)
                page.locator(".slider").tap()
                page.locator("#next").tap()
                wait_for_next(page, before)
            wait_for_saved(page)
            # A rater gets nowhere else.
            for path in ("/", "/projects/organised", board.removeprefix(server.address)):
                answer = page.goto(server.address + path)
                assert answer is not None
                assert answer.status in {403, 404}
        tab.goto(board)
        assert "2 of 2 items rated" in " ".join(tab.inner_text("main").split())
        assert "Ann" in tab.inner_text("main")
        tab.click("text=Export")
        with tab.expect_download() as download:
            tab.click("text=ratings.tsv")
        lines = download.value.path().read_text(encoding="utf-8").splitlines()
        assert len(lines) == 3
        judge = lines[0].split("\t").index("judge")
        assert {line.split("\t")[judge] for line in lines[1:]} == {"Ann"}


def test_the_constituent_is_marked_in_source_and_translation(
    browser: Browser, server: Server
) -> None:
    ground = {
        "sources": ["🙂 Das Haus <b> steht am Fluss ."],
        "documents": ["a"],
        "hypotheses": {"elm": ["🙂 The house <b> is here ."], "oak": ["🙂 A house ."]},
    }
    constituents = [{"segment": 1, "text": "Das Haus <b>", "outputs": {"elm": "The house <b>"}}]
    made = server.invited(
        "constituent-ranking", "marked-constituent", ground=ground, constituents=constituents
    )
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        assert tab.locator(".given mark").all_text_contents() == ["Das Haus <b>"]
        assert tab.locator(".given .text").text_content() == "🙂 Das Haus <b> steht am Fluss ."
        assert tab.locator(".output mark").all_text_contents() == ["The house <b>"]
        assert rater.complaints == []


def test_an_organizer_enters_constituents_in_the_form(browser: Browser, server: Server) -> None:
    server.invited("esa", "constituent-form")
    with rater_page(browser) as rater:
        page = rater.context.new_page()
        page.goto(f"{server.address}/projects/constituent-form/campaigns")
        page.fill("[name=name]", "Parts")
        page.select_option("[name=protocol]", "constituent-acceptance")
        page.click("text=What raters see, and attention checks")
        page.fill("[name=constituents]", "1\tam Fluss\telm-secret=river\n\n2\tWelt\n")
        page.click("text=Make a draft")
        page.wait_for_url("**/campaigns/*")
        page.click("text=Open it")
        page.wait_for_selector("text=Close it")
        assert "of 4 items rated" in " ".join(page.inner_text("ul.facts").split())
