"""What the AMBER tables have in common: variants against people, beside the paper's figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from experiments.data import FROM_ENGLISH, WMT08, WMT08_TOGETHER, WMT10, WMT12, Data
from experiments.sections import MISSING, Claim, Table, change, number
from tertium.meta.ratings.judgments import MetricScores

DEV: Final = "WMT08"
TESTS: Final = {
    "WMT10 de-en": WMT10,
    "WMT12 into English": WMT12,
    "WMT12 from English": FROM_ENGLISH,
}
SETS: Final = (DEV, *TESTS)
RANKED_SYSTEMS: Final = {DEV: (WMT08_TOGETHER,), **TESTS}
RANKED_SEGMENTS: Final = {DEV: WMT08, **TESTS}
"""Which rankings stand for a set, for systems and for segments."""

ORIGINAL: Final = (DEV, "WMT10 de-en")
DATA_NOTE: Final = (
    "Spearman's ρ with people's ranking of systems (sys) and the consistency rate, the share of "
    "people's preferences between two outputs that the metric shares (sent), each averaged over "
    "language pairs. The paper's dev set is WMT08 into English, its tests are WMT09 and WMT10 into "
    "English and WMT10 from English. WMT08 here is that dev set, as far as its outputs are there; "
    "WMT10 de-en is a part of the second test (both are *original data*). WMT12 into English "
    "(cs-en, de-en, es-en) and from English (en-cs, en-de, en-es, en-fr) stand for the other tests "
    "(*other data*). Δ is the difference to the first row in the mean of the three, which the "
    "paper's last two columns are to be held against."
)
AS_BEFORE: Final = (
    "Data, measures and columns are those of Table 3 above, the metric is AMBER(1,4,6)."
)
Level = Literal["systems", "segments"]
LEVELS: Final[tuple[tuple[str, Level], ...]] = (("sys", "systems"), ("sent", "segments"))
"""The paper's names of the levels, and those of the fields here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreements:
    """Of one variant, on every set: with the order of systems, and with preferences."""

    systems: Mapping[str, float]
    segments: Mapping[str, float]

    def at(self, level: Level, name: str) -> float:
        """On one set."""
        return (self.systems if level == "systems" else self.segments)[name]

    def tests(self, level: Level) -> float:
        """The mean of the three tests."""
        return _mean(self.at(level, name) for name in TESTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Two decimals as printed: dev, tests and Δ at system and at segment level."""

    systems: tuple[str, str, str]
    segments: tuple[str, str, str]


NOT_THERE: Final = Paper(systems=(MISSING,) * 3, segments=(MISSING,) * 3)


def agreements(
    data: Data, source: str, variants: Mapping[str, str], *, segments: bool = True
) -> dict[str, Agreements]:
    """Every variant on all sets; their statistics are among those of ``source``."""
    names = dict.fromkeys(
        name
        for ranked in (RANKED_SYSTEMS, RANKED_SEGMENTS)[: 1 + segments]
        for parts in ranked.values()
        for name in parts
    )
    scores = {
        name: data.variants(name, source, variants, segments=segments and name != WMT08_TOGETHER)
        for name in names
    }
    return {key: measured(data, {n: found[key] for n, found in scores.items()}) for key in variants}


def measured(data: Data, scores: Mapping[str, MetricScores]) -> Agreements:
    """One metric's agreement, given its scores on all parts of the sets."""

    def mean_of(ranked: Mapping[str, tuple[str, ...]], measure: str) -> dict[str, float]:
        return {
            name: _mean(data.agreement(part, "rank", scores[part], measure) for part in parts)
            for name, parts in ranked.items()
        }

    with_segments = all(
        part in scores and scores[part].segments is not None for part in RANKED_SEGMENTS[DEV]
    )
    return Agreements(
        systems=mean_of(RANKED_SYSTEMS, "spearman"),
        segments=mean_of(RANKED_SEGMENTS, "consistency") if with_segments else {},
    )


def table(found: Mapping[str, Agreements], paper: Mapping[str, Paper], heading: str) -> Table:
    """Two rows for each variant, as in the paper; differences are to the first variant."""
    base = next(iter(found.values()))
    rows = []
    for key, one in found.items():
        theirs = paper.get(key, NOT_THERE)
        for place, (short, level) in enumerate(LEVELS):
            lead = one.tests(level) - base.tests(level)
            printed = theirs.systems if level == "systems" else theirs.segments
            rows.append(
                [
                    "" if place else key,
                    short,
                    number(one.at(level, DEV), 3),
                    printed[0],
                    *(number(one.at(level, name), 3) for name in TESTS),
                    number(one.tests(level), 3),
                    printed[1],
                    MISSING if one is base else change(lead, 3),
                    printed[2],
                ]
            )
    columns = [heading, "level", "WMT08 (dev)", "paper", *TESTS, "mean of three", "paper"]
    return Table(columns=[*columns, "Δ", "paper"], rows=rows)


def better(
    text: str, found: Mapping[str, Agreements], pairs: Mapping[str, tuple[str, str]]
) -> Claim:
    """A claim that the first variant of each pair agrees more than the second, on every set."""
    outcomes = {
        name: {
            f"{title} ({short} {name})": found[one].at(level, name) > found[other].at(level, name)
            for title, (one, other) in pairs.items()
            for short, level in LEVELS
        }
        for name in SETS
    }
    return by_data(text, outcomes)


def by_data(text: str, outcomes: Mapping[str, Mapping[str, bool]]) -> Claim:
    """A claim with the outcomes of each set, put under original or other data."""
    return Claim(
        text=text,
        original={key: value for name in ORIGINAL for key, value in outcomes[name].items()},
        outcomes={
            key: value
            for name, parts in outcomes.items()
            if name not in ORIGINAL
            for key, value in parts.items()
        },
    )


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
