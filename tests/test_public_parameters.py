"""Parameters of public functions: one name has one default, and bounds are where they are said."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import pytest

import tertium
from tertium import Corpus, System
from tertium.compare import compare
from tertium.decide import decide, power
from tertium.decode import SpaceSearch
from tertium.errors import TertiumError
from tertium.tune import SearchOptions, TrainingOptions

PACKAGES = ["tertium"] + [
    f"tertium.{name}"
    for name in ("audit", "compare", "decide", "decode", "inference", "meta", "metrics", "report",
                 "scale", "study", "text", "tune")
]  # fmt: skip

SWITCHED_ON = {
    *("audit", "average", "complete", "detailed", "higher_is_better", "labels", "located"),
    *("punctuation", "reused", "stratified", "verdicts"),
}
"""Switches that are on unless the caller says otherwise; all others are off."""

NUMBERS: dict[str, set[float]] = {
    "alpha": {0.05},
    "best": {200},
    "count": {1},
    "decimals": {2},
    "epochs": {20},
    "every": {5.0},
    "first_segment": {1},
    "iterations": {15},
    "kept_pairs": {50},
    "l2": {0.01},
    "level": {0.95},
    "more": {400_000},  # swaps for p-values close to the level
    "most_explained": {0, 4500},
    "num_refs": {1},
    "order": {4},
    "pairs": {5000},
    "paths": {50},
    "patience": {5},
    "points": {25.0},
    "power": {0.8},
    "precision": {0.85},
    "prior": {5.0},
    "ratio": {0.72},
    "reference_words": {1.0},
    "references": {1},
    "restarts": {20},
    "rounds": {200},
    "samples": {1000},
    "scale": {1.0},
    "seed": {0, 12345},
    "segments": {32768},
    "step": {0.01},
    "tests": {1},
    "threshold": {0.05},
    "top": {3, 5, 10},
    "trials": {500, 1000, 2000, 10_000},
    "wanted": {0.8},
}
"""The defaults of numbers that are not 0."""


def parameters() -> Iterator[tuple[str, inspect.Parameter]]:
    """Those of public functions, classes and methods."""
    for package in PACKAGES:
        module = import_module(package)
        for name in getattr(module, "__all__", dir(module)):
            member = getattr(module, name)
            members = [member] if inspect.isfunction(member) or inspect.isclass(member) else []
            if inspect.isclass(member) and member.__module__.startswith("tertium"):
                members += [
                    getattr(member, own)
                    for own, value in vars(member).items()
                    if not own.startswith("_")
                    and (inspect.isfunction(value) or isinstance(value, classmethod))
                ]
            for each in members:
                try:
                    listed = inspect.signature(each).parameters.values()
                except ValueError:  # of what is not written in Python
                    continue
                yield from ((f"{package}.{name}", one) for one in listed)


def test_a_parameter_has_the_same_default_wherever_it_is() -> None:
    for place, parameter in parameters():
        default, name = parameter.default, parameter.name
        if isinstance(default, bool):
            assert default == (name in SWITCHED_ON), f"{place}({name}={default})"
        elif isinstance(default, (int, float)):
            assert default == 0 or default in NUMBERS.get(name, ()), f"{place}({name}={default})"


TEXTS = ["the cat sat", "a dog barked"]
SCORED = tertium.scored(
    Corpus(references=TEXTS),
    [System(name="a", hypotheses=TEXTS), System(name="b", hypotheses=TEXTS[::-1])],
    ["wer"],
)
PROBES = (-1, 0, 0.5, 1, 2, 3)
MIRA = partial(TrainingOptions, algorithm="mira")
BOUNDS: list[tuple[Callable[..., object], str, tuple[float, ...]]] = [
    (partial(compare, SCORED, trials=50), "order", (2, 3)),
    (partial(compare, SCORED, trials=50), "top", (1, 2, 3)),
    (partial(decide, SCORED, trials=50), "top", (1, 2, 3)),
    (partial(power, SCORED, trials=50), "wanted", (0.5,)),
    (SearchOptions, "restarts", (0, 0.5, 1, 2, 3)),
    (SearchOptions, "random_directions", (0, 0.5, 1, 2, 3)),
    (SearchOptions, "patience", (1, 2, 3)),
    (SearchOptions, "rounds", (1, 2, 3)),
    (SearchOptions, "seed", (0, 0.5, 1, 2, 3)),
    (MIRA, "epochs", (1, 2, 3)),
    (MIRA, "step", (0.5, 1, 2, 3)),
    (MIRA, "l2", (0.5, 1, 2, 3)),
    (MIRA, "pairs", (1, 2, 3)),
    (MIRA, "kept_pairs", (1, 2, 3)),
    (MIRA, "threshold", (0, 0.5, 1)),
    (MIRA, "paths", (1, 2, 3)),
    (MIRA, "seed", (0, 0.5, 1, 2, 3)),
    (SpaceSearch, "best", (0, 0.5, 1, 2, 3)),
    (SpaceSearch, "samples", (1, 2, 3)),
]
"""What is accepted of the probes."""


@pytest.mark.parametrize(
    ("call", "name", "accepted"),
    [
        pytest.param(*row, id=f"{getattr(row[0], 'func', row[0]).__name__}-{row[1]}")
        for row in BOUNDS
    ],
)
def test_numbers_at_the_bound_are_accepted_and_those_beyond_refused(
    call: Callable[..., object], name: str, accepted: tuple[float, ...]
) -> None:
    def fits(value: Any) -> bool:
        try:
            call(**{name: value})
        except TertiumError:
            return False
        return True

    assert tuple(value for value in PROBES if fits(value)) == accepted
