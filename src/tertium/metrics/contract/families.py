"""Families of metrics: those that look at the same thing are one witness, however many they are."""

import re
from typing import Final

from tertium.metrics.contract.base import Metric

FAMILIES: Final = {
    "word n-grams": (
        "amber",
        "amber-basic",
        "bleu",
        "bleu-sbp",
        "gtm",
        "nist",
        "rouge-l",
        "rouge-n",
        "rouge-s",
        "rouge-su",
        "rouge-w",
    ),
    "character n-grams": ("chrf",),
    "word edits": ("grr", "per", "ter", "terp", "wer", "wrr"),
    "word alignment": ("maxsim", "meteor", "meteor-0.6", "paraeval", "tesla-m"),
    "word order": ("lrscore", "ribes"),
    "annotation": ("dependency", "nee"),
}
"""Family → our metrics in it. A metric that is in none is a family of its own."""

SURFACE: Final = frozenset(FAMILIES) - {"annotation"}
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


def family_of(metric: Metric) -> str:
    """What the metric looks at, in a word or two.

    >>> from tertium import parse_metric
    >>> family_of(parse_metric("bleu")) == family_of(parse_metric("bleu-sbp[order=2]"))
    True
    >>> family_of(parse_metric("scores[file=kiwi.tsv,name=wmt23-CometKiwi-da-xl]"))
    'COMET'
    """
    for family, names in FAMILIES.items():
        if metric.name in names:
            return family
    if not metric.elsewhere:
        return metric.name
    return family_of_name(metric.title)


def family_of_name(name: str) -> str:
    """The family of a metric of which only the name is known; a strange name is one of its own.

    >>> [family_of_name(name) for name in ("f200spBLEU", "BLEURT-20", "master judge")]
    ['word n-grams', 'BLEURT', 'master judge']
    """
    for family, sound in _ELSEWHERE.items():
        if re.search(sound, name, flags=re.IGNORECASE):
            return family
    return name
