"""Corpus scores of a model's first choices beside those of what was chosen instead."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System


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
    finer: int = 0
    """Decimals more than usual that the scores are shown with."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: getattr(self, name) for name in BeforeAfter.__slots__ if name != "finer"}


def before_and_after(
    metric: Metric,
    before: Sequence[str],
    after: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    sources: Sequence[str | None] = (),
    chosen_by: Collection[str] = (),
) -> BeforeAfter:
    """Both scores; ``chosen_by`` are the specs of metrics that the choice was made by.

    ``sources`` count if every segment has one.
    """
    known = [source for source in sources if source is not None]
    complete = len(known) == len(references)
    corpus = Corpus(references=references, sources=known if complete else None)
    prepared = corpus.references
    bound = metric.fit(prepared) if metric.needs_fit else metric
    first, second = (
        float(bound.score(bound.rows_of(System(name=name, hypotheses=texts), corpus).sum(axis=0)))
        for name, texts in (("before", before), ("after", after))
    )
    return BeforeAfter(
        metric=metric.spec,
        title=metric.title,
        signature=metric.signature(prepared.count),
        higher_is_better=metric.higher_is_better,
        is_utility=metric.spec in chosen_by,
        before=first,
        after=second,
        finer=metric.finer,
    )


def source_of(
    structure: NBest | Lattice | Forest, segment: int, given: Sequence[str] | None
) -> str | None:
    """The source of a segment: the one given, else the one that an n-best list brings."""
    if given is None:
        return structure.source if isinstance(structure, NBest) else None
    if segment >= len(given):
        found = f"{counted(len(given), 'segment')}"
        raise InputError(f"sources: found {found}, expected more than {segment} (segment)")
    return given[segment]


def references_of(
    structure: NBest | Lattice | Forest, segment: int, given: Sequence[Sequence[str]] | None
) -> tuple[str, ...]:
    """The references of a segment: those given, else those that an n-best list brings."""
    if given is None:
        return structure.references if isinstance(structure, NBest) else ()
    if segment >= len(given):
        found = f"{counted(len(given), 'segment')}"
        raise InputError(f"references: found {found}, expected more than {segment} (segment)")
    return tuple(given[segment])
