"""What is resampled: whole documents, summed first; calibrated where segments depend."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tertium.errors import InputError, OptionError
from tertium.inference import (
    MetricRows,
    all_pairs,
    approximate_randomization,
    confidence_interval,
    detectability,
    paired_bootstrap,
    substitution_sign_test,
    units_of,
)
from tertium.inference.units import widening
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric

WER = parse_metric("wer")
WORDS = 20.0


def error_rows(errors: NDArray[np.float64]) -> Rows:
    """Rows of segments of 20 words with so many substitutions."""
    rows = np.zeros((*errors.shape, len(WER.columns)))
    rows[..., 0], rows[..., -1] = errors, WORDS
    return rows


labels = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(labels, st.randoms(use_true_random=False))
def test_a_unit_has_the_sum_of_its_segments(
    documents: list[str], random: np.random.Generator
) -> None:
    rows = np.array([[[random.random()] * 3 for _ in documents] for _ in range(2)])
    units = units_of(len(documents), documents, "documents")
    found = units.sums(rows)
    names = list(dict.fromkeys(documents))
    assert (units.unit, units.count) == ("document", len(names))
    for place, name in enumerate(names):
        some = [i for i, one in enumerate(documents) if one == name]
        np.testing.assert_allclose(found[:, place], rows[:, some].sum(axis=1))


@pytest.mark.parametrize(
    ("documents", "resample", "expected"),
    [
        (None, "auto", "3 segments"),
        (["a", "b", "a"], "auto", "2 documents"),
        (["a", "b", "a"], "segments", "3 segments"),
        (["a", "a", "a"], "auto", "3 segments"),  # one document cannot be drawn differently
        (["a", "a", "a"], "documents", "1 document"),
    ],
)
def test_units_are_chosen(documents: list[str] | None, resample: str, expected: str) -> None:
    assert str(units_of(3, documents, resample)) == expected  # type: ignore[arg-type]


def test_units_that_are_not_there() -> None:
    with pytest.raises(InputError, match="found no document labels, expected a file of documents"):
        units_of(3, None, "documents")
    with pytest.raises(OptionError, match="resample: found 'lines', expected auto, segments, doc"):
        units_of(3, None, "lines")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="documents: found 2 labels, expected 3"):
        paired_bootstrap(WER, *error_rows(np.ones((2, 3))), documents=["a", "b"])


def test_every_test_takes_documents() -> None:
    """Documents are rows of their own: the same as rows that were summed before."""
    rng = np.random.default_rng(1)
    documents = [f"document {i // 5}" for i in range(100)]
    rows = error_rows(rng.binomial(20, 0.3, (3, 100)).astype(float))
    summed = rows.reshape(3, 20, 5, -1).sum(axis=2)
    for made, expected in (
        (
            confidence_interval(WER, rows[0], documents=documents).scores.tolist(),
            confidence_interval(WER, summed[0]).scores.tolist(),
        ),
        (
            paired_bootstrap(WER, *rows[:2], documents=documents).deltas.tolist(),
            paired_bootstrap(WER, *summed[:2]).deltas.tolist(),
        ),
        (
            approximate_randomization(WER, *rows[:2], documents=documents).p_value,
            approximate_randomization(WER, *summed[:2]).p_value,
        ),
        (
            substitution_sign_test(WER, *rows[:2], documents=documents).p_value,
            substitution_sign_test(WER, *summed[:2]).p_value,
        ),
        (
            all_pairs(WER, rows, "abc", documents=documents).p_values.tolist(),
            all_pairs(WER, summed, "abc").p_values.tolist(),
        ),
        (
            detectability(WER, *rows[:2], documents=documents).standard_error,
            widening("document", 20) * detectability(WER, *summed[:2]).standard_error,
        ),
    ):
        assert made == expected
    found = paired_bootstrap(WER, *rows[:2], documents=documents)
    assert (found.unit, found.units) == ("document", 20)
    assert (found.interval.unit, found.interval.units) == ("document", 20)
    assert (found.to_dict()["unit"], found.to_dict()["units"]) == ("document", 20)


@pytest.mark.parametrize("runs", [1, 2])
def test_few_swaps_are_all_tried(runs: int) -> None:
    rng = np.random.default_rng(2)
    units = 8 // runs
    rows = error_rows(rng.binomial(20, 0.3, (2, runs, units)).astype(float))
    found = approximate_randomization(WER, *(rows[:, 0] if runs == 1 else rows), trials=256)
    assert (found.exact, found.trials) == (True, 256)
    errors = rows[..., 0]
    delta = errors[1].sum() - errors[0].sum()
    gaps = (errors[1] - errors[0]).ravel()
    every = [
        sum(s * gap for s, gap in zip(signs, gaps, strict=True))
        for signs in product((1, -1), repeat=8)
    ]
    assert found.p_value == np.mean([abs(one) >= abs(delta) - 1e-9 for one in every])
    assert sorted(found.null * units * runs * WORDS / 100) == pytest.approx(sorted(every))
    one_less = approximate_randomization(WER, *(rows[:, 0] if runs == 1 else rows), trials=255)
    assert (one_less.exact, one_less.trials) == (False, 255)


def test_metrics_have_the_same_units() -> None:
    from tertium.inference import paired_bootstraps

    rows = error_rows(np.ones((2, 4)))
    group = MetricRows(metric=WER, rows=rows)
    other = group.by(units_of(4, list("abcd"), "documents"))
    with pytest.raises(InputError, match=r"by document, expected .* by segment"):
        paired_bootstraps([group, other])


# ---- simulations: segments of a document share its difficulty -------------------------------

PAIRS = 400
TWO_ERRORS = 2 * np.sqrt(0.05 * 0.95 / PAIRS)
"""Two standard errors of a share that is .05, over as many simulated pairs."""


def simulated(rng: np.random.Generator, documents: int, length: int) -> Rows:
    """Two systems of equal quality, each better on some documents than on others."""
    shares = np.clip(rng.normal(0.3, 0.05, (2, documents)), 0, 1).repeat(length, axis=1)
    return error_rows(rng.binomial(20, shares).astype(float))


def labels_of(documents: int, length: int) -> list[int]:
    return np.repeat(np.arange(documents), length).tolist()


@pytest.mark.slow
def test_documents_are_calibrated_and_segments_are_not() -> None:
    """Rejections of a true null hypothesis, and intervals that hold the truth."""
    rng = np.random.default_rng(7)
    labels = labels_of(40, 25)
    swaps, resamples, covered = ({"documents": 0, "segments": 0} for _ in range(3))
    for number in range(PAIRS):
        rows = simulated(rng, 40, 25)
        for name, documents in (("documents", labels), ("segments", None)):
            swapped = approximate_randomization(
                WER, *rows, documents=documents, trials=199, seed=number
            )
            made = paired_bootstrap(WER, *rows, documents=documents, trials=399, seed=number)
            swaps[name] += swapped.p_value <= 0.05
            resamples[name] += made.p_value <= 0.05
            covered[name] += made.system_interval.low <= 30 <= made.system_interval.high
    for found in (swaps, resamples):
        assert found["documents"] / PAIRS == pytest.approx(0.05, abs=TWO_ERRORS)
        assert found["segments"] / PAIRS > 0.25
    assert covered["documents"] / PAIRS == pytest.approx(0.95, abs=TWO_ERRORS)
    assert covered["segments"] / PAIRS < 0.75


@pytest.mark.slow
def test_ten_documents_are_calibrated_too() -> None:
    """As resamples are, they would reject .10 and cover .90."""
    rng = np.random.default_rng(9)
    labels = labels_of(10, 10)
    rejected = covered = 0
    for number in range(PAIRS):
        rows = simulated(rng, 10, 10)
        made = paired_bootstrap(WER, *rows, documents=labels, trials=399, seed=number)
        rejected += made.p_value <= 0.05
        covered += made.system_interval.low <= 30 <= made.system_interval.high
    assert rejected / PAIRS == pytest.approx(0.05, abs=TWO_ERRORS)
    assert covered / PAIRS == pytest.approx(0.95, abs=TWO_ERRORS)


def test_pairs_of_documents_are_those_of_single_tests() -> None:
    rows = simulated(np.random.default_rng(4), 12, 3)
    labels = labels_of(12, 3)
    alone = paired_bootstrap(WER, *rows, documents=labels, trials=500)
    together = all_pairs(WER, rows, "ab", documents=labels, trials=500, test="bootstrap")
    assert together.p_values.tolist() == [alone.p_value]
    np.testing.assert_allclose(together.null[0], alone.null, atol=1e-12)
