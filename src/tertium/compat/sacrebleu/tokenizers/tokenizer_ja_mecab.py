"""Japanese by MeCab and the IPA dictionary."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerJaMecab(NamedTokenizer):
    """Japanese by MeCab and the IPA dictionary."""

    NAME: ClassVar[str] = "ja-mecab"
