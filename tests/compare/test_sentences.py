"""Example sentences, and the words in them that are right."""

from collections import Counter

import pytest
from hypothesis import given

import tertium
from tertium.compare import Marked, compare
from tertium.compare.sentences import marked, right_words
from tertium.metrics.contract.table import parse_metric
from tests.support.corpora import corpus_of, systems_of
from tests.support.strategies import corpora


@pytest.mark.parametrize(
    ("hypothesis", "references", "right"),
    [
        ("the cat", ["the cat"], "11"),
        ("the the cat", ["the cat"], "011"),  # the one in the right company
        ("the cat saw the dog", ["the dog"], "00011"),
        ("cat the", ["the cat"], "11"),
        ("a b c", ["a x", "y c"], "101"),
        ("a a a", ["a a", "a"], "110"),
        ("", ["a"], ""),
        ("a", [""], "0"),
        (" ".join("abcdefghijklmnop"), [" ".join("abcdefghijklmnop")], "1" * 16),
    ],
)
def test_right_words(hypothesis: str, references: list[str], right: str) -> None:
    found = right_words(hypothesis.split(), [one.split() for one in references])
    assert "".join("01"[one] for one in found) == right


@given(corpora)
def test_as_many_words_are_marked_as_match(
    segments: list[tuple[list[str], list[list[str]]]],
) -> None:
    for hypothesis, references in segments:
        union: Counter[str] = Counter()
        for reference in references:
            union |= Counter(reference)
        matches = (Counter(hypothesis) & union).total()
        assert sum(right_words(hypothesis, references)) == matches


@pytest.mark.parametrize(
    ("text", "tokens", "right", "fold", "bracketed"),
    [
        ("Hello, world.", "Hello , world .", "1101", False, "[Hello,] world[.]"),
        ("A Cat", "a cat", "01", True, "A [Cat]"),
        ("say &quot;no&quot;", 'say " no "', "0110", False, 'say [" no] "'),  # not as written
        ("İ am", "i̇ am", "01", True, "i̇ [am]"),  # lower-casing made it longer
        ("", "", "", False, ""),
        ("a a", "a a", "01", False, "a [a]"),
    ],
)
def test_right_words_are_found_in_the_text(
    text: str, tokens: str, right: str, fold: bool, bracketed: str
) -> None:
    flags = [one == "1" for one in right]
    assert marked(text, tokens.split(), flags, fold=fold).bracketed == bracketed


def test_spans_are_code_points() -> None:
    assert marked("ein süßer Kater", ["ein", "süßer", "Kater"], [False, True, True]) == Marked(
        text="ein süßer Kater", spans=((4, 15),)
    )


@pytest.mark.parametrize("metric", ["wer", "per", "chrf"])
def test_sentences_with_the_largest_difference_both_ways(metric: str) -> None:
    references = ["a b c d"] * 5
    base = ["a b c d", "a b x y", "x y z w", "a b c d", "a b c x"]
    new = ["a b x y", "a b c d", "a b c d", "a b c d", "a b c d"]
    compared = compare(corpus_of(references), systems_of(base, new), [metric], top=2)
    assert compared.sentences is not None
    (found,) = compared.sentences
    assert [one.number for one in found.better] == [3, 2]
    assert [one.number for one in found.worse] == [1]  # equal segments are neither
    first = found.better[0]
    assert first.references == ("a b c d",)
    assert (first.baseline.bracketed, first.system.bracketed) == ("x y z w", "[a b c d]")
    scores = parse_metric(metric).for_segments()
    expected = [tertium.score([text[2]], ["a b c d"], scores).value for text in (base, new)]
    assert [first.baseline_score, first.system_score] == pytest.approx(expected)
