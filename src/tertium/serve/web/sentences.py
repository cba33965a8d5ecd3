"""Sentences of ours with names of others in them, which may be read from right to left."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

OPEN, CLOSE = "\u2068", "\u2069"
"""First strong isolate, and the end of it: what is inside turns nothing around that is outside."""
_TO_THE_LEFT: Final = frozenset({"R", "AL"})


def isolated(sentence: str, names: Iterable[str]) -> str:
    """The sentence with every name that runs the other way kept to itself.

    >>> isolated("אבג is better than elm", ["אבג", "elm"]) == f"{OPEN}אבג{CLOSE} is better than elm"
    True
    """
    turned = [
        name
        for name in set(names)
        if any(unicodedata.bidirectional(sign) in _TO_THE_LEFT for sign in name)
    ]
    if not turned:
        return sentence
    longest_first = sorted(turned, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(pattern, lambda found: f"{OPEN}{found[0]}{CLOSE}", sentence)
