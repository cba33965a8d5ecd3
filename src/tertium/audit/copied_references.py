"""Output that is the reference: which of the two was made from the other?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts
from tertium.audit.findings import SEVERITIES, Finding, Severity
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
    spaced,
)
from tertium.plain import Plain

# Copies of the source and of another system; and a reference that is like a system's output.

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
        [alike(column, texts, places, places) for column in outputs.corpus.references.columns], 0
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
    prints = np.stack([trait.fingerprint for trait in outputs.traits])
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
            *(system.hypotheses for system in outputs.systems),
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
    names = tuple(outputs.names[index - 1] for index in odd.tolist())
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


LEAKED_SHARES: Final[tuple[tuple[Severity, float, float], ...]] = (
    ("serious", 0.2, 0.08),
    ("warning", 0.1, 0.03),
)
"""Shares of long segments near the reference, or the reference itself, where the usual system is
unlike it. Honest systems of WMT reach 0.05; beside only one other, much weaker, system 0.13."""
EASY_SHARE: Final = 0.3
"""Where the usual system is near the reference so often, the better one may well be it for most:
recognised speech, or bulletins of a few formulas."""
ALONE_SHARES: Final[tuple[tuple[Severity, float], ...]] = (("serious", 0.9), ("warning", 0.5))
"""The same for a system without others to hold it against, or on an easy test set."""
TYPICAL: Final = -0.02
"""Text that is as like the systems as this, beside their likeness to each other, is a system's.
What people wrote for WMT08 to WMT24 is at -0.05 or less."""
LEAST_GAP: Final = 0.05
"""How far apart system and reference must lie to tell which of them wrote a text …"""
ERRORS: Final = 3.0
"""… and how many standard errors nearer to one of them than to the other that text must be."""


def copies_of_references(outputs: Outputs) -> Iterator[Finding]:
    """Systems whose output is the reference where it would not be expected to be."""
    long = outputs.long
    if long.sum() < FEWEST:
        return
    same = np.stack(
        [
            np.any([trait.fingerprint == each.fingerprint for each in outputs.references], axis=0)
            for trait in outputs.traits
        ]
    )
    for number, name in enumerate(outputs.names):
        usual = outputs.usual(number)
        near = long & (outputs.likeness[number] >= NEAR)
        alone = near if usual is None else near & (usual < UNLIKE)
        share, exact = (
            float((near_ones & alone).sum() / long.sum()) for near_ones in (near, same[number])
        )
        usual_share = None if usual is None else float((usual[long] >= NEAR).mean())
        severity = _leak(share, exact, usual_share, others=len(outputs.systems) - 1)
        if severity is None:
            continue
        where = np.flatnonzero(alone)
        others = "" if usual is None else ", where the usual system writes something else"
        evidence = f"({exact:.1%} to the letter; {shown(where)})"
        numbers = {
            "share": share,
            "verbatim_share": exact,
            "near_share": float(near.sum() / long.sum()),
            "usual_near_share": usual_share,
            "segments": (where + 1).tolist(),
        }
        origin = _origin(outputs, number, near)
        by = origin.author if origin else "unknown"
        copied = (
            f"{name}'s output is the reference, or all but a few letters of it, in {share:.1%} of "
            f"the segments of {LONG} words or more{others} {evidence}"
        )
        reason, conclusion, advice = _TOLD[by]
        likeness = "" if origin is None or by == "unknown" else f", {origin.told}"
        yield finding(
            "reference",
            (name,),
            severity,
            size=share,
            reason=f"{reason.format(name=name)} in {share:.1%} of the long segments",
            numbers={
                **numbers,
                "origin": by,
                **({} if origin is None else {"likeness": origin.to_dict()}),
            },
            meaning=f"{copied}: {conclusion.format(name=name)}{likeness}.",
            advice=advice.format(name=name),
        )


Author: TypeAlias = Literal["system", "reference", "unknown"]

_TOLD: Final[dict[Author, tuple[str, str, str]]] = {
    "unknown": (
        "{name}'s output is the reference",
        "one was made from the other",
        (
            "Find out whether the system has seen the references, or the references were made by "
            "editing its output; either way its score says nothing beside others."
        ),
    ),
    "system": (
        "the reference looks made from {name}'s output, which it is",
        "the reference looks as if it was made by editing {name}'s output",
        (
            "Use another reference: by this one the score of {name} says nothing beside others, "
            "and systems like it are favored."
        ),
    ),
    "reference": (
        "{name} looks copied from the reference, which it is",
        "{name} looks as if it has copied the reference",
        "Find out how the system has seen the references; its score says nothing beside others.",
    ),
}
"""By who wrote what both have in common: the reason, the conclusion and the advice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin(Plain):
    """Who wrote what a system and the reference have in common, by how like other systems it is.

    ``shared`` is the likeness of that text to the others, beside theirs to each other; ``system``
    and ``reference`` are the same of the two texts where they differ, if they do.
    """

    PLAIN = "shared system reference"

    author: Author
    shared: float
    system: float | None
    reference: float | None

    @property
    def told(self) -> str:
        """The evidence as a part of a sentence."""
        own = (
            "to judge by how like the other systems it is "
            f"({self.shared:+.2f} beside their likeness to each other"
        )
        if self.system is None or self.reference is None:
            return f"{own})"
        return (
            f"{own}; where the two differ, the system has {self.system:+.2f} and the reference "
            f"{self.reference:+.2f})"
        )


class Typicality(NamedTuple):
    """How much more like the other systems a text is than they are like each other."""

    mean: float
    error: float


def _origin(outputs: Outputs, number: int, near: Mask) -> Origin | None:
    """Who wrote the text that a system and the reference share; None if that cannot be told.

    Systems write alike, people do not. What both share is held against the system and against the
    reference in the other segments, where each wrote its own: the author is the one whose text is
    as typical of the other systems as the shared text is. Without other segments only text that is
    typical of systems can be told: a person did not write it. An odd system and a person look the
    same, and then nothing is said.
    """
    others = [other.hypotheses for index, other in enumerate(outputs.systems) if index != number]
    where = np.flatnonzero(near)
    if len(others) <= FEWEST_TO_SWAP or len(where) < FEWEST:
        return None
    output = outputs.systems[number].hypotheses
    columns = outputs.corpus.references.columns
    leaked = [alike(output, texts, every(output), every(output)) for texts in columns]
    likeness = max(leaked, key=lambda closeness: int((near & (closeness >= NEAR)).sum()))
    column = columns[next(k for k, closeness in enumerate(leaked) if closeness is likeness)]
    (shared,) = _typicality([output], others, where)
    apart = np.flatnonzero(outputs.long & (likeness < UNLIKE))
    if len(apart) < FEWEST:
        author: Author = "system" if shared.mean >= TYPICAL else "unknown"
        return Origin(author=author, shared=shared.mean, system=None, reference=None)
    system, reference = _typicality([output, column], others, apart)
    error = float(np.sqrt(shared.error**2 + system.error**2 + reference.error**2))
    nearer = abs(shared.mean - reference.mean) - abs(shared.mean - system.mean)
    told = abs(system.mean - reference.mean) >= LEAST_GAP and abs(nearer) >= ERRORS * error
    author = "unknown" if not told else "system" if nearer > 0 else "reference"
    return Origin(author=author, shared=shared.mean, system=system.mean, reference=reference.mean)


def _typicality(
    texts: Sequence[Texts], others: Sequence[Texts], where: NDArray[np.intp]
) -> list[Typicality]:
    """That of some texts in some segments, by the half of the systems that are most alike.

    Among the rest may be systems so weak that anything is more like the others than they are.
    """
    places = where[spaced(len(where), SAMPLED)].astype(np.int32)
    table = all_alike([*texts, *others], places)
    own, among = table[: len(texts), len(texts) :], table[len(texts) :, len(texts) :]
    most = np.argsort(-among.mean(axis=(1, 2)))[: max(FEWEST_TO_SWAP, (len(others) + 1) // 2)]
    usual = (among[np.ix_(most, most)].sum(axis=1) - 1).mean(axis=0) / (len(most) - 1)
    return [
        Typicality(float(excess.mean()), float(excess.std() / np.sqrt(len(places))))
        for excess in (each[most].mean(axis=0) - usual for each in own)
    ]


def _leak(share: float, exact: float, usual: float | None, *, others: int) -> Severity | None:
    """How bad it is; where nobody can say what is usual, only a whole copy is serious."""
    levels = [(severity, share >= least) for severity, least in ALONE_SHARES]
    if usual is not None and usual < EASY_SHARE:
        levels += [
            ("warning" if others == 1 else severity, share >= least or exact >= least_exact)
            for severity, least, least_exact in LEAKED_SHARES
        ]
    return min(
        (severity for severity, holds in levels if holds), key=SEVERITIES.index, default=None
    )
