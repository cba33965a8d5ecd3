"""Serious findings on real systems of WMT: those that reading confirms, and no others."""

from pathlib import Path

import pytest
from experiments.evidence.audits import METRICS, pools, recent_pool

import tertium
from tertium.audit import AuditReport

pytestmark = [pytest.mark.shared, pytest.mark.slow]

KNOWN = {
    # Commas and periods stand alone throughout.
    ("wmt10 de-en", "tokenized", "newssyscombtest2010.de-en.cmu"),
    ("wmt10 de-en", "tokenized", "newssyscombtest2010.de-en.huicong"),
    ("wmt12 de-en", "tokenized", "newstest2012.de-en.dfki-berlin"),
    ("wmt12 en-de", "tokenized", "newstest2012.en-de.dfki-berlin"),
    # &#39; and &quot; in every fifth line and more.
    *(
        (f"wmt12 {pair}", "entities", f"newstest2012.{pair}.onlineB")
        for pair in ("cs-en", "de-en", "es-en", "en-cs", "en-de", "en-es", "en-fr")
    ),
    ("wmt24 en-cs, refA", "entities", "ONLINE-B"),
    ("wmt24 en-hi, refA", "entities", "ONLINE-B"),
    # Sentences without an end, one after the other in one line.
    ("wmt24 en-cs, refA", "cut", "TSU-HITs"),
    ("wmt24 en-ru, refA", "cut", "TSU-HITs"),
    # A file without output, as its name says.
    ("wmt24 en-hi, refA", "empty", "ONLINE-empty"),
    ("wmt24 en-hi, refA", "missing end", "ONLINE-empty"),
    # The reference was made from its output.
    ("wmt23 he-en, refA", "reference", "ONLINE-B"),
}
"""Test set, kind and system."""


def test_serious_findings_are_those_that_reading_confirms(shared_data: Path) -> None:
    found = set()
    for name, whole in pools(shared_data):
        report = tertium.audit(
            whole.corpus, whole.systems, METRICS, only=["copies", "damage", "gaming"]
        )
        found |= {
            (name, str(one.numbers.get("kind", one.audit)), ", ".join(one.systems))
            for one in report
            if one.severity == "serious"
        }
    assert found == KNOWN


def of_pair(shared_data: Path, pair: str, *systems: str) -> AuditReport:
    whole = recent_pool(shared_data, "wmt24", pair, ["refA"]).whole
    chosen = [one for one in whole.systems if one.name in systems]
    return tertium.audit(whole.corpus, chosen, METRICS, only=["copies", "damage", "gaming"])


def test_the_rival_of_online_b_is_not_accused(shared_data: Path) -> None:
    """ONLINE-B has entities in 185 lines, and TranssionMT is the same system without them."""
    serious = [
        one
        for one in of_pair(shared_data, "en-hi", "ONLINE-B", "TranssionMT")
        if one.severity == "serious"
    ]
    assert [(one.audit, one.systems) for one in serious] == [("damage", ("ONLINE-B",))]
    assert len(serious[0].numbers["segments"]) == 185


def test_refusals_of_a_chat_model_are_found(shared_data: Path) -> None:
    (finding,) = [
        one
        for one in of_pair(shared_data, "en-ru", "Claude-3.5", "GPT-4", "Yandex")
        if one.numbers.get("kind") == "refusals"
    ]
    assert (finding.systems, len(finding.numbers["segments"])) == (("Claude-3.5",), 11)


def test_script_is_no_matter_of_names_and_addresses(shared_data: Path) -> None:
    """Of 24 systems into Russian those are told that write English: remarks, refusals, nonsense."""
    whole = recent_pool(shared_data, "wmt24", "en-ru", ["refA"]).whole
    report = tertium.audit(whole.corpus, whole.systems, ["wer"], only=["copies"])
    told = {
        name
        for one in report
        if one.numbers["kind"] == "script" and one.severity != "note"
        for name in one.systems
    }
    assert told == {"Claude-3.5", "CycleL", "CycleL2", "Gemini-1.5-Pro"}
