"""Words that are none: the names of the empty word and of a sentence's boundaries."""

from typing import Final

BOUNDARY: Final = ("<s>", "</s>")
"""What readers leave out, for references have neither."""

EMPTY_WORDS: Final = frozenset({"", "*EPS*", "<eps>", "<epsilon>", "ε"})
"""What decoders and automata write for the empty word."""
