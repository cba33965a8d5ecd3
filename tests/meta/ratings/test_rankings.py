"""Rankings of systems, and what numbers are made of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.choices import RankMethod
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.files import read_judgments, read_ratings
from tertium.meta.ratings.rating_sets import Rankings, rank_values
from tests.support.ratings import RANKS, comparisons, reasons, said, write


class TestRankings:
    def test_every_two_systems_of_a_line_are_compared(self, tmp_path: Path) -> None:
        path = write(
            tmp_path,
            "ranks.csv",
            RANKS,
            "Spanish,English,3,d,3,j1,1,A,2,B,3,C,1,2,2",
            "Czech,English,1,d,1,j1,1,A,2,B,3,C,1,2,3",
            "spa,eng,1,d,1,j2,1,A,2,B,3,C,3,-1,1",
        )
        (one,) = read_ratings(path, pair="es-en")
        assert isinstance(one, Rankings)
        made = one.comparisons
        assert one.systems == ("A", "B", "C")
        assert list(
            zip(made.segment, made.judge, made.better, made.worse, made.tie, strict=True)
        ) == [(2, 0, 0, 1, False), (2, 0, 0, 2, False), (2, 0, 1, 2, True), (0, 1, 2, 0, False)]
        assert reasons(one) == [
            "1 rankings of other language pairs",
            "1 outputs that a judge left unranked",
        ]
        assert one.exclusions[1].example == f"{path}:4"

    def test_all_pairs_without_a_choice(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.csv", RANKS,
            "Spanish,English,3,d,3,j1,1,A,2,B,3,C,1,2,2",
            "Czech,English,1,d,1,j1,1,A,2,B,3,A,1,2,3",
        )  # fmt: skip
        assert [(one.name, len(one)) for one in read_ratings(path)] == [("es-en", 3), ("cs-en", 1)]
        assert reasons(read_ratings(path)[1]) == [
            "1 outputs of a system that the same ranking has already"
        ]

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("Spanish,English,0,d,3,j1,1,A,2,B,3,C,1,2,2", ":2: segment '0', expected a number"),
            ("Spanish,English,9,d,3,j1,1,A,2,B,3,C,1,2,2", ":2: segment 9, expected 1 to 5"),
            ("Spanish,English,1,d,3,j1,1,A,2,B,3,C,1,2", ":2: 14 columns, expected 15"),
            ("Spanish,English,1,d,3,j1,1,A,2,B,3,C,1,2,x", ":2: rank 'x', expected a number"),
            ("Spanish,English,1,d,3,j1,1,A,2,B,3,C,1,2,0", ":2: rank '0', expected a number"),
        ],
    )
    def test_bad_lines_are_refused(self, tmp_path: Path, line: str, message: str) -> None:
        path = write(tmp_path, "ranks.csv", RANKS, line)
        with pytest.raises(InputError, match=message):
            read_ratings(path, segments=5)

    def test_a_missing_column_is_named(self, tmp_path: Path) -> None:
        path = write(tmp_path, "r.csv", RANKS.replace("judgeId", "worker"))
        with pytest.raises(InputError, match=r"r.csv:1: no column 'judgeid', expected WMT's"):
            read_ratings(path)

    def test_all_ties_are_an_error_where_only_preferences_count(self, tmp_path: Path) -> None:
        path = write(tmp_path, "r.csv", RANKS, "Spanish,English,1,d,1,j,1,A,2,B,3,C,1,1,1")
        with pytest.raises(InputError, match="es-en: found 3 comparisons, all of them ties"):
            read_judgments(path)
        (one,) = read_judgments(path, ranks="better-or-equal")
        assert said(one) == {"A": 100, "B": 100, "C": 100}

    def test_a_system_that_only_ties_has_no_ratio(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.csv", RANKS,
            "Spanish,English,1,d,1,j,1,A,2,B,3,C,1,2,-1",
            "Spanish,English,2,d,1,j,1,A,2,C,3,B,1,1,-1",
        )  # fmt: skip
        (one,) = read_judgments(path)
        assert np.isnan(one.values[one.systems.index("C")])
        assert reasons(one)[-1] == "1 systems whose comparisons give no wins-ratio"


WON = comparisons(
    *[(0, 1, False)] * 3, *[(1, 0, False)] * 1, *[(0, 2, True)] * 2, *[(1, 2, False)] * 2,
    *[(2, 1, False)] * 2, *[(2, 0, False)] * 1,
)  # fmt: skip


class TestRankValues:
    # By hand: A 3 wins, 2 losses, 2 ties; B 3, 5, 0; C 3, 2, 2.
    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            ("wins-ratio", [3 / 5, 3 / 8, 3 / 5]),
            ("better-or-equal", [5 / 7, 3 / 8, 5 / 7]),
            ("better", [3 / 7, 3 / 8, 3 / 7]),
            ("expected-wins", [(3 / 4 + 0) / 2, (1 / 4 + 2 / 4) / 2, (1 + 2 / 4) / 2]),
        ],
    )
    def test_shares_by_hand(self, method: RankMethod, expected: list[float]) -> None:
        assert rank_values(WON, 3, method) == pytest.approx([100 * one for one in expected])

    def test_bradley_terry_of_two_systems_is_the_log_odds(self) -> None:
        won = comparisons(*[(0, 1, False)] * 3, (1, 0, False))
        assert np.diff(rank_values(won, 2, "bradley-terry")) == pytest.approx(-np.log(3))

    def test_bradley_terry_expects_the_wins_there_were(self) -> None:
        # The likelihood equations: Σ_B n(A, B) a / (a + b) = wins of A.
        values = np.exp(rank_values(WON, 3, "bradley-terry"))
        games = np.array([[0, 4, 1], [4, 0, 4], [1, 4, 0]])
        expected = (games * values[:, None] / (values[:, None] + values)).sum(axis=1)
        assert expected == pytest.approx([3, 3, 3], abs=1e-6)

    def test_bradley_terry_needs_a_chain_of_wins(self) -> None:
        with pytest.raises(InputError, match="only win against all others, or only lose"):
            rank_values(comparisons((0, 1, False), (0, 2, False), (1, 2, True)), 3, "bradley-terry")

    def test_trueskill_orders_by_wins_and_repeats_itself(self) -> None:
        pytest.importorskip("trueskill")
        won = comparisons(*[(0, 1, False)] * 9, *[(1, 2, False)] * 9, *[(1, 2, True)] * 3)
        values = rank_values(won, 4, "trueskill", seed=3)
        assert values[0] > values[1] > values[2]
        assert np.isnan(values[3])
        assert np.array_equal(values, rank_values(won, 4, "trueskill", seed=3), equal_nan=True)

    def test_an_unknown_method_is_refused(self) -> None:
        wrong: Any = "win-ratio"
        with pytest.raises(OptionError, match="did you mean 'wins-ratio'"):
            rank_values(WON, 3, wrong)

    @given(
        st.lists(
            st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()).filter(
                lambda one: one[0] != one[1]
            ),
            min_size=1,
            max_size=40,
        )
    )
    def test_turning_all_preferences_turns_the_values(
        self, triples: list[tuple[int, int, bool]]
    ) -> None:
        if all(tie for *_, tie in triples):
            return
        there = comparisons(*triples)
        back = comparisons(*((worse, better, tie) for better, worse, tie in triples))
        methods: tuple[RankMethod, ...] = ("wins-ratio", "expected-wins")
        for method in methods:
            turned = 100 - rank_values(back, 4, method)
            assert rank_values(there, 4, method) == pytest.approx(turned, nan_ok=True)
