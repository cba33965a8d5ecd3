"""Are the ratings sane? Every judge under every check, corrected for how many that are."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import numpy as np

from tertium.errors import OptionError
from tertium.inference.choices import DEFAULT_SEED
from tertium.inference.corrections import holm
from tertium.meta.ratings.many_judges import Rankings, Ratings
from tertium.meta.sanity.controls import blindness, inattention, repetition
from tertium.meta.sanity.dissent import dissent
from tertium.meta.sanity.habits import drift, haste, sameness
from tertium.meta.sanity.measured import JudgeCheck
from tertium.plain import Plain

TRIALS: Final = 9999

CHECKS: Final = {
    "disagrees": "agrees with the other judges {value:.2f}, they with each other {usual:.2f}",
    "one value": "gives the same answer to {value:.0%} of outputs, others to {usual:.0%}",
    "too fast": "is hasty in {value:.0%} of answers, others in {usual:.0%}",
    "drifts": "rates otherwise as time goes by: correlation {value:+.2f} of rating and time",
    "no repeats": "rates an output again as far off as {value:.0%} of any two, others {usual:.0%}",
    "no damage": "misses {value:.0%} of damaged outputs, others {usual:.0%}",
    "no attention": "fails {value:.0%} of checks of attention, others {usual:.0%}",
}
"""Check → what it says of a judge, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Plain):
    """One judge under one check; ``adjusted`` is the p-value after Holm's correction.

    ``bad`` is whether the judge is to be looked at: significantly worse than the others, and by
    so much that it matters.
    """

    judge: str
    check: str
    count: int
    value: float
    usual: float
    p_value: float
    adjusted: float
    bad: bool

    def __str__(self) -> str:
        said = CHECKS[self.check].format(value=self.value, usual=self.usual)
        return f"{self.judge or '(unnamed)'} {said} (adjusted p = {self.adjusted:.2g})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanity:
    """All checks of all judges; ``skipped`` says why a check could not be made."""

    checks: tuple[Check, ...]
    skipped: dict[str, str]
    alpha: float

    @property
    def bad(self) -> tuple[Check, ...]:
        """What is to be looked at, the surest first."""
        return tuple(sorted((one for one in self.checks if one.bad), key=lambda one: one.adjusted))

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "alpha": self.alpha,
            "correction": "holm",
            "checks": [one.to_dict() for one in self.checks],
            "skipped": dict(self.skipped),
        }


def sanity(
    ratings: Ratings | Rankings,
    *,
    alpha: float = 0.05,
    trials: int = TRIALS,
    seed: int = DEFAULT_SEED,
) -> Sanity:
    """Look for judges who disagree, answer in one value, hurry, drift, or fail controls.

    Each test asks how often a judge who is like the others would be as far off; Holm's correction
    is over all judges and checks, and more than ``trials`` are made where it needs them. What is
    significant but small is no finding.
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha: found {alpha}, expected a number between 0 and 1")
    if isinstance(ratings, Rankings):
        return Sanity(checks=(), skipped=dict.fromkeys(CHECKS, "ranks, not ratings"), alpha=alpha)
    rng = np.random.default_rng(seed)
    # With fewer, Holm could find nobody among so many judges.
    trials = max(trials, 2 * ceil(len(ratings.judges) * len(CHECKS) / alpha))
    made: dict[str, Callable[[], list[JudgeCheck] | str]] = {
        "disagrees": lambda: dissent(ratings, trials=trials, rng=rng),
        "one value": lambda: sameness(ratings),
        "too fast": lambda: haste(ratings),
        "drifts": lambda: drift(ratings),
        "no repeats": lambda: repetition(ratings),
        "no damage": lambda: blindness(ratings),
        "no attention": lambda: inattention(ratings),
    }
    measured: list[tuple[str, JudgeCheck]] = []
    skipped: dict[str, str] = {}
    for name, check in made.items():
        found = check()
        if isinstance(found, str):
            skipped[name] = found
        else:
            measured += [(name, one) for one in found]
    adjusted = holm([one.p_value for _, one in measured])
    return Sanity(
        checks=tuple(
            Check(
                judge=one.judge,
                check=name,
                count=one.size,
                value=one.value,
                usual=one.usual,
                p_value=one.p_value,
                adjusted=p,
                bad=one.matters and p <= alpha,
            )
            for (name, one), p in zip(measured, adjusted.tolist(), strict=True)
        ),
        skipped=skipped,
        alpha=alpha,
    )
