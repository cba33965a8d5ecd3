"""Tuning for one metric or several, side by side: the weights, and what comes of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.tune.mert import GAIN, Mert, SearchOptions, mert, normalized, scores_at
from tertium.tune.outcomes import Outcome, outcome
from tertium.tune.surfaces import Surface
from tertium.tune.training import Trained, train
from tertium.tune.training_options import TrainingOptions
from tertium.tune.weight_vectors import vector_of
from tertium.version import __version__


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
                    "metric": one.metric.spec,
                    "weights": one.weights,
                    "score": one.search.score,
                    "ascents": one.search.traces,
                    "dev": one.dev.to_dict(),
                    "held_out": one.held_out and one.held_out.to_dict(),
                }
                for one in self.tuned
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
        ends = np.array([one.weights for one in results])
        before = list(results)
        for place, one in enumerate(before):
            values = scores_at(surface, one.metric, ends)
            best = int(np.argmax(values))
            if isinstance(one, Mert) and values[best] > values[place] + GAIN:
                again = replace(one.options, restarts=0)
                more = mert(surface, one.metric, ends[best], again)
                results[place] = replace(one, runs=(*one.runs, *more.runs))
        if all(one is other for one, other in zip(before, results, strict=True)):
            return results
