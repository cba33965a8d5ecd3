"""Tuning on one genre, on another and on all, each scored on each (Chiang et al. 2008)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.plain import Plain
from tertium.scored.slices import Slices, numbered
from tertium.tune.mert import SearchOptions
from tertium.tune.surfaces import Candidates, GraphSurface, NBestSurface, Surface
from tertium.tune.training import TrainingOptions
from tertium.tune.tune import Outcome, TuningReport, outcome, outcome_of, tune
from tertium.tune.weight_vectors import vector_of

ALL: Final = "all"
"""What the mixed segments are called."""
BEFORE: Final = "before"
OWN: Final = "each its own"
"""The weights of each label for its own segments; scored on all of them together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLabelScore(Plain):
    """What weights tuned on one label's segments, for one metric, do on another's."""

    metric: str
    tuned_on: str
    scored_on: str
    dev: Outcome
    held_out: Outcome | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledTuning(Plain):
    """A report for the segments of each label and for all, and every system on every label.

    ``cells`` go by metric, by what was tuned on (first the weights given, `BEFORE`), and by what
    was scored. The last of a metric is `OWN` on `ALL`: genre-specific systems, scored together.
    """

    PLAIN = "by tuned_on=reports scored_on=cells"

    by: str
    reports: Mapping[str, TuningReport]
    cells: tuple[CrossLabelScore, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in the order in which they come up, and `ALL`."""
        return tuple(self.reports)


def tune_by_label(
    surface: Surface,
    labels: Sequence[str],
    metrics: Sequence[Metric],
    start: Mapping[str, float],
    *,
    by: str = "genre",
    held_out: Surface | None = None,
    held_out_labels: Sequence[str] = (),
    also: Sequence[Metric] = (),
    options: SearchOptions | TrainingOptions | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> LabelledTuning:
    """Tune on the segments of each label and on all of them; score every result on every label."""
    kinds, _ = numbered(labels)
    if len(kinds) < 2:
        raise InputError(f"{by}: found {', '.join(kinds) or 'none'}, expected two or more")
    for name, meaning in (
        (ALL, "the mixed"),
        (BEFORE, "the weights given"),
        (OWN, "each by its own"),
    ):
        if name in kinds:
            raise InputError(f"{by}: found one called '{name}', expected another name: {meaning}")
    values = vector_of(start, surface.feature_names, "weights").tolist()
    given = dict(zip(surface.feature_names, values, strict=True))
    dev = _parts(surface, labels, kinds)
    unseen = {} if held_out is None else _parts(held_out, held_out_labels, kinds)
    reports = {
        kind: tune(
            dev[kind],
            metrics,
            given,
            held_out=unseen.get(kind),
            also=also,
            options=options,
            advance=advance,
        )
        for kind in (*kinds, ALL)
    }
    shown = list({metric.spec: metric for metric in (*metrics, *also)}.values())

    def scored(surface: Surface, weights: Mapping[str, float]) -> Outcome:
        return outcome(surface, shown, vector_of(weights, surface.feature_names, "weights"))

    cells = []
    for number, metric in enumerate(metrics):
        systems = {BEFORE: given}
        systems |= {kind: report.tuned[number].weights for kind, report in reports.items()}
        cells += [
            CrossLabelScore(
                metric=metric.spec,
                tuned_on=system,
                scored_on=kind,
                dev=scored(dev[kind], weights),
                held_out=scored(unseen[kind], weights) if kind in unseen else None,
            )
            for system, weights in systems.items()
            for kind in (*kinds, ALL)
        ]
        unseen_own = None
        if held_out is not None:
            unseen_own = _own(held_out, held_out_labels, systems, shown)
        cells.append(
            CrossLabelScore(
                metric=metric.spec,
                tuned_on=OWN,
                scored_on=ALL,
                dev=_own(surface, labels, systems, shown),
                held_out=unseen_own,
            )
        )
    return LabelledTuning(by=by, reports=reports, cells=tuple(cells))


def _own(
    surface: Surface,
    labels: Sequence[str],
    systems: Mapping[str, Mapping[str, float]],
    metrics: list[Metric],
) -> Outcome:
    """All segments, each translated by the weights of its label; by those of all where it is new.

    ``systems`` has weights by label.
    """
    points = [vector_of(system, surface.feature_names, "weights") for system in systems.values()]
    choices = surface.best(np.stack(points))
    places = {label: index for index, label in enumerate(systems)}
    systems_of = [places[label if label in places else ALL] for label in labels]
    return outcome_of(surface, metrics, choices[systems_of, np.arange(surface.segments)])


def _parts(surface: Surface, labels: Sequence[str], kinds: Sequence[str]) -> dict[str, Surface]:
    if len(labels) != surface.segments:
        found = f"found {len(labels)} labels"
        raise InputError(f"documents: {found}, expected {surface.segments} (segments)")
    known = Slices.of(labels).places
    parts = {kind: subset(surface, known[kind].tolist()) for kind in kinds if kind in known}
    return {**parts, ALL: surface}


def subset(surface: Surface, segments: Sequence[int]) -> Surface:
    """Some segments of a surface, with the same features."""
    references = [surface.references[segment] for segment in segments]
    known = surface.sources
    sources = None if known is None else [known[segment] for segment in segments]
    if type(surface) is NBestSurface:
        offsets = surface.candidates.offsets
        spans = [range(offsets[s], offsets[s + 1]) for s in segments]
        places = [place for span in spans for place in span]
        return NBestSurface(
            Candidates(
                feature_names=surface.feature_names,
                features=np.ascontiguousarray(surface.candidates.features[places]),
                offsets=np.cumsum([0, *map(len, spans)], dtype=np.int64),
                texts=tuple(surface.candidates.texts[index] for index in places),
            ),
            references,
            sources,
        )
    if isinstance(surface, GraphSurface):
        return GraphSurface([surface.graphs[segment] for segment in segments], references, sources)
    raise OptionError("--documents: found statistics, expected n-best lists, lattices or forests")
