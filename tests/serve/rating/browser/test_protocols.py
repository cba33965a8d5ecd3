"""Every protocol from the invitation to the export, by keyboard alone and by touch."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tertium.serve.rating.campaigns import campaign_of
from tertium.serve.rating.export_files import export_names, exported
from tertium.serve.rating.protocols import PROTOCOLS, protocol_named
from tests.serve.rating.browser.conftest import OUTPUTS, SOURCES, Server
from tests.support.axe import violations
from tests.support.serve.rater_page import number, rater_page, wait_for_next, wait_for_saved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

KEYS = {
    "adequacy-fluency": ["4", "2"],
    "ranking": ["2", "1"],
    "constituent-ranking": ["2", "1"],
    "constituent-acceptance": ["1"],
    "direct-assessment": ["7", "5"],
    "scalar-quality": ["6", "6", "ArrowRight"],
    # The first Enter goes to the question that is still open.
    "esa": ["ArrowRight", "Shift+ArrowRight", "2", "m", "1", "Enter", "8", "0"],
    "mqm": ["ArrowRight", "1", "e", "Shift+Tab", "3", "ArrowRight", "ArrowRight", "Enter"],
}


def press(tab: Page, protocol: str) -> None:
    for key in KEYS[protocol]:
        tab.keyboard.press(key)
    tab.keyboard.press("Enter")


def tap(tab: Page, protocol: str) -> None:
    match protocol:
        case "adequacy-fluency":
            tab.locator(".step[value='4']").nth(0).tap()
            tab.locator(".step[value='2']").nth(1).tap()
        case "constituent-acceptance":
            tab.locator(".step[value='1']").tap()
        case "ranking" | "constituent-ranking":
            tab.locator(".step[value='2']").nth(0).tap()
            tab.locator(".step[value='1']").nth(1).tap()
        case "direct-assessment":
            tab.locator(".slider").tap()
        case "scalar-quality":
            tab.locator(".anchor").nth(2).tap()
        case "esa":
            words = tab.locator(".output .word")
            words.nth(1).tap()
            words.nth(2).tap()
            tab.locator(".output .tools .severity-major").tap()
            tab.locator(".missing").tap()
            tab.locator(".output .tools .severity-minor").tap()
            tab.locator(".slider").tap()
        case _:
            tab.locator(".output .word").nth(1).tap()
            tab.locator(".output .tools .severity-minor").tap()
            tab.get_by_role("button", name="fluency/grammar").tap()
            tab.locator(".given .word").nth(0).tap()
            tab.locator(".given .tools .severity-critical").tap()
            tab.get_by_role("button", name="accuracy/mistranslation").tap()
    tab.locator("#next").tap()


def expected(
    protocol: str, source: str, output: str, answer: dict[str, Any], *, touch: bool
) -> bool:
    """Whether an answer is what was pressed or tapped."""
    second = [*re.finditer(r"\S+", output)][1]
    third = [*re.finditer(r"\S+", output)][2]
    match protocol:
        case "adequacy-fluency":
            return answer == {"adequacy": 4, "fluency": 2}
        case "ranking" | "constituent-ranking" | "constituent-acceptance":
            return answer.keys() == {"rank"} or answer == {"constituent-accept": 1}
        case "direct-assessment":
            return bool(abs(answer["da"] - 50) <= 5 if touch else answer == {"da": 75})
        case "scalar-quality":
            return answer == {"sqm": 66 if touch else 67}
        case "esa":
            fits = abs(answer["score"] - 50) <= 5 if touch else answer["score"] == 80
            return bool(fits) and answer["errors"] == [
                {"side": "target", "start": second.start(), "end": third.end(),
                 "severity": "major", "category": ""},
                {"side": "target", "start": len(output), "end": len(output), "severity": "minor",
                 "category": ""},
            ]  # fmt: skip
        case _:
            return list(answer["errors"]) == [
                {"side": "target", "start": second.start(), "end": second.end(),
                 "severity": "minor", "category": "fluency/grammar"},
                {"side": "source", "start": 0, "end": source.index(" "), "severity": "critical",
                 "category": "accuracy/mistranslation" if touch else "accuracy/omission"},
            ]  # fmt: skip


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("act", [press, tap])
@pytest.mark.parametrize("width", [1280, 390])
def test_from_the_invitation_to_the_export(
    browser: Browser, server: Server, protocol: str, width: int, act: Callable[[Page, str], None]
) -> None:
    touch = act is tap
    made = server.invited(protocol, f"{protocol}-{act.__name__}-{width}", context=1)
    look = "dark" if touch else "light"
    with rater_page(browser, narrow=width == 390, has_touch=touch, color_scheme=look) as rater:
        tab = rater.open(made.address)
        assert violations(tab) == []
        if touch:
            small = tab.evaluate(
                "[...document.querySelectorAll('button, summary, input, .word')].filter((one) =>"
                " one.offsetParent && one.getBoundingClientRect().height < 43.5)"
                ".map((one) => one.outerHTML.slice(0, 80))"
            )
            assert small == []
        items = 2 if protocol_named(protocol).ranked else 4
        for done in range(items):
            before = number(tab)
            assert before == str(done + 1)
            act(tab, protocol)
            wait_for_next(tab, before)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
        wait_for_saved(tab)
        assert "That was all for now" in tab.inner_text("#item")
        assert rater.complaints == []
        bodies = rater.read_bodies()
        for name in (*OUTPUTS, "elm", "oak"):
            assert name not in bodies
        assert all(url.startswith(server.address) for url in rater.requests)
    answers = made.answers()
    assert len(answers) == items
    assert all(one.seconds > 0 for one in answers)
    names = list(OUTPUTS)
    for one in answers:
        ranks = set()
        for key, answer in one.answers.items():
            system = names[made.ground.outputs.index(int(key))]
            text = OUTPUTS[system][one.segment]
            assert expected(protocol, SOURCES[one.segment], text, dict(answer), touch=touch), (
                text,
                answer,
            )
            ranks.add(answer.get("rank"))
        if protocol_named(protocol).ranked:
            assert ranks == {1, 2}
    with made.store.reading() as session:
        campaign = campaign_of(session, made.ground.project_id, made.campaign)
        for name in export_names(protocol_named(protocol)):
            data = exported(session, campaign, name).data
            assert b"elm-secret" in data or name.endswith(".zip")
