"""N-grams and words that one system has right and another has not, and their frequencies."""

from collections import Counter
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.compare import Bands, log_odds
from tertium.compare.differences import gram_differences
from tertium.compare.frequency import FREQUENCIES, frequency_table
from tertium.compare.grams import grams_of
from tertium.compare.lengths import RATIOS
from tertium.scored import LENGTHS
from tertium.text.references import AnyReferences
from tests.support.comparisons import BASE, NEW, REFERENCES, cut_of, shown
from tests.support.strategies import corpora, joined, words

# ---- bands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bands", "labels"),
    [
        (LENGTHS, "0–9 10–19 20–29 30–39 40–49 50–59 60+"),
        (FREQUENCIES, "0 1 2 3 4 5–9 10–99 100–999 1000+"),
        (RATIOS, "<0.5 0.5–0.8 0.8–0.95 0.95–1.05 1.05–1.25 1.25–2 2+"),
    ],
)
def test_band_labels(bands: Bands, labels: str) -> None:
    assert bands.labels == tuple(labels.split())


# ---- n-grams and words ----------------------------------------------------------------------

counts = st.integers(0, 10_000)
priors = st.floats(0.01, 100)


@given(counts, counts, priors)
def test_log_odds_are_antisymmetric(gained: int, lost: int, prior: float) -> None:
    assert log_odds(gained, lost, prior) == pytest.approx(-log_odds(lost, gained, prior))


@given(counts, counts, priors)
def test_log_odds_rise_with_evidence_and_shrink_with_the_prior(
    gained: int, lost: int, prior: float
) -> None:
    assert log_odds(gained + 1, lost, prior) > log_odds(gained, lost, prior)
    assert abs(log_odds(gained, lost, 2 * prior)) <= abs(log_odds(gained, lost, prior))


def test_words_that_only_one_has_right() -> None:
    (found,) = gram_differences(cut_of(REFERENCES, BASE, NEW), range(1, 2))
    assert (found.system, found.baseline) == ("new", "base")
    assert shown(found.gained) == [("sat", 2, 0)]  # 'hound' is in no reference
    assert shown(found.lost) == [("dog", 0, 1)]
    assert found.gained[0].log_odds == pytest.approx(log(7 / 5))
    assert found.lost[0].log_odds == pytest.approx(log(5 / 6))


def test_an_ngram_inside_a_longer_one_with_the_same_counts_is_left_out() -> None:
    (found,) = gram_differences(cut_of(REFERENCES, BASE, NEW), range(2, 5))
    # 'cat sat' was seen once more than each of the longer ones, so it stays.
    assert shown(found.gained) == [("cat sat", 2, 0), ("a cat sat", 1, 0), ("the cat sat", 1, 0)]
    assert shown(found.lost) == [("the dog ran", 0, 1)]


@pytest.mark.parametrize(
    ("references", "base", "new", "gained", "lost"),
    [
        # Clipped: the second 'the' is not right.
        (["the cat"], ["a cat"], ["the the"], [("the", 1, 0)], [("cat", 0, 1)]),
        # What either reference has is right, as often as one of them has it.
        ([["the cat", "a cat cat"]], ["cat"], ["the cat cat"], [("cat", 1, 0), ("the", 1, 0)], []),
        # Gains and losses of one word meet.
        (["x", "x", "x y"], ["", "x", "y"], ["x", "", "x"], [("x", 2, 1)], [("y", 0, 1)]),
        (["x", "x"], ["x", ""], ["", "x"], [], []),  # one each: no difference
    ],
)
def test_what_counts_as_right(
    references: AnyReferences,
    base: list[str],
    new: list[str],
    gained: list[tuple[str, int, int]],
    lost: list[tuple[str, int, int]],
) -> None:
    (found,) = gram_differences(cut_of(references, base, new), range(1, 2))
    assert (shown(found.gained), shown(found.lost)) == (gained, lost)


@given(corpora, st.data())
def test_what_one_gains_the_other_loses(
    segments: list[tuple[list[str], list[list[str]]]], data: st.DataObject
) -> None:
    new, references = joined(segments)
    base = [" ".join(data.draw(st.lists(words, max_size=8))) for _ in new]
    (there,) = gram_differences(cut_of(references, base, new), range(1, 4), top=100)
    (back,) = gram_differences(cut_of(references, new, base), range(1, 4), top=100)
    assert shown(there.gained) == [(text, g, b) for text, b, g in shown(back.lost)]
    assert shown(there.lost) == [(text, g, b) for text, b, g in shown(back.gained)]
    for one in (*there.gained, *there.lost):
        assert one.log_odds == pytest.approx(log_odds(one.gained, one.lost))


@given(st.lists(words, max_size=8), st.integers(1, 4))
def test_grams_are_all_stretches(text: list[str], order: int) -> None:
    expected = [tuple(text[i : i + order]) for i in range(len(text) - order + 1)]
    assert grams_of(text, range(order, order + 1)) == Counter(expected)


# ---- frequency ------------------------------------------------------------------------------


def test_accuracy_by_frequency_in_the_references() -> None:
    table = frequency_table(cut_of(["a a b", "a c"], ["a b x", "c c"], ["", ""]))
    assert table.source == "references"
    rows = {
        band.label: [(one.right, one.produced, one.expected) for one in band.accuracies]
        for band in table.bands
    }
    # a occurs 3 times, b and c once, x never.
    assert rows == {
        "0": [(0, 1, 0), (0, 0, 0)],
        "1": [(2, 3, 2), (0, 0, 2)],
        "3": [(1, 1, 3), (0, 0, 3)],
    }
    once = table.bands[1].accuracies[0]
    assert once.precision == pytest.approx(200 / 3)
    assert (once.recall, once.f1) == (100, 80)
    nothing = table.bands[0].accuracies[1]
    assert (nothing.precision, nothing.recall, nothing.f1) == (None, None, None)


def test_accuracy_by_frequency_in_training() -> None:
    cut = cut_of(["a a b", "a c"], ["a b x", "c c"], ["", ""])
    training = cut.cutter.frequencies(["b b b b b", "x b", "c, a?"])
    assert training == {"b": 6, "x": 1, "c": 1, "a": 1, ",": 1, "?": 1}
    table = frequency_table(cut, training)
    assert table.source == "training"
    rows = [(one.label, one.expected, one.accuracies[0].produced) for one in table.bands]
    assert rows == [("1", 4, 4), ("5–9", 1, 1)]


@given(corpora)
def test_frequency_bands_partition_words(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    hypotheses, references = joined(segments)
    cut = cut_of(references, hypotheses, hypotheses[::-1])
    table = frequency_table(cut)
    for number, system in enumerate(cut.systems):
        produced = sum(band.accuracies[number].produced for band in table.bands)
        assert produced == sum(map(len, system))
        for one in (band.accuracies[number] for band in table.bands):
            assert one.right <= min(one.produced, one.expected)
