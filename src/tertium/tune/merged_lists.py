"""Tuning on n-best lists: those of several runs merged, each hypothesis once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.tune.surfaces import Envelopes, Surface, Vectors
from tertium.tune.weight_vectors import union_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """The hypotheses of all segments in one table.

    Those of segment s are ``offsets[s]`` … ``offsets[s + 1]`` − 1.
    """

    feature_names: tuple[str, ...]
    features: Vectors = field(repr=False)
    offsets: NDArray[np.int64] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, lists: Iterable[NBest], segments: int) -> Self:
        """Merge lists, several of which may be for the same segment.

        A hypothesis is a duplicate if text and features are the same. Features that a list does
        not have are 0.
        """
        parts = list(lists)
        names = union_of(part.feature_names for part in parts)
        pools: list[dict[tuple[str, bytes], None]] = [{} for _ in range(segments)]
        for part in parts:
            if part.segment >= segments:
                raise InputError(
                    f"n-best list: found segment {part.segment}, expected numbers from 0 to "
                    f"{segments - 1} (references)"
                )
            table = feature_table(part, names) + 0.0  # −0 is 0
            for text, row in zip(part.hypotheses, table, strict=True):
                pools[part.segment].setdefault((text, row.tobytes()))
        for segment, pool in enumerate(pools):
            if not pool:
                raise InputError(f"segment {segment}: no hypothesis, expected at least one")
        features = np.frombuffer(b"".join(row for pool in pools for _, row in pool))
        return cls(
            feature_names=names,
            features=features.reshape(sum(map(len, pools)), len(names)),
            offsets=np.cumsum([0, *map(len, pools)], dtype=np.int64),
            texts=tuple(text for pool in pools for text, _ in pool),
        )

    def __len__(self) -> int:
        return len(self.texts)


def feature_table(structure: NBest | Lattice | Forest, names: Sequence[str]) -> Vectors:
    """Features with a column for each name; those that are not there are 0."""
    if structure.feature_names == names:
        return structure.features
    places = {name: index for index, name in enumerate(names)}
    features = np.zeros((len(structure.features), len(names)))
    features[:, [places[name] for name in structure.feature_names]] = structure.features
    return features


class NBestSurface(Surface):
    """The hypotheses of n-best lists."""

    __slots__ = ("candidates",)

    def __init__(
        self,
        candidates: Candidates,
        references: Sequence[str | Sequence[str]],
        sources: Sequence[str] | None = None,
    ) -> None:
        super().__init__(candidates.feature_names, references, sources)
        self.candidates = candidates
        if len(candidates.offsets) != self.segments + 1:
            raise InputError(
                f"n-best lists: found {counted(len(candidates.offsets) - 1, 'segment')}, "
                f"expected {self.segments} (references)"
            )

    def __len__(self) -> int:
        return int(self.candidates.offsets[-1])

    def envelopes(self, points: Vectors, directions: Vectors) -> Envelopes:
        try:
            return _native.nbest_envelopes(
                self.candidates.features, self.candidates.offsets, points, directions
            )
        except ValueError as error:
            raise InputError(f"n-best lists: {error}") from None

    def texts(self, numbers: Sequence[int]) -> list[str]:
        return [self.candidates.texts[number] for number in numbers]

    def owners(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.segments), np.diff(self.candidates.offsets))

    def spread(self) -> NDArray[np.float64]:
        """The standard deviation within segments."""
        features, owners = self.candidates.features, self.owners()
        sizes = np.diff(self.candidates.offsets)[:, np.newaxis]
        with np.errstate(over="ignore", invalid="ignore"):
            means = np.add.reduceat(features, self.candidates.offsets[:-1]) / sizes
            deviations = np.sqrt(np.mean((features - means[owners]) ** 2, axis=0))
            # Rounding alone makes a constant feature differ a little.
            differs = deviations > 1e-12 * np.abs(features).max(axis=0)
        return np.where(differs & np.isfinite(deviations), deviations, 1.0)
