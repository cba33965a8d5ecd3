"""The best candidate of each source by a metric against references, as lists come."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tertium.decode.formats.segments import Numbered
from tertium.decode.formats.table import Structure
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Scores
from tertium.metrics.contract.costs import warn_of_pairs
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plain import Plain
from tertium.plurals import counted
from tertium.text.corpus import Corpus, System
from tertium.text.references import References, column_of

T = TypeVar("T")

BATCH: Final = 1 << 12
"""Candidates that are scored at a time: enough for all processors, little for memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Best(Plain):
    """The candidate of a segment that has the best score; of equals, the first.

    ``segment`` is the number that its list has, and ``place`` its place in the list, from 1 on.
    """

    segment: int
    place: int
    candidates: int
    score: float
    text: str


class BestOf:
    """Lists on their way to the best of each; a bounded number of candidates is in memory.

    ``references`` has for each segment its references, ``None`` if the lists bring them; a list
    without any is an error, or left out with ``skip_missing``, and counted in ``missing``.

    >>> lists = [NBest(segment=0, hypotheses=("a b", "a c d", "a c")),
    ...          NBest(segment=1, hypotheses=("x", "y"))]
    >>> for one in BestOf("wer", [["a c d e"], ["y"]]).run(lists):
    ...     print(one.segment, one.place, one.text, one.score)
    0 2 a c d 25.0
    1 2 y 0.0
    """

    def __init__(
        self,
        metric: AnyMetric = "chrf",
        references: Sequence[Sequence[str]] | None = None,
        *,
        sources: Sequence[str] | None = None,
        skip_missing: bool = False,
    ) -> None:
        self.references, self.sources, self.skip_missing = references, sources, skip_missing
        self.metric = _fitted(as_metric(metric), references).for_segments()
        self.missing: list[int] = []

    def run(
        self,
        lists: Iterable[Structure | Numbered],
        *,
        step: Callable[[int], None] | None = None,
    ) -> Iterator[Best]:
        """The best of each list, in the order of the lists; ``step`` is told how many are done."""
        segments = (self._of_list(item[1] if isinstance(item, tuple) else item) for item in lists)
        return self._chosen(segments, step)

    def run_texts(self, lists: Iterable[Sequence[str]]) -> Iterator[Best]:
        """The same of lists of texts alone, which are numbered as they come."""
        segments = (self._candidates(number, texts, (), None) for number, texts in enumerate(lists))
        return self._chosen(segments, None)

    def _chosen(
        self, candidates: "Iterable[_Candidates | None]", step: Callable[[int], None] | None
    ) -> Iterator[Best]:
        waiting: list[_Candidates] = []
        count = 0
        for segment in candidates:
            if segment is None:
                continue
            waiting.append(segment)
            count += len(segment.texts)
            if count >= BATCH:
                yield from self._scored(waiting)
                if step is not None:
                    step(len(waiting))
                waiting, count = [], 0
        yield from self._scored(waiting)
        if step is not None:
            step(len(waiting))

    def _of_list(self, nbest: Structure) -> "_Candidates | None":
        if not isinstance(nbest, NBest):
            raise InputError(f"{nbest.name}: found no n-best list, expected nothing else")
        return self._candidates(nbest.segment, nbest.hypotheses, nbest.references, nbest.source)

    def _candidates(
        self, segment: int, texts: Sequence[str], references: Sequence[str], source: str | None
    ) -> "_Candidates | None":
        """What there is to choose from; references and sources of files go before the list's."""
        if isinstance(texts, str):
            raise InputError(f"segment {segment}: found one string, expected several candidates")
        if not texts:
            raise InputError(f"segment {segment}: found no hypothesis, expected one")
        own = self._given(self.references, segment, references, "references")
        if not own:
            if not self.skip_missing:
                raise InputError(f"segment {segment}: found no reference, expected at least one")
            self.missing.append(segment)
            return None
        warn_of_pairs(self.metric, texts, own, f"segment {segment}")
        return _Candidates(
            segment, texts, own, self._given(self.sources, segment, source, "sources")
        )

    def _given(self, given: Sequence[T] | None, segment: int, own: T, kind: str) -> T | None:
        if given is None:
            return own
        if segment < len(given):
            return given[segment]
        if self.skip_missing and kind == "references":
            return None
        raise InputError(
            f"{kind}: found {counted(len(given), 'segment')}, expected more than {segment} "
            "(segment)"
        )

    def _scored(self, waiting: "Sequence[_Candidates]") -> Iterator[Best]:
        if not waiting:
            return
        texts = [text for segment in waiting for text in segment.texts]
        sizes = [len(segment.texts) for segment in waiting]
        width = max(len(segment.references) for segment in waiting)
        columns = [
            column_of([segment.reference(index) for segment in waiting], "references").repeat(sizes)
            for index in range(width)
        ]
        known = all(segment.source is not None for segment in waiting)
        sources = (
            [segment.source or "" for segment in waiting for _ in segment.texts] if known else None
        )
        corpus = Corpus(references=References(columns), sources=sources)
        system = System(name="candidates", hypotheses=texts)
        scores = self.metric.score(self.metric.rows_of(system, corpus))
        # Less is better for some, and a score that does not exist is worse than any.
        values = np.nan_to_num(scores if self.metric.higher_is_better else -scores, nan=-np.inf)
        winners = _first_of_the_best(values, np.array(sizes)).tolist()
        chosen = scores[winners].tolist()
        start = 0
        for segment, size, winner, score in zip(waiting, sizes, winners, chosen, strict=True):
            yield Best(
                segment=segment.segment,
                place=winner - start + 1,
                candidates=size,
                score=score,
                text=texts[winner],
            )
            start += size


def _first_of_the_best(values: Scores, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of neighbours in groups of these sizes, the place of each group's first largest value."""
    starts = np.cumsum(sizes) - sizes
    best = np.maximum.reduceat(values, starts)
    places = np.flatnonzero(values == np.repeat(best, sizes))
    return places[np.searchsorted(places, starts)]


class _Candidates(NamedTuple):
    segment: int
    texts: Sequence[str]
    references: Sequence[str]
    source: str | None

    def reference(self, place: int) -> str | None:
        return self.references[place] if place < len(self.references) else None


def best_of(
    lists: Iterable[Sequence[str]],
    references: Sequence[str | Sequence[str]],
    metric: AnyMetric = "chrf",
    *,
    sources: Sequence[str] | None = None,
) -> list[Best]:
    """The best candidate of each source: of equals the first.

    >>> [one.text for one in best_of([["a b", "a c"], ["x", "y"]], ["a c d", ["y", "z"]])]
    ['a c', 'y']
    """
    own = [(reference,) if isinstance(reference, str) else reference for reference in references]
    return list(BestOf(metric, own, sources=sources).run_texts(lists))


def _fitted(metric: Metric, references: Sequence[Sequence[str]] | None) -> Metric:
    if not metric.waits_for_fit:
        return metric
    if references is None:
        raise OptionError(
            f"{metric.spec}: found references in the lists alone, expected all of them before the "
            "first list, as its statistics depend on them (-r REF)"
        )
    return metric.fit(References.of([list(some) for some in references]))
