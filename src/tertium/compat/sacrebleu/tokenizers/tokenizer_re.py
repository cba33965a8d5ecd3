"""The part of 13a that cuts off punctuation, without its treatment of mark-up."""

import re
from typing import Final

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

_MARKS: Final = r"!\"#$%&()*+/:;<=>?@\[\\\]^_`{|}~"
_RULES: Final = (
    (re.compile(f"([{_MARKS} ])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


class TokenizerRegexp(BaseTokenizer):
    """Punctuation is cut off, but not points and commas within numbers.

    >>> TokenizerRegexp()("2.5 (or so), 3-4.")
    '2.5 ( or so ) , 3 - 4.'
    """

    def __call__(self, line: str) -> str:
        """The tokens of a segment."""
        for pattern, replacement in _RULES:
            line = pattern.sub(replacement, line)
        return " ".join(line.split())

    def signature(self) -> str:
        """The name in a signature."""
        return "re"
