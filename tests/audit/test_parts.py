"""The parts of audits: curves, paid words, deciding segments, permutations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.audit.deletion import deletions, resamples
from tertium.audit.fragile import deciding_segments
from tertium.audit.licence import paid_words
from tertium.audit.permutation import Trial, log10_orders, pieces, scores_no_less
from tertium.inference.units import units_of
from tertium.metrics.contract.table import parse_metric
from tests.support.audit.cases import case_of, junk, reference, text
from tests.support.corpora import corpus_of, named_systems


def test_deletion_curve_is_the_score_of_blanked_text() -> None:
    metric = parse_metric("bleu")
    references = [text(reference(i, 9)) for i in range(12)]
    outputs = [text(reference(i, 9)[: i % 9 + 1], junk(4)) for i in range(12)]
    rows = metric.statistics(outputs, references)
    empty = metric.statistics([""] * 12, references)
    counts = np.array([len(one.split()) for one in outputs], dtype=float)
    result = deletions(
        metric,
        rows,
        empty,
        counts,
        draws=resamples(units_of(12, None), seed=3, alpha=0.05),
        alpha=0.05,
    )
    assert len(set(result.order.tolist())) == len(result.order) == len(result.scores) - 1
    for blanked in range(len(result.scores)):
        gone = set(result.order[:blanked].tolist())
        left = ["" if i in gone else one for i, one in enumerate(outputs)]
        assert result.scores[blanked] == pytest.approx(tertium.score(left, references).value)
    steps = np.diff(result.scores[: result.free + 1])
    assert (steps >= -1e-9).all()


@given(lengths=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=12))
def test_paid_words_are_those_that_the_strict_penalty_adds(lengths: list[tuple[int, int]]) -> None:
    outputs, targets = np.array(lengths, dtype=float).T
    covered = sum(min(c, r) for c, r in lengths)
    expected = min(outputs.sum(), targets.sum()) - covered
    assert paid_words(outputs, targets) == pytest.approx(expected)


def test_segments_that_decide_a_lead() -> None:
    metric = parse_metric("wer")
    references = ["a b c d"] * 30
    better = metric.statistics(["a b c d"] * 2 + ["a b c x"] * 28, references)
    worse = metric.statistics(["a b c x"] * 30, references)
    assert deciding_segments(metric, better, worse, most=4) == [0, 1]
    assert deciding_segments(metric, better, worse, most=1) is None


# LING83600, section 5: swapping n-grams between two non-matching regions has no effect on BLEU.
DOG = "the dog bit the mailman"
SNAPPED, NIPPED = "the dog snapped at the mailman", "the mailman nipped at the dog"


def test_the_dog_and_the_mailman() -> None:
    cut = pieces(SNAPPED.split(), [DOG.split()])
    assert cut == [["the", "dog"], ["snapped"], ["at"], ["the", "mailman"]]
    assert round(10 ** log10_orders(len(cut))) == math.factorial(4)
    swapped = " ".join(word for place in (3, 1, 2, 0) for word in cut[place])
    assert swapped == NIPPED.replace("nipped", "snapped")
    assert tertium.score([NIPPED], [DOG]).value == tertium.score([SNAPPED], [DOG]).value
    trial = [Trial(system=0, segment=0, text=swapped)]
    for metric, passes in (("bleu", True), ("grr", False), ("wer", False)):
        case = case_of(corpus_of([DOG]), named_systems(one=[SNAPPED]), metric)
        assert scores_no_less(case, trial).tolist() == [passes]


def test_an_example_of_a_permutation_scores_no_less() -> None:
    references = [text(reference(i, 30)) for i in range(5)]
    outputs = [text(*(reference(i, 30)[k : k + 2] for k in range(0, 30, 3))) for i in range(5)]
    corpus, systems = corpus_of(references), named_systems(one=outputs)
    (finding,) = tertium.audit(corpus, systems, ["bleu"], only=["permutation"])
    assert finding.severity == "note"  # it is a fact about BLEU
    segment = finding.numbers["segment"] - 1
    other = [*outputs[:segment], finding.numbers["permuted"], *outputs[segment + 1 :]]
    assert other[segment] != outputs[segment]
    assert sorted(other[segment].split()) == sorted(outputs[segment].split())
    assert tertium.score(other, references).value >= tertium.score(outputs, references).value
    assert finding.numbers["median_log10_orders"] == pytest.approx(log10_orders(10))
    assert not tertium.audit(corpus, systems, ["wer"], only=["permutation"])
