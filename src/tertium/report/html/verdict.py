"""The first screen of a report: the sentence, how sure it is, its picture, and what to mind.

Of two systems it is the verdict on the second beside the first given, and a forest plot. Of more
it is the first tier and a plot of possible ranks; sentences about pairs wait until the reader has
chosen one. People's ratings decide the order where there are any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from tertium.audit.findings import SEVERITIES, Finding, Severity, named
from tertium.decide.evidence import MetricEvidence
from tertium.decide.strength import verdict_strength
from tertium.decide.verdict import Verdict, reason_of
from tertium.plurals import counted
from tertium.report.html.charts import (
    Chip,
    Effect,
    ForestPlot,
    Lane,
    Lean,
    Meter,
    Panel,
    RankPlot,
    forest,
    rank_plot,
)
from tertium.report.html.wording import signed, without_folders
from tertium.study.answer import Answer, DoubtGroup
from tertium.study.pair_verdicts import pair_verdict
from tertium.study.results import Study
from tertium.study.standings import (
    RankStanding,
    RatedSystems,
    leading_strength,
    metric_standings,
    rated_systems,
)

LONGEST_SAY: Final = 100
"""Characters of a sentence that is said whole at the top; of a longer one its claim."""
MOST_CHIPS: Final = 4
LONGEST_CHIP: Final = 48
MOST_LISTED: Final = 3
"""Systems of a tier that the sentence names."""
MOST_PAIRS: Final = 900
"""Pairs whose verdicts a page holds, in both directions: 30 systems. Of more systems it holds the
pairs with the first given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstScreen:
    """``say`` in large letters, ``why`` below; one of the two plots, or none of one system."""

    say: str
    why: str
    meters: tuple[Meter, ...]
    chips: tuple[Chip, ...]
    forest: ForestPlot | None = None
    rank: RankPlot | None = None
    rank_note: str = ""


def first_screen(study: Study, answer: Answer, groups: Sequence[DoubtGroup]) -> FirstScreen:
    """What the page opens with."""
    chips = tuple(_chips(study, groups))
    rated = rated_systems(study)
    if len(study.systems) == 1:
        return FirstScreen(say=answer.headline, why="", meters=(), chips=chips)
    if len(study.systems) == 2:
        return _of_two(study, answer, chips, rated)
    return _of_many(study, answer, chips, rated)


# Two systems: the verdict and a forest plot.


def _of_two(
    study: Study, answer: Answer, chips: tuple[Chip, ...], rated: Sequence[RatedSystems]
) -> FirstScreen:
    if study.decision is None:
        return FirstScreen(say=answer.headline, why="", meters=(), chips=chips)
    verdict = study.decision.verdicts[0]
    say, why = sentence_parts(verdict)
    people = "".join(answer.headline.partition(verdict.sentence)[2:]).strip()
    return FirstScreen(
        say=say,
        why=" ".join(filter(None, (why, people))),
        meters=pair_meters(verdict, rated, (0, 1)),
        chips=chips,
        forest=study_forest(study, 0, 1, rated),
    )


def study_forest(
    study: Study, baseline: int, system: int, rated: Sequence[RatedSystems] | None = None
) -> ForestPlot:
    """The forest plot of any two systems, people's ratings first."""
    verdict, pair = pair_verdict(study, baseline, system), (baseline, system)
    known = rated_systems(study) if rated is None else rated
    effects = [*rating_effects(known, pair), *metric_effects(verdict)]
    return forest(verdict.system, verdict.baseline, effects)


def sentence_parts(verdict: Verdict) -> tuple[str, str]:
    """What is said in large letters, and what below them, with what caps the evidence."""
    cap = verdict_strength(verdict).cap
    capped = f"Evidence is {verdict_strength(verdict).strength} at most: {cap}." if cap else ""
    sentence = without_folders(verdict.sentence)
    if len(sentence) <= LONGEST_SAY:
        return _upper(sentence), capped
    return _upper(f"{without_folders(verdict.claim)}."), " ".join(
        filter(None, (_as_sentence(without_folders(verdict.grounds)), capped))
    )


def _as_sentence(grounds: str) -> str:
    """Grounds that stand in brackets within a sentence, where they stand alone.

    >>> _as_sentence("(this test set detects 0.44 BLEU or more).")
    'This test set detects 0.44 BLEU or more.'
    """
    if not (grounds.startswith("(") and grounds.endswith(").")):
        return grounds
    return f"{grounds[1:2].upper()}{grounds[2:-2]}."


def _upper(sentence: str) -> str:
    """A sentence of ours begins with a capital, one with a system's name as that is written."""
    ours = sentence.startswith(("the metrics", "do not"))
    return f"{sentence[:1].upper()}{sentence[1:]}" if ours else sentence


def pair_meters(
    verdict: Verdict, rated: Sequence[RatedSystems], pair: tuple[int, int]
) -> tuple[Meter, ...]:
    """How strong the evidence is: people's, where they rated both, and the metrics'."""
    found = verdict_strength(verdict)
    people = [_people_meter(ratings, pair) for ratings in rated[:1] if _rates(ratings, pair)]
    label = "Metrics" if people else "Evidence"
    return (*people, Meter(strength=found.strength, label=label, note=found.note))


def _rates(ratings: RatedSystems, pair: tuple[int, int]) -> bool:
    return bool(np.isfinite(ratings.values[list(pair)]).all())


def _people_meter(ratings: RatedSystems, pair: tuple[int, int]) -> Meter:
    delta = float(ratings.values[pair[1]] - ratings.values[pair[0]])
    ends = ratings.interval(*pair)
    sure = ends is not None and (ends[0] > 0 or ends[1] < 0)
    return Meter(
        strength="weak" if ends is None else "strong" if sure else "none",
        label="People",
        note=f"{signed(delta)} {ratings.criterion}",
    )


def metric_effects(verdict: Verdict) -> list[Effect]:
    """A row of a forest plot for every metric of a verdict."""
    doubted = {doubt.evidence.metric.spec: doubt.reason for doubt in verdict.doubts}
    aside = {piece.metric.spec for piece in verdict.aside}
    return [
        _effect(piece, doubted.get(piece.metric.spec, ""), aside=piece.metric.spec in aside)
        for piece in verdict.metrics
    ]


def _effect(piece: MetricEvidence, doubt: str, *, aside: bool) -> Effect:
    finer, ends = piece.metric.finer, piece.interval
    lean: Lean = "unsure"
    if piece.direction != "level" and not doubt and not aside:
        lean = "ahead" if piece.direction == "better" else "behind"
    gains = None
    if ends is not None:
        gains = (ends.low, ends.high) if piece.sign > 0 else (-ends.high, -ends.low)
    note = f"does not count: {doubt}" if doubt else "does not count beside them" if aside else ""
    shown = piece.metric.shown
    tips = [
        without_folders(piece.metric.spec),
        f"{shown(piece.baseline)} → {shown(piece.system)}",
        f"corrected p {piece.p_text}" if piece.adjusted is not None else piece.p_text,
        f"detectable {shown(piece.detectable)}" if piece.detectable else "",
        note,
    ]
    return Effect(
        title=without_folders(piece.title),
        gain=piece.gain,
        ends=gains,
        delta_text=signed(piece.delta, finer),
        interval_text=""
        if ends is None
        else f"{signed(ends.low, finer)} … {signed(ends.high, finer)}",
        lean=lean,
        detectable=piece.detectable,
        agree=None if piece.worth is None else piece.worth.share,
        agree_text="" if piece.worth is None else str(piece.worth),
        lower_is_better=not piece.metric.higher_is_better,
        words="too few units" if piece.interval is None else "no difference in any resample",
        tip="; ".join(filter(None, tips)),
    )


def _interval_text(low: float, high: float, finer: int = 0) -> str:
    return f"{signed(low, finer)} … {signed(high, finer)}"


def rating_effects(rated: Sequence[RatedSystems], pair: tuple[int, int]) -> list[Effect]:
    """A row for every criterion by which people rated both."""
    effects = []
    for ratings in rated:
        if not _rates(ratings, pair):
            continue
        delta, ends = (
            float(ratings.values[pair[1]] - ratings.values[pair[0]]),
            ratings.interval(*pair),
        )
        lean: Lean = "unsure"
        if ends is not None and (ends[0] > 0 or ends[1] < 0):
            lean = "ahead" if delta > 0 else "behind"
        effects.append(
            Effect(
                title=ratings.criterion,
                gain=delta,
                ends=ends,
                delta_text=signed(delta),
                interval_text="" if ends is None else _interval_text(*ends),
                lean=lean,
                detectable=ratings.detectable(*pair),
                agree_text="rated here",
                people=True,
                words="no ratings of segments to test",
            )
        )
    return effects


# Three or more: tiers and possible ranks.


def _of_many(
    study: Study, answer: Answer, chips: tuple[Chip, ...], rated: Sequence[RatedSystems]
) -> FirstScreen:
    metrics = metric_standings(study)
    people = [ratings.standing for ratings in rated[:1]]
    first = (people or metrics)[0]
    return FirstScreen(
        say=_leaders_text(study, first, by_people=bool(people)),
        why=without_folders(answer.headline),
        meters=_many_meters(study, metrics, people),
        chips=chips,
        rank=_rank_plot(study, metrics, rated),
        rank_note=f"tiers by {'people: ' if people else ''}{without_folders(first.title)}",
    )


def ranks_of_study(study: Study) -> RankPlot:
    """The possible ranks of all systems, by people and by each family of metrics."""
    return _rank_plot(study, metric_standings(study), rated_systems(study))


def _rank_plot(
    study: Study, metrics: Sequence[RankStanding], rated: Sequence[RatedSystems]
) -> RankPlot:
    first = [*(ratings.standing for ratings in rated[:1]), *metrics][0]
    people = _people_panel(rated, len(study.names))
    return rank_plot(
        study.names,
        [*people, *_panels(metrics, with_people=bool(people))],
        order=first.order,
        tiers=first.tiers or (1,) * len(study.names),
    )


def _leaders_text(study: Study, first: RankStanding, *, by_people: bool) -> str:
    """Who is ahead; the tiers below are in the picture."""
    source = f"people’s ratings ({first.title})" if by_people else without_folders(first.title)
    if first.tiers is None or len({tier for tier in first.tiers if tier}) < 2:
        may = len(study.names)
        if first.intervals is not None:
            may = sum(low == 1 for low, _ in first.intervals)
        if may < len(study.names):
            return f"By {source} no tier is sure; {counted(may, 'system')} may be first."
        return f"By {source} no order of {counted(may, 'system')} is sure."
    leaders = [
        study.names[index]
        for index in first.order
        if first.ranks[index] and first.tiers[index] == 1
    ]
    if len(leaders) == 1:
        return f"{leaders[0]} is ahead of all others by {source}."
    if len(leaders) > MOST_LISTED:
        leaders = [*leaders[:MOST_LISTED], f"{len(leaders) - MOST_LISTED} more"]
    return f"{named(leaders)} are the best group by {source}."


def _many_meters(
    study: Study, metrics: Sequence[RankStanding], people: Sequence[RankStanding]
) -> tuple[Meter, ...]:
    first = [*people, *metrics][0]
    found = leading_strength(metrics, first, _serious(study, first))
    if not people:
        return (Meter(strength=found.strength, label="Evidence", note=found.note),)
    tiers = people[0].tiers
    count = len({tier for tier in tiers or () if tier})
    return (
        Meter(
            strength="weak" if tiers is None else "strong" if count > 1 else "none",
            label="People",
            note="ratings of whole systems" if tiers is None else counted(count, "tier"),
        ),
        Meter(strength=found.strength, label="Metrics", note=found.note),
    )


def _serious(study: Study, first: RankStanding) -> list[Finding]:
    """Serious findings on a system of the first tier."""
    tiers = first.tiers or ()
    leaders = {study.names[index] for index, tier in enumerate(tiers) if tier == 1}
    return [
        finding
        for finding in (() if study.audit is None else study.audit.findings)
        if finding.severity == "serious" and leaders & set(finding.systems)
    ]


def _people_panel(rated: Sequence[RatedSystems], systems: int) -> list[Panel]:
    if not rated:
        return []
    ratings = rated[0]
    note = f"{counted(ratings.segments, 'segment')}" if ratings.segments else "whole systems"
    return [
        Panel(
            title="People",
            lanes=(_lane(ratings.standing, ratings.criterion, systems, None),),
            people=True,
            note=f"{ratings.criterion}, {note}",
        )
    ]


def _panels(metrics: Sequence[RankStanding], *, with_people: bool) -> list[Panel]:
    families: dict[str, list[RankStanding]] = {}
    for standing in metrics:
        families.setdefault(standing.family, []).append(standing)
    return [
        Panel(
            title=family[:1].upper() + family[1:],
            lanes=tuple(
                _lane(
                    standing,
                    without_folders(standing.title),
                    len(standing.ranks),
                    standing.agreement if with_people else None,
                )
                for standing in members
            ),
        )
        for family, members in families.items()
    ]


def _lane(standing: RankStanding, title: str, systems: int, agreement: float | None) -> Lane:
    alone = [(rank or 1, rank or systems) for rank in standing.ranks]
    return Lane(
        title=title,
        ranks=standing.ranks,
        ranges=standing.intervals or tuple(alone),
        agreement=agreement,
    )


# What to mind.

_WEIGHTS: Final[dict[Severity, Literal["serious", "warn", "info"]]] = {
    "serious": "serious",
    "warning": "warn",
    "note": "info",
}


def _chips(study: Study, groups: Sequence[DoubtGroup]) -> list[Chip]:
    order = sorted(groups, key=lambda group: not group.first.matters)
    chips = [
        Chip(
            weight=_WEIGHTS[group.severity] if group.first.matters else "info",
            text=chip_text(group.first.finding),
            href=f"#finding-{group.audit}",
            tip=group.first.finding.meaning,
        )
        for group in order[: MOST_CHIPS - 1]
    ]
    if len(order) > len(chips):
        chips.append(Chip(weight="info", text=f"{len(order) - len(chips)} more", href="#findings"))
    if study.audit is not None and not order:
        chips.append(
            Chip(weight="ok", text=f"{len(study.audit.audits)} audits clear", href="#findings")
        )
    return sorted(chips, key=lambda chip: ("serious", "warn", "info", "ok").index(chip.weight))


def finding_chips(findings: Sequence[Finding]) -> list[Chip]:
    """The findings on a pair, the gravest first, each kind once."""
    kinds: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)):
        kinds.setdefault(finding.audit, finding)
    return [
        Chip(weight=_WEIGHTS[finding.severity], text=chip_text(finding), tip=finding.meaning)
        for finding in list(kinds.values())[:MOST_CHIPS]
    ]


def chip_text(finding: Finding) -> str:
    """A finding in a few words: the reason that a verdict gives for it, if that is short."""
    reason = reason_of(finding)
    return reason if len(reason) <= LONGEST_CHIP else finding_title(finding)


def finding_title(finding: Finding) -> str:
    """The kind of a finding, with the systems where there is room; nothing in it is quoted."""
    text = _CHIP_TEXTS.get(finding.audit, finding.audit)
    named = f"{text}: {', '.join(finding.systems)}"
    return named if finding.systems and len(named) <= LONGEST_CHIP else text


_CHIP_TEXTS: Final = {
    "copies": "copied output",
    "damage": "damaged output",
    "sign-test": "the sign test contradicts itself",
    "reversal": "the order turns on every slice",
    "licence": "surplus words pay for missing ones",
    "deletion": "segments could be left out",
    "words": "words could be left out",
    "context": "the order rests on other segments",
    "permutation": "other word orders score no less",
    "straw-men": "nonsense beats a system",
    "fragile": "a lead rests on little",
    "gaming": "a gain on one metric only",
}
"""Audit → its finding in a few words; an audit of another package is shown by its name."""


# Pairs that the reader may choose.


def chosen_pairs(study: Study) -> dict[str, Any]:
    """The key A-B has the verdict on B beside A and its forest plot, for the page's script."""
    count = len(study.systems)
    if count < 2:
        return {}
    rated = rated_systems(study)
    first = range(count) if count * (count - 1) <= MOST_PAIRS else range(1)
    return {
        f"{baseline}-{system}": _pair(study, rated, baseline, system)
        for baseline in first
        for system in range(count)
        if baseline != system
    }


def _pair(
    study: Study, rated: Sequence[RatedSystems], baseline: int, system: int
) -> dict[str, Any]:
    verdict = pair_verdict(study, baseline, system)
    say, why = sentence_parts(verdict)
    pair = (baseline, system)
    plot = study_forest(study, baseline, system, rated)
    return {
        "say": say,
        "why": why,
        "meters": [
            [meter.label, meter.boxes, meter.strength, meter.note]
            for meter in pair_meters(verdict, rated, pair)
        ],
        "band": list(plot.band),
        "rows": [
            {
                "title": row.effect.title,
                "people": row.effect.people,
                "lower": row.effect.lower_is_better,
                "lean": row.effect.lean,
                "delta": row.effect.delta_text,
                "interval": row.effect.interval_text,
                "agree": row.effect.agree,
                "width": row.agree_width,
                "told": row.effect.agree_text,
                "tip": row.effect.tip,
                "words": row.effect.words,
                "mark": None
                if row.whisker is None
                else [
                    row.whisker.start,
                    row.whisker.end,
                    row.whisker.mark,
                    row.whisker.open_start,
                    row.whisker.open_end,
                ],
            }
            for row in plot.rows
        ],
    }
