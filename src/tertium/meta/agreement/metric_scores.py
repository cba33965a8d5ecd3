"""The scores of metrics on text, in the form that agreement takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tertium.inference.rows import MetricRows, system_rows
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.system_names import match_names
from tertium.scoring import AnyMetric, as_metric
from tertium.text.corpus import Corpus, System


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSystems:
    """Every metric's scores, and the statistics that they come from, by its spec."""

    scores: tuple[MetricScores, ...]
    statistics: Mapping[str, MetricRows] = field(repr=False)


def score_systems(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[AnyMetric],
    *,
    progress: Callable[[int], None] | None = None,
) -> ScoredSystems:
    """Corpus and segment scores of every system under every metric.

    ``progress`` is told how many metrics were done with each step.
    """
    scores, statistics = [], {}
    for given in metrics:
        metric = as_metric(given).bind(corpus)
        rows = system_rows(corpus, systems, metric)
        statistics[metric.spec] = MetricRows(metric=metric, rows=rows)
        scores.append(
            MetricScores(
                metric=metric.spec,
                systems=tuple(system.name for system in systems),
                values=metric.score(rows.sum(axis=1)),
                segments=metric.for_segments().score(rows),
                higher_is_better=metric.higher_is_better,
            )
        )
        if progress is not None:
            progress(1)
    return ScoredSystems(scores=tuple(scores), statistics=statistics)


def systems_as_rated(
    systems: Sequence[System],
    judgments: Sequence[Judgments],
    names: Mapping[str, str] | None = None,
) -> tuple[System, ...]:
    """The systems under the names that the ratings use; unmatched ones keep their own."""
    rated = list(dict.fromkeys(name for one in judgments for name in (*one.systems, *one.omitted)))
    found = match_names([one.name for one in systems], rated, names)
    return tuple(replace(one, name=found.get(one.name, one.name)) for one in systems)
