"""Signatures with the short keys of sacreBLEU's ``--short``."""

import re
from typing import Final

_SHORT: Final = {
    "nrefs": "#",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "version": "v",
    "seed": "rs",
}
_KEY: Final = re.compile(rf"(?<![^|])({'|'.join(_SHORT)}):")


def short_signature(signature: str) -> str:
    """The signature with abbreviated keys; keys that have no abbreviation stay.

    >>> short_signature("nrefs:1|case:mixed|tok:13a|order:2|version:tertium-1")
    '#:1|c:mixed|tok:13a|order:2|v:tertium-1'
    """
    return _KEY.sub(lambda match: f"{_SHORT[match[1]]}:", signature)
