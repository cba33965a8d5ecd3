"""Judges in groups, judges with themselves, and preferences from numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.cli.demo import SAMPLE
from tertium.errors import InputError, OptionError
from tertium.meta import agree, judge_report, read_judgments, read_ratings
from tertium.meta.ratings.entries import Ranking, Rating
from tertium.meta.ratings.judge_agreement import implied_comparisons, repeats_of
from tertium.meta.ratings.judge_groups import group_agreement, halves, of_judges
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.rating_sets import Ratings, collect_rankings, collect_ratings
from tests.oracles import judges as oracle
from tests.support.commands import error, json_output, output


def rated(*rows: tuple[str, int, str, float]) -> Ratings:
    return collect_ratings(
        [
            Rating(place=f"r:{n}", system=a, segment=b, judge=c, value=d, criterion="adequacy")
            for n, (a, b, c, d) in enumerate(rows)
        ],
        name="toy",
        criterion="adequacy",
    )


def panel() -> Ratings:
    """Two monolingual and two bilingual judges of three systems."""
    said = {"m1": (10, 30, 60), "m2": (20, 30, 70), "b1": (30, 20, 80), "b2": (10, 30, 90)}
    return rated(
        *(
            (system, segment, judge, value + 2 * segment)
            for judge, values in said.items()
            for system, value in zip("ABC", values, strict=True)
            for segment in range(2)
        )
    )


class TestGroups:
    def test_means_of_two_groups_are_held_against_each_other(self) -> None:
        found = group_agreement(panel(), {"mono": ["m1", "m2"], "bi": ["b*"]})
        [pair] = found.pairs
        mono, bi = [15, 30, 65], [20, 25, 85]
        assert pair.systems == 3
        assert pair.pearson == pytest.approx(np.corrcoef(mono, bi)[0, 1])
        assert pair.kendall == 1
        assert pair.outputs == 6
        x, y = ([one + 2 * segment for one in some for segment in (0, 1)] for some in (mono, bi))
        assert pair.output_pearson == pytest.approx(np.corrcoef(x, y)[0, 1])
        assert found.groups == {"mono": ("m1", "m2"), "bi": ("b1", "b2")}
        assert found.exclusions == ()

    def test_three_groups_make_three_pairs_and_no_judge_is_lost_silently(self) -> None:
        found = group_agreement(panel(), {"a": ["m1"], "b": ["m2"], "c": ["b1"]})
        assert [(one.first, one.second) for one in found.pairs] == [
            ("a", "b"), ("a", "c"), ("b", "c"),
        ]  # fmt: skip
        assert [str(one) for one in found.exclusions] == ["1 judge in no group (such as b2)"]
        json.dumps(found.to_dict(), allow_nan=False)

    def test_rankings_have_groups_too(self) -> None:
        rankings = collect_rankings(
            [
                Ranking("f:1", "x", 0, "m", ("A", "B", "C"), (1, 2, 3)),
                Ranking("f:2", "x", 0, "b", ("A", "B", "C"), (2, 1, 3)),
            ],
            name="x",
        )
        [pair] = group_agreement(rankings, {"mono": ["m"], "bi": ["b"]}).pairs
        # Shares of comparisons won: 1, 1/2, 0 against 1/2, 1, 0.
        assert pair.pearson == pytest.approx(0.5)
        assert pair.outputs == 0
        assert np.isnan(pair.output_pearson)

    def test_halves_are_random_and_whole(self) -> None:
        names = [f"j{n}" for n in range(7)]
        found = halves(names, seed=1)
        assert sorted(found["half 1"] + found["half 2"]) == names
        assert [len(some) for some in found.values()] == [3, 4]
        assert any(halves(names, seed=n) != found for n in range(2, 5))
        assert judge_report(panel(), groups="halves").groups is not None
        with pytest.raises(InputError, match="halves: found 1 judge, expected two or more"):
            halves(["x"], seed=1)

    @pytest.mark.parametrize(
        ("groups", "message"),
        [
            ({"a": ["m1"]}, "groups of judges: found 1, expected two or more"),
            ({"a": ["m1"], "b": ["m*"]}, "judge 'm1': found in a and in b, expected one group"),
            ({"a": ["m1"], "b": ["b3"]}, "unknown judge 'b3'"),
        ],
    )
    def test_mistakes(self, groups: dict[str, list[str]], message: str) -> None:
        with pytest.raises(OptionError, match=message):
            group_agreement(panel(), groups)

    def test_a_metric_against_one_group(self) -> None:
        """Figure 2 of HLT 2002: a correlation for each group of judges."""
        mono = of_judges(panel(), ["m*"])
        assert mono.judges == ("m1", "m2")
        assert mono.judgments().values.tolist() == [16, 31, 66]
        assert [str(one) for one in mono.exclusions] == [
            "12 judgments by other judges (such as b1)"
        ]
        [one] = read_judgments(SAMPLE / "ratings.tsv", criteria=["adequacy"], judges=["judge-2"])
        [every] = read_judgments(SAMPLE / "ratings.tsv", criteria=["adequacy"])
        assert one.ratings < every.ratings

    def test_on_the_command_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["meta", "judges", "--ratings", str(SAMPLE / "ratings.tsv"), "--criterion"]
        words += ["adequacy", "--groups", "one=judge-1", "others=judge-2,judge-3"]
        shown = output(capsys, *words)
        assert "groups of judges of ratings.tsv adequacy" in shown
        assert "others is judge-2, judge-3" in shown
        assert "1 judge in no group (such as judge-4)" in shown
        [found] = json_output(capsys, *words)["ratings"]
        ratings = read_ratings(SAMPLE / "ratings.tsv", criteria=["adequacy"])[0]
        expected = group_agreement(
            ratings, {"one": ["judge-1"], "others": ["judge-2", "judge-3"]}
        ).to_dict()
        assert found["groups"] == expected
        assert "found halves and 2 more, expected it alone" in error(capsys, *words, "halves")


class TestRepeats:
    ROWS = (
        ("A", 0, "x", 50), ("A", 0, "x", 60), ("B", 0, "x", 80), ("B", 0, "x", 80),
        ("A", 0, "y", 10), ("B", 0, "y", 30),
    )  # fmt: skip

    def test_a_judge_who_sees_an_output_again(self) -> None:
        found = repeats_of(rated(*self.ROWS))
        assert found is not None
        assert (found.outputs, found.pairs, found.distance, found.same) == (2, 2, 5.0, 0.5)
        assert found.alpha == pytest.approx(
            oracle.krippendorff_alpha([[50, 60], [80, 80]], "interval")
        )
        assert repeats_of(rated(*self.ROWS[1:3])) is None

    def test_second_thoughts_are_no_second_judge(self) -> None:
        """Agreement between judges is that of their means, not of a judge with himself."""
        report = judge_report(rated(*self.ROWS))
        expected = oracle.krippendorff_alpha([[55, 10], [80, 30]], "interval")
        assert report.alpha["interval"] == pytest.approx(expected)
        assert report.shared == 2

    def test_numbers_imply_preferences(self) -> None:
        ratings = rated(*self.ROWS)
        made = implied_comparisons(ratings)
        # x has two ratings of each, so four comparisons; y has one. All prefer B.
        assert len(made) == 5
        assert not made.tie.any()
        assert {ratings.systems[place] for place in made.better.tolist()} == {"B"}
        report = judge_report(ratings)
        assert report.inter is not None
        assert report.intra is not None
        assert (report.inter.pairs, report.inter.kappa) == (4, 1.0)
        assert (report.intra.pairs, report.intra.kappa) == (6, 1.0)

    def test_the_screen_shows_it(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        lines = [f"{a}\t{b + 1}\t{c}\t{d}" for a, b, c, d in self.ROWS]
        path = tmp_path / "r.tsv"
        path.write_text("\n".join(["system\tsegment\tjudge\trating", *lines]), encoding="utf-8")
        shown = output(capsys, "meta", "judges", "--ratings", str(path))
        assert "judges with themselves: outputs that a judge rated again" in shown
        assert ["r.tsv", "rating", "2", "2"] in [line.split()[:4] for line in shown.splitlines()]
        assert "preferences that the ratings imply" in shown


def test_the_consistency_rate_of_scalar_ratings() -> None:
    """The share of pairs of outputs of a segment that a metric orders as their ratings do."""
    people = Judgments(
        name="x", criterion="da", systems=("A", "B", "C"), values=np.arange(3.0),
        segments=np.array([[10.0, 50], [20, 50], [30, np.nan]]),
    )  # fmt: skip
    metric = MetricScores(
        metric="m", systems=("A", "B", "C"), values=np.arange(3.0),
        segments=np.array([[1.0, 1], [3, 2], [2, 5]]),
    )  # fmt: skip
    found = agree(people, metric, measures=["consistency"])["consistency"]
    # A<B and A<C are right, B<C is wrong; the second segment is a tie.
    assert found.value == pytest.approx(2 / 3)
    assert (found.count, found.unit) == (3, "pairs")
