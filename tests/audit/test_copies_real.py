"""The audit of copies on systems of WMT: what is known of them, and what is planted."""

import sys
from pathlib import Path

import pytest

import tertium
from tertium.audit import AuditReport, Finding
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tests.support.audit.planted_faults import FAULTS, Planted, Texts
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.shared

SETS = {
    **{
        f"wmt12 {pair}": (["wmt12/newstest2012-ref.en"], f"wmt12/system-outputs/{pair}/*", "")
        for pair in ("cs-en", "de-en", "es-en")
    },
    **{
        f"wmt17 {pair}": (
            [f"wmt17/newstest2017-{pair.replace('-', '')}-ref.en"],
            f"wmt17/system-outputs/{pair}/*",
            "",
        )
        for pair in ("de-en", "ru-en", "tr-en")
    },
    "wmt17 en-de": (
        ["sacrebleu/wmt17-en-de/reference.gz"],
        "sacrebleu/wmt17-en-de/newstest2017.*",
        "",
    ),
    "wmt23 zh-en": (
        ["wmt23/references/zh-en.refA.txt"],
        "wmt23/system-outputs/zh-en/*.txt",
        "wmt23/sources/zh-en.txt",
    ),
    "wmt23 he-en": (
        ["wmt23/references/he-en.refA.txt", "wmt23/references/he-en.refB.txt"],
        "wmt23/system-outputs/he-en/*.txt",
        "wmt23/sources/he-en.txt",
    ),
}
"""References, systems and, where there are any, sources."""

KNOWN = {
    # The first reference was made by editing what ONLINE-B wrote: true, and about the reference.
    ("wmt23 he-en", "serious", "reference", ("ONLINE-B",)),
    # Two thirds of what they write and more is the same.
    ("wmt23 zh-en", "warning", "system", ("HW-TSC", "ONLINE-B")),
    ("wmt23 zh-en", "warning", "system", ("HW-TSC", "Yishu")),
    ("wmt23 zh-en", "warning", "system", ("ONLINE-B", "Yishu")),
}
"""What is told of real systems that is worse than a note: set, severity, kind, systems."""


def real(shared_data: Path, name: str) -> Chunk:
    references, systems, source = SETS[name]
    files = sorted(shared_data.glob(systems))
    return open_inputs(
        [str(shared_data / one) for one in references],
        [str(one) for one in files if "ref" not in one.name],
        source=str(shared_data / source) if source else None,
    ).load()


def copies(whole: Chunk) -> AuditReport:
    return tertium.audit(whole.corpus, whole.systems, ["bleu[order=1]"], only=["copies"])


def told(report: AuditReport) -> list[Finding]:
    return [one for one in report if one.severity != "note"]


@pytest.mark.parametrize("name", SETS)
def test_real_systems(shared_data: Path, name: str) -> None:
    """Nothing is serious but what is known to be."""
    report = copies(real(shared_data, name))
    for one in report:
        sys.stdout.write(f"{name}: {one.severity}: {one.meaning}\n")
    found = {(name, one.severity, one.numbers["kind"], one.systems) for one in told(report)}
    assert found == {one for one in KNOWN if one[0] == name}


def texts_of(whole: Chunk) -> Texts:
    """As faults are planted into them."""
    sources = whole.corpus.sources
    references = [one or "" for one in whole.corpus.references.columns[0].to_list()]
    return Texts(
        [""] * len(whole) if sources is None else [one or "" for one in sources.to_list()],
        references,
        {one.name: [text or "" for text in one.hypotheses.to_list()] for one in whole.systems},
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_faults_planted_into_real_systems(shared_data: Path, name: str) -> None:
    whole = real(shared_data, name)
    texts = texts_of(whole)
    victim = list(texts.systems)[len(texts.systems) // 3]
    missed = []
    for fault_name, fault in FAULTS.items():
        if fault.kind == "source" and whole.corpus.sources is None:
            continue
        found = _planted(texts, victim, fault)
        if not any(fault.kind == one.numbers["kind"] and victim in one.systems for one in found):
            missed.append(fault_name)
    # That reference is edited output, so that nothing tells which of two systems' texts it is.
    assert missed == (["swapped"] if name == "wmt23 he-en" else [])


def _planted(texts: Texts, victim: str, fault: Planted) -> AuditReport:
    planted = fault.plant(texts, victim)
    sources = planted.sources if any(planted.sources) else None
    corpus = corpus_of(planted.references, sources=sources)
    systems = named_systems(**planted.systems)
    return tertium.audit(corpus, systems, ["bleu[order=1]"], only=["copies", "damage"])


def test_which_reference_is_the_near_one(shared_data: Path) -> None:
    """ONLINE-B of he-en is found beside the first reference, and not beside the second."""
    whole = real(shared_data, "wmt23 he-en")
    for column, expected in zip(whole.corpus.references.columns, [["ONLINE-B"], []], strict=True):
        corpus = corpus_of([text or "" for text in column.to_list()])
        report = tertium.audit(corpus, whole.systems, ["bleu[order=1]"], only=["copies"])
        leaked = [one for one in report if one.numbers["kind"] == "reference"]
        assert [name for one in leaked for name in one.systems] == expected
        assert all(one.numbers["origin"] == "system" for one in leaked)


@pytest.mark.parametrize("name", [name for name in SETS if name != "wmt23 he-en"])
@pytest.mark.parametrize("fault", ["references", "edited reference"])
def test_who_has_seen_what_people_wrote(shared_data: Path, name: str, fault: str) -> None:
    """A system that copies a person's reference is not taken for its origin."""
    texts = texts_of(real(shared_data, name))
    victim = list(texts.systems)[len(texts.systems) // 2]
    (leaked,) = (
        one for one in _planted(texts, victim, FAULTS[fault]) if one.numbers["kind"] == "reference"
    )
    assert leaked.systems == (victim,)
    assert leaked.numbers["origin"] != "system"


@pytest.mark.parametrize("name", [name for name in SETS if name != "wmt23 he-en"])
def test_a_reference_that_was_made_by_editing_output(shared_data: Path, name: str) -> None:
    """Of the best system's output every third line is replaced by what a person wrote.

    Where nothing tells the two apart, nothing is concluded, and never the contrary.
    """
    whole = real(shared_data, name)
    texts = texts_of(whole)
    scores = tertium.evaluate(whole.corpus, whole.systems, ["chrf"]).systems
    origin = max(scores, key=lambda one: one.scores[0].value).system
    pairs = zip(texts.systems[origin], texts.references, strict=True)
    edited = [person if i % 3 == 0 else output for i, (output, person) in enumerate(pairs)]
    systems = named_systems(**texts.systems)
    report = tertium.audit(corpus_of(edited), systems, ["bleu[order=1]"], only=["copies"])
    leaked = {one.systems[0]: one for one in report if one.numbers["kind"] == "reference"}
    concluded = f"made by editing {origin}'s output" in leaked[origin].meaning
    assert concluded == (leaked[origin].numbers["origin"] == "system")
    assert leaked[origin].numbers["origin"] != "reference"
    assert leaked[origin].severity == "serious"
