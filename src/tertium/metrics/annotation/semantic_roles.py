"""Overlap of semantic roles (Giménez & Màrquez 2007): who does what to whom, and when."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from tertium.lazy import LazyTable
from tertium.metrics.annotation.parses import AnnotationMetric, FormError, is_beside
from tertium.metrics.contract.base import Rows, Scores, case_option, option, ratio
from tertium.plurals import counted

# Semantic roles as labelers write them: predicates with the words that fill their roles.
#
# Three layouts of columns are read, and told apart by what stands in them: CoNLL-2009 (14 columns
# and one for each predicate); CoNLL-U with the predicate in column 11 and one more column for each
# predicate; and Universal Proposition Banks, where column 12 has all roles of a predicate, such as
# ``A0:1|A1:4-6``. Roles stand at the head of their filler, or as the brackets of CoNLL-2005,
# ``(A0*`` … ``*)``.
#
# A labeler of another package works on plain text instead: it is an entry point of the group
# ``tertium.role_labelers``, a function from texts to the propositions of each. One over a spaCy
# pipeline reads ``doc`` and yields `Proposition`s; spaCy's own pipelines have no roles.

_NOTHING: Final = "_"
_UNIVERSAL: Final = re.compile(r"[^:|\s]+:\d+(?:-\d+)?(?:\|[^:|\s]+:\d+(?:-\d+)?)*")


class RoleWord(NamedTuple):
    """A word as the file has it; an empty lemma is one that the labeler left out."""

    form: str
    lemma: str


@dataclass(frozen=True, slots=True)
class Proposition:
    """A predicate and its roles: label and words, in the order of the text."""

    predicate: RoleWord
    roles: tuple[tuple[str, tuple[RoleWord, ...]], ...]


RoleLabeler: TypeAlias = Callable[[Sequence[str]], Iterable[Sequence[Proposition]]]

LABELERS: Final[LazyTable[RoleLabeler]] = LazyTable(
    "role labeler", {}, group="tertium.role_labelers"
)
"""Labelers of other packages; tertium has none of its own."""


class _Span(NamedTuple):
    """A role from its first to its last word; one that stands at a head has it as both."""

    label: str
    first: int
    last: int
    is_head: bool


class _Row(NamedTuple):
    line: int
    word: RoleWord
    head: int | None
    predicate: str
    arguments: tuple[str, ...]


def read_propositions(segment: str, *, subtrees: bool = True) -> list[Proposition]:
    """The propositions of a segment, which may have several sentences.

    With ``subtrees`` a role that stands at a head is filled by all words below it, without those
    of the predicate; else by the head alone.

    >>> lines = ["1 Ann Ann _ _ _ 2 nsubj _ _ _ A0", "2 sings sing _ _ _ 0 root _ _ sing.01 _"]
    >>> [found] = read_propositions(chr(10).join(line.replace(" ", chr(9)) for line in lines))
    >>> found.predicate.lemma, found.roles[0][0], found.roles[0][1][0].form
    ('sing', 'A0', 'Ann')
    """
    lines = enumerate(segment.split("\n"), 1)
    blocks = groupby(lines, key=lambda numbered: bool(numbered[1].strip()))
    propositions: list[Proposition] = []
    for filled, block in blocks:
        if filled:
            propositions += _of_sentence(_checked(list(_rows(block))), subtrees=subtrees)
    return propositions


def _rows(lines: Iterable[tuple[int, str]]) -> Iterator[_Row]:
    width: int | None = None
    expected = 1
    for line, text in lines:
        if text.startswith("#"):
            continue
        cells = text.rstrip("\r").split("\t")
        if is_beside(cells[0]):
            continue
        if len(cells) < 11:
            raise FormError(
                f"{counted(len(cells), 'column')}",
                "at least 11, roles behind those of CoNLL-U, or the 14 of CoNLL-2009",
                line=line,
            )
        if width is not None and len(cells) != width:
            raise FormError(
                f"{counted(len(cells), 'column')}", f"{width} as in the line before", line=line
            )
        if cells[0] != str(expected):
            raise FormError(f"word number '{cells[0]}'", str(expected), line=line)
        width, expected = len(cells), expected + 1
        yield _row(line, cells)


def _row(line: int, cells: Sequence[str]) -> _Row:
    old = len(cells) >= 14 and cells[12] in {"Y", _NOTHING} and not cells[6].isdigit()
    lemma = _first(cells[2], cells[3]) if old else cells[2]
    head = _first(cells[8], cells[9]) if old else cells[6]
    if head != _NOTHING and not (head.isascii() and head.isdigit()):
        raise FormError(f"head '{head}'", "the number of a word, or 0", line=line)
    start = 13 if old else 10
    return _Row(
        line=line,
        word=RoleWord(cells[1], "" if lemma == _NOTHING != cells[1] else lemma),
        head=None if head == _NOTHING else int(head),
        predicate="" if cells[start] == _NOTHING else cells[start],
        arguments=tuple(cells[start + 1 :]),
    )


def _first(*values: str) -> str:
    return next((value for value in values if value != _NOTHING), _NOTHING)


def _checked(rows: list[_Row]) -> list[_Row]:
    for row in rows:
        if row.head is not None and row.head > len(rows):
            raise FormError(f"head {row.head}", f"a word of 1 to {len(rows)}, or 0", line=row.line)
    return rows


def _of_sentence(rows: Sequence[_Row], *, subtrees: bool) -> Iterator[Proposition]:
    predicates = [index for index, row in enumerate(rows) if row.predicate]
    universal = any(row.arguments and _UNIVERSAL.fullmatch(row.arguments[0]) for row in rows)
    below = _children(rows)
    for number, predicate in enumerate(predicates):
        if universal:
            spans = _universal(rows, predicate)
        elif number < len(rows[predicate].arguments):
            spans = _column(rows, number)
        else:
            raise FormError(
                f"predicate {number + 1} and {counted(len(rows[predicate].arguments), 'column')} "
                "of roles",
                "a column for each predicate",
                line=rows[predicate].line,
            )
        roles = []
        for span in spans:
            if span.label == "V":
                continue
            if span.is_head:
                filler = _subtree(span.first, below, predicate) if subtrees else {span.first}
            else:
                filler = set(range(span.first, span.last + 1)) - {predicate}
            roles.append((span.label, tuple(rows[index].word for index in sorted(filler))))
        yield Proposition(rows[predicate].word, tuple(roles))


def _children(rows: Sequence[_Row]) -> dict[int, list[int]]:
    below: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        if row.head:
            below.setdefault(row.head - 1, []).append(index)
    return below


def _subtree(head: int, below: dict[int, list[int]], predicate: int) -> set[int]:
    """The head and all words below it, but not below the predicate; cycles do no harm."""
    subtree, waiting = {head}, [head]
    while waiting:
        for child in below.get(waiting.pop(), ()):
            if child not in subtree and child != predicate:
                subtree.add(child)
                waiting.append(child)
    return subtree


def _column(rows: Sequence[_Row], number: int) -> Iterator[_Span]:
    """The roles in a column: at heads, or between brackets."""
    opened: tuple[str, int] | None = None
    for index, row in enumerate(rows):
        cell = row.arguments[number]
        if "*" not in cell and cell != _NOTHING:
            yield _Span(_label(cell), index, index, is_head=True)
            continue
        if cell.startswith("("):
            if opened is not None:
                raise FormError(f"'{cell}' in a role", "its end before", line=row.line)
            opened = _label(cell[1:].partition("*")[0]), index
        if cell.endswith(")"):
            if opened is None:
                raise FormError(f"'{cell}' outside of a role", "its begin before", line=row.line)
            yield _Span(*opened, index, is_head=False)
            opened = None
    if opened is not None:
        raise FormError(f"no end of role {opened[0]}", "a bracket", line=rows[-1].line)


def _universal(rows: Sequence[_Row], predicate: int) -> Iterator[_Span]:
    """The roles of a predicate as Universal Proposition Banks have them; spans where given."""
    cells = [cell for cell in rows[predicate].arguments if _UNIVERSAL.fullmatch(cell)]
    for part in cells[-1].split("|") if cells else ():
        label, _, place = part.rpartition(":")
        first, _, last = place.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= len(rows):
            raise FormError(
                f"role '{part}'", f"words of 1 to {len(rows)}", line=rows[predicate].line
            )
        yield _Span(_label(label), low - 1, high - 1, is_head=not last)


def _label(text: str) -> str:
    """One spelling: ``ARG0`` is ``A0``, and a continued role is the role.

    >>> _label("ARGM-TMP"), _label("C-A1")
    ('AM-TMP', 'A1')
    """
    return text.removeprefix("C-").replace("ARG", "A", 1)


RoleItems: TypeAlias = Counter[tuple[object, ...]]
"""What is compared: role, perhaps predicate, and a word, all words or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticRoles(AnnotationMetric[RoleItems]):
    """Σ min / Σ max of the counts of both sides, over roles and the words that fill them.

    The default is SR-Oᵣ(⋆): words in roles of the same label. ``match=filler`` is SR-Mᵣ(⋆), whole
    fillers; ``match=role`` is SR-Oᵣ, labels whatever their words; ``verbs=yes`` asks for the same
    predicate, too (SR-Oᵣᵥ, SR-Mᵣᵥ). The best reference of a segment counts.
    """

    name: ClassVar[str] = "semantic-roles"
    title: ClassVar[str] = "SR"
    summary: ClassVar[str] = "who does what to whom; reads semantic roles (CoNLL)"
    citation: ClassVar[str] = "Giménez & Màrquez 2007"
    segment_form: ClassVar[str] = "semantic roles in CoNLL columns"

    match: Literal["words", "filler", "role"] = option(
        "words", "what must agree in a role: words, the whole filler, or its label alone"
    )
    labelled: bool = option(True, "roles must have the same label")
    verbs: bool = option(False, "roles must belong to the same predicate")
    words: Literal["form", "lemma"] = option("form", "what stands for a word")
    lowercase: bool = case_option()
    punctuation: bool = option(True, "count words without a letter or digit")
    fillers: Literal["subtree", "head"] = option(
        "subtree", "what fills a role that stands at a head: all below it, or the head"
    )
    corpus: Literal["segments", "counts"] = option(
        "segments", "a corpus has the mean of its segments, or the share of its counts"
    )
    labeler: str = option("", "entry point that labels plain text; none: segments have roles")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("common", "all", "share", "segments")

    def read(self, segment: str) -> RoleItems:
        if self.labeler:
            (propositions,) = LABELERS[self.labeler]([segment])
        else:
            propositions = read_propositions(segment, subtrees=self.fillers == "subtree")
        return self.items(propositions)

    def items(self, propositions: Sequence[Proposition]) -> RoleItems:
        """What is compared of some propositions."""
        items: RoleItems = Counter()
        for proposition in propositions:
            verb = self._named(proposition.predicate, lemma=True) if self.verbs else None
            for label, filler in proposition.roles:
                kind = (label if self.labelled else None, verb)
                words = [self._named(word) for word in filler if self._counts(word)]
                if self.match == "words":
                    items.update((*kind, word) for word in words)
                elif self.match == "filler":
                    items[(*kind, *words)] += 1
                else:
                    items[kind] += 1
        return items

    def _counts(self, word: RoleWord) -> bool:
        return self.punctuation or any(map(str.isalnum, word.form))

    def _named(self, word: RoleWord, *, lemma: bool = False) -> str:
        if self.words == "lemma" and not word.lemma:
            raise FormError(f"no lemma of '{word.form}'", "one for every word, or words=form")
        name = word.lemma or word.form if lemma or self.words == "lemma" else word.form
        return name.lower() if self.lowercase else name

    def row(self, hypothesis: RoleItems, references: Sequence[RoleItems]) -> Sequence[float]:
        rows = []
        for reference in references:
            common, union = (hypothesis & reference).total(), (hypothesis | reference).total()
            rows.append((common, union, common / union, 1.0) if union else (0.0, 0.0, 0.0, 0.0))
        return max(rows, key=lambda row: row[2] if row[3] else 1.0)

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        start = 0 if self.corpus == "counts" else 2
        return 100 * ratio(rows[..., start], rows[..., start + 1], empty=1.0)

    def describe(self, row: Rows) -> str:
        common, union, _, segments = row
        return f"(common = {common:.0f} of {union:.0f} in {segments:.0f} segments with roles)"
