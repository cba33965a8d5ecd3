"""Folders of mt-metrics-eval, and published scores."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.files import read_judgments, read_ratings, read_scores
from tertium.meta.ratings.rating_sets import Ratings
from tertium.metrics.foreign.score_files import ScoreColumns, read_score_columns
from tertium.text.files import TextFile
from tests.support.ratings import RANKS, reasons, said, write


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

    def test_documents_beside_the_ratings_are_known(self, tmp_path: Path) -> None:
        top = self.fill(tmp_path)
        (one,) = read_judgments(top)
        assert one.documents is None
        write(top / "documents", "zh-en.docs", "news\tfirst", "web\tsecond")
        (one,) = read_judgments(top)
        assert one.documents == ("first", "second")
        write(top / "documents", "zh-en.docs", "news\tfirst")
        with pytest.raises(InputError, match=r"segment 2, expected up to 1 \(documents/zh-en.docs"):
            read_judgments(top)

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
        with pytest.raises(InputError, match=r"seg.score: 1 segment of B, expected 2 \(as A\)"):
            read_judgments(path)
        path = write(tmp_path, "zh-en.mqm.domain.score", "A\t1")
        with pytest.raises(InputError, match=r"domain.score:1: 2 columns, expected 3"):
            read_judgments(path)
        (tmp_path / "empty").mkdir()
        with pytest.raises(InputError, match=r"no such files, expected PAIR.CRITERION.LEVEL.score"):
            read_judgments(tmp_path / "empty")


NUMBER = st.sampled_from(["None", "0", "-1", "+2.5", ".5", "3.", "1e-3", "-0.123456789012345678"])
BLOCKS = st.dictionaries(
    st.text("ABab+-._", min_size=1, max_size=4), st.lists(NUMBER, min_size=2, max_size=2),
    min_size=1, max_size=4,
)  # fmt: skip


class TestColumns:
    @given(BLOCKS, st.booleans())
    def test_plain_files_are_read_as_those_with_blanks_are(
        self, blocks: dict[str, list[str]], ended: bool
    ) -> None:
        lines = [f"{name}\t{value}" for name, values in blocks.items() for value in values]

        def read(text: str) -> ScoreColumns:
            data = text if ended else text.removesuffix("\n")
            return read_score_columns(TextFile("zh-en.mqm.seg.score", data.encode()))

        plain = read("".join(f"{line}\n" for line in lines))
        blank = read("".join(f" {line} \n" for line in lines))
        assert plain.systems == blank.systems == tuple(blocks)
        assert np.array_equal(plain.system, blank.system)
        assert np.array_equal(plain.values, blank.values, equal_nan=True)

    def test_lines_of_systems_may_come_in_turns(self, tmp_path: Path) -> None:
        path = write(tmp_path, "zh-en.mqm.seg.score", "A\t1", "B\t2", "A\t3", "B\tNone")
        (ratings,) = read_ratings(path)
        assert isinstance(ratings, Ratings)
        assert ratings.systems == ("A", "B")
        assert ratings.segment.tolist() == [0, 0, 1]
        assert [row.place.rpartition(":")[2] for row in ratings.rows] == ["1", "2", "3", "4"]
        assert [(row.system, row.segment) for row in ratings.rows] == [
            ("A", 0), ("B", 0), ("A", 1), ("B", 1),
        ]  # fmt: skip

    @pytest.mark.parametrize("line", ["B\tinf", "B\t1_0", "B\tnone5", "B\t1e999", "B", "B\t1\t2"])
    def test_what_is_no_number_is_refused_with_its_line(self, tmp_path: Path, line: str) -> None:
        path = write(tmp_path, "zh-en.mqm.seg.score", "A\t1", line)
        with pytest.raises(InputError, match=r"seg.score:2: "):
            read_ratings(path)

    def test_two_files_of_segments_are_averaged(self, tmp_path: Path) -> None:
        paths = [
            write(tmp_path / folder, "zh-en.mqm.seg.score", "A\t1", f"A\t{value}")
            for folder, value in (("first", "2"), ("second", "4"))
        ]
        (one,) = read_judgments(paths)
        assert one.segments is not None
        assert one.segments.tolist() == [[1, 3]]
        assert reasons(one) == ["2 repeated ratings of an output by the same judge, averaged"]

    def test_shared_outputs_count_for_each_system(self, tmp_path: Path) -> None:
        path = write(tmp_path, "zh-en.mqm.seg.score", "A+B\t1", "A\t2", "B\t4")
        (one,) = read_judgments(path)
        assert said(one) == {"A": 1.5, "B": 2.5}


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
