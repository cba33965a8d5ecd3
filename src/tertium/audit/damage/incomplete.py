"""Incomplete output: empty, cut short, the same line again and again, words in a loop."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.outputs import FEWEST, LONG, NOTE_SEGMENTS, Mask, Outputs

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
MISSING_END: Final = "missing end"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Damage:
    """One kind of damage in the output of one system, and the segments that have it.

    ``meaning`` completes "the system's output …"; ``numbers`` are more evidence than the segments.
    """

    kind: str
    system: int
    segments: Mask = field(repr=False)
    meaning: str
    advice: str
    numbers: dict[str, Any] = field(default_factory=dict, repr=False)


def incomplete(outputs: Outputs) -> Iterator[Damage]:
    """All of them."""
    yield from empties(outputs)
    yield from cuts(outputs)
    yield from repeats(outputs)
    yield from loops(outputs)


def empties(outputs: Outputs) -> Iterator[Damage]:
    """Outputs that say nothing, or next to nothing; at the end of a file, of a run that ended."""
    for number, traits in enumerate(outputs.traits):
        silent = (traits.words == 0) & (outputs.words >= NOTE_SEGMENTS)
        little = (traits.words <= NEARLY_NOTHING * outputs.words) & outputs.long
        tail = _tail((traits.characters == 0) & (outputs.words > 0))
        if tail >= NOTE_SEGMENTS:
            missing = np.zeros(outputs.segments, bool)
            missing[-tail:] = True
            silent, little = silent & ~missing, little & ~missing
            yield Damage(
                kind=MISSING_END,
                system=number,
                segments=missing,
                meaning="is missing to the end",
                advice="Look whether the run was stopped, and score the complete output.",
            )
        yield Damage(
            kind="empty",
            system=number,
            segments=silent | little,
            numbers={"empty": int(silent.sum())},
            meaning="says nothing, or next to nothing,",
            advice="Find out why; an empty line is often a source that broke the system.",
        )


def cuts(outputs: Outputs) -> Iterator[Damage]:
    """Outputs that stop in mid-sentence where the reference goes on."""
    closed = np.all([one.ends for one in outputs.references], axis=0)
    shortest = np.min([one.words for one in outputs.references], axis=0)
    # Where others have an open end too, the source has one.
    usual = np.mean([one.ends for one in outputs.traits], axis=0) >= 0.5
    asked = closed & (shortest >= LONG)
    if len(outputs.systems) > 2:
        asked &= usual
    for number, traits in enumerate(outputs.traits):
        ratio = traits.words / np.maximum(1.0, shortest)
        whole = asked & (ratio >= CUT)
        open_ends = float(np.mean(~traits.ends[whole])) if whole.sum() >= FEWEST else 0.0
        telling = CUT if open_ends <= OPEN_ENDS else SHORT
        cut = asked & ~traits.ends & (ratio < telling) & (ratio > NEARLY_NOTHING)
        yield Damage(
            kind="cut",
            system=number,
            segments=cut,
            numbers={"open_ends": open_ends},
            meaning="stops in mid-sentence",
            advice="Look for a limit on the length of output, or of input.",
        )


def repeats(outputs: Outputs) -> Iterator[Damage]:
    """One output for many different segments, which it fits badly."""
    first = outputs.references[0].fingerprint
    meant = first if outputs.sources is None else outputs.sources.fingerprint
    for number, traits in enumerate(outputs.traits):
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
        yield Damage(
            kind="repeated",
            system=number,
            segments=repeated,
            numbers={"text": text, "times": len(most)},
            meaning=f"is the same line for different sources, such as “{shortened(text)}”,",
            advice="Read the line: stock phrases are what systems say when they do not know.",
        )


def loops(outputs: Outputs) -> Iterator[Damage]:
    """Words that come again and again in one line, as they do not in the reference."""
    looped = np.max([one.looped for one in outputs.references], axis=0)
    for number, traits in enumerate(outputs.traits):
        found = (traits.looped >= LOOPED) & (traits.looped > 2 * looped)
        if not found.any():
            continue
        worst = int(np.argmax(np.where(found, traits.looped, 0)))
        text = outputs.systems[number].hypotheses[worst] or ""
        yield Damage(
            kind="loop",
            system=number,
            segments=found,
            numbers={"words": int(traits.looped[found].sum()), "text": text},
            meaning=(
                f"repeats its words in a loop, such as segment {worst + 1} “{shortened(text)}”,"
            ),
            advice="Such output is worthless, but some metrics pay for it: blank it, or mend it.",
        )


def _tail(blank: NDArray[np.bool_]) -> int:
    """How many segments at the end have no output; not where nothing has any."""
    spoken = np.flatnonzero(~blank)
    return len(blank) - 1 - int(spoken[-1]) if len(spoken) else len(blank)


def shortened(text: str, most: int = 60) -> str:
    """The beginning of a long text."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"
