"""Exact oracles of BLEU, where lattices are small enough, and a bound where they are not.

BLEU is no sum over arcs: matches are clipped, and what a path is worth depends on the other
segments. But for paths of one length more matches of every order are never worse, so only paths
that no other of their length dominates can be part of the best corpus.

*Within a lattice* partial paths that end in the same node, have the same length and the same
history (the longest end of the path that stands in a reference, shorter than the longest n-gram)
have the same futures. Of those, one whose clipped n-grams are all among another's is dropped: each
future adds no more to it than to the other. The clipped n-grams of a path are the bits of one
number, as many for an n-gram as a reference has it, so that the comparison is one operation.

*Over segments* sums of rows are built one segment after the other, and of those with equal lengths
the dominated ones are dropped, too.

Both can grow exponentially, as they must (the problem is NP-hard; Leusch et al. 2008), so both have
a limit. Beyond it the result is that of climbing, with a bound: for each length of the corpus, the
most matches of each order by itself, as if one choice could have them all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.ngram.bleu import Bleu

STATES: Final = 200_000
"""Partial paths of a lattice that are kept, at most."""
SUMS: Final = 200_000
"""Sums over segments that are kept, at most."""


class _Partial(NamedTuple):
    """A partial path: its clipped n-grams, the model's score, and how it was reached."""

    grams: int
    score: float
    before: "_Partial | None"
    arc: int


_Groups: TypeAlias = dict[tuple[tuple[str, ...], int], list[_Partial]]
"""Partial paths by their history and length."""


class _ClippedGrams:
    """The n-grams of references, each with as many bits as one reference has it at most."""

    def __init__(self, references: Sequence[Sequence[str]], order: int) -> None:
        counts: dict[tuple[str, ...], int] = {}
        for words in references:
            own: dict[tuple[str, ...], int] = {}
            for n in range(1, order + 1):
                for start in range(len(words) - n + 1):
                    gram = tuple(words[start : start + n])
                    own[gram] = own.get(gram, 0) + 1
            for gram, count in own.items():
                counts[gram] = max(counts.get(gram, 0), count)
        self.order = order
        self.places: dict[tuple[str, ...], tuple[int, int]] = {}
        self.masks = [0] * order
        width = 0
        for gram, count in counts.items():
            full = (1 << count) - 1
            self.places[gram] = (width, full)
            self.masks[len(gram) - 1] |= full << width
            width += count

    def extended(
        self, grams: int, history: tuple[str, ...], word: str
    ) -> tuple[int, tuple[str, ...]]:
        """The clipped n-grams and the history with one word more."""
        words = (*history, word)
        for size in range(1, len(words) + 1):
            place = self.places.get(words[-size:])
            if place is None:
                break
            start, full = place
            own = (grams >> start) & full
            grams |= ((own << 1 | 1) & full) << start
        longest = words[-(self.order - 1) :] if self.order > 1 else ()
        while longest and longest not in self.places:
            longest = longest[1:]
        return grams, longest

    def matches(self, grams: int) -> tuple[int, ...]:
        """How many of each order."""
        return tuple((grams & mask).bit_count() for mask in self.masks)


def undominated_paths(
    lattice: Lattice,
    metric: Bleu,
    references: Sequence[str],
    weights: Weights = None,
) -> list[list[int]] | None:
    """The arcs of every path that may be part of a best corpus; none beyond the limit."""
    clipped = _ClippedGrams([metric.words(reference) for reference in references], metric.order)
    spoken = [metric.words(word) for word in lattice.vocabulary]
    scores = lattice.edge_scores(weights).tolist()
    groups: list[_Groups] = [{} for _ in range(lattice.nodes)]
    groups[0][(), 0] = [_Partial(0, 0.0, None, -1)]
    kept = 1
    arcs = zip(
        lattice.sources.tolist(), lattice.targets.tolist(), lattice.labels.tolist(), strict=True
    )
    for arc, (source, target, label) in enumerate(arcs):
        words = () if label == EMPTY else spoken[label]
        for (history, length), partials in groups[source].items():
            for partial in partials:
                grams, now = partial.grams, history
                for word in words:
                    grams, now = clipped.extended(grams, now, word)
                made = _Partial(grams, partial.score + scores[arc], partial, arc)
                kept += _insert(groups[target].setdefault((now, length + len(words)), []), made)
        if kept > STATES:
            return None
    return [_arcs(partial) for partial in _best_ends(groups[-1], clipped)]


def _insert(partials: list[_Partial], made: _Partial) -> int:
    """Keep a partial path unless it is dominated; by how many there are more now."""
    for index, other in enumerate(partials):
        if other.grams | made.grams == other.grams:
            if other.grams == made.grams and made.score > other.score:
                partials[index] = made
            return 0
    before = len(partials)
    partials[:] = [partial for partial in partials if partial.grams | made.grams != made.grams]
    partials.append(made)
    return len(partials) - before


def _best_ends(groups: _Groups, clipped: _ClippedGrams) -> Iterable[_Partial]:
    """Of whole paths of one length, those with matches that no other has all of."""
    by_length: dict[int, list[tuple[tuple[int, ...], _Partial]]] = {}
    for (_, length), partials in groups.items():
        of_length = by_length.setdefault(length, [])
        of_length += [(clipped.matches(partial.grams), partial) for partial in partials]
    for of_length in by_length.values():
        of_length.sort(key=lambda pair: (*pair[0], pair[1].score), reverse=True)
        chosen: list[tuple[int, ...]] = []
        for matches, partial in of_length:
            if not any(_covers(other, matches) for other in chosen):
                chosen.append(matches)
                yield partial


def _covers(first: Sequence[float], other: Sequence[float]) -> bool:
    return all(a >= b for a, b in zip(first, other, strict=True))


def _arcs(partial: _Partial) -> list[int]:
    arcs = []
    step: _Partial | None = partial
    while step is not None and step.before is not None:
        arcs.append(step.arc)
        step = step.before
    return arcs[::-1]


# ---- over segments --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _PartialSum:
    """A sum of rows: matches, and the candidates that it is made of."""

    matches: tuple[float, ...]
    score: float
    chosen: "tuple[_PartialSum, int] | None"


def best_choice(
    segments: Sequence[Rows], scores: Sequence[Sequence[float]], metric: Bleu
) -> list[int] | None:
    """The candidate of each segment that together score best; none beyond the limit.

    ``segments`` are the statistics of all candidates, ``scores`` those of the model, which decide
    between equal sums.
    """
    order = metric.order
    sums: dict[tuple[float, ...], list[_PartialSum]] = {
        (0.0,) * (len(metric.columns) - order): [_PartialSum((0.0,) * order, 0.0, None)]
    }
    for rows, own in zip(segments, scores, strict=True):
        options = [(tuple(row[:order]), tuple(row[order:])) for row in rows.tolist()]
        grown: dict[tuple[float, ...], list[_PartialSum]] = {}
        for key, partial_sums in sums.items():
            for partial in partial_sums:
                for place, (matches, rest) in enumerate(options):
                    made = _PartialSum(
                        tuple(map(sum, zip(partial.matches, matches, strict=True))),
                        partial.score + own[place],
                        (partial, place),
                    )
                    lengths = tuple(map(sum, zip(key, rest, strict=True)))
                    grown.setdefault(lengths, []).append(made)
        sums = {key: _undominated(found) for key, found in grown.items()}
        if sum(map(len, sums.values())) > SUMS:
            return None
    ends = [(end, np.array([*end.matches, *key])) for key, total in sums.items() for end in total]
    merits = np.round(np.atleast_1d(metric.score(np.stack([row for _, row in ends]))), 9)
    best = max(range(len(ends)), key=lambda index: (merits[index], ends[index][0].score))
    chosen, step = [], ends[best][0]
    while step.chosen is not None:
        step, place = step.chosen
        chosen.append(place)
    return chosen[::-1]


def _undominated(sums: list[_PartialSum]) -> list[_PartialSum]:
    result: list[_PartialSum] = []
    for total in sorted(sums, key=lambda each: (*each.matches, each.score), reverse=True):
        if not any(_covers(other.matches, total.matches) for other in result):
            result.append(total)
    return result


def score_bound(segments: Sequence[Rows], metric: Bleu) -> float:
    """No choice of a row for each segment scores more.

    For every sum of lengths the most matches of each order are added up, each order by itself.
    """
    order = metric.order
    best: dict[tuple[float, ...], tuple[float, ...]] = {
        (0.0,) * (len(metric.columns) - order): (0.0,) * order
    }
    for rows in segments:
        options: dict[tuple[float, ...], tuple[float, ...]] = {}
        for row in rows.tolist():
            _raise(options, tuple(row[order:]), tuple(row[:order]))
        grown: dict[tuple[float, ...], tuple[float, ...]] = {}
        for key, matches in best.items():
            for rest, more in options.items():
                lengths = tuple(map(sum, zip(key, rest, strict=True)))
                _raise(grown, lengths, tuple(map(sum, zip(matches, more, strict=True))))
        best = grown
    table = np.array([[*matches, *key] for key, matches in best.items()])
    return float(np.max(np.atleast_1d(metric.score(table))))


def _raise(
    table: dict[tuple[float, ...], tuple[float, ...]],
    key: tuple[float, ...],
    matches: tuple[float, ...],
) -> None:
    known = table.get(key)
    table[key] = matches if known is None else tuple(map(max, zip(known, matches, strict=True)))


def possible_rows(lattice: Lattice, metric: Bleu, references: Sequence[str]) -> Rows:
    """For each length of a path, a row with more matches than any path of that length has."""
    clipped = _ClippedGrams([metric.words(reference) for reference in references], metric.order)
    most = clipped.matches(sum(clipped.masks))
    lengths = sorted(_path_lengths(lattice, [len(metric.words(w)) for w in lattice.vocabulary]))
    # Words that no reference has: only lengths are told.
    texts = [" ".join(["\ufffe"] * length) for length in lengths]
    rows = _statistics(metric, texts, references)
    for row, length in zip(rows, lengths, strict=True):
        row[: metric.order] = [min(most[n], max(0, length - n)) for n in range(metric.order)]
    return rows


def _statistics(metric: Metric, texts: Sequence[str], references: Sequence[str]) -> Rows:
    return np.array(metric.statistics(list(texts), [list(references)] * len(texts)))


def _path_lengths(lattice: Lattice, sizes: Sequence[int]) -> set[int]:
    lengths: list[set[int]] = [set() for _ in range(lattice.nodes)]
    lengths[0].add(0)
    arcs = zip(
        lattice.sources.tolist(), lattice.targets.tolist(), lattice.labels.tolist(), strict=True
    )
    for source, target, label in arcs:
        size = 0 if label == EMPTY else sizes[label]
        lengths[target].update(length + size for length in lengths[source])
    return lengths[-1]
