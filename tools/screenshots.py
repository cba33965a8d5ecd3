"""Make the README's pictures: the report of the bundled sample, as a browser shows it."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Page, ViewportSize, sync_playwright

import tertium
from tertium import report
from tertium.cli.demo import METRICS, SAMPLE
from tertium.text.input_files import open_inputs

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = ViewportSize(width=1280, height=860)
PICTURES: Final[dict[str, Literal["light", "dark"]]] = {
    "report-findings": "light",
    "report-segments": "dark",
}


def main() -> int:
    """Write the pictures and print where they are."""
    program = shutil.which("chromium")
    if program is None:
        print("screenshots: no Chromium on this machine (Debian: apt install chromium)")
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder) / "report.html"
        report.write_text(sample_report(), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, scheme in PICTURES.items():
            page = browser.new_page(viewport=SIZE, color_scheme=scheme)
            page.goto(report.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            if name == "report-segments":
                show_segments(page)
            page.wait_for_timeout(500)
            path = IMAGES / f"{name}.png"
            page.screenshot(path=path)
            print(path)
        browser.close()
    return 0


def sample_report() -> str:
    """The report that ``tertium demo`` writes."""
    whole = open_inputs(
        [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    found = tertium.study(
        whole.corpus, whole.systems, METRICS, resample="segments", command="tertium demo"
    )
    return report.page(found)


def show_segments(page: Page) -> None:
    """A segment that two systems translate differently, with its edits."""
    page.select_option("#first", label="elm")
    page.select_option("#second", label="birch")
    page.select_option("#order", "gain")
    page.click(".row >> nth=0")
    page.locator("#detail details", has_text="Edits").first.locator("summary").click()
    page.evaluate("document.getElementById('segments').scrollIntoView()")


if __name__ == "__main__":
    sys.exit(main())
