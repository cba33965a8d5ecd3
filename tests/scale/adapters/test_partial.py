"""Batches added up are one sum over all rows, to the last bit, however the rows are cut."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.arrow import Pairs
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.metrics.contract.table import parse_metric
from tertium.scale.adapters.adapter import Partial, schema, total_score
from tertium.text.references import AnyReferences, Hypotheses
from tests.support.effort import examples

pa = pytest.importorskip("pyarrow", reason="batches of Arrow need pyarrow")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers(Metric):
    """The numbers that hypotheses are made of."""

    name: ClassVar[str] = "numbers"
    title: ClassVar[str] = "numbers"
    summary: ClassVar[str] = "numbers"
    citation: ClassVar[str] = "none"
    width: int = 3

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"number_{n}" for n in range(self.width))

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts = [hypotheses[place] for place in range(len(hypotheses))]
        rows = [[float(word) for word in str(text).split()] for text in texts]
        return np.array(rows, np.float64).reshape(-1, self.width)

    def score(self, rows: Rows) -> Scores:
        total: Scores = rows.sum(axis=-1)
        return total


NUMBER = st.one_of(
    st.integers(0, 50).map(float),
    st.integers(0, 50).map(lambda whole: whole / 4),
    st.floats(0, 1e6),
    st.just(1 / 3),
)


def batches(rows: list[list[float]], cuts: list[int]) -> Iterator[Callable[[], Pairs]]:
    texts = pa.array([" ".join(map(repr, row)) for row in rows], pa.string())
    places = [0, *sorted(cuts), len(rows)]
    for begin, end in pairwise(places):
        some = texts.slice(begin, end - begin)
        yield partial(Pairs.of, some, some)


@given(data=st.data(), width=st.integers(1, 4))
@settings(max_examples=examples(150), deadline=None)
def test_any_cuts_give_the_bits_of_one_sum(data: st.DataObject, width: int) -> None:
    row = st.lists(NUMBER, min_size=width, max_size=width)
    rows = data.draw(st.lists(row, min_size=1, max_size=60))
    cuts = data.draw(st.lists(st.integers(0, len(rows)), max_size=6))
    metric = Numbers(width=width)
    asked = []

    def partials(keep: bool) -> Iterator[Partial]:
        asked.append(keep)
        for pairs in batches(rows, cuts):
            found = Partial.of(pairs, metric, keep=keep)
            carried = found.table(pa).to_pylist()[0]  # as an engine brings it
            assert Partial.read(carried) == found
            yield found

    found = total_score(metric, partials)
    expected = np.array(rows).sum(axis=0)
    assert found.statistics.tolist() == expected.tolist()
    assert asked in ([False], [False, True], [True])


def test_rows_are_kept_only_where_their_order_matters() -> None:
    metric = Numbers()

    def kept(*rows: list[float], keep: bool = False) -> bool:
        (pairs,) = batches([*rows], [])
        return Partial.of(pairs, metric, keep=keep).rows is not None

    assert not kept([1.0, 2.0, 3.0], [0.5, 0.25, 1e9])
    assert kept([1.0, 2.0, 3.0], keep=True)
    assert kept([1.0, 2.0, 1 / 3])
    assert kept([1.0, -2.0, 3.0])
    assert kept([float("nan"), 0.0, 0.0])


def test_whole_numbers_too_large_to_add_in_any_order() -> None:
    large = 2.0**52
    rows = [[large, 1.0, 1.0], [large + 1, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    asked = []

    def partials(keep: bool) -> Iterator[Partial]:
        asked.append(keep)
        for pairs in batches(rows, [1, 2]):
            yield Partial.of(pairs, Numbers(), keep=keep)

    found = total_score(Numbers(), partials)
    assert found.statistics.tolist() == np.array(rows).sum(axis=0).tolist()
    assert asked == [False, True]


def test_counts_of_references() -> None:
    one, two = pa.array([["a"], ["b"]]), pa.array([["a", "b"], ["a", "c"]])
    texts, metric = pa.array(["a", "b"]), parse_metric("bleu")

    def count(*columns: Any) -> str:
        return total_score(
            metric,
            lambda _: (Partial.of(partial(Pairs.of, texts, one), metric) for one in columns),
        ).references

    assert (count(one, one), count(two), count(one, two)) == ("1", "2", "var")


def test_an_error_of_a_batch_is_that_of_the_whole() -> None:
    numbers = pa.array([1, 2])
    found = Partial.of(lambda: Pairs.of(numbers, numbers), parse_metric("bleu"))
    with pytest.raises(InputError, match=r"^hypotheses: found a column of Arrow's format 'l', exp"):
        total_score(parse_metric("bleu"), lambda _: [found])
    with pytest.raises(InputError, match=r"^hypotheses: found a column of Arrow's format 'l', exp"):
        total_score(Numbers(width=1), lambda _: [found])
    assert found.table(pa).schema == schema(pa)
