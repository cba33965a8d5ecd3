"""What the AMBER tables have in common: variants against people, beside the paper's figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from experiments.data import WMT12, WMT17, Data
from experiments.sections import MISSING, Table, change, number
from tertium.meta.ratings.judgments import MetricScores

DATA_NOTE: Final = (
    "Spearman's ρ with people's ranking of systems (sys) and the consistency rate, the share of "
    "people's preferences between two outputs that the metric shares (sent), each averaged over "
    "language pairs. The paper's dev set is WMT08 into English, its tests are WMT09 and WMT10 into "
    "English and WMT10 from English; here it is WMT12 (cs-en, de-en, es-en), and for systems also "
    "WMT17 with direct assessment (de-en, ru-en, tr-en). Δ is the difference to the first row."
)
AS_BEFORE: Final = (
    "Data, measures and columns are those of Table 3 above, the metric is AMBER(1,4,6)."
)
LEVELS: Final = (("sys", "systems"), ("sent", "segments"))
"""The paper's names of the levels, and those of the fields here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreements:
    """Of one variant: system and segment level on WMT12, system level on WMT17."""

    systems: float
    segments: float
    later: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Two decimals as printed: dev, tests and Δ at system and at segment level."""

    systems: tuple[str, str, str]
    segments: tuple[str, str, str]


NOT_THERE: Final = Paper(systems=(MISSING,) * 3, segments=(MISSING,) * 3)


def agreements(data: Data, source: str, variants: Mapping[str, str]) -> dict[str, Agreements]:
    """Every variant on all test sets; their statistics are among those of ``source``."""
    scores = {
        name: data.variants(name, source, variants, segments=name in WMT12)
        for name in (*WMT12, *WMT17)
    }
    return {key: measured(data, {n: found[key] for n, found in scores.items()}) for key in variants}


def measured(data: Data, scores: Mapping[str, MetricScores]) -> Agreements:
    """One metric's agreement, given its scores on all test sets."""
    return Agreements(
        systems=_mean(data.agreement(name, "rank", scores[name]) for name in WMT12),
        segments=_mean(data.agreement(name, "rank", scores[name], "consistency") for name in WMT12),
        later=_mean(data.agreement(name, "da", scores[name]) for name in WMT17),
    )


def table(found: Mapping[str, Agreements], paper: Mapping[str, Paper], heading: str) -> Table:
    """Two rows for each variant, as in the paper; differences are to the first variant."""
    base = next(iter(found.values()))
    rows = []
    for key, one in found.items():
        theirs = paper.get(key, NOT_THERE)
        lead = [one.systems - base.systems, one.segments - base.segments]
        delta = [MISSING if one is base else change(value, 3) for value in lead]
        later = number(one.later, 3)
        rows += [
            [key, "sys", number(one.systems, 3), delta[0], later, *theirs.systems],
            ["", "sent", number(one.segments, 3), delta[1], MISSING, *theirs.segments],
        ]
    theirs_too = (f"paper: {part}" for part in ("dev", "tests", "Δ"))
    return Table(columns=[heading, "level", "WMT12", "Δ", "WMT17", *theirs_too], rows=rows)


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
