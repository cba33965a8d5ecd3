"""Make the pictures of the documentation: the sample's report, and the server's demonstration."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import tertium
from tertium import report
from tertium.choices import Audience
from tertium.cli.demo import METRICS, SAMPLE
from tertium.study.results import Study
from tertium.text.input_files import open_inputs

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = ViewportSize(width=1280, height=860)
TALL = ViewportSize(width=1280, height=1000)
"""The answer, and the first finding to its end."""
LOW = ViewportSize(width=1280, height=520)
"""A project of one test set."""
Scheme = Literal["light", "dark"]
PICTURES: Final[dict[str, tuple[Scheme, Audience]]] = {
    "report-findings": ("light", "experts"),
    "report-summary": ("light", "everyone"),
    "report-segments": ("dark", "experts"),
}
"""Picture → the sample's report, for whom it opens."""
SET: Final = "projects/sample/test-sets/sample"
SERVED: Final[dict[str, tuple[str, Scheme]]] = {
    "serve-overview": ("projects/sample", "light"),
    "serve-leaderboard": (SET, "light"),
    "serve-compare": (f"{SET}/compare", "dark"),
    "serve-campaign": ("projects/sample/campaigns/1", "light"),
    "serve-names": (f"{SET}/names/reference-1?annotator=annotator-1", "light"),
}
"""Picture → the page of the server's demonstration."""


def main() -> int:
    """Write the pictures and print where they are."""
    program = shutil.which("chromium")
    if program is None:
        print("screenshots: no Chromium on this machine (Debian: apt install chromium)")
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        study = sample_study()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (scheme, audience) in PICTURES.items():
            file = Path(folder) / f"{name}.html"
            file.write_text(report.page(study, audience=audience), encoding="utf-8")
            size = TALL if name == "report-findings" else SIZE
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-ready=yes]")
            if name == "report-segments":
                show_segments(page)
            page.wait_for_timeout(500)
            path = IMAGES / f"{name}.png"
            page.screenshot(path=path)
            print(path)
        for name, path in photographed(browser, Path(folder)):
            print(path if path.is_file() else f"{name}: no picture")
        browser.close()
    return 0


def photographed(browser: Browser, folder: Path) -> Iterator[tuple[str, Path]]:
    """Pages of `tertium serve --demo`."""
    with demo_server(folder) as address:
        for name, (place, scheme) in SERVED.items():
            size = LOW if name == "serve-overview" else SIZE
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(f"{address}{place}")
            if name == "serve-names":
                page.wait_for_selector("html[data-ready=yes]")
                for key in ("ArrowDown", "ArrowDown", "ArrowDown", "n", "n", "n"):
                    page.keyboard.press(key)
            page.wait_for_timeout(500)
            path = IMAGES / f"{name}.png"
            page.screenshot(path=path)
            yield name, path


@contextmanager
def demo_server(folder: Path) -> Iterator[str]:
    """The address of a server over a filled store."""
    command = [sys.executable, "-m", "tertium", "serve", "--demo", "--port", "0", "--workers", "0"]
    log = folder / "server.log"
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("http://"):
            raise SystemExit(f"screenshots: no server: {log.read_text()}")
        yield line.strip().removesuffix("projects/sample")
    finally:
        process.terminate()
        process.communicate()


def sample_study() -> Study:
    """What the report of ``tertium demo`` shows."""
    whole = open_inputs(
        [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    return tertium.study(
        whole.corpus, whole.systems, METRICS, resample="segments", command="tertium demo"
    )


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
