"""Straw men among rated systems: which metric falls for output that nobody would rate well?

"As a general remark, it may be beneficial for human-correlation datasets to include a few
straw-man systems that have very short or very long translations" (Chiang et al. 2008, section
5): there, GRR with α = −0.9 and β = 1, which pays for every inserted word, correlated better
with people than GRR itself, because no system of the data had tried to earn that pay.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tertium.audit.case import Case, cases
from tertium.audit.outputs import hypotheses_of, spaced, words_of
from tertium.audit.straw_men import stuffed
from tertium.choices import DEFAULT_SEED
from tertium.errors import InputError
from tertium.meta.agreement.correlation import system_agreement
from tertium.meta.agreement.shared_systems import Aligned, align
from tertium.meta.ratings.judgments import Exclusion, Judgments, MetricScores, or_none
from tertium.metrics.contract.table import AnyMetrics
from tertium.plain import Plain
from tertium.scored.scored import AnyScored, as_scored
from tertium.tables import dataframe
from tertium.text.corpus import AnyTexts, Corpus, System

if TYPE_CHECKING:
    import pandas


# What metrics make of straw men: results of `tertium.meta.straw_men.ranks`.

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
        return max(
            self.straw_men, key=lambda straw_man: (len(straw_man.beaten), -straw_man.agreement)
        )

    @property
    def fooled_by(self) -> tuple[str, ...]:
        """Straw men that are ahead of at least half of the real systems."""
        return tuple(
            straw_man.name
            for straw_man in self.straw_men
            if len(straw_man.beaten) >= FOOLED * self.systems
        )

    @property
    def exposed(self) -> bool:
        """Whether the metric falls for any."""
        return bool(self.fooled_by)

    def __getitem__(self, name: str) -> StrawMan:
        for straw_man in self.straw_men:
            if straw_man.name == name:
                return straw_man
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
        return tuple(metric.metric for metric in self.metrics if metric.exposed)

    def __getitem__(self, metric: str) -> MetricStrawMen:
        for ranks in self.metrics:
            if ranks.metric == metric:
                return ranks
        raise KeyError(metric)

    def to_dataframe(self) -> "pandas.DataFrame":
        """One row per metric and straw man; needs pandas."""
        return dataframe(
            {
                "metric": metric.metric,
                "straw_man": man.name,
                "score": man.score,
                "rank": man.rank,
                "systems": metric.systems,
                "agreement_without": metric.agreement,
                "agreement": man.agreement,
            }
            for metric in self.metrics
            for man in metric.straw_men
        )


MOST_SEGMENTS: Final = 400


def straw_men(
    judgments: Judgments,
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    measure: str = "pearson",
    below: float = 0.0,
    segments: int = MOST_SEGMENTS,
    seed: int = DEFAULT_SEED,
    progress: Callable[[int], None] | None = None,
) -> StrawMenReport:
    """Add straw men to the rated systems, and see where each metric puts them.

    In the place of a corpus, systems and metrics there may be what `tertium.scored` made of them.
    They get the worst rating of all, or one that is lower by ``below`` times the spread of the
    ratings. At most so many ``segments`` are taken, evenly spaced. ``progress`` is told of every
    metric done.
    """
    whole = as_scored(corpus, systems, metrics)
    rated = judgments.values[~np.isnan(judgments.values)]  # noqa: PD011 - no data frame
    if not len(rated):
        raise InputError(f"{judgments.name} {judgments.criterion}: no system has a rating")
    chosen = tuple(spaced(len(whole.corpus), segments))
    trial = _Trial(
        judgments=judgments,
        segments=chosen,
        corpus=whole.corpus.taken(chosen),
        measure=measure,
        rating=float(rated.min() - below * np.ptp(rated)),
    )
    results = []
    exclusions: dict[Exclusion, None] = dict.fromkeys(judgments.exclusions)
    for case in cases(whole, alpha=0.05, seed=seed):
        aligned = trial.aligned(case)
        exclusions |= dict.fromkeys(aligned.exclusions)
        results.append(trial.result(case, aligned))
        if progress is not None:
            progress(1)
    return StrawMenReport(
        name=judgments.name,
        criterion=judgments.criterion,
        measure=measure,
        rating=trial.rating,
        segments=len(chosen),
        seed=seed,
        metrics=tuple(results),
        exclusions=tuple(exclusions),
    )


def straw_texts(case: Case, chosen: list[int], corpus: Corpus) -> dict[str, list[str]]:
    """Outputs for the chosen segments: those of the audit, and more that are short or long."""
    top = hypotheses_of(case.systems[case.ranking[0]], chosen)
    first = [text or "" for text in corpus.references.columns[0].to_list()]
    made = stuffed(case, chosen, corpus) | {
        "first words": [" ".join(text.split()[:FIRST_WORDS]) for text in top],
        "doubled": [f"{text} {text}" for text in top],
        "stutter": [
            " ".join(word for word in words for _ in range(3))
            for words in words_of(case.metric, first)
        ],
        "endless": [" ".join([text] * ENDLESS) for text in top],
    }
    return {name: made[name] for name in DESCRIPTIONS if name in made}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Trial:
    """What is the same for all metrics."""

    judgments: Judgments
    segments: tuple[int, ...]
    corpus: Corpus = field(repr=False)
    measure: str
    rating: float

    def aligned(self, case: Case) -> Aligned:
        """The real systems' ratings and scores on the chosen segments."""
        scores = MetricScores(
            metric=case.metric.spec,
            systems=case.names,
            values=case.metric.score(case.rows[:, self.segments].sum(axis=1)),
            higher_is_better=case.metric.higher_is_better,
        )
        aligned = align(self.judgments, scores)
        aligned.check_systems(3)
        return aligned

    def result(self, case: Case, aligned: Aligned) -> MetricStrawMen:
        """One metric's scores of all straw men, and how it agrees with people on them."""
        texts = straw_texts(case, list(self.segments), self.corpus)
        scores = {
            name: float(
                case.metric.score(
                    case.metric.rows_of(System(name=name, hypotheses=text), self.corpus).sum(axis=0)
                )
            )
            for name, text in texts.items()
        }
        found = []
        for name, score in scores.items():
            ahead = np.flatnonzero(case.sign * score > aligned.scores).tolist()
            found.append(
                StrawMan(
                    name=name,
                    score=score,
                    rank=1 + len(aligned.systems) - len(ahead),
                    beaten=tuple(aligned.systems[i] for i in ahead),
                    agreement=self.agreement(aligned, [case.sign * score]),
                )
            )
        every = [case.sign * score for score in scores.values()]
        return MetricStrawMen(
            metric=case.metric.spec,
            systems=len(aligned.systems),
            agreement=self.agreement(aligned, []),
            agreement_with_all=self.agreement(aligned, every),
            straw_men=tuple(found),
        )

    def agreement(self, aligned: Aligned, added: Sequence[float]) -> float:
        """That of real systems and some straw men."""
        ratings = np.append(aligned.ratings, [self.rating] * len(added))
        values = np.append(aligned.scores, added)
        return float(system_agreement(self.measure, ratings, values))
