"""Damaged text is found in three scripts, the right kind of it, and in nobody else's output."""

import pytest
from experiments.evidence.audits import CASED

import tertium
from tertium.audit import AuditReport
from tests.support.audit.planted_faults import DAMAGE, Planted, Texts, honest
from tests.support.corpora import corpus_of, named_systems

VICTIM = "fir"
SCRIPTS = ["english", "chinese", "hebrew"]


def audited(texts: Texts, *, sources: bool = True) -> AuditReport:
    corpus = corpus_of(texts.references, sources=texts.sources if sources else None)
    return tertium.audit(corpus, named_systems(**texts.systems), ["wer"], only=["damage"])


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("sources", [True, False])
def test_damage_is_found(damage: Planted, script: str, *, sources: bool) -> None:
    if damage.kind in CASED and script != "english":
        pytest.skip("the script has no case")
    if damage.kind == "chatter" and not sources and damage is DAMAGE["echo of the source"]:
        pytest.skip("an echo of the source is seen beside the source")
    report = audited(damage.plant(honest(script=script), VICTIM), sources=sources)
    found = [one for one in report if one.numbers["kind"] == damage.kind]
    assert [(one.severity, one.systems, one.audit) for one in found] == [
        (damage.severity, (VICTIM,), "damage")
    ]
    assert {name for one in report for name in one.systems} == {VICTIM}


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_test_set_that_is_so_itself_is_not_accused(damage: Planted, script: str) -> None:
    """The reference and all systems have the same marks in the same segments."""
    texts = honest(script=script)
    for name in texts.systems:
        texts = damage.plant(texts, name)
    whole = texts._replace(systems={"reference": texts.references})
    references = damage.plant(whole, "reference").systems["reference"]
    assert list(audited(texts._replace(references=references))) == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_honest_systems_are_not_accused(script: str) -> None:
    assert list(audited(honest(script=script))) == []


def test_a_system_in_lower_case_on_a_test_set_in_lower_case() -> None:
    texts = honest()
    lower = texts._replace(references=[one.lower() for one in texts.references])
    assert list(audited(DAMAGE["lower case"].plant(lower, VICTIM))) == []


def test_lost_line_breaks_are_found() -> None:
    """Two paragraphs in source, references and other systems."""
    texts = honest()

    def broken(some: list[str]) -> list[str]:
        return [f"{one}\n{one}" for one in some]

    systems = {name: broken(own) for name, own in texts.systems.items()}
    joined = [one.replace("\n", " ") for one in systems[VICTIM]]
    whole = Texts(broken(texts.sources), broken(texts.references), {**systems, VICTIM: joined})
    (finding,) = audited(whole)
    assert (finding.numbers["kind"], finding.systems) == ("line breaks", (VICTIM,))


def test_damage_in_a_few_segments_is_a_note() -> None:
    texts = honest(600)
    own = [f"{one} &quot;" if i < 4 else one for i, one in enumerate(texts.systems[VICTIM])]
    (finding,) = audited(texts._replace(systems={**texts.systems, VICTIM: own}))
    assert (finding.severity, finding.numbers["segments"]) == ("note", [1, 2, 3, 4])


def test_the_mark_is_shown() -> None:
    (finding,) = audited(DAMAGE["variables"].plant(honest(), VICTIM))
    assert "“{0} " in finding.meaning
    assert "in segment 1, in 60 segments, 20.0% of them" in finding.meaning


def test_the_rival_of_a_damaged_system_is_not_accused_of_gaming() -> None:
    """Entities cost chrF more than BLEU, which undoes them in its tokenizer."""
    texts = honest()
    quoted = [f'" {one} "' for one in texts.systems["ash"]]
    damaged = [one.replace('"', "&quot;") for one in quoted]
    corpus = corpus_of([f'" {one} "' for one in texts.references])
    systems = named_systems(clean=quoted, damaged=damaged)
    report = tertium.audit(corpus, systems, ["bleu", "chrf"], only=["damage", "gaming"])
    assert [(one.audit, one.severity, one.systems) for one in report] == [
        ("damage", "serious", ("damaged",))
    ]


def test_a_decision_does_not_count_a_lead_of_a_damaged_system() -> None:
    texts = honest()
    corpus = corpus_of(texts.references)
    damaged = [f"{one} <unk>" for one in texts.references]
    systems = named_systems(plain=texts.systems["ash"], damaged=damaged)
    (verdict,) = tertium.decide(corpus, systems, ["bleu", "chrf"]).verdicts
    assert any(one.audit == "damage" for one in verdict.findings)
    assert verdict.answer == "do not trust"
