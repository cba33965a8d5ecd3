"""Korean by MeCab-ko and its dictionary."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.named import NamedTokenizer


class TokenizerKoMecab(NamedTokenizer):
    """Korean by MeCab-ko and its dictionary."""

    NAME: ClassVar[str] = "ko-mecab"
