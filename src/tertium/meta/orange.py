"""ORANGE (Lin & Och 2004): how high metrics rank references among a decoder's n-best lists.

A metric that is worth something puts translations by people above those of a machine. No judges
are needed: each reference of a segment is scored by the other references, and so are all
candidates of the segment's list; its rank among them, over the length of that list, is averaged
over references and segments. The smaller, the better; 0.5 is chance.

What the paper leaves open: equal scores share the mean of their ranks, and the list in which a
reference is ranked is that of the candidates and the reference itself, so that a share of 1 is the
last place.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.choices import DEFAULT_SEED
from tertium.errors import InputError, OptionError
from tertium.inference.intervals import percentiles
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plain import Plain
from tertium.results import Interval
from tertium.text.references import References

_BATCH: Final = 1 << 13
"""Texts that are scored at a time."""
_TIE: Final = 1e-9
"""Scores that differ by less are equal: sums of the same numbers in another order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrangeScore:
    """Where one metric puts the references."""

    metric: Metric
    shares: Scores = field(repr=False)
    """Of each segment: the mean rank of its references over the length of the list."""
    ranks: Scores = field(repr=False)
    """Of each segment: the mean rank."""
    first: float
    """Share of references that no candidate has a better score than."""
    interval: Interval

    @property
    def value(self) -> float:
        """ORANGE: from near 0, all references first, to 1, all last."""
        return float(self.shares.mean())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "metric": self.metric.spec,
            "orange": self.value,
            "low": self.interval.low,
            "high": self.interval.high,
            "rank": float(self.ranks.mean()),
            "first": self.first,
            "shares": self.shares.tolist(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OrangeReport(Plain):
    """Metrics over the same lists, in the order in which they were given."""

    PLAIN = "segments candidates references level metrics=scores"

    scores: tuple[OrangeScore, ...]
    segments: int
    candidates: float
    """Mean length of the lists."""
    references: int
    level: float


def orange(
    lists: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    metrics: Sequence[AnyMetric],
    *,
    length: int | None = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: int = DEFAULT_SEED,
    step: Callable[[int], None] | None = None,
) -> OrangeReport:
    """ORANGE of every metric, with intervals by resampled segments.

    Args:
        lists: candidates of each segment.
        references: at least two for each segment.
        metrics: names, specs or metrics.
        length: so many candidates of each list, the first; all if not given.
        trials: resamples.
        level: confidence of the intervals.
        seed: where random numbers start.
        step: told after each metric.

    >>> report = orange([["a b x", "x y"]], [["a b c", "a b d"]], ["wer"])
    >>> report.scores[0].value  # against the other, a reference has as many errors as 'a b x'
    0.5
    """
    cut = [tuple(candidates[:length]) for candidates in lists]
    known = [tuple(ref for ref in segment if ref is not None) for segment in references]
    _check(cut, known, length)
    scores = []
    for given in metrics:
        metric = as_metric(given)
        scores.append(_orange(metric, cut, known, trials=trials, level=level, seed=seed))
        if step is not None:
            step(1)
    return OrangeReport(
        scores=tuple(scores),
        segments=len(cut),
        candidates=float(np.mean([len(candidates) for candidates in cut])),
        references=sum(map(len, known)),
        level=level,
    )


def _check(
    lists: Sequence[Sequence[str]], references: Sequence[Sequence[str]], length: int | None
) -> None:
    if length is not None and length < 1:
        raise OptionError(f"--length: found {length}, expected at least 1")
    if len(lists) != len(references):
        raise InputError(
            f"lists: found {len(lists)}, expected {len(references)}, as many as segments have "
            "references"
        )
    if not lists:
        raise InputError("lists: found none, expected at least one")
    for number, (candidates, own) in enumerate(zip(lists, references, strict=True), 1):
        if not candidates:
            raise InputError(f"segment {number}: found no candidate, expected at least one")
        if len(own) < 2:
            raise InputError(
                f"segment {number}: found {len(own)} reference, expected at least 2 "
                "(a reference is ranked by the others)"
            )


def _orange(
    metric: Metric,
    lists: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    trials: int,
    level: float,
    seed: int,
) -> OrangeScore:
    fitted = metric.fit(References.of([list(own) for own in references])).for_segments()
    sign = 1 if metric.higher_is_better else -1
    ranks, shares, first, count = [], [], 0, 0
    for segments in _batches(lists, references):
        hypotheses, others = _pairs(lists, references, segments)
        scores = sign * fitted.score(fitted.statistics(hypotheses, others))
        start = 0
        for segment in segments:
            own = []
            size = len(lists[segment])
            for _ in references[segment]:
                *candidates, reference = scores[start : start + size + 1]
                start += size + 1
                better, equal = _counted(np.array(candidates), float(reference))
                own.append(1 + better + equal / 2)
                first += better == 0
                count += 1
            ranks.append(sum(own) / len(own))
            shares.append(ranks[-1] / (size + 1))
    found = np.array(shares)
    draws = np.random.default_rng(seed).integers(0, len(found), (trials, len(found)))
    return OrangeScore(
        metric=metric,
        shares=found,
        ranks=np.array(ranks),
        first=first / count,
        interval=percentiles(
            found[draws].mean(axis=1), level=level, seed=seed, unit="segment", units=len(found)
        ),
    )


def _counted(candidates: NDArray[np.float64], reference: float) -> tuple[int, int]:
    """How many candidates have a better score, and how many an equal one."""
    equal = np.abs(candidates - reference) < _TIE
    return int((~equal & (candidates > reference)).sum()), int(equal.sum())


def _batches(
    lists: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> "list[list[int]]":
    """Neighboring segments with a bounded number of texts to score."""
    batches: list[list[int]] = [[]]
    texts = 0
    for segment, (candidates, own) in enumerate(zip(lists, references, strict=True)):
        if texts > _BATCH:
            batches.append([])
            texts = 0
        batches[-1].append(segment)
        texts += (len(candidates) + 1) * len(own)
    return batches


def _pairs(
    lists: Sequence[Sequence[str]], references: Sequence[Sequence[str]], segments: Sequence[int]
) -> tuple[list[str], list[list[str]]]:
    """For each reference that is left out: the candidates and itself, scored by the others."""
    hypotheses: list[str] = []
    others: list[list[str]] = []
    for segment in segments:
        own = references[segment]
        for index, reference in enumerate(own):
            hypotheses += [*lists[segment], reference]
            rest = [*own[:index], *own[index + 1 :]]
            others += [rest] * (len(lists[segment]) + 1)
    return hypotheses, others
