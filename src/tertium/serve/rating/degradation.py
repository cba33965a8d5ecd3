"""Damage that an attentive rater notices: words in the middle give way to those of another text."""

import numpy as np

SHARE = 0.3
"""How much of a text is damaged."""


def degraded(text: str, other: str, rng: np.random.Generator) -> str:
    """The text with a run of words replaced by as many of another text's.

    Where words are not divided by spaces, characters are the words. A text of one word is replaced
    as a whole; where the other text has nothing to give, the order is turned round.

    >>> degraded("a b c d e f", "1 2 3 4 5 6", np.random.default_rng(1))
    'a b 3 4 e f'
    """
    words, between = _words(text)
    given, _ = _words(other)
    if not words:
        return other
    size = max(1, round(SHARE * len(words)))
    start = int(rng.integers(0, len(words) - size + 1))
    if given:
        first = int(rng.integers(0, max(1, len(given) - size + 1)))
        put = given[first : first + size]
    else:
        put = []
    made = [*words[:start], *put, *words[start + size :]]
    if made == words:
        made = words[::-1]
    return between.join(made) if made != words else f"{text}{between}{text}"


def _words(text: str) -> tuple[list[str], str]:
    words = text.split()
    if len(words) < 2 and len(text) > 8:
        return list(text), ""
    return words, " "
