"""Deletion of single words: equal to brute force, found where it pays, silent where it cannot."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.audit.words import best_deletions, effects_of, row_changes, trials_of
from tests.oracles.audit import words as oracle
from tests.support.audit.cases import case_of, junk, reference, text
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.slow

LINE = st.lists(st.sampled_from("abcde"), min_size=1, max_size=6).map(" ".join)
PAIRS = st.lists(st.tuples(LINE, LINE), min_size=1, max_size=5)


@pytest.mark.parametrize(
    "metric", ["bleu[smoothing=add-k]", "bleu-sbp", "grr", "wer", "ter", "chrf"]
)
@given(pairs=PAIRS)
@settings(max_examples=25, deadline=None)
def test_deletions_are_those_of_brute_force(metric: str, pairs: list[tuple[str, str]]) -> None:
    outputs, references = ([pair[side] for pair in pairs] for side in (0, 1))
    corpus = corpus_of(references)
    case = case_of(corpus, named_systems(one=outputs), metric)
    trials = trials_of(case)
    changes = row_changes(case, trials)
    found = effects_of(case, trials, changes)

    def score(texts: list[str]) -> float:
        value = tertium.evaluate(corpus, named_systems(one=texts), [metric])["one"].scores[0].value
        return case.sign * value

    expected = oracle.effects(outputs, score)
    assert len(trials) == len(expected)
    assert found.tolist() == pytest.approx(list(expected.values()), abs=1e-9)
    chosen = best_deletions(case, trials, changes, 0)
    now = list(outputs)
    places = list(expected)
    for one in chosen:  # each is the best of its segment beside those before it, and a gain
        segment, word = places[one]
        options = [score(oracle.without(now, segment, k)) for k in range(len(now[segment].split()))]
        assert options[word] == pytest.approx(max(options), abs=1e-9)
        assert options[word] > score(now)
        now = oracle.without(now, segment, word)
    after = case.rows[0].sum(axis=0) + changes[chosen].sum(axis=0)
    assert case.sign * float(case.metric.score(after)) == pytest.approx(score(now), abs=1e-9)
    if len({round(one, 6) for one in expected.values()}) == len(expected):  # no ties: one way only
        assert [places[one] for one in chosen] == oracle.greedy(outputs, score)[0]


def test_match_counts_by_order() -> None:
    """They are BLEU's: matches clipped by the reference, counted here by hand."""
    output, wanted = "a x b c a b", "a b c d a b"
    case = case_of(corpus_of([wanted]), named_systems(one=[output]), "wer")
    trials = trials_of(case)
    expected = []
    for k in range(6):
        parts = output.split()
        shorter = parts[:k] + parts[k + 1 :]
        expected.append(
            [
                _matches(shorter, wanted.split(), n) - _matches(parts, wanted.split(), n)
                for n in (1, 2, 3, 4)
            ]
        )
    assert trials.matches.tolist() == expected
    assert expected[1] == [0, 1, 1, 0]  # without "x" its neighbours meet


def _matches(output: list[str], wanted: list[str], order: int) -> int:
    bags = [
        Counter(zip(*(one[i:] for i in range(order)), strict=False)) for one in (output, wanted)
    ]
    return (bags[0] & bags[1]).total()


def test_where_deletion_pays() -> None:
    """Every output repeats a word of the reference in a wrong place: without it more matches."""
    references = [reference(i, 12) for i in range(30)]
    outputs = [text(one[:4], [one[9]], one[4:]) for one in references]
    corpus, systems = corpus_of([text(one) for one in references]), named_systems(one=outputs)
    report = tertium.audit(corpus, systems, ["bleu", "grr"], only=["words"])
    assert [one.metric for one in report] == ["bleu", "grr"]
    for finding in report:
        system = finding.numbers["systems"]["one"]
        assert system["deleted"] == finding.numbers["segments_of_each_system"]
        assert system["score_without"] == pytest.approx(100)
        one, two, three, four = system["match_changes"]
        assert one == 0
        assert min(two, three, four) > 0
        assert finding.severity == "note"


def test_nothing_is_said_where_every_word_counts() -> None:
    """Output that is right, or right as far as it goes, can lose no word for nothing."""
    references = [reference(i, 10) for i in range(30)]
    corpus = corpus_of([text(one) for one in references])
    for length in (10, 7):
        systems = named_systems(one=[text(one[:length]) for one in references])
        metrics = ["bleu", "bleu-sbp", "grr", "wrr", "wer", "ter", "chrf"]
        assert not tertium.audit(corpus, systems, metrics, only=["words"]).findings


def test_words_to_spare_under_bleu() -> None:
    """In too long an output any word that is wrong can go, and no right one."""
    references = [reference(i, 10) for i in range(30)]
    outputs = [text(one, junk(2)) for one in references]
    corpus, systems = corpus_of([text(one) for one in references]), named_systems(one=outputs)
    (finding,) = tertium.audit(corpus, systems, ["bleu"], only=["words"])
    numbers = finding.numbers
    assert (numbers["with_gain"], numbers["right_without_loss"]) == (60, 0)
    assert (numbers["right"], numbers["tried"]) == (300, 360)
    assert numbers["match_changes"]["with_gain"] == [0, 0, 0, 0]
    assert numbers["systems"]["one"]["match_changes"] == [0, 0, 0, 0]


@pytest.mark.parametrize("outputs", [[""], ["a"], ["", "a b"], ["好的。", "吗"]])
def test_little_text(outputs: list[str]) -> None:
    corpus = corpus_of(["a b c"] * len(outputs))
    report = tertium.audit(corpus, named_systems(one=outputs), ["bleu", "chrf"], only=["words"])
    assert report.segments == len(outputs)


def test_the_sample_of_segments_shrinks_with_more_systems() -> None:
    references = [text(reference(i, 20)) for i in range(200)]
    counts = []
    for systems in (1, 8, 60):
        names = {f"s{k}": references for k in range(systems)}
        case = case_of(corpus_of(references), named_systems(**names), "wer")
        counts.append(trials_of(case).segments_of_system)
    assert counts == [80, 10, 3]
    assert all(a > b for a, b in pairwise(counts))
    assert np.unique(trials_of(case).systems).tolist() == list(range(60))
