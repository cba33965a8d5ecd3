"""A path through a lattice or a derivation of a forest: what it says and what it scores."""

from dataclasses import dataclass

from tertium.decode.structures.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Path:
    """One way through a structure.

    ``edges`` are the arcs from start to end, or the hyperedges from the goal down, left before
    right. ``score`` is the model's (features · weights), the higher the better.
    """

    words: tuple[str, ...]
    score: float
    features: Floats
    edges: tuple[int, ...]

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return " ".join(self.words)

    def __str__(self) -> str:
        return f"{self.score:.6g}  {self.text}"
