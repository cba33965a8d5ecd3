"""Where systems stand by ratings: order, clusters, and how little few ratings say."""

import numpy as np
import pytest

from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.many_judges import Ratings, collect_ratings
from tertium.meta.ratings.standing import standings


def ratings(values: dict[str, list[float | None]], judges: int = 1) -> Ratings:
    rows = [
        Rating(place="", system=system, value=value, criterion="da", segment=at, judge=f"j{judge}")
        for system, some in values.items()
        for at, value in enumerate(some)
        for judge in range(judges)
        if value is not None
    ]
    return collect_ratings(rows, name="x", criterion="da")


def spread(mean: float, size: int, seed: int) -> list[float | None]:
    return list(np.random.default_rng(seed).normal(mean, 5, size))


def test_clear_differences_make_clusters() -> None:
    found = standings(
        ratings({"c": spread(20, 40, 1), "a": spread(80, 40, 2), "b": spread(80.1, 40, 3)})
    )
    assert {one.system for one in found[:2]} == {"a", "b"}
    assert [one.cluster for one in found] == [1, 1, 2]
    assert [(one.best, one.worst) for one in found] == [(1, 2), (1, 2), (3, 3)]
    assert found[2].segments == found[2].ratings == 40
    assert found[2].error == pytest.approx(5 / 40**0.5, rel=0.4)


def test_few_ratings_tell_nothing_apart() -> None:
    found = standings(ratings({"a": [90.0, 80.0], "b": [10.0, 20.0]}))
    assert [one.system for one in found] == ["a", "b"]
    assert {one.cluster for one in found} == {1}
    assert [(one.best, one.worst) for one in found] == [(1, 2), (1, 2)]


def test_systems_that_share_no_segment_are_compared_as_they_are() -> None:
    first: list[float | None] = [*spread(90, 20, 1), *[None] * 20]
    second: list[float | None] = [*[None] * 20, *spread(20, 20, 2)]
    assert [one.cluster for one in standings(ratings({"a": first, "b": second}))] == [1, 2]
    one: list[float | None] = [50.0, None]
    other: list[float | None] = [None, 60.0]
    found = standings(ratings({"a": one, "b": other}))
    assert [each.cluster for each in found] == [1, 1]
    assert np.isnan(found[0].error)
    assert found[0].to_dict()["error"] is None


def test_a_rating_by_many_counts_once_for_its_segment() -> None:
    values = {"a": spread(50, 10, 1), "b": spread(55, 10, 2)}
    alone, many = standings(ratings(values)), standings(ratings(values, judges=5))
    assert [one.value for one in alone] == pytest.approx([one.value for one in many])
    assert [one.ratings for one in many] == [50, 50]
    assert [one.cluster for one in alone] == [one.cluster for one in many]


def test_equal_systems_are_rarely_told_apart() -> None:
    """At a level of 5 %, about one test in twenty finds what is not there."""
    wrong = 0
    for seed in range(100):
        values = {"a": spread(50, 15, 2 * seed), "b": spread(50, 15, 2 * seed + 1)}
        wrong += standings(ratings(values), trials=200)[1].cluster == 2
    assert wrong <= 12
