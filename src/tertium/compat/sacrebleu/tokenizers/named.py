"""sacreBLEU's tokenizers over tertium's own."""

from typing import ClassVar

from tertium.compat.sacrebleu.errors import MissingTokenizerError, UnknownTokenizerError
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from tertium.errors import MissingExtraError, OptionError
from tertium.text.extra_tokenizers import versioned
from tertium.text.tokenizers import Tokenizer


class NamedTokenizer(BaseTokenizer):
    """A tokenizer that tertium has under a name; ``native`` is what metrics work with."""

    NAME: ClassVar[str] = "none"

    def __init__(self, name: str | None = None) -> None:
        try:
            self.native = Tokenizer.parse(name or self.NAME)
            self._signature = versioned(self.native.name)
        except MissingExtraError as error:
            raise MissingTokenizerError(str(error)) from None
        except OptionError as error:
            raise UnknownTokenizerError(str(error)) from None

    def __call__(self, line: str) -> str:
        """The tokens of a segment, with one blank between them."""
        return " ".join(self.native.cut(line))

    def signature(self) -> str:
        """The name in a signature; MeCab's has a version, too."""
        return self._signature
