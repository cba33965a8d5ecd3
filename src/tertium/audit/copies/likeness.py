"""Copies of the source and of another system; and a reference that is like a system's output."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from tertium._native import Texts
from tertium.audit.findings import Finding, Severity
from tertium.audit.outputs import (
    FEWEST,
    LONG,
    NOTE_SEGMENTS,
    WARNING_SHARE,
    Mask,
    Numbers,
    Outputs,
    Places,
    alike,
    every,
    finding,
    shown,
)
from tertium.audit.texts import spaced

NEAR: Final = 0.9
"""Trigrams in common from which on a text is another one with small edits: about two words of
twenty."""
UNLIKE: Final = 0.8
"""Below it what others write is another translation, though it may be a good one."""
SOURCE_WORDS: Final = 4
"""Words of a source that is more than a name."""
SERIOUS_SOURCE_SHARE: Final = 0.2
"""Segments left as they were; a few lines with names or quotes are left by honest systems."""
SAME_SHARE: Final = 0.5
"""Long segments in which two systems write the same. Two of one laboratory have a third."""
NEAR_SHARE: Final = 0.8
"""The same, small edits allowed: those two have two thirds."""
SAMPLED: Final = 100
"""Segments on which systems are held against each other for more than equality."""
FEWEST_TO_SWAP: Final = 3
"""Systems without which nobody can tell which of two texts is the odd one."""
AMONG: Final = 0.01
"""How much less or more like the systems than each of them a text is at most that is theirs."""
SWAPPED_GAP: Final = 0.05
"""In eight campaigns of WMT the reference is less like all systems than any of them, or within
0.03 of the worst: people write what no system writes."""


def copies_of_sources(outputs: Outputs) -> Iterator[Finding]:
    """Systems that leave segments as they are, though the reference does not."""
    sources, texts = outputs.sources, outputs.corpus.sources
    if sources is None or texts is None:
        return
    places = every(texts)
    asked = sources.words >= SOURCE_WORDS
    if asked.sum() < FEWEST:
        return
    kept = np.max(
        [alike(one, texts, places, places) for one in outputs.corpus.references.columns], 0
    )
    asked &= kept < UNLIKE
    if _kept_everywhere(kept[sources.words >= SOURCE_WORDS]):
        yield finding(
            "source as reference",
            (),
            "serious",
            size=float(np.mean(kept >= NEAR)),
            reason="the reference is the source",
            numbers={"share": float(np.mean(kept >= NEAR))},
            meaning="The reference is the source text: nearly all of its segments are the same.",
            advice="Give the translation as the reference.",
        )
        return
    for system, likeness in zip(outputs.systems, outputs.likeness, strict=True):
        copied = np.zeros(outputs.segments, bool)
        some = np.flatnonzero(asked & (likeness < UNLIKE)).astype(np.int32)
        copied[some] = alike(system.hypotheses, texts, some, some) >= NEAR
        share = float(copied.sum() / max(1, asked.sum()))
        if copied.sum() < NOTE_SEGMENTS or asked.sum() < FEWEST:
            continue
        severity: Severity = "note" if share < WARNING_SHARE else "warning"
        if share >= SERIOUS_SOURCE_SHARE:
            severity = "serious"
        where = np.flatnonzero(copied)
        yield finding(
            "source",
            (system.name,),
            severity,
            size=share,
            reason=f"{system.name}'s output is the source in {share:.1%} of the segments",
            numbers={"share": share, "segments": (where + 1).tolist()},
            meaning=(
                f"{system.name} leaves {share:.1%} of the segments untranslated: its output is the "
                f"source ({shown(where)})."
            ),
            advice="Look whether the right file was scored, and why these were not translated.",
        )


def _kept_everywhere(kept: Numbers) -> bool:
    return len(kept) >= FEWEST and float(np.mean(kept >= NEAR)) >= 0.9


def copies_of_systems(outputs: Outputs, sample: "Sample") -> Iterator[Finding]:
    """Pairs of systems that write the same, where that is not what the reference says."""
    prints = np.stack([one.fingerprint for one in outputs.traits])
    for a, b in combinations(range(len(outputs.systems)), 2):
        equal = prints[a] == prints[b]
        own = outputs.likeness[a] < NEAR
        asked = outputs.long & own
        if bool(equal.all()) and outputs.segments >= FEWEST and bool(own.any()):
            yield _same(outputs, a, b, share=1.0, near=1.0)
            continue
        if asked.sum() < FEWEST:
            continue
        share = float(equal[asked].mean())
        near = sample.near_share(a, b, asked)
        if share >= SAME_SHARE or near >= NEAR_SHARE:
            yield _same(outputs, a, b, share=share, near=near)


def _same(outputs: Outputs, a: int, b: int, *, share: float, near: float) -> Finding:
    first, second = outputs.names[a], outputs.names[b]
    if share == 1.0:
        what = f"{first} and {second} are the same output under two names."
    else:
        what = (
            f"{first} and {second} write the same in {share:.1%} of the segments of {LONG} words "
            f"or more, and the same but for small edits in about {near:.0%}."
        )
    return finding(
        "system",
        (first, second),
        "warning",
        size=max(share, near),
        reason=f"{first} and {second} write the same",
        numbers={"share": share, "near_share": near},
        meaning=what,
        advice=(
            "Look whether one file was given twice; if not, one system is built on the other, and "
            "they count as one where systems are counted."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """How like each other the first references and all systems are on some segments.

    ``likeness`` is (texts, texts, places), the references first; it is 1 of a text with itself.
    """

    places: Places = field(repr=False)
    likeness: Numbers = field(repr=False)

    @classmethod
    def of(cls, outputs: Outputs) -> "Sample":
        """Hold every two against each other."""
        places = np.array(spaced(outputs.segments, SAMPLED), np.int32)
        columns = [
            outputs.corpus.references.columns[0],
            *(one.hypotheses for one in outputs.systems),
        ]
        return cls(places=places, likeness=all_alike(columns, places))

    def near_share(self, a: int, b: int, asked: Mask) -> float:
        """Of two systems the share of segments that are the same but for small edits."""
        some = asked[self.places]
        if some.sum() < FEWEST:
            return 0.0
        return float(np.mean(self.likeness[a + 1, b + 1, some] >= NEAR))


def all_alike(columns: Sequence[Texts], places: Places) -> Numbers:
    """How like each other every two texts of some segments are: (texts, texts, places)."""
    table = np.ones((len(columns), len(columns), len(places)))
    for a, b in combinations(range(len(columns)), 2):
        table[a, b] = table[b, a] = alike(columns[a], columns[b], places, places)
    return table


def swapped(outputs: Outputs, sample: Sample) -> Iterator[Finding]:
    """The reference is more like the systems than one of them is: were the two exchanged?"""
    if len(outputs.systems) < FEWEST_TO_SWAP or len(sample.places) < FEWEST:
        return
    table = sample.likeness.mean(axis=2)
    centrality = (table.sum(axis=1) - 1) / len(outputs.systems)
    odd = np.flatnonzero(centrality < centrality[0] - SWAPPED_GAP)
    others = np.delete(np.arange(len(table)), odd)
    rest = (table[np.ix_(others, others)].sum(axis=1) - 1) / max(1, len(others) - 1)
    if not len(odd) or len(rest) < FEWEST_TO_SWAP:
        return
    # One of the systems' own texts would lie among them; what all were made from is in the middle.
    if not min(rest[1:]) - AMONG <= rest[0] <= max(rest[1:]) + AMONG:
        return
    least = int(odd[np.argmin(centrality[odd])])
    names = tuple(outputs.names[place - 1] for place in odd.tolist())
    name = " or ".join(names)
    yield finding(
        "swapped",
        names,
        "warning",
        size=float(centrality[0] - centrality[least]),
        reason=f"{name} and the reference may be exchanged",
        numbers={
            "likeness": {"reference": float(centrality[0])}
            | dict(zip(outputs.names, centrality[1:].tolist(), strict=True))
        },
        meaning=(
            f"{name} and the reference look exchanged: the reference is more like the systems' "
            f"output ({centrality[0]:.2f} of the trigrams) than {name} is "
            f"({centrality[least]:.2f}), while what people write is mostly the least like them."
        ),
        advice=(
            f"Look whether the files of {name} and of the reference changed places, or whether the "
            "reference was made from a system's output."
        ),
    )
