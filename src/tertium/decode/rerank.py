"""Other weights, and metrics as further features, for n-best lists."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from tertium.decode.formats.segments import Numbered, in_all, lines_of
from tertium.decode.formats.table import Structure
from tertium.decode.mbr.before_after import BeforeAfter, before_and_after, references_of, source_of
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.matrix import utility_matrix
from tertium.decode.structures.arrays import Floats
from tertium.decode.structures.nbest import NBest
from tertium.decode.weights import word_metric
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.plain import Plain
from tertium.text.decimals import decimal
from tertium.text.references import References

Against = Literal["list", "references"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFeature:
    """A metric's segment score as a feature.

    Against the ``list`` it is the expected score, every other hypothesis being a reference as far
    as it is probable: known when translating. Against ``references`` it is what only who has
    them knows: for oracles and for training.

    >>> MetricFeature.parse("0.5*grr[k=2]").name
    'Metric_grr_k_2'
    """

    metric: Metric
    weight: float | None = None
    against: Against = "list"
    scale: float = 1.0

    @classmethod
    def parse(
        cls,
        text: str,
        against: Against = "list",
        scale: float = 1.0,
        *,
        tokenizer: str | None = None,
    ) -> "MetricFeature":
        """Read ``METRIC`` or ``WEIGHT*METRIC``; ``tokenizer`` stands in the place of 13a."""
        number, star, spec = text.partition("*")
        star = star if "[" not in number else ""  # one inside of brackets is the metric's
        weight = decimal(number) if star else None
        if star and weight is None:
            raise OptionError(f"metric feature: found '{text}', expected METRIC or WEIGHT*METRIC")
        return cls(
            metric=word_metric(spec if star else text, of_words=False, tokenizer=tokenizer),
            weight=weight,
            against=against,
            scale=scale,
        )

    @property
    def name(self) -> str:
        """What the feature is called, in letters that every n-best format takes."""
        told = self.metric.title if self.metric.elsewhere else self.metric.spec
        return "Metric_" + re.sub(r"\W+", "_", told).strip("_")

    def values(
        self, nbest: NBest, references: Sequence[str] = (), source: str | None = None
    ) -> Floats:
        """The feature of every hypothesis; ``source`` is for a metric that reads it."""
        metric = self.metric.of_source(nbest.source if source is None else source)
        if self.against == "references":
            return _against_references(metric, nbest, references or nbest.references)
        location = f"segment {nbest.segment}"
        evidence = Evidence.of(nbest.hypotheses, nbest.scores, scale=self.scale, place=location)
        expected = utility_matrix(metric, evidence.texts, evidence.texts)
        expectations = dict(zip(evidence.texts, expected @ evidence.probabilities, strict=True))
        return np.array([expectations[text] for text in nbest.hypotheses])


def _against_references(metric: Metric, nbest: NBest, references: Sequence[str]) -> Floats:
    if not references:
        raise InputError(f"segment {nbest.segment}: found no reference, expected one")
    alone = metric.for_segments()
    repeated = References.of([list(references)] * len(nbest))
    return alone.score(alone.statistics(list(nbest.hypotheses), repeated))


def reranked(
    nbest: NBest,
    weights: Mapping[str, float] | None = None,
    added: Sequence[MetricFeature] = (),
    *,
    references: Sequence[str] = (),
    source: str | None = None,
) -> NBest:
    """The list sorted by its new model scores, metrics among its features; ties keep their order.

    The new score is Σ weight · feature; without weights the scores that the list has. Added
    metrics count with their own weight, else with the one the weights have for their name.
    """
    names, columns = list(nbest.feature_names), [nbest.features]
    for feature in added:
        if feature.name in names:
            raise OptionError(f"metric feature: found {feature.name} twice, expected it once")
        names.append(feature.name)
        columns.append(feature.values(nbest, references, source)[:, None])
    whole = replace(nbest, feature_names=tuple(names), features=np.concatenate(columns, axis=1))
    known = {} if weights is None else dict(weights)
    known |= {feature.name: feature.weight for feature in added if feature.weight is not None}
    if weights is not None:
        return whole.reranked(known)
    scores = nbest.model_scores().copy()
    for name in (feature.name for feature in added):
        scores += known.get(name, 0.0) * whole.features[:, names.index(name)]
    return replace(whole, scores=scores).take(np.argsort(-scores, kind="stable").tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankOutcome(Plain):
    """How many first places changed, and what references say of it."""

    PLAIN = "version segments changed features scores"

    segments: int
    changed: int
    features: tuple[str, ...]
    scores: tuple[BeforeAfter, ...] = field(default=())


class Reranking:
    """Lists on their way through `reranked`, and what became of their first places.

    The lists are not kept: only the texts before and after, for `outcome`.
    """

    def __init__(
        self,
        weights: Mapping[str, float] | None = None,
        added: Sequence[MetricFeature] = (),
        *,
        references: Sequence[Sequence[str]] | None = None,
        sources: Sequence[str] | None = None,
    ) -> None:
        self.weights, self.added, self.references = weights, tuple(added), references
        self.sources, self.found_sources = sources, list[str | None]()
        self.segments: list[int] = []
        self.first: list[str] = []
        self.chosen: list[str] = []
        self.found: list[tuple[str, ...]] = []
        self.in_all = 0

    def run(
        self,
        lists: Iterable[Structure | Numbered],
        *,
        top: int | None = None,
        step: Callable[[int], None] | None = None,
    ) -> Iterator[NBest]:
        """The lists, each reranked when it is asked for."""
        for given in lists:
            nbest = given[1] if isinstance(given, tuple) else given
            if not isinstance(nbest, NBest):
                raise InputError(f"{nbest.name}: found no n-best list, expected nothing else")
            if not len(nbest):
                raise InputError(f"segment {nbest.segment}: found no hypothesis, expected one")
            own = references_of(nbest, nbest.segment, self.references)
            source = source_of(nbest, nbest.segment, self.sources)
            done = reranked(nbest, self.weights, self.added, references=own, source=source)
            self.segments.append(nbest.segment)
            # The model's own choice: samples come in any order, and ties keep theirs.
            self.first.append(nbest.hypotheses[int(np.argmax(nbest.model_scores()))])
            self.chosen.append(done.hypotheses[0])
            self.found.append(own)
            self.found_sources.append(source)
            yield done if top is None else done.top(top)
            if step is not None:
                step(1)
        self.in_all = in_all(lists, self.segments, self.references)

    def lines(self, missing: str = "") -> Iterator[str]:
        """The best of each list that was run, ``missing`` for segments without one."""
        return lines_of(dict(zip(self.segments, self.chosen, strict=True)), self.in_all, missing)

    def outcome(self, metrics: Sequence[Metric] = ()) -> RerankOutcome:
        """Scores are there if every segment has a reference."""
        if not self.first:
            raise InputError("rerank: found no n-best list, expected at least one")
        chosen_by = {feature.metric.spec for feature in self.added}
        texts = self.first, self.chosen, self.found
        pairs = zip(self.first, self.chosen, strict=True)
        return RerankOutcome(
            segments=len(self.first),
            changed=sum(before != after for before, after in pairs),
            features=tuple(feature.name for feature in self.added),
            scores=tuple(
                before_and_after(metric, *texts, sources=self.found_sources, chosen_by=chosen_by)
                for metric in metrics
            )
            if all(self.found)
            else (),
        )
