"""The native sums of random choices: right, fair, and the same on any number of threads."""

from typing import Protocol

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare

from tertium._native import PackedRows
from tests.support.effort import examples

Array = NDArray[np.float64]


class Sums(Protocol):
    """What `resampled` and `tossed` have in common."""

    def __call__(
        self, rows: Array, trials: int, *, seed: int = 1, stream: int = 0, first: int = 0
    ) -> Array: ...


def resampled(rows: Array, trials: int, *, seed: int = 1, stream: int = 0, first: int = 0) -> Array:
    return PackedRows(rows).resampled_sums(seed=seed, stream=stream, first=first, trials=trials)


def tossed(rows: Array, trials: int, *, seed: int = 1, stream: int = 0, first: int = 0) -> Array:
    return PackedRows(rows).tossed_sums(seed=seed, stream=stream, first=first, trials=trials)


def mixed_rows(segments: int, columns: int) -> Array:
    """Small counts, fractions, negative and very large numbers side by side."""
    rng = np.random.default_rng(segments * 1000 + columns)
    rows = rng.integers(-40, 400, size=(segments, columns)).astype(np.float64)
    rows[:, 1::5] /= 3
    rows[:, 2::5] *= 1e6
    if columns > 3:
        rows[segments // 2, 3] = 32_768  # one whole number too many for 16 bits
    return rows


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(
    segments=st.sampled_from([1, 2, 7, 63, 64, 65, 130, 300]),
    columns=st.integers(1, 70),
    trials=st.sampled_from([1, 3, 255, 257]),
    seed=st.integers(0, 2**64 - 1),
)
def test_sums_are_choices_times_rows(segments: int, columns: int, trials: int, seed: int) -> None:
    rows = mixed_rows(segments, columns)
    whole = rows == np.trunc(rows)
    for sums, least, most in ((resampled, 0, segments), (tossed, 0, 1)):
        # Rows of the unit matrix show which segments a trial takes, and how often.
        taken = sums(np.eye(segments), trials, seed=seed)
        assert ((taken >= least) & (taken <= most) & (taken == np.trunc(taken))).all()
        found, expected = sums(rows, trials, seed=seed), rows.T @ taken
        exact = whole.all(axis=0)
        np.testing.assert_array_equal(found[exact], expected[exact])
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)
    assert (resampled(np.ones((segments, 1)), trials, seed=seed) == segments).all()


def test_some_segments_are_drawn_more_than_three_times() -> None:
    # Else the test above would not reach all of the code.
    assert resampled(np.eye(300), 257).max() > 4


@pytest.mark.slow
def test_a_million_segments_do_not_overflow() -> None:
    rows = np.full((1_100_000, 1), 511.0)
    assert (resampled(rows, 2) == 511 * len(rows)).all()
    heads = tossed(rows, 2) / 511
    assert (abs(heads - len(rows) / 2) < 4 * np.sqrt(len(rows) / 4)).all()


@pytest.mark.parametrize("sums", [resampled, tossed])
def test_threads_and_blocks_do_not_matter(sums: Sums, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = mixed_rows(150, 37)
    monkeypatch.setenv("TERTIUM_THREADS", "1")
    one = sums(rows, 1000)
    for threads in ("2", "7"):
        monkeypatch.setenv("TERTIUM_THREADS", threads)
        np.testing.assert_array_equal(sums(rows, 1000), one)
    parts = [sums(rows, 300), sums(rows, 1, first=300), sums(rows, 699, first=301)]
    np.testing.assert_array_equal(np.concatenate(parts, axis=1), one)


@pytest.mark.parametrize("sums", [resampled, tossed])
def test_seeds_and_streams_are_different(sums: Sums) -> None:
    unit = np.eye(200)
    made = [
        sums(unit, 50),
        sums(unit, 50, seed=2),
        sums(unit, 50, stream=1),
        sums(unit, 50, first=50),
    ]
    for i, one in enumerate(made):
        for other in made[:i]:
            correlation = np.corrcoef(one.ravel(), other.ravel())[0, 1]
            assert abs(correlation) < 4 / np.sqrt(one.size)


def test_every_segment_is_equally_likely() -> None:
    drawn = resampled(np.eye(77), 3000).sum(axis=1)
    assert chisquare(drawn).pvalue > 0.001
    # A trial's counts are multinomial: variance 1 − 1/n.
    counts = resampled(np.eye(77), 3000)
    assert counts.var() == pytest.approx(1 - 1 / 77, rel=0.02)
    heads = tossed(np.eye(77), 3000)
    assert chisquare([heads.sum(), heads.size - heads.sum()]).pvalue > 0.001
    assert chisquare(heads.sum(axis=1), np.full(77, heads.sum() / 77)).pvalue > 0.001
    # Neighbouring coins do not know of one another.
    assert abs(np.corrcoef(heads[:-1].ravel(), heads[1:].ravel())[0, 1]) < 4 / np.sqrt(heads.size)


def test_nothing_in_nothing_out() -> None:
    for rows in (np.zeros((0, 3)), np.zeros((5, 0))):
        for sums in (resampled, tossed):
            assert sums(rows, 4).shape == (rows.shape[1], 4)
            assert not sums(rows, 4).any()
    assert resampled(np.ones((5, 2)), 0).shape == (2, 0)
