"""Each text scored once: what is equal is asked for once, and what is known not at all."""

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from typing import NamedTuple, TypeAlias

from tertium.metrics.foreign.cache import Identity, ScoreCache, text_key


class Question(NamedTuple):
    """A text to be scored."""

    source: str | None
    hypothesis: str
    references: tuple[str, ...]

    @property
    def key(self) -> bytes:
        """What the cache knows it by."""
        return text_key(self.source, self.hypothesis, self.references)


Ask: TypeAlias = Callable[[Sequence[Question]], Iterator[Sequence[float | None]]]
"""Questions in, answers out, in their order and as many at a time as come together."""


def cached_scores(
    questions: Sequence[Question], ask: Ask, identity: Identity | None
) -> list[float | None]:
    """The answers to all questions; those that come are kept at once, so that none is lost.

    Without an identity nothing is kept. What has no score is asked for again the next time.
    """
    keys = [one.key for one in questions]
    distinct = dict(zip(keys, questions, strict=True))
    cache = None if identity is None else ScoreCache(identity)
    answers: dict[bytes, float | None] = {} if cache is None else {**cache.known(list(distinct))}
    left = [key for key in distinct if key not in answers]
    place = 0
    for some in ask([distinct[key] for key in left]) if left else ():
        fresh = dict(zip(left[place : place + len(some)], some, strict=True))
        place += len(some)
        answers |= fresh
        if cache is not None:
            cache.keep({k: v for k, v in fresh.items() if v is not None and not isnan(v)})
    return [answers[key] for key in keys]
