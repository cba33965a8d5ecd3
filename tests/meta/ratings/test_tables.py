"""Tables of ratings and of grades: every layout, and what is refused."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.choices import RATING_FORMATS
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.files import read_judgments
from tests.support.ratings import RANKS, reasons, said, write


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
            (["S"], "adequacy.de-en: 1 line, expected 2 \\(rows of de-en from .*DA.csv:2"),
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


def test_a_column_of_documents(tmp_path: Path) -> None:
    lines = ["system\tsegment\tdoc_id\trating", "A\t1\tx\t1", "A\t3\ty\t2", "B\t1\tx\t3"]
    (one,) = read_judgments(write(tmp_path, "r.tsv", *lines), segments=4)
    assert one.documents == ("x", "segment 2", "y", "segment 4")
    with pytest.raises(
        InputError, match=r"r.tsv:4: segment 1 in document 'z', expected 'x' as bef"
    ):
        read_judgments(write(tmp_path, "r.tsv", *lines[:3], "B\t1\tz\t3"))
    (some,) = read_judgments(write(tmp_path, "r.tsv", *lines[:3], "B\t1\t\t3"))
    assert some.documents is None
    named = read_judgments(tmp_path / "r.tsv", documents=["p", "p", "q"])
    assert named[0].documents == ("p", "p", "q")
    with pytest.raises(InputError, match=r"r.tsv:3: segment 3, expected 1 to 2"):
        read_judgments(tmp_path / "r.tsv", documents=["p", "p"])
    with pytest.raises(InputError, match=r"found 3 labels, expected 4 \(segments\)"):
        read_judgments(tmp_path / "r.tsv", documents=["p", "p", "q"], segments=4)


@given(headers, rows, st.sampled_from("\t, "), st.sampled_from(RATING_FORMATS))
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
