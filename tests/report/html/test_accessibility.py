"""The report of two systems and of several that people rated, held against WCAG 2.2 AA by axe-core.

At both sizes and in both themes, unfolded, with a segment chosen.
"""

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser

from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.study.study import study
from tertium.text.input_files import open_inputs
from tests.support.axe import violations
from tests.support.browser import visit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 390, "height": 844}


@pytest.fixture(scope="module", params=[2, 5], ids=["two", "rated"])
def page_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    whole = open_inputs(
        [str(SAMPLE / "reference.1.en")],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))[: request.param]],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    rated = read_judgments([str(SAMPLE / "ratings.tsv")], criteria=["fluency"], segments=92)
    result = study(
        whole.corpus,
        whole.systems,
        ["bleu", "ter"],
        trials=50,
        judgments=rated if request.param > 2 else (),
    )
    path = tmp_path_factory.mktemp("accessible") / "report.html"
    path.write_text(report.page(result), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_report_has_a_barrier(
    browser: Browser, page_file: Path, size: dict[str, int], scheme: str
) -> None:
    with visit(browser, page_file, viewport=size, color_scheme=scheme) as opened:
        opened.page.click("#row-1")
        assert violations(opened.page) == []
