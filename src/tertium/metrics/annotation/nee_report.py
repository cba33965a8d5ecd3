"""What NEE finds, taken apart: types, documents, missed names, agreement between humans."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.errors import InputError
from tertium.metrics.annotation.entity_lists import Search, Unit, document_labels, paragraph_labels
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.contract.base import Rows
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class NameCount(Plain):
    """Names found of those listed; fractions where parts or several references count."""

    PLAIN = "score found listed"

    found: float
    listed: float

    @property
    def score(self) -> float:
        """100 · found / listed; nothing to find is nothing missed."""
        return 100 * self.found / self.listed if self.listed else 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedEntity:
    """A name that the translation does not have, with what a developer needs to see why.

    ``segment`` is the first one where it is annotated, counted from 1; ``part`` is the longest
    part of it, normalised, that the unit has.
    """

    segment: int
    document: str | None
    labels: tuple[str, ...]
    text: str
    part: str
    reference: str
    hypothesis: str

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        document = {} if self.document is None else {"document": self.document}
        return {
            "segment": self.segment,
            **document,
            "types": list(self.labels),
            "name": self.text,
            "part": self.part,
            "reference": self.reference,
            "hypothesis": self.hypothesis,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemNames(Plain):
    """One translation's names; ``human`` for a reference that was scored as a system.

    ``paragraphs`` are there where paragraphs are the units.
    """

    PLAIN = "human types documents paragraphs missed"

    system: str
    total: NameCount
    types: dict[str, NameCount]
    documents: dict[str, NameCount] = field(default_factory=dict)
    paragraphs: dict[str, NameCount] = field(default_factory=dict)
    missed: tuple[MissedEntity, ...] = ()
    human: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameReport:
    """Systems, then references scored against each other: how far humans agree on names."""

    metric: NamedEntityEvaluator
    references: str
    segments: int
    systems: tuple[SystemNames, ...]
    humans: tuple[SystemNames, ...] = ()

    @property
    def signature(self) -> str:
        """The complete identity of the metric."""
        return self.metric.signature(self.references)

    @property
    def rows(self) -> tuple[SystemNames, ...]:
        """Systems and humans."""
        return (*self.systems, *self.humans)

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "segments": self.segments,
            "units": len(self.metric.members or ()),
            "systems": [self._system_dict(system) for system in self.systems],
            "humans": [self._system_dict(human) for human in self.humans],
        }

    def _system_dict(self, names: SystemNames) -> dict[str, Any]:
        score = {
            "metric": self.metric.spec,
            **names.total.to_dict(),
            "signature": self.signature,
            "higher_is_better": self.metric.higher_is_better,
        }
        return {"system": names.system, "scores": [score], **names.to_dict()}


def name_report(
    corpus: Corpus,
    systems: Sequence[System],
    metric: NamedEntityEvaluator | None = None,
    *,
    reference_names: Sequence[str] | None = None,
) -> NameReport:
    """Look for the names of a corpus in systems, and in each reference for those of the others.

    Papineni et al. (2002) find humans consistent on 60 to 80% of the names: what systems reach
    is to be seen beside that.
    """
    bound = (metric or NamedEntityEvaluator()).bind(corpus)
    reporter = _Reporter(corpus=corpus, metric=bound)
    units = bound.units(corpus.references)
    names = reference_names or [
        f"reference {number}" for number in range(1, len(corpus.references.columns) + 1)
    ]
    return NameReport(
        metric=bound,
        references=corpus.references.count,
        segments=len(corpus),
        systems=tuple(
            reporter.names(system.name, _texts(system, len(corpus)), units) for system in systems
        ),
        humans=tuple(reporter.humans(names)),
    )


def _texts(system: System, expected: int) -> list[str]:
    if len(system) != expected:
        raise InputError(
            f"{system.name}: {counted(len(system), 'segment')}, expected {expected} (references)"
        )
    return [text or "" for text in system.hypotheses.to_list()]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reporter:
    corpus: Corpus
    metric: NamedEntityEvaluator

    def humans(self, names: Sequence[str]) -> Iterator[SystemNames]:
        """References as systems, where others have names and no segment is missing."""
        columns = self.metric.annotated(self.corpus.references)
        for number, (name, column) in enumerate(zip(names, columns, strict=True)):
            units = self.metric.units(self.corpus.references, without=number)
            texts = [annotated.text for annotated in column if annotated is not None]
            if len(texts) == len(column) and any(unit.lists for unit in units):
                yield self.names(name, texts, units, human=True)

    def names(
        self, system: str, texts: Sequence[str], units: Sequence[Unit], *, human: bool = False
    ) -> SystemNames:
        """Counts by type, document and paragraph, and the missed names."""
        searches = list(self.metric.searches(texts, units))
        rows = self.metric.rows(searches, len(texts))
        total, *types = self._counts(rows)
        columns = self.metric.annotated(self.corpus.references)
        by_paragraph = self.metric.unit == "paragraph"
        paragraphs = paragraph_labels(columns, self.corpus) if by_paragraph else None
        return SystemNames(
            system=system,
            total=total,
            types=dict(zip(self.metric.labels or (), types, strict=True)),
            documents=self._sliced(rows, document_labels(columns, self.corpus)),
            paragraphs=self._sliced(rows, paragraphs),
            missed=tuple(self._missed(texts, searches)),
            human=human,
        )

    def _counts(self, rows: Rows) -> list[NameCount]:
        numbers = rows.sum(axis=0).tolist()
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return [NameCount(found=matched, listed=listed) for matched, listed in pairs]

    def _sliced(self, rows: Rows, labels: Sequence[str] | None) -> dict[str, NameCount]:
        members: dict[str, list[int]] = {}
        for segment, label in enumerate(labels or ()):
            members.setdefault(label, []).append(segment)
        return {label: self._counts(rows[some])[0] for label, some in members.items()}

    def _missed(self, texts: Sequence[str], searches: Sequence[Search]) -> Iterator[MissedEntity]:
        columns = self.metric.annotated(self.corpus.references)
        documents = document_labels(columns, self.corpus)
        for search in searches:
            for name in search.missed():
                segment = name.segments[0]
                annotated = (column[segment] for column in columns)
                yield MissedEntity(
                    segment=segment + 1,
                    document=None if documents is None else documents[segment],
                    labels=name.labels,
                    text=name.text,
                    part=" ".join(search.haystack.longest_part(name.tokens)),
                    reference=next((a.text for a in annotated if a and name.text in a.text), ""),
                    hypothesis=texts[segment],
                )
