"""Reports in a browser: how large they are, and how soon they can be read and used.

``.venv/bin/python benchmarks/pages.py`` makes the report of the sample and, where the shared data
lies beside the checkout, those of WMT23 zh-en with its 15 systems and of 50 systems on 2,000
segments; with names of files it opens these instead. Times are the median of several visits with
an empty cache: the first text on the screen, the moment from which everything can be clicked
(``data-ready``), and what the main thread was busy for in pieces of more than 50 ms until then
(Lighthouse's total blocking time). Then one filter and one brush over the histogram are timed.
It exits with 1 if a limit is missed, which says something of an idle machine only.
"""

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Final

from data import SHARED
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.table import Table

import tertium
from tertium import report
from tertium.cli.demo import METRICS, SAMPLE
from tertium.text.corpus import System
from tertium.text.input_files import open_inputs

VISITS: Final = 5
INTERACTIVE: Final = 1000.0
"""Milliseconds until a page can be used."""
LIMITS: Final = {"sample": 2e6, "wmt23-zh-en": 6e6}
"""Bytes of a report."""

WATCH: Final = """
window.blocked = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.blocked += one.duration - 50;
}).observe({ type: "longtask", buffered: true });
new MutationObserver((_, watcher) => {
  if (document.documentElement?.dataset.ready !== "yes") return;
  window.ready = performance.now();
  watcher.disconnect();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
"""
FACTS: Final = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
  ready: window.ready,
  blocked: window.blocked,
  nodes: document.querySelectorAll("*").length,
})"""
ACTIONS: Final = """() => {
  const timed = (action) => {
    const started = performance.now();
    action();
    document.body.getBoundingClientRect();
    return performance.now() - started;
  };
  const set = (name, value) => {
    const field = document.getElementById(name);
    field.value = value;
    field.dispatchEvent(new Event("input"));
  };
  return {
    filter: timed(() => set("search", "the")),
    brush: timed(() => set("gain-low", "5")),
    sort: timed(() => document.querySelector("#score-table thead button[data-column='1']").click()),
  };
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """A report and the medians over its visits, in milliseconds."""

    name: str
    bytes: int
    nodes: int
    paint: float
    ready: float
    blocked: float
    filter: float
    brush: float
    sort: float

    @property
    def within(self) -> bool:
        """Whether it keeps its limits."""
        return self.bytes <= LIMITS.get(self.name, float("inf")) and self.ready <= INTERACTIVE


def main() -> int:
    """Make the reports, visit them and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="reports to open (default: its own)")
    arguments = parser.parse_args()
    program = shutil.which("chromium")
    if program is None:
        print("pages: no Chromium on this machine (Debian: apt install chromium)")
        return 2
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = arguments.pages or own_reports(Path(folder))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        found = [visited(browser, page) for page in pages]
        browser.close()
    Console(width=120).print(table_of(found))
    return 0 if all(one.within for one in found) else 1


def own_reports(folder: Path) -> list[Path]:
    """The sample, and real test sets where they are."""
    whole = open_inputs(
        [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    paths = [folder / "sample.html"]
    study = tertium.study(whole.corpus, whole.systems, METRICS, trials=1000)
    paths[0].write_text(report.page(study), encoding="utf-8")
    data = SHARED / "wmt23"
    if not data.is_dir():
        return paths
    outputs = sorted((data / "system-outputs" / "zh-en").glob("*.txt"))
    whole = open_inputs(
        [str(data / "references" / "zh-en.refA.txt")],
        [str(path) for path in outputs if path.stem not in {"refA", "synthetic_ref"}],
        source=str(data / "sources" / "zh-en.txt"),
        documents=str(data / "documents" / "zh-en.docs"),
    ).load()
    study = tertium.study(whole.corpus, whole.systems, METRICS, trials=1000)
    paths.append(folder / "wmt23-zh-en.html")
    paths[-1].write_text(report.page(study), encoding="utf-8")
    # Each of the 50 takes every other segment from another of the 15, so that no two are alike.
    texts = [[text or "" for text in one.hypotheses.to_list()] for one in whole.systems]
    many = [
        System(
            name=f"{whole.systems[a].name}+{whole.systems[b].name}",
            hypotheses=[texts[(a, b)[i % 2]][i] for i in range(len(whole.corpus))],
        )
        for a, b in list(combinations(range(len(texts)), 2))[:50]
    ]
    study = tertium.study(
        whole.corpus, many, ["bleu", "chrf"], trials=200, audit=False, most_explained=0
    )
    paths.append(folder / "50-systems.html")
    paths[-1].write_text(report.page(study), encoding="utf-8")
    return paths


def visited(browser: Browser, page: Path) -> Visited:
    """The medians of some visits, each in a context of its own."""
    facts: list[dict[str, float]] = []
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        opened = context.new_page()
        opened.add_init_script(WATCH)
        opened.goto(page.resolve().as_uri())
        opened.wait_for_selector("html[data-ready=yes]")
        opened.wait_for_timeout(200)
        facts.append({**opened.evaluate(FACTS), **opened.evaluate(ACTIONS)})
        context.close()
    middle = {name: median(one[name] for one in facts) for name in facts[0]}
    nodes = int(middle.pop("nodes"))
    return Visited(name=page.stem, bytes=page.stat().st_size, nodes=nodes, **middle)


def table_of(found: list[Visited]) -> Table:
    """A row for each report."""
    table = Table(title=f"reports in Chromium, median of {VISITS} visits", title_justify="left")
    table.add_column("report")
    heads = (
        "MB",
        "nodes",
        "first text ms",
        "usable ms",
        "blocked ms",
        "filter ms",
        "brush ms",
        "sort ms",
    )
    for head in heads:
        table.add_column(head, justify="right")
    table.add_column("")
    for one in found:
        times = (one.paint, one.ready, one.blocked, one.filter, one.brush, one.sort)
        table.add_row(
            one.name,
            f"{one.bytes / 1e6:.2f}",
            f"{one.nodes:,}",
            *(f"{time:.0f}" for time in times),
            "" if one.within else "[red]missed[/red]",
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
