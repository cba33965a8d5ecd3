"""Tuning for one metric or several, side by side: the weights, and what comes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.plain import Plain
from tertium.text.tokenizers import Tokenizer
from tertium.tune.mert import GAIN, Mert, SearchOptions, mert, normalized, scores_at
from tertium.tune.surfaces import Surface
from tertium.tune.training import Trained, TrainingOptions, train
from tertium.tune.weight_vectors import vector_of
from tertium.version import __version__

# What a model says under some weights: its scores, and how much it leaves unsaid.

LENGTHS: Final = Bleu(tokenizer=Tokenizer.parse("none"), order=1)
"""Its statistics have the words of a hypothesis and those of the reference closest in length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Plain):
    """The output for one set of segments.

    ``missing`` are the words by which segments fall short of the reference that is closest in
    length; words too many elsewhere do not make up for them. ``empty`` segments say nothing.
    """

    PLAIN = "segments scores length_ratio words_deleted segments_deleted words reference_words"

    segments: int
    scores: tuple[float, ...]
    words: float
    reference_words: float
    missing: float
    empty: int

    @property
    def length_ratio(self) -> float:
        """Words over reference words."""
        return _share(self.words, self.reference_words)

    @property
    def words_deleted(self) -> float:
        """The share of reference words that are missing, 0 to 1."""
        return _share(self.missing, self.reference_words)

    @property
    def segments_deleted(self) -> float:
        """The share of segments without a word, 0 to 1."""
        return _share(self.empty, self.segments)


def outcome(surface: Surface, metrics: list[Metric], weights: NDArray[np.float64]) -> Outcome:
    """Choose the model's best hypotheses and score them by all metrics."""
    return outcome_of(surface, metrics, surface.best(weights[np.newaxis])[0])


def outcome_of(surface: Surface, metrics: list[Metric], chosen: NDArray[np.int32]) -> Outcome:
    """Score one hypothesis for each segment, however it was chosen, by all metrics."""
    sizes = surface.rows(LENGTHS)[chosen]
    words, reference_words = sizes[:, -2], sizes[:, -1]
    return Outcome(
        segments=surface.segments,
        scores=tuple(
            float(surface.bound(metric).score(surface.rows(metric)[chosen].sum(axis=0)))
            for metric in metrics
        ),
        words=float(words.sum()),
        reference_words=float(reference_words.sum()),
        missing=float(np.maximum(0, reference_words - words).sum()),
        empty=int(np.count_nonzero((words == 0) & (reference_words > 0))),
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tuned:
    """The weights that one metric prefers, and the output under them."""

    metric: Metric
    search: Mert | Trained = field(repr=False)
    dev: Outcome
    held_out: Outcome | None

    @property
    def weights(self) -> dict[str, float]:
        """The weights by feature."""
        values = self.search.weights.tolist()
        return dict(zip(self.search.feature_names, values, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TuningReport:
    """Scores before and after tuning, by all metrics, on the dev set and on one held out.

    The scores of an outcome are in the order of ``metrics``: first those tuned for.
    """

    metrics: tuple[Metric, ...]
    signatures: tuple[str, ...]
    feature_names: tuple[str, ...]
    hypotheses: int
    start: NDArray[np.float64]
    before: Outcome
    held_out_before: Outcome | None
    tuned: tuple[Tuned, ...]
    options: SearchOptions | TrainingOptions

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "version": __version__,
            "metrics": [metric.spec for metric in self.metrics],
            "signatures": list(self.signatures),
            "features": list(self.feature_names),
            "hypotheses": self.hypotheses,
            **self.options.to_dict(),
            "before": {
                "weights": dict(zip(self.feature_names, self.start.tolist(), strict=True)),
                "dev": self.before.to_dict(),
                "held_out": self.held_out_before and self.held_out_before.to_dict(),
            },
            "tuned": [
                {
                    "metric": result.metric.spec,
                    "weights": result.weights,
                    "score": result.search.score,
                    "ascents": result.search.traces,
                    "dev": result.dev.to_dict(),
                    "held_out": result.held_out and result.held_out.to_dict(),
                }
                for result in self.tuned
            ],
        }


def tune(
    surface: Surface,
    metrics: Sequence[Metric],
    start: Mapping[str, float] | Sequence[float],
    *,
    held_out: Surface | None = None,
    also: Sequence[Metric] = (),
    options: SearchOptions | TrainingOptions | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> TuningReport:
    """Tune for each of the metrics, and report by all of them and by those in ``also``.

    ``surface`` are the hypotheses of the dev set: `NBestSurface` or `GraphSurface`. Only weights
    chosen on it and scored on ``held_out`` say what tuning is worth. The options decide how:
    minimum error rate training, or training by updates.
    """
    if not metrics:
        raise OptionError("metrics: found none, expected at least one to tune for")
    options = options or SearchOptions()
    names = surface.feature_names
    given = normalized(vector_of(start, names, "weights"))
    specs = {metric.spec: metric for metric in (*metrics, *also)}
    shown = list(specs.values())
    searches = [found(surface, metric, given, options, advance=advance) for metric in metrics]
    if isinstance(options, SearchOptions):
        searches = _together(surface, searches)

    def unseen(weights: NDArray[np.float64]) -> Outcome | None:
        if held_out is None:
            return None
        by_name = dict(zip(names, weights.tolist(), strict=True))
        return outcome(held_out, shown, vector_of(by_name, held_out.feature_names, "held out"))

    counts = {len(references) for references in surface.references}
    references: str | int = counts.pop() if len(counts) == 1 else "var"
    return TuningReport(
        metrics=tuple(shown),
        signatures=tuple(metric.signature(references) for metric in shown),
        feature_names=names,
        start=given,
        before=outcome(surface, shown, given),
        held_out_before=unseen(given),
        tuned=tuple(
            Tuned(
                metric=metric,
                search=search,
                dev=outcome(surface, shown, search.weights),
                held_out=unseen(search.weights),
            )
            for metric, search in zip(metrics, searches, strict=True)
        ),
        hypotheses=len(surface),
        options=options,
    )


def found(
    surface: Surface,
    metric: Metric,
    start: NDArray[np.float64],
    options: SearchOptions | TrainingOptions,
    *,
    more_starts: Sequence[NDArray[np.float64]] = (),
    advance: Callable[[int], None] = lambda _: None,
) -> Mert | Trained:
    """The best weights, searched for or trained as the options say.

    Training begins at the weights given alone.
    """
    if isinstance(options, TrainingOptions):
        return train(surface, metric, start, options, advance=advance)
    return mert(surface, metric, start, options, more_starts=more_starts, advance=advance)


def _together(surface: Surface, searches: Sequence[Mert | Trained]) -> list[Mert | Trained]:
    """Let a search go on where another ended, as long as that is better by its own metric.

    Searches find local optima; without this, tuning for another metric could end with a better
    score than tuning for the metric itself, which tells about luck and not about metrics.
    """
    results = list(searches)
    while True:
        ends = np.array([result.weights for result in results])
        before = list(results)
        for index, result in enumerate(before):
            values = scores_at(surface, result.metric, ends)
            best = int(np.argmax(values))
            if isinstance(result, Mert) and values[best] > values[index] + GAIN:
                again = replace(result.options, restarts=0)
                more = mert(surface, result.metric, ends[best], again)
                results[index] = replace(result, runs=(*result.runs, *more.runs))
        if all(result is other for result, other in zip(before, results, strict=True)):
            return results
