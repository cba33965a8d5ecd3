"""Output that is the reference: which of the two was made from the other?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tertium.audit.copies.likeness import FEWEST_TO_SWAP, NEAR, SAMPLED, UNLIKE, all_alike
from tertium.audit.findings import SEVERITIES, Finding, Severity
from tertium.audit.outputs import FEWEST, LONG, Mask, Outputs, finding, shown
from tertium.audit.texts import spaced

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


def copies_of_references(outputs: Outputs) -> Iterator[Finding]:
    """Systems whose output is the reference where it would not be expected to be."""
    long = outputs.long
    if long.sum() < FEWEST:
        return
    same = np.stack(
        [
            np.any([one.fingerprint == each.fingerprint for each in outputs.references], axis=0)
            for one in outputs.traits
        ]
    )
    for number, name in enumerate(outputs.names):
        usual = outputs.usual(number)
        near = long & (outputs.likeness[number] >= NEAR)
        alone = near if usual is None else near & (usual < UNLIKE)
        share, exact = (float((one & alone).sum() / long.sum()) for one in (near, same[number]))
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
        if origin is None:
            yield finding(
                "reference",
                (name,),
                severity,
                size=share,
                reason=f"{name}'s output is the reference in {share:.1%} of the long segments",
                numbers=numbers,
                meaning=(
                    f"{name}'s output is the reference, or all but a few letters of it, in "
                    f"{share:.1%} of the segments of {LONG} words or more{others} {evidence}."
                ),
                advice=(
                    "Find out whether the system has seen the references, or the references were "
                    "made by editing its output; either way its score says nothing beside others."
                ),
            )
            continue
        yield finding(
            "reference",
            (name,),
            severity,
            size=share,
            reason=(
                f"the reference looks made from {name}'s output, which it is in {share:.1%} of the "
                "long segments"
            ),
            numbers={**numbers, "made_from_output": origin.to_dict()},
            meaning=(
                f"The reference looks as if it was made by editing {name}'s output: it is that, or "
                f"all but a few letters of it, in {share:.1%} of the segments of {LONG} words or "
                f"more{others} {evidence}, and what they have in common is as like the other "
                f"systems ({origin.shared:.2f} of the trigrams) as they are like each other "
                f"({origin.least:.2f} to {origin.most:.2f}), which what people write is not."
            ),
            advice=(
                f"Use another reference: by this one the score of {name} says nothing beside "
                "others, and systems like it are favoured."
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How like the other systems the text is that a system and the reference have in common."""

    shared: float
    least: float
    most: float

    def to_dict(self) -> dict[str, float]:
        """Numbers only, ready for JSON."""
        return {"likeness": self.shared, "least": self.least, "most": self.most}


def _origin(outputs: Outputs, number: int, near: Mask) -> Origin | None:
    """Whether the reference was made from a system's output, and not the output from it.

    Systems write alike, people do not. Where output and reference are the same, the other systems
    are less like that than like each other if a person wrote it. If it is more like them than a
    quarter of themselves are, a system did.
    """
    others = [one for place, one in enumerate(outputs.systems) if place != number]
    where = np.flatnonzero(near)
    if len(others) <= FEWEST_TO_SWAP or len(where) < FEWEST:
        return None
    places = where[spaced(len(where), SAMPLED)].astype(np.int32)
    columns = [one.hypotheses for one in (outputs.systems[number], *others)]
    table = all_alike(columns, places).mean(axis=2)
    shared = float(table[0, 1:].mean())
    among = (table[1:, 1:].sum(axis=1) - 1) / (len(others) - 1)
    if np.count_nonzero(among < shared) < max(2, len(others) / 4):
        return None
    return Origin(shared=shared, least=float(among.min()), most=float(among.max()))


def _leak(share: float, exact: float, usual: float | None, *, others: int) -> Severity | None:
    """How bad it is; where nobody can say what is usual, only a whole copy is serious."""
    levels = [(severity, share >= least) for severity, least in ALONE_SHARES]
    if usual is not None and usual < EASY_SHARE:
        levels += [
            ("warning" if others == 1 else severity, share >= least or exact >= least_exact)
            for severity, least, least_exact in LEAKED_SHARES
        ]
    return min((one for one, holds in levels if holds), key=SEVERITIES.index, default=None)
