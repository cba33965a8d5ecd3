"""References that were rated as systems say nothing of a metric, and are left out."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tertium.cli.demo import SAMPLE
from tertium.errors import InputError, OptionError
from tertium.meta import agree, read_judgments, read_scores
from tertium.meta.agreement.shared_systems import align
from tertium.meta.ratings.judgments import Comparisons, Judgments, MetricScores
from tertium.meta.ratings.system_names import REFERENCE, is_reference_name, without
from tests.support.commands import output

# The reference is rated like a good system, and scores 100 against itself.
RATED = {"A": 70, "B": 60, "C": 50, "D": 40, "refA": 62}
SCORED = {"A": 35, "B": 30, "C": 26, "D": 20, "refA": 100}


def fill(folder: Path, *, rated: dict[str, int] = RATED, scored: dict[str, int] = SCORED) -> Path:
    for name, numbers in (("zh-en.mqm.sys.score", rated), ("zh-en.BLEU-refA.sys.score", scored)):
        (folder / name).write_text("".join(f"{key}\t{one}\n" for key, one in numbers.items()))
    return folder


def agreed(capsys: pytest.CaptureFixture[str], folder: Path, *flags: str) -> dict[str, object]:
    ratings, scores = (str(folder / f"zh-en.{one}.sys.score") for one in ("mqm", "BLEU-refA"))
    words = ["--ratings", ratings, "--scores", scores, "--pair", "zh-en", "--resample", "none"]
    found: dict[str, object] = json.loads(
        output(capsys, "meta", "agree", *words, "-f", "json", *flags)
    )["agreements"][0]
    return found


def names(found: dict[str, object]) -> set[str]:
    return {one["system"] for one in found["systems"]}  # type: ignore[attr-defined]


def pearson(found: dict[str, object]) -> float:
    [value] = [one["value"] for one in found["measures"] if one["measure"] == "pearson"]  # type: ignore[attr-defined]
    return float(value)


def test_a_reference_scored_against_itself_does_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path)
    found = agreed(capsys, tmp_path)
    assert names(found) == {"A", "B", "C", "D"}
    assert pearson(found) > 0.99
    assert found["exclusions"] == [{"reason": REFERENCE, "count": 1, "example": "refA"}]


def test_it_does_if_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = agreed(capsys, fill(tmp_path), "--include-references")
    assert names(found) == set(RATED)
    assert pearson(found) < 0.5
    assert found["exclusions"] == []


def test_systems_named_by_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = agreed(capsys, fill(tmp_path), "--exclude", "D*", "--include-references")
    assert names(found) == {"A", "B", "C", "refA"}
    with pytest.raises(OptionError, match="unknown rated system 'E'"):
        read_judgments(tmp_path / "zh-en.mqm.sys.score", exclude=["E"])


def test_only_references_is_an_error(tmp_path: Path) -> None:
    fill(tmp_path, rated={"refA": 1, "refB": 2})
    with pytest.raises(InputError, match=r"found only systems that are left out \(refA, refB\)"):
        read_judgments(tmp_path / "zh-en.mqm.sys.score")


def test_a_reference_that_only_the_metric_knows_is_called_what_it_is(tmp_path: Path) -> None:
    rated = {name: one for name, one in RATED.items() if name != "refA"}
    folder = fill(tmp_path, rated=rated)
    [people] = read_judgments(folder / "zh-en.mqm.sys.score")
    [metric] = read_scores(folder / "zh-en.BLEU-refA.sys.score")["zh-en"]
    found = agree(people, metric, measures=["pearson"])
    assert [str(one) for one in found.exclusions] == ["1 system without a rating (such as refA)"]


def test_output_that_is_a_reference_is_left_out_under_any_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "willow.txt"
    copy.write_text((SAMPLE / "reference.2.en").read_text(encoding="utf-8"), encoding="utf-8")
    ratings = tmp_path / "ratings.tsv"
    text = (SAMPLE / "ratings.tsv").read_text(encoding="utf-8")
    ratings.write_text(text.replace("\nbirch\t", "\nwillow\t"), encoding="utf-8")
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    references = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
    flags = ["--ratings", str(ratings), "--criterion", "adequacy", "--resample", "none"]
    words = ["meta", "agree", *references, "-i", *systems, str(copy), *flags]
    shown = output(capsys, *words)
    assert "1 system whose output is a reference, left out (such as willow)" in shown
    assert "is a reference" not in output(capsys, *words, "--include-references")


def test_comparisons_with_a_reference_are_left_out_too() -> None:
    made = Comparisons(
        segment=np.zeros(3, int), judge=np.zeros(3, int),
        better=np.array([0, 2, 2]), worse=np.array([1, 0, 1]), tie=np.zeros(3, bool),
    )  # fmt: skip
    people = Judgments(
        name="x", criterion="rank", systems=("refA", "A", "B"), values=np.arange(3.0),
        comparisons=made,
    )  # fmt: skip
    left = without(people, {"refA": REFERENCE})
    assert left.systems == ("A", "B")
    assert left.comparisons is not None
    assert (left.comparisons.better.tolist(), left.comparisons.worse.tolist()) == ([1], [0])
    scores = MetricScores(metric="m", systems=("refA", "A", "B"), values=np.arange(3.0))
    assert align(left, scores).exclusions == ()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("ref", "refA", "REF-B", "ref.C", "Human-A.0", "reference", "synthetic_ref"), True),
        (("newstest2019-ref", "newstest2020.refB"), True),
        (("ONLINE-A", "refined", "prefer", "human-centred", "referee", "Reframe"), False),
    ],
)
def test_names_of_references(names: Sequence[str], *, expected: bool) -> None:
    assert [is_reference_name(name) for name in names] == [expected] * len(names)


@pytest.mark.shared
def test_metrics_of_wmt23_are_held_against_the_same_systems(shared_data: Path) -> None:
    """refA was rated; metrics without a reference scored it, the others could not."""
    human = shared_data / "wmt23" / "human-scores"
    published = read_scores(shared_data / "wmt23/metric-scores/zh-en", pair="zh-en")["zh-en"]
    files = [human / f"zh-en.mqm.{level}.score" for level in ("sys", "seg")]
    for include, counts, r in ((False, {15}, 0.963), (True, {15, 16}, 0.888)):
        [people] = read_judgments(files, pair="zh-en", include_references=include)
        found = {one.metric: agree(people, one, measures=["pearson"]) for one in published}
        assert {len(one.systems) for one in found.values()} == counts
        assert found["CometKiwi-src"]["pearson"].value == pytest.approx(r, abs=5e-4)
