"""Rated systems with their texts, ready to be scored again and again with other parameters."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Final, TypeAlias

import numpy as np

from tertium.audit.outputs import hypotheses_of
from tertium.choices import VALIDATIONS
from tertium.errors import InputError, OptionError
from tertium.installation import scipy_for
from tertium.meta.agreement.measures import LEAST_SYSTEMS, MEASURES, measured
from tertium.meta.agreement.shared_systems import Aligned, align, of_systems
from tertium.meta.ratings.judgments import Floats, Judgments, MetricScores
from tertium.metrics.contract.base import Metric, Rows
from tertium.suggestions import did_you_mean
from tertium.text.corpus import Corpus, System, check_lengths

PROBES: Final = (0.5, 0.9, 1.2)
"""Parameters are multiplied by these to see whether they change the statistics."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FitCase:
    """A test set with the outputs of systems, and people's ratings of them."""

    judgments: Judgments
    corpus: Corpus = field(repr=False)
    systems: tuple[System, ...] = field(repr=False)

    @property
    def name(self) -> str:
        """The language pair or test set, and the criterion."""
        return f"{self.judgments.name} {self.judgments.criterion}"

    def __post_init__(self) -> None:
        check_lengths(self.corpus, self.systems)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MatchedCase:
    """A case whose statistics were computed once, at the metric's own parameters.

    ``rows`` are (systems, K) sums for system-level measures, (systems, segments, K) otherwise;
    ``None`` where the parameters enter the statistics, which are then computed every time.
    ``outputs`` has a text for each system, the same for the same output of the same test set.
    """

    name: str
    measure: str
    aligned: Aligned
    metric: Metric
    translations: tuple[System, ...] = field(repr=False)
    corpus: Corpus = field(repr=False)
    rows: Rows | None = field(repr=False)
    outputs: tuple[str, ...] = field(repr=False)

    @property
    def systems(self) -> int:
        """How many systems have both ratings and outputs."""
        return len(self.aligned.systems)

    def agreement(self, parameters: Floats) -> float:
        """How far the metric agrees with people, with these parameters."""
        return self.agreements([None], parameters)[0]

    def agreements(self, parts: Sequence[Sequence[int] | None], parameters: Floats) -> list[float]:
        """The same for several sets of systems, by their places; ``None`` are all of them."""
        metric = self.metric.with_parameters(parameters)
        rows = self.statistics(metric) if self.rows is None else self.rows
        sign = 1.0 if metric.higher_is_better else -1.0
        if MEASURES[self.measure].needs == "systems":
            scored = replace(self.aligned, scores=sign * metric.score(rows))
        else:
            scores = sign * metric.for_segments().score(rows)
            scored = replace(self.aligned, segment_scores=scores)
        return [
            measured(self.measure, scored if part is None else of_systems(scored, part)).value
            for part in parts
        ]

    def holds(self, parameters: Floats) -> bool:
        """Whether the statistics that were kept are those of other parameters too.

        The last system stands for all: `statistics_are_fixed` has looked at the first.
        """
        if self.rows is None:
            return True
        metric = self.metric.with_parameters(parameters)
        return np.array_equal(self._statistics_of(metric, -1), self.rows[-1])

    def statistics(self, metric: Metric) -> Rows:
        """Those of all systems, in the shape of ``rows``."""
        return np.stack([self._statistics_of(metric, i) for i in range(len(self.translations))])

    def _statistics_of(self, metric: Metric, place: int) -> Rows:
        rows = metric.rows_of(self.translations[place], self.corpus)
        return rows.sum(axis=0) if MEASURES[self.measure].needs == "systems" else rows


def matched_case(case: FitCase, metric: Metric, measure: str, *, fixed: bool) -> MatchedCase:
    """Match systems by name, and compute what does not depend on the parameters.

    ``fixed`` says that statistics do not depend on them. Segments that nobody rated are left
    out where only segments matter.
    """
    bound = metric.bind(case.corpus)
    names = tuple(system.name for system in case.systems)
    segments = len(case.corpus)
    empty = MetricScores(
        metric=metric.spec,
        systems=names,
        values=np.zeros(len(names)),
        segments=np.zeros((len(names), segments)),
    )
    aligned = align(case.judgments, empty)
    aligned.check_systems(2)
    systems = [case.systems[index] for index in aligned.places]
    if MEASURES[measure].needs == "systems":
        chosen = list(range(segments))
    else:
        aligned, chosen = _rated_segments(aligned, measure)
    result = MatchedCase(
        name=case.name,
        measure=measure,
        aligned=aligned,
        metric=bound,
        translations=tuple(
            System(name=system.name, hypotheses=hypotheses_of(system, chosen)) for system in systems
        ),
        corpus=case.corpus.taken(chosen),
        rows=None,
        outputs=tuple(_digest(system) for system in systems),
    )
    return replace(result, rows=result.statistics(bound)) if fixed else result


def _digest(system: System) -> str:
    """What tells a system's output from all others, whatever the system is called."""
    digest = blake2b(digest_size=16)
    for text in system.hypotheses.to_list():
        digest.update(b"\0" + (text or "").encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def statistics_are_fixed(case: FitCase, metric: Metric, free: Sequence[int]) -> bool:
    """Whether some parameters leave the statistics alone, by trying others on one system."""
    bound = metric.bind(case.corpus)
    expected = bound.rows_of(case.systems[0], case.corpus)
    for factor in PROBES:
        parameters = metric.parameters()
        parameters[list(free)] *= factor
        parameters[list(free)] += 0.01 * (factor < 1)  # factors alone would leave a 0 alone
        try:
            other = bound.with_parameters(parameters)
        except OptionError:
            continue
        found = other.rows_of(case.systems[0], case.corpus)
        if not np.array_equal(found, expected):
            return False
    return True


def _rated_segments(aligned: Aligned, measure: str) -> tuple[Aligned, list[int]]:
    """The case with only the segments that people said something of."""
    rated_only = measure == "consistency" and aligned.preferences is None
    if MEASURES[measure].needs == "preferences" and not rated_only:
        if aligned.preferences is None:
            raise InputError(f"{aligned.place}: no comparisons, expected some for {measure}")
        chosen = np.unique(aligned.preferences.segment)
        places = np.searchsorted(chosen, aligned.preferences.segment).astype(np.int32)
        preferences = replace(aligned.preferences, segment=places)
        return replace(aligned, preferences=preferences, segment_ratings=None), chosen.tolist()
    if aligned.segment_ratings is None:
        raise InputError(f"{aligned.place}: no ratings of segments, expected some for {measure}")
    rated = np.flatnonzero(~np.isnan(aligned.segment_ratings).all(axis=0))
    ratings = aligned.segment_ratings[:, rated]
    return replace(aligned, segment_ratings=ratings, preferences=None), rated.tolist()


# What to hold out of a fit: whole test sets, or some systems under all their criteria.
#
# Two criteria of the same systems are no two test sets. Adequacy and fluency of one output go up
# and down together, so that parameters fitted to one have seen the other: held out that way, even a
# fit to random numbers looks like a gain.

Split: TypeAlias = tuple[tuple[int, ...] | None, ...]
"""The places of some systems of every case; ``None`` where the case is not taken at all."""

MOST_FOLDS: Final = 5


def cases_by_test_set(matched: Sequence[MatchedCase]) -> list[list[int]]:
    """The places of cases by test set: those that share an output belong together."""
    groups: list[tuple[set[str], list[int]]] = []
    for index, case in enumerate(matched):
        outputs, places = set(case.outputs), [index]
        for group in [group for group in groups if group[0] & outputs]:
            outputs |= group[0]
            places = [*group[1], *places]
            groups.remove(group)
        groups.append((outputs, places))
    return sorted(places for _, places in groups)


def splits_of(
    matched: Sequence[MatchedCase], how: str | None, folds: int | None, seed: int
) -> tuple[str, list[tuple[str, Split]]]:
    """How it is held out, and what, each with a name; nothing where there is too little.

    Without a choice these are test sets where there are several, such as years; else systems.
    """
    together = cases_by_test_set(matched)
    chosen = how or ("test-sets" if len(together) > 1 else "systems")
    if chosen not in VALIDATIONS:
        raise OptionError(did_you_mean("validation", chosen, VALIDATIONS))
    if chosen == "test-sets":
        return chosen, _test_sets(matched, together)
    return chosen, _systems(matched, together, folds, seed) if chosen == "systems" else []


def _test_sets(
    matched: Sequence[MatchedCase], together: Sequence[Sequence[int]]
) -> list[tuple[str, Split]]:
    if len(together) < 2:
        raise InputError(
            "validation by test sets: found 1 test set, expected at least 2; criteria of the same "
            "systems are one"
        )
    return [
        (
            ", ".join(matched[index].name for index in places),
            tuple(
                tuple(range(case.systems)) if index in places else None
                for index, case in enumerate(matched)
            ),
        )
        for places in together
    ]


def _systems(
    matched: Sequence[MatchedCase],
    together: Sequence[Sequence[int]],
    folds: int | None,
    seed: int,
) -> list[tuple[str, Split]]:
    """Some systems of every test set, held out under all criteria at once."""
    least = min(case.systems for case in matched) // LEAST_SYSTEMS
    count = min(MOST_FOLDS, least) if folds is None else folds
    if folds is not None and not 2 <= folds <= least:
        raise OptionError(
            f"folds: found {folds}, expected 2 to {least}, so that each has {LEAST_SYSTEMS} systems"
        )
    if count < 2:
        return []
    rng = np.random.default_rng(seed)
    fold_of: dict[str, int] = {}
    for places in together:
        goodness = _goodness([matched[index] for index in places])
        folded = _places(np.array(list(goodness.values())), count, rng)
        fold_of |= dict(zip(goodness, folded.astype(int).tolist(), strict=True))
    return [
        (
            f"fold {fold + 1} of {count}",
            tuple(
                tuple(i for i, output in enumerate(case.outputs) if fold_of[output] == fold)
                for case in matched
            ),
        )
        for fold in range(count)
    ]


def _goodness(cases: Sequence[MatchedCase]) -> dict[str, float]:
    """Every output of a test set with its mean rank, as a share, under the criteria it has."""
    with scipy_for("folds of a fit"):
        from scipy.stats import rankdata

    found: dict[str, list[float]] = {}
    for case in cases:
        ranks = rankdata(case.aligned.ratings) / case.systems
        for output, rank in zip(case.outputs, ranks.tolist(), strict=True):
            found.setdefault(output, []).append(rank)
    return {output: float(np.mean(ranks)) for output, ranks in found.items()}


def _places(ratings: Floats, folds: int, rng: np.random.Generator) -> Floats:
    """The fold of every system, such that each fold has good and bad ones."""
    result = np.zeros(len(ratings))
    order = np.argsort(ratings, kind="stable")
    for start in range(0, len(order), folds):
        some = order[start : start + folds]
        result[some] = rng.permutation(folds)[: len(some)]
    return result
