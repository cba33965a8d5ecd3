"""Texts for the integrations, and what `tertium.score` says of them."""

import tertium
from tests.support.places import SAMPLE


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text(encoding="utf-8").splitlines()


HYPOTHESES = lines("systems/birch.txt")
OTHERS = lines("systems/cedar.txt")
REFERENCES = [
    list(pair) for pair in zip(lines("reference.1.en"), lines("reference.2.en"), strict=True)
]
METRICS = ("bleu", "chrf[word_order=2]", "ter", "grr[k=2,tokenizer=intl]", "amber-basic", "ribes")
"""Counts and means, and both directions."""

SCRIPTS = ["القطة جلست على الحصيرة", "猫坐在垫子上", "", "a\u00a0b"]
SCRIPT_REFERENCES = [["القطة على الحصيرة"], ["猫坐在垫子上"], ["nothing"], ["a b", ""]]
"""From right to left, without spaces, and nothing at all."""


def value(metric: str, hypotheses: list[str], references: list[list[str]]) -> float:
    return tertium.score(hypotheses, references, metric).value


def segments(metric: str, hypotheses: list[str], references: list[list[str]]) -> list[float]:
    found = tertium.score(hypotheses, references, metric, segments=True).segments
    assert found is not None
    return [float(one) for one in found]
