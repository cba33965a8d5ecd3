"""One way to slice a corpus: labels and bands to segments, and sums over them."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError
from tertium.scored import LENGTHS, Bands, Slices, Slicing, scored
from tertium.scored.slices import numbered, sums_of
from tertium.text.corpus import Corpus, System


@pytest.mark.parametrize(
    ("number", "label"), [(0, "0–9"), (9.5, "0–9"), (10, "10–19"), (59, "50–59"), (1000, "60+")]
)
def test_a_band_begins_with_its_edge(number: float, label: str) -> None:
    assert LENGTHS.labels[int(LENGTHS.of(number))] == label


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=6, unique=True),
    st.lists(st.floats(0, 100) | st.just(inf), min_size=1),
)
def test_bands_partition_segments(edges: list[int], numbers: list[float]) -> None:
    bands = Bands(edges=tuple(sorted(edges)))
    slices = Slices.by_band(bands, numbers)
    places = slices.places
    assert [len(some) for some in places.values()] == list(slices.counts)
    assert sorted(np.concatenate(list(places.values())).tolist()) == list(range(len(numbers)))
    assert sum(bands.counts(numbers)) == len(numbers)
    assert len(set(bands.labels)) == len(bands)


@given(st.lists(st.sampled_from(["web", "news", ""]), min_size=1))
def test_labels_partition_segments(labels: list[str]) -> None:
    places = Slices.of(labels).places
    assert list(places) == sorted(places)
    assert sorted(np.concatenate(list(places.values())).tolist()) == list(range(len(labels)))
    assert all(labels[place] == label for label, some in places.items() for place in some)


@pytest.mark.parametrize("edges", [(), (3, 3), (5, 2), (0, 1)])
def test_edges_must_rise(edges: tuple[int, ...]) -> None:
    with pytest.raises(OptionError, match=r"band edges: found .*, expected numbers above 0"):
        Bands(edges=edges)


labels_and_rows = st.lists(
    st.tuples(st.sampled_from(["web", "news", "a\0", "a"]), st.integers(-50, 50)), min_size=1
)


@given(labels_and_rows)
def test_sums_are_those_of_each_label(given: list[tuple[str, int]]) -> None:
    labels = [label for label, _ in given]
    rows = np.array([[[value, 1.0] for _, value in given]] * 2)
    slices = Slices.of(labels)
    expected = [
        [sum(value for label, value in given if label == one), labels.count(one)]
        for one in slices.labels
    ]
    assert slices.sums(rows).tolist() == [expected, expected]
    assert slices.sums(rows[..., 1], axis=-1).tolist() == [list(slices.counts)] * 2


@given(st.lists(st.integers(0, 4) | st.none(), min_size=1))
def test_numbers_count_labels_as_they_come(labels: list[int | None]) -> None:
    names, places = numbered(labels)
    assert list(names) == list(dict.fromkeys(labels))
    assert [names[place] for place in places] == labels


def test_nothing_has_no_sums() -> None:
    assert Slices.of([]).sums(np.zeros((0, 3))).shape == (0, 3)
    assert sums_of(np.zeros((2, 0, 3)), np.zeros(0, np.intp)).shape == (2, 0, 3)


# ---- of a corpus ----------------------------------------------------------------------------

CORPUS = Corpus(
    references=["one two three", ["w " * 12, "w " * 26], "one", "two"],
    documents=["b", "a", "b", "b"],
    genres=["web"] * 4,
)
SYSTEMS = [System(name="same", hypotheses=["one two three", "w " * 12, "one", "2"])]


@pytest.mark.parametrize(
    ("by", "labels", "counts"),
    [
        ("genre", ("web",), (4,)),
        ("document", ("a", "b"), (1, 3)),
        ("length", ("0–9", "10–19"), (3, 1)),  # the mean of 12 and 26 is 19
    ],
)
def test_a_corpus_is_sliced_in_one_way(
    by: Slicing, labels: tuple[str, ...], counts: tuple[int, ...]
) -> None:
    whole = scored(CORPUS, SYSTEMS, ["wer"])
    slices = whole.slices(by)
    assert (slices.labels, slices.counts) == (labels, counts)
    assert set(whole.slicings) == {"document", "length"}  # one genre is no slicing
    evaluated = tertium.evaluate(CORPUS, SYSTEMS, ["wer"], by=by).systems[0].scores[0]
    assert tuple(evaluated.slices) == labels
    found = [one.value for one in evaluated.slices.values()]
    assert found == whole.metrics[0].score(slices.sums(whole.rows[0]))[0].tolist()


def test_labels_that_are_not_there() -> None:
    whole = scored(Corpus(references=["one two"]), [System(name="a", hypotheses=["one"])], ["wer"])
    assert whole.slicings == {}
    with pytest.raises(InputError, match="references: no document labels, expected a file"):
        whole.slices("document")
