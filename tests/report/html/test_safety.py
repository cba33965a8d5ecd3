"""A report asks no one, uploads nothing, and runs nothing of what it shows."""

from pathlib import Path

from playwright.sync_api import Browser

from tertium import report
from tertium.study.study import study
from tertium.text.corpus import Corpus, System
from tertium.text.references import References, column_of
from tests.support.browser import found, visit

HOSTILE = [
    "<script>window.harmed = 1</script>",
    "</script><script>window.harmed = 2</script>",
    "<img src=x onerror='window.harmed = 3'>",
    "\"><svg onload='window.harmed = 4'>",
    "{{ 7 * 7 }} &lt;b&gt; <b>bold</b>",
    "<a href='javascript:window.harmed = 5'>link</a>",
]


def test_it_opens_without_asking_anyone(browser: Browser, sample: Path) -> None:
    with visit(browser, sample) as opened:
        assert opened.requests == [sample.as_uri()]
        assert opened.complaints == []
        assert opened.page.locator("#answer .verdict .say").inner_text()
        assert opened.page.locator("#score-table tbody tr").count() == 5
        assert found(opened.page) == "92 of 92 segments."
        assert opened.page.locator("#plot-scatter circle.point").count() == 92
        assert opened.complaints == []


def test_hostile_text_is_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    texts = [f"{text} words {number}" for number, text in enumerate(HOSTILE)]
    corpus = Corpus(
        references=References([column_of(texts, "references")]),
        name=HOSTILE[0],
        sources=column_of(texts, "sources"),
        documents=tuple(HOSTILE),
        genres=tuple([HOSTILE[1], HOSTILE[2]] * 3),
        ids=tuple(HOSTILE),
    )
    outputs = column_of([text[::-1] + text for text in texts], "outputs")
    systems = [System(name=name, hypotheses=outputs) for name in HOSTILE]
    result = study(corpus, systems, ["bleu"], trials=50, command=HOSTILE[1])
    path = tmp_path / "hostile.html"
    path.write_text(report.page(result), encoding="utf-8")
    with visit(browser, path, viewport={"width": 1300, "height": 9000}) as opened:
        page = opened.page
        for number in range(len(HOSTILE)):
            page.click(f"#row-{number}")
            detail = page.inner_text("#detail")
            assert " ".join(texts[number].split()) in " ".join(detail.split())
        assert page.locator("#plot-lengths").is_visible()
        page.wait_for_timeout(300)
        assert page.evaluate("window.harmed === undefined")
        assert (
            page.locator("#detail a, #detail img, #detail svg, main svg a, main svg script").count()
            == 0
        )
        assert opened.complaints == []
        assert opened.requests == [path.as_uri()]
        assert HOSTILE[0] in page.inner_text("#score-table")


def test_a_script_from_data_is_forbidden(browser: Browser, sample: Path) -> None:
    with visit(browser, sample, expected=("Content Security Policy",)) as opened:
        page = opened.page
        page.evaluate(
            """() => {
                const script = document.createElement('script');
                script.textContent = 'window.harmed = 1';
                document.body.append(script);
            }"""
        )
        assert page.evaluate("window.harmed === undefined")
        assert any("Content Security Policy" in one for one in opened.complaints)
