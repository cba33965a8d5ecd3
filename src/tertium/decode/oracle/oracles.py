"""Oracles: the best that n-best lists, lattices and forests hold (Chiang et al. 2008, section 4).

The k-gram recognition rate is a sum over the arcs of a path while an automaton of the reference is
followed, and its denominator depends on the reference alone. So its best path is found exactly,
and the best paths of all segments are the best corpus. WRR is the rate with k = 1.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.decode.formats.segments import Numbered, in_all, lines_of
from tertium.decode.formats.table import Structure
from tertium.decode.mbr.before_after import BeforeAfter, before_and_after, references_of
from tertium.decode.oracle.candidates import (
    Candidate,
    OracleCandidates,
    OracleSetting,
    find_candidates,
    rate_of,
)
from tertium.decode.oracle.exact_bleu import best_choice, score_bound
from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.nbest import NBest
from tertium.decode.weights import word_metric
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.edit.per import PositionIndependentErrorRate
from tertium.metrics.edit.ter import TranslationEditRate
from tertium.metrics.edit.wer import WordErrorRate
from tertium.metrics.ngram.bleu import Bleu
from tertium.plurals import counted
from tertium.text.references import References
from tertium.threads import side_by_side
from tertium.version import __version__

# What an oracle finds: the best that was there, and what it scores.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OracleHypothesis:
    """A hypothesis that a structure holds.

    ``score`` is the metric's, of this segment alone. ``edges`` are the arcs from start to end,
    the hyperedges from the goal down, or the place in an n-best list.
    """

    words: tuple[str, ...]
    text: str
    score: float
    model_score: float
    features: Floats = field(repr=False)
    edges: tuple[int, ...] = field(repr=False)

    def to_dict(self, feature_names: tuple[str, ...]) -> dict[str, Any]:
        """For JSON."""
        return {
            "text": self.text,
            "score": self.score,
            "model_score": self.model_score,
            "features": dict(zip(feature_names, self.features.tolist(), strict=True)),
            "edges": list(self.edges),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SegmentOracle:
    """The best hypotheses of one segment, and the one that the model would have chosen.

    ``complete`` is false if fewer were found than asked for although there may be more: a
    forest that says the same in too many ways.
    """

    segment: int
    name: str
    feature_names: tuple[str, ...] = field(repr=False)
    hypotheses: tuple[OracleHypothesis, ...]
    first: OracleHypothesis = field(repr=False)
    complete: bool = True

    @property
    def best(self) -> OracleHypothesis:
        """The oracle."""
        return self.hypotheses[0]

    @property
    def text(self) -> str:
        """What the oracle says."""
        return self.best.text

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.first.score:.2f} → {self.best.score:.2f}"]
        lines += (
            f"  {hypothesis.score:.2f}  {hypothesis.text}" for hypothesis in self.hypotheses[:5]
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "segment": self.segment,
            "name": self.name,
            "first": self.first.to_dict(self.feature_names),
            "hypotheses": [
                hypothesis.to_dict(self.feature_names) for hypothesis in self.hypotheses
            ],
            "complete": self.complete,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Oracles:
    """The oracles of a corpus, and what metrics say of them.

    ``scores`` compare the model's choices (before) with the oracles (after), first by the metric
    that was maximised. ``approximation`` is empty if nothing in the structures scores better.
    ``in_all`` counts the segments that there is nothing for, too.
    """

    metric: Metric
    segments: tuple[SegmentOracle, ...] = field(repr=False)
    scores: tuple[BeforeAfter, ...]
    in_all: int
    approximation: str = ""
    bound: float | None = None
    """A score that no choice exceeds, where an exact one was looked for in vain."""

    @property
    def score(self) -> float:
        """The corpus score of the oracles by the metric that was maximised."""
        return self.scores[0].after

    @property
    def texts(self) -> tuple[str, ...]:
        """What the oracles say, segment by segment."""
        return tuple(segment.text for segment in self.segments)

    def lines(self, missing: str = "") -> Iterator[str]:
        """A line for each segment, ``missing`` for those without a text."""
        return lines_of(
            {segment.segment: segment.text for segment in self.segments}, self.in_all, missing
        )

    def __str__(self) -> str:
        kind = f"approximate: {self.approximation}" if self.approximation else "exact"
        lines = [f"oracle of {counted(len(self.segments), 'segment')}, {kind}"]
        lines += (
            f"  {score.title}: {score.before:.2f} → {score.after:.2f}" for score in self.scores
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": __version__,
            "metric": self.metric.spec,
            "exact": not self.approximation,
            "approximation": self.approximation or None,
            "bound": self.bound,
            "scores": [score.to_dict() for score in self.scores],
            "segments": [segment.to_dict() for segment in self.segments],
        }


# From candidates to oracles: segment by segment where the metric allows it, else by climbing.

DIGITS = 9
"""Scores that agree in so many decimals are equal: rates by several references are rounded."""
SWEEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredCandidates:
    """The candidates of a segment with their statistics."""

    candidates: OracleCandidates
    rows: Rows
    scores: Scores


def scored(candidates: Sequence[OracleCandidates], metric: Metric) -> list[ScoredCandidates]:
    """Statistics of all candidates, in one call of the metric."""
    texts = [candidate.text for each in candidates for candidate in each.found]
    references = [each.references for each in candidates for _ in each.found]
    rows = metric.statistics(texts, References.of(references)) if texts else np.zeros((0, 0))
    scores = metric.for_segments().score(rows)
    bounds = np.cumsum([len(each.found) for each in candidates])[:-1]
    return [
        ScoredCandidates(candidates=each, rows=own_rows, scores=own_scores)
        for each, own_rows, own_scores in zip(
            candidates, np.split(rows, bounds), np.split(scores, bounds), strict=True
        )
    ]


def ranked_alone(scored_candidates: ScoredCandidates, setting: OracleSetting) -> SegmentOracle:
    """The best candidates of a segment by themselves; exact if the metric is decomposable."""
    return _result(
        scored_candidates,
        _order(scored_candidates, scored_candidates.scores, setting.metric),
        setting,
    )


def _order(scored_candidates: ScoredCandidates, scores: Scores, metric: Metric) -> list[int]:
    """Best score first; ties: the model's score, then the order in which they were found."""
    candidates = scored_candidates.candidates.found
    merits = np.round(scores if metric.higher_is_better else -scores, DIGITS)
    return sorted(
        range(len(candidates)),
        key=lambda index: (-merits[index], -candidates[index].model_score),
    )


def _result(
    scored_candidates: ScoredCandidates, order: Sequence[int], setting: OracleSetting
) -> SegmentOracle:
    candidates = scored_candidates.candidates

    def hypothesis(index: int) -> OracleHypothesis:
        candidate: Candidate = candidates.found[index]
        return OracleHypothesis(
            words=candidate.words,
            text=candidate.text,
            score=float(scored_candidates.scores[index]),
            model_score=candidate.model_score,
            features=candidate.features,
            edges=candidate.edges,
        )

    return SegmentOracle(
        segment=candidates.segment,
        name=candidates.name,
        feature_names=candidates.feature_names,
        hypotheses=tuple(hypothesis(index) for index in order[: setting.count]),
        first=hypothesis(candidates.first),
        complete=candidates.complete,
    )


def climbed(segments: Sequence[ScoredCandidates], setting: OracleSetting) -> list[SegmentOracle]:
    """One candidate a segment, changed one at a time while that improves the corpus score.

    The exact oracle of BLEU is NP-hard (Leusch et al. 2008): this finds a choice that no single
    change improves, from each of two starts, and takes the better one.
    """
    if not segments:
        return []
    metric = setting.metric
    best_alone = [_order(segment, segment.scores, metric)[0] for segment in segments]
    starts = [best_alone, [segment.candidates.first for segment in segments]]
    oracles = [_climb(segments, start, metric) for start in starts]
    merits = [_merit(metric, _total(segments, chosen)) for chosen in oracles]
    return _results(segments, oracles[int(np.argmax(merits))], setting)


def exactly_chosen(
    segments: Sequence[ScoredCandidates], setting: OracleSetting
) -> tuple[list[SegmentOracle], float | None]:
    """The best corpus by BLEU; or that of climbing, with a score that no corpus exceeds."""
    metric = cast("Bleu", setting.metric)
    bounding = [segment.candidates.bounding for segment in segments]
    chosen = None
    if all(rows is None for rows in bounding):
        scores = [[each.model_score for each in segment.candidates.found] for segment in segments]
        chosen = best_choice([segment.rows for segment in segments], scores, metric)
    if chosen is not None:
        return _results(segments, chosen, setting), None
    rows = [
        segment.rows if own is None else own
        for segment, own in zip(segments, bounding, strict=True)
    ]
    return climbed(segments, setting), score_bound(rows, metric)


def _results(
    segments: Sequence[ScoredCandidates], chosen: Sequence[int], setting: OracleSetting
) -> list[SegmentOracle]:
    metric = setting.metric
    total = _total(segments, chosen)
    results = []
    for segment, index in zip(segments, chosen, strict=True):
        # What the corpus would score with each of the others instead.
        order = _order(segment, metric.score(total - segment.rows[index] + segment.rows), metric)
        order = [index, *(other for other in order if other != index)]
        results.append(_result(segment, order, setting))
    return results


def _climb(segments: Sequence[ScoredCandidates], start: Sequence[int], metric: Metric) -> list[int]:
    chosen = list(start)
    total = _total(segments, chosen)
    best = _merit(metric, total)
    for _ in range(SWEEPS):
        before = best
        for number, segment in enumerate(segments):
            rest = total - segment.rows[chosen[number]]
            merits = np.atleast_1d(_merits(metric, rest + segment.rows))
            index = int(np.argmax(merits))
            if merits[index] > best + 10.0**-DIGITS:
                chosen[number] = index
                total = rest + segment.rows[index]
                best = float(merits[index])
        if best == before:
            break
    return chosen


def _total(segments: Sequence[ScoredCandidates], chosen: Sequence[int]) -> Rows:
    total: Rows = np.sum(
        [segment.rows[index] for segment, index in zip(segments, chosen, strict=True)], axis=0
    )
    return total


def _merits(metric: Metric, rows: Rows) -> NDArray[np.float64]:
    scores = metric.score(rows)
    return scores if metric.higher_is_better else -scores


def _merit(metric: Metric, row: Rows) -> float:
    return float(_merits(metric, row))


def _is_sum(metric: Metric) -> bool:
    """Errors over a length that only the references decide: segments do not touch each other."""
    if isinstance(metric, PositionIndependentErrorRate):
        return metric.clip == "segment"
    return isinstance(metric, TranslationEditRate)


def approximation(setting: OracleSetting, *, forests: bool, lists: bool, several: bool) -> str:
    """What keeps the result from being exact, in a few words; nothing if it is exact."""
    metric = setting.metric
    if rate_of(metric) is None:
        if lists and _is_sum(metric):
            return ""
        climbing = f"{metric.name} is no sum over segments: hill climbing over the corpus"
        return climbing if lists else f"{climbing}, among the oracles of 4-gram recognition rates"
    if forests and (setting.band is not None or setting.beam is not None):
        limits = {"band": setting.band, "beam": setting.beam}
        given = ", ".join(f"{name} {limit}" for name, limit in limits.items() if limit is not None)
        return f"forests were pruned ({given})"
    if several and isinstance(metric, WordErrorRate) and metric.references == "best-rate":
        return "references=best-rate: each segment is exact, but its weight depends on the choice"
    return ""


BATCH: Final = 64
"""Structures that are in memory at a time."""


def oracle(
    structure: Structure,
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
    chosen = word_metric(metric, of_words=not isinstance(structure, NBest))
    setting = OracleSetting(
        metric=chosen, count=count, weights=weights, band=band, beam=beam, exact=exact
    )
    given = [references] if isinstance(references, str) else list(references)
    segment = structure.segment if isinstance(structure, NBest) else 0
    candidates = find_candidates(segment, structure, given, setting)
    bound = replace(setting, metric=chosen.fit(References.of([given])))
    (result,) = climbed_or_ranked(scored([candidates], bound.metric), bound)
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
        kinds |= {type(structure) for _, structure, _ in batch}
        for segment, _, own in batch:
            if segment in seen:
                raise InputError(f"segment {segment}: found it twice, expected it once")
            seen[segment] = own
        done = scored(_searched(batch, setting), fitted)
        if setting.rate is None:
            kept += done
        else:
            results += (ranked_alone(job, setting) for job in done)
        if step is not None:
            step(len(batch))
    if not seen:
        raise InputError("oracle: found no n-best list, lattice or forest, expected at least one")
    bound: float | None = None
    if kept:
        results, bound = _chosen(kept, replace(setting, metric=fitted))
    texts = [result.first.text for result in results], [result.text for result in results]
    used = [seen[result.segment] for result in results]
    specs = {metric.spec: metric for metric in (setting.metric, *also)}
    return Oracles(
        metric=setting.metric,
        segments=tuple(results),
        scores=tuple(
            before_and_after(spec, *texts, used, chosen_by={setting.metric.spec})
            for spec in specs.values()
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
    return [ranked_alone(segment, setting) for segment in segments]


def _batches(
    structures: Iterable[Structure | Numbered], references: Sequence[Sequence[str]] | None
) -> Iterator[list[tuple[int, Structure, tuple[str, ...]]]]:
    def complete() -> Iterator[tuple[int, Structure, tuple[str, ...]]]:
        for index, graph in enumerate(structures):
            if isinstance(graph, tuple):
                segment, structure = graph
            else:
                segment, structure = index, graph
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
        segment, structure, own = item
        return find_candidates(segment, structure, own, setting)

    workers = min(_native.worker_count(), len(batch))
    if workers < 2 or isinstance(batch[0][1], NBest):
        return [search(item) for item in batch]
    return side_by_side([partial(search, item) for item in batch], threads=workers)
