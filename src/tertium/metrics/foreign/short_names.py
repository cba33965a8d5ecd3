"""Short names of metrics whose text form has a file's or a program's whole name in it."""

import re
from functools import lru_cache
from typing import Final

from tertium.errors import TertiumError
from tertium.metrics.contract.table import parse_metric

_ELSEWHERE: Final = re.compile(r"(scores|command)\[")


@lru_cache(maxsize=256)
def short_name(spec: str) -> str:
    """What people call the metric of this text form, where that is long.

    >>> short_name("scores[name=COMET,file=out/comet.tsv]"), short_name("bleu[order=2]")
    ('COMET', 'bleu[order=2]')
    """
    if not _ELSEWHERE.match(spec):
        return spec
    try:
        return parse_metric(spec).title
    except TertiumError:  # a name that others gave, which only looks like ours
        return spec
