"""sacreBLEU's tokenizers as objects, and which of them is meant by a name."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from tertium.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NamedTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from tertium.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from tertium.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from tertium.compat.sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from tertium.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from tertium.compat.sacrebleu.tokenizers.tokenizer_spm import (
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

_log = logging.getLogger("sacrebleu")

DEFAULT_TOKENIZER: Final = "13a"

TOKENIZERS: Final[dict[str, type[BaseTokenizer]]] = {
    "none": NoneTokenizer,
    "zh": TokenizerZh,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "ja-mecab": TokenizerJaMecab,
    "ko-mecab": TokenizerKoMecab,
    "spm": TokenizerSPM,
    "flores101": Flores101Tokenizer,
    "flores200": Flores200Tokenizer,
    "spBLEU-1K": spBLEU1KTokenizer,
}
"""sacreBLEU 1 had the two tables here; in its versions 2 they are parts of ``BLEU``."""

LANGUAGE_TOKENIZERS: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def tokenizer_class(name: str) -> Callable[[], BaseTokenizer]:
    """What makes the tokenizer of that name; tertium's own names serve as well.

    >>> tokenizer_class("intl")().signature(), tokenizer_class("zh-fixed")().signature()
    ('intl', 'zh-fixed')
    """
    return TOKENIZERS.get(name) or partial(NamedTokenizer, name)


def chosen_name(tokenize: str | None, language: str) -> str:
    """The tokenizer asked for, or else the one that suits the target language."""
    suitable = LANGUAGE_TOKENIZERS.get(language, DEFAULT_TOKENIZER)
    if tokenize is None:
        return suitable
    if language in LANGUAGE_TOKENIZERS and tokenize != suitable:
        _log.warning(
            "tokenizer '%s' with target language '%s'; '%s' or 'flores200' suits it better",
            tokenize,
            language,
            suitable,
        )
    return tokenize


__all__ = [
    "DEFAULT_TOKENIZER",
    "LANGUAGE_TOKENIZERS",
    "TOKENIZERS",
    "BaseTokenizer",
    "Flores101Tokenizer",
    "Flores200Tokenizer",
    "NoneTokenizer",
    "TercomTokenizer",
    "Tokenizer13a",
    "TokenizerChar",
    "TokenizerJaMecab",
    "TokenizerKoMecab",
    "TokenizerRegexp",
    "TokenizerSPM",
    "TokenizerV14International",
    "TokenizerZh",
    "chosen_name",
    "spBLEU1KTokenizer",
    "tokenizer_class",
]
