"""Audit: is the output a translation at all, and of these segments?

It looks at texts alone, whatever the metric, and at everything once: what can be seen of each text
is found by the core in one pass.
"""

from typing import Final

from tertium.audit.case import Case
from tertium.audit.copies.alignment import misorders, reordered, shifted_lines, shifts
from tertium.audit.copies.language import (
    LANGUAGE_EXTRA,
    identifier,
    is_installed,
    wrong_languages,
    wrong_scripts,
)
from tertium.audit.copies.likeness import (
    FEWEST_TO_SWAP,
    Sample,
    copies_of_sources,
    copies_of_systems,
    swapped,
)
from tertium.audit.copies.references import copies_of_references
from tertium.audit.damage.damage import damage
from tertium.audit.findings import Finding
from tertium.audit.outputs import FEWEST, Outputs, annotated
from tertium.installation import install_hint
from tertium.plurals import counted

CAUSES: Final = {
    "script": ("source",),
    "language": ("source", "script", "order"),
    "strange words": ("order",),
}
"""Kinds of findings that are mere echoes of others: untranslated output is in another language."""


def copies(case: Case) -> list[Finding]:
    """Findings on output that is no translation of its own; none of them depends on the metric."""
    if annotated(case):
        return []
    outputs = Outputs.of_case(case)
    broken = [
        *copies_of_sources(outputs),
        *copies_of_references(outputs),
        *shifts(outputs, shifted_lines(case), misorders(case)),
        *reordered(outputs, misorders(case)),
        *wrong_scripts(outputs),
        *wrong_languages(outputs, identifier),
    ]
    broken = _without_echoes(broken)
    # A broken system is like no other, which says nothing about the reference.
    told = (*broken, *damage(case))
    known = {name for one in told if one.severity != "note" for name in one.systems}
    sample = Sample.of(outputs)
    exchanged = [one for one in swapped(outputs, sample) if known.isdisjoint(one.systems)]
    return [*broken, *copies_of_systems(outputs, sample), *exchanged]


def _without_echoes(found: list[Finding]) -> list[Finding]:
    """Without what only follows from a graver fault of the same system."""
    graver = {(*one.systems, one.numbers["kind"]) for one in found}
    return [
        one
        for one in found
        if not any((*one.systems, cause) in graver for cause in CAUSES.get(one.numbers["kind"], ()))
    ]


def left_out(case: Case) -> list[str]:
    """What the audit could not look for, and why."""
    if reason := annotated(case):
        return [f"everything: {reason}"]
    if len(case.corpus) < FEWEST:
        return [f"everything: {counted(len(case.corpus), 'segment')}, at least {FEWEST} are needed"]
    result = []
    if case.corpus.sources is None:
        result.append("copies of the source: no sources were given")
    if len(case.systems) < FEWEST_TO_SWAP:
        few = f"{len(case.systems)} of at least {FEWEST_TO_SWAP} systems that are needed"
        result.append(f"reference and system exchanged: {few}")
    if not is_installed():
        hint = install_hint(LANGUAGE_EXTRA)
        result.append(f"wrong language, but for wrong script and strange words: {hint}")
    return result
