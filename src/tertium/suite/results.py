"""What a suite gives back: the decision of every test set, and each difference pooled over them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from tertium.plain import Plain, to_plain
from tertium.plurals import counted
from tertium.tables import dataframe
from tertium.version import __version__

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult(Plain):
    """One test set: its decision as JSON has it, and what was left out and why.

    ``missing`` are metrics of the suite, or systems, that this test set lacks, with the reason.
    ``cached`` says that nothing had to be scored: no input had changed.
    """

    PLAIN = "name decision missing"

    name: str
    decision: dict[str, Any]
    missing: dict[str, str] = field(default_factory=dict)
    cached: bool = False

    @property
    def holds(self) -> bool:
        """Whether what was required holds; true where nothing was."""
        requirement = self.decision["requirement"]
        return requirement is None or bool(requirement["holds"])

    @property
    def systems(self) -> Sequence[dict[str, Any]]:
        """The verdicts on all systems beside the baseline."""
        verdicts: Sequence[dict[str, Any]] = self.decision["systems"][1:]
        return verdicts

    @property
    def baseline(self) -> str:
        """What the systems are compared with."""
        return str(self.decision["baseline"])


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledDifference(Plain):
    """The mean difference from the baseline over test sets, which differ in it (random effects).

    By DerSimonian and Laird (1986): a test set weighs ``1 / (s² + τ²)``, with ``s`` the standard
    error of its difference and ``τ`` the standard deviation of the true differences. ``spread`` is
    τ; ``heterogeneity`` is I², the share of the variance between test sets that is not noise;
    ``score`` is the system's mean score.
    """

    system: str
    metric: str
    higher_is_better: bool
    sets: int
    score: float
    delta: float
    low: float
    high: float
    spread: float
    heterogeneity: float


@dataclass(frozen=True, kw_only=True)
class SuiteResult:
    """All test sets of a suite, and what follows from them together.

    ``inputs`` are the files that were read and their SHA-256; ``settings`` all that decides the
    numbers beside them.
    """

    name: str
    path: str
    alpha: float
    sets: tuple[SetResult, ...]
    inputs: dict[str, str]
    settings: dict[str, Any]

    @property
    def holds(self) -> bool:
        """Whether what was required holds in every test set."""
        return all(test_set.holds for test_set in self.sets)

    @cached_property
    def pooled(self) -> tuple[PooledDifference, ...]:
        """Every system and metric that at least two test sets have."""
        level = 1 - self.alpha
        by_metric: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for test_set in self.sets:
            for verdict in test_set.systems:
                for score in verdict["scores"]:
                    if score["detectable"] is not None:
                        by_metric.setdefault((verdict["system"], score["metric"]), []).append(score)
        return tuple(
            _pooled(system, metric, scores, level)
            for (system, metric), scores in by_metric.items()
            if len(scores) > 1
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems beside the baseline, in the order in which test sets have them."""
        names = (verdict["system"] for test_set in self.sets for verdict in test_set.systems)
        return tuple(dict.fromkeys(names))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answers in words: a line for each system, then what was required."""
        lines = [self._sentence(system) for system in self.systems]
        required = self.settings["require"]
        if required is not None:
            broken = [test_set.name for test_set in self.sets if not test_set.holds]
            where = f"does not hold in {_listed(broken)}" if broken else "holds in every test set"
            lines.append(f"required: {required}: {where}")
        return tuple(lines)

    def _sentence(self, system: str) -> str:
        by_label: dict[str, list[str]] = {}
        for test_set in self.sets:
            for verdict in test_set.systems:
                if verdict["system"] == system:
                    by_label.setdefault(verdict["verdict"], []).append(test_set.name)
        parts = [f"{label} in {len(names)} ({_listed(names)})" for label, names in by_label.items()]
        there = sum(map(len, by_label.values()))
        sets = counted(len(self.sets), "test set")
        of = f"in {there} of {sets}" if there < len(self.sets) else f"in {sets}"
        return f"{system}, {of}: {'; '.join(parts)}"

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON: all that is needed to make the run again."""
        return {
            "version": __version__,
            "suite": self.name,
            "path": self.path,
            "alpha": self.alpha,
            "holds": self.holds,
            "sentences": list(self.sentences),
            "sets": [test_set.to_dict() for test_set in self.sets],
            "pooled": to_plain(self.pooled),
            "inputs": self.inputs,
            "settings": self.settings,
        }

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per test set, system and metric; needs pandas."""
        return dataframe(
            {
                "set": test_set.name,
                "system": verdict["system"],
                "verdict": verdict["verdict"],
                **{key: score[key] for key in ("metric", "score", "delta", "p_value")},
                "significant": score["significant"],
            }
            for test_set in self.sets
            for verdict in test_set.systems
            for score in verdict["scores"]
        )

    def __repr__(self) -> str:
        return f"<SuiteResult {self.name}: {'; '.join(self.sentences)}>"


def changes(now: SuiteResult, before: Mapping[str, Any]) -> dict[tuple[str, str, str], float]:
    """By how much scores differ from an earlier run: (test set, system, metric) → points.

    A score that is as it was, or that the earlier run did not have, is left out.
    """
    earlier = dict(_scores(before["sets"]))
    return {
        key: score - earlier[key]
        for key, score in _scores(now.to_dict()["sets"])
        if key in earlier and score != earlier[key]
    }


def _scores(sets: Iterable[Mapping[str, Any]]) -> Iterable[tuple[tuple[str, str, str], float]]:
    for test_set in sets:
        for system in test_set["decision"]["systems"]:
            for score in system["scores"]:
                yield (test_set["name"], system["system"], score["metric"]), score["score"]


def _pooled(
    system: str, metric: str, scores: Sequence[dict[str, Any]], level: float
) -> PooledDifference:
    deltas = [score["delta"] for score in scores]
    variances = [_standard_error(score) ** 2 for score in scores]
    delta, error, spread, heterogeneity = random_effects(deltas, variances)
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    return PooledDifference(
        system=system,
        metric=metric,
        higher_is_better=scores[0]["higher_is_better"],
        sets=len(scores),
        score=sum(score["score"] for score in scores) / len(scores),
        delta=delta,
        low=delta - half,
        high=delta + half,
        spread=spread,
        heterogeneity=heterogeneity,
    )


def _standard_error(score: Mapping[str, Any]) -> float:
    """That of a difference, from the one that is detected at 5 % with 80 % power."""
    normal = NormalDist()
    return float(score["detectable"]) / (normal.inv_cdf(0.975) + normal.inv_cdf(0.8))


def random_effects(
    deltas: Sequence[float], variances: Sequence[float]
) -> tuple[float, float, float, float]:
    """The mean, its standard error, τ and I², by DerSimonian and Laird's moments.

    >>> mean, error, spread, share = random_effects([1.0, 1.0, 1.0], [0.04, 0.04, 0.04])
    >>> round(mean, 3), round(error, 4), spread, share
    (1.0, 0.1155, 0.0, 0.0)
    >>> mean, error, spread, share = random_effects([0.0, 2.0], [0.01, 0.01])
    >>> round(mean, 3), round(error, 3), round(spread, 3), round(share, 3)
    (1.0, 1.0, 1.411, 0.995)
    """
    smallest = min((value for value in variances if value > 0), default=1.0) / 1e6
    noisy = [max(value, smallest) for value in variances]  # outputs that are equal have no noise
    weights = [1 / value for value in noisy]
    total = sum(weights)
    fixed = sum(weight * delta for weight, delta in zip(weights, deltas, strict=True)) / total
    spread = sum(w * (delta - fixed) ** 2 for w, delta in zip(weights, deltas, strict=True))
    excess = spread - (len(deltas) - 1)
    scale = total - sum(weight**2 for weight in weights) / total
    between = max(0.0, excess / scale) if scale > 0 else 0.0
    mixed = [1 / (value + between) for value in noisy]
    mean = sum(weight * delta for weight, delta in zip(mixed, deltas, strict=True)) / sum(mixed)
    share = max(0.0, excess / spread) if spread > 0 else 0.0
    return mean, 1 / sqrt(sum(mixed)), sqrt(between), share


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:6])
    return ", ".join(shown) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
