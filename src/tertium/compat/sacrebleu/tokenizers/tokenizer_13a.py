"""The tokenizer of mteval-v13a, which WMT uses."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class Tokenizer13a(NamedTokenizer):
    """The tokenizer of mteval-v13a, which WMT uses."""

    NAME: ClassVar[str] = "13a"
