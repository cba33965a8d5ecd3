"""Errors that people marked, as a reader of the report meets them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.errors import InputError
from tertium.meta.spans.files import read_spans
from tertium.meta.spans.span import Annotation, Annotations, Span
from tertium.study.study import study
from tertium.text.corpus import Corpus, System
from tests.support.browser import visit
from tests.support.commands import error, output
from tests.support.studies import REFERENCES, SYSTEMS

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror='window.harmed = 1'>"


def annotated(texts: Sequence[str], marks: Sequence[Sequence[tuple[int, int, str, str]]]) -> str:
    """The page of one system, in whose segments somebody marked errors."""
    looks = [
        Annotation(
            segment=number,
            system="A",
            rater=HOSTILE,
            place="here",
            score=55.0,
            spans=tuple(
                Span(
                    segment=number,
                    system="A",
                    rater=HOSTILE,
                    start=start,
                    end=end,
                    severity=severity,
                    category=category,
                )
                for start, end, severity, category in some
            ),
        )
        for number, some in enumerate(marks)
    ]
    corpus = Corpus(references=list(texts), sources=["source text"] * len(texts))
    system = System(name="A", hypotheses=list(texts))
    found = Annotations(name="xx-yy", annotations=tuple(looks))
    return report.page(study(corpus, [system], ["chrf"], trials=20, spans=[found]))


def choose(page: Page, number: int) -> None:
    page.click(f"#row-{number}")


@pytest.fixture(scope="module")
def marked_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [
        "Nice 🙂 day,  all <b>folks</b>",  # an astral character, two spaces, mark-up as text
        "שלום עולם 🙂 יפה מאוד",
        "nothing wrong here",
    ]
    marks = [
        [(7, 10, "minor", HOSTILE), (9, 15, "major", "accuracy/addition"), (25, 25, "major", "")],
        [(5, 9, "critical", "style")],
        [],
    ]
    path = tmp_path_factory.mktemp("marks") / "report.html"
    path.write_text(annotated(texts, marks), encoding="utf-8")
    return path


@pytest.mark.browser
class TestMarks:
    def test_marks_cover_what_was_marked(self, browser: Browser, marked_page: Path) -> None:
        """Overlapping ones are cut, and the heavier one shows."""
        with visit(browser, marked_page) as opened:
            choose(opened.page, 0)
            marks = opened.page.locator("#detail mark")
            assert marks.all_text_contents() == ["da", "y", ",  al"]
            kinds = marks.evaluate_all("all => all.map(one => one.className)")
            assert kinds == ["error minor", "error major", "error major"]
            titles = marks.evaluate_all("all => all.map(one => one.title)")
            assert titles[1] == f"minor: {HOSTILE}; major: accuracy/addition"
            text = opened.page.locator("#detail p.marked")
            assert text.text_content() == "Nice 🙂 day1,  al2l <b>folks</b>"

    def test_words_beside_colours(self, browser: Browser, marked_page: Path) -> None:
        """A list has what titles and colours say, and what has no place in the text."""
        with visit(browser, marked_page) as opened:
            choose(opened.page, 0)
            assert opened.page.locator("#detail .errors li").all_text_contents() == [
                f"minor: {HOSTILE}",
                "major: accuracy/addition",
                "major, without a place in the text",
            ]
            decoration = opened.page.locator("mark.major").first.evaluate(
                "one => getComputedStyle(one).textDecorationLine"
            )
            assert decoration == "underline"

    def test_nothing_of_it_runs(self, browser: Browser, marked_page: Path) -> None:
        with visit(browser, marked_page) as opened:
            for number in range(3):
                choose(opened.page, number)
            assert opened.page.evaluate("window.harmed") is None
            assert opened.complaints == []
            assert opened.requests == [marked_page.as_uri()]
            assert opened.page.locator("#detail img, #marks img").count() == 0

    def test_right_to_left(self, browser: Browser, marked_page: Path) -> None:
        """The mark is the second word and stands left of the first."""
        with visit(browser, marked_page) as opened:
            choose(opened.page, 1)
            text = opened.page.locator("#detail p.marked")
            assert text.get_attribute("dir") == "rtl"
            mark = opened.page.locator("#detail mark")
            assert mark.all_text_contents() == ["עולם"]
            box, whole = mark.bounding_box(), text.bounding_box()
            assert box is not None
            assert whole is not None
            assert box["x"] > whole["x"] + whole["width"] / 2  # near the right end, where it begins

    def test_an_output_without_errors_says_so(self, browser: Browser, marked_page: Path) -> None:
        with visit(browser, marked_page) as opened:
            choose(opened.page, 2)
            assert opened.page.locator("#detail .who").first.text_content() == (
                f"{HOSTILE}: no error · 55"
            )
            assert opened.page.locator("#detail mark").count() == 0

    def test_marks_are_seen_at_once_and_put_in_order(
        self, browser: Browser, marked_page: Path
    ) -> None:
        with visit(browser, marked_page) as opened:
            opened.page.select_option("#order", "errors")
            rows = opened.page.locator(".row .numbers").all_inner_texts()
            assert [one.split(" · ")[0] for one in rows] == ["1", "2", "3"]
            choose(opened.page, 0)
            assert opened.page.locator("#detail mark").first.is_visible()


def test_the_page_has_a_table_of_marked_errors() -> None:
    page = annotated(["some text"], [[(0, 4, "major", "style")]])
    table = page.partition('id="marks"')[2].partition("</table>")[0]
    assert '<th scope="col">major</th>' in table
    assert "<td>-5.00</td>" in table
    assert 'href="#marks"' in page
    assert HOSTILE not in page


def test_a_page_without_marks_has_no_such_part() -> None:
    corpus = Corpus(references=["x y"])
    page = report.page(study(corpus, [System(name="A", hypotheses=["x y"])], ["chrf"], trials=20))
    assert 'id="marks"' not in page
    assert 'value="errors"' not in page


def test_offsets_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match=r"here: span from 0 to 99, expected .*\(0 to 4\)"):
        annotated(["text"], [[(0, 99, "major", "")]])


def test_report_takes_files_of_spans_or_of_ratings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = str(SAMPLE / "spans.tsv")
    path = tmp_path / "report.html"
    common = ["report", *REFERENCES, "-i", *SYSTEMS, "-m", "chrf", "--no-audit", "--trials", "100"]
    for flag, agrees in (("--spans", False), ("--ratings", True)):
        output(capsys, *common, flag, spans, "-o", str(path))
        page = path.read_text(encoding="utf-8")
        assert 'id="marks"' in page
        assert ('id="people"' in page) is agrees
    assert "expected marked errors" in error(capsys, *common, "--spans", SYSTEMS[0])


def test_a_study_keeps_what_was_marked() -> None:
    (found,) = read_spans(SAMPLE / "spans.tsv")
    from tests.support.studies import sample_study

    result = sample_study("chrf", trials=20, spans=[found], audit=False)
    assert len(result.spans[0]) == len(found) == 60
    assert all(one.hypothesis for one in result.spans[0])
    json.dumps([span.to_dict() for span in result.spans[0].spans])
