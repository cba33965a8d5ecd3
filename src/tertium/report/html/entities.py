"""Which annotated names the systems have, for the segments where they are annotated."""

from typing import Any

from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.study.results import Study


def entities(study: Study) -> dict[str, Any] | None:
    """Segment → names with their types and, for every system, "1" where it has the name.

    A name is looked for in the whole unit (``unit`` says whether that is a document), as the
    metric does. None where NEE is not among the metrics.
    """
    metric = next((one for one in study.metrics if isinstance(one, NamedEntityEvaluator)), None)
    if metric is None:
        return None
    units = metric.units(study.corpus.references)
    listed = [
        {
            name.tokens: ("+".join(name.labels), name.text)
            for names in unit.lists
            for name in names
            if segment in name.segments
        }
        for segment, unit in sorted((one, unit) for unit in units for one in unit.segments)
    ]
    found = [_found(study, metric, system) for system in range(len(study.systems))]
    return {
        "unit": metric.unit,
        "of": [
            [
                [label, text, "".join("01"[(segment, tokens) in one] for one in found)]
                for tokens, (label, text) in names.items()
            ]
            for segment, names in enumerate(listed)
        ],
    }


def _found(
    study: Study, metric: NamedEntityEvaluator, system: int
) -> frozenset[tuple[int, tuple[str, ...]]]:
    """The places and tokens of all names that one system has wholly."""
    texts = [text or "" for text in study.systems[system].hypotheses.to_list()]
    return frozenset(
        (segment, name.tokens)
        for search in metric.searches(texts, metric.units(study.corpus.references))
        for names, earned in zip(search.unit.lists, search.earned, strict=True)
        for name, credit in zip(names, earned, strict=True)
        if credit == 1
        for segment in name.segments
    )
