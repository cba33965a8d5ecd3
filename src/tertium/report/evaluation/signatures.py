"""Signatures with the short keys of sacreBLEU's ``--short``."""

import re
from typing import Final

from tertium.metrics.contract.spec import SHORT_KEYS

_KEY: Final = rf"(?<![^|])({'|'.join(SHORT_KEYS)}):"


def short_signature(signature: str) -> str:
    """The signature with abbreviated keys; keys that have no abbreviation stay.

    >>> short_signature("nrefs:1|case:mixed|tok:13a|order:2|version:tertium-1")
    '#:1|c:mixed|tok:13a|order:2|v:tertium-1'
    """
    return re.sub(_KEY, lambda match: f"{SHORT_KEYS[match[1]]}:", signature)
