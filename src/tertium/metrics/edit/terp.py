"""TER-Plus: stems, synonyms and phrases are edits of their own, and every edit has its cost.

Text is normalized in a way of its own; phrase tables and lists of stop words are files.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar, Final

import numpy as np

from tertium import _native
from tertium._native import Interned, Texts
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option, ratio
from tertium.metrics.contract.costs import Growth
from tertium.metrics.contract.options import case_sensitive_option
from tertium.metrics.contract.pictures import Picture, counting, of_shifts
from tertium.metrics.edit.alignment import (
    Aligning,
    CostlyAlignment,
    alignment_lines,
    costly_alignment,
)
from tertium.metrics.resources.paraphrases import phrases
from tertium.metrics.resources.pinned import File
from tertium.metrics.resources.synonyms import NONE, Thesaurus
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.text.references import AnyReferences, Hypotheses, aligned

_ALONE: Final = re.compile(r"([{-~\[-` -&(-+:-@/])")
_STOP_AT_END: Final = re.compile(r"[ \t\n\x0b\f\r]([^,. \t]+)([.,])[ \t\n\x0b\f\r]")
_DASH: Final = re.compile(r"([0-9])-")
_PUNCTUATION: Final = re.compile(r'[.,?:;!"()]')
_ENTRY: Final = re.compile(r"([0-9.eE-]+)\s+(?:([0-9.eE-]+)\s+)?<p>(.*)</p>\s+<p>(.*)</p>")


def cut_text(text: str, *, normalized: bool, punctuation: bool) -> str:
    """One segment as TERp sees it: like tercom, but a word keeps its inner full stops.

    >>> cut_text("the u.s. can't, it said.", normalized=True, punctuation=True)
    "the u.s. can't , it said ."
    """
    text = " ".join(text.split())
    if normalized:
        text = text.replace("<skipped>", "")
        for mark, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
            text = text.replace(f"&{mark};", character)
        text = _ALONE.sub(r" \1 ", f" {text} ").replace("'s ", " 's ")
        text = _STOP_AT_END.sub(r"\1 \2 ", text)  # at least two other spaces are before it
        text = _DASH.sub(r"\1 - ", text)
    if not punctuation:
        text = _PUNCTUATION.sub("", text)
    return " ".join(text.split())


def cut_texts(texts: Texts, *, case_sensitive: bool, normalized: bool, punctuation: bool) -> Texts:
    """A whole column; missing segments stay missing."""
    folded = texts if case_sensitive else texts.lower()
    return Texts(
        [
            text if text is None else cut_text(text, normalized=normalized, punctuation=punctuation)
            for text in folded.to_list()
        ]
    )


@dataclass(frozen=True, slots=True)
class PhraseEntry:
    """Words of a reference, words of a hypothesis that may stand for them, how probably."""

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    probability: float


def read_phrases(path: str, sentences: Sequence[Sequence[str]]) -> tuple[PhraseEntry, ...]:
    """The entries of a table whose reference side stands in one of the sentences.

    A line is ``probability <p>reference words</p> <p>hypothesis words</p>``. With two numbers
    the phrase has two entries, both in this direction: TERp's manual says that the second is
    the opposite direction's, but its program, and so its published results, say otherwise.
    """
    known: dict[int, set[str]] = {}
    phrases_by_size = []
    for entry in _entries(path):
        size = len(entry.reference)
        if size not in known:
            known[size] = {phrase for words in sentences for phrase in phrases(words, size)}
        if " ".join(entry.reference) in known[size]:
            phrases_by_size.append(entry)
    return tuple(phrases_by_size)


def _entries(path: str) -> Iterator[PhraseEntry]:
    for number, line in numbered_lines(TextFile.find(path)):
        if not line.strip():
            continue
        match = _ENTRY.fullmatch(line.strip())
        if match is None:
            raise InputError(
                f"{path}:{number}: found '{line.strip()}', expected a probability (or two), "
                "<p>reference words</p> and <p>hypothesis words</p>"
            )
        first, second, reference, hypothesis = match.groups()
        sides = tuple(reference.split()), tuple(hypothesis.split())
        if not all(sides) or sides[0] == sides[1]:
            continue  # TERp's manual: such a line says nothing
        for probability in (first, second):
            if probability is not None:
                yield PhraseEntry(*sides, _probability(probability, path, number))


def _probability(text: str, path: str, number: int) -> float:
    value = decimal(text)
    if value is None or value < 0:
        raise InputError(f"{path}:{number}: found '{text}', expected a number of at least 0")
    return value


def read_words(path: str) -> frozenset[str]:
    """The words of a file."""
    return frozenset(
        word for _, line in numbered_lines(TextFile.find(path)) for word in line.split()
    )


_MOST: Final = 1e9
"""Beyond it, what a shift saves would be lost in rounding, and shifts would never end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _TerpReferences:
    """References as they are cut, with what the phrase table says of them."""

    columns: tuple[Texts, ...]
    phrases: tuple[PhraseEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationEditRatePlus(Aligning, Metric):
    """Cost of the edits / |r|, Snover et al. 2009, at most 100; the least cost over references.

    The costs are those of TERp-A, tuned for adequacy. Two words may have the same stem
    (Porter's) or a common synonym set; a phrase of the table costs
    w₁ + e · (w₂ · log₁₀ p + w₃ · p + w₄), e being the cost of its edits without phrases and p
    its probability. Blocks may move if their words are equal, stems, synonyms or phrases, and
    not all on the list of words that carry no meaning.
    """

    name: ClassVar[str] = "terp"
    title: ClassVar[str] = "TERp"
    summary: ClassVar[str] = "TER with stems, synonyms and phrases, each at its cost"
    citation: ClassVar[str] = "Snover et al. 2009"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    case_sensitive: bool = case_sensitive_option()
    normalized: bool = option(True, "undo markup, cut off punctuation", key="norm", always=True)
    punctuation: bool = option(True, "keep punctuation", key="punct", always=True)
    stems: bool = option(True, "whether words with one stem may stand for each other", always=True)
    synonyms: Thesaurus = option(
        Thesaurus(NONE), "synonym sets: wordnet, a file, or none", always=True, file=True
    )
    phrases: File | None = option(
        None, "file of phrases in the form of TERp's", always=True, file=True
    )
    stop_words: File | None = option(
        None, "file of words that do not move alone", always=True, file=True
    )
    insertion_cost: float = option(0.2588527567630183, "cost of a word too many")
    deletion_cost: float = option(1.4269364675533365, "cost of a missing word")
    substitution_cost: float = option(1.5565478292505814, "cost of another word")
    stem_cost: float = option(0.0, "cost of a word with the same stem")
    synonym_cost: float = option(0.0, "cost of a synonym")
    shift_cost: float = option(0.5620538767397316, "cost of moving a block")
    phrase_cost: tuple[float, ...] = option(
        (-0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574),
        "w₁ to w₄ of a phrase's cost, which is never below 0",
    )
    capped: bool = option(True, "whether no text is worse than 100")
    shift_length: int = option(10, "most words that move together")
    shift_distance: int = option(50, "farthest that they move")
    beam: int = option(35, "how much worse than the best a cell of the edit table may be")

    @property
    def growth(self) -> Growth | None:
        """How the work on one segment grows."""
        return Growth(seconds=5.8, power=3)

    def __post_init__(self) -> None:
        if isinstance(self.synonyms, str):
            object.__setattr__(self, "synonyms", Thesaurus.parse(self.synonyms))
        for name in ("phrases", "stop_words"):
            if isinstance(given := getattr(self, name), str):
                object.__setattr__(self, name, File.parse(given))
        for setting in self.options:
            value = getattr(self, setting.name)
            if isinstance(value, int | float) and not 0 <= value <= _MOST:
                raise OptionError(f"terp: found {setting.name} {value}, expected 0 to {_MOST:g}")
        if len(self.phrase_cost) != 4:
            raise OptionError(
                f"terp: found {len(self.phrase_cost)} weights of a phrase, expected 4"
            )
        if not (np.abs(self.phrase_cost) <= _MOST).all():
            raise OptionError(
                f"terp: found phrase_cost={'+'.join(map(str, self.phrase_cost))}, "
                f"expected numbers within {_MOST:g}"
            )

    @property
    def limits(self) -> tuple[float, float]:
        return (self.best, self.worst if self.capped else np.inf)

    @property
    def columns(self) -> tuple[str, ...]:
        edits = (
            "insertions",
            "deletions",
            "substitutions",
            "stems",
            "synonyms",
            "phrases",
            "shifts",
        )
        return ("cost", "reference_length", *edits)

    def signature(self, references: str | int = 1) -> str:
        """The identity, with the checksum of the synonyms found here."""
        known = replace(self, synonyms=self.synonyms.pinned())
        return Metric.signature(known, references)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        key = ("terp", self.case_sensitive, self.normalized, self.punctuation, self.phrases)
        prepared = shared.prepared(key, self._prepared)
        corpus = Interned([self._cut(texts), *prepared.columns])
        try:
            return _native.terp_statistics(corpus, self._lexicon(corpus, prepared.phrases))
        except ValueError as error:
            raise InputError(f"terp: {error}") from None

    def pair_statistics(self, hypotheses: Texts, references: Texts) -> Rows:
        """A row for each pair, by hypothesis and then by reference."""
        prepared = self._prepared((references,))
        texts = self._cut(hypotheses).to_list() + prepared.columns[0].to_list()
        corpus = Interned([Texts(texts)])
        lexicon = self._lexicon(corpus, prepared.phrases)
        try:
            return _native.terp_pairs(corpus, lexicon, len(hypotheses))
        except ValueError as error:
            raise InputError(f"terp: {error}") from None

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        cost, length = rows[..., 0], rows[..., 1]
        scores = 100 * np.where(length == 0, cost > 0, ratio(cost, length))
        return np.minimum(scores, 100.0) if self.capped else scores

    def align(self, hypothesis: str, reference: str) -> CostlyAlignment:
        """The shifts and edits that turn the reference into the hypothesis, for printing."""
        prepared = self._prepared((Texts([reference]),))
        cut = self._cut(Texts([hypothesis]))
        corpus = Interned([cut, *prepared.columns])
        lexicon = self._lexicon(corpus, prepared.phrases)
        return costly_alignment(
            cut, prepared.columns[0], *_native.terp_paths(corpus, lexicon, 0)[0]
        )

    def trace_and_pictures(
        self, hypothesis: str, references: Sequence[str]
    ) -> tuple[list[str], tuple[Picture, ...]]:
        aligned = [self.align(hypothesis, reference) for reference in references]
        pictures = [of_shifts(alignment) for alignment in aligned]
        return alignment_lines(aligned), counting(
            pictures, [alignment.cost for alignment in aligned]
        )

    def describe(self, row: Rows) -> str:
        names = ("I", "D", "S", "stems", "synonyms", "phrases", "shifts")
        counts = " ".join(
            f"{name} = {count:.0f}" for name, count in zip(names, row[2:], strict=True)
        )
        return f"({counts} ref_len = {row[1]:g})"

    def _cut(self, texts: Texts) -> Texts:
        return cut_texts(
            texts,
            case_sensitive=self.case_sensitive,
            normalized=self.normalized,
            punctuation=self.punctuation,
        )

    def _prepared(self, columns: tuple[Texts, ...]) -> _TerpReferences:
        cut = tuple(map(self._cut, columns))
        if self.phrases is None:
            return _TerpReferences(columns=cut, phrases=())
        sentences = [words for column in cut for words in _native.tokenize("none", column)]
        return _TerpReferences(columns=cut, phrases=read_phrases(self.phrases.path, sentences))

    def _lexicon(self, corpus: Interned, entries: Iterable[PhraseEntry]) -> _native.TerpLexicon:
        words = corpus.words()
        number = {word: index for index, word in enumerate(words)}
        stops = _stop_words(self.stop_words) if self.stop_words else frozenset()
        senses = self.synonyms.function()
        return _native.TerpLexicon(
            len(words),
            stems=_numbered(_native.porter_stems(words)) if self.stems else [],
            senses=[] if self.synonyms.name == NONE else [sorted(senses(word)) for word in words],
            stops=[word in stops for word in words] if stops else [],
            phrases=[
                (
                    [number[word] for word in entry.reference],
                    [number[word] for word in entry.hypothesis],
                    entry.probability,
                )
                for entry in entries
                if all(word in number for word in (*entry.reference, *entry.hypothesis))
            ],
            costs=[
                0.0,
                self.substitution_cost,
                self.insertion_cost,
                self.deletion_cost,
                self.stem_cost,
                self.synonym_cost,
                0.0,
            ],
            shift_cost=self.shift_cost,
            beam=self.beam,
            shift_length=self.shift_length,
            shift_distance=self.shift_distance,
            phrase_cost=[*self.phrase_cost, 0.0],
        )


def _numbered(stems: list[str]) -> list[int]:
    """Equal numbers for equal stems."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(stem, len(numbers)) for stem in stems]


@cache
def _stop_words(file: File) -> frozenset[str]:
    return read_words(file.path)
