"""Minimum error rate training on the example of Moses: 1000 hypotheses, 14 features.

The texts are not used: the example has features and BLEU statistics of ten segments.
"""

from typing import Final

from case import Case
from data import SHARED

RESTARTS: Final = 20
OPTIMUM: Final = 30.4339
"""The published one; a faster search that misses it would be no search."""

_FOLDER: Final = SHARED / "nbest" / "moses" / "mert.basic" / "data"


def moses_example(_hypotheses: list[str], _references: list[str]) -> float:
    """Read the files, ascend from Moses' weights and from 20 random ones; returns BLEU."""
    from tertium.metrics.contract.table import parse_metric
    from tertium.tune import SearchOptions, mert, read_statistics

    surface = read_statistics(_FOLDER / "FEATSTAT.txt", _FOLDER / "SCORESTAT.txt")
    start = (_FOLDER / "INIT").read_text(encoding="utf-8").splitlines()[0].split()
    metric = parse_metric("bleu[smoothing=none]")
    found = mert(surface, metric, [float(word) for word in start], SearchOptions(restarts=RESTARTS))
    if found.score < OPTIMUM:
        raise ValueError(f"found BLEU {found.score:.4f}, expected {OPTIMUM} at least")
    return found.score


CASES: Final = (
    (
        Case(
            name="mert",
            title=f"MERT, Moses' example, {RESTARTS} restarts",
            ours=moses_example,
            peers=(),
            sizes=(10,),
            seconds=1.0,
        ),
    )
    if _FOLDER.is_dir()
    else ()
)
