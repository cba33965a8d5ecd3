"""Numbers and texts as every page writes them, and the direction that a text is read in."""

import re
import unicodedata
from typing import Final, Literal


def signed(number: float, finer: int = 0) -> str:
    """Two decimals with a sign, or more; nothing is neither more nor less.

    >>> signed(-0.5), signed(0.25), signed(-0.001), signed(-0.001, 2)
    ('−0.50', '+0.25', '±0.00', '−0.0010')
    """
    text = f"{number:+.{2 + finer}f}".replace("-", "−")
    return f"±{text[1:]}" if float(text[1:]) == 0 else text


# Paths are left out: a report is sent to others, who need not know its author's folders.

_ABSOLUTE: Final = re.compile(
    r"""(?<![^\s=\[,:'"])        # at the start, or behind what parts words and options
    (?:[A-Za-z]:[\\/]|~?/(?![/\s])|\\\\)  # /, ~/, a drive or a share; not the // of an address
    (?:[^\s/\\,\]'"|]+[\\/])*    # folders
    """,
    re.VERBOSE,
)


def without_folders(text: str) -> str:
    r"""Absolute paths as the names of their files.

    >>> without_folders("tertium report /texts/ref.en -i ./a.en '/data/my b.en'")
    "tertium report ref.en -i ./a.en 'my b.en'"
    >>> without_folders("nee[annotations=/texts/my/names.jsonl]")
    'nee[annotations=names.jsonl]'
    """
    return _ABSOLUTE.sub("", text)


def direction(text: str) -> Literal["rtl", "auto"]:
    """``rtl`` where most letters run to the left, else what the browser finds out itself.

    A browser goes by the first letter, which in a Hebrew sentence may be that of a foreign name.

    >>> direction("IBM פתחה משרד חדש"), direction("IBM opened an office")
    ('rtl', 'auto')
    """
    letters = [unicodedata.bidirectional(one) for one in text if one.isalpha()]
    to_the_left = sum(one in {"R", "AL"} for one in letters)
    return "rtl" if 2 * to_the_left > len(letters) else "auto"
