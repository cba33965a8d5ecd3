"""Families of metrics, and what each of them can be evidence of.

Metrics that look at the same thing are one witness, however many they are (`family_of`). What a
difference can show depends on where the score comes from (`basis_of`):

- *overlap*: words, characters or embeddings in common with a reference. All such metrics share the
  reference, and with it its style: they say who scores higher, not who is better.
- *trained*: learned from human ratings, reading the reference (COMET, BLEURT, MetricX).
- *reference-free*: judges the translation by its source alone (CometKiwi, GEMBA).
- *unknown*: scores from elsewhere under a name that is not in the table; the user may say what
  they are (``--metric-kind NAME=trained``). Until then they are taken as overlap is.

The family of a metric of ours stands in its row of the catalog. A new family of foreign metrics is
a line in `_ELSEWHERE`, and one in `_BASES` if it is more than overlap.
"""

import re
from typing import Final, Literal, TypeAlias, get_args

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.catalog import CATALOG, family_of_ours

SURFACE: Final = frozenset(entry.family for entry in CATALOG.values()) - {"annotation", ""}
"""Families that compare the words and letters of a text with those of its references."""

_ELSEWHERE: Final = {
    "COMET": "comet",  # XCOMET, CometKiwi and the like descend from one code and its data
    "MetricX": "metricx",
    "BLEURT": "bleurt",
    "GEMBA": "gemba",
    "YiSi": "yisi",
    "Prism": "prism",
    "BERTScore": "bertscore",
    "word n-grams": r"bleu(?!rt)|rouge|nist(?![a-z])",
    "character n-grams": "chrf",
    "word edits": r"(?<![a-z])(h?ter|terp|wer|eed)(?![a-z])",
    "word alignment": "meteor",
}
"""Family → how the names of metrics sound whose scores come from elsewhere, the first that fits."""


Basis: TypeAlias = Literal["overlap", "trained", "reference-free", "unknown"]
"""Where a score comes from, and so what its difference can show."""
BASES: Final[tuple[Basis, ...]] = get_args(Basis)
INDEPENDENT: Final[frozenset[Basis]] = frozenset({"trained", "reference-free"})
"""Those that can show that a system is better, not only that it scores higher."""

_BASES: Final[dict[Basis, str]] = {
    # Prism's source-only score put 38 of 105 pairs of WMT23 zh-en in the raters' order.
    "unknown": "prism",
    "reference-free": r"kiwi|gemba|metricx.*(qe|src)|comet.*(qe|src)|(?<![a-z])(qe|auto-?mqm)",
    "trained": "comet|metricx|bleurt|unite|matese|cometoid|sescore",
    "overlap": r"bertscore|yisi|bleu|rouge|nist(?![a-z])|chrf|meteor"
    r"|(?<![a-z])(h?ter|terp|wer|eed)(?![a-z])",
}
"""Basis → how the names of metrics sound whose scores come from elsewhere, the first that fits.
BERTScore and YiSi match embeddings with those of the reference, and err where overlap does: by
them, too, classic systems were ahead of LLMs that raters preferred."""


def basis_of(metric: Metric) -> Basis:
    """What a difference of the metric can be evidence of.

    >>> from tertium import parse_metric
    >>> [basis_of(parse_metric(spec)) for spec in ("chrf", "scores[file=a.tsv,name=COMET-22]")]
    ['overlap', 'trained']
    """
    if metric.elsewhere:
        return basis_of_name(metric.title)
    return "overlap" if family_of_ours(metric.name) else "unknown"


def basis_of_name(name: str) -> Basis:
    """The same of a metric of which only the name is known.

    >>> [basis_of_name(name) for name in ("BLEURT-20", "CometKiwi-src", "f200spBLEU", "our judge")]
    ['trained', 'reference-free', 'overlap', 'unknown']
    """
    for basis, sound in _BASES.items():
        if re.search(sound, name, flags=re.IGNORECASE):
            return basis
    return "unknown"


def family_of(metric: Metric) -> str:
    """What the metric looks at, in a word or two.

    >>> from tertium import parse_metric
    >>> family_of(parse_metric("bleu")) == family_of(parse_metric("bleu-sbp[order=2]"))
    True
    >>> family_of(parse_metric("scores[file=kiwi.tsv,name=wmt23-CometKiwi-da-xl]"))
    'COMET'
    """
    if family := family_of_ours(metric.name):
        return family
    return family_of_name(metric.title) if metric.elsewhere else metric.name


def family_of_name(name: str) -> str:
    """The family of a metric of which only the name is known; a strange name is one of its own.

    >>> [family_of_name(name) for name in ("f200spBLEU", "BLEURT-20", "master judge")]
    ['word n-grams', 'BLEURT', 'master judge']
    """
    for family, sound in _ELSEWHERE.items():
        if re.search(sound, name, flags=re.IGNORECASE):
            return family
    return name
