"""Every character is a token."""

from typing import ClassVar

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NamedTokenizer


class TokenizerChar(NamedTokenizer):
    """Every character is a token."""

    NAME: ClassVar[str] = "char"

    def __call__(self, line: str) -> str:
        """All characters with blanks between them, blanks themselves among them."""
        return " ".join(line)
