"""Which annotated names the systems have, for the segments where they are annotated."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.contract.base import Metric
from tertium.text.corpus import Corpus, System


@dataclass(frozen=True, slots=True)
class SegmentName:
    """A name in a segment; ``found`` tells of each system whether it has the name wholly."""

    label: str
    text: str
    found: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entities:
    """The names of every segment; ``unit`` is where a name is looked for."""

    unit: str
    of_segment: tuple[tuple[SegmentName, ...], ...]


def entities(
    corpus: Corpus, systems: Sequence[System], metrics: Sequence[Metric]
) -> Entities | None:
    """What NEE finds, a name being looked for in the whole unit, as the metric does.

    None where NEE is not among the metrics.
    """
    metric = next((one for one in metrics if isinstance(one, NamedEntityEvaluator)), None)
    if metric is None:
        return None
    units = metric.units(corpus.references)
    listed = [
        {
            name.tokens: ("+".join(name.labels), name.text)
            for names in unit.lists
            for name in names
            if segment in name.segments
        }
        for segment, unit in sorted((one, unit) for unit in units for one in unit.segments)
    ]
    found = [_found(corpus, metric, system) for system in systems]
    return Entities(
        unit=metric.unit,
        of_segment=tuple(
            tuple(
                SegmentName(label, text, tuple((segment, tokens) in one for one in found))
                for tokens, (label, text) in names.items()
            )
            for segment, names in enumerate(listed)
        ),
    )


def _found(
    corpus: Corpus, metric: NamedEntityEvaluator, system: System
) -> frozenset[tuple[int, tuple[str, ...]]]:
    """The places and tokens of all names that one system has wholly."""
    texts = [text or "" for text in system.hypotheses.to_list()]
    return frozenset(
        (segment, name.tokens)
        for search in metric.searches(texts, metric.units(corpus.references))
        for names, earned in zip(search.unit.lists, search.earned, strict=True)
        for name, credit in zip(names, earned, strict=True)
        if credit == 1
        for segment in name.segments
    )
