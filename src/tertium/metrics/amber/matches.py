"""Synonyms and paraphrases in AMBER's matching, as Chen and Kuhn (2011, section 4) propose.

A hypothesis is brought as near to its references as the tables allow; AMBER then sees that text.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tertium._native import Texts
from tertium.metrics.resources.paraphrases import Paraphrases, phrases
from tertium.metrics.resources.synonyms import SynonymFunction

Words: TypeAlias = list[str]

NO_PARAPHRASES: Final = Paraphrases(of={}, longest=0, longest_other=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstitutionTables:
    """What may stand for what."""

    paraphrases: Paraphrases
    synonyms: SynonymFunction

    def adapted(self, hypotheses: Texts, columns: Sequence[Texts]) -> Texts:
        """Hypotheses whose words are separated by blanks, in the words of their references."""
        return Texts(
            [
                None if text is None else " ".join(self._adapted(text.split(), others))
                for text, *others in zip(
                    hypotheses.to_list(), *(column.to_list() for column in columns), strict=True
                )
            ]
        )

    def _adapted(self, words: Words, others: Sequence[str | None]) -> Words:
        references = [text.split() for text in others if text is not None]
        return self._by_synonyms(self._by_paraphrases(words, references), references)

    def _by_paraphrases(self, words: Words, references: Sequence[Words]) -> Words:
        """Phrases that no reference has become listed ones that one has: left first, long first."""
        listed, own = self._listed(references)
        adapted: Words = []
        start = 0
        while start < len(words):
            for length in range(min(self.paraphrases.longest_other, len(words) - start), 0, -1):
                phrase = " ".join(words[start : start + length])
                if phrase in listed and phrase not in own:
                    adapted += listed[phrase].split()
                    start += length
                    break
            else:
                adapted.append(words[start])
                start += 1
        return adapted

    def _listed(self, references: Sequence[Words]) -> tuple[Mapping[str, str], set[str]]:
        """Paraphrase → the first phrase of a reference that it may stand for; all such phrases."""
        listed: dict[str, str] = {}
        own: set[str] = set()
        longest = max(self.paraphrases.longest, self.paraphrases.longest_other)
        for length in range(1, longest + 1):
            for reference in references:
                for phrase in phrases(reference, length):
                    own.add(phrase)
                    for other in sorted(self.paraphrases.of.get(phrase, ())):
                        listed.setdefault(other, phrase)
        return listed, own

    def _by_synonyms(self, words: Words, references: Sequence[Words]) -> Words:
        """Words that no reference has become the first synonym that is still to be said."""
        wanted: Counter[str] = Counter()
        for reference in references:
            wanted |= Counter(reference)
        missing = wanted - Counter(words)
        adapted = list(words)
        for place, word in enumerate(words):
            sets = frozenset() if word in wanted else self.synonyms(word)
            found = (
                next(
                    (other for other in missing if missing[other] and sets & self.synonyms(other)),
                    None,
                )
                if sets
                else None
            )
            if found is not None:
                adapted[place] = found
                missing[found] -= 1
        return adapted
