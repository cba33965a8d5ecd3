"""What every tokenizer of sacreBLEU's can do."""

from typing import ClassVar

from tertium.compat.sacrebleu.shapes import MissingTokenizerError, UnknownTokenizerError
from tertium.errors import MissingExtraError, OptionError
from tertium.text.tokenizers import Tokenizer, versioned


class BaseTokenizer:
    """A call takes a segment and returns its tokens with blanks between them.

    Both methods are for subclasses to write, in other people's code too; as in sacreBLEU the base
    raises, and is no abstract class, for there it can be made by itself.
    """

    def __call__(self, line: str) -> str:
        """The tokens of a segment."""
        raise NotImplementedError

    def signature(self) -> str:
        """The name in a signature."""
        raise NotImplementedError


# sacreBLEU's tokenizers over tertium's own.


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
