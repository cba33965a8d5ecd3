"""Oracles: the best that n-best lists, lattices and forests hold (Chiang et al. 2008, section 4).

The k-gram recognition rate is a sum over the arcs of a path while an automaton of the reference is
followed, and its denominator depends on the reference alone. So its best path is found exactly,
and the best paths of all segments are the best corpus. WRR is the rate with k = 1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from tertium import _native
from tertium.decode.formats.segments import Numbered, in_all
from tertium.decode.formats.table import Structure
from tertium.decode.mbr.before_after import before_and_after, references_of
from tertium.decode.oracle.candidates import OracleCandidates, OracleSetting, find_candidates
from tertium.decode.oracle.results import Oracles, SegmentOracle
from tertium.decode.oracle.selection import (
    ScoredCandidates,
    approximation,
    climbed,
    exactly_chosen,
    ranked_alone,
    scored,
)
from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.nbest import NBest
from tertium.decode.word_metrics import word_metric
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.text.references import References
from tertium.threads import side_by_side

BATCH: Final = 64
"""Structures that are in memory at a time."""


def oracle(
    one: Structure,
    references: str | Sequence[str],
    metric: Metric | str = "grr",
    *,
    count: int = 1,
    weights: Weights = None,
    band: int | None = None,
    beam: int | None = None,
    exact: bool = False,
) -> SegmentOracle:
    """The best hypotheses of one n-best list, lattice or forest.

    Exact for GRR, WRR and WER unless ``band`` or ``beam`` prune a forest; for BLEU with ``exact``,
    unless a lattice is too large for it. Ties: the higher score
    of the model, then the earlier place in a list, the smaller labels of a lattice's words, the
    smaller hyperedges of a forest (goal first, left before right); then the earlier reference.

    >>> from tertium.decode import Lattice
    >>> lattice = Lattice.build([(0, 1, "a", -1.0), (0, 1, "b", -0.5), (1, 2, "c", 0.0)])
    >>> print(oracle(lattice, "a c"))
    lattice: 33.33 → 100.00
      100.00  a c
    """
    chosen = word_metric(metric, of_words=not isinstance(one, NBest))
    setting = OracleSetting(
        metric=chosen, count=count, weights=weights, band=band, beam=beam, exact=exact
    )
    given = [references] if isinstance(references, str) else list(references)
    segment = one.segment if isinstance(one, NBest) else 0
    found = find_candidates(segment, one, given, setting)
    bound = replace(setting, metric=chosen.fit(References.of([given])))
    (result,) = climbed_or_ranked(scored([found], bound.metric), bound)
    return result


def corpus_oracle(
    structures: Iterable[Structure | Numbered],
    references: Sequence[Sequence[str]] | None,
    setting: OracleSetting,
    also: Sequence[Metric] = (),
    *,
    step: Callable[[int], None] | None = None,
) -> Oracles:
    """The oracles of a corpus, scored by the metric that is maximised and by others.

    ``references`` has for each segment its references; ``None`` if the n-best lists bring them.
    Segments are those of n-best lists, else as they are numbered, else as they come.
    """
    kept: list[ScoredCandidates] = []
    results: list[SegmentOracle] = []
    kinds: set[type] = set()
    fitted = setting.metric
    if fitted.needs_fit:
        if references is None:
            raise InputError(f"{fitted.name}: found no references, expected them before the lists")
        fitted = fitted.fit(References.of(references))
    seen: dict[int, tuple[str, ...]] = {}
    for batch in _batches(structures, references):
        kinds |= {type(one) for _, one, _ in batch}
        for segment, _, own in batch:
            if segment in seen:
                raise InputError(f"segment {segment}: found it twice, expected it once")
            seen[segment] = own
        done = scored(_searched(batch, setting), fitted)
        if setting.rate is None:
            kept += done
        else:
            results += (ranked_alone(one, setting) for one in done)
        if step is not None:
            step(len(batch))
    if not seen:
        raise InputError("oracle: found no n-best list, lattice or forest, expected at least one")
    bound: float | None = None
    if kept:
        results, bound = _chosen(kept, replace(setting, metric=fitted))
    texts = [one.first.text for one in results], [one.text for one in results]
    used = [seen[one.segment] for one in results]
    specs = {one.spec: one for one in (setting.metric, *also)}
    return Oracles(
        metric=setting.metric,
        segments=tuple(results),
        scores=tuple(
            before_and_after(one, *texts, used, chosen_by={setting.metric.spec})
            for one in specs.values()
        ),
        in_all=in_all(structures, seen, references),
        bound=bound,
        approximation=""
        if setting.exact and bound is None
        else approximation(
            setting,
            forests=Forest in kinds,
            lists=kinds == {NBest},
            several=any(len(own) > 1 for own in used),
        ),
    )


def _chosen(
    segments: Sequence[ScoredCandidates], setting: OracleSetting
) -> tuple[list[SegmentOracle], float | None]:
    """By a metric that is no sum over segments; a bound if the exact choice was not found."""
    return (
        exactly_chosen(segments, setting) if setting.exact else (climbed(segments, setting), None)
    )


def climbed_or_ranked(
    segments: Sequence[ScoredCandidates], setting: OracleSetting
) -> list[SegmentOracle]:
    """Segment by segment if the metric is a sum over them."""
    if setting.rate is None:
        return _chosen(segments, setting)[0]
    return [ranked_alone(one, setting) for one in segments]


def _batches(
    structures: Iterable[Structure | Numbered], references: Sequence[Sequence[str]] | None
) -> Iterator[list[tuple[int, Structure, tuple[str, ...]]]]:
    def complete() -> Iterator[tuple[int, Structure, tuple[str, ...]]]:
        for place, one in enumerate(structures):
            if isinstance(one, tuple):
                segment, structure = one
            else:
                segment, structure = place, one
            if isinstance(structure, NBest):
                segment = structure.segment
            yield segment, structure, references_of(structure, segment, references)

    numbered = complete()
    while batch := list(islice(numbered, BATCH)):
        yield batch


def _searched(
    batch: Sequence[tuple[int, Structure, tuple[str, ...]]], setting: OracleSetting
) -> list[OracleCandidates]:
    def search(item: tuple[int, Structure, tuple[str, ...]]) -> OracleCandidates:
        segment, one, own = item
        return find_candidates(segment, one, own, setting)

    workers = min(_native.worker_count(), len(batch))
    if workers < 2 or isinstance(batch[0][1], NBest):
        return [search(item) for item in batch]
    return side_by_side([partial(search, item) for item in batch], threads=workers)
