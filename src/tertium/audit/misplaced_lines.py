"""Output that belongs to other segments: shifted from some line on, or in another order.

A shift is a lost or an added line. Another order is what sorting, shuffling or a join by the wrong
column leaves: the outputs fit references that are anywhere in the file. For both, outputs that are
hardly more like their references than strangers are held against other references.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case
from tertium.audit.findings import Finding
from tertium.audit.outputs import (
    FEWEST,
    WARNING_SHARE,
    Mask,
    Numbers,
    Outputs,
    alike,
    finding,
    spaced,
)

Lines: TypeAlias = NDArray[np.intp]

REACH: Final = 20
"""Lines up and down in which the lost reference is looked for."""
WINDOW: Final = 5
"""Neighbouring lines that are looked at together, and the shortest shift that is told: a sentence
or two may well be in the next line by mere segmentation."""
ASKED: Final = 32
"""Segments that are held against all references in reach."""
VOTES: Final = 3
"""Of those, how many must agree on where their reference is."""
LEAST_GAIN: Final = 0.1
"""How much more like the other line's reference than its own a shifted output is on average."""
MOST_SHIFTS: Final = 3
ORDERED_WORDS: Final = 5
"""Words of an output and of its reference without which it may fit others by chance."""
LOST_SHARE: Final = 0.05
"""Of the outputs that could be known, how many must be like strangers to their references, before
a few of these are held against all references. Weak systems of WMT have a tenth of them, and find
no other place for them."""
PEAK: Final = 0.1
"""How much more like one reference than like its own and any other an output is that has its place
there."""
ORDERED_SHARE: Final = 0.4
"""Of the outputs asked about, how many must have found their place."""
_ORDER_ADVICE: Final = (
    "Join the files by a key (JSONL or TSV with a column such as doc_id or segment_id), or bring "
    "the lines into one order, and score again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Lines ``first`` to ``last``, from 0, whose references are ``by`` lines further down."""

    first: int
    last: int
    by: int
    gain: float


def shifted_lines(case: Case) -> list[list[Shift]]:
    """The shifts of every system."""

    def build() -> list[list[Shift]]:
        outputs = Outputs.of_case(case)
        if outputs.segments < FEWEST:
            return [[] for _ in outputs.systems]
        chance = _chance(outputs)
        return [found_shifts(outputs, number, chance) for number in range(len(outputs.systems))]

    return case.kept_for_all("shifts", build)


def shifts(
    outputs: Outputs, known: Sequence[Sequence[Shift]], orders: Sequence["Misorder | None"]
) -> Iterator[Finding]:
    """Systems with lines that belong elsewhere, of which ``known`` has the stretches.

    In a file in another order some lines are a few lines away by chance.
    """
    for name, stretches, order in zip(outputs.names, known, orders, strict=True):
        for run in stretches if order is None else ():
            lines = run.last - run.first + 1
            share = lines / outputs.segments
            away = f"{abs(run.by)} line{'s' if abs(run.by) > 1 else ''}"
            way = "up" if run.by > 0 else "down"
            where = "further down" if run.by > 0 else "further up"
            yield finding(
                "shift",
                (name,),
                "serious" if share >= WARNING_SHARE else "warning",
                size=share,
                reason=(
                    f"{name} is shifted by {away} from segment {run.first + 1} to {run.last + 1}"
                ),
                numbers={
                    "first": run.first + 1,
                    "last": run.last + 1,
                    "by": run.by,
                    "share": share,
                    "gain": run.gain,
                },
                meaning=(
                    f"{name} is shifted {way} by {away} from segment {run.first + 1} to "
                    f"{run.last + 1}: these outputs fit the references {away} {where}."
                ),
                advice=(
                    f"Look at line {run.first + 1} of its file for a line that is missing, empty "
                    "or broken in two, and score the mended file."
                ),
            )


def found_shifts(outputs: Outputs, number: int, chance: float) -> list[Shift]:
    """The shifts of one system, from the longest; ``chance`` is the likeness of strangers."""
    likeness = outputs.likeness[number]
    free = np.ones(outputs.segments, bool)
    shifts: list[Shift] = []
    while len(shifts) < MOST_SHIFTS:
        stretch = _longest(outputs, number, _strange(likeness, chance) & free, free)
        if stretch is None:
            break
        shifts.append(stretch)
        free[stretch.first : stretch.last + 1] = False
    return shifts


def _chance(outputs: Outputs) -> float:
    """How like each other references of different segments are."""
    places = np.array(spaced(outputs.segments, 100), np.int32)
    others = (places + outputs.segments // 2) % outputs.segments
    column = outputs.corpus.references.columns[0]
    return float(np.mean(alike(column, column, places, others.astype(np.int32))))


def _strange(likeness: Numbers, chance: float) -> Mask:
    """Segments in windows that are hardly more like their references than strangers are."""
    usual = float(np.median(likeness))
    least = chance + max(LEAST_GAIN, 0.3 * (usual - chance))
    means = np.convolve(likeness, np.full(WINDOW, 1 / WINDOW), mode="valid")
    strange = np.zeros(len(likeness), bool)
    for index in np.flatnonzero(means < least).tolist():
        strange[index : index + WINDOW] = True
    return strange


def _longest(outputs: Outputs, number: int, strange: Mask, free: Mask) -> Shift | None:
    """The longest stretch that fits the references a few lines away, if there is any."""
    candidates = np.flatnonzero(strange & (outputs.traits[number].words > 0))
    if len(candidates) < WINDOW:
        return None
    asked = candidates[spaced(len(candidates), ASKED)]
    by = _vote(outputs, number, asked)
    if by is None:
        return None
    places = np.arange(max(0, -by), outputs.segments - max(0, by))
    gains = np.full(outputs.segments, -1.0)
    own = outputs.likeness[number][places]
    gains[places] = _fit(outputs, number, places, places + by) - own
    gains[~free] = -1.0
    first, last = best_stretch(gains - 0.02)
    gain = float(gains[first : last + 1].mean())
    if last - first + 1 < WINDOW or gain < LEAST_GAIN:
        return None
    return Shift(first=first, last=last, by=by, gain=gain)


def _vote(outputs: Outputs, number: int, asked: Lines) -> int | None:
    """How many lines away most of the segments find a reference that fits much better."""
    away = np.array([by for by in range(-REACH, REACH + 1) if by])
    ours = np.repeat(asked, len(away))
    theirs = ours + np.tile(away, len(asked))
    inside = (theirs >= 0) & (theirs < outputs.segments)
    fits = np.full(len(ours), -1.0)
    fits[inside] = _fit(outputs, number, ours[inside], theirs[inside])
    table = fits.reshape(len(asked), len(away))
    best = table.argmax(axis=1)
    better = table.max(axis=1) >= outputs.likeness[number][asked] + LEAST_GAIN
    votes = Counter(away[best[better]].tolist())
    if not votes:
        return None
    by, count = votes.most_common(1)[0]
    return by if count >= VOTES else None


def _fit(outputs: Outputs, number: int, ours: Lines, theirs: Lines) -> Numbers:
    """How like the nearest of other segments' references some outputs are."""
    left, right = ours.astype(np.int32), theirs.astype(np.int32)
    texts = outputs.systems[number].hypotheses
    columns = outputs.corpus.references.columns
    best: Numbers = np.max([alike(texts, column, left, right) for column in columns], axis=0)
    return best


@dataclass(frozen=True, slots=True, kw_only=True)
class Misorder:
    """A system whose outputs fit references elsewhere: about which ``share``, with an example."""

    share: float
    segment: int
    fits: int


def misorders(case: Case) -> list[Misorder | None]:
    """For every system whether it is in another order than the references."""

    def build() -> list[Misorder | None]:
        outputs = Outputs.of_case(case)
        if outputs.segments < FEWEST:
            return [None] * len(outputs.systems)
        chance, shifts = _chance(outputs), shifted_lines(case)
        return [_misorder(outputs, number, chance, own) for number, own in enumerate(shifts)]

    return case.kept_for_all("misorders", build)


def _misorder(
    outputs: Outputs, number: int, chance: float, shifts: Sequence[Shift]
) -> Misorder | None:
    likeness, words = outputs.likeness[number], outputs.traits[number].words
    asked = (outputs.words >= ORDERED_WORDS) & (words >= ORDERED_WORDS)
    unexplained = asked & (likeness < chance + LEAST_GAIN)
    for shift in shifts:
        unexplained[shift.first : shift.last + 1] = False
    lost = np.flatnonzero(unexplained)
    if len(lost) < FEWEST or len(lost) < LOST_SHARE * asked.sum():
        return None
    some = lost[spaced(len(lost), FEWEST)]
    fits = _fit(
        outputs,
        number,
        np.repeat(some, outputs.segments),
        np.tile(np.arange(outputs.segments), len(some)),
    ).reshape(len(some), outputs.segments)
    best = fits.argmax(axis=1)
    most = fits.max(axis=1)
    # Lines that are the same, or nearly so, are no rivals of each other.
    texts = outputs.references[0].fingerprint
    rivals = np.where(texts[np.newaxis] == texts[best][:, np.newaxis], -1.0, fits).max(axis=1)
    is_peak = (most >= likeness[some] + PEAK) & (most >= rivals + PEAK)
    if is_peak.mean() < ORDERED_SHARE:
        return None
    share = float(is_peak.mean()) * len(lost) / max(1, int(asked.sum()))
    clearest = int(np.argmax(np.where(is_peak, most, -1.0)))
    return Misorder(share=share, segment=int(some[clearest]) + 1, fits=int(best[clearest]) + 1)


def reordered(outputs: Outputs, known: Sequence[Misorder | None]) -> Iterator[Finding]:
    """Systems in another order than the references; or the references, if all systems are."""
    names = outputs.names
    misordered = [
        (name, misorder)
        for name, misorder in zip(names, known, strict=True)
        if misorder is not None
    ]
    if len(misordered) >= 2 and 2 * len(misordered) > len(names):
        example = misordered[0][1]
        share = min(misorder.share for _, misorder in misordered)
        yield finding(
            "order",
            (),
            "serious",
            size=share,
            reason="the reference is in another order than the systems",
            numbers={"share": share, "example": _example(example)},
            meaning=(
                f"The reference is in another order than {len(misordered)} of {len(names)} "
                "systems: "
                f"{misordered[0][0]}'s output of segment {example.segment} fits the reference of "
                f"segment {example.fits}, and so on in about {share:.0%} of the segments."
            ),
            advice=_ORDER_ADVICE,
        )
        return
    for name, misorder in misordered:
        yield finding(
            "order",
            (name,),
            "serious",
            size=misorder.share,
            reason=f"{name} is in another order than the reference",
            numbers={"share": misorder.share, "example": _example(misorder)},
            meaning=(
                f"{name} is in another order than the reference: its output of segment "
                f"{misorder.segment} fits the reference of segment {misorder.fits}, and so on in "
                f"about {misorder.share:.0%} of the segments."
            ),
            advice=_ORDER_ADVICE,
        )


def _example(misorder: Misorder) -> dict[str, int]:
    return {"segment": misorder.segment, "fits": misorder.fits}


def best_stretch(gains: Numbers) -> tuple[int, int]:
    """The first and last place of the stretch with the largest sum (Kadane).

    >>> best_stretch(np.array([-1.0, 2.0, -1.0, 3.0, -5.0, 1.0]))
    (1, 3)
    """
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    lowest = np.minimum.accumulate(sums[:-1])
    last = int(np.argmax(sums[1:] - lowest))
    first = int(np.flatnonzero(sums[: last + 1] == lowest[last])[-1])
    return first, last
