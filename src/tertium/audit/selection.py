"""Output that is put together from the outputs of others, and the metric it was chosen by.

Reranking and minimum Bayes risk choose among outputs that exist. Where these are in the pool, a
chosen system has in each segment what one of the others has, word by word, and the metric that
it was chosen by prefers nearly every one of its segments to what else there was.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case
from tertium.audit.findings import Finding, named
from tertium.audit.won_segments import LEAST_SEGMENTS
from tertium.metrics.contract.base import Scores
from tertium.text.corpus import Corpus, System

PUT_TOGETHER: Final = 0.95
"""The share of its segments that a system must have from others. Those of WMT12, 17 and 23 have up
to 34 %, but for two in WMT23 zh-en, of which one copies the other."""
OF_ONE: Final = 0.9
"""Who has more than this from a single one is a copy, or was copied from."""
CHOSEN: Final = 0.9
"""The share of segments in which the metric must like best what was taken."""
EQUAL: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PutTogether:
    """A system, those that it has its segments from, and which segments these are."""

    system: int
    givers: tuple[int, ...]
    segments: NDArray[np.bool_]


def put_together(case: Case) -> tuple[PutTogether, ...]:
    """Systems that have nearly every segment from one of the others, and not all from one."""
    return case.kept_for_all("put together", lambda: _put_together(case.systems))


def selections(case: Case) -> list[Finding]:
    """Systems that were put together by this metric, with or without a look at the references."""
    found = []
    for one in put_together(case):
        scores = case.kept("segment scores", lambda: case.metric.for_segments().score(case.rows))
        if (made := _chosen(case, one, "references", scores)) is not None:
            found.append(made)
            continue
        if case.metric.refusal or case.metric.needs_fit:
            continue
        others = tuple(k for k in range(len(case.systems)) if k != one.system)
        for some in dict.fromkeys((one.givers, others)):  # more may have had a say than gave
            made = _chosen(case, replace(one, givers=some), "others", _utilities(case, some))
            if made is not None:
                found.append(made)
                break
    return found


def _put_together(systems: tuple[System, ...]) -> tuple[PutTogether, ...]:
    numbers: dict[str | None, int] = {"": 0, None: 0}
    texts = np.array(
        [
            [numbers.setdefault(text, len(numbers)) for text in one.hypotheses.to_list()]
            for one in systems
        ]
    )
    found = []
    for number, own in enumerate(texts):
        others = np.array([k for k in range(len(texts)) if k != number], dtype=np.intp)
        if not len(others):
            continue
        same = texts[others] == own
        differ = (texts[others] != texts[others[0]]).any(axis=0)
        given = same.any(axis=0)
        if differ.sum() < LEAST_SEGMENTS or given[differ].mean() < PUT_TOGETHER:
            continue
        givers: list[int] = []
        left = differ & given
        while left.any():
            best = int((same & left).sum(axis=1).argmax())
            givers.append(int(others[best]))
            left = left & ~same[best]
        if same[:, differ].mean(axis=1).max() <= OF_ONE:
            found.append(
                PutTogether(system=number, givers=tuple(sorted(givers)), segments=differ & given)
            )
    return tuple(found)


def _utilities(case: Case, some: tuple[int, ...]) -> Scores:
    """How much each system's segment is like those of all of them, as minimum Bayes risk asks."""
    metric = case.metric.for_segments()
    found = np.zeros((len(case.systems), len(case.corpus)))
    for other in some:
        texts = [text or "" for text in case.systems[other].hypotheses.to_list()]
        beside = Corpus(references=texts, sources=case.corpus.sources)
        for one in some:
            found[one] += metric.score(metric.rows_of(case.systems[one], beside))
    return found


def _chosen(case: Case, one: PutTogether, against: str, values: Scores) -> Finding | None:
    preferred, telling = _preferred(case, one, values)
    if telling < LEAST_SEGMENTS or preferred < CHOSEN * telling:
        return None
    return _finding(case, one, against, preferred, telling)


def _preferred(case: Case, one: PutTogether, values: Scores) -> tuple[int, int]:
    """In how many segments the best one was taken, and how many there are where it matters."""
    given = case.sign * values[list(one.givers)][:, one.segments]
    outputs = [case.systems[k].hypotheses.to_list() for k in one.givers]
    own = case.systems[one.system].hypotheses.to_list()
    places = np.flatnonzero(one.segments)
    taken = np.array([[(texts[i] or "") == (own[i] or "") for i in places] for texts in outputs])
    best, worst = given.max(axis=0), given.min(axis=0)
    width = EQUAL * np.maximum(1.0, np.abs(best))
    telling = best - worst > width
    mine = np.where(taken, given, -np.inf).max(axis=0)
    return int((telling & (mine >= best - width)).sum()), int(telling.sum())


def _finding(case: Case, one: PutTogether, against: str, preferred: int, telling: int) -> Finding:
    name, title = case.names[one.system], case.metric.title
    givers = [case.names[k] for k in one.givers]
    share = preferred / telling
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
            "put_together": int(one.segments.sum()),
            "reason": f"{name} was chosen for it from the outputs of others",
        },
        meaning=(
            f"{name} is put together from the outputs of {named(givers)}: of the {telling} "
            f"segments where this matters, {share:.0%} are the output {liked}."
        ),
        advice=(
            f"{name} was reranked or decoded for this metric or one like it: judge it by metrics "
            "of other families, or let people read it."
        ),
    )
