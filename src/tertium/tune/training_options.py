"""How weights are trained by updates instead of searched for along lines."""

from dataclasses import dataclass, fields
from typing import Any, Final, Literal, get_args

from tertium.errors import OptionError
from tertium.inference.choices import DEFAULT_SEED

Algorithm = Literal["mira", "perceptron", "pro"]
ALGORITHMS: Final[tuple[Algorithm, ...]] = get_args(Algorithm)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """Structured perceptron, MIRA or PRO: for more features than line searches can manage.

    ``epochs`` are passes over the segments, or new samples for PRO; the weights of the best one
    count. ``step`` is the longest step of MIRA, its regularisation C; ``l2`` is the weight of
    PRO's ``|w|²``; ``pairs`` of hypotheses are drawn for each segment by PRO, of which the
    ``kept_pairs`` count that differ most, and by at least ``threshold``. ``paths`` are the best
    paths of a lattice or forest that an update can choose from, beside its best by the metric.
    """

    algorithm: Algorithm
    epochs: int = 20
    step: float = 0.01
    l2: float = 0.01
    pairs: int = 5000
    kept_pairs: int = 50
    threshold: float = 0.05
    paths: int = 50
    average: bool = True
    seed: int = DEFAULT_SEED
    fixed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            known = ", ".join(ALGORITHMS)
            raise OptionError(f"algorithm: found '{self.algorithm}', expected one of {known}")
        least = {"epochs": 1, "pairs": 1, "kept_pairs": 1, "paths": 1, "seed": 0}
        for name, smallest in least.items():
            if getattr(self, name) < smallest:
                found = f"found {getattr(self, name)}"
                raise OptionError(f"{name}: {found}, expected a number from {smallest} on")
        for name in ("step", "l2"):
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"{name}: found {getattr(self, name):g}, expected more than 0")
        if not 0 <= self.threshold <= 1:
            raise OptionError(f"threshold: found {self.threshold:g}, expected 0 to 1")

    def to_dict(self) -> dict[str, Any]:
        """What a result says of them: those that the algorithm uses."""
        others = {
            "mira": ("step", "average", "paths"),
            "perceptron": ("average", "paths"),
            "pro": ("l2", "pairs", "kept_pairs", "threshold", "paths"),
        }[self.algorithm]
        shown = {"algorithm", "epochs", "seed", *others}
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name in shown}

    def __str__(self) -> str:
        how = {
            "mira": f", C {self.step:g}",
            "perceptron": "",
            "pro": f", L2 {self.l2:g}",
        }[self.algorithm]
        return f"{self.algorithm}, {self.epochs} epochs{how}, seed {self.seed}"
