"""How good the best can be: oracle scores against the size of lists, or the model's margin."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, Literal

from tertium.decode.formats.segments import Numbered
from tertium.decode.formats.table import Structure
from tertium.decode.oracle.candidates import OracleSetting
from tertium.decode.oracle.margin import distances, within
from tertium.decode.oracle.oracles import corpus_oracle
from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.version import __version__

Kind = Literal["sizes", "margins"]

HALVINGS = 7
"""Margins that are tried between 0 and the largest one, each half of the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """``x`` is a size or margin; ``scores`` are of the oracles, in the order of the metrics.

    ``kept`` is the share of hypotheses, arcs or hyperedges that were left to choose from.
    """

    x: float
    scores: tuple[float, ...]
    kept: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleCurve:
    """Oracle scores of ever larger parts of the same structures; metric[0] was maximised."""

    kind: Kind
    metrics: tuple[Metric, ...]
    points: tuple[CurvePoint, ...]
    first: tuple[float, ...] = field(default=())
    """What the model's own choices score."""
    approximation: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        specs = [metric.spec for metric in self.metrics]
        return {
            "version": __version__,
            "kind": self.kind,
            "metric": specs[0],
            "approximation": self.approximation or None,
            "first": dict(zip(specs, self.first, strict=True)),
            "points": [
                {
                    "x": point.x,
                    "kept": point.kept,
                    "scores": dict(zip(specs, point.scores, strict=True)),
                }
                for point in self.points
            ],
        }


def oracle_curve(
    structures: Iterable[Structure | Numbered],
    references: Sequence[Sequence[str]] | None,
    setting: OracleSetting,
    also: Sequence[Metric] = (),
    *,
    kind: Kind = "sizes",
    points: Sequence[float] = (),
    step: Callable[[int], None] | None = None,
) -> OracleCurve:
    """The oracle among the n best of the model, or among all within a margin of its best score.

    Of a lattice or forest the margin keeps the arcs, or hyperedges, that are on a path within
    it, by the forward-backward maximum; paths over kept arcs may be further away. Without
    ``points`` sizes double until the longest list, and margins until all is kept.
    """
    kept = [_numbered(index, structure) for index, structure in enumerate(structures)]
    if not kept:
        raise InputError("oracle: found no n-best list, lattice or forest, expected at least one")
    if not all(map(isfinite, points)):
        raise OptionError("curve: found NaN or infinity among the points, expected finite numbers")
    chosen = sorted(set(points)) or _default_points(
        kind, [structure for _, structure in kept], setting.weights
    )
    if chosen[0] < (1 if kind == "sizes" else 0):
        expected = "sizes from 1 on" if kind == "sizes" else "margins from 0 on"
        raise OptionError(f"curve: found {chosen[0]:g}, expected {expected}")
    if kind == "sizes":
        largest = int(chosen[-1])
        kept = [
            (segment, _as_list(segment, structure, largest, setting.weights))
            for segment, structure in kept
        ]
    total = sum(_size(structure) for _, structure in kept)
    levels = []
    single = replace(setting, count=1)
    for x in chosen:
        parts = [
            (segment, _part(structure, kind, x, setting.weights)) for segment, structure in kept
        ]
        done = corpus_oracle(parts, references, single, also, step=step)
        left = sum(_size(structure) for _, structure in parts)
        scores = tuple(score.after for score in done.scores)
        levels.append((done, CurvePoint(x=x, scores=scores, kept=left / total if total else 1.0)))
    last = levels[-1][0]
    return OracleCurve(
        kind=kind,
        metrics=tuple({metric.spec: metric for metric in (setting.metric, *also)}.values()),
        points=tuple(point for _, point in levels),
        first=tuple(score.before for score in last.scores),
        approximation=last.approximation,
    )


def _numbered(index: int, structure: Structure | Numbered) -> Numbered:
    return structure if isinstance(structure, tuple) else (index, structure)


def _as_list(segment: int, structure: Structure, size: int, weights: Weights) -> NBest:
    if isinstance(structure, NBest):
        return structure if weights is None else structure.reranked(weights)
    return structure.n_best(size, weights, segment=segment)


def _part(structure: Structure, kind: Kind, x: float, weights: Weights) -> Structure:
    if kind == "margins":
        return within(structure, x, weights)
    if not isinstance(structure, NBest):
        raise TypeError(type(structure))
    return structure.top(int(x))


def _size(structure: Structure) -> int:
    if isinstance(structure, NBest):
        return len(structure)
    return structure.arcs if isinstance(structure, Lattice) else structure.edges


def _default_points(kind: Kind, structures: Sequence[Structure], weights: Weights) -> list[float]:
    if kind == "sizes":
        lists = [len(structure) for structure in structures if isinstance(structure, NBest)]
        largest = max(lists, default=100)
        sizes = [2**power for power in range(largest.bit_length()) if 2**power < largest]
        return [float(size) for size in [*sizes, largest]]
    largest_margin = max(
        float(distances(structure, weights).max(initial=0.0)) for structure in structures
    )
    if largest_margin == 0:
        return [0.0]
    return [0.0, *(largest_margin / 2**power for power in range(HALVINGS - 1, -1, -1))]
