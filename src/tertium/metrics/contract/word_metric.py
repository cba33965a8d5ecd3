"""A metric over words: its texts are cut by a tokenizer, and references only once."""

from dataclasses import dataclass, replace
from functools import partial

from tertium import _native
from tertium._native import Texts
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import case_option, option, punctuation_option
from tertium.text.references import AnyReferences, Hypotheses, References, aligned
from tertium.text.tokenizers import THIRTEEN_A, Lowercase, Tokenizer


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
    found = Tokenizer.parse(tokenizer) if isinstance(tokenizer, str) else tokenizer
    return replace(found, punctuation=punctuation)


def tokenized_references(
    columns: tuple[Texts, ...], *, tokenizer: Tokenizer, lowercase: Lowercase, reused: bool = True
) -> _native.TokenizedReferences:
    """Reference columns, prepared, tokenised and interned."""
    prepared = [tokenizer.native_texts(column, lowercase=lowercase) for column in columns]
    return _native.TokenizedReferences(prepared, tokenizer.native_name, reused=reused)
