"""N-best lists: several hypotheses for one segment, with features and scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.decode.structures.arrays import (
    Floats,
    Weights,
    chosen_weights,
    distinct,
    no_numbers,
    read_only,
    table,
)
from tertium.errors import InputError
from tertium.plurals import counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NBest:
    """Hypotheses for one segment, usually the best first.

    ``scores`` are model scores or log-probabilities, higher is better; ``None`` where the file
    has none. ``features`` has a row for each hypothesis and a column for each feature name.
    ``label`` is what a file calls the segment, if that is no number.

    >>> print(NBest(segment=0, hypotheses=("a b", "b"), scores=[-1.0, -2.5]))
    segment 0: 2 hypotheses
      -1  a b
      -2.5  b
    """

    segment: int
    hypotheses: tuple[str, ...]
    feature_names: tuple[str, ...] = ()
    features: Floats = field(default_factory=no_numbers, repr=False)
    scores: Floats | None = field(default=None, repr=False)
    source: str | None = field(default=None, repr=False)
    references: tuple[str, ...] = field(default=(), repr=False)
    label: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        location = f"segment {self.segment}"
        if self.segment < 0:
            raise InputError(f"segment: found {self.segment}, expected a number from 0 on")
        for name in ("hypotheses", "references"):
            given = getattr(self, name)
            if isinstance(given, str):
                raise InputError(f"{location}: {name}: found one string, expected several")
            if type(given) is not tuple:
                object.__setattr__(self, name, tuple(given))
        names = self.feature_names
        if names != ():
            names = distinct(names, "feature names", location)
            object.__setattr__(self, "feature_names", names)
        size = len(self.hypotheses)
        object.__setattr__(
            self, "features", table(self.features, size, names, location, "hypothesis")
        )
        if self.scores is not None:
            scores: Floats = read_only(self.scores, np.float64)
            if scores.shape != (size,):
                raise InputError(
                    f"{location}: found {counted(scores.size, 'score')}, expected {size}"
                )
            if not np.isfinite(scores).all():
                worst = int(np.argmin(np.isfinite(scores)))
                raise InputError(
                    f"{location}: hypothesis {worst}: found score {scores[worst]}, "
                    "expected a finite number"
                )
            object.__setattr__(self, "scores", scores)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __iter__(self) -> Iterator[str]:
        return iter(self.hypotheses)

    def model_scores(self, weights: Weights = None) -> Floats:
        """Features · weights; without weights the scores of the file, or 0 where it has none."""
        if weights is None:
            return np.zeros(len(self)) if self.scores is None else self.scores
        return self.features @ chosen_weights(
            weights, self.feature_names, np.ones(len(self.feature_names))
        )

    def take(self, order: Sequence[int]) -> "NBest":
        """Some of the hypotheses, in the order given."""
        rows = np.asarray(order, dtype=np.int64)
        return replace(
            self,
            hypotheses=tuple(self.hypotheses[row] for row in rows),
            features=self.features[rows],
            scores=None if self.scores is None else self.scores[rows],
        )

    def top(self, size: int) -> "NBest":
        """The first hypotheses as the list has them; see `reranked` for another order."""
        return self.take(range(min(size, len(self))))

    def reranked(self, weights: Weights) -> "NBest":
        """Sorted by features · weights, which become the scores; ties keep their order."""
        scores = self.model_scores(weights)
        return replace(self, scores=scores).take(np.argsort(-scores, kind="stable").tolist())

    def merged(self) -> "NBest":
        """Every text once, at its first place.

        Scores of the same text are added as probabilities, log(Σ exp score), for a text is as
        probable as all its derivations together; features are those of the best derivation.
        """
        places: dict[str, list[int]] = {}
        for row, hypothesis in enumerate(self.hypotheses):
            places.setdefault(hypothesis, []).append(row)
        if len(places) == len(self):
            return self
        scores = self.scores
        if scores is None:
            return self.take([rows[0] for rows in places.values()])
        best = [max(rows, key=scores.__getitem__) for rows in places.values()]
        summed = [float(np.logaddexp.reduce(scores[rows])) for rows in places.values()]
        return replace(self.take(best), scores=np.array(summed))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NBest):
            return NotImplemented
        return (
            all(
                getattr(self, name) == getattr(other, name)
                for name in (
                    "segment",
                    "label",
                    "hypotheses",
                    "feature_names",
                    "source",
                    "references",
                )
            )
            and np.array_equal(self.features, other.features)
            and (self.scores is None) == (other.scores is None)
            and (self.scores is None or np.array_equal(self.scores, other.scores))  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash((self.segment, self.hypotheses, self.feature_names))

    def __str__(self) -> str:
        return "\n".join(self._lines(5))

    def _lines(self, shown: int) -> Iterator[str]:
        features = f", {counted(len(self.feature_names), 'feature')}" if self.feature_names else ""
        yield f"segment {self.segment}: {counted(len(self), 'hypothesis')}{features}"
        for row, hypothesis in enumerate(self.hypotheses[:shown]):
            score = "" if self.scores is None else f"{self.scores[row]:.6g}  "
            yield f"  {score}{hypothesis}"
        if len(self) > shown:
            yield f"  … and {len(self) - shown} more"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{'' if self.scores is None else f'{self.scores[row]:.6g}'}</td>"
            f"<td>{escape(hypothesis)}</td></tr>"
            for row, hypothesis in enumerate(self.hypotheses[:20])
        )
        return f"<table><caption>{next(self._lines(0))}</caption>{rows}</table>"
