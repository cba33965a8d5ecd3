"""What axe-core finds wrong with a page that is open in a browser."""

import pytest

pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE = Axe()
OPTIONS = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,  # of style sheets, for rules that are not among these
}

# Folded text is not looked at, and some of it is made when it is unfolded.
UNFOLD = """async () => {
    const folded = [...document.querySelectorAll('details:not([open])')];
    for (const one of folded) one.open = true;
    for (let i = 0; i < 2; ++i) await new Promise(shown => requestAnimationFrame(shown));
    return folded;
}"""
FOLD = "some => { for (const one of some) one.open = false; }"


def violations(page: Page) -> list[str]:
    """One sentence for each element that violates a rule, also where it is folded.

    What a debugger evaluates is not subject to the content security policy of the page.
    """
    folded = page.evaluate_handle(UNFOLD)
    found = AXE.run(page, options=OPTIONS).response["violations"]
    folded.evaluate(FOLD)
    return [
        f"{rule['id']}: {element['target']} {element['html'][:120]}: {element['failureSummary']}"
        for rule in found
        for element in rule["nodes"]
    ]
