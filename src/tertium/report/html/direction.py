"""The direction that a text is read in."""

import unicodedata
from typing import Literal


def direction(text: str) -> Literal["rtl", "auto"]:
    """``rtl`` where most letters run to the left, else what the browser finds out itself.

    A browser goes by the first letter, which in a Hebrew sentence may be that of a foreign name.

    >>> direction("IBM פתחה משרד חדש"), direction("IBM opened an office")
    ('rtl', 'auto')
    """
    letters = [unicodedata.bidirectional(one) for one in text if one.isalpha()]
    to_the_left = sum(one in {"R", "AL"} for one in letters)
    return "rtl" if 2 * to_the_left > len(letters) else "auto"
