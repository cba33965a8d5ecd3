"""What notebooks show of results: tables in which nothing of others is markup."""

import re
from html import unescape

import pytest

from tertium import report
from tertium.audit.audit import audit
from tertium.audit.findings import AuditReport, Finding, Severity
from tertium.cli.demo import SAMPLE
from tertium.compare import Comparison, compare
from tertium.compare.grams import WordCutter
from tertium.decide.decide import decide
from tertium.errors import MissingExtraError
from tertium.meta.ratings.files import read_judgments
from tertium.report.html.notebook import END
from tertium.report.html.wording import signed
from tertium.study.results import Study
from tertium.study.study import study
from tertium.text.corpus import Corpus, System
from tertium.text.input_files import open_inputs
from tertium.text.references import References, column_of
from tests.support.tables import cells

pytestmark = pytest.mark.slow

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def sample() -> Study:
    references = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    whole = open_inputs(references, systems, documents=str(SAMPLE / "documents.tsv")).load()
    judgments = read_judgments([str(SAMPLE / "ratings.tsv")], segments=92)
    return study(
        whole.corpus,
        whole.systems,
        ["bleu", "ter"],
        resample="segments",  # eight documents cannot show what many segments do
        trials=50,
        judgments=judgments,
    )


@pytest.fixture(scope="module")
def hostile() -> tuple[Corpus, list[System]]:
    texts = [f"{HOSTILE} word {number % 5} and <b> more" for number in range(12)]
    corpus = Corpus(references=References([column_of(texts, "references")]), name=HOSTILE)
    outputs = [
        column_of([text.replace("word", word) for text in texts], "outputs")
        for word in ("word", "ward", "<i>")
    ]
    systems = [
        System(name=f"{HOSTILE} & {number}", hypotheses=one) for number, one in enumerate(outputs)
    ]
    return corpus, systems


@pytest.mark.slow
def test_a_study_shows_scores_findings_and_agreement(sample: Study) -> None:
    shown = cells(sample._repr_html_())
    assert shown[:3] == ["system", "BLEU", "TER ↓"]
    alder = shown.index("alder")
    assert re.fullmatch(r"\d+\.\d\d ± \d+\.\d\d #1 rank 1", shown[alder + 1])
    assert sample.audit is not None
    assert sample.audit.findings[0].meaning in shown
    assert sample.agreement is not None
    assert sample.agreement.agreements[0].measured[0].text in shown


def test_a_study_is_drawn(sample: Study) -> None:
    figure = report.plot(sample, "scores", "ter")
    assert "TER" in figure.layout.title.text
    assert figure._repr_html_()


def test_a_comparison_shows_scores_and_words(sample: Study) -> None:
    found = compare(
        sample.corpus, sample.systems, ["bleu", "ter"], resample="segments", trials=1000
    )
    shown = cells(below_the_drawing(found._repr_html_()))
    heads = ["Δ ± 95 %", "raw p", "corrected p", "cluster", "ranks"]
    assert shown[:14] == [
        "scores against alder",
        "system",
        "BLEU ± 95 %",
        *heads,
        "TER ↓ ± 95 %",
        *heads,
    ]
    assert found.scores is not None
    value = found.scores.slices[0].scores[1][0]
    assert value.delta is not None
    assert value.delta_interval is not None
    assert f"{value.delta:+.2f} {value.delta_interval.text(2)}*" in shown
    assert "words gained" in shown
    assert found.words is not None
    best = found.words.differences[0].gained[0]
    assert any(one.startswith(f"{best.text} (+{best.gained} −{best.lost})") for one in shown)


def test_slices_of_a_comparison_are_named(sample: Study) -> None:
    found = compare(
        sample.corpus, sample.systems, sections=["scores"], by="genre", trials=1000, seed=1
    )
    shown = cells(below_the_drawing(found._repr_html_()))
    assert shown[1:5] == ["genre", "segments", "documents", "system"]
    assert {"all", "news", "web"} <= set(shown)


def test_a_comparison_without_tables_names_its_systems() -> None:
    found = Comparison(systems=(HOSTILE, "b"), segments=3, cutter=WordCutter())
    assert cells(found._repr_html_()) == [f"<Comparison of b with {HOSTILE}, 3 segments>"]


def test_findings_alike_are_counted() -> None:
    severities: list[Severity] = ["note", "note", "serious", "note", "warning"]
    found = [
        Finding(
            audit="deletion",
            metric="bleu",
            systems=(HOSTILE,),
            severity=severity,
            numbers={},
            meaning=f"{HOSTILE} {number}",
            advice="&amp;",
        )
        for number, severity in enumerate(severities)
    ]
    report = AuditReport(
        findings=tuple(found),
        skipped=(),
        audits=("deletion",),
        systems=(HOSTILE,),
        scores={"bleu": (1.0,)},
        segments=1,
        unit="segment",
        units=1,
        alpha=0.05,
        seed=1,
    )
    shown = cells(report._repr_html_())
    assert [one for one in shown if one.startswith(HOSTILE)] == [
        f"{HOSTILE} {number}" for number in (2, 4, 0)
    ]
    assert "… and 2 more like this" in shown
    assert "&amp;" in shown


def test_nothing_found(sample: Study) -> None:
    report = audit(sample.corpus, sample.systems[:1], ["grr"], only=["sign-test"])
    assert cells(report._repr_html_()) == ["1 audits found nothing to object to."]


def test_agreement_with_its_interval(sample: Study) -> None:
    from tertium.meta.agreement.agreement_table import agree

    found = agree(
        sample.judgments[0],
        sample.metric_scores(sample.metrics[0]),
        measures=["pearson"],
        resample="segments",
        trials=50,
    )
    shown = cells(found._repr_html_())
    assert shown[:6] == ["metric", "ratings", "criterion", "measure", "value", "over"]
    assert shown[6] == "bleu"
    assert re.fullmatch(r"0\.\d{3} \[-?\d\.\d{3}, \d\.\d{3}\]", shown[10])
    assert shown[11] == "5 systems"


def test_names_of_others_are_text(hostile: tuple[Corpus, list[System]]) -> None:
    corpus, systems = hostile
    found = study(corpus, systems, ["bleu"], trials=50)
    assert found.comparison is not None
    assert found.audit is not None
    for result in (found, found.comparison, found.audit, found.evaluation):
        shown = " ".join(cells(below_the_drawing(result._repr_html_())))
        assert HOSTILE in shown
    for drawing in (found.comparison._repr_html_(), decide(corpus, systems)._repr_html_()):
        assert "<script" not in drawing
        assert "&lt;script&gt;" in drawing


def below_the_drawing(html: str) -> str:
    """The tables of a result, without what is drawn above them."""
    return html.partition(END)[2] or html


@pytest.mark.parametrize("systems", [2, 5])
def test_a_decision_shows_its_verdicts_as_a_report_does(sample: Study, systems: int) -> None:
    found = decide(sample.corpus, sample.systems[:systems], ["bleu", "ter"], trials=200)
    shown = unescape(found._repr_html_())
    for verdict in found.verdicts:
        assert verdict.sentence in shown
        for piece in verdict.metrics:
            assert f">{signed(piece.delta, piece.metric.finer)}<" in shown
    assert shown.count('class="plot"') == 1 + 2 * (systems - 1)
    assert ("evidence: " in shown) == (systems == 2)
    # Nothing outside of the drawing looks different for it, and nothing is asked of anyone.
    styles = re.findall(r"<style>(.*?)</style>", shown, flags=re.DOTALL)
    assert [one.partition("{")[0].strip() for one in styles] == [".tertium"]
    assert ":root" not in styles[0]
    assert " id=" not in shown
    assert "href=" not in shown


def test_without_jinja_results_are_told_in_words(
    sample: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = decide(sample.corpus, sample.systems[:2], ["bleu"], trials=50)

    def missing() -> None:
        raise MissingExtraError("report: package 'jinja2' is not installed")

    monkeypatch.setattr("tertium.report.html.notebook.templates", missing)
    assert cells(found._repr_html_()) == [found.verdicts[0].sentence]
