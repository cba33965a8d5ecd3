"""Text without the folders of whoever made the report: a page is sent to others."""

import re
from typing import Final

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
