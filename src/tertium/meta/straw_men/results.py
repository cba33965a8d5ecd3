"""What metrics make of straw men: results of `tertium.meta.straw_men.ranks`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tertium.meta.agreement.json_numbers import or_none
from tertium.meta.ratings.judgments import Exclusion
from tertium.plain import Plain
from tertium.tables import dataframe

if TYPE_CHECKING:
    import pandas

FIRST_WORDS: Final = 3
ENDLESS: Final = 20
"""How often the endless system says what it has to say."""
FOOLED: Final = 0.5
"""A metric is fooled by a straw man that is ahead of so many of the real systems."""

DESCRIPTIONS: Final = {
    "empty": "nothing at all",
    "first words": f"the first {FIRST_WORDS} words of the best system's output",
    "one word": "one frequent word for every segment",
    "noise": "random words in the length of the reference",
    "shuffled": "the best system with the words of each segment shuffled",
    "doubled": "the best system's output, said twice",
    "concatenation": "several systems' outputs one after the other",
    "stutter": "every word of the reference three times",
    "endless": f"the best system's output, said {ENDLESS} times",
    "source": "the source text itself",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StrawMan:
    """What one metric makes of one straw man.

    ``rank`` is 1 if it is ahead of all real systems; ``agreement`` is that of the metric once it
    is among them, with the worst rating.
    """

    name: str
    score: float
    rank: int
    beaten: tuple[str, ...]
    agreement: float

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; a NaN is null."""
        return {
            "name": self.name,
            "description": DESCRIPTIONS[self.name],
            "score": self.score,
            "rank": self.rank,
            "beaten": list(self.beaten),
            "agreement": or_none(self.agreement),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricStrawMen(Plain):
    """One metric, its agreement without straw men, with each, and with all of them."""

    PLAIN = "metric systems agreement agreement_with_all exposed fooled_by straw_men"

    metric: str
    systems: int
    agreement: float
    agreement_with_all: float
    straw_men: tuple[StrawMan, ...]

    @property
    def worst(self) -> StrawMan:
        """The straw man that does best."""
        return max(self.straw_men, key=lambda one: (len(one.beaten), -one.agreement))

    @property
    def fooled_by(self) -> tuple[str, ...]:
        """Straw men that are ahead of at least half of the real systems."""
        return tuple(one.name for one in self.straw_men if len(one.beaten) >= FOOLED * self.systems)

    @property
    def exposed(self) -> bool:
        """Whether the metric falls for any."""
        return bool(self.fooled_by)

    def __getitem__(self, name: str) -> StrawMan:
        for one in self.straw_men:
            if one.name == name:
                return one
        raise KeyError(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrawMenReport(Plain):
    """All metrics, on the same straw men."""

    name: str
    criterion: str
    measure: str
    rating: float
    segments: int
    seed: int
    metrics: tuple[MetricStrawMen, ...]
    exclusions: tuple[Exclusion, ...] = ()

    @property
    def exposed(self) -> tuple[str, ...]:
        """The metrics that fall for a straw man."""
        return tuple(one.metric for one in self.metrics if one.exposed)

    def __getitem__(self, metric: str) -> MetricStrawMen:
        for one in self.metrics:
            if one.metric == metric:
                return one
        raise KeyError(metric)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per metric and straw man; needs pandas."""
        return dataframe(
            {
                "metric": one.metric,
                "straw_man": man.name,
                "score": man.score,
                "rank": man.rank,
                "systems": one.systems,
                "agreement_without": one.agreement,
                "agreement": man.agreement,
            }
            for one in self.metrics
            for man in one.straw_men
        )
