"""Power, errors of sign and of size, held against repeated experiments and plain formulas."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from scipy import integrate, stats

import tertium
from tertium.errors import InputError, OptionError
from tertium.inference import Detectability, detectability
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.support.corpora import corpus_of, systems_of

WER = parse_metric("wer")
WORDS = 20


def rows_of(errors: np.ndarray) -> Rows:
    """Rows of segments of twenty words with so many substitutions."""
    rows = np.zeros((*errors.shape, len(WER.columns)))
    rows[..., 0], rows[..., -1] = errors, WORDS
    return rows


def known(standard_error: float = 1.0) -> Detectability:
    """A standard error that is known."""
    rows = rows_of(np.random.default_rng(1).binomial(WORDS, 0.3, (2, 50)).astype(float))
    return replace(detectability(WER, *rows), standard_error=standard_error)


@pytest.mark.parametrize("distance", [0.1, 0.5, 1.0, 2.8, 5.0])
def test_errors_of_sign_and_size_are_their_integrals(distance: float) -> None:
    found, bound = known(2.0), stats.norm.ppf(0.975)
    density = stats.norm(loc=distance).pdf
    above = integrate.quad(density, bound, 40)[0]
    below = integrate.quad(density, -40, -bound)[0]
    size = (
        integrate.quad(lambda x: x * density(x), bound, 40)[0]
        - integrate.quad(lambda x: x * density(x), -40, -bound)[0]
    )
    difference = 2.0 * distance
    assert found.power_for(difference) == pytest.approx(above + below)
    assert found.sign_error_for(difference) == pytest.approx(below / (above + below), abs=1e-9)
    expected = size / (above + below) / distance
    assert found.exaggeration_for(difference) == pytest.approx(expected)
    assert found.exaggeration_for(-difference) == pytest.approx(expected)


def test_nothing_to_find() -> None:
    found = known()
    assert found.sign_error_for(0) == pytest.approx(0.5)
    assert found.exaggeration_for(0) == inf
    with pytest.raises(OptionError, match="difference: found 0"):
        found.units_for(0)
    sure = known(0.0)
    assert (sure.sign_error_for(1), sure.sign_error_for(0)) == (0.0, 0.5)
    assert sure.exaggeration_for(1) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("documents", [False, True])
def test_repeated_experiments(documents: bool) -> None:
    """What is foretold of power and exaggeration from one experiment is what happens in many."""
    rng = np.random.default_rng(3)
    count, size, experiments = 40, 5, 600
    labels = np.repeat(np.arange(count), size).tolist() if documents else None
    true = 2.0
    deltas, found, foretold = [], [], []
    for number in range(experiments):
        hard = rng.normal(0, 0.06 if documents else 0.0, (2, count))
        rates = np.clip(np.array([[0.30], [0.28]]) + hard, 0.01, 0.99)
        errors = rng.binomial(WORDS, np.repeat(rates, size, axis=1)).astype(float)
        rows = rows_of(errors)
        test = tertium.inference.paired_bootstrap(
            WER, *rows, documents=labels, trials=199, seed=number
        )
        deltas.append(test.delta)
        found.append(test.p_value <= 0.05)
        foretold.append(detectability(WER, *rows, documents=labels, trials=199, seed=number))
    sure = np.array(found)
    power = np.mean([one.power_for(true) for one in foretold])
    noise = 2 * np.sqrt(power * (1 - power) / experiments)
    assert sure.mean() == pytest.approx(power, abs=noise + 0.03)
    sizes = np.abs(np.array(deltas)[sure]).mean() / true
    expected = np.median([one.exaggeration_for(true) for one in foretold])
    assert sizes == pytest.approx(expected, rel=0.15)
    wrong = np.mean(np.array(deltas)[sure] > 0)
    assert wrong == pytest.approx(
        np.median([one.sign_error_for(true) for one in foretold]), abs=0.04
    )
    # A test set of the size needed has the power asked for.
    needed = int(np.median([one.units_for(true) for one in foretold]))
    assert needed > count


def test_all_pairs_and_metrics() -> None:
    texts = [f"a{i} b{i} c{i} d{i} e{i}" for i in range(30)]
    worse = [one.replace("c", "x") if i % 3 else one for i, one in enumerate(texts)]
    mixed = [one.replace("d", "x") if i % 2 else one for i, one in enumerate(texts)]
    made = tertium.power(corpus_of(texts), systems_of(texts, worse, mixed), ["bleu", "wer"])
    assert [(one.system, one.title) for one in made.pairs] == [
        ("new", "BLEU"),
        ("new", "WER"),
        ("third", "BLEU"),
        ("third", "WER"),
    ]
    for one in made.pairs:
        assert one.difference == one.known.delta
        assert one.units_needed == one.segments_needed
        assert one.power == pytest.approx(0.8) or (one.power > 0.8) == (
            abs(one.difference) > one.detectable
        )
    assumed = tertium.power(corpus_of(texts), systems_of(texts, worse), ["wer"], difference=1.5)
    assert [one.difference for one in assumed.pairs] == [1.5]
    assert assumed.assumed


def test_equal_systems_and_odd_options() -> None:
    texts = ["a b c", "d e f"]
    made = tertium.power(corpus_of(texts), systems_of(texts, texts), ["wer"])
    (one,) = made.pairs
    assert (one.units_needed, one.exaggeration, one.detectable) == (None, None, 0.0)
    assert made.warnings == ("2 segments are few: all of this is rough",)
    with pytest.raises(InputError, match="ref: found 1 segment, expected at least two"):
        tertium.power(corpus_of(["a"]), systems_of(["a"], ["b"]), ["wer"])
    for difference in (0.0, float("nan"), inf):
        with pytest.raises(OptionError, match="difference: found"):
            tertium.power(corpus_of(texts), systems_of(texts, texts), difference=difference)
    with pytest.raises(OptionError, match=r"alpha: found 0\.7"):
        tertium.power(corpus_of(texts), systems_of(texts, texts), alpha=0.7)
    with pytest.raises(OptionError, match=r"power: found 1\.5"):
        tertium.power(corpus_of(texts), systems_of(texts, texts), wanted=1.5)
