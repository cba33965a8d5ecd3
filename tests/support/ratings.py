"""Files of ratings and comparisons, for the tests of meta-evaluation."""

from pathlib import Path

import numpy as np

from tertium.meta.ratings.judgments import Comparisons, Judgments
from tertium.meta.ratings.rating_sets import Rankings, Ratings

RANKS = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    "system1Number,system1Id,system2Number,system2Id,system3Number,system3Id,"
    "system1rank,system2rank,system3rank"
)


def write(folder: Path, name: str, *lines: str) -> Path:
    """A file of these lines, in folders that are made if need be."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def said(one: Judgments) -> dict[str, float]:
    """The ratings of systems, rounded."""
    return dict(zip(one.systems, one.values.round(6).tolist(), strict=True))


def reasons(one: Judgments | Ratings | Rankings) -> list[str]:
    """What was left out, and how much of it."""
    return [f"{each.count} {each.reason}" for each in one.exclusions]


def comparisons(*triples: tuple[int, int, bool]) -> Comparisons:
    """Comparisons of (better, worse, tie)."""
    better, worse, tie = zip(*triples, strict=True)
    zeros = np.zeros(len(better), dtype=np.int32)
    return Comparisons(
        segment=zeros,
        judge=zeros,
        better=np.array(better),
        worse=np.array(worse),
        tie=np.array(tie),
    )
