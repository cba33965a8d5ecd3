"""Words that are none: the names of the empty word and of a sentence's boundaries."""

from typing import Final

BOUNDARY: Final = ("<s>", "</s>")
"""What readers leave out, for references have neither."""

EMPTY_WORDS: Final = frozenset({"", "*EPS*", "<eps>"})
"""What PLF and OpenFst write for the empty word; ``ε`` may well be a word."""
