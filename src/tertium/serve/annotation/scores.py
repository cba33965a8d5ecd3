"""NEE from the store: names that people marked in references, listed, looked for in outputs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from tertium.metrics.annotation.entity_lists import Column, Search, list_units
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.metrics.annotation.nee_report import NameCount
from tertium.serve.annotation.layers import Name, annotated, chosen_layer, names_of
from tertium.serve.annotation.targets import (
    TargetText,
    document_members,
    newest_outputs,
    target_text,
    targets,
)
from tertium.serve.store.schema import TestSet
from tertium.text.entity_names import NameNormalization


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedName:
    """A name that a translation lacks; ``segment``, from 0, is the first where it is marked."""

    segment: int
    document: str
    types: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScore:
    """One translation; ``human`` is a further reference, scored like a system."""

    system: str
    key: str
    human: bool
    total: NameCount
    types: dict[str, NameCount]
    missed: tuple[MissedName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedText:
    """A reference whose names count, and whose layer it is."""

    key: str
    name: str
    annotator: str
    names: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameScores:
    """All translations, the best first; without a name in any reference there are none."""

    unit: str
    signature: str
    references: tuple[NamedText, ...]
    systems: tuple[SystemScore, ...]


def metric_of(session: Session, test_set_id: int) -> NamedEntityEvaluator:
    """NEE for the language of a test set's references."""
    language = session.get_one(TestSet, test_set_id).target_language.lower()
    return NamedEntityEvaluator(language=language.partition("-")[0].partition("_")[0] or "en")


def name_scores(session: Session, test_set_id: int) -> NameScores:
    """NEE of every system's newest output, from the names as they are now."""
    metric = metric_of(session, test_set_id)
    named: list[NamedText] = []
    columns: list[Column] = []
    texts: list[TargetText] = []
    for target in targets(session, test_set_id):
        if target.kind != "reference":
            continue
        text = target_text(session, target)
        texts.append(text)
        layer = chosen_layer(session, target)
        names = () if layer is None else names_of(session, target, layer)
        columns.append(annotated(text.segments, names))
        if names:
            named.append(
                NamedText(key=target.key, name=target.name, annotator=str(layer), names=len(names))
            )
    if not named:
        return NameScores(unit="document", signature="", references=(), systems=())
    scorer = _Scorer.of(metric, texts[0], columns)
    systems = [
        scorer.score(target_text(session, target), columns)
        for target in newest_outputs(session, test_set_id)
    ]
    systems.sort(key=lambda one: -one.total.score)
    humans = [
        scorer.score(text, [column for k, column in enumerate(columns) if k != number])
        for number, text in enumerate(texts)
        if any(one and one.entities for k, c in enumerate(columns) if k != number for one in c)
    ]
    return NameScores(
        unit=scorer.metric.unit,
        signature=scorer.metric.signature(str(len(texts))),
        references=tuple(named),
        systems=(*systems, *humans),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scorer:
    metric: NamedEntityEvaluator
    documents: tuple[str, ...] | None

    @classmethod
    def of(
        cls, metric: NamedEntityEvaluator, text: TargetText, columns: Sequence[Column]
    ) -> "_Scorer":
        labels = {
            one.label for column in columns for some in column if some for one in some.entities
        }
        if text.documents is None:
            members: Iterable[Sequence[int]] = [[k] for k in range(len(text.segments))]
        else:
            members = document_members(text).values()
        bound = replace(
            metric,
            unit="segment" if text.documents is None else "document",
            labels=tuple(sorted(labels)),
            members=tuple(map(tuple, members)),
        )
        return cls(metric=bound, documents=text.documents)

    def score(self, text: TargetText, columns: Sequence[Column]) -> SystemScore:
        tokenize = self.metric.normalization.tokens
        units = list_units(columns, self.metric.members or (), tokenize, frozenset())
        searches = list(self.metric.searches(text.segments, units))
        numbers = self.metric.rows(searches, len(text.segments)).sum(axis=0).tolist()
        total, *types = (
            NameCount(found=found, listed=listed)
            for found, listed in zip(numbers[::2], numbers[1::2], strict=True)
        )
        return SystemScore(
            system=text.target.name,
            key=text.target.key,
            human=text.target.kind == "reference",
            total=total,
            types=dict(zip(self.metric.labels or (), types, strict=True)),
            missed=tuple(self._missed(searches)),
        )

    def _missed(self, searches: Sequence[Search]) -> Iterator[MissedName]:
        for search in searches:
            for name in search.missed():
                segment = name.segments[0]
                yield MissedName(
                    segment=segment,
                    document="" if self.documents is None else self.documents[segment],
                    types=name.labels,
                    name=name.text,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedName:
    """A name with its types, and the segments, from 0, where it stands."""

    text: str
    types: tuple[str, ...]
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameList:
    """The names of an article, or of a paragraph: a segment of it."""

    unit: str
    segments: tuple[int, ...]
    names: tuple[ListedName, ...]


def name_lists(
    text: TargetText,
    names: Sequence[Name],
    *,
    normalization: NameNormalization,
    paragraphs: bool = False,
) -> tuple[NameList, ...]:
    """A list for every article, or for every paragraph; units without names have empty ones."""
    if paragraphs:
        members = {str(number + 1): [number] for number in range(len(text.segments))}
    else:
        members = document_members(text)
    column = annotated(text.segments, names)
    units = list_units([column], members.values(), normalization.tokens, frozenset())
    return tuple(
        NameList(
            unit=label,
            segments=unit.segments,
            names=tuple(
                ListedName(text=one.text, types=one.labels, segments=one.segments)
                for found in unit.lists
                for one in found
            ),
        )
        for label, unit in zip(members, units, strict=True)
    )
