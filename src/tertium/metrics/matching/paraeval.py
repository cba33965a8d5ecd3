"""ParaEval recall (Zhou et al. 2006): reference words found again, or a paraphrase of them."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium._native import Texts
from tertium.metrics.contract.base import Rows, Scores, case_option, option, ratio
from tertium.metrics.contract.word_metric import WordMetric
from tertium.metrics.resources.paraphrases import Paraphrases, phrases, read_paraphrases, size
from tertium.metrics.resources.pinned import File
from tertium.text.references import AnyReferences, Hypotheses, aligned
from tertium.text.tokenizers import Lowercase

_NO_TABLE = Paraphrases(of={}, longest=0, longest_other=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ParaEvalReferences:
    """References as words, with what the table says of them."""

    columns: list[list[list[str] | None]]
    paraphrases: Paraphrases


@dataclass(frozen=True, slots=True, kw_only=True)
class ParaEval(WordMetric):
    """Matched reference words / reference words, greedily and by phrases first.

    Phrases of the reference are matched from the longest that the table knows down to single
    words: at each length first with the same phrase of the hypothesis, then with the longest,
    leftmost paraphrase that is still free. (That a phrase paraphrases itself keeps a text
    equal to itself.) Without a table this is the recall of words.

    The best reference of a segment counts, weighted by the mean reference length.
    """

    name: ClassVar[str] = "paraeval"
    title: ClassVar[str] = "ParaEval"
    summary: ClassVar[str] = "words of the reference that the output has; with a table, paraphrases"
    citation: ClassVar[str] = "Zhou et al. 2006"

    lowercase: Lowercase = case_option(default=True, ascii_too=True)
    table: File | None = option(
        None, "file of paraphrases in the form of Meteor's", always=True, file=True
    )

    def __post_init__(self) -> None:
        WordMetric.__post_init__(self)
        if isinstance(self.table, str):
            object.__setattr__(self, "table", File.parse(self.table))

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "reference_length", "hypothesis_length")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        key = ("paraeval", self.table, self.tokenizer, self.lowercase)
        prepared = shared.prepared(key, self._prepared)
        table = prepared.paraphrases
        rows = [
            _row(hypothesis or [], [other for other in others if other is not None], table)
            for hypothesis, *others in zip(self._words(texts), *prepared.columns, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(rows), 3)

    def _prepared(self, columns: tuple[Texts, ...]) -> _ParaEvalReferences:
        words = [self._words(column) for column in columns]
        if self.table is None:
            return _ParaEvalReferences(columns=words, paraphrases=_NO_TABLE)
        sentences = (sentence for column in words for sentence in column if sentence)
        table = read_paraphrases(self.table.path, sentences, lowercase=self.lowercase)
        return _ParaEvalReferences(columns=words, paraphrases=table)

    def _words(self, column: Texts) -> list[list[str] | None]:
        found = self.tokenizer.cut_all(column, lowercase=self.lowercase)
        return [
            None if text is None else words
            for text, words in zip(column.to_list(), found, strict=True)
        ]

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        matches, reference, hypothesis = np.moveaxis(rows, -1, 0)
        # Where nothing was to be said, anything said is wrong.
        return 100 * np.where(reference > 0, ratio(matches, reference), hypothesis == 0)

    def describe(self, row: Rows) -> str:
        matches, reference, hypothesis = row
        return f"(matches = {matches:g} ref_len = {reference:g} hyp_len = {hypothesis:.0f})"


def _row(
    hypothesis: list[str], references: Sequence[list[str]], table: Paraphrases
) -> tuple[float, float, float]:
    length = sum(map(len, references)) / len(references)
    recalls = (
        matched_words(hypothesis, words, table) / len(words) if words else float(not hypothesis)
        for words in references
    )
    return max(recalls) * length, length, len(hypothesis)


def matched_words(hypothesis: list[str], reference: list[str], table: Paraphrases) -> int:
    """How many words of the reference are matched, one by one or within phrases."""
    lengths = range(min(table.longest, len(reference)), 0, -1)
    known = (n for n in lengths if any(phrase in table.of for phrase in phrases(reference, n)))
    longest = next(known, 0)
    if not longest:  # what follows would do the same, word by word
        return (Counter(hypothesis) & Counter(reference)).total()
    free = _FreePhrases(hypothesis, longest=max(longest, table.longest_other))
    matched = bytearray(len(reference))
    for length in range(longest, 0, -1):
        for itself in (True, False):
            for start, phrase in enumerate(phrases(reference, length)):
                if not any(matched[start : start + length]):
                    wanted = {phrase} if itself else table.of.get(phrase)
                    if wanted and free.take(wanted):
                        matched[start : start + length] = b"\1" * length
    return sum(matched)


class _FreePhrases:
    """The phrases of a hypothesis whose words are not taken yet."""

    def __init__(self, words: list[str], *, longest: int) -> None:
        self._taken = bytearray(len(words))
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for length in range(1, longest + 1):
            for index, phrase in enumerate(phrases(words, length)):
                self._places[phrase].append(index)
        self._phrases = frozenset(self._places)
        for places in self._places.values():
            places.reverse()  # the leftmost is at the end, where it is cheap to drop

    def take(self, wanted: AbstractSet[str]) -> bool:
        """Take the longest of these phrases, the leftmost of equals; say whether there is one."""
        candidates = [
            (size(phrase), -place)
            for phrase in wanted & self._phrases
            if (place := self._leftmost(phrase)) is not None
        ]
        if not candidates:
            return False
        length, place = max(candidates)
        self._taken[-place : length - place] = b"\1" * length
        return True

    def _leftmost(self, phrase: str) -> int | None:
        places = self._places[phrase]
        while places and any(self._taken[places[-1] : places[-1] + size(phrase)]):
            places.pop()  # taken for good
        return places[-1] if places else None
