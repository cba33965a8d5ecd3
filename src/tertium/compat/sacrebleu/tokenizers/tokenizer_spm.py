"""SentencePiece models, which must lie where sacreBLEU keeps them: nothing is downloaded."""

import logging

from tertium.compat.sacrebleu.shapes import UnknownTokenizerError
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer
from tertium.suggestions import did_you_mean
from tertium.text.tokenizers import MODEL_FILES

_log = logging.getLogger("sacrebleu")


class TokenizerSPM(NamedTokenizer):
    """Pieces of words by one of the models that sacreBLEU names."""

    def __init__(self, key: str = "spm") -> None:
        if key == "spm":
            _log.warning("tokenizer 'spm' is called 'flores101' now")
            key = "flores101"
        if key not in MODEL_FILES:
            raise UnknownTokenizerError(did_you_mean("SentencePiece model", key, MODEL_FILES))
        super().__init__(key)
        self.name = key


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - sacreBLEU's name
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
