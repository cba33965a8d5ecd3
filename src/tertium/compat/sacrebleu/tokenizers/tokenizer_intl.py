"""The international tokenizer of mteval-v14."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerV14International(NamedTokenizer):
    """The international tokenizer of mteval-v14."""

    NAME: ClassVar[str] = "intl"
