"""A row of the table is all that an audit needs: `audit`, `decide`, help and reports follow it."""

import re
from importlib.metadata import EntryPoint

import pytest

import tertium
from tertium.audit.case import Case
from tertium.audit.findings import Finding
from tertium.audit.table import AUDITS, Audit, deciding
from tertium.report.console import view_text
from tertium.report.findings import findings_view
from tests.support.corpora import corpus_of, named_systems
from tests.support.places import DOCS

REFERENCES = [f"segment {number} has some words of its own" for number in range(40)]
CORPUS = corpus_of(REFERENCES)
SYSTEMS = named_systems(base=[text[:-8] for text in REFERENCES], better=REFERENCES)
PLANTED = f"{__name__}:doubtful_leads"


def doubtful_leads(case: Case) -> list[Finding]:
    """A serious finding on every two systems, as an audit of a contributor would have it."""
    return [
        Finding(
            audit="planted",
            metric=case.metric.spec,
            systems=case.names,
            severity="serious",
            numbers={},
            meaning="the lead was planted",
            advice="Take it away.",
        )
    ]


def add(monkeypatch: pytest.MonkeyPatch, audit: Audit) -> None:
    monkeypatch.setitem(AUDITS.own, "planted", audit.function)
    monkeypatch.setattr(AUDITS, "rows", {**AUDITS.rows, "planted": audit})


def answer() -> str:
    (verdict,) = tertium.decide(CORPUS, SYSTEMS, ["bleu"]).verdicts
    return verdict.answer


@pytest.mark.parametrize("once", [False, True])
def test_a_row_without_limits_is_enough(monkeypatch: pytest.MonkeyPatch, *, once: bool) -> None:
    add(monkeypatch, Audit(function=PLANTED, once=once))
    report = tertium.audit(CORPUS, SYSTEMS, ["bleu", "wer"], only=["planted"])
    assert len(report.findings) == (1 if once else 2)
    assert "the lead was planted" in view_text(findings_view(report))


def test_a_row_that_decides_reaches_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    before = answer()
    add(monkeypatch, Audit(function=PLANTED, about="lead"))
    assert answer() == before
    add(monkeypatch, Audit(function=PLANTED, about="lead", decides=True))
    assert answer() == "do not trust" != before
    assert "planted" in tertium.decide(CORPUS, SYSTEMS, ["bleu"]).audits


def test_another_package_offers_an_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = EntryPoint(name="planted", value=PLANTED, group="tertium.audits")
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda *, group: [offered] if group == offered.group else [],
    )
    assert list(AUDITS)[-1] == "planted"
    report = tertium.audit(CORPUS, SYSTEMS, ["bleu"], only=["planted"])
    assert [finding.meaning for finding in report] == ["the lead was planted"]


@pytest.mark.parametrize("name", AUDITS.rows)
def test_the_pages_follow_the_table(name: str) -> None:
    assert AUDITS[name].summary
    page = (DOCS / "audits.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| \[?`{name}`", page, re.MULTILINE)


def test_the_page_of_decide_names_the_audits_that_decide() -> None:
    page = (DOCS / "decide.md").read_text(encoding="utf-8")
    assert f"audits asked: {', '.join(deciding(AUDITS))}\n" in page
