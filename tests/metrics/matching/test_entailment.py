"""Entailment features: by hand, the formula, weights, and that they can be fitted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.matching.entailment import FEATURES, EntailmentFeatures, text_facts
from tests.oracles.matching import entailment as oracle

REFERENCE = "The bank did not lend 1,000 euros to Ann ."


@pytest.mark.parametrize(
    ("hypothesis", "expected"),
    [
        # omitted, added, numbers, negation, modality, names; the reference has nine words
        (REFERENCE, [0, 0, 0, 0, 0, 0]),
        ("the bank did not lend 1000 euros to Ann", [0, 0, 0, 0, 0, 0]),
        ("The bank did lend 1,000 euros to Ann .", [1 / 9, 0, 0, 1, 0, 0]),
        ("The bank didn't lend 1,000 euros to Ann .", [2 / 9, 1 / 8, 0, 0, 0, 0]),
        ("The bank did not lend 100 euros to Ann .", [1 / 9, 1 / 9, 1, 0, 0, 0]),
        ("The bank did not lend 1,000 euros to Bob .", [1 / 9, 1 / 9, 0, 0, 0, 1]),
        ("The bank might not lend 1,000 euros to Ann .", [1 / 9, 1 / 9, 0, 0, 1, 0]),
        ("Ann has to pay the bank 1,000 euros", [3 / 9, 2 / 8, 0, 1, 1, 1]),
    ],
)
def test_features_by_hand(hypothesis: str, expected: list[float]) -> None:
    metric = EntailmentFeatures()
    (row,) = metric.statistics([hypothesis], [REFERENCE])
    np.testing.assert_allclose(row, [*expected, 1])
    weights = [0.5, 0.5, 0.1, 0.1, 0.1, 0.1]
    assert metric.score(row) == pytest.approx(100 * max(0, 1 - float(np.dot(weights, expected))))


WORDS = ("the", "bank", "not", "never", "7", "80", "can", "could", "must", "may")
NEGATIONS = {"not", "never"}
MODALS = {"can": "ability", "could": "ability", "must": "obligation", "may": "possibility"}
sentences = st.lists(st.sampled_from(WORDS), max_size=7)


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_equals_the_formula(segments: list[tuple[list[str], list[str]]]) -> None:
    metric = EntailmentFeatures()
    rows = metric.statistics(
        [" ".join(ours) for ours, _ in segments], [" ".join(theirs) for _, theirs in segments]
    )
    expected = [oracle.features(*pair, NEGATIONS, MODALS) for pair in segments]
    np.testing.assert_allclose(rows, expected)
    total = np.sum(expected, axis=0)
    means = total[:-1] / total[-1] if total[-1] else np.zeros(6)
    score = 100 * max(0, 1 - float(np.dot([0.5, 0.5, 0.1, 0.1, 0.1, 0.1], means)))
    assert metric.score(rows.sum(axis=0)) == pytest.approx(score)


def test_the_reference_with_the_best_score_counts() -> None:
    metric = EntailmentFeatures()
    (row,) = metric.statistics(["a dog"], [["a cat and a mouse", "a dog"]])
    assert metric.score(row) == 100


@pytest.mark.parametrize(
    ("text", "names", "modalities"),
    [
        ("I think Ann Lee and I may go", ["ann", "lee"], ["possibility"]),
        ("We have to and will", [], ["future", "obligation"]),
        ("Nothing happened", [], []),
    ],
)
def test_facts_of_a_text(text: str, names: list[str], modalities: list[str]) -> None:
    facts = text_facts(text.split())
    assert sorted(facts.names) == names
    assert sorted(facts.modalities) == modalities
    assert facts.negated == ("Nothing" in text)


def test_weights_are_free_parameters() -> None:
    metric = parse_metric("entailment[omitted=1,negation=0.25]")
    np.testing.assert_array_equal(metric.parameters(), [1, 0.5, 0.1, 0.25, 0.1, 0.1])
    assert len(FEATURES) == len(metric.parameters())
    with pytest.raises(OptionError, match=r"found names=-1.*expected a number from 0"):
        EntailmentFeatures(names=-1)
