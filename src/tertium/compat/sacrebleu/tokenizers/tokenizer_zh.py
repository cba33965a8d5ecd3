"""Chinese characters one by one, the rest as 13a cuts it."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerZh(NamedTokenizer):
    """Chinese characters one by one, the rest as 13a cuts it."""

    NAME: ClassVar[str] = "zh"
