"""sacreBLEU's paired tests, with its random numbers and its p-values.

Its paired bootstrap is one-sided where people read it as two-sided; ``tertium.inference`` and
``tertium compare`` have tests that are calibrated. These are here so that code runs unchanged.
"""

# ruff: noqa: PLR0917, SLF001 - sacreBLEU's arguments, and its metrics' steps

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tertium.compat.sacrebleu.metrics.base import (
    Metric,
    Score,
    Signature,
    resampled_sums,
    seed_number,
    seed_text,
)
from tertium.compat.sacrebleu.shapes import Stream, UnknownTestError
from tertium.metrics.contract.base import Rows, Scores

_BLOCK: Final = 1 << 22
"""Choices of a segment turned into numbers at a time."""

Statistics = Sequence[Sequence[float]]


class Result:
    """The score of a system, and what a paired test says about it."""

    def __init__(
        self,
        score: float,
        p_value: float | None = None,
        mean: float | None = None,
        ci: float | None = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


def estimate_ci(scores: Scores) -> tuple[float, float]:
    """The mean and half the width of the middle 95 % of resampled scores."""
    ordered = np.sort(scores)
    outside = len(ordered) // 40
    return ordered.mean(), 0.5 * (ordered[-1 - outside] - ordered[outside])


def _bootstrap_resample(
    stats: Statistics, metric: Metric[Any], n_samples: int = 1000
) -> tuple[str, list[Score]]:
    """The seed as text, and the scores of resamples of one system."""
    sums = resampled_sums(np.asarray(stats), n_samples, seed_text())
    return seed_text(), [metric._compute_score_from_stats(total) for total in sums]


def _compute_p_value(stats: Scores, real_difference: float) -> float:
    """(1 + differences of chance that are larger) / (1 + trials)."""
    return (int(np.sum(stats > real_difference)) + 1) / (len(stats) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """A baseline and a system under one metric."""

    metric: Metric[Any]
    baseline: Statistics
    system: Statistics
    difference: float

    def resampled(self, rows: Statistics, trials: int, seed: str) -> Scores:
        sums = resampled_sums(np.asarray(rows), trials, seed)
        return np.array([self.metric._compute_score_from_stats(total).score for total in sums])

    def shuffled(self, chosen: NDArray[np.bool_]) -> Scores:
        """The differences between two systems made of the two by chance."""
        baseline, system = (np.asarray(rows, dtype=np.float64) for rows in self._both)
        total = baseline.sum(axis=0) + system.sum(axis=0)
        firsts = (block @ baseline + (1 - block) @ system for block in _numeric_blocks(chosen))
        return np.array(
            [
                abs(self._score(rows) - self._score(total - rows))
                for first in firsts
                for rows in first
            ]
        )

    @property
    def _both(self) -> tuple[Statistics, Statistics]:
        return self.baseline, self.system

    def _score(self, row: Rows) -> float:
        score: float = self.metric._aggregate_and_compute([row.tolist()]).score
        return score


def _numeric_blocks(chosen: NDArray[np.bool_]) -> Iterator[Rows]:
    block = max(1, _BLOCK // chosen.shape[1])
    for start in range(0, len(chosen), block):
        yield chosen[start : start + block].astype(np.float64)


class PairedTest:
    """Tests every system against the first: ``ar`` (randomization) or ``bs`` (bootstrap).

    A call returns the signatures and the results by metric, beside the names under ``System``.
    ``n_jobs`` is accepted and changes nothing: statistics are computed in parallel anyway.
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10_000, "bs": 1000}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Stream] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise UnknownTestError(f"test_type: found '{test_type}', expected ar or bs")
        self.test_type = test_type
        self.named_systems = named_systems
        self.references = references
        self.n_jobs = n_jobs
        self.n_systems = len(named_systems) - 1
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence or self._DEFAULT_SAMPLES["bs"]
        self._seed_text = seed_text()
        self._seed = seed_number(self._seed_text)
        self.metrics: dict[str, Metric[Any]] = {}
        self._signatures: dict[str, Signature] = {}
        self._baseline_info: dict[str, tuple[Statistics, Result]] = {}
        for metric in metrics.values():
            self._add(metric)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the test for every system but the first, which is the baseline."""
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        for name, (_, result) in self._baseline_info.items():
            scores[name] = [result]
        test = self._bootstrap if self.test_type == "bs" else self._randomization
        for _, hypotheses in self.named_systems[1:]:
            for name, result in self._results(hypotheses, test):
                scores[name].append(result)
        return self._signatures, scores

    def _add(self, metric: Metric[Any]) -> None:
        rows = metric._extract_corpus_statistics(self.named_systems[0][1], self.references)
        score = metric._aggregate_and_compute(rows)
        result = Result(score.score)
        trials = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        if trials > 0:
            resamples = _bootstrap_resample(rows, metric, trials)[1]
            result.mean, result.ci = estimate_ci(
                np.array([resample.score for resample in resamples])
            )
        self.metrics[score.name] = metric
        self._baseline_info[score.name] = rows, result
        signature = metric.get_signature()
        signature.update("seed", str(self._seed).lower())
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        self._signatures[score.name] = signature

    def _results(
        self, hypotheses: Sequence[str], test: Callable[[list[_Pair]], Iterator[Result]]
    ) -> Iterator[tuple[str, Result]]:
        pairs, scores = [], []
        for name, metric in self.metrics.items():
            baseline, result = self._baseline_info[name]
            rows = metric._extract_corpus_statistics(hypotheses, self.references)
            scores.append(metric._aggregate_and_compute(rows).score)
            gap = abs(result.score - scores[-1])
            pairs.append(_Pair(metric=metric, baseline=baseline, system=rows, difference=gap))
        for name, score, result in zip(self.metrics, scores, test(pairs), strict=True):
            result.score = score
            yield name, result

    def _bootstrap(self, pairs: list[_Pair]) -> Iterator[Result]:
        for pair in pairs:
            baseline, system = (
                pair.resampled(rows, self.n_samples, self._seed_text)
                for rows in (pair.baseline, pair.system)
            )
            differences = np.abs(system - baseline)
            p_value = _compute_p_value(differences - differences.mean(), pair.difference)
            yield Result(0.0, p_value, *estimate_ci(system))

    def _randomization(self, pairs: list[_Pair]) -> Iterator[Result]:
        segments = len(pairs[0].system)
        rng = np.random.default_rng(self._seed)
        chosen = rng.integers(2, size=(self.n_samples, segments), dtype=bool)
        draws = None
        if self.n_ar_confidence > 0:
            draws = rng.choice(segments, size=(self.n_ar_confidence, segments), replace=True)
        for pair in pairs:
            result = Result(0.0, _compute_p_value(pair.shuffled(chosen), pair.difference))
            if draws is not None:
                rows = np.asarray(pair.system, dtype=np.float32)
                score = pair.metric._compute_score_from_stats
                sums = (rows.take(draw, axis=0).sum(axis=0) for draw in draws)
                result.mean, result.ci = estimate_ci(
                    np.array([score(total).score for total in sums])
                )
            yield result
