"""Slices that go the other way than all segments do, each with a test of its own."""

from dataclasses import replace

import numpy as np

from tertium.audit.leads import all_leads
from tertium.compare.baseline_tests import ComparisonSettings
from tertium.decide.evidence import OpposingSlice, OpposingSlices
from tertium.inference.choices import TEST_TRIALS
from tertium.inference.corrections import holm
from tertium.inference.joint_tests import least_p_value
from tertium.inference.units import units_of
from tertium.metrics.contract.base import Metric
from tertium.results import titles
from tertium.scored.choices import Slicing
from tertium.scored.scored import Scored


def opposing_slices(
    scored: Scored, system: int, settings: ComparisonSettings
) -> tuple[OpposingSlices, ...]:
    """Slices of every slicing in which a system is on the other side of the baseline.

    Holm's correction covers all slices of a slicing and all metrics. Those that go the same way
    are not tested; they count as tests that found nothing, which only makes it stricter. Of very
    many slices none can be found significant, and none is tested.
    """
    found = []
    for by, slices in scored.slicings.items():
        least = settings.alpha / (len(slices) * len(scored.metrics))
        some = [
            OpposingSlices(
                metric=metric,
                title=title,
                by=by,
                of=len(slices),
                slices=tuple(_opposing(scored, metric, system, by, settings, least=least)),
            )
            for metric, title in zip(scored.metrics, titles(scored.metrics), strict=True)
        ]
        found += _corrected(some, len(slices) * len(some), settings)
    return tuple(found)


def _opposing(
    scored: Scored,
    metric: Metric,
    system: int,
    by: Slicing,
    settings: ComparisonSettings,
    *,
    least: float,
) -> list[OpposingSlice]:
    """Those of one metric; ``least`` is the largest p-value that the smallest of all may have."""
    slices = scored.slices(by)
    first, second = scored.kept(
        ("scores of two", metric.spec, system),
        lambda: metric.score(scored.rows_of(metric)[[0, system]].sum(axis=1)),
    )
    if metric.shown(first) == metric.shown(second):
        return []
    sums = scored.kept(("slice sums", metric.spec, by), lambda: slices.sums(scored.rows_of(metric)))
    parts = np.subtract(*metric.score(sums[[system, 0]]))
    documents = scored.corpus.documents
    found = []
    for place, (label, places) in enumerate(slices.places.items()):
        delta = float(parts[place])
        if not delta * (second - first) < 0 or metric.shown(delta) == metric.shown(0.0):
            continue
        labels = None if documents is None else [documents[i] for i in places.tolist()]
        units = units_of(len(places), labels, settings.resample)
        p_value = None
        if settings.can_find(units.count) and least_p_value(units.count, TEST_TRIALS) <= least:
            rows = scored.rows_of(metric)[[0, system]][:, places]
            p_value = float(all_leads(metric, rows, units, seed=settings.seed).p_values[0])
        found.append(
            OpposingSlice(
                label=label,
                segments=len(places),
                unit=units.unit,
                units=units.count,
                delta=delta,
                p_value=p_value,
            )
        )
    return sorted(found, key=lambda one: -abs(one.delta))


def _corrected(
    some: list[OpposingSlices], tests: int, settings: ComparisonSettings
) -> list[OpposingSlices]:
    known = [one.p_value for each in some for one in each.slices if one.p_value is not None]
    adjusted = iter(holm([*known, *[1.0] * (tests - len(known))])[: len(known)].tolist())

    def decided(one: OpposingSlice) -> OpposingSlice:
        if one.p_value is None:
            return one
        p_value = next(adjusted)
        return replace(one, adjusted=p_value, significant=p_value <= settings.alpha)

    return [
        replace(each, slices=tuple(decided(one) for one in each.slices))
        for each in some
        if each.slices
    ]
