"""The report in a browser: direction of text, alignments, a pair that holds, room for plots."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.report.html.wording import signed
from tertium.study.pair_verdicts import pair_verdict
from tertium.study.results import Study
from tertium.study.study import study, words_and_phrases
from tertium.text.corpus import System
from tertium.text.input_files import open_inputs
from tests.support.browser import visit
from tests.support.rtl_texts import LANGUAGES, right_to_left

LONG = "a-system-whose-name-nobody-could-shorten"
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def sample() -> Study:
    """One reference, so that every row is that of a single alignment; people rated it."""
    whole = open_inputs(
        [str(SAMPLE / "reference.1.en")],
        [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    ratings = read_judgments([str(SAMPLE / "ratings.tsv")], criteria=["fluency"], segments=92)
    return study(whole.corpus, whole.systems, ["bleu", "ter", "wer", "grr"], judgments=ratings)


@pytest.fixture(scope="module")
def page_file(sample: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report.page(sample), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=LANGUAGES)
def foreign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus, systems = right_to_left(request.param)
    path = tmp_path_factory.mktemp("foreign") / f"{request.param}.html"
    made = study(corpus, systems, ["bleu", "ter", "grr"], trials=50)
    path.write_text(report.page(made), encoding="utf-8")
    return path


def choose(page: Page, **chosen: str) -> None:
    for name, label in chosen.items():
        page.select_option(f"#{name}", label=label)


# What is opened is filled when the browser has told it so, which takes a moment: ours is told after
# the page's own, and what was open from the start has been told two frames later.
OPEN_ALL = """async () => {
    const closed = [...document.querySelectorAll('#detail details')].filter(one => !one.open);
    await Promise.all(closed.map(one => new Promise(told => {
        one.addEventListener('toggle', told, {once: true});
        one.open = true;
    })));
    for (let i = 0; i < 2; ++i) await new Promise(shown => requestAnimationFrame(shown));
}"""


def open_all(page: Page) -> None:
    page.evaluate(OPEN_ALL)


DIRECTION = "node => getComputedStyle(node).direction"


def test_text_runs_to_the_left(browser: Browser, foreign: Path) -> None:
    with visit(browser, foreign) as opened:
        page = opened.page
        page.click("#row-1")  # a sentence with a name in Latin letters, in Hebrew in front
        open_all(page)
        for place in ("#detail .text", "#list .row .text", "#words td[dir]", "#detail .edits"):
            foreign_ones = [
                one for one in page.locator(place).all() if not one.inner_text().isascii()
            ]
            assert foreign_ones, place
            assert {one.evaluate(DIRECTION) for one in foreign_ones} == {"rtl"}, place
        assert page.locator("#search").get_attribute("dir") == "auto"
        # The page itself, its headings and numbers, stay as they are.
        assert page.locator("#detail h3").first.evaluate(DIRECTION) == "ltr"
        assert opened.complaints == []


@pytest.mark.parametrize("metric", ["BLEU", "TER", "GRR"])
def test_grids_run_the_way_of_reading(browser: Browser, foreign: Path, metric: str) -> None:
    with visit(browser, foreign, viewport={"width": 1600, "height": 900}) as opened:
        page = opened.page
        choose(page, metric=metric)
        page.click("#row-0")
        open_all(page)
        grid = page.locator("#detail .edits").first
        lefts = grid.locator(".pair").evaluate_all(
            "pairs => pairs.map(pair => pair.getBoundingClientRect().left)"
        )
        assert len(lefts) > 4
        assert lefts == sorted(lefts, reverse=True)
        isolated = grid.locator("bdi").evaluate_all(
            "words => words.map(word => getComputedStyle(word).unicodeBidi)"
        )
        assert set(isolated) == {"isolate"}
        numbers = grid.locator("small").all()  # "+4", which must not become "4+"
        assert {one.evaluate(DIRECTION) for one in numbers} <= {"ltr"}
        assert bool(numbers) == (metric == "GRR")


def test_english_still_runs_to_the_right(browser: Browser, page_file: Path) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        page.click("#row-3")
        open_all(page)
        texts = page.locator("#detail .text, #detail .edits").all()
        assert {one.evaluate(DIRECTION) for one in texts} == {"ltr"}


COUNTS = """grid => Object.fromEntries(['I', 'D', 'S'].map(
    kind => [kind, grid.querySelectorAll(`.pair.${kind}`).length]))"""


def test_the_picture_is_the_metrics_own(browser: Browser, page_file: Path, sample: Study) -> None:
    rows = {one.spec: sample.rows_of(one) for one in sample.metrics}
    system = sample.names.index("dogwood")
    shifts = rows["ter"][system, :, 5]
    segment = int(shifts.argmax())
    assert shifts[segment] >= 2
    with visit(browser, page_file) as opened:
        page = opened.page
        choose(page, metric="TER", first="dogwood")
        page.evaluate(
            f"location.hash = location.hash.replace(/&segment.*/, '') + '&segment={segment + 1}'"
        )
        page.locator(f"#row-{segment}[aria-selected=true]").wait_for()
        open_all(page)
        for title, spec, columns in (("TER", "ter", (2, 3, 4)), ("WER", "wer", (0, 1, 2))):
            choose(page, metric=title)
            open_all(page)
            made = page.locator("#detail details", has_text=f"Words as {title} aligns them").first
            expected = dict(zip("IDS", rows[spec][system, segment, list(columns)], strict=True))
            assert made.locator(".edits").evaluate(COUNTS) == expected
            legend = made.locator(".legend").inner_text()
            assert f"{expected['S']:.0f} substitution" in legend or not expected["S"]
            if title == "TER":
                assert f"{shifts[segment]:.0f} shifts" in legend
                assert made.locator(".edits .moved").count() >= shifts[segment]
        choose(page, metric="GRR")
        open_all(page)
        made = page.locator("#detail details", has_text="Words as GRR aligns them").first
        notes = made.locator(".edits small").all_inner_texts()
        assert sum(map(float, notes)) == pytest.approx(rows["grr"][system, segment, 0])
        choose(page, metric="BLEU")
        open_all(page)
        made = page.locator("#detail details", has_text="Edits beside each reference").first
        assert "BLEU aligns no words; these are the fewest edits" in made.inner_text()


def test_what_is_not_explained_has_no_other_alignment(
    browser: Browser, sample: Study, tmp_path: Path
) -> None:
    path = tmp_path / "bare.html"
    path.write_text(report.page(replace(sample, explanations=())), encoding="utf-8")
    with visit(browser, path) as opened:
        page = opened.page
        choose(page, metric="TER")
        page.click("#row-3")
        assert page.locator("#detail details", has_text="aligns").count() == 0
        assert page.locator("#detail details", has_text="Edits beside").count() == 0
        choose(page, metric="BLEU")
        assert page.locator("#detail details", has_text="Edits beside").count() == 2


def test_a_and_b_have_a_verdict_once_they_are_chosen(
    browser: Browser, page_file: Path, sample: Study
) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        assert page.locator("#pair .forest").count() == 0
        choose(page, first="cedar", second="elm")
        a, b = (sample.names.index(name) for name in ("cedar", "elm"))
        verdict = pair_verdict(sample, a, b)
        assert verdict.claim in page.inner_text("#pair .say")
        rows = page.locator("#pair .forest tbody tr:not(.people)")
        assert rows.count() == len(sample.metrics)
        for row in rows.all():
            title = row.locator("th bdi").inner_text()
            metric = next(one for one in sample.metrics if one.title == title)
            pairs = sample.pairs[metric.spec]
            delta = row.locator("td.num").first
            assert delta.inner_text() == signed(pairs.deltas[a, b], metric.finer)
            sure = {"ahead", "behind"} & set((delta.get_attribute("class") or "").split())
            assert bool(sure) == pairs.differ(a, b)
            assert row.locator("svg.iv .dot").count() == 1
        people = page.locator("#pair .forest tr.people")
        assert people.locator("th").inner_text() == "fluency people"
        letters = page.locator("#score-table .letter").all_inner_texts()
        names = page.locator("#score-table tbody th bdi").all_inner_texts()
        marked = {letter: name for letter, name in zip(letters, names, strict=True) if letter}
        assert marked == {"A": "cedar", "B": "elm"}
        choose(page, second="cedar")
        assert page.inner_text("#pair-shown") == "A and B are the same system."


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_no_score_is_cut_on_any_screen(browser: Browser, page_file: Path, width: int) -> None:
    with visit(browser, page_file, viewport={"width": width, "height": 800}) as opened:
        page = opened.page
        if page.locator("#all-columns").is_visible():
            page.check("#all-columns")
        cut = page.locator("#score-table td").evaluate_all(
            """cells => cells.filter(cell => !cell.checkVisibility() ||
                cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"""
        )
        assert cut == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def gram_table(page: Page, name: str) -> list[list[str]]:
    rows = page.locator(f"#grams-{name} tbody tr")
    return [one.locator("td").all_inner_texts() for one in rows.all()]


def test_words_are_those_of_a_and_b(browser: Browser, page_file: Path, sample: Study) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        for first, second in (("alder", "birch"), ("elm", "cedar"), ("alder", "birch")):
            choose(page, first=first, second=second)
            places = sample.names.index(first), sample.names.index(second)
            for kind, found in zip(
                ("words", "phrases"), words_and_phrases(sample, *places), strict=True
            ):
                for side in ("gained", "lost"):
                    expected = [
                        [one.text, str(one.gained), str(one.lost)] for one in getattr(found, side)
                    ]
                    assert gram_table(page, f"{kind}-{side}") == (expected or [["none"]])
            assert page.inner_text("#words-first") == first
            assert page.inner_text("#words-second") == second


def test_the_metric_sorts_table_and_plots_alike(browser: Browser, page_file: Path) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        for metric in ("BLEU", "WER"):
            choose(page, metric=metric)
            names = page.locator("#score-table tbody th bdi").all_inner_texts()
            shown = page.locator(".by-metric:visible .plot-block").first
            assert metric in shown.locator("h3").inner_text()
            assert shown.locator("tbody th bdi").all_inner_texts() == names


BAR = """() => Math.max(...[...document.querySelectorAll('.tabs, .choices')]
    .map(one => one.getBoundingClientRect()).filter(box => box.top < 60).map(box => box.bottom))"""
PARTS = ("answer", "findings", "scores", "plots", "words", "people", "segments")


@pytest.mark.parametrize("part", PARTS)
def test_links_land_where_they_should_on_a_phone(
    browser: Browser, page_file: Path, part: str
) -> None:
    with visit(browser, page_file, viewport=PHONE) as opened:
        page = opened.page
        page.click(f"nav a[href='#{part}']")
        page.wait_for_function(
            f"""() => {{
                const bar = ({BAR})();
                const top = document.getElementById('{part}').getBoundingClientRect().top;
                return bar <= top && top <= bar + 30;
            }}"""
        )
        bar = page.evaluate(BAR)
        top = page.evaluate(f"document.getElementById('{part}').getBoundingClientRect().top")
        assert bar <= top <= bar + 30
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_long_names_leave_room_for_plots(browser: Browser, sample: Study, tmp_path: Path) -> None:
    long = [
        System(name=f"{LONG}-{one.name}-run-{place}", hypotheses=one.hypotheses)
        for place, one in enumerate(sample.systems)
    ]
    path = tmp_path / "long.html"
    made = study(sample.corpus, long, ["bleu"], audit=False, trials=50, most_explained=0)
    path.write_text(report.page(made), encoding="utf-8")
    with visit(browser, path, viewport=PHONE) as opened:
        page = opened.page
        widths = page.locator("#plots td.plot svg:visible, #score-table td svg:visible")
        narrowest = widths.evaluate_all(
            "all => Math.min(...all.filter(one => one.matches('.iv'))"
            ".map(one => one.getBoundingClientRect().width))"
        )
        assert narrowest > 130
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_search_without_result_says_so(browser: Browser, page_file: Path) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        assert not page.locator("#nothing").is_visible()
        page.fill("#search", "no such words anywhere")
        assert page.locator("#nothing").is_visible()
        page.click("#clear")
        assert page.inner_text("#found") == "92 of 92 segments."
        assert page.input_value("#search") == ""


def test_segments_are_sorted_by_what_people_say(browser: Browser, page_file: Path) -> None:
    with visit(browser, page_file) as opened:
        page = opened.page
        page.select_option("#order", label="A rated worst first: fluency")
        ratings = shown_ratings(page)
        assert len(ratings) > 5
        assert ratings == sorted(ratings)
        page.select_option("#order", label="A rated best first: fluency")
        assert shown_ratings(page) == sorted(shown_ratings(page), reverse=True)
        assert shown_ratings(page)[0] > ratings[0]


def shown_ratings(page: Page) -> list[float]:
    """A's ratings in the list; whoever has none comes last."""
    rows = page.locator(".row .numbers").all_inner_texts()
    texts = [one.split("fluency ")[1].split(" / ")[0] for one in rows]
    rated = [text for text in texts if text != "–"]
    assert texts[: len(rated)] == rated
    return list(map(float, rated))
