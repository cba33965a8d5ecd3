"""Output that is put together from the outputs of others, and the metric it was chosen by.

Reranking and minimum Bayes risk choose among outputs that exist. Where these are in the pool, a
chosen system has in each segment what one of the others has, word by word or but for small edits.
The metric that it was chosen by prefers nearly every one of its segments to what else there was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts as Column
from tertium.audit.case import Case, equal_width
from tertium.audit.copied_references import all_alike
from tertium.audit.findings import Finding, named
from tertium.audit.outputs import Mask, alike, annotated, spaced
from tertium.inference.units import Units
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Scores
from tertium.plurals import counted
from tertium.scored.scored import Scored
from tertium.text.corpus import Corpus, System

# How many segments each system wins over each other one, under every metric.

LEAST_SEGMENTS: Final = 30
"""With fewer segments that differ, a share of them says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WonSegments:
    """Shares of segments that the first of two systems wins; all arrays are (metrics, S, S).

    Only segments count in which some metric tells the two outputs apart, and in which this metric
    has scored both; a tie is half a win. ``gains`` are the shares as distances of two normal
    distributions (their quantiles), so that all metrics have one unit whatever theirs is; where
    fewer than ``LEAST_SEGMENTS`` differ, they are NaN. ``clustering`` is the variance of a share
    when whole units are drawn, by that of single segments. ``distances``, (S, S), say how unlike
    the segment scores of two systems are; ``lengths``, (S,), are in any unit.
    """

    metrics: tuple[Metric, ...]
    shares: Scores = field(repr=False)
    counts: NDArray[np.intp] = field(repr=False)
    clustering: Scores = field(repr=False)
    distances: Scores = field(repr=False)
    lengths: Scores = field(repr=False)

    @property
    def gains(self) -> Scores:
        """The shares as distances of two normal distributions (their quantiles)."""
        with scipy_for("the audit 'gaming'"):
            from scipy.special import ndtri  # takes longer to import than all the rest

        quantiles: Scores = ndtri(self.shares)
        return quantiles

    def error(self, metric: int, pair: tuple[int, int], gain: float | None = None) -> float:
        """The standard error of a gain, or what it would be if the gain were another one.

        What wins every segment has a share without spread. So whether it wins too many is asked
        of the gain that was expected.
        """
        with scipy_for("the audit 'gaming'"):
            from scipy.special import ndtr

        own = (metric, *pair)
        share = float(ndtr(self.gains[own] if gain is None else gain))
        variance = self.clustering[own] * share * (1 - share) / (self.counts[own] + 1)
        return float(np.sqrt(variance) / _density(share))


def won_segments(
    scored: Scored, units: Units, *, damaged: NDArray[np.bool_], lengths: Scores
) -> WonSegments:
    """All pairs of systems under all metrics, by their segment scores.

    Segments in which the output of either system is ``damaged``, (systems, segments), do not
    count: metrics differ in what they make of an HTML entity or of no output at all.
    ``lengths`` are those of all outputs of a system together.
    """
    signs = [1 if metric.higher_is_better else -1 for metric in scored.metrics]
    scores = [
        np.where(damaged, np.nan, sign * scored.segments_of(metric))
        for sign, metric in zip(signs, scored.metrics, strict=True)
    ]
    widths = [equal_width(float(np.nanmax(np.abs(score), initial=0.0))) for score in scores]
    spreads = [_spread(score) for score in scores]
    systems = len(scored.systems)
    shape = (len(scores), systems, systems)
    shares, clustering = np.full(shape, np.nan), np.ones(shape)
    counts = np.zeros(shape, dtype=np.intp)
    distances = np.zeros((systems, systems))
    for index in range(systems):
        differences = [score[index] - score for score in scores]
        won = np.stack(
            [
                _signs(difference, width)
                for difference, width in zip(differences, widths, strict=True)
            ]
        )
        known = np.stack([~np.isnan(difference) for difference in differences])
        counting = known & won.any(axis=0)
        counts[:, index] = counting.sum(axis=-1)
        shares[:, index], clustering[:, index] = _shares(won, counting, units)
        distances[index] = _distances(differences, spreads)
    shares[counts < LEAST_SEGMENTS] = np.nan
    return WonSegments(
        metrics=scored.metrics,
        shares=shares,
        counts=counts,
        clustering=clustering,
        distances=distances,
        lengths=lengths,
    )


def _signs(differences: Scores, width: float) -> NDArray[np.int8]:
    """1 for a segment won, −1 for one lost, 0 for a tie and where a score is missing."""
    with np.errstate(invalid="ignore"):
        return (differences > width).astype(np.int8) - (differences < -width).astype(np.int8)


def _shares(
    won: NDArray[np.int8], counting: NDArray[np.bool_], units: Units
) -> tuple[Scores, Scores]:
    """Shares of segments won, never 0 or 1, and how units cluster them; (metrics, systems)."""
    count = counting.sum(axis=-1)
    wins = (won.sum(axis=-1, dtype=np.int64) + count) / 2
    shares = (wins + 0.5) / (count + 1)
    if units.unit == "segment":
        return shares, np.ones_like(shares)
    apart = np.where(counting, (won + 1) / 2 - shares[..., None], 0.0)
    whole = (units.sums(apart[..., None])[..., 0] ** 2).sum(axis=-1)
    return shares, np.maximum(whole / (shares * (1 - shares) * (count + 1)), 1.0)


def _density(share: float) -> float:
    """Of the normal distribution, where it has reached this share."""
    with scipy_for("the audit 'gaming'"):
        from scipy.special import ndtri

    return float(np.exp(-(ndtri(share) ** 2) / 2) / np.sqrt(2 * np.pi))


def _spread(scores: Scores) -> float:
    known = scores[~np.isnan(scores)]
    return (float(known.std()) if len(known) else 0.0) or 1.0


def _distances(differences: Sequence[Scores], spreads: Sequence[float]) -> Scores:
    """The mean square of the differences under all metrics, each in its own unit."""
    sums = np.zeros(len(differences[0]))
    for difference, spread in zip(differences, spreads, strict=True):
        known = ~np.isnan(difference)
        squares = np.where(known, difference / spread, 0.0) ** 2
        sums += squares.sum(axis=-1) / np.maximum(known.sum(axis=-1), 1)
    return sums


Places: TypeAlias = NDArray[np.intp]
Texts: TypeAlias = NDArray[np.intp]
"""A number for each different text, (systems, segments)."""

PUT_TOGETHER: Final = 0.95
"""The share of its segments that a system must have from others. Those of WMT12, 17 and 23 have up
to 34 %, but for two in WMT23 zh-en, of which one copies the other."""
OF_ONE: Final = 0.9
"""Who has more than this from a single one is a copy, or was copied from."""
CHOSEN: Final = 0.9
"""The share of segments in which the metric must like best what was taken."""
EQUAL: Final = 1e-9


EDITED: Final = 0.75
"""Trigrams in common from which on a text may be another one with a word changed, where case and
punctuation do not count …"""
EDITED_SHARE: Final = 0.9
"""… and the share of segments that a system must have from others in that way: in a segment of few
words one that is changed is much. Honest systems reach it, too, but what they are most like is the
metric's best in 58 % of the segments at most, 74 % where the reference came from one of them."""
_UTILITIES_AT_ONCE: Final = 1 << 22
"""Systems squared times segments whose utilities are in memory."""
SAMPLED: Final = 200
"""Segments in which systems are held against each other for edits, and for minimum Bayes risk."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PutTogether:
    """A system, those that it has its segments from, and which segments these are.

    ``taken``, (systems, segments), tells from whom each segment may be taken, and ``edited`` that
    it was changed after that.
    """

    system: int
    givers: tuple[int, ...]
    segments: Mask
    taken: Mask
    edited: bool = False


def put_together(case: Case) -> tuple[PutTogether, ...]:
    """Systems that have nearly every segment from one of the others, and not all from one."""
    return case.kept_for_all("put together", lambda: tuple(_put_together(case)))


def selections(case: Case) -> list[Finding]:
    """Systems that were put together by this metric, with or without a look at the references."""
    findings: dict[int, Finding] = {}
    undecided: list[PutTogether] = []
    for suspect in put_together(case):
        scores = case.kept("segment scores", lambda: case.metric.for_segments().score(case.rows))
        finding = _chosen(case, suspect, "references", scores)
        if finding is None and not (case.metric.refusal or case.metric.needs_fit):
            if suspect.edited:
                finding = _chosen(case, suspect, "others", _sampled_utilities(case, suspect))
            else:
                undecided.append(suspect)
        if finding is not None:
            findings[suspect.system] = finding
    for suspect, preference in _beside_others(case, undecided):
        if preference.decides and suspect.system not in findings:
            findings[suspect.system] = _finding(case, suspect, "others", preference)
    return [findings[system] for system in sorted(findings)]


def _put_together(case: Case) -> Iterator[PutTogether]:
    """By texts that are the same; where these are too few, the same but for small edits."""
    numbers: dict[str | None, int] = {"": 0, None: 0}
    texts = np.array(
        [
            [numbers.setdefault(text, len(numbers)) for text in system.hypotheses.to_list()]
            for system in case.systems
        ]
    )
    edited = _edited_systems(case)
    for number, own in enumerate(texts):
        same = texts == own
        same[number] = False
        found = _from_others(texts, number, same, PUT_TOGETHER, asked=np.ones(len(own), bool))
        if found is None and number in edited:
            sampled = np.zeros(len(own), bool)
            sampled[spaced(len(own), SAMPLED)] = True
            taken = _most_alike(case, number)
            found = _from_others(texts, number, taken, EDITED_SHARE, asked=sampled)
            found = None if found is None else replace(found, edited=True)
        if found is not None:
            yield found


def _from_others(
    texts: Texts, number: int, taken: Mask, least: float, *, asked: Mask
) -> PutTogether | None:
    """Whether a system has nearly all segments asked about from others, but not all from one."""
    others = np.delete(texts, number, axis=0)
    if not len(others):
        return None
    differ: Mask = np.any(others != others[0], axis=0) & asked
    given: Mask = np.any(taken, axis=0)
    if differ.sum() < LEAST_SEGMENTS or given[differ].mean() < least:
        return None
    if taken[:, differ].mean(axis=1).max() > OF_ONE:
        return None
    givers: list[int] = []
    left = differ & given
    while left.any():
        best = int((taken & left).sum(axis=1).argmax())
        givers.append(best)
        left = left & ~taken[best]
    return PutTogether(
        system=number, givers=tuple(sorted(givers)), segments=differ & given, taken=taken
    )


def _edited_systems(case: Case) -> frozenset[int]:
    """Systems that are much like some other one in most segments."""
    if annotated(case) or len(case.systems) < 3:
        return frozenset()
    places = np.array(spaced(len(case.corpus), SAMPLED), np.int32)
    likeness = all_alike(_plain_columns(case), places)
    likeness[np.arange(len(likeness)), np.arange(len(likeness))] = 0.0
    shares = (likeness.max(axis=1) >= EDITED).mean(axis=1)
    return frozenset(np.flatnonzero(shares >= EDITED_SHARE - 0.1).tolist())


def _most_alike(case: Case, number: int) -> Mask:
    """The systems whose text a segment is most like, where it is like any; (systems, segments)."""
    columns = _plain_columns(case)
    places = np.array(spaced(len(case.corpus), SAMPLED), np.int32)
    likeness = np.full((len(columns), len(case.corpus)), -1.0)
    for other, column in enumerate(columns):
        if other != number:
            likeness[other, places] = alike(columns[number], column, places, places)
    most = likeness.max(axis=0)
    nearest: Mask = (likeness == most) & (most >= EDITED)
    return nearest


def _plain_columns(case: Case) -> list[Column]:
    """The output of every system without case and punctuation."""
    return case.kept_for_all(
        "plain columns",
        lambda: [system.hypotheses.lower().without_punctuation() for system in case.systems],
    )


def _beside_others(
    case: Case, suspects: Sequence[PutTogether]
) -> list[tuple[PutTogether, "Preference"]]:
    """What minimum Bayes risk would have taken: among the givers, then among all other systems.

    More may have had a say than gave. The utility of every text beside every other one of its
    segment is the same for all suspects, so it is computed once, for each two different texts: of
    50 systems recombined from 8 that is 64 pairs a segment instead of 2,500 for each suspect. A
    block of segments at a time is in memory.
    """
    if not suspects:
        return []
    systems = len(case.systems)
    pools: list[PutTogether] = []
    for suspect in suspects:
        others = tuple(system for system in range(systems) if system != suspect.system)
        pools += [suspect, replace(suspect, givers=others)]
    preferences = [Preference(0, 0)] * len(pools)
    asked = np.flatnonzero(np.any([suspect.segments for suspect in suspects], axis=0))
    step = max(1, _UTILITIES_AT_ONCE // systems**2)
    for start in range(0, len(asked), step):
        block = asked[start : start + step]
        utilities = _utilities(case, block)
        for number, pool in enumerate(pools):
            values = utilities[np.ix_(pool.givers, pool.givers)].sum(axis=0)
            preferences[number] += _preference(case, pool, values, block)
    return list(zip(pools, preferences, strict=True))


def _utilities(case: Case, segments: Places) -> Scores:
    """The score of each system's text with another one's as its reference, [other, system]."""
    texts = case.kept_for_all(
        "texts",
        lambda: [[text or "" for text in system.hypotheses.to_list()] for system in case.systems],
    )
    sources = None if case.corpus.sources is None else case.corpus.sources.to_list()
    hypotheses: list[str] = []
    references: list[str] = []
    repeated: list[str] = []
    places = np.empty((len(texts), len(texts), len(segments)), dtype=np.intp)
    for index, segment in enumerate(segments.tolist()):
        slots: dict[str, int] = {}
        own = [slots.setdefault(column[segment], len(slots)) for column in texts]
        numbers = np.array(own)
        places[:, :, index] = len(hypotheses) + numbers[:, None] * len(slots) + numbers
        hypotheses += [*slots] * len(slots)
        references += [text for text in slots for _ in slots]
        if sources is not None:
            repeated += [sources[segment] or ""] * len(slots) ** 2
    metric = case.metric.for_segments()
    corpus = Corpus(references=references, sources=None if sources is None else repeated)
    scores = metric.score(metric.rows_of(System(name="all", hypotheses=hypotheses), corpus))
    utilities: Scores = scores[places]
    return utilities


def _sampled_utilities(case: Case, one: PutTogether) -> Scores:
    """The `_utilities` of what an edited system is taken from, in some segments only.

    In pools of systems that are much alike many look edited: all are asked about at once.
    """
    places = spaced(len(case.corpus), SAMPLED)

    def build() -> Scores:
        metric = case.metric.for_segments()
        texts = [[system.hypotheses[i] or "" for i in places] for system in case.systems]
        every_text = System(name="all", hypotheses=[text for own in texts for text in own])
        sources = case.corpus.sources
        repeated = None if sources is None else [sources[i] or "" for i in places] * len(texts)
        found = [
            metric.score(
                metric.rows_of(every_text, Corpus(references=own * len(texts), sources=repeated))
            )
            for own in texts
        ]
        return np.array(found).reshape(len(texts), len(texts), len(places))

    utilities = case.kept("sampled utilities", build)
    found = np.zeros((len(case.systems), len(case.corpus)))
    found[:, places] = utilities[list(one.givers)].sum(axis=0)
    return found


@dataclass(frozen=True, slots=True)
class Preference:
    """In how many segments the best text was taken, and how many there are where it matters."""

    preferred: int
    telling: int

    @property
    def decides(self) -> bool:
        """Whether the metric's best was taken so often that it must have been chosen by it."""
        return self.telling >= LEAST_SEGMENTS and self.preferred >= CHOSEN * self.telling

    def __add__(self, other: "Preference") -> "Preference":
        return Preference(self.preferred + other.preferred, self.telling + other.telling)


def _chosen(case: Case, suspect: PutTogether, against: str, values: Scores) -> Finding | None:
    """A finding if what was taken scores best; ``values`` are (systems, segments)."""
    every = np.arange(values.shape[1])
    preference = _preference(case, suspect, values[list(suspect.givers)], every)
    return _finding(case, suspect, against, preference) if preference.decides else None


def _preference(case: Case, suspect: PutTogether, values: Scores, segments: Places) -> Preference:
    """What the metric prefers in some of the segments; ``values`` are (givers, these segments)."""
    asked = suspect.segments[segments]
    values = case.sign * values[:, asked]
    taken = suspect.taken[np.ix_(np.array(suspect.givers), segments[asked])]
    best, worst = values.max(axis=0), values.min(axis=0)
    width = EQUAL * np.maximum(1.0, np.abs(best))
    telling = best - worst > width
    mine = np.where(taken, values, -np.inf).max(axis=0)
    return Preference(int((telling & (mine >= best - width)).sum()), int(telling.sum()))


def _finding(case: Case, suspect: PutTogether, against: str, preference: Preference) -> Finding:
    name, title = case.names[suspect.system], case.metric.title
    givers = [case.names[k] for k in suspect.givers]
    telling = preference.telling
    share = preference.preferred / telling
    liked = (
        f"that {title} scores best against the references"
        if against == "references"
        else f"that is most like the others by {title}, as minimum Bayes risk chooses"
    )
    return Finding(
        audit="gaming",
        metric=case.metric.spec,
        systems=(name,),
        severity="serious",
        size=share - 1 / len(givers),
        numbers={
            "chosen_from": givers,
            "against": against,
            "share": share,
            "segments": telling,
            "put_together": int(suspect.segments.sum()),
            "reason": f"{name} was chosen for it from the outputs of others",
        },
        meaning=(
            f"{name} is put together from the outputs of {named(givers)}: of the "
            f"{counted(telling, 'segment')} where this matters, {share:.0%} are the output {liked}."
        ),
        advice=(
            f"{name} was reranked or decoded for this metric or one like it: judge it by metrics "
            "of other families, or let people read it."
        ),
    )
