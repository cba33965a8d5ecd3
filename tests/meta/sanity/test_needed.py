"""How many ratings a verdict needs."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import Rating
from tertium.meta.ratings.rating_sets import Ratings, collect_ratings
from tertium.meta.sanity.needed import components, ratings_needed
from tests.support.meta.campaigns import Campaign


def two_systems(difference: float, *, segments: int = 400, paired: bool = True) -> Ratings:
    """Ratings whose difference has deviation √2 × 10 beside a large variance of segments."""
    rng = np.random.default_rng(7)
    level = rng.normal(0, 30, 2 * segments)
    noise = rng.normal(0, 10, (2, segments))
    noise -= noise.mean(axis=1, keepdims=True)
    rows = []
    for system, name in enumerate("AB"):
        for place in range(segments):
            segment = place if paired or not system else segments + place
            value = level[segment] + noise[system, place] + difference * (name == "A")
            rows.append(
                Rating(place="x:1", system=name, value=value, criterion="c", segment=segment)
            )
    return collect_ratings(rows, name="n", criterion="c", width=2 * segments)


def test_the_number_is_that_of_the_formula_and_is_enough() -> None:
    """(1.96 + 0.84)² σ² / Δ² for large numbers (Cohen 1988), and 80 % found when drawn."""
    needed = ratings_needed(two_systems(2.0), trials=2000)
    (one,) = needed.verdicts
    assert (one.better, one.worse, one.segments) == ("A", "B", 400)
    assert one.difference == pytest.approx(2.0)
    assert one.deviation == pytest.approx(10 * 2**0.5, rel=0.1)
    assert one.needed == pytest.approx((2.8016 * one.deviation / 2) ** 2, rel=0.02)
    assert one.reached == pytest.approx(0.8, abs=3 * (0.16 / 2000) ** 0.5)


@pytest.mark.slow
def test_few_ratings_are_enough_for_a_large_difference() -> None:
    """Student's t counts there, not the normal distribution."""
    (one,) = ratings_needed(two_systems(15.0), trials=4000).verdicts
    assert one.needed is not None
    assert 5 < one.needed < 15
    assert one.reached == pytest.approx(0.8, abs=0.05)


def test_other_segments_for_each_system_need_far_more() -> None:
    (same,) = ratings_needed(two_systems(5.0), trials=50).verdicts
    (other,) = ratings_needed(two_systems(5.0, paired=False), trials=50).verdicts
    assert other.segments == 0
    assert same.needed is not None
    assert other.needed is not None
    assert other.needed > 5 * same.needed


def test_no_difference_has_no_number() -> None:
    ratings = two_systems(0.0)
    flat = replace(ratings, value=np.ones_like(ratings.value))
    (one,) = ratings_needed(flat, trials=10).verdicts
    assert one.needed is None
    assert one.power == 0
    assert np.isnan(one.reached)
    assert one.to_dict()["reached"] is None


def test_more_power_needs_more_ratings() -> None:
    ratings = two_systems(3.0)
    sizes = [
        ratings_needed(ratings, power=power, trials=10).verdicts[0].needed or 0
        for power in (0.5, 0.8, 0.95)
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


@pytest.mark.slow
def test_components_are_those_of_the_simulation() -> None:
    """Systems 6, segments 8, judges 5 and √(8² + 6²) left, as deviations that the seeds blur."""
    parts = [components(Campaign(seed=seed, segments=120).ratings()) for seed in range(8)]
    found = {name: np.mean([getattr(one, name) for one in parts]) for name in ("segment", "rest")}
    assert found["segment"] == pytest.approx(64, rel=0.3)
    assert found["rest"] == pytest.approx(100, rel=0.25)


def test_neighbours_are_in_the_order_of_the_ratings() -> None:
    campaign = Campaign(seed=2).ratings()
    needed = ratings_needed(campaign, trials=20)
    assert len(needed.verdicts) == 4
    assert all(one.difference >= 0 for one in needed.verdicts)
    chain = [needed.verdicts[0].better, *(one.worse for one in needed.verdicts)]
    said = campaign.judgments()
    values = dict(zip(said.systems, said.values.tolist(), strict=True))
    assert chain == sorted(values, key=lambda name: -values[name])
    again = ratings_needed(campaign, trials=20)
    assert again.to_dict() == needed.to_dict()


def test_wrong_options() -> None:
    ratings = two_systems(1.0)
    with pytest.raises(OptionError, match="power"):
        ratings_needed(ratings, power=1)
    with pytest.raises(OptionError, match="trials"):
        ratings_needed(ratings, trials=0)
    rows = [Rating(place="x:1", system="A", value=1.0, criterion="c")]
    with pytest.raises(InputError, match="found 0 ratings of segments"):
        ratings_needed(collect_ratings(rows, name="n", criterion="c"))


# ---- documents ------------------------------------------------------------------------------


def in_documents(*, documents: int, segments: int, shared: float, difference: float) -> Ratings:
    """Two systems whose difference varies by ``shared`` from document to document, and by 1."""
    rng = np.random.default_rng(11)
    own = rng.normal(0, shared, documents)
    own -= own.mean()
    rows = []
    for segment in range(documents * segments):
        document = segment // segments
        for name, sign in (("A", 0.5), ("B", -0.5)):
            value = sign * (difference + own[document]) + rng.normal(0, 0.5**0.5)
            rows.append(
                Rating(
                    place="x:1",
                    system=name,
                    value=value,
                    criterion="c",
                    segment=segment,
                    document=f"d{document}",
                )
            )
    return collect_ratings(rows, name="n", criterion="c")


def test_documents_are_counted_with_their_design_effect() -> None:
    ratings = in_documents(documents=200, segments=9, shared=1.0, difference=0.4)
    needed = ratings_needed(ratings, trials=2000)
    (one,) = needed.verdicts
    assert needed.unit == "document"
    assert (one.documents, one.segments, one.ratings) == (200, 1800, 1800)
    # The variance of a document's mean is 1 + 1/9, of a segment's difference 1 + 1.
    assert one.deviation == pytest.approx((10 / 9) ** 0.5, rel=0.15)
    assert one.design_effect == pytest.approx(9 * (10 / 9) / 2, rel=0.2)
    assert one.needed_documents == pytest.approx((2.8016 * one.deviation / one.difference) ** 2, 2)
    assert one.needed is not None
    assert one.needed_documents is not None
    assert one.needed == 9 * one.needed_documents
    assert one.reached == pytest.approx(0.8, abs=0.05)
    (alone,) = ratings_needed(replace(ratings, documents=None), trials=50).verdicts
    assert alone.needed is not None
    assert one.needed > 3 * alone.needed
    assert (alone.documents, alone.needed_documents) == (0, None)
    assert one.to_dict()["design_effect"] == one.design_effect
    assert alone.to_dict()["design_effect"] is None


def test_documents_of_each_system_alone() -> None:
    ratings = in_documents(documents=40, segments=4, shared=0.5, difference=0.3)
    halves = (ratings.segment < 80) == (ratings.system == 0)
    some = replace(
        ratings,
        system=ratings.system[halves],
        segment=ratings.segment[halves],
        judge=ratings.judge[halves],
        value=ratings.value[halves],
    )
    (one,) = ratings_needed(some, trials=500).verdicts
    assert (one.documents, one.segments, one.ratings) == (20, 0, 80)
    assert one.needed_documents is not None
    assert one.reached == pytest.approx(0.8, abs=0.15)
