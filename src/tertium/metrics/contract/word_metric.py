"""A metric over words: its texts are tokenized, references only once.

Which tokenizer fits is a matter of the language. 13a splits at spaces and punctuation; Chinese,
Japanese, Thai, Lao, Khmer and Burmese are written without spaces, so that with 13a a sentence is
one or two tokens and BLEU says next to nothing. The tokenizer that a user asks for always wins;
Korean has spaces and keeps 13a unless another one is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from tertium import _native
from tertium._native import Texts
from tertium.errors import MissingExtraError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import case_option, option, punctuation_option
from tertium.metrics.contract.table import parse_spec
from tertium.text.corpus import Corpus
from tertium.text.references import AnyReferences, Hypotheses, References, aligned
from tertium.text.tokenizers import THIRTEEN_A, Lowercase, Tokenizer, Writing, writing_of


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMetric(Metric):
    """A metric over tokens: the text is lower-cased if asked, then cut by a tokenizer."""

    tokenizer: Tokenizer = option(THIRTEEN_A, "how text is cut into words", key="tok", always=True)
    lowercase: Lowercase = case_option(ascii_too=True)
    punctuation: bool = punctuation_option()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", told(self.tokenizer, punctuation=self.punctuation))

    def native_sides(
        self, hypotheses: Hypotheses, references: AnyReferences
    ) -> tuple[Texts, _native.TokenizedReferences]:
        """Both sides as the native kernels take them; references are tokenised only once."""
        texts, shared = aligned(hypotheses, references)
        return self.tokenizer.native_texts(texts, lowercase=self.lowercase), self.tokenized(shared)

    def words(self, text: str) -> list[str]:
        """The words of one text as this metric sees them."""
        return self.tokenizer.cut_all(Texts([text]), lowercase=self.lowercase)[0]

    def tokenized(self, references: References) -> _native.TokenizedReferences:
        """The references as the native kernels take them, made once and kept."""
        return references.prepared(
            (self.tokenizer, self.lowercase),
            partial(
                tokenized_references,
                tokenizer=self.tokenizer,
                lowercase=self.lowercase,
                reused=references.reused,
            ),
        )


def told(tokenizer: Tokenizer | str, *, punctuation: bool) -> Tokenizer:
    """The tokenizer, for which a name is enough, told whether to keep punctuation."""
    parsed = Tokenizer.parse(tokenizer) if isinstance(tokenizer, str) else tokenizer
    return replace(parsed, punctuation=punctuation)


def tokenized_references(
    columns: tuple[Texts, ...], *, tokenizer: Tokenizer, lowercase: Lowercase, reused: bool = True
) -> _native.TokenizedReferences:
    """Reference columns, prepared, tokenised and interned."""
    prepared = [tokenizer.native_texts(column, lowercase=lowercase) for column in columns]
    return _native.TokenizedReferences(prepared, tokenizer.native_name, reused=reused)


SAMPLED: Final = 200
"""Segments that are looked at, spread over the corpus."""
SPACED: Final = frozenset({"13a", "intl", "none"})
"""Tokenizers that need spaces between words."""


class FittingTokenizer(NamedTuple):
    """A tokenizer for a writing without spaces; ``missing`` would fit better, and how to get it."""

    writing: str
    name: str
    missing: str = ""

    def note(self, titles: str) -> str:
        """What was chosen, and for what, in a line."""
        instead = f"; {self.missing}" if self.missing else ""
        return (
            f"{titles}: tokenized with {self.name}, as the references are {self.writing} "
            f"(--tokenize chooses another tokenizer){instead}"
        )


def fitting(references: References) -> FittingTokenizer | None:
    """The tokenizer for references without spaces between words; none where there are spaces.

    >>> fitting(References.of(["今天天气很好。"])).name
    'zh'
    >>> fitting(References.of(["The weather is fine."])) is None
    True
    """
    writing = _writing(references)
    missing = ""
    for name in () if writing is None else writing.tokenizers:
        try:
            Tokenizer.parse(name)
        except MissingExtraError as error:
            missing = missing or str(error)
        else:
            kind = "" if writing is None else writing.name
            return FittingTokenizer(writing=kind, name=name, missing=missing)
    return None


def fitted_metrics(texts: Sequence[str], corpus: Corpus) -> list[Metric]:
    """Metrics by their texts, tokenized to fit the references where the texts say nothing."""
    fit = fitting(corpus.references)
    name = None if fit is None else fit.name
    return [spec.build(**spec.tokenized(name)) for spec in map(parse_spec, texts)]


def fits(metric: Metric, references: References) -> bool:
    """Whether the metric finds the words of the references."""
    tokenizer = getattr(metric, "tokenizer", None)
    spaced = isinstance(tokenizer, Tokenizer) and tokenizer.name in SPACED
    return not spaced or _writing(references) is None


def _writing(references: References) -> Writing | None:
    column = references.columns[0]
    step = max(1, len(column) // SAMPLED)
    return writing_of(" ".join(column[index] or "" for index in range(0, len(column), step)))
