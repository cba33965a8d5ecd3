"""Which tokenizer fits the references, for metrics that would use 13a.

13a splits at spaces and punctuation. Chinese, Japanese, Thai, Lao, Khmer and Burmese are written
without spaces, so that by 13a a sentence is one or two tokens and BLEU says next to nothing. What
a user asks for always wins; Korean has spaces and keeps 13a unless another tokenizer is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tertium.errors import MissingExtraError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import parse_spec
from tertium.text.corpus import Corpus
from tertium.text.references import References
from tertium.text.tokenizers import Tokenizer, Writing, writing_of

SAMPLED: Final = 200
"""Segments that are looked at, spread over the corpus."""
SPACED: Final = frozenset({"13a", "intl", "none"})
"""Tokenizers that need spaces between words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingTokenizer:
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
    return [one.build(**one.tokenized(name)) for one in map(parse_spec, texts)]


def fits(metric: Metric, references: References) -> bool:
    """Whether the metric finds the words of the references."""
    tokenizer = getattr(metric, "tokenizer", None)
    spaced = isinstance(tokenizer, Tokenizer) and tokenizer.name in SPACED
    return not spaced or _writing(references) is None


def _writing(references: References) -> Writing | None:
    column = references.columns[0]
    step = max(1, len(column) // SAMPLED)
    return writing_of(" ".join(column[place] or "" for place in range(0, len(column), step)))
