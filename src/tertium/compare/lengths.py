"""Scores and lengths by length of the reference: who drops words, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tertium.compare.grams import NO_REFERENCE, CutCorpus
from tertium.compare.sources import SourceLengthTable
from tertium.inference.rows import MetricRows
from tertium.metrics.contract.base import Metric, Scores, ratio
from tertium.scored.slices import LENGTHS, Bands, Slices

RATIOS: Final = Bands(edges=(0.5, 0.8, 0.95, 1.05, 1.25, 2))
"""Words of a hypothesis over words of its reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthCell:
    """One system on the segments of one band.

    ``scores`` are those of the band as a corpus, ``segment_means`` the means over its segments,
    one for each metric; ``length_ratio`` is words over words of the closest references.
    """

    scores: tuple[float, ...]
    segment_means: tuple[float, ...]
    length_ratio: float

    def to_dict(self, metrics: Sequence[Metric]) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "scores": [
                {"metric": metric.spec, "score": score, "segment_mean": mean}
                for metric, score, mean in zip(
                    metrics, self.scores, self.segment_means, strict=True
                )
            ],
            "length_ratio": self.length_ratio,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthBand:
    """Segments whose references are about equally long; a cell for each system."""

    label: str
    segments: int
    cells: tuple[LengthCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioProfile:
    """How long one system's segments are beside their references.

    ``counts`` are segments in each band of ratios, ``quartiles`` those of the ratios.
    """

    system: str
    ratio: float
    quartiles: tuple[float, float, float]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthTable:
    """Bands of reference length × systems, and the length-ratio profile of every system."""

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    bands: tuple[LengthBand, ...]
    ratios: Bands
    profiles: tuple[RatioProfile, ...]
    per_source: SourceLengthTable | None = None

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON."""
        return {
            "bands": [
                {
                    "length": band.label,
                    "segments": band.segments,
                    "systems": [
                        {"system": name, **cell.to_dict(self.metrics)}
                        for name, cell in zip(self.systems, band.cells, strict=True)
                    ],
                }
                for band in self.bands
            ],
            "profiles": [
                {
                    "system": profile.system,
                    "length_ratio": profile.ratio,
                    "quartiles": list(profile.quartiles),
                    "segments": dict(zip(self.ratios.labels, profile.counts, strict=True)),
                }
                for profile in self.profiles
            ],
            **({} if self.per_source is None else {"per_source_word": self.per_source.to_dict()}),
        }


def _mean(scores: Scores) -> float:
    """Over the segments that have a score."""
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else float("nan")


def length_table(
    cut: CutCorpus,
    groups: Sequence[MetricRows],
    *,
    bands: Bands = LENGTHS,
    ratios: Bands = RATIOS,
) -> LengthTable:
    """Both tables; ``groups`` are the rows of the systems under each metric."""
    words = [np.array([len(hypothesis) for hypothesis in hypotheses]) for hypotheses in cut.systems]
    closest = [closest_lengths(cut, lengths) for lengths in words]
    alone = [group.metric.for_segments().score(group.rows) for group in groups]

    def cell(system: int, places: NDArray[np.intp]) -> LengthCell:
        sums = [group.rows[system, places].sum(axis=0) for group in groups]
        return LengthCell(
            scores=tuple(
                float(group.metric.score(total)) for group, total in zip(groups, sums, strict=True)
            ),
            segment_means=tuple(_mean(scores[system, places]) for scores in alone),
            length_ratio=_ratio(words[system][places].sum(), closest[system][places].sum()),
        )

    return LengthTable(
        systems=cut.names,
        metrics=tuple(group.metric for group in groups),
        bands=tuple(
            LengthBand(
                label=label,
                segments=len(places),
                cells=tuple(cell(system, places) for system in range(len(cut.names))),
            )
            for label, places in Slices.by_band(bands, cut.reference_lengths).places.items()
        ),
        ratios=ratios,
        profiles=tuple(
            _profile(name, lengths, wanted, ratios)
            for name, lengths, wanted in zip(cut.names, words, closest, strict=True)
        ),
    )


def closest_lengths(cut: CutCorpus, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each segment the reference length nearest to these, the shorter of two (as BLEU)."""
    known = cut.reference_length_table
    # Distance and length as one number, of which the smallest is the nearest and then the shortest.
    nearest = ((np.abs(known - lengths) << 31) | known).min(axis=0)
    closest: NDArray[np.int64] = nearest & NO_REFERENCE
    return closest


def _profile(
    name: str, lengths: NDArray[np.int64], wanted: NDArray[np.int64], ratios: Bands
) -> RatioProfile:
    # Nothing for nothing is right; something for nothing is longer than any ratio can say.
    shares = ratio(lengths.astype(np.float64), wanted.astype(np.float64), empty=1.0)
    each = np.where((wanted == 0) & (lengths > 0), np.inf, shares)
    low, middle, high = np.quantile(each, [0.25, 0.5, 0.75], method="inverted_cdf").tolist()
    return RatioProfile(
        system=name,
        ratio=_ratio(lengths.sum(), wanted.sum()),
        quartiles=(low, middle, high),
        counts=ratios.counts(each),
    )


def _ratio(words: int, wanted: int) -> float:
    return float(words / wanted) if wanted else (float("inf") if words else 1.0)
