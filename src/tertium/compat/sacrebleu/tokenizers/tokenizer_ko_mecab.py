"""Korean by MeCab-ko and its dictionary."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerKoMecab(NamedTokenizer):
    """Korean by MeCab-ko and its dictionary."""

    NAME: ClassVar[str] = "ko-mecab"
