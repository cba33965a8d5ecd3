"""Whatever draws at random refuses trials, seeds and levels that mean nothing, by their names."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import Corpus, System
from tertium.compare import compare
from tertium.decide import decide, power
from tertium.errors import OptionError
from tertium.inference import (
    all_pairs,
    approximate_randomization,
    confidence_interval,
    detectability,
    paired_bootstrap,
    substitution_sign_test,
    with_intervals,
    with_paired_bootstrap,
    with_randomization,
)
from tertium.meta import (
    Judgments,
    MetricScores,
    agree,
    agreements,
    permutation_matrix,
    worth_curve,
)
from tertium.study import study

NAMES = ("a", "b", "c", "d")
REFERENCES = ["the cat sat on the mat", "a dog barked", "it rains in May"]
CORPUS = Corpus(references=REFERENCES)
SYSTEMS = [
    System(name=name, hypotheses=[*REFERENCES[:number], *["the dog"] * (3 - number)])
    for number, name in enumerate(NAMES)
]
WER = tertium.parse_metric("wer")
ROWS = np.stack([WER.statistics(system.hypotheses, REFERENCES) for system in SYSTEMS])
SCORED = tertium.scored(CORPUS, SYSTEMS, ["wer"])
VALUES = np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 5.0], [3.0, 5.0, 4.0], [4.0, 6.0, 9.0]])
RATINGS = Judgments(
    name="t", criterion="da", systems=NAMES, values=VALUES.mean(axis=1), segments=VALUES
)
SCORES = MetricScores(
    metric="m", systems=NAMES, values=VALUES.mean(axis=1) ** 2, segments=VALUES**2
)

CALLS: dict[Callable[..., object], tuple[Any, ...]] = {
    confidence_interval: (WER, ROWS[0]),
    paired_bootstrap: (WER, ROWS[0], ROWS[1]),
    approximate_randomization: (WER, ROWS[0], ROWS[1]),
    detectability: (WER, ROWS[0], ROWS[1]),
    substitution_sign_test: (WER, ROWS[0], ROWS[1]),
    all_pairs: (WER, ROWS, NAMES),
    with_intervals: (SCORED,),
    with_paired_bootstrap: (SCORED,),
    with_randomization: (SCORED,),
    compare: (SCORED,),
    decide: (SCORED,),
    power: (SCORED,),
    study: (SCORED,),
    agree: (RATINGS, SCORES),
    agreements: ([(RATINGS, [SCORES])],),
    permutation_matrix: (RATINGS, [SCORES, SCORES]),
    worth_curve: ("m", []),
}
REFUSED = {
    "trials": (0, -1),
    "seed": (-1, 1 << 64),
    "level": (0.0, 1.0, 95, float("nan")),
    "alpha": (0.0, 1.0, 5, float("nan")),
    "power": (0.0, 1.0, 80),
}
CASES = [
    pytest.param(call, name, value, id=f"{call.__name__}-{name}-{value}")
    for call in CALLS
    for name in inspect.signature(call).parameters
    for value in REFUSED.get(name, ())
]


@pytest.mark.parametrize(("call", "name", "value"), CASES)
def test_numbers_that_cannot_be_drawn_with_are_refused(
    call: Callable[..., object], name: str, value: float
) -> None:
    further: dict[str, object] = {}
    if call is agree or call is agreements:
        further = {"resample": "systems", "measures": ["pearson"]}
    with pytest.raises(OptionError, match=f"^{name}: found ") as refusal:
        call(*CALLS[call], **further, **{name: value})
    assert f"found {value:g}," in str(refusal.value) or f"found {value}," in str(refusal.value)
