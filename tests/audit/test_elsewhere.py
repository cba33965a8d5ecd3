"""What holds for every mean of segments holds for scores from elsewhere, missing ones included.

With fixed weights such a mean cannot contradict itself by the sign test, nor reverse between slices
and the whole (Chiang et al. 2008, section 4.3). Weights are fixed as long as systems lack the same
scores; where each lacks others, a mean of what there is can reverse, and the audit says so.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tests.support.corpora import corpus_of, named_systems
from tests.support.effort import examples
from tests.support.means import MEAN

THEOREMS = ["sign-test", "reversal"]
numbers = st.integers(-50, 50).map(lambda one: repr(one / 8))


@given(data=st.data(), segments=st.integers(3, 30), count=st.integers(2, 4))
@settings(max_examples=examples(60), deadline=None)
def test_scores_from_elsewhere_are_never_accused(
    data: st.DataObject, segments: int, count: int
) -> None:

    def row_of(one: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
        return st.lists(one, min_size=segments, max_size=segments)

    missing = data.draw(row_of(st.booleans()))
    missing[0] = False  # a mean of nothing is no score
    rows = data.draw(st.lists(row_of(numbers), min_size=count, max_size=count))
    outputs = {
        f"s{place}": ["-" if gap else one for one, gap in zip(row, missing, strict=True)]
        for place, row in enumerate(rows)
    }
    labels = data.draw(row_of(st.sampled_from("xyz")))
    corpus = corpus_of(["x"] * segments, genres=labels)
    found = tertium.audit(corpus, named_systems(**outputs), [MEAN], only=THEOREMS)
    assert [one for one in found.findings if one.audit in THEOREMS] == []


def test_systems_that_lack_different_scores_can_reverse() -> None:
    """Ahead in both genres, and behind on the whole, as its scores are of the hard genre."""
    easy, hard = ["9", "9", "9", "9"], ["1", "1", "1", "1"]
    outputs = {
        "all": [*easy, *hard],
        "some": ["9.5", "-", "-", "-", *["1.5"] * 4],
    }
    corpus = corpus_of(["x"] * 8, genres=["easy"] * 4 + ["hard"] * 4)
    found = tertium.audit(corpus, named_systems(**outputs), [MEAN], only=["reversal"])
    assert [one.audit for one in found.findings] == ["reversal"]
