"""Audit: is a segment judged by itself, or by the company it is in? (Chiang et al. 2008)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case
from tertium.audit.findings import Finding
from tertium.audit.sign_test import replaced

NAME: Final = "context"
LEAST_SHARE: Final = 0.01
SERIOUS_SHARE: Final = 0.1


def context(case: Case) -> list[Finding]:
    """The share of segments where B's output for A's raises A's score and lowers B's.

    More exactly, where A's corpus says that B's output is the better one and B's corpus says
    that A's is, or each finds its own better. 0 for every decomposable metric.
    """
    shares = {(a, b): dependence(case, a, b) for a, b in case.pairs}
    if not shares:
        return []
    (a, b), share = max(shares.items(), key=lambda item: item[1])
    if share < LEAST_SHARE:
        return []
    first, second = case.names[a], case.names[b]
    crossed = np.flatnonzero(_crossed(case, a, b)) + 1
    median = float(np.median(list(shares.values())))
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=(first, second),
            severity="serious" if share >= SERIOUS_SHARE else "warning",
            size=share,
            numbers={
                "share": share,
                "segments": crossed.tolist(),
                "median_share": median,
                "pairs": {
                    f"{case.names[i]} / {case.names[j]}": part for (i, j), part in shares.items()
                },
            },
            meaning=(
                f"In {share:.1%} of the segments, whether {first}'s or {second}'s output is better "
                f"depends on the other segments it is scored with: those of the two systems give "
                f"opposite answers "
                f"(median over all pairs: {median:.1%})."
            ),
            advice=(
                "Do not read this metric segment by segment (sign tests, reranking, best of "
                "n); use one that is a mean of segment scores, such as GRR, WRR or TER."
            ),
        )
    ]


def dependence(case: Case, a: int, b: int) -> float:
    """The share of segments on which the two corpora disagree."""
    crossed = _crossed(case, a, b)
    return float(np.mean(crossed)) if len(crossed) else 0.0


def _crossed(case: Case, a: int, b: int) -> NDArray[np.bool_]:
    """Whether each corpus finds the other's output better, or each its own."""
    into_first, into_second = replaced(case, a, b)
    crossed: NDArray[np.bool_] = into_first.effects * into_second.effects > 0
    return crossed
