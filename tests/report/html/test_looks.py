"""How a report looks: light, dark, on a telephone, on paper, for those who cannot see it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.study.study import study
from tertium.text.corpus import System
from tertium.text.input_files import open_inputs
from tests.support.browser import visit


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More systems than colours, and ratings of five of them."""
    references = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    whole = open_inputs(references, systems).load()
    copies = [
        System(name=f"copy of {one.name}", hypotheses=one.hypotheses) for one in whole.systems
    ]
    judgments = read_judgments([str(SAMPLE / "ratings.tsv")], criteria=["fluency"], segments=92)
    result = study(
        whole.corpus,
        [*whole.systems, *copies],
        ["bleu"],
        audit=False,
        trials=20,
        most_explained=0,
        judgments=judgments,
    )
    path = tmp_path_factory.mktemp("report") / "crowd.html"
    path.write_text(report.page(result), encoding="utf-8")
    return path


def test_of_many_systems_the_pair_stands_out(browser: Browser, crowd: Path) -> None:
    with visit(browser, crowd) as opened:
        page = opened.page
        assert page.locator("#emphasis").is_visible()
        page.select_option("#first", label="dogwood")
        page.select_option("#second", label="copy of elm")
        rows = page.locator(".by-metric:visible [data-slices=length] tbody tr")
        assert rows.count() > 2
        for row in rows.all():
            assert "dogwood: " in (row.locator(".dot.first title").text_content() or "")
            assert "copy of elm: " in (row.locator(".dot.second title").text_content() or "")
            fills = row.locator(".dot").evaluate_all(
                "dots => dots.map(dot => getComputedStyle(dot).fill)"
            )
            assert len(set(fills)) == 3


def test_systems_are_filtered_by_name(browser: Browser, crowd: Path) -> None:
    with visit(browser, crowd) as opened:
        page = opened.page
        page.fill("#filter", "COPY of e")
        for rows in ("#score-table tbody tr", ".rank tbody tr"):
            shown = [row for row in page.locator(rows).all() if row.is_visible()]
            assert [row.locator("th bdi").inner_text() for row in shown] == ["copy of elm"]
        page.fill("#filter", "")
        assert page.locator("#score-table tbody tr:visible").count() == 10


@pytest.mark.parametrize(
    ("scheme", "ink"), [("light", "rgb(26, 30, 36)"), ("dark", "rgb(232, 235, 240)")]
)
def test_plots_take_the_pages_ink(browser: Browser, crowd: Path, scheme: str, ink: str) -> None:
    with visit(browser, crowd, color_scheme=scheme) as opened:
        tick = opened.page.locator("#plots .tick").first
        assert tick.evaluate("one => getComputedStyle(one).stroke") == ink


CONTRAST = """() => {
    const probe = document.body.appendChild(document.createElement('span'));
    const light = (name) => {
        probe.style.color = `var(${name})`;
        const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number);
        const [red, green, blue] = parts.map((part) => part / 255).map((value) =>
            value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ratio = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
    };
    const inks = ['--ink', '--ink-2', '--ink-3', '--accent', '--ahead', '--behind'];
    const marks = ['--match-1', '--match-2', '--match-3', '--match-4', '--insert', '--delete',
                   '--change', '--minor', '--major', '--warn-soft'];
    return [...inks.flatMap(ink => ['--card', '--bg'].map(paper => ratio(ink, paper))),
            ...marks.map(mark => ratio('--ink', mark))];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_are_readable(browser: Browser, sample: Path, scheme: str) -> None:
    with visit(browser, sample, color_scheme=scheme) as opened:
        page = opened.page
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert min(page.evaluate(CONTRAST)) >= 4.5  # WCAG 2 AA
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.click("#theme")
        after = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert before != after
        assert min(page.evaluate(CONTRAST)) >= 4.5


def test_a_telephone_can_show_it(browser: Browser, sample: Path) -> None:
    with visit(browser, sample, viewport={"width": 390, "height": 844}) as opened:
        page = opened.page
        page.click("#row-3")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        for name in ("answer", "findings", "scores", "plots", "segments", "method"):
            box = page.locator(f"#{name}").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390


def test_the_print_view(browser: Browser, sample: Path) -> None:
    with visit(browser, sample, color_scheme="dark") as opened:
        page = opened.page
        page.emulate_media(media="print")
        for hidden in ("nav", "#choices", "#list", ".toolbar >> nth=0"):
            assert not page.locator(hidden).is_visible()
        for visible in ("#answer", "#findings", "#score-table", "#method"):
            assert page.locator(visible).is_visible()
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == "rgb(255, 255, 255)"


def test_paper_has_every_plot(browser: Browser, sample: Path) -> None:
    with visit(browser, sample, color_scheme="dark") as opened:
        page = opened.page
        page.emulate_media(media="print")
        blocks = page.locator("#plots .plot-block, #plot-scatter")
        shown = [one for one in blocks.all() if one.is_visible()]
        assert len(shown) > 4
        widths = page.locator("#plots td.plot > svg.iv:visible").evaluate_all(
            "drawings => drawings.map(one => one.getBoundingClientRect().width)"
        )
        assert min(widths) > 100
        ink = "getComputedStyle(document.querySelector('#plots .tick')).stroke"
        assert page.evaluate(ink) == "rgb(26, 30, 36)"


def test_controls_have_names(browser: Browser, sample: Path) -> None:
    with visit(browser, sample) as opened:
        nameless = opened.page.evaluate(
            """() => {
                const name = (one) => one.getAttribute('aria-label') || one.labels?.length ||
                    (one.tagName === 'BUTTON' && one.textContent.trim());
                return [...document.querySelectorAll('button, select, input')]
                    .filter((one) => !name(one)).map((one) => one.outerHTML);
            }"""
        )
        assert nameless == []


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    references = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    systems = [str(SAMPLE / f"systems/{name}.txt") for name in ("alder", "birch")]
    whole = open_inputs(references, systems, documents=str(SAMPLE / "documents.tsv")).load()
    result = study(whole.corpus, whole.systems, ["bleu", "chrf", "ter"], trials=200)
    path = tmp_path_factory.mktemp("report") / "two.html"
    path.write_text(report.page(result), encoding="utf-8")
    return path


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_first_screen_is_the_answer(
    browser: Browser, two: Path, crowd: Path, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    for path, picture in ((two, ".forest tbody tr"), (crowd, ".rank tbody tr")):
        with visit(browser, path, viewport=viewport) as opened:
            page = opened.page
            wanted = page.locator(
                f"#answer .say, #answer .meter, #answer {picture} >> visible=true"
            )
            low = wanted.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
            assert len(low) > 4
            assert sum(bottom <= size[1] for bottom in low) >= 0.8 * len(low)


def test_left_is_behind_where_less_is_better_too(browser: Browser, two: Path) -> None:
    with visit(browser, two) as opened:
        rows = opened.page.locator("#answer .forest tbody tr")
        for row in rows.all():
            box, zero = (row.locator(one).bounding_box() for one in (".dot", ".zero"))
            assert box is not None
            assert zero is not None
            assert box["x"] < zero["x"]  # birch is behind alder by every metric
            sign = "+" if row.locator("th [title='lower is better']").count() else "−"
            assert row.locator("td.num").first.inner_text().startswith(sign)
            assert "behind" in (row.locator("td.num").first.get_attribute("class") or "")
