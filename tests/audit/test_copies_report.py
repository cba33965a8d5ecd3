"""How findings on output are told: once, before all metrics, and in every verdict."""

import json

import pytest

import tertium
from tertium.report.console import view_text
from tertium.report.findings import findings_view
from tertium.report.html.page import page
from tertium.study.answer import doubt_groups
from tests.support.audit.planted_faults import FAULTS, honest
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.slow


def planted(fault: str) -> tuple[tertium.Corpus, list[tertium.System]]:
    texts = FAULTS[fault].plant(honest(), "fir")
    return corpus_of(texts.references), named_systems(**texts.systems)


def test_findings_are_told_once_and_first() -> None:
    corpus, systems = planted("shift")
    report = tertium.audit(corpus, systems, ["bleu", "wer"])
    assert report.audits[0] == "copies"
    (finding,) = report.of("copies")
    assert report.findings[0] == finding
    assert report.of(metric="") == (finding,)
    assert json.loads(json.dumps(finding.to_dict()))["metric"] == ""
    text = view_text(findings_view(report), None)
    assert text.startswith("output  1 serious")
    assert text.count("is shifted up by 1 line") == 1
    assert "not done: copies (copies of the source: no sources were given)" in text


def test_alone_it_leaves_out_the_metrics() -> None:
    corpus, systems = planted("shift")
    report = tertium.audit(corpus, systems, ["bleu", "wer"], only=["copies"])
    text = view_text(findings_view(report), None)
    assert "bleu" not in text
    skipping = tertium.audit(corpus, systems, ["bleu", "wer"], skip=["copies", "damage"])
    assert not skipping.of("copies")
    assert not view_text(findings_view(skipping), None).startswith("output")


@pytest.mark.parametrize(
    ("fault", "label", "reason"),
    [
        ("shift", "scores lower as submitted", "fir is shifted by 1 line from segment 1 to 299"),
        ("reference", "do not trust", "fir's output is the reference in"),
        ("missing end", "scores lower as submitted", "fir has no output for the last 20 segments"),
        (
            "script",
            "scores lower as submitted",
            "fir writes 20.0% of the segments in foreign letters (Cyrillic)",
        ),
    ],
)
def test_a_verdict_knows_of_it(fault: str, label: str, reason: str) -> None:
    corpus, systems = planted(fault)
    decision = tertium.decide(corpus, systems, ["bleu", "chrf"])
    verdict = decision["fir"]
    assert verdict.label == label
    assert reason in verdict.sentence
    assert decision["larch"].label not in {"do not trust", "scores lower as submitted"}
    assert "copies" in decision.audits


def test_the_report_has_a_card_of_its_own() -> None:
    corpus, systems = planted("shift")
    study = tertium.study(corpus, systems, ["bleu", "wer"])
    group = next(one for one in doubt_groups(study) if one.audit == "copies")
    assert (group.severity, group.first.matters, group.rest) == ("serious", True, ())
    assert "<strong>output</strong> · copies" in page(study)


@pytest.mark.parametrize(
    ("references", "outputs"),
    [
        (["a b"], ["a b"]),
        ([""], [""]),
        ([""] * 20, [""] * 20),
        (["a b c d"] * 20, [""] * 20),
        ([""] * 20, ["a b c d"] * 20),
        (["the same line of nine words again and again"] * 20,) * 2,
        (["1 2 3 4 5 6 7 8 9"] * 12, ["! ! ! ! ! ! ! ! !"] * 12),
    ],
)
def test_odd_texts(references: list[str], outputs: list[str]) -> None:
    """Nothing fails, and nothing is said of so little."""
    systems = named_systems(a=outputs, b=list(references), c=outputs)
    corpus = corpus_of(references, sources=references)
    report = tertium.audit(corpus, systems, ["wer"], only=["copies", "damage"])
    kinds = {one.numbers["kind"] for one in report}
    # Two systems are the same there; and one that never says anything lacks its end.
    assert kinds <= {"system", "source as reference", "missing end"}
    assert ("missing end" in kinds) == (references == ["a b c d"] * 20)
    if len(references) < 10:
        assert not report.findings
        assert "at least 10 are needed" in report.skipped[0].reason


def test_references_that_are_missing_and_several() -> None:
    texts = honest(60)
    references = [[one, None if i % 2 else f"{one} also"] for i, one in enumerate(texts.references)]
    corpus = corpus_of(references, sources=texts.sources)
    report = tertium.audit(corpus, named_systems(**texts.systems), ["wer"], only=["copies"])
    assert not report.findings


def test_annotated_text_is_not_looked_at() -> None:
    line = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_"
    corpus, systems = corpus_of([line] * 20), named_systems(one=[line] * 20, two=[line] * 20)
    report = tertium.audit(corpus, systems, ["dependency"], only=["copies"])
    assert not report.findings
    assert [one.reason for one in report.skipped] == [
        "everything: DEP reads CoNLL-U, not plain text"
    ]
