"""The sign test by substitution (Collins et al. 2005), in both directions.

For each segment i the baseline's output b_i is replaced by the system's c_i, and the corpus
score rises, falls or stays. Whether rises and falls are equally likely is tested by the binomial
distribution. Chiang et al. (2008) showed that under BLEU each of two systems can be found
significantly better than the other, since an output is judged in the company of the baseline's
other segments. So the test is run both ways here, and says where it contradicts itself.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.inference.p_values import ROUNDING
from tertium.inference.rows import check_level, pair
from tertium.installation import scipy_for
from tertium.metrics.contract.base import Metric, Rows
from tertium.plain import Plain

_SCORED_AT_ONCE: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Substitutions(Plain):
    """What becomes of one system's score when another's segments are put in, one at a time.

    ``effects`` has +1 for every segment that makes the score better, −1 for worse, 0 for equal.
    """

    PLAIN = "better worse equal p_value verdict"

    effects: NDArray[np.int8] = field(repr=False)
    level: float

    @property
    def better(self) -> int:
        """Segments of the other system that make the score better."""
        return int(np.count_nonzero(self.effects > 0))

    @property
    def worse(self) -> int:
        """Segments that make it worse."""
        return int(np.count_nonzero(self.effects < 0))

    @property
    def equal(self) -> int:
        """Segments that change nothing; the test leaves them out."""
        return len(self.effects) - self.better - self.worse

    @property
    def p_value(self) -> float:
        """Two-sided binomial: would a fair coin be as lopsided?"""
        with scipy_for("the sign test"):
            from scipy.special import bdtr  # takes longer to import than all the rest

        better, worse = self.better, self.worse
        # A fair coin's two tails are alike; in the very middle they overlap.
        return min(1.0, 2 * float(bdtr(min(better, worse), better + worse, 0.5)))

    @property
    def verdict(self) -> int:
        """+1: the other system is significantly better; −1: worse; 0: nothing was found."""
        if self.p_value > 1 - self.level:
            return 0
        return 1 if self.better > self.worse else -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignTest:
    """Both directions, and whether they agree with each other and with the scores.

    ``into_baseline`` puts segments of the system into the baseline, as Collins et al. do;
    ``into_system`` puts segments of the baseline into the system.
    """

    metric: Metric
    baseline: float
    system: float
    into_baseline: Substitutions
    into_system: Substitutions

    @property
    def delta(self) -> float:
        """Score of the system minus score of the baseline."""
        return self.system - self.baseline

    @property
    def p_value(self) -> float:
        """That of Collins et al.: the system against the baseline."""
        return self.into_baseline.p_value

    @property
    def directions(self) -> str:
        """What both directions found, in one line."""
        ways = ("into the baseline", self.into_baseline), ("from the baseline", self.into_system)
        counts = (
            f"segments {way}: {count.better} better, {count.worse} worse, {count.equal} equal, "
            f"p = {count.p_value:.4f}"
            for way, count in ways
        )
        return f"sign test under {self.metric.title}, {'; '.join(counts)}"

    @property
    def contradicts_itself(self) -> bool:
        """Each system is significantly better than the other, or each is worse."""
        return self.into_baseline.verdict * self.into_system.verdict > 0

    @property
    def contradicts_scores(self) -> bool:
        """A direction finds that system significantly better which has the worse score."""
        gain = self.delta if self.metric.higher_is_better else -self.delta
        return gain * self.into_baseline.verdict < 0 or gain * self.into_system.verdict > 0

    @property
    def findings(self) -> tuple[str, ...]:
        """The contradictions in plain words; none if there are none."""
        title, sentences = self.metric.title, []
        if self.contradicts_itself:
            word = "better" if self.into_baseline.verdict > 0 else "worse"
            sentences.append(
                f"{title}: by the sign test each system is significantly {word} than the other "
                f"(p = {self.into_baseline.p_value:.2g} and {self.into_system.p_value:.2g})"
            )
        if self.contradicts_scores:
            sentences.append(
                f"{title}: the sign test contradicts the scores "
                f"{self.metric.shown(self.baseline)} (baseline) and "
                f"{self.metric.shown(self.system)} (system)"
            )
        return tuple(sentences)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "method": "sign test",
            "metric": self.metric.spec,
            "baseline": self.baseline,
            "system": self.system,
            "delta": self.delta,
            "into_baseline": self.into_baseline.to_dict(),
            "into_system": self.into_system.to_dict(),
            "contradicts_itself": self.contradicts_itself,
            "contradicts_scores": self.contradicts_scores,
        }


def substitution_sign_test(
    metric: Metric,
    baseline_rows: Rows,
    system_rows: Rows,
    *,
    documents: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> SignTest:
    """The sign test of two systems' statistics, (segments, K) each.

    With ``documents``, the label of every segment's document, whole documents are replaced:
    the coins of the binomial distribution must be independent, segments of a document are not.
    """
    check_level(level)
    baseline, system = pair(metric, baseline_rows, system_rows, documents).rows
    observed = metric.score(np.stack([baseline.sum(axis=0), system.sum(axis=0)])).tolist()
    into_baseline, into_system = substitutions(metric, baseline, system, level=level)
    return SignTest(
        metric=metric,
        baseline=observed[0],
        system=observed[1],
        into_baseline=into_baseline,
        into_system=into_system,
    )


def substitutions(
    metric: Metric, first: Rows, second: Rows, *, level: float = 0.95
) -> tuple[Substitutions, Substitutions]:
    """Replace one segment of the first system at a time by the second's, and the other way round.

    ``first`` and ``second`` are (segments, K); work on them is faster where a column, and not a
    row, lies together in memory.
    """
    sign = 1 if metric.higher_is_better else -1
    totals = first.sum(axis=0), second.sum(axis=0)
    scores = [float(metric.score(total)) for total in totals]
    effects = np.empty((2, len(first)), dtype=np.int8)
    for start in range(0, len(first), _SCORED_AT_ONCE):
        some = slice(start, start + _SCORED_AT_ONCE)
        # The difference first: equal rows must leave the total as it is, to the last bit.
        change = second[some] - first[some]
        for k, after in enumerate((totals[0] + change, totals[1] - change)):
            gains = sign * (metric.score(after) - scores[k])
            effects[k, some] = np.sign(gains) * (np.abs(gains) > ROUNDING * abs(scores[k]))
    into_first, into_second = (Substitutions(effects=effect, level=level) for effect in effects)
    return into_first, into_second
