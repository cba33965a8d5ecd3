"""Simulated campaigns: honest judges, and judges with a fault that is planted."""

from dataclasses import dataclass

import numpy as np

from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.rating_sets import Ratings, collect_ratings

JUDGES = tuple(f"judge-{number}" for number in range(1, 9))
SYSTEMS = tuple("ABCDE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """Eight judges of five systems; ``fault`` is the last judge's, none by default.

    Every output has ``looks`` judges. Judges have means and speeds of their own; each sees
    ``repeats`` outputs again, ``damaged`` ones that lost 25 points, and ``checks`` of attention.
    """

    seed: int
    fault: str = ""
    segments: int = 30
    looks: int = 4
    repeats: int = 12
    damaged: int = 12
    checks: int = 16
    timed: bool = True
    judges: tuple[str, ...] = JUDGES

    def ratings(self) -> Ratings:
        """All ratings, with times and controls."""
        rng = np.random.default_rng(self.seed)
        quality = (
            rng.normal(0, 6, len(SYSTEMS))[:, None]
            + rng.normal(0, 8, self.segments)
            + rng.normal(60, 8, (len(SYSTEMS), self.segments))
        )
        bias = dict(zip(self.judges, rng.normal(0, 5, len(self.judges)), strict=True))
        work: dict[str, list[tuple[int, int, str]]] = {name: [] for name in self.judges}
        for system in range(len(SYSTEMS)):
            for segment in range(self.segments):
                for name in rng.choice(self.judges, self.looks, replace=False):
                    work[str(name)].append((system, segment, ""))
        rows: list[Rating] = []
        for name, items in work.items():
            places = rng.permutation(len(items))
            again = [items[place] for place in places[: self.repeats]]
            harmed = [items[place] for place in places[-self.damaged :] if self.damaged]
            todo = [*items, *again, *((a, b, "degraded") for a, b, _ in harmed)]
            begin = 0.0
            faulty = name == self.judges[-1]
            order = rng.permutation(len(todo))
            for number, place in enumerate(order.tolist()):
                system, segment, kind = todo[place]
                value = quality[system, segment] + bias[name] + rng.normal(0, 6)
                value -= 25 * (kind == "degraded")
                seconds = float(np.exp(rng.normal(3.4, 0.6)))
                if faulty:
                    value, seconds = self._spoilt(value, seconds, kind, number / len(todo), rng)
                begin += seconds
                rows.append(
                    Rating(
                        place=f"campaign:{len(rows) + 1}",
                        system=SYSTEMS[system],
                        value=float(np.clip(np.rint(value), 0, 100)),
                        criterion="esa",
                        segment=segment,
                        judge=name,
                        kind=kind,
                        begin=begin if self.timed else None,
                        seconds=seconds if self.timed else None,
                    )
                )
        checks = np.random.default_rng([self.seed, 1])
        for name in self.judges:
            inattentive = self.fault == "no attention" and name == self.judges[-1]
            for _ in range(self.checks):
                rows.append(
                    Rating(
                        place=f"campaign:{len(rows) + 1}",
                        system="A",
                        value=float(checks.random() < (0.5 if inattentive else 0.97)),
                        criterion="esa",
                        segment=0,
                        judge=name,
                        kind="check",
                    )
                )
        return collect_ratings(rows, name="xx-yy", criterion="esa", width=self.segments)

    def _spoilt(
        self, value: float, seconds: float, kind: str, share: float, rng: np.random.Generator
    ) -> tuple[float, float]:
        match self.fault:
            case "disagrees":
                value = rng.normal(60, 12)
            case "one value":
                value = 100 if rng.random() < 0.95 else value
            case "too fast":
                seconds = float(np.exp(rng.normal(1.0, 0.3)))
            case "drifts":
                value += 30 * share
            case "no repeats":
                value = rng.normal(60, 12)
            case "no damage":
                value += 25 * (kind == "degraded")
            case _:
                pass
        return value, seconds
