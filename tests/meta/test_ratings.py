"""Ratings in: every layout, what is left out, and what is refused."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.choices import FORMATS, RANK_METHODS, RankMethod
from tertium.meta.agreement.permutation_matrix import permutation_matrix
from tertium.meta.ratings.files import read_judgments, read_ratings, read_scores
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments, MetricScores
from tertium.meta.ratings.many_judges import Rankings, Ratings
from tertium.meta.ratings.rankings import rank_values
from tertium.meta.ratings.system_names import match_names, read_names, with_rated_names


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def said(one: Judgments) -> dict[str, float]:
    return dict(zip(one.systems, one.values.round(6).tolist(), strict=True))


def reasons(one: Judgments | Ratings | Rankings) -> list[str]:
    return [f"{each.count} {each.reason}" for each in one.exclusions]


RANKS = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    "system1Number,system1Id,system2Number,system2Id,system3Number,system3Id,"
    "system1rank,system2rank,system3rank"
)


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


def comparisons(*triples: tuple[int, int, bool]) -> Comparisons:
    better, worse, tie = zip(*triples, strict=True)
    zeros = np.zeros(len(better), dtype=np.int32)
    return Comparisons(
        segment=zeros,
        judge=zeros,
        better=np.array(better),
        worse=np.array(worse),
        tie=np.array(tie),
    )


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


class TestTables:
    @pytest.mark.parametrize(
        ("name", "lines"),
        [
            ("da.csv", ["LP DATA SYSTEM SID HUMAN", "de-en t A 2 0.5", "de-en t B 1 -0.25"]),
            (
                "plain.tsv",
                [
                    "system\tsegment\tjudge\tcriterion\trating\tpair",
                    "A\t2\tj\thuman\t0.5\tde-en",
                    "B\t1\tj\tHuman\t-0.25\tde-en",
                ],
            ),
            (
                "comma.csv",
                ["pair,system,segment,human,note", 'de-en,A,2,0.5,"x,y"', "de-en,B,1,-.25,"],
            ),
            (
                "lines.jsonl",
                [
                    json.dumps({"system": "A", "segment": 2, "human": 0.5, "pair": "de-en"}),
                    json.dumps({"system": "B", "segment": "1", "human": "-0.25", "pair": "de-en"}),
                ],
            ),
        ],
    )
    def test_layouts_say_the_same(self, tmp_path: Path, name: str, lines: list[str]) -> None:
        (one,) = read_judgments(write(tmp_path, name, *lines))
        assert (one.name, one.criterion, said(one)) == ("de-en", "human", {"A": 0.5, "B": -0.25})
        assert one.segments is not None
        assert np.array_equal(one.segments, [[np.nan, 0.5], [-0.25, np.nan]], equal_nan=True)
        assert one.exclusions == ()

    def test_systems_and_segments_of_two_files_go_together(self, tmp_path: Path) -> None:
        whole = write(tmp_path, "sys.csv", "LP HUMAN SYSTEM", "de-en 0.9 A", "de-en 0.1 B")
        parts = write(
            tmp_path, "seg.csv", "LP DATA SYSTEM SID HUMAN", "de-en t A 1 7", "de-en t C 1 8"
        )
        (one,) = read_judgments([whole, parts], segments=4)
        assert said(one)["A"] == 0.9  # the system's own, not the mean of its segments
        assert one.segments is not None
        assert one.segments.shape == (3, 4)
        assert reasons(one) == ["1 systems without ratings of whole systems"]

    def test_adequacy_and_fluency_side_by_side(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.tsv", "system\tsegment\tadequacy\tfluency", "A\t1\t5\t4", "A\t2\t3\tNone"
        )
        adequacy, fluency = read_judgments(path)
        assert (adequacy.criterion, said(adequacy)) == ("adequacy", {"A": 4})
        assert (fluency.criterion, said(fluency), reasons(fluency)) == (
            "fluency",
            {"A": 4},
            ["1 outputs without a rating"],
        )
        assert adequacy.name == "r.tsv"

    def test_judges_are_averaged_and_repeats_stated(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.tsv", "system\tsegment\tjudge\trating",
            "A\t1\tx\t10", "A\t1\ty\t20", "A\t1\tx\t30", "A\t2\tx\t50",
        )  # fmt: skip
        (one,) = read_judgments(path)
        assert said(one) == {"A": 35}  # segments first, so that nobody's zeal counts twice
        assert reasons(one) == ["1 repeated ratings of an output by the same judge, averaged"]
        assert one.exclusions[0].example == f"{path}:4"

    def test_outputs_that_systems_share_count_for_each(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.csv", "LP DATA SYSTEM SID HUMAN",
            "de-en t A 1 1", "de-en t B 2 2", "de-en t A+B 3 3", "de-en t A+X 4 4",
        )  # fmt: skip
        (one,) = read_judgments(path)
        assert said(one) == {"A": 2, "B": 2.5, "A+X": 4}
        assert reasons(one) == ["1 ratings of an output that systems share, counted for each"]

    def test_choices_and_what_they_leave_out(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "r.csv", "pair,testset,system,criterion,rating",
            "de-en,a,A,adequacy,1", "de-en,b,A,adequacy,2", "de-en,a,A,fluency,3",
            "fr-en,a,A,adequacy,4",
        )  # fmt: skip
        (one,) = read_judgments(path, pair="de-en", criteria=["Adequacy"], testset="a")
        assert said(one) == {"A": 1}
        assert reasons(one) == [
            "1 ratings on other test sets",
            "1 ratings under other criteria",
            "1 ratings of other language pairs",
        ]
        with pytest.raises(InputError, match="found test sets a, b, expected one"):
            read_judgments(path)
        with pytest.raises(
            InputError, match=r"none left .* pairs de-en, fr-en; criteria adequacy, fluency; test"
        ):
            read_judgments(path, pair="xx-en")

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (["system rating", "A x"], ":2: found 'x', expected a number or None"),
            (["system rating", "A inf"], ":2: found 'inf', expected a number"),
            (["system rating", "A 1 2"], ":2: 3 columns, expected 2 as in line 1"),
            (["system,rating", ",1"], ":2: no system, expected a name"),
            (["system segment rating", "A 9 1"], ":2: segment 9, expected 1 to 3"),
            (["system segment rating", "A -1 1"], ":2: segment '-1', expected a number from 1"),
            (["system score human", "A 1 2"], "'score' and 'human' are both the rating"),
            (["system rating fluency", "A 1 2"], "'rating' and 'fluency', expected one rating"),
            (["system rating", "A 1", "A 2"], ":3: A 2, expected 1 as in .*:2"),
            (["who knows", "what"], ":1: found 'who knows', expected a header with system"),
            (["system rating", "A none"], "found no rating of 1 systems, expected at least one"),
            (['{"system": "A"}'], ":1: columns system, expected at least system and rating"),
            (['{"system": "A", "rating": [1]}'], ":1: 'rating' is a list, expected text or a"),
            (['{"system": "A", "rating": 1}', "["], ":2: .*expected one JSON object per line"),
            (['{"system": "A", "rating": 1}', "[]"], ":2: a list, expected one JSON object"),
            (["system rating"], "found none in the files, expected at least one"),
        ],
    )
    def test_bad_tables_are_refused(self, tmp_path: Path, lines: list[str], message: str) -> None:
        path = write(tmp_path, "ratings.any", *lines)
        with pytest.raises(InputError, match=message):
            read_judgments(path, segments=3)

    def test_equal_system_ratings_are_stated_once(self, tmp_path: Path) -> None:
        (one,) = read_judgments(write(tmp_path, "r.csv", "system rating", "A 1", "A 1"))
        assert (said(one), reasons(one)) == ({"A": 1}, ["1 system ratings given twice"])

    def test_a_format_can_be_named(self, tmp_path: Path) -> None:
        path = write(tmp_path, "r.csv", "system rating", "A 1")
        assert said(read_judgments(path, format="table")[0]) == {"A": 1}
        with pytest.raises(InputError, match="expected one JSON object per line"):
            read_judgments(path, format="jsonl")
        with pytest.raises(OptionError, match="did you mean 'table'"):
            read_judgments(path, format="tables")


class TestGrades:
    FRAME = ("LP DATA SYSTEM SID HUMAN", "de-en t A 1 0", "ru-en t A 1 0", "de-en t B 2 0")

    def test_letters_go_along_with_the_rows_of_their_pair(self, tmp_path: Path) -> None:
        frame = write(tmp_path, "DA.csv", *self.FRAME)
        adequacy = write(tmp_path, "adequacy.de-en", "S", "N")
        fluency = write(tmp_path, "fluency.ru-en", "D")
        found = read_judgments([frame, adequacy, fluency], criteria=["adequacy", "fluency"])
        assert [(one.name, one.criterion, said(one)) for one in found] == [
            ("de-en", "adequacy", {"A": 5, "B": 1}),
            ("ru-en", "fluency", {"A": 2}),
        ]

    def test_letters_can_be_worth_something_else(self, tmp_path: Path) -> None:
        frame = write(tmp_path, "DA.csv", *self.FRAME)
        path = write(tmp_path, "style.de-en", "good", "bad")
        (one,) = read_judgments([frame, path], criteria=["style"], grades={"good": 2, "bad": 0})
        assert said(one) == {"A": 2, "B": 0}
        with pytest.raises(InputError, match=r"style.de-en:1: found 'good', expected a number or"):
            read_judgments([frame, path])

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (["S"], "adequacy.de-en: 1 lines, expected 2 \\(rows of de-en from .*DA.csv:2"),
            (
                ["S", "Z"],
                "adequacy.de-en:2: found 'Z', expected a number, a grade \\(S A B C F O N",
            ),
        ],
    )
    def test_grades_that_do_not_fit_are_refused(
        self, tmp_path: Path, lines: list[str], message: str
    ) -> None:
        frame = write(tmp_path, "DA.csv", *self.FRAME)
        with pytest.raises(InputError, match=message):
            read_judgments([frame, write(tmp_path, "adequacy.de-en", *lines)])

    def test_grades_need_a_table_before_them(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="found no table with rows of de-en before it"):
            read_judgments(write(tmp_path, "adequacy.de-en", "S"))


class TestFolders:
    def fill(self, top: Path) -> Path:
        human, metric = top / "human-scores", top / "metric-scores" / "zh-en"
        write(human, "zh-en.mqm.sys.score", "A\t-1.5", "B\t-2", "refA\tNone")
        write(
            human,
            "zh-en.mqm.seg.score",
            "A\t-1",
            "A\tNone",
            "B\t-2",
            "B\t-3",
            "refA\tNone",
            "refA\tNone",
        )
        write(
            human, "zh-en.mqm.domain.score", "news\tA\t-1", "web\tA\t-2", "news\tB\t-5", "web\tB\t0"
        )
        write(metric, "TER-refA.sys.score", "A\t50", "B\t60")
        write(metric, "BLEU-refA.seg.score", "A\t50", "A\t40", "B\t60", "B\t10")
        return top

    def test_levels_of_one_criterion_go_together(self, tmp_path: Path) -> None:
        (one,) = read_judgments(self.fill(tmp_path), include_references=True)
        assert (one.name, one.criterion) == ("zh-en", "mqm")
        assert np.array_equal(one.values, [-1.5, -2, np.nan], equal_nan=True)
        assert one.segments is not None
        assert np.array_equal(
            one.segments, np.array([[-1, np.nan], [-2, -3], [np.nan, np.nan]]), equal_nan=True
        )
        assert reasons(one) == [
            "4 ratings of single domains",
            "4 outputs without a rating",
            "1 systems without ratings of whole systems",
        ]

    def test_domains_can_be_asked_for(self, tmp_path: Path) -> None:
        (one,) = read_judgments(self.fill(tmp_path), domain="web")
        assert (one.name, said(one), one.segments) == ("zh-en web", {"A": -2, "B": 0}, None)
        with pytest.raises(InputError, match="domains news, web"):
            read_judgments(tmp_path, domain="speech")

    def test_metrics_are_read_from_the_same_layout(self, tmp_path: Path) -> None:
        found = read_scores(self.fill(tmp_path))
        assert list(found) == ["zh-en"]
        bleu, ter = found["zh-en"]
        assert (bleu.metric, bleu.higher_is_better, bleu.values.tolist()) == (
            "BLEU-refA", True, [45, 35],
        )  # fmt: skip
        assert (ter.metric, ter.higher_is_better, ter.segments) == ("TER-refA", False, None)

    def test_ragged_segments_and_empty_folders_are_refused(self, tmp_path: Path) -> None:
        path = write(tmp_path, "zh-en.mqm.seg.score", "A\t1", "A\t1", "B\t1")
        with pytest.raises(InputError, match=r"seg.score: 1 segments of B, expected 2 \(as A\)"):
            read_judgments(path)
        path = write(tmp_path, "zh-en.mqm.domain.score", "A\t1")
        with pytest.raises(InputError, match=r"domain.score:1: 2 columns, expected 3"):
            read_judgments(path)
        (tmp_path / "empty").mkdir()
        with pytest.raises(InputError, match=r"no such files, expected PAIR.CRITERION.LEVEL.score"):
            read_judgments(tmp_path / "empty")


class TestScores:
    TABLE = (
        "METRIC\tLP\tTESTSET\tSYSTEM\tSCORE",
        "TER\tes-en\tt\tA\t0.5", "TER\tes-en\tt\tB\t0.6 ", "mine\tes-en\tt\tA\t1",
        "mine\tfr-en\tt\tA\t1",
    )  # fmt: skip

    def test_published_scores_keep_names_and_know_error_rates(self, tmp_path: Path) -> None:
        path = write(tmp_path, "metrics", *self.TABLE)
        found = read_scores(path, lower_is_better=["mine"])
        assert {
            pair: [(one.metric, one.higher_is_better, one.systems) for one in scores]
            for pair, scores in found.items()
        } == {
            "es-en": [("TER", False, ("A", "B")), ("mine", False, ("A",))],
            "fr-en": [("mine", False, ("A",))],
        }
        assert read_scores(path)["fr-en"][0].higher_is_better
        assert list(read_scores(path, pair="es-en", metrics=["mine"])) == ["es-en"]
        with pytest.raises(OptionError, match="did you mean 'mine'"):
            read_scores(path, lower_is_better=["mien"])

    def test_rankings_are_no_scores(self, tmp_path: Path) -> None:
        path = write(tmp_path, "r.csv", RANKS, "Spanish,English,1,d,1,j,1,A,2,B,3,C,1,1,1")
        with pytest.raises(InputError, match="found rankings, expected scores"):
            read_scores(path)


headers = st.sampled_from(
    [
        "system rating", "system\tsegment\tjudge\trating", "LP,SYSTEM,SID,HUMAN,adequacy",
        "METRIC LP TESTSET SYSTEM SCORE", RANKS, '{"system": "A", "rating": 1}', "",
    ]
)  # fmt: skip
cells = st.sampled_from(
    ["A", "B", "1", "-1", "2.5", "None", "", "x", '"', "es-en", "nan", "{}", "é"]
)
rows = st.lists(st.lists(cells, min_size=1, max_size=16), max_size=6)


@given(headers, rows, st.sampled_from("\t, "), st.sampled_from(FORMATS))
def test_any_file_is_read_or_refused(
    header: str, lines: list[list[str]], divider: str, kind: str
) -> None:
    """Whatever is in it, the end is ratings in which nothing is infinite, or an error."""
    with TemporaryDirectory() as folder:
        text = [header, *(divider.join(line) for line in lines)]
        path = write(Path(folder), "ratings", *text)
        try:
            found = read_judgments(path, format=kind)
        except InputError as error:
            assert str(error)  # noqa: PT017 - refusing is one of two right ends
        else:
            assert found
            assert all(np.isfinite(one.values[~np.isnan(one.values)]).all() for one in found)


class TestNames:
    @pytest.mark.parametrize(
        ("given", "rated", "expected"),
        [
            ("newstest2012.es-en.onlineA", ("onlineA", "online"), "onlineA"),
            ("newstest2017.KIT.4951.de-en", ("KIT", "KIT.4951"), "KIT.4951"),
            ("onlineA", ("onlineA",), "onlineA"),
            ("onlineAB", ("onlineA",), None),
            ("KIT", ("KIT.4951",), None),
        ],
    )
    def test_names_match_between_dots(
        self, given: str, rated: tuple[str, ...], expected: str | None
    ) -> None:
        assert match_names([given], rated).get(given) == expected

    def test_ambiguous_names_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"'x.A' and 'y.A': both match the rated 'A'"):
            match_names(["x.A", "y.A"], ["A"])
        with pytest.raises(InputError, match="the rated A1 and B1 are both in its name"):
            match_names(["x.A1.B1"], ["A1", "B1"])

    def test_a_file_of_names_decides(self, tmp_path: Path) -> None:
        names = read_names(str(write(tmp_path, "names.tsv", "x.A\tB", "", "y\tA")))
        assert match_names(["x.A", "y", "z"], ["A", "B"], names) == {"x.A": "B", "y": "A"}
        with pytest.raises(InputError, match="'y' is to be 'A', expected a rated system: B"):
            match_names(["y"], ["B"], names)
        with pytest.raises(InputError, match=r"names.tsv:2: 'a' again, expected it once"):
            read_names(str(write(tmp_path, "names.tsv", "a\tb", "a\tc")))
        with pytest.raises(
            InputError, match=r"names.tsv:1: found 'a b', expected name, tab, rated"
        ):
            read_names(str(write(tmp_path, "names.tsv", "a b")))

    def test_scores_take_the_rated_names(self) -> None:
        scores = MetricScores(metric="bleu", systems=("t.A", "t.X"), values=np.array([1.0, 2.0]))
        rated = Judgments(name="t", criterion="c", systems=("A", "B"), values=np.array([1.0, 2.0]))
        assert with_rated_names([scores], [rated])[0].systems == ("A", "t.X")


class TestContract:
    def test_numbers_cannot_be_changed_afterwards(self) -> None:
        values = np.array([1.0, 2.0])
        one = Judgments(name="n", criterion="c", systems=("A", "B"), values=values)
        values[0] = 9.0
        assert one.values.tolist() == [1.0, 2.0]
        with pytest.raises(ValueError, match="read-only"):
            one.values[0] = 3.0

    @pytest.mark.parametrize(
        ("systems", "values", "segments", "message"),
        [
            ((), [], None, "found no systems"),
            (("A", "A"), [1, 2], None, "found system 'A' twice"),
            (("A", "B"), [1], None, r"found shape \(1,\), expected \(2,\)"),
            (("A",), [np.inf], None, "found an infinite number"),
            (("A",), [1], [1, 2], r"segments: found shape \(2,\), expected \(1, segments\)"),
            (("A",), [1], [[1], [2]], r"segments: found shape \(2, 1\), expected \(1, segments\)"),
            (("A",), ["x"], None, "expected an array of numbers"),
        ],
    )
    def test_shapes_are_checked(
        self, systems: tuple[str, ...], values: Any, segments: Any, message: str
    ) -> None:
        with pytest.raises(InputError, match=message):
            Judgments(name="n", criterion="c", systems=systems, values=values, segments=segments)
        with pytest.raises(InputError, match=message):
            MetricScores(metric="m", systems=systems, values=values, segments=segments)

    def test_comparisons_are_checked(self) -> None:
        with pytest.raises(InputError, match="found system 1 against itself"):
            comparisons((1, 1, False))
        with pytest.raises(InputError, match="found a negative better"):
            comparisons((-1, 1, False))
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"better": [1, 2]}, "expected one length for all"),
            ({"judge": [1.5]}, "found judge of float64, expected whole numbers"),
        ]
        for change, message in wrong:
            given: dict[str, Any] = {
                "segment": [1], "judge": [1], "better": [1], "worse": [2], "tie": [False],
            }  # fmt: skip
            with pytest.raises(InputError, match=message):
                Comparisons(**given | change)
        for systems, segments in ((("A",), None), (("A", "B"), np.zeros((2, 0)))):
            with pytest.raises(InputError, match="comparisons: found s"):
                Judgments(
                    name="n",
                    criterion="c",
                    systems=systems,
                    values=np.zeros(len(systems)),
                    segments=segments,
                    comparisons=comparisons((0, 1, False)),
                )

    def test_exclusions_are_sentences(self) -> None:
        assert str(Exclusion(reason="rankings", count=2, example="f:3")) == (
            "2 rankings (such as f:3)"
        )


GOOD: list[list[float]] = [[1, 2], [2, 3], [3, 4], [4, 5]]
BAD: list[list[float]] = [[2, 1], [4, 2], [1, 4], [3, 3]]


class TestPermutationMatrix:
    def scored(self, name: str, values: list[list[float]]) -> MetricScores:
        segments = np.array(values)
        return MetricScores(
            metric=name,
            systems=("A", "B", "C", "D"),
            values=segments.mean(axis=1),
            segments=segments,
        )

    def rated(self, *values: float) -> Judgments:
        return Judgments(
            name="t", criterion="c", systems=("A", "B", "C", "D"), values=np.array(values)
        )

    def test_only_the_metric_ahead_has_a_p_value(self) -> None:
        scores = [self.scored("good", GOOD), self.scored("bad", BAD)]
        there = permutation_matrix(self.rated(1, 2, 3, 4), scores, trials=99)
        back = permutation_matrix(self.rated(1, 2, 3, 4), scores[::-1], trials=99)
        assert np.array_equal(np.isnan(there.p_values), [[True, False], [True, True]])
        assert there.p_values[0, 1] == back.p_values[1, 0]
        assert there.agreements == back.agreements[::-1]
        assert there.to_dict()["p_values"][1] == [None, None]

    def test_what_is_not_defined_has_none(self) -> None:
        scores = [self.scored("good", GOOD), self.scored("bad", BAD)]
        tied = permutation_matrix(self.rated(1, 1, 1, 1), scores, trials=9)
        assert np.isnan(tied.p_values).all()
        without = MetricScores(metric="m", systems=("A", "B", "C", "D"), values=np.arange(4.0))
        with pytest.raises(InputError, match="t c: found 1 metrics with a score of every segment"):
            permutation_matrix(self.rated(1, 2, 3, 4), [scores[0], without], exchange="items")


@pytest.mark.shared
class TestShared:
    def test_wins_ratio_is_the_published_human_score(self, shared_data: Path) -> None:
        """All 12 systems of es-en, to the four digits published."""
        (one,) = read_judgments(
            shared_data / "wmt12" / "RNK_results.csv", pair="es-en", segments=3003
        )
        folder = shared_data / "wmt12" / "published-system-scores" / "example-data"
        (published,) = read_judgments(folder / "mt-systems-scored-by-humans")
        assert len(published.systems) == 12
        expected = {name: round(value, 4) for name, value in said(published).items()}
        assert {name: round(value, 4) for name, value in said(one).items()} == expected
        for method in RANK_METHODS:
            if method != "wins-ratio":
                (other,) = read_judgments(
                    shared_data / "wmt12" / "RNK_results.csv", pair="es-en", ranks=method
                )
                assert abs(other.values - one.values).max() > 0.5  # and no other variant is

    def test_wmt17_grades_fall_with_direct_assessment(self, shared_data: Path) -> None:
        """The order of the letters, which come without a key, is that of mean DA."""
        folder = shared_data / "wmt17"
        for criterion in ("adequacy", "fluency"):
            by_grade: dict[float, list[float]] = {}
            for pair in ("de-en", "ru-en", "tr-en"):
                grades = folder / "adequacy-fluency" / f"{criterion}.{pair}"
                found = read_judgments(
                    [folder / "DA-seglevel.csv", grades], pair=pair, criteria=["human", criterion]
                )
                human, graded = (one.segments for one in found)
                assert human is not None
                assert graded is not None
                for grade, value in zip(
                    graded[np.isfinite(graded)], human[np.isfinite(human)], strict=True
                ):
                    by_grade.setdefault(grade, []).append(value)
            means = [np.mean(by_grade[grade]) for grade in sorted(by_grade)]
            assert len(means) == 5
            assert means == sorted(means)

    def test_wmt23_folder(self, shared_data: Path) -> None:
        found = read_judgments(shared_data / "wmt23", include_references=True)
        assert [(one.name, one.criterion, len(one.systems)) for one in found] == [
            ("he-en", "mqm", 13), ("zh-en", "da-sqm", 16), ("zh-en", "mqm", 16),
        ]  # fmt: skip
        for one in found:
            assert one.segments is not None
            # The organisers' system ratings are the means of what was rated.
            means = np.nanmean(one.segments, axis=1)
            assert one.values == pytest.approx(means, abs=1e-9)
        assert reasons(found[2])[-1] == "12784 outputs without a rating"
        scores = read_scores(shared_data / "wmt23", pair="he-en")["he-en"]
        assert [one.metric for one in scores] == [
            "BERTscore-refA", "BLEU-refA", "BLEURT-20-refA", "COMET-refA", "CometKiwi-src",
            "GEMBA-MQM-src", "MetricX-23-refA", "XCOMET-Ensemble-refA", "YiSi-1-refA",
            "chrF-refA", "f200spBLEU-refA", "prismSrc-src",
        ]  # fmt: skip
