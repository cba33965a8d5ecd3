"""Names in a real browser: by keyboard alone, by mouse and by touch."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tertium.serve.annotation.files import export_file, import_file, read_file
from tertium.serve.annotation.layers import ADJUDICATED, change_names, names_of
from tertium.serve.store.connection import Store
from tests.support.axe import violations
from tests.support.places import SAMPLE
from tests.support.rtl_texts import HEBREW
from tests.support.serve.live import Live, Visitor, live_server
from tests.support.serve.named import added, named_set, sample_set, text_named

pytestmark = pytest.mark.browser

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
NARROW: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "has_touch": True}
HOSTILE = '<img src=x onerror=alert(1)> & "Ann" 🙂 </script><b>Rome</b> {{ 7*7 }}'
ARTICLE = (SAMPLE / "articles" / "reference.muc").read_bytes()


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with live_server() as started:
        yield started


def path_of(store: Store, test_set: int, name: str, project: str = "news") -> str:
    with store.reading() as session:
        key = text_named(session, test_set, name).target.key
    return f"/projects/{project}/test-sets/names/names/{key}"


def saved(page: Page) -> None:
    page.wait_for_selector("#saving[data-state=saved]")


def keys_of(store: Store, test_set: int, name: str, who: str = "local") -> set[Any]:
    with store.reading() as session:
        target = text_named(session, test_set, name).target
        return {one.key for one in names_of(session, target, who)}


def test_muc_in_edit_by_keyboard_alone_muc_out(
    browser: Browser, sqlite_store: Store, live: Live, tmp_path: Path
) -> None:
    """What was not touched is what it was, byte for byte."""
    test_set = sample_set(sqlite_store)
    file = tmp_path / "reference.muc"
    file.write_bytes(ARTICLE)
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    page = visitor.open("/projects/news/test-sets/names/names")
    assert "No names are marked in a reference yet." in page.inner_text("main")
    page.select_option("select[name=target]", label="reference 1")
    page.set_input_files("input[type=file]", file)
    assert page.input_value("select[name=format]") == "muc"
    page.click("#import button")
    page.get_by_text("local: 100 names").wait_for()
    assert "alder 1 has 90 of the 93 names" in page.inner_text(".big")
    page = visitor.open(path_of(sqlite_store, test_set, "reference 1"))
    # "Rostock to expand its seaport": the fifth word is a place, says this annotator.
    before = page.inner_text("#live tr:nth-child(1) td:nth-child(3)")
    for key in ("ArrowRight",) * 4:
        page.keyboard.press(key)
    assert page.text_content("#chosen") == "seaport"
    page.keyboard.press("3")
    saved(page)
    # The next name is the money, which becomes a quantity of another type, and comes back.
    page.keyboard.press("n")
    assert page.text_content("#chosen") == "€186 million"
    page.keyboard.press("7")
    page.keyboard.press("u")
    saved(page)
    page.wait_for_function(
        "(old) => document.querySelector('#live tr:nth-child(1) td:nth-child(3)')"
        ".textContent !== old", arg=before,
    )  # fmt: skip
    assert "seaport" in page.inner_text("#names")
    page.select_option("#unit", "paragraph")
    page.get_by_text("3 names", exact=True).wait_for()
    page.locator("h1").click()
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#listed") == "4 names"
    page.goto(f"{address}/projects/news/test-sets/names/names")
    with page.expect_download() as download:
        page.locator("tr", has_text="reference 1").get_by_text("muc").click()
    result = Path(download.value.path()).read_bytes()
    assert visitor.fault() == []
    page.close()
    mark = b'<ENAMEX TYPE="LOCATION">seaport</ENAMEX>'
    assert result.count(mark) == 1
    assert result.replace(mark, b"seaport") == ARTICLE


def test_an_overtaken_answer_is_not_shown(
    browser: Browser, sqlite_store: Store, live: Live
) -> None:
    """The list of the article comes after that of the paragraph, which was asked for later."""
    test_set = named_set(sqlite_store, {"ref": ["Ann Lee met Bob .", "Rome ."]}, {})
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "local", [added(0, 0, 7, "PERSON"), added(1, 0, 4, "X")])
    visitor = Visitor(browser, live.show(sqlite_store), **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    assert page.inner_text("#listed") == "2 names"
    page.evaluate(
        "() => { const real = window.fetch; window.fetch = async (path, options) => {"
        " const answer = await real(path, options);"
        " if (path.includes('unit=article'))"
        "  await new Promise((then) => { window.release = then; });"
        " return answer; }; }"
    )
    page.select_option("#unit", "paragraph")
    page.get_by_text("1 name", exact=True).wait_for()
    page.select_option("#unit", "article")
    page.wait_for_function("() => window.release")
    with page.expect_response("**/lists?**"):
        page.select_option("#unit", "paragraph")
    page.wait_for_timeout(100)
    page.evaluate("() => window.release()")
    page.wait_for_timeout(100)
    assert page.inner_text("#listed") == "1 name"
    assert visitor.fault() == []
    page.close()


def test_retype_remove_and_other_types(browser: Browser, sqlite_store: Store, live: Live) -> None:
    test_set = named_set(sqlite_store, {"ref": ["Ann Lee met Bob .", "Rome ."]}, {})
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "local", [added(0, 0, 7, "PERSON"), added(0, 12, 15, "X")])
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    page.keyboard.press("2")  # the cursor is on Ann: the whole name gets another type
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowDown")
    page.fill("#other input", "PLANET")
    page.keyboard.press("Enter")
    saved(page)
    # The half of a word, to the character.
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Alt+ArrowLeft")
    assert page.text_content("#chosen") == "me"
    page.keyboard.press("1")
    saved(page)
    assert keys_of(sqlite_store, test_set, "ref") == {
        (0, 0, 7, "ORGANIZATION"), (1, 0, 4, "PLANET"), (0, 8, 10, "PERSON"),
    }  # fmt: skip
    # Reloaded, the page shows the same.
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    assert page.locator(".named.to").evaluate_all("all => all.map(o => o.dataset.label)") == [
        "ORGANIZATION", "PERSON", "PLANET",
    ]  # fmt: skip
    assert visitor.fault() == []
    page.close()


def test_by_touch_on_a_narrow_screen(browser: Browser, sqlite_store: Store, live: Live) -> None:
    test_set = sample_set(sqlite_store)
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **NARROW)
    page = visitor.open(path_of(sqlite_store, test_set, "reference 1"))
    row = page.locator("#segments li").nth(3)
    row.get_by_text("Annegret", exact=True).tap()
    row.get_by_text("Möllendorf", exact=True).tap()
    assert page.text_content("#chosen") == "Annegret Möllendorf"
    page.get_by_role("button", name="PERSON").tap()
    saved(page)
    [(segment, start, end, label)] = keys_of(sqlite_store, test_set, "reference 1")
    assert (segment, end - start, label) == (3, 19, "PERSON")
    for button in page.locator(".types button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert visitor.fault() == []
    visitor.open("/projects/news/test-sets/names/names")
    assert visitor.fault() == []
    page.close()


def test_by_dragging(browser: Browser, sqlite_store: Store, live: Live) -> None:
    test_set = named_set(sqlite_store, {"ref": ["🙂 Ann Lee's house"]}, {})
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    first = page.get_by_text("Ann", exact=True).bounding_box()
    last = page.get_by_text("Lee's", exact=True).bounding_box()
    assert first
    assert last
    page.mouse.move(first["x"] + 1, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] * 0.7, last["y"] + last["height"] / 2, steps=8)
    page.mouse.up()
    page.wait_for_function(
        "() => document.getElementById('chosen').textContent.startsWith('Ann L')"
    )
    chosen = page.text_content("#chosen")
    assert chosen is not None
    page.get_by_role("button", name="PERSON").click()
    saved(page)
    assert keys_of(sqlite_store, test_set, "ref") == {(0, 2, 2 + len(chosen), "PERSON")}
    assert len(chosen) < len("Ann Lee's")
    assert visitor.fault() == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_right_to_left_and_hostile_text(
    browser: Browser, sqlite_store: Store, live: Live, scheme: str
) -> None:
    lines = [*HEBREW[:3], HOSTILE]
    test_set = named_set(sqlite_store, {HOSTILE: lines}, {HOSTILE: lines},
                         documents=[HOSTILE] * 4)  # fmt: skip
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, color_scheme=scheme, **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, HOSTILE))
    boxes = page.locator(".words")
    assert boxes.evaluate_all("all => all.map(o => getComputedStyle(o).direction)") == [
        "rtl", "rtl", "rtl", "ltr",
    ]  # fmt: skip
    assert boxes.nth(3).inner_text() == HOSTILE
    # In a text that runs to the left, left is onward: the third and second word from the right.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    assert page.text_content("#chosen") == " ".join(HEBREW[0].split()[1:3])
    page.keyboard.press("4")
    page.keyboard.press("ArrowUp")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.get_by_text("🙂", exact=True).click()
    page.keyboard.press("1")
    saved(page)
    start = HOSTILE.index("🙂")
    assert (3, start, start + 1, "PERSON") in keys_of(sqlite_store, test_set, HOSTILE)
    page.select_option("#source", "patterns")
    page.wait_for_function("() => document.getElementById('suggested').textContent")
    assert visitor.fault() == []
    visitor.open("/projects/news/test-sets/names/names")
    assert visitor.fault() == []
    page.close()


def test_suggestions_are_marked_and_taken_by_enter(
    browser: Browser, sqlite_store: Store, live: Live
) -> None:
    test_set = sample_set(sqlite_store)
    with sqlite_store.writing() as session:
        ref = text_named(session, test_set, "reference 1")
        import_file(session, ref, "ann", "ann", read_file(ref, "a.muc", "muc", ARTICLE))
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "alder 1"))
    page.select_option("#source", "others")
    page.wait_for_selector(".guess.to")
    assert page.locator(".guess.to").first.get_attribute("data-label") == "LOCATION?"
    page.locator("h1").click()
    page.keyboard.press("n")
    first = page.text_content("#chosen")
    page.keyboard.press("Enter")
    saved(page)
    with sqlite_store.reading() as session:
        alder = text_named(session, test_set, "alder 1")
        [one] = names_of(session, alder.target, "local")
    assert alder.segments[one.segment][one.start : one.end] == first
    assert one.origin == "system"
    count = page.locator(".guess.to").count()
    page.click("#accept")
    saved(page)
    assert len(keys_of(sqlite_store, test_set, "alder 1")) == 1 + count
    assert visitor.fault() == []
    page.close()


def test_two_annotators_are_adjudicated_by_digits(
    browser: Browser, sqlite_store: Store, live: Live
) -> None:
    test_set = named_set(sqlite_store, {"ref": ["Ann Lee met Bob .", "Rome ."]}, {})
    both, mine, theirs = added(0, 0, 7, "PERSON"), added(0, 12, 15, "PERSON"), added(1, 0, 4, "X")
    with sqlite_store.writing() as session:
        text = text_named(session, test_set, "ref")
        change_names(session, text, "ann", [both, mine])
        change_names(session, text, "bob", [both, theirs])
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    visitor.open("/projects/news/test-sets/names/names")
    page = visitor.page
    page.get_by_text("ann and bob").click()
    page.wait_for_selector("#pairs")
    assert "They agree at 1 of 3 places" in page.inner_text("main")
    assert violations(page) == []
    with page.expect_navigation():  # the page comes again with what is left
        page.get_by_text("Take what both have").click()
    page.wait_for_selector("html[data-ready=yes]")
    page.keyboard.press("1")
    page.keyboard.press("0")
    saved(page)
    assert keys_of(sqlite_store, test_set, "ref", ADJUDICATED) == {
        (0, 0, 7, "PERSON"), (0, 12, 15, "PERSON"),
    }  # fmt: skip
    page.reload()
    assert "2 of 2 differences are decided." in page.inner_text("main")
    assert visitor.fault() == []
    page.close()


def test_what_is_not_saved_yet_is_kept_and_sent_later(
    browser: Browser, sqlite_store: Store, live: Live
) -> None:
    test_set = named_set(sqlite_store, {"ref": ["Ann left .", "Rome ."]}, {})
    address = live.show(sqlite_store)
    visitor = Visitor(browser, address, **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    page.context.set_offline(True)
    page.keyboard.press("1")
    page.wait_for_selector("#saving[data-state=failed]")
    page.context.set_offline(False)
    # The tab is closed and opened again before anything was sent.
    page.evaluate("window.onbeforeunload = null")
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    saved(page)
    page.wait_for_timeout(100)
    assert keys_of(sqlite_store, test_set, "ref") == {(0, 0, 3, "PERSON")}
    with sqlite_store.reading() as session:
        text = text_named(session, test_set, "ref")
        exported = export_file(session, text, "local", "muc").decode()
    assert exported == '<ENAMEX TYPE="PERSON">Ann</ENAMEX> left .\nRome .\n'
    page.close()


def test_long_texts_come_in_parts(browser: Browser, sqlite_store: Store, live: Live) -> None:
    lines = [f"Segment number {number} names Rome ." for number in range(230)]
    test_set = named_set(sqlite_store, {"ref": lines}, {})
    visitor = Visitor(browser, live.show(sqlite_store), **WIDE)
    page = visitor.open(path_of(sqlite_store, test_set, "ref"))
    assert page.locator("#segments li").count() == 100
    page.get_by_text("segments 101–200 →").click()
    page.get_by_text("segments 201–230 →").click()
    page.wait_for_selector("#segments li[data-segment='229']")
    assert page.locator("#segments li").count() == 30
    page.select_option("#article", label="segments 101–200")
    page.wait_for_selector("#segments li[data-segment='150']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    saved(page)
    assert keys_of(sqlite_store, test_set, "ref") == {(101, 0, 7, "PERSON")}
    assert visitor.fault() == []
    page.close()
