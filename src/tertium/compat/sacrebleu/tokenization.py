"""sacreBLEU's tokenizer names, and what its signatures call them."""

import logging
import os
from importlib import import_module
from pathlib import Path
from typing import Final

from tertium.compat.sacrebleu.errors import MissingTokenizerError, UnknownTokenizerError
from tertium.errors import MissingExtraError, OptionError
from tertium.text.tokenizers import Tokenizer

_log = logging.getLogger("sacrebleu")

DEFAULT: Final = "13a"

NAMES: Final = (
    "none",
    "zh",
    "13a",
    "intl",
    "char",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
    "spBLEU-1K",
)

_OF_LANGUAGE: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

# Where sacreBLEU keeps a model that it has downloaded.
_MODEL_FILES: Final = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}

# tokenizer → the package that knows the version, and the dictionary, that its signature shows.
_MECAB: Final = {"ja-mecab": ("MeCab", "IPA"), "ko-mecab": ("mecab_ko", "KO")}


def chosen_name(tokenize: str | None, language: str) -> str:
    """The tokenizer asked for, or else the one that suits the target language."""
    suitable = _OF_LANGUAGE.get(language, DEFAULT)
    if tokenize is None:
        return suitable
    if language in _OF_LANGUAGE and tokenize != suitable:
        _log.warning(
            "tokenizer '%s' with target language '%s'; '%s' or 'flores200' suits it better",
            tokenize,
            language,
            suitable,
        )
    return tokenize


def tokenizer_named(name: str) -> tuple[Tokenizer, str]:
    """The tokenizer and its name in a signature; tertium's own names serve as well.

    >>> tokenizer_named("intl")
    (Tokenizer('intl'), 'intl')
    """
    if name == "spm":
        _log.warning("tokenizer 'spm' is called 'flores101' now")
        name = "flores101"
    try:
        if name in _MODEL_FILES:
            return Tokenizer.parse(f"spm[{_model_file(name)}]"), name
        tokenizer = Tokenizer.parse(name)
    except MissingExtraError as error:
        raise MissingTokenizerError(str(error)) from None
    except OptionError as error:
        raise UnknownTokenizerError(str(error)) from None
    if name in _MECAB:
        package, dictionary = _MECAB[name]
        return tokenizer, f"{name}-{import_module(package).VERSION}-{dictionary}"
    return tokenizer, str(tokenizer)


def _model_file(name: str) -> Path:
    home = os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu"
    path = Path(home) / "models" / _MODEL_FILES[name]
    if not path.is_file():
        raise MissingTokenizerError(
            f"tokenizer '{name}': {path}: no such file, expected the SentencePiece model that "
            "sacreBLEU downloads to this place"
        )
    return path
