"""Example sentences are those that make the difference of the corpus scores."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.compare import compare
from tertium.compare.sentences import effects
from tertium.metrics.contract.table import parse_metric
from tests.support.corpora import corpus_of, systems_of

LONG = " ".join(f"w{place}" for place in range(30))
REFERENCES = ["yes", LONG, *(f"a{i} b{i} c{i} d{i} e{i} f{i}" for i in range(10))]


@pytest.mark.parametrize("metric", ["bleu", "chrf", "wer", "ter", "nist"])
def test_a_line_of_one_word_is_no_example(metric: str) -> None:
    """The one word is all right or all wrong, the long line half right: its part is larger."""
    base = ["no", " ".join(["x", *LONG.split()[1:16], *["y"] * 14]), *REFERENCES[2:]]
    found = compare(
        corpus_of(REFERENCES), systems_of(base, REFERENCES), [metric], sections=["sentences"]
    ).sentences
    assert found is not None
    (first, second) = found[0].better
    assert (first.number, second.number) == (2, 1)
    assert abs(second.delta) >= abs(first.delta) or metric == "nist"  # as it was chosen before
    assert abs(first.effect) > 5 * abs(second.effect)


@pytest.mark.parametrize("metric", ["wer", "grr", "ter"])
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_parts_of_a_mean_add_up_to_the_difference(metric: str, data: st.DataObject) -> None:
    texts = st.lists(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(" ".join),
        min_size=6,
        max_size=6,
    )
    references, first, second = (data.draw(texts) for _ in range(3))
    bound = parse_metric(metric)
    rows = [bound.statistics(one, references) for one in (first, second)]
    scores = [float(bound.score(one.sum(axis=0))) for one in rows]
    assert effects(bound, *rows).sum() == pytest.approx(scores[1] - scores[0], abs=1e-9)


def test_a_part_is_what_swapping_the_segment_does() -> None:
    base = [text.replace("b", "x") for text in REFERENCES]
    new = [text.replace("c", "y") if i % 2 else text for i, text in enumerate(REFERENCES)]
    bleu = parse_metric("bleu")
    found = effects(
        bleu, bleu.statistics(base, REFERENCES), bleu.statistics(new, REFERENCES)
    ).tolist()

    def score(texts: list[str]) -> float:
        return tertium.score(texts, REFERENCES).value

    for place, effect in enumerate(found):
        into_base = [*base[:place], new[place], *base[place + 1 :]]
        into_new = [*new[:place], base[place], *new[place + 1 :]]
        expected = (score(into_base) - score(base) + score(new) - score(into_new)) / 2
        assert effect == pytest.approx(expected, abs=1e-9)


def test_equal_segments_have_no_part() -> None:
    bleu = parse_metric("bleu")
    rows = bleu.statistics(REFERENCES, REFERENCES)
    assert np.array_equal(effects(bleu, rows, rows), np.zeros(len(REFERENCES)))
