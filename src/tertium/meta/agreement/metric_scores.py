"""The scores of metrics on text, in the form that agreement takes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.system_names import match_names
from tertium.scored.scored import Scored
from tertium.text.corpus import System


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
    rated = list(dict.fromkeys(name for one in judgments for name in (*one.systems, *one.omitted)))
    found = match_names([one.name for one in systems], rated, names)
    return tuple(replace(one, name=found.get(one.name, one.name)) for one in systems)
