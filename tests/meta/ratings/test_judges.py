"""Judges: agreement beyond chance, z-scores, and what they leave out."""

import math
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.entries import Ranking, Rating
from tertium.meta.ratings.judge_agreement import SCALES, Scale, krippendorff_alpha, wmt_kappa
from tertium.meta.ratings.judges import judge_report, standardized
from tertium.meta.ratings.judgments import Comparisons
from tertium.meta.ratings.rating_sets import Ratings, collect_rankings, collect_ratings
from tests.oracles import judges as oracle

RELIABILITY: list[list[float | None]] = [  # the four coders of Krippendorff's own example, by unit
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def flat(table: list[list[float | None]]) -> tuple[np.ndarray, np.ndarray]:
    cells = [(unit, value) for row in table for unit, value in enumerate(row) if value is not None]
    units, values = zip(*cells, strict=True)
    return np.array(units), np.array(values, dtype=float)


# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C and D.
@pytest.mark.parametrize(
    ("scale", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_example(scale: Scale, expected: float) -> None:
    assert krippendorff_alpha(*flat(RELIABILITY), scale) == pytest.approx(expected, abs=0.0006)


tables = st.lists(
    st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=6, max_size=6),
    min_size=2,
    max_size=4,
)


@given(tables, st.sampled_from(SCALES))
def test_alpha_is_that_of_the_oracle_and_of_the_package(
    table: list[list[float | None]], scale: Scale
) -> None:
    columns = [[one for one in unit if one is not None] for unit in zip(*table, strict=True)]
    pairable = [value for column in columns if len(column) > 1 for value in column]
    assume(len(set(pairable)) > 1)
    found = krippendorff_alpha(*flat(table), scale)
    assert found == pytest.approx(oracle.krippendorff_alpha(columns, scale), abs=1e-9)
    data = [[math.nan if one is None else one for one in row] for row in table]
    package = krippendorff.alpha(reliability_data=data, level_of_measurement=scale)
    assert found == pytest.approx(package, abs=1e-9)


def test_alpha_says_when_it_cannot_say() -> None:
    once = krippendorff_alpha(np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]))
    same = krippendorff_alpha(np.array([1, 1, 2, 2]), np.array([7.0, 7.0, 7.0, 7.0]), "nominal")
    assert math.isnan(once)
    assert math.isnan(same)
    wrong: Any = "intervall"
    with pytest.raises(OptionError, match="did you mean 'interval'"):
        krippendorff_alpha(np.array([1, 1]), np.array([1.0, 2.0]), wrong)


def compared(judgments: list[tuple[int, int, int, int, int]]) -> Comparisons:
    return Comparisons(
        segment=np.array([one[0] for one in judgments]),
        judge=np.array([one[1] for one in judgments]),
        better=np.array([b if verdict < 0 else a for _, _, a, b, verdict in judgments]),
        worse=np.array([a if verdict < 0 else b for _, _, a, b, verdict in judgments]),
        tie=np.array([one[4] == 0 for one in judgments]),
    )


judgment = st.tuples(
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(-1, 1),
).filter(lambda one: one[2] != one[3])


@given(st.lists(judgment, min_size=2, max_size=25), st.booleans())
def test_kappa_is_that_of_the_oracle(
    judgments: list[tuple[int, int, int, int, int]], same_judge: bool
) -> None:
    found = wmt_kappa(compared(judgments), same_judge=same_judge)
    if found is None:
        with pytest.raises(ZeroDivisionError):
            oracle.wmt_kappa(judgments, same_judge=same_judge)
    elif all(one[4] == 0 for one in judgments):
        assert math.isnan(found.kappa)  # chance alone would always agree
    else:
        kappa, pairs = oracle.wmt_kappa(judgments, same_judge=same_judge)
        assert found.kappa == pytest.approx(kappa)
        assert found.pairs == pairs


def rated(*rows: tuple[str, int, str, float]) -> Ratings:
    return collect_ratings(
        [
            Rating(
                place=f"r:{number}",
                system=system,
                segment=segment,
                judge=judge,
                value=value,
                criterion="adequacy",
            )
            for number, (system, segment, judge, value) in enumerate(rows, 1)
        ],
        name="r",
        criterion="adequacy",
    )


def test_z_scores_have_mean_0_and_deviation_1_for_every_judge() -> None:
    ratings = rated(
        ("A", 0, "strict", 10), ("B", 0, "strict", 30), ("A", 1, "strict", 20),
        ("A", 0, "mild", 80), ("B", 1, "mild", 100),
    )  # fmt: skip
    found = standardized(ratings)
    for number in range(2):
        own = found.value[found.judge == number]
        assert own.mean() == pytest.approx(0)
        assert own.std(ddof=1) == pytest.approx(1)
    # (10 - 20) / 10 and (80 - 90) / 14.142, averaged for segment 0 of A
    segments = found.judgments().segments
    assert segments is not None
    assert segments[0, 0] == pytest.approx((-1 - math.sqrt(0.5)) / 2)


def test_judges_without_a_scale_are_left_out_and_counted() -> None:
    ratings = rated(
        ("A", 0, "good", 10), ("B", 0, "good", 30),
        ("A", 0, "once", 80),
        ("A", 1, "same", 50), ("B", 1, "same", 50), ("A", 2, "same", 50),
    )  # fmt: skip
    found = standardized(ratings)
    assert [str(one) for one in found.exclusions] == [
        "1 rating by judges who gave only one, no z-score (such as once)",
        "3 ratings by judges who gave the same for everything, no z-score (such as same)",
    ]
    assert len(found) == 2
    with pytest.raises(InputError, match="no judge with two different ratings, expected one"):
        standardized(rated(("A", 0, "once", 80), ("B", 0, "twice", 80)))


def test_report_of_raters() -> None:
    report = judge_report(
        rated(
            ("A", 0, "x", 1), ("A", 0, "y", 2), ("B", 0, "x", 4), ("B", 0, "y", 4), ("B", 1, "z", 3)
        )
    )
    assert report.shared == 2
    assert report.judgments == 5
    assert [(one.name, one.judgments, one.mean) for one in report.judges] == [
        ("x", 2, 2.5), ("y", 2, 3.0), ("z", 1, 3.0),
    ]  # fmt: skip
    assert report.alpha["interval"] == pytest.approx(
        oracle.krippendorff_alpha([[1, 2], [4, 4]], "interval")
    )
    assert [str(one) for one in report.exclusions] == [
        "1 judge with one rating, who have no z-score (such as z)"
    ]


def test_report_of_rankers() -> None:
    rankings = collect_rankings(
        [
            Ranking("f:2", "es-en", 0, "x", ("A", "B", "C"), (1, 2, 2)),
            Ranking("f:3", "es-en", 0, "y", ("B", "A"), (2, 1)),
            Ranking("f:4", "es-en", 0, "x", ("B", "C"), (1, 2)),
        ],
        name="es-en",
    )
    report = judge_report(rankings)
    assert report.inter is not None
    assert report.intra is not None
    # x and y both put A before B; x once tied B and C and once did not; 1 of 5 is a tie.
    assert (report.inter.pairs, report.inter.observed) == (1, 1.0)
    assert (report.intra.pairs, report.intra.observed) == (1, 0.0)
    assert report.inter.expected == pytest.approx(0.2**2 + 2 * 0.4**2)
    assert report.shared == 2
    assert [one.ties for one in report.judges] == [0.25, 0.0]
    assert report.to_dict()["inter"]["kappa"] == 1.0
