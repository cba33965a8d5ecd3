"""Nothing that a rater did is lost: closed tabs, lost answers, no connection, second thoughts."""

import pytest
from playwright.sync_api import Browser, Page, Route

from tertium.serve.accounts.tokens import revoke_link
from tertium.serve.store.schema import Rater
from tests.serve.rating.browser.conftest import Invitation, Server
from tests.support.axe import violations
from tests.support.serve.rater_page import (
    number,
    rater_page,
    wait_for_next,
    wait_for_saved,
    wait_for_words,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def rate(tab: Page, digits: str) -> None:
    before = number(tab)
    for digit in digits:
        tab.keyboard.press(digit)
    tab.keyboard.press("Enter")
    wait_for_next(tab, before)


def values(made: Invitation) -> list[int]:
    return [next(iter(one["values"].values()))["da"] for one in made.events()]


def test_a_closed_tab_comes_back_where_it_was(browser: Browser, server: Server) -> None:
    made = server.invited("esa", "resume")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        tab.keyboard.press("Enter")
        rate(tab, "70")
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("2")
        tab.keyboard.press("Enter")
        tab.keyboard.press("4")
        wait_for_saved(tab)
        tab.close()  # in the middle of the second item
        tab = rater.open(made.address)
        assert number(tab) == "2"
        assert tab.locator(".errors li").count() == 1
        assert tab.inner_text("output.number") == "4"
        rate(tab, "")
        wait_for_saved(tab)
        first, second = [next(iter(one["values"].values())) for one in made.events()]
        assert (first["score"], second["score"], len(second["errors"])) == (70, 4, 1)
        # The item after that begins empty.
        assert tab.locator(".errors li").count() == 0
        assert tab.inner_text("output.number") == "not yet"


def test_what_could_not_be_sent_is_sent_on_the_next_visit(browser: Browser, server: Server) -> None:
    made = server.invited("direct-assessment", "offline")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        rater.context.route("**/mine/events", lambda route: route.abort())
        rate(tab, "11")  # the next item is there already
        wait_for_words(tab, "1 not yet sent")
        assert made.events() == []
        tab.close()
        rater.context.unroute_all()
        tab = rater.open(made.address)
        wait_for_saved(tab)
        assert values(made) == [11]
        assert number(tab) == "2"


def test_without_connection_no_key_sends_anything_twice(browser: Browser, server: Server) -> None:
    made = server.invited("direct-assessment", "waiting")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        # Items that are asked for in advance must be there before the connection is lost.
        tab.wait_for_load_state("networkidle")
        rater.context.route("**/mine/**", lambda route: route.abort())
        for digits in ("11", "22", "33"):
            rate(tab, digits)
        for digit in "44":
            tab.keyboard.press(digit)
        tab.keyboard.press("Enter")
        tab.locator("#notice", has_text="No connection now").wait_for()
        for key in ("Enter", "s", "u", "Enter"):
            tab.keyboard.press(key)
        wait_for_words(tab, "4 not yet sent")
        rater.context.unroute_all()
        tab.get_by_text("That was all for now").wait_for()
        wait_for_saved(tab)
        assert violations(tab) == []
        assert values(made) == [11, 22, 33, 44]
        assert [one["action"] for one in made.events()] == ["rate"] * 4


def test_a_lost_answer_does_not_store_twice(browser: Browser, server: Server) -> None:
    made = server.invited("direct-assessment", "twice")
    seen = []

    def lose_first(route: Route) -> None:
        seen.append(route.request.post_data_json)
        if len(seen) == 1:
            route.fetch()  # the server has it, the browser never hears of it
            route.abort()
        else:
            route.continue_()

    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        rater.context.route("**/mine/events", lose_first)
        rate(tab, "33")
        wait_for_saved(tab)
        assert len(seen) == 2
        assert seen[0] == seen[1]
        assert values(made) == [33]


def test_undo_goes_back_with_what_was_said(browser: Browser, server: Server) -> None:
    made = server.invited("direct-assessment", "undone")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        rate(tab, "10")
        rate(tab, "20")
        tab.keyboard.press("u")
        wait_for_next(tab, "3")
        assert (number(tab), tab.inner_text("output.number")) == ("2", "20")
        tab.keyboard.press("u")
        wait_for_next(tab, "2")
        assert (number(tab), tab.inner_text("output.number")) == ("1", "10")
        rate(tab, "15")
        assert number(tab) == "2"  # it was taken back, so it is asked for again
        rate(tab, "25")
        tab.keyboard.press("s")
        wait_for_next(tab, "3")
        wait_for_saved(tab)
        actions = [one["action"] for one in made.events()]
        assert actions == ["rate", "rate", "undo", "undo", "rate", "rate", "skip"]
        found = [next(iter(one.answers.values()))["da"] for one in made.answers()]
        assert sorted(found) == [15, 25]


def test_an_unanswered_question_is_asked_for(browser: Browser, server: Server) -> None:
    made = server.invited("adequacy-fluency", "unanswered")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        tab.keyboard.press("3")
        tab.keyboard.press("Enter")
        assert tab.inner_text("#notice") == "Still to answer: fluency."
        assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "fluency"
        assert number(tab) == "1"
        assert made.events() == []


def test_the_tutorial_answers(browser: Browser, server: Server) -> None:
    tutorial = [
        {"source": "Hallo", "outputs": ["Hello"], "expected": [{"da": [80, 100]}],
         "feedback": "This one is <b>perfect</b>."},
    ]  # fmt: skip
    made = server.invited("direct-assessment", "tutorial", tutorial=tutorial)
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        assert tab.inner_text("#place") == "Practice"
        tab.keyboard.press("5")
        tab.keyboard.press("Enter")
        tab.wait_for_selector(".feedback.off")
        assert "This one is <b>perfect</b>." in tab.inner_text(".feedback")
        assert "Expected: da 80 to 100" in tab.inner_text(".feedback")
        tab.keyboard.press("Enter")
        wait_for_next(tab, "1")
        assert tab.inner_text("#place") == "Item 2"
        assert made.answers() == []
        assert rater.complaints == []


def test_a_revoked_link_ends_the_work_and_loses_nothing(browser: Browser, server: Server) -> None:
    made = server.invited("direct-assessment", "revoked")
    with rater_page(browser) as rater:
        tab = rater.open(made.address)
        rate(tab, "10")
        wait_for_saved(tab)
        with made.store.writing() as session:
            link = session.query(Rater).filter(Rater.label == "rater-revoked").one().link_id
            assert link is not None
            revoke_link(session, "o", made.ground.project_id, link)
        for digit in "20":
            tab.keyboard.press(digit)
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#notice.problem")
        assert "You cannot rate here any more" in tab.inner_text("#notice")
        assert tab.inner_text("#saved") == "1 kept in this browser"
        kept = tab.evaluate("Object.values(localStorage).join()")
        assert '"da":20' in kept
        assert values(made) == [10]


def test_two_raters_of_one_browser_do_not_mix(browser: Browser, server: Server) -> None:
    first = server.invited("direct-assessment", "mixed-a")
    second = server.invited("direct-assessment", "mixed-b")
    with rater_page(browser) as rater:
        tab = rater.open(first.address)
        rater.context.route("**/mine/events", lambda route: route.abort())
        rate(tab, "11")
        tab.close()
        rater.context.unroute_all()
        tab = rater.open(second.address)
        rate(tab, "22")
        wait_for_saved(tab)
        assert (first.events(), values(second)) == ([], [22])
        tab.close()
        tab = rater.open(first.address)
        wait_for_saved(tab)
        assert (values(first), values(second)) == ([11], [22])
