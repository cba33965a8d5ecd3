"""Texts with planted faults, for the tests of audits."""

from collections.abc import Sequence

from tertium.audit.case import Case, cases
from tertium.scored import scored
from tertium.text.corpus import Corpus, System
from tests.support.corpora import corpus_of, named_systems

MEANS_OF_SEGMENTS = ["grr", "wrr", "wer"]


def case_of(corpus: Corpus, systems: Sequence[System], metric: str) -> Case:
    """What the audits of one metric are given."""
    return next(cases(scored(corpus, systems, [metric]), alpha=0.05, seed=1))


def reference(segment: int, length: int) -> list[str]:
    """Words that occur once in the corpus, so that what matches is what was meant to."""
    return [f"w{segment}n{place}" for place in range(length)]


def junk(count: int) -> list[str]:
    """Words that match nothing."""
    return ["junk"] * count


def text(*parts: list[str]) -> str:
    """Words in a row."""
    return " ".join(word for part in parts for word in part)


def mixed_genres(segments: int, scale: int, *, errors: int = 3) -> tuple[Corpus, list[System]]:
    """Table 3 of the paper: `long` pays with words on news for those it lacks on web.

    Each beats `long` on news (its surplus hurts precision) and on web (`long` is too short), but
    on the whole the lengths of `long` add up to those of the references.
    """
    length, moved, wrong = 20 * scale, 4 * scale, errors * scale
    news = [reference(i, length) for i in range(segments)]
    web = [reference(segments + i, length) for i in range(segments)]
    long = [text(one, junk(moved)) for one in news] + [text(one[:-moved]) for one in web]
    even = [text(one[:-wrong], junk(wrong)) for one in [*news, *web]]
    genres = ["news"] * segments + ["web"] * segments
    corpus = corpus_of([text(one) for one in [*news, *web]], genres=genres)
    return corpus, named_systems(long=long, even=even)
