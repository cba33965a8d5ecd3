"""A study in plain words, for people who know no metrics.

It says who is ahead and how sure that is, in how many passages of a hundred each is clearly
better, shows three telling ones, counts numbers and names that were lost, and says what to do next.
Nothing is computed anew: verdicts, tiers and scores are those that experts see. A lead in a
passage is *clear* from half the distance between the lower and the upper quarter of all scores on.
No sentence here may hold a word that has to be looked up; a test has a list of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from unicodedata import decimal

import numpy as np

from tertium.audit.findings import Finding, named
from tertium.decide.strength import Strength, verdict_strength
from tertium.decide.verdict import Verdict
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.families import basis_of
from tertium.plurals import counted
from tertium.study.pair_verdicts import pair_verdict
from tertium.study.results import Study
from tertium.study.standings import (
    RatedSystems,
    leading_strength,
    metric_standings,
    rated_systems,
)

MOST_BARS: Final = 5
MOST_NAMED: Final = 3
MOST_WORDS: Final = 6
LONGEST: Final = 280
"""Letters of a passage that is shown whole without tiring anybody."""
SHORTEST: Final = 40
SHORTEST_WORD: Final = 4

Kind = Literal["ahead", "behind", "both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageShares:
    """Of the passages, the share in which a system is clearly better or worse than another."""

    system: str
    other: str
    worse: float
    equal: float
    better: float
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingPassage:
    """One segment (from 0) to read: which of the two does better there, and their texts."""

    segment: int
    kind: Kind
    title: str
    source: str
    reference: str
    outputs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """How many numbers or names each system has left out or changed, of so many."""

    what: str
    of: int
    lost: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSummary:
    """All that a reader who knows no metrics is shown; ``strength`` is that of the meter."""

    say: str
    sure: str
    strength: Strength | None
    shares: tuple[PassageShares, ...] = ()
    word: Literal["better", "closer"] = "better"
    """What programs that look at given translations can say of passages, or more than that."""
    basis: str = ""
    passages: tuple[TellingPassage, ...] = ()
    losses: tuple[Losses, ...] = ()
    kept: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    pair: tuple[str, str] = ("", "")
    """The system that passages and words are about, and the one beside it."""
    steps: tuple[str, ...] = ()


def plain_summary(study: Study) -> PlainSummary:
    """What a study says, in words for everyone."""
    losses = (*_numbers_lost(study), *_names_lost(study))
    if len(study.systems) == 1:
        return PlainSummary(
            say=f"{study.names[0]} alone: there is nothing to compare it with.",
            sure="How good it is can only be said beside another system.",
            strength=None,
            losses=losses,
            steps=("Add the output of a second system, such as the one that is used today.",),
        )
    rated = rated_systems(study)
    if len(study.systems) == 2:
        return _of_two(study, rated, losses)
    return _of_many(study, rated, losses)


# Two systems.

_SURE: Final[dict[Strength, str]] = {
    "none": "Nothing here says which of them is better.",
    "weak": "This is a hint, not more.",
    "moderate": "This is fairly sure.",
    "strong": "This is as sure as a comparison by programs can be.",
}


def _of_two(
    study: Study, rated: Sequence[RatedSystems], losses: tuple[Losses, ...]
) -> PlainSummary:
    verdict = pair_verdict(study, 0, 1)
    strength = verdict_strength(verdict).strength
    say, sure = _sentence(verdict), _SURE[strength]
    winner = verdict.winner
    ends = rated[0].interval(0, 1) if rated else None
    if ends is not None and not ends[0] <= 0 <= ends[1]:
        people = study.names[int(ends[0] > 0)]
        say = f"People who judged both found {people} better than {_other(verdict, people)}."
        same = ", and the programs agree" if winner == people else ""
        strength, winner, sure = "strong", people, f"This is sure: people decide{same}."
    elif ends is not None:
        sure = f"{sure} People who judged both found no sure difference."
    ahead = 0 if winner == verdict.baseline else 1
    return PlainSummary(
        say=say,
        sure=sure,
        strength=strength,
        **_evidence(study, ahead, [1 - ahead], _main_metric(study, verdict)),
        losses=losses,
        kept=_words(study, gained=ahead == 1),
        missed=_words(study, gained=ahead == 0),
        pair=(study.names[ahead], study.names[1 - ahead]),
        steps=_steps(
            [winner] if winner else [],
            strength,
            verdict.findings,
            people=bool(rated),
            losses=losses,
        ),
    )


def _sentence(verdict: Verdict) -> str:
    pair = f"{verdict.system} and {verdict.baseline}"
    if verdict.identical:
        return f"{pair} wrote exactly the same."
    if verdict.answer == "no difference":
        return f"{pair} are too close to tell apart."
    if verdict.answer == "metrics disagree":
        return f"Programs that grade translations contradict each other on {pair}."
    if verdict.answer == "do not trust":
        return f"{pair} differ, but not in a way that can be trusted."
    other = _other(verdict, verdict.winner)
    damaged = f", but the output of {other} is damaged" if verdict.damages else ""
    if verdict.by_overlap:
        return f"{verdict.winner} is closer to the given translations than {other}{damaged}."
    return f"{verdict.winner} translates better than {other}, programs say{damaged}."


def _other(verdict: Verdict, name: str) -> str:
    return verdict.baseline if name == verdict.system else verdict.system


def _main_metric(study: Study, verdict: Verdict) -> Metric:
    """The first metric that counts, so that passages say what the sentence says."""
    return next((piece.metric for piece in verdict.counted), study.metrics[0])


# Three and more.


def _of_many(
    study: Study, rated: Sequence[RatedSystems], losses: tuple[Losses, ...]
) -> PlainSummary:
    metrics = metric_standings(study)
    people = [ratings.standing for ratings in rated[:1]]
    first = (people or metrics)[0]
    tiers = first.tiers or (1,) * len(study.names)
    order = [index for index in first.order if first.ranks[index]]
    leaders = [study.names[index] for index in order if tiers[index] == 1]
    sure_order = len(leaders) < len(order)
    findings = _findings(study, leaders)
    strength = leading_strength(metrics, first, findings).strength
    if people:
        strength = "strong" if sure_order else "none"
    names = _listed(leaders)
    if not sure_order:
        say = f"Which of these {counted(len(order), 'system')} is best cannot be said."
    elif people:
        say = f"People who judged them found {names} best."
    else:
        say = f"{names} {_verb(leaders)} closest to the given translations."
    sure = "This is sure: people decide." if people and sure_order else _SURE_OF_MANY[strength]
    metric = study.metrics[0]
    winners = leaders if sure_order else []
    return PlainSummary(
        say=say,
        sure=sure,
        strength=strength,
        **_evidence(study, order[0], order[1 : 1 + MOST_BARS], metric),
        losses=tuple(
            _shortened(one, [study.names[i] for i in order[: 1 + MOST_BARS]]) for one in losses
        ),
        pair=(study.names[order[0]], study.names[order[1]]),
        steps=_steps(winners, strength, findings, people=bool(people), losses=losses),
    )


_SURE_OF_MANY: Final = {**_SURE, "none": "Nothing here says which of them is best."}


def _verb(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _findings(study: Study, leaders: Sequence[str]) -> list[Finding]:
    found = () if study.audit is None else study.audit.findings
    return [one for one in found if one.severity == "serious" and set(one.systems) & set(leaders)]


def _shortened(losses: Losses, names: Sequence[str]) -> Losses:
    lost = dict(losses.lost)
    return Losses(what=losses.what, of=losses.of, lost=tuple((name, lost[name]) for name in names))


# Passages: in how many each is clearly better, and which of them to read.


def _evidence(study: Study, ahead: int, others: Sequence[int], metric: Metric) -> dict[str, Any]:
    rows, by_people = _marks(study, [ahead, *others], metric)
    known = rows[np.isfinite(rows)]
    low, high = np.quantile(known, [0.25, 0.75]) if len(known) else (0.0, 0.0)
    clear = float(high - low) / 2
    shares = []
    for place, index in enumerate(others, 1):
        gains = rows[0] - rows[place]
        gains = gains[np.isfinite(gains)]
        if not len(gains):
            continue
        better = float(((gains >= clear) & (gains > 0)).mean())
        worse = float(((-gains >= clear) & (gains < 0)).mean())
        shares.append(
            PassageShares(
                system=study.names[ahead],
                other=study.names[index],
                worse=worse,
                equal=1 - better - worse,
                better=better,
                passages=len(gains),
            )
        )
    overlap = not by_people and basis_of(metric) == "overlap"
    how = (
        f"People judged {int(np.isfinite(rows[0] - rows[1]).sum())} passages"
        if by_people
        else "A program compared each passage with a given translation"
        if overlap
        else "A program judged each passage"
    )
    return {
        "shares": tuple(shares),
        "word": "closer" if overlap else "better",
        "basis": f"{how}. A lead is clear if it is at least half as large as the "
        "distance between the best and the worst quarter of all passages.",
        "passages": _telling(study, (ahead, others[0]), rows[:2], overlap=overlap),
    }


def _marks(study: Study, indices: Sequence[int], metric: Metric) -> tuple[Scores, bool]:
    """A mark for every passage, higher is better: people's where all were rated, or a metric's."""
    names = [study.names[index] for index in indices]
    for one in study.judgments:
        rated = set(names) <= set(one.systems)
        if rated and one.segments is not None and one.segments.shape[1] == len(study.corpus):
            rows = one.segments[[one.systems.index(name) for name in names]]
            if np.isfinite(rows).all(axis=0).any():
                return rows, True
    sign = 1 if metric.higher_is_better else -1
    return sign * study.segments_of(metric)[list(indices)], False


def _telling(
    study: Study, pair: tuple[int, int], marks: Scores, *, overlap: bool
) -> tuple[TellingPassage, ...]:
    """One where each does better, the difference as large as can be, and one where both fail."""
    first, second = (study.names[index] for index in pair)
    gains = marks[0] - marks[1]
    readable = np.array([SHORTEST <= len(_text(study, i)) <= LONGEST for i in range(len(gains))])
    does = "is closer to the given translation here" if overlap else "was judged better here"
    both = "are far from the given translation here" if overlap else "were judged poor here"
    wanted: list[tuple[Kind, str, Scores]] = [
        ("ahead", f"{first} {does}", gains),
        ("behind", f"{second} {does}", -gains),
        ("both", f"Both {both}", -marks.max(axis=0)),
    ]
    found: list[TellingPassage] = []
    for kind, title, keys in wanted:
        taken = {one.segment for one in found}
        known = np.where(np.isfinite(keys) & (readable | ~readable.any()), keys, -np.inf)
        order = [int(i) for i in np.argsort(-known, kind="stable") if int(i) not in taken]
        if order and known[order[0]] > (-np.inf if kind == "both" else 0):
            found.append(_passage(study, order[0], kind, title, pair))
    return tuple(found)


def _passage(
    study: Study, segment: int, kind: Kind, title: str, pair: tuple[int, int]
) -> TellingPassage:
    corpus = study.corpus
    return TellingPassage(
        segment=segment,
        kind=kind,
        title=title,
        source=(corpus.sources[segment] or "") if corpus.sources is not None else "",
        reference=next(iter(corpus.references.of_segment(segment)), ""),
        outputs=tuple(
            (study.names[index], study.systems[index].hypotheses[segment] or "") for index in pair
        ),
    )


def _text(study: Study, segment: int) -> str:
    return next(iter(study.corpus.references.of_segment(segment)), "")


# Numbers, names and words that were lost.

_NUMBER: Final = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")


def numbers_of(text: str) -> frozenset[str]:
    """The numbers of a text by their digits, without separators, which languages write differently.

    >>> sorted(numbers_of("1,000 or 1.000, ٢٥ %"))
    ['1000', '25']
    """
    return frozenset(
        "".join(str(decimal(one)) for one in number if one.isdecimal())
        for number in _NUMBER.findall(text)
    )


def _numbers_lost(study: Study) -> tuple[Losses, ...]:
    """Numbers that all references of a segment have."""
    references = study.corpus.references
    expected = [
        frozenset.intersection(*map(numbers_of, texts)) if texts else frozenset()
        for texts in (references.of_segment(i) for i in range(len(study.corpus)))
    ]
    of = sum(map(len, expected))
    if not of:
        return ()
    lost = []
    for system in study.systems:
        texts = system.hypotheses
        missing = sum(
            len(numbers - numbers_of(texts[i] or ""))
            for i, numbers in enumerate(expected)
            if numbers
        )
        lost.append((system.name, missing))
    return (Losses(what="numbers", of=of, lost=tuple(lost)),)


def _names_lost(study: Study) -> tuple[Losses, ...]:
    if study.entities is None:
        return ()
    names = [name for some in study.entities.of_segment for name in some]
    if not names:
        return ()
    lost = [
        (name, sum(not one.found[index] for one in names)) for index, name in enumerate(study.names)
    ]
    return (Losses(what="names", of=len(names), lost=tuple(lost)),)


def _words(study: Study, *, gained: bool) -> tuple[str, ...]:
    """Words of the given translations that only one of two systems has, the most telling first."""
    if study.words is None:
        return ()
    some = study.words.gained if gained else study.words.lost
    long = (one.text for one in some if len(one.text) >= SHORTEST_WORD or not one.text.isascii())
    return tuple(long)[:MOST_WORDS]


# What to do next.

_REPAIRS: Final = {
    "copies": "Ask how the output of {} was made: it repeats the given translations or the source.",
    "damage": "Have the output of {} made anew: part of it is empty, cut short or broken.",
}


def _steps(
    winners: Sequence[str],
    strength: Strength,
    findings: Sequence[Finding],
    *,
    people: bool,
    losses: Sequence[Losses],
) -> tuple[str, ...]:
    steps = [
        _REPAIRS[one.audit].format(named(list(one.systems)))
        for one in findings
        if one.audit in _REPAIRS and one.severity != "note" and one.systems
    ]
    serious = [one for one in findings if one.severity == "serious" and one.audit not in _REPAIRS]
    if serious:
        steps.append("Ask an expert about the warnings on the page for experts.")
    names = _listed(winners)
    behind = "it is" if len(winners) == 1 else "they are"
    if not winners:
        steps.append("Do not change anything because of these results.")
        steps.append("To find out more, take more texts, or let people compare them.")
    elif strength in {"none", "weak"}:
        steps.append(
            f"Before you choose {names}, let two people read the twenty passages that differ most."
        )
    else:
        steps.append(f"Go on with {names}, and read the passages in which {behind} behind.")
    if winners and not people:
        steps.append(
            "Let people who know both languages judge some passages: they have the last word."
        )
    for one in losses:
        counts = {name: count for name, count in one.lost if name in winners[:MOST_NAMED] and count}
        if counts:
            lost = named([f"{name} lost {count}" for name, count in counts.items()])
            steps.append(f"Check the {one.what}, {one.of} in all: {lost}.")
    return tuple(dict.fromkeys(steps))


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMED:
        return named(list(names))
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
