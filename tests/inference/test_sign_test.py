"""The sign test by substitution, and where it contradicts itself."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tertium.inference import substitution_sign_test
from tertium.inference.sign_test import Substitutions, substitutions
from tertium.metrics.contract.base import Rows
from tertium.metrics.contract.table import parse_metric
from tests.oracles import inference as oracle
from tests.support.effort import examples
from tests.support.strategies import joined, segment, sentences

BLEU = parse_metric("bleu")


@st.composite
def two_systems(draw: st.DrawFn) -> tuple[list[str], list[str], list[list[str]]]:
    """Two systems' hypotheses and one to three references a segment."""
    pairs = draw(st.lists(st.tuples(segment(min_words=1), sentences), min_size=1, max_size=8))
    baseline, references = joined([first for first, _ in pairs])
    return baseline, [" ".join(words) for _, words in pairs], references


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(two_systems(), st.sampled_from(["bleu", "bleu-sbp", "wer", "grr", "chrf", "per"]))
def test_effects_are_those_of_one_substitution_at_a_time(
    texts: tuple[list[str], list[str], list[list[str]]], name: str
) -> None:
    baseline, system, references = texts
    metric = parse_metric(name)
    host = metric.statistics(baseline, references)
    guest = metric.statistics(system, references)
    changes = oracle.substitution_effects(metric.score, host, guest)
    # What is not a change but rounding is 12 digits smaller.
    assume(all(change == 0 or abs(change) > 1e-6 or abs(change) < 1e-9 for change in changes))
    sign = 1 if metric.higher_is_better else -1
    expected = [0 if abs(change) < 1e-9 else int(np.sign(sign * change)) for change in changes]
    found, back = substitutions(metric, host, guest)
    assert back.effects.tolist() == substitutions(metric, guest, host)[0].effects.tolist()
    columns = (np.asfortranarray(one) for one in (host, guest))
    assert substitutions(metric, *columns)[0].effects.tolist() == expected
    assert found.effects.tolist() == expected
    better, worse = expected.count(1), expected.count(-1)
    assert (found.better, found.worse, found.equal) == (better, worse, expected.count(0))
    assert found.p_value == pytest.approx(oracle.binomial_p_value(better, worse))


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(
    two_systems(),
    st.sampled_from(["wer", "wrr", "per", "grr", "grr[alpha=-0.9,beta=1]", "grr[k=2]"]),
)
def test_decomposable_metrics_never_contradict_themselves(
    texts: tuple[list[str], list[str], list[list[str]]], name: str
) -> None:
    baseline, system, references = texts
    metric = parse_metric(name)
    found = substitution_sign_test(
        metric,
        metric.statistics(baseline, references),
        metric.statistics(system, references),
        level=0.01,  # so that the smallest majority is a verdict
    )
    assert (found.into_baseline.effects == -found.into_system.effects).all()
    assert not found.contradicts_itself


def bleu_rows(segments: int, length: int, matched: float) -> Rows:
    """Segments of a system whose reference has 20 words; a share of all n-grams match."""
    totals = [length - n for n in range(4)]
    row = [round(matched * total) for total in totals] + totals + [length, 20]
    return np.array([row] * segments, dtype=np.float64)


def test_bleu_contradicts_itself() -> None:
    # Section 3.1 of Chiang et al. (2008): one system is too long, the other too short. A short
    # segment costs nothing among long ones, and a long one is a gift among short ones.
    long, short = bleu_rows(50, 22, 0.50), bleu_rows(50, 19, 0.52)
    found = substitution_sign_test(BLEU, long, short)
    assert (found.into_baseline.better, found.into_system.better) == (50, 50)
    assert found.contradicts_itself
    assert found.contradicts_scores
    assert found.p_value == pytest.approx(2 * 0.5**50)
    assert "each system is significantly better than the other" in found.findings[0]
    assert "contradicts the scores" in found.findings[1]
    made = found.to_dict()
    assert made["contradicts_itself"] is True
    assert made["into_system"]["better"] == 50

    # The strict brevity penalty (section 4.2) looks at each segment's own length.
    strict = parse_metric("bleu-sbp")
    rows = [np.insert(rows, 10, np.minimum(rows[:, 8], 20), axis=1) for rows in (long, short)]
    assert len(strict.columns) == 11
    repaired = substitution_sign_test(strict, *rows)
    assert not repaired.contradicts_itself
    assert repaired.into_system.verdict == -repaired.into_baseline.verdict != 0


def test_a_plain_difference_has_no_findings() -> None:
    better, worse = bleu_rows(50, 20, 0.6), bleu_rows(50, 20, 0.5)
    for first, second, verdict in ((worse, better, 1), (better, worse, -1), (better, better, 0)):
        found = substitution_sign_test(BLEU, first, second)
        assert found.findings == ()
        assert (found.into_baseline.verdict, found.into_system.verdict) == (verdict, -verdict)
    assert found.p_value == 1
    assert found.into_baseline.equal == 50


@pytest.mark.parametrize(
    ("better", "worse", "p_value", "verdict"),
    [
        (0, 0, 1.0, 0),
        (5, 5, 1.0, 0),
        (8, 2, 2 * (1 + 10 + 45) / 2**10, 0),
        (9, 1, 2 * (1 + 10) / 2**10, 1),
        (1, 9, 2 * (1 + 10) / 2**10, -1),
        (60, 40, oracle.binomial_p_value(60, 40), 0),
        (61, 39, oracle.binomial_p_value(61, 39), 1),
    ],
)
def test_binomial(better: int, worse: int, p_value: float, verdict: int) -> None:
    effects = np.array([1] * better + [-1] * worse + [0] * 3, dtype=np.int8)
    found = Substitutions(effects=effects, level=0.95)
    assert found.p_value == pytest.approx(p_value)
    assert found.verdict == verdict
