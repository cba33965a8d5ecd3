"""Where systems stand by ratings: order, clusters, and how little few ratings say."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from experiments.evidence.placebo import exchanged, line_drawn, read

from tertium.inference.corrections import holm
from tertium.inference.units import units_of
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.pair_tests import ClusteredMean, step_down_p_values
from tertium.meta.ratings.rating_sets import Ratings, collect_ratings
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
    assert {one.system for one in found.systems[:2]} == {"a", "b"}
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


# ---- documents ------------------------------------------------------------------------------


def in_documents(ratings: Ratings, labels: list[str]) -> Ratings:
    return replace(ratings, documents=tuple(labels))


def test_segments_of_one_document_are_no_new_evidence() -> None:
    """Ten documents whose every segment says the same are ten ratings, not a hundred."""
    rng = np.random.default_rng(2)
    first, second = rng.normal(2, 5, 10), rng.normal(0, 5, 10)
    alone = ratings({"a": list(first), "b": list(second)})
    copied = ratings({"a": list(first.repeat(10)), "b": list(second.repeat(10))})
    labels = [f"d{number}" for number in range(10) for _ in range(10)]
    by_documents = standings(in_documents(copied, labels))
    assert standings(copied)[1].cluster == 2
    assert by_documents[1].cluster == standings(alone)[1].cluster == 1
    assert by_documents[0].error == pytest.approx(standings(alone)[0].error)
    assert by_documents.basis is not None
    assert (by_documents.basis.unit, by_documents.basis.units) == ("document", 10)
    assert by_documents.basis.design_effect == pytest.approx(99 / 9)
    assert "tested over 10 documents (100 segments, 1 rater)" in str(by_documents.basis)
    assert "no documents are known" in str(standings(copied).basis)


def test_a_single_document_is_tested_by_its_segments() -> None:
    values = {"a": spread(80, 40, 1), "b": spread(20, 40, 2)}
    found = standings(in_documents(ratings(values), ["only"] * 40))
    assert found.basis is not None
    assert found.basis.unit == "segment"
    assert found[1].cluster == 2


def test_few_documents_can_still_be_told_apart() -> None:
    """Of four documents no exchange is rarer than 12.5 %; Student's t can say more."""
    values = {"a": spread(80, 40, 1), "b": spread(20, 40, 2)}
    labels = [f"d{number % 4}" for number in range(40)]
    assert standings(in_documents(ratings(values), labels))[1].cluster == 2


def test_documents_of_different_systems_are_compared_as_they_are() -> None:
    first: list[float | None] = [*spread(90, 20, 1), *[None] * 20]
    second: list[float | None] = [*[None] * 20, *spread(20, 20, 2)]
    labels = [f"d{number // 5}" for number in range(40)]
    found = standings(in_documents(ratings({"a": first, "b": second}), labels))
    assert [one.cluster for one in found] == [1, 2]


def test_variance_of_documents_of_one_size_is_that_of_their_means() -> None:
    values = np.random.default_rng(2).normal(2, 1, 40)
    units = units_of(40, [number // 5 for number in range(40)])
    mean = ClusteredMean.of(values, units)
    means = values.reshape(8, 5).mean(axis=1)
    assert mean.variance == pytest.approx(means.var(ddof=1) / 8)
    assert mean.freedom == pytest.approx(7)
    assert mean.segment_variance == pytest.approx(values.var(ddof=1) / 40)


def test_satterthwaite_of_unequal_documents_is_that_of_the_definition() -> None:
    """Bell & McCaffrey (2002): (Σλ)² / Σλ², λ the eigenvalues of GᵀG, G = (I − H)ᵀA₁X…"""
    sizes = [1, 2, 4, 9]
    total = sum(sizes)
    columns, start = [], 0
    residual = np.eye(total) - 1 / total
    for size in sizes:
        own = np.zeros(total)
        own[start : start + size] = (1 - size / total) ** -0.5
        columns.append(residual @ own / total)
        start += size
    lambdas = np.linalg.eigvalsh(np.stack(columns) @ np.stack(columns).T)
    labels = [place for place, size in enumerate(sizes) for _ in range(size)]
    mean = ClusteredMean.of(np.arange(total, dtype=float), units_of(total, labels))
    assert mean.freedom == pytest.approx(lambdas.sum() ** 2 / (lambdas**2).sum())


def test_one_difference_has_the_p_value_of_all_exchanges() -> None:
    values = np.random.default_rng(3).normal(0.5, 1, 30)
    difference = ClusteredMean.of(values, units_of(30, [number // 3 for number in range(30)]))
    totals = [abs(np.dot(signs, difference.sums)) for signs in product((1, -1), repeat=10)]
    expected = np.mean(np.array(totals) >= abs(difference.sums.sum()) - 1e-9)
    assert step_down_p_values([difference], trials=2000, seed=1)[0] == pytest.approx(expected)
    drawn = step_down_p_values([difference], trials=500, seed=1)[0]
    assert drawn == pytest.approx(expected, abs=4 * (expected / 500) ** 0.5)


def test_a_family_costs_less_than_holm_and_keeps_the_order() -> None:
    rng = np.random.default_rng(4)
    units = units_of(80, [number // 8 for number in range(80)])
    common = rng.normal(0, 1, 80)
    differences = [
        ClusteredMean.of(common + rng.normal(mean, 0.3, 80), units) for mean in (0.2, 0.8, 0.5)
    ]
    alone = [step_down_p_values([one], trials=1 << 10, seed=1)[0] for one in differences]
    family = step_down_p_values(differences, trials=1 << 10, seed=1)
    assert (family >= alone).all()
    assert (family <= holm(alone) + 1e-12).all()
    assert np.argsort(family, kind="stable").tolist() == [1, 2, 0]


def test_one_document_with_most_segments_decides_nothing_alone() -> None:
    """It is all of the difference, and half of all exchanges have it on the other side."""
    labels = [*["long"] * 60, *(f"d{number}" for number in range(12))]
    values = np.concatenate([np.full(60, 5.0), np.random.default_rng(5).normal(0, 1, 12)])
    difference = ClusteredMean.of(values, units_of(72, labels))
    assert step_down_p_values([difference], trials=1 << 13, seed=1)[0] > 0.2


# ---- raters ---------------------------------------------------------------------------------


def rated_by(
    judges: int, documents: int, *, likes: float, seed: int, crossed: bool = True
) -> Ratings:
    """Two systems in documents of four segments; each judge likes one of them better or less."""
    rng = np.random.default_rng(seed)
    liked = rng.normal(0, likes, judges)
    rows = []
    for segment in range(4 * documents):
        document = segment // 4
        judge = document % judges if crossed else document
        for system, sign in (("a", 1), ("b", -1)):
            value = sign * (0.5 + liked[judge % judges]) + rng.normal()
            rows.append(
                Rating(
                    place="",
                    system=system,
                    value=value,
                    criterion="da",
                    segment=segment,
                    judge=f"j{judge}",
                    document=f"d{document}",
                )
            )
    return collect_ratings(rows, name="x", criterion="da")


def test_raters_with_likes_of_their_own_make_a_difference_less_sure() -> None:
    basis = standings(rated_by(5, 60, likes=0.6, seed=1)).basis
    even = standings(rated_by(5, 60, likes=0.0, seed=1)).basis
    assert basis is not None
    assert even is not None
    assert basis.raters == even.raters == 5
    assert basis.rater_design_effect > 3 * basis.design_effect
    assert (even.different, even.different_with_raters) == (1, 1)
    assert (basis.different, basis.different_with_raters) == (1, 0)
    assert "would be so with other raters" in str(basis)


def test_a_rater_for_each_document_is_no_further_level() -> None:
    basis = standings(rated_by(5, 30, likes=0.6, seed=1, crossed=False)).basis
    assert basis is not None
    assert basis.raters == basis.units == 30
    assert basis.different_with_raters is None
    assert basis.to_dict()["rater_design_effect"] is None


# ---- size -----------------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("criterion", ["mqm", "da-sqm"])
def test_exchanged_documents_of_real_systems_draw_a_line_in_one_case_of_twenty(
    shared_data: Path, criterion: str
) -> None:
    """5 ± 2 % in the 400 repetitions of the docs; of 120 the bounds are binomial (99 %)."""
    given, rng = read(shared_data, criterion), np.random.default_rng(7)
    lines = {"document": 0, "segment": 0}
    for repetition in range(120):
        two = exchanged(given, rng, systems=2)
        for unit, some in (("document", two), ("segment", replace(two, documents=None))):
            lines[unit] += line_drawn(standings(some, trials=500, seed=repetition))
    assert 1 <= lines["document"] <= 13
    assert lines["segment"] > 13
