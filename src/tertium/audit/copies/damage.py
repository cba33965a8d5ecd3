"""Damaged output: empty, cut short, the same line again and again, words in a loop."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.copies.alignment import best_stretch
from tertium.audit.copies.outputs import (
    FEWEST,
    LONG,
    NOTE_SEGMENTS,
    Mask,
    Outputs,
    finding,
    severity_of,
    shown,
)
from tertium.audit.findings import Finding, Severity

NEARLY_NOTHING: Final = 0.2
"""Of the reference's words, at most this share is left in an output that says next to nothing."""
CUT: Final = 0.85
"""Of the reference's words, what an output with an open end has at most to be called cut."""
OPEN_ENDS: Final = 0.2
"""Where more of a system's whole outputs have no end mark, an open end proves nothing …"""
SHORT: Final = 0.5
"""… and only so few of the reference's words do."""
REPEATED: Final = 3
"""Different references that one and the same output stands for."""
UNLIKE_REFERENCE: Final = 0.4
"""An output as little like its reference as this is not the one right answer to many sources."""
LOOPED: Final = 8
"""Words in a loop: shorter ones are emphasis ("no, no, no, no")."""
SERIOUS_TAIL: Final = 0.02
"""Missing lines at the end of a file: a run that stopped, which is no matter of quality."""


def empties(outputs: Outputs) -> Iterator[Finding]:
    """Outputs that say nothing, or next to nothing; at the end of a file, of a run that ended."""
    for traits, name in zip(outputs.traits, outputs.names, strict=True):
        silent = (traits.words == 0) & (outputs.words >= NOTE_SEGMENTS)
        blank = (traits.characters == 0) & (outputs.words > 0)
        tail = _tail(blank)
        if tail >= NOTE_SEGMENTS and outputs.segments >= FEWEST:
            share = tail / outputs.segments
            yield finding(
                "missing end",
                (name,),
                "serious" if share >= SERIOUS_TAIL else "warning",
                size=share,
                reason=f"{name} has no output for the last {tail} segments",
                numbers={"share": share, "first": outputs.segments - tail + 1, "segments": tail},
                meaning=(
                    f"{name} has no output from segment {outputs.segments - tail + 1} to the end, "
                    f"{share:.1%} of the test set."
                ),
                advice="Look whether the run was stopped, and score the complete output.",
            )
            silent[-tail:] = False
        little = (traits.words <= NEARLY_NOTHING * outputs.words) & outputs.long
        if tail >= NOTE_SEGMENTS:
            little[-tail:] = False
        damaged = silent | little
        yield from _damage(
            outputs,
            "empty",
            name,
            damaged,
            {"empty": int(silent.sum())},
            meaning="says nothing, or next to nothing,",
            advice="Find out why; an empty line is often a source that broke the system.",
        )


def cuts(outputs: Outputs) -> Iterator[Finding]:
    """Outputs that stop in mid-sentence where the reference goes on."""
    closed = np.all([one.ends for one in outputs.references], axis=0)
    shortest = np.min([one.words for one in outputs.references], axis=0)
    # Where others have an open end too, the source has one.
    usual = np.mean([one.ends for one in outputs.traits], axis=0) >= 0.5
    asked = closed & (shortest >= LONG)
    if len(outputs.systems) > 2:
        asked &= usual
    for traits, name in zip(outputs.traits, outputs.names, strict=True):
        ratio = traits.words / np.maximum(1.0, shortest)
        whole = asked & (ratio >= CUT)
        open_ends = float(np.mean(~traits.ends[whole])) if whole.sum() >= FEWEST else 0.0
        telling = CUT if open_ends <= OPEN_ENDS else SHORT
        cut = asked & ~traits.ends & (ratio < telling) & (ratio > NEARLY_NOTHING)
        yield from _damage(
            outputs,
            "cut",
            name,
            cut,
            {"open_ends": open_ends},
            meaning="stops in mid-sentence",
            advice="Look for a limit on the length of output, or of input.",
        )


def repeats(outputs: Outputs) -> Iterator[Finding]:
    """One output for many different segments, which it fits badly."""
    first = outputs.references[0].fingerprint
    meant = first if outputs.sources is None else outputs.sources.fingerprint
    for number, (traits, name) in enumerate(zip(outputs.traits, outputs.names, strict=True)):
        unlike = (outputs.likeness[number] < UNLIKE_REFERENCE) & (traits.words > 0)
        places = np.flatnonzero(unlike & (outputs.words >= NOTE_SEGMENTS))
        prints, group = np.unique(traits.fingerprint[places], return_inverse=True)
        different = np.unique(np.stack([group, meant[places]], axis=1), axis=0)[:, 0].astype(int)
        counts = np.bincount(different, minlength=len(prints))
        repeated = np.zeros(outputs.segments, bool)
        repeated[places[(counts >= REPEATED)[group]]] = True
        if not repeated.any():
            continue
        most = places[group == int(counts.argmax())]
        text = outputs.systems[number].hypotheses[int(most[0])] or ""
        yield from _damage(
            outputs,
            "repeated",
            name,
            repeated,
            {"text": text, "times": len(most)},
            meaning=f"is the same line for different sources, such as “{_short(text)}”,",
            advice="Read the line: stock phrases are what systems say when they do not know.",
        )


def loops(outputs: Outputs) -> Iterator[Finding]:
    """Words that come again and again in one line, as they do not in the reference."""
    looped = np.max([one.looped for one in outputs.references], axis=0)
    for number, (traits, name) in enumerate(zip(outputs.traits, outputs.names, strict=True)):
        found = (traits.looped >= LOOPED) & (traits.looped > 2 * looped)
        if not found.any():
            continue
        worst = int(np.argmax(np.where(found, traits.looped, 0)))
        text = outputs.systems[number].hypotheses[worst] or ""
        yield from _damage(
            outputs,
            "loop",
            name,
            found,
            {"words": int(traits.looped[found].sum()), "text": text},
            meaning=f"repeats its words in a loop, such as segment {worst + 1} “{_short(text)}”,",
            advice="Such output is worthless, but some metrics pay for it: blank it, or mend it.",
        )


def _damage(
    outputs: Outputs,
    kind: str,
    name: str,
    damaged: Mask,
    numbers: dict[str, Any],
    *,
    meaning: str,
    advice: str,
) -> Iterator[Finding]:
    """One system's finding, if enough segments are concerned, and whether they lie together."""
    count = int(damaged.sum())
    share = count / outputs.segments
    severity: Severity | None = severity_of(share, count)
    if severity is None or outputs.segments < FEWEST:
        return
    where = np.flatnonzero(damaged)
    first, last = best_stretch(np.where(damaged, 1.0, -1.0))
    inside = int(damaged[first : last + 1].sum())
    numbers = {"share": share, **numbers, "segments": (where + 1).tolist()}
    told = shown(where)
    if inside >= FEWEST and 2 * inside >= count and 3 * (last - first + 1) <= outputs.segments:
        numbers["stretch"] = {"first": first + 1, "last": last + 1, "segments": inside}
        told = f"{inside} of them in segments {first + 1} to {last + 1}"
    yield finding(
        kind,
        (name,),
        severity,
        size=share,
        reason=f"{name}'s output {meaning.partition(',')[0]} in {share:.1%} of the segments",
        numbers=numbers,
        meaning=f"{name}'s output {meaning} in {count} segments, {share:.1%} of them ({told}).",
        advice=advice,
    )


def _tail(blank: NDArray[np.bool_]) -> int:
    """How many segments at the end have no output; not where nothing has any."""
    spoken = np.flatnonzero(~blank)
    return len(blank) - 1 - int(spoken[-1]) if len(spoken) else len(blank)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
