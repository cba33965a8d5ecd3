"""NEE, the named-entity translation evaluator (Papineni et al. 2002, section 2.2)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial as bound_to
from typing import ClassVar, Literal, Self

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.annotation.entity_lists import (
    INLINE,
    Column,
    Haystack,
    Search,
    Unit,
    annotated_columns,
    list_units,
    unit_labels,
)
from tertium.metrics.contract.base import Metric, Rows, Scores, bound, option, ratio
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.corpus import Corpus
from tertium.text.entity_names import NameNormalization
from tertium.text.number_words import has_text2num, knows_numbers
from tertium.text.references import AnyReferences, Hypotheses, References, aligned


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntityEvaluator(Metric):
    """The share of the names annotated in the references that the translation has too.

    The names of a unit (a document, where the corpus says which those are) are listed once
    each, normalised, and searched as token sequences in the equally normalised translation:
    NEE = found / listed, summed over units. The counts of a unit stand in the row of its first
    segment. A name annotated with two types counts once on the whole and once for each type.
    """

    name: ClassVar[str] = "nee"
    title: ClassVar[str] = "NEE"
    summary: ClassVar[str] = "annotated names found in the translation"
    citation: ClassVar[str] = "Papineni et al. 2002 (HLT)"
    needs_fit: ClassVar[bool] = True
    segment_form: ClassVar[str] = "text, and names in MUC mark-up in the references"

    unit: Literal["auto", "document", "paragraph", "segment"] = option(
        "auto", "where names are listed once; auto: documents if known", always=True
    )
    types: tuple[str, ...] = option((), "only names of these types (default: all)")
    annotations: str = option(INLINE, "inline MUC mark-up, or a file of annotations", file=True)
    ner: str | None = option(None, "recogniser for the references: spacy:NAME")
    partial: bool = option(False, "credit the longest part of a name")
    lowercase: bool = option(
        True, "ignore case", key="case", always=True, texts={False: "mixed", True: "lc"}
    )
    diacritics: bool = option(True, "fold diacritics", texts={False: "kept", True: "folded"})
    numbers: bool = option(
        True,
        "number words below 100 are digits (en, fr, es; others need text2num)",
        always=True,
        texts={False: "kept", True: "unified"},
    )
    quantities: bool = option(
        True,
        "five hundred is 500, ten percent 10 %, €5 million 5000000 euros (needs text2num)",
        always=True,
        texts={False: "kept", True: "unified"},
    )
    grouping: bool = option(True, "1,000 is 1000", texts={False: "kept", True: "unified"})
    possessives: bool = option(True, "drop possessives", texts={False: "kept", True: "removed"})
    typography: bool = option(
        True, "quotes and dashes as on a typewriter", texts={False: "kept", True: "plain"}
    )
    language: str = option("en", "of the text, for numbers and possessives", key="lang")
    labels: tuple[str, ...] | None = bound()
    members: tuple[tuple[int, ...], ...] | None = bound()

    def __post_init__(self) -> None:
        if self.ner is not None and self.annotations != INLINE:
            raise OptionError("nee: found annotations and ner, expected one of them")
        # The signature says what was done, so it has to say "kept" where nothing can be done.
        if self.numbers and not knows_numbers(self.language):
            object.__setattr__(self, "numbers", False)
        if self.quantities and not has_text2num(self.language):
            object.__setattr__(self, "quantities", False)

    @property
    def columns(self) -> tuple[str, ...]:
        parts = (f"{kind}_{label}" for label in self.labels or () for kind in ("found", "listed"))
        return ("found", "listed", *parts)

    @property
    def normalization(self) -> NameNormalization:
        """How names and text are made comparable."""
        return NameNormalization(
            diacritics=self.diacritics,
            case=self.lowercase,
            numbers=self.numbers,
            quantities=self.quantities,
            grouping=self.grouping,
            possessives=self.possessives,
            typography=self.typography,
            language=self.language,
        )

    def fit(self, references: AnyReferences) -> Self:
        shared = References.of(references)
        if self.members is not None and self.size == len(shared):
            return replace(self, labels=self._found_labels(shared, "references"))
        return self._bound(shared, None, "references")

    def bind(self, corpus: Corpus) -> Self:
        return self._bound(corpus.references, corpus, corpus.name)

    def _bound(self, references: References, corpus: Corpus | None, location: str) -> Self:
        labels = self._found_labels(references, location)
        columns = self.annotated(references, location)
        unit, owners = unit_labels(self.unit, columns, corpus, location)
        members: dict[object, list[int]] = {}
        for segment, owner in enumerate(owners):
            members.setdefault(owner, []).append(segment)
        return replace(self, unit=unit, labels=labels, members=tuple(map(tuple, members.values())))

    def _found_labels(self, references: References, location: str) -> tuple[str, ...]:
        """The types of names there are, or those asked for; without names there is no score."""
        texts = (text for column in self.annotated(references, location) for text in column)
        labels = {entity.label for text in texts if text for entity in text.entities}
        if not labels:
            raise InputError(
                f"{location}: no annotated names, expected <ENAMEX TYPE=…>…</ENAMEX> in the "
                "references, or the option annotations or ner"
            )
        for wanted in self.types:
            if wanted not in labels:
                raise InputError(f"{location}: {did_you_mean('type', wanted, labels)}")
        return tuple(sorted(self.types or labels))

    @property
    def size(self) -> int:
        """How many segments the metric was fitted to."""
        return sum(map(len, self.members or ()))

    def annotated(self, references: References, place: str = "references") -> tuple[Column, ...]:
        """The references with their names, one column for each set."""
        build = bound_to(
            annotated_columns, annotations=self.annotations, ner=self.ner, location=place
        )
        return references.prepared(("annotated", self.annotations, self.ner), build)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        if self.members is None:
            return self.fit(shared).statistics(texts, shared)
        hypotheses = [text or "" for text in texts.to_list()]
        return self.rows(self.searches(hypotheses, self.units(shared)), len(shared))

    def units(self, references: References, *, without: int | None = None) -> tuple[Unit, ...]:
        """The lists of names, made once and kept; ``without`` one of the references."""
        if self.size != len(references):
            raise InputError(
                f"references: {counted(len(references), 'segment')}, expected {self.size} (as "
                "fitted)"
            )
        columns = self.annotated(references)
        others = [column for k, column in enumerate(columns) if k != without]
        key = (self.normalization, self.members, self.types, self.annotations, self.ner, without)
        tokenize, wanted = self.normalization.tokens, frozenset(self.types)
        return references.prepared(
            ("units", *key), lambda _: list_units(others, self.members or (), tokenize, wanted)
        )

    def searches(self, hypotheses: Sequence[str], units: Sequence[Unit]) -> Iterator[Search]:
        """Every unit's names, looked for in its hypotheses."""
        tokenize = self.normalization.tokens
        for unit in units:
            if unit.lists:
                haystack = Haystack(tokenize(hypotheses[segment]) for segment in unit.segments)
                yield Search.of(unit, haystack, partial=self.partial)

    def rows(self, searches: Iterable[Search], segments: int) -> Rows:
        """Found and listed names, a row per segment."""
        rows = np.zeros((segments, len(self.columns)))
        for search in searches:
            counts = (search.count(label) for label in (None, *(self.labels or ())))
            rows[search.unit.segments[0]] = [number for pair in counts for number in pair]
        return rows

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        """What became of every name of one segment; a file of annotations cannot be asked."""
        if self.annotations != INLINE:
            return ["the names are in a file; 'tertium nee --missed' lists those not found"]
        columns = self.annotated(References.of([list(references)]))
        tokenize, wanted = self.normalization.tokens, frozenset(self.types)
        units = list_units(columns, [[0]], tokenize, wanted)
        return [
            f"{'+'.join(name.labels)} '{name.text}': "
            + ("found" if credit == 1 else "missed")
            + (f", longest part '{' '.join(part)}'" if credit < 1 and part else "")
            for search in self.searches([hypothesis], units)
            for names, earned in zip(search.unit.lists, search.earned, strict=True)
            for name, credit in zip(names, earned, strict=True)
            for part in [search.haystack.longest_part(name.tokens)]
        ]

    def score(self, rows: Rows) -> Scores:
        """100 · found / listed; nothing to find is nothing missed."""
        rows = np.asarray(rows, dtype=np.float64)
        return ratio(100 * rows[..., 0], rows[..., 1], empty=100.0)

    def describe(self, row: Rows) -> str:
        found, listed, *parts = row.tolist()
        pairs = zip(self.labels or (), parts[::2], parts[1::2], strict=True)
        types = "".join(f" {label} = {some:g}/{all_:g}" for label, some, all_ in pairs)
        return f"(found = {found:g} listed = {listed:g}{types})"
