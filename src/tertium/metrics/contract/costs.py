"""What a monstrous segment will cost under a metric whose work grows faster than its text."""

import warnings
from typing import TYPE_CHECKING, Final, NamedTuple

from tertium.plurals import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tertium.metrics.contract.base import Metric
    from tertium.text.corpus import Corpus, System

PATIENCE: Final = 10.0
"""Seconds of one processor that nobody needs to be told of before."""

_SAMPLE: Final = 20_000
"""Characters from which the number of words of a long text is known well enough."""


_LONG: Final = 4_000
"""Characters of a candidate that is no usual one."""


class CostWarning(UserWarning):
    """A segment will take long; it is said before the work begins."""


class Growth(NamedTuple):
    """Work on a pair of texts: seconds for a thousand words each, and the power that it grows by.

    Measured on one processor of 2026; the text decides how far it is off.

    >>> Growth(seconds=0.5, power=2).of(1000, 4000)
    2.0
    """

    seconds: float
    power: float

    def of(self, words: int, others: int) -> float:
        """Seconds for texts of so many words."""
        return float(self.seconds * (words * others / 1e6) ** (self.power / 2))

    def of_all(self, words: "Sequence[int]", others: "Sequence[int]") -> float:
        """Seconds for each of some texts against each of some others."""
        sides = [
            sum((count / 1e3) ** (self.power / 2) for count in side) for side in (words, others)
        ]
        return float(self.seconds * sides[0] * sides[1])

    @property
    def shortest(self) -> int:
        """Words that one of the texts has at least if a pair takes longer than the patience."""
        return int(1000 * (PATIENCE / self.seconds) ** (1 / self.power))


def warn_of_costs(metric: "Metric", system: "System", corpus: "Corpus", *, before: int = 0) -> None:
    """Say beforehand how long the segments of a system will take, if that is long.

    ``before`` segments of the corpus have come before these.
    """
    growth = metric.growth
    if growth is None:
        return
    columns = corpus.references.columns
    least = growth.shortest  # a word has a byte at least
    places = {
        place for column in (system.hypotheses, *columns) for place in column.longer_than(least)
    }
    costs = []
    for index in sorted(places):
        words = _words(metric, system.hypotheses[index])
        others = [_words(metric, column[index]) for column in columns]
        costs.append((sum(growth.of(words, other) for other in others), index, words, max(others)))
    seconds = sum(cost[0] for cost in costs)
    if seconds <= PATIENCE:
        return
    _, index, words, others_most = max(costs)
    where = f"{system.name}: segment {before + index + 1}"
    if len(costs) > 1:
        where += f" (and {len(costs) - 1} more)"
    warnings.warn(
        f"{where}: {counted(words, 'word')} against {others_most} may take {metric.title} up to "
        f"{_duration(seconds)}; --max-tokens N refuses such segments",
        CostWarning,
        stacklevel=3,
    )


def warn_of_pairs(
    metric: "Metric", texts: "Sequence[str]", others: "Sequence[str]", location: str
) -> None:
    """The same for every text against every other, if there is a very long one among them."""
    growth = metric.growth
    if growth is None or max(map(len, (*texts, *others)), default=0) < _LONG:
        return
    known: dict[str, int] = {}
    for text in (*texts, *others):
        if text not in known:
            known[text] = _words(metric, text)
    seconds = growth.of_all([known[text] for text in texts], [known[text] for text in others])
    if seconds <= PATIENCE:
        return
    warnings.warn(
        f"{location}: {counted(len(texts), 'candidate')} of up to {max(known.values())} words "
        "against "
        f"{len(others)} may take {metric.title} up to {_duration(seconds)}; --max-tokens N refuses "
        "such candidates",
        CostWarning,
        stacklevel=3,
    )


def _words(metric: "Metric", text: str | None) -> int:
    """About how many words a metric sees in a text."""
    if not text:
        return 0
    sample = text[:_SAMPLE]
    from tertium.metrics.contract.word_metric import WordMetric

    words = metric.words(sample) if isinstance(metric, WordMetric) else sample.split()
    return round(len(words) * len(text) / len(sample))


def _duration(seconds: float) -> str:
    """A duration in words that promise no more than is known.

    >>> _duration(12.3), _duration(200), _duration(9000), _duration(1e6)
    ('12 seconds', '3 minutes', '2 hours', '12 days')
    """
    for size, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{round(seconds / size)} {name}"
    return f"{round(seconds)} seconds"
