"""Corpus scores of a model's first choices beside those of what was chosen instead."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.text.references import References


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAfter:
    """A metric's corpus score before and after; ``is_utility`` if it took part in the choice."""

    metric: str
    title: str
    signature: str
    higher_is_better: bool
    is_utility: bool
    before: float
    after: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: getattr(self, name) for name in BeforeAfter.__slots__}


def before_and_after(
    metric: Metric,
    before: Sequence[str],
    after: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    chosen_by: Collection[str] = (),
) -> BeforeAfter:
    """Both scores; ``chosen_by`` are the specs of metrics that the choice was made by."""
    prepared = References.of(references)
    bound = metric.fit(prepared) if metric.needs_fit else metric
    first, second = (
        float(bound.score(bound.statistics(texts, prepared).sum(axis=0)))
        for texts in (before, after)
    )
    return BeforeAfter(
        metric=metric.spec,
        title=metric.title,
        signature=metric.signature(prepared.count),
        higher_is_better=metric.higher_is_better,
        is_utility=metric.spec in chosen_by,
        before=first,
        after=second,
    )


def references_of(
    one: NBest | Lattice | Forest, segment: int, given: Sequence[Sequence[str]] | None
) -> tuple[str, ...]:
    """The references of a segment: those given, else those that an n-best list brings."""
    if given is None:
        return one.references if isinstance(one, NBest) else ()
    if segment >= len(given):
        found = f"{len(given)} segments"
        raise InputError(f"references: found {found}, expected more than {segment} (segment)")
    return tuple(given[segment])
