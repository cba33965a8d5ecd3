"""Ratings and scores of the same systems, brought together by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.preferences import Preferences, preferences_of
from tertium.meta.ratings.judgments import Exclusion, Floats, Judgments, MetricScores
from tertium.meta.ratings.system_names import copies_of_references, match_names, without
from tertium.plurals import counted
from tertium.scored.scored import Scored
from tertium.text.corpus import Corpus, System

NOT_LOCATED: Final = "ratings whose segment of the test set is not known, held against systems only"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned:
    """Systems that have both a rating and a score, in the order of the ratings.

    ``scores`` and ``segment_scores`` are turned so that higher is better. Segments are
    (systems, segments), NaN where there is nothing. ``preferences`` are those of people.
    """

    judgments: Judgments
    metric: str
    systems: tuple[str, ...]
    ratings: Floats = field(repr=False)
    scores: Floats = field(repr=False)
    segment_ratings: Floats | None = field(default=None, repr=False)
    segment_scores: Floats | None = field(default=None, repr=False)
    preferences: Preferences | None = field(default=None, repr=False)
    places: tuple[int, ...] = field(repr=False)
    """Where each system stands among the scores."""
    exclusions: tuple[Exclusion, ...]

    @property
    def place(self) -> str:
        """What errors call it."""
        return f"{self.judgments.name} {self.judgments.criterion}, {self.metric}"

    def check_systems(self, least: int) -> None:
        """Refuse too few systems, saying what became of the others."""
        if len(self.systems) < least:
            why = "; ".join(map(str, self.exclusions))
            raise InputError(
                f"{self.place}: found {counted(len(self.systems), 'system')} with rating and "
                "score, "
                f"expected at least {least}" + (f" ({why})" if why else "")
            )


def align(judgments: Judgments, scores: MetricScores) -> Aligned:
    """Match systems by name; those without a partner are excluded, and that is stated."""
    rated = dict(zip(judgments.systems, judgments.values.tolist(), strict=True))
    scored = dict(zip(scores.systems, scores.values.tolist(), strict=True))
    common = [name for name in judgments.systems if name in scored]
    if not common:
        raise InputError(
            f"{judgments.name} {judgments.criterion}, {scores.metric}: no system has both; "
            f"found scores of {_some(scores.systems)}, expected {_some(judgments.systems)}"
        )
    kept = [name for name in common if rated[name] == rated[name] and scored[name] == scored[name]]
    left_out = {
        "systems without a score": [name for name in rated if name not in scored],
        "systems without a rating": [
            name for name in scored if name not in rated and name not in judgments.omitted
        ]
        + [name for name in common if np.isnan(rated[name])],
        "systems whose score is NaN": [
            name for name in common if np.isnan(scored[name]) and not np.isnan(rated[name])
        ],
    }
    exclusions = [
        Exclusion(reason=reason, count=len(names), example=names[0])
        for reason, names in left_out.items()
        if names
    ]
    rows = [judgments.systems.index(name) for name in kept]
    places = [scores.systems.index(name) for name in kept]
    sign = 1.0 if scores.higher_is_better else -1.0
    segments = None if scores.segments is None else sign * scores.segments[places]
    here = judgments.located
    ratings = judgments.segments[rows] if here and judgments.segments is not None else None
    if segments is not None and ratings is not None and segments.shape != ratings.shape:
        raise InputError(
            f"{scores.metric}: found scores of {segments.shape[1]} segments, expected "
            f"{ratings.shape[1]} (ratings of {judgments.name} {judgments.criterion})"
        )
    preferences, dropped = _preferences(judgments, rows) if here else (None, ())
    if segments is not None and not here:
        said = judgments.comparisons
        count = judgments.ratings if said is None else len(said)
        exclusions.append(Exclusion(reason=NOT_LOCATED, count=count))
    return Aligned(
        judgments=judgments,
        metric=scores.metric,
        systems=tuple(kept),
        ratings=judgments.values[rows],
        scores=sign * scores.values[places],
        segment_ratings=ratings,
        segment_scores=segments,
        preferences=preferences,
        places=tuple(places),
        exclusions=(*exclusions, *_missing(scores, places), *dropped),
    )


def _missing(scores: MetricScores, places: Sequence[int]) -> list[Exclusion]:
    """Outputs that the metric has no score of, in any of these systems: left out, and never 0."""
    if scores.segments is None:
        return []
    system, segment = np.nonzero(np.isnan(scores.segments[places]))
    if not len(system):
        return []
    first = f"{scores.systems[places[system[0]]]}, segment {segment[0] + 1}"
    return [
        Exclusion(
            reason=f"outputs without a score of {scores.metric}", count=len(system), example=first
        )
    ]


def of_systems(aligned: Aligned, chosen: Sequence[int]) -> Aligned:
    """The same for some of the systems, by their places, in that order."""
    kept = list(chosen)
    preferences = aligned.preferences
    return replace(
        aligned,
        systems=tuple(aligned.systems[i] for i in kept),
        ratings=aligned.ratings[kept],
        scores=aligned.scores[kept],
        segment_ratings=None if aligned.segment_ratings is None else aligned.segment_ratings[kept],
        segment_scores=None if aligned.segment_scores is None else aligned.segment_scores[kept],
        preferences=preferences and between(preferences, kept, len(aligned.systems)),
        places=tuple(aligned.places[i] for i in kept),
    )


def shared_systems(judgments: Judgments, scores: Sequence[MetricScores]) -> list[str]:
    """The rated systems that all of some metrics scored."""
    scored = [align(judgments, score).systems for score in scores]
    return [name for name in judgments.systems if all(name in names for names in scored)]


def common_systems(judgments: Judgments, scores: Sequence[MetricScores]) -> list[Aligned]:
    """Several metrics on the systems that all of them scored, so that they can be compared."""
    aligned = [align(judgments, score) for score in scores]
    shared = shared_systems(judgments, scores)
    if not shared:
        raise InputError(
            f"{judgments.name} {judgments.criterion}: no system has a score of every metric "
            f"({', '.join(score.metric for score in scores)}), expected at least one"
        )
    return [of_systems(table, [table.systems.index(name) for name in shared]) for table in aligned]


def between(preferences: Preferences, chosen: Sequence[int], systems: int) -> Preferences:
    """Preferences between some of the systems, by their new numbers."""
    new = np.full(systems, -1, dtype=np.int32)
    new[list(chosen)] = np.arange(len(chosen), dtype=np.int32)
    better, worse = new[preferences.better], new[preferences.worse]
    kept = (better >= 0) & (worse >= 0)
    return Preferences(
        segment=preferences.segment[kept],
        better=better[kept],
        worse=worse[kept],
        tied=preferences.tied,
    )


def _preferences(
    judgments: Judgments, rows: Sequence[int]
) -> tuple[Preferences | None, tuple[Exclusion, ...]]:
    """People's preferences between the systems that are left, and what is left out."""
    if judgments.comparisons is None:
        return None, ()
    every = preferences_of(judgments.comparisons)
    found = between(every, rows, len(judgments.systems))
    lost = len(every) - len(found)
    exclusions = (
        Exclusion(reason="comparisons that people found tied", count=every.tied),
        Exclusion(reason="comparisons with an unmatched system", count=lost),
    )
    return found, tuple(exclusion for exclusion in exclusions if exclusion.count)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


# The scores of metrics on text, in the form that agreement takes.


def metric_scores(scored: Scored) -> tuple[MetricScores, ...]:
    """Corpus and segment scores of every system, by metric."""
    return tuple(
        MetricScores(
            metric=metric.spec,
            systems=scored.names,
            values=scored.scores_of(metric),
            segments=scored.segments_of(metric),
            higher_is_better=metric.higher_is_better,
        )
        for metric in scored.metrics
    )


def systems_as_rated(
    systems: Sequence[System],
    judgments: Sequence[Judgments],
    names: Mapping[str, str] | None = None,
) -> tuple[System, ...]:
    """The systems under the names that the ratings use; unmatched ones keep their own."""
    rated = list(
        dict.fromkeys(
            name for judgment in judgments for name in (*judgment.systems, *judgment.omitted)
        )
    )
    found = match_names([system.name for system in systems], rated, names)
    return tuple(replace(system, name=found.get(system.name, system.name)) for system in systems)


# A corpus, its systems and people's ratings of them, made to go together.


class RatedTexts(NamedTuple):
    """Systems go by their rated names; the ratings are of one language pair."""

    corpus: Corpus
    systems: tuple[System, ...]
    judgments: tuple[Judgments, ...]


def rated_texts(
    corpus: Corpus,
    systems: Sequence[System],
    judgments: Sequence[Judgments],
    *,
    names: Mapping[str, str] | None = None,
    include_references: bool = False,
) -> RatedTexts:
    """The systems that were rated, and the ratings of them.

    ``names`` are rated names by those of the systems, where they do not show it themselves. Output
    that equals a reference is left out, and that is stated, unless ``include_references``.
    """
    pairs = list(dict.fromkeys(judgment.name for judgment in judgments))
    if len(pairs) > 1:
        raise OptionError(
            f"--ratings: found {', '.join(pairs)}, expected one of them for these texts: --pair"
        )
    renamed = systems_as_rated(systems, judgments, names)
    rated = tuple(judgments)
    if not include_references:
        copies = copies_of_references(corpus, renamed)
        rated = tuple(without(table, copies) for table in rated)
    left_out = {name for table in rated for name in table.omitted}
    kept = tuple(system for system in renamed if system.name not in left_out)
    if not kept:
        raise InputError(
            f"systems: found only {', '.join(sorted(left_out))}, which are left out, expected "
            "others, or --include-references"
        )
    return RatedTexts(corpus=corpus, systems=kept, judgments=rated)
