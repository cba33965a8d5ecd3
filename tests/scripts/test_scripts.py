"""The scripts of the pages, part by part: files in JavaScript beside this one, run in a browser.

`serve/NAME.js` tests modules of the server's pages, `report/NAME.js` the parts of the script of a
report, joined into one module that exports all they have. Nothing is asked of a server:
`harness.js` opens blank frames and answers their requests.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Route

from tertium.report.html.page import BROWSER
from tests.support.browser import PATIENCE
from tests.support.places import REPOSITORY

HERE = Path(__file__).parent
STATIC = REPOSITORY / "src" / "tertium" / "serve" / "web" / "static"
ASSETS = REPOSITORY / "src" / "tertium" / "report" / "html" / "assets"
BROWSER_PARTS = [ASSETS / f"{name}.js" for name in BROWSER]
ALL_BUT_START = [*BROWSER_PARTS, ASSETS / "pair.js", ASSETS / "plots.js"]
HOME = "http://scripts.example"
BLANK = "<!doctype html><html lang=en><title>blank</title><body></body></html>"

CASES = [
    (path.relative_to(HERE).as_posix(), name)
    for path in sorted(HERE.glob("*/*.js"))
    for name in re.findall(r'^test\("(.+?)",', path.read_text(encoding="utf-8"), re.MULTILINE)
]

RUN = """([file, name, patience]) => {
    window.outcome = undefined;
    window.patience = patience;
    setTimeout(async () => {
        try {
            const { run } = await import("/tests/harness.js");
            await import(`/tests/${file}`);
            window.outcome = await run(name);
        } catch (problem) {
            window.outcome = String(problem);
        }
    });
}"""


def joined_module(*parts: Path) -> str:
    """Parts of a script as one function, as on a page, which gives what they declare."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in parts)
    declared = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", text, re.MULTILINE)
    names = ", ".join(dict.fromkeys(declared))
    setter = "set: (value) => { data = value; }"
    return f"export default (() => {{\n{text}\nreturn {{ {names}, {setter} }};\n}})();\n"


def script_at(path: str) -> str | None:
    """The text of a script by the path that pages know it by."""
    match path.split("/")[1:]:
        case ["tests", *rest]:
            return HERE.joinpath(*rest).read_text(encoding="utf-8")
        case ["static", *rest]:
            return STATIC.joinpath(*rest).read_text(encoding="utf-8")
        case ["report.js"]:  # all but its start
            return joined_module(*ALL_BUT_START)
        case ["start.js"]:
            return joined_module(*ALL_BUT_START, ASSETS / "start.js")
        case ["segments.js"]:
            return joined_module(*BROWSER_PARTS, STATIC / "segments.js")
        case _:
            return None


def answer(route: Route) -> None:
    """A script of this checkout, or a blank page."""
    path = route.request.url.removeprefix(HOME).partition("?")[0]
    text = script_at(path)
    if text is None:
        route.fulfill(content_type="text/html", body=BLANK)
    else:
        route.fulfill(content_type="text/javascript", body=text)


@pytest.fixture(scope="module")
def bench(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page for the tests of one file, which is the parameter."""
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.route("**/*", answer)
    page.goto(f"{HOME}/?{request.param}")
    yield page
    page.close()


@pytest.mark.parametrize(("bench", "name"), CASES, indirect=["bench"], scope="module")
def test_script(bench: Page, name: str) -> None:
    file = bench.url.partition("?")[2]
    bench.evaluate(RUN, [file, name, PATIENCE])
    bench.wait_for_function("() => window.outcome !== undefined", timeout=2 * PATIENCE)
    outcome = bench.evaluate("window.outcome")
    assert outcome == "", outcome
