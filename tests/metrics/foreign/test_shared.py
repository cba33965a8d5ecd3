"""The metric scores of WMT23, all of them, as metrics beside BLEU and chrF."""

import json
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.metrics.foreign.file_scores import metrics_of_files
from tertium.text.input_files import open_inputs
from tests.support.commands import error, output

pytestmark = pytest.mark.shared

PAIRS = {"zh-en": 1976, "he-en": 1910}
MEANS = {
    "BERTscore", "BLEURT-20", "COMET", "CometKiwi", "GEMBA-MQM", "MetricX-23", "XCOMET-Ensemble",
    "YiSi-1", "prismSrc",
}  # fmt: skip
"""Metrics whose official system score is the mean of their segment scores."""


def outputs(wmt23: Path, pair: str) -> list[Path]:
    files = sorted((wmt23 / "system-outputs" / pair).glob("*.txt"))
    return [path for path in files if "ref" not in path.stem]


@pytest.fixture
def wmt23(shared_data: Path) -> Path:
    return shared_data / "wmt23"


@pytest.mark.parametrize("pair", PAIRS)
def test_all_metric_scores_are_metrics(wmt23: Path, pair: str) -> None:
    metrics = metrics_of_files([wmt23], pair=pair)
    assert {one.title for one in metrics} == MEANS | {"BLEU", "chrF", "f200spBLEU"}
    assert all(one.higher_is_better for one in metrics)  # as the shared task asks for
    whole = open_inputs([wmt23 / "references" / f"{pair}.refA.txt"], outputs(wmt23, pair)).load()
    assert len(whole.corpus) == PAIRS[pair]
    found = tertium.evaluate(whole.corpus, whole.systems, metrics)
    for place, metric in enumerate(metrics):
        path = Path(metric.file.replace(".seg.", ".sys."))
        official = dict(line.split("\t") for line in path.read_text("utf-8").splitlines())
        for system in found.systems:
            if metric.title in MEANS:
                expected = float(official[system.system])
                assert system.scores[place].value == pytest.approx(expected, abs=1e-9)
    means = "BLEU, chrF, f200spBLEU: a mean of segment scores, which is not the corpus score"
    assert any(one.startswith(means) for one in found.warnings)


def test_a_folder_of_several_pairs(wmt23: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference = str(wmt23 / "references" / "zh-en.refA.txt")
    words = ["score", reference, "-i", *map(str, outputs(wmt23, "zh-en")[:1])]
    message = error(capsys, *words, "--scores", str(wmt23))
    assert message.endswith(
        f"found he-en, zh-en, expected one of them: {wmt23}/metric-scores/he-en"
    )
    other = str(wmt23 / "metric-scores" / "he-en" / "COMET-refA.seg.score")
    message = error(capsys, *words, "--scores", other)
    assert "COMET-refA.seg.score: found scores of GPT4-5shot," in message
    assert "expected some of ANVITA" in message


@pytest.fixture
def words(wmt23: Path) -> list[str]:
    folder = wmt23 / "metric-scores" / "zh-en"
    return [
        str(wmt23 / "references" / "zh-en.refA.txt"),
        "-i",
        *map(str, outputs(wmt23, "zh-en")),
        "-m",
        "bleu",
        "chrf",
        "--scores",
        str(folder / "COMET-refA.seg.score"),
        str(folder / "MetricX-23-refA.seg.score"),
    ]


TITLES = ["BLEU", "chrF", "COMET", "MetricX-23"]


def test_compare_has_one_table(
    words: list[str], wmt23: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = str(wmt23 / "documents" / "zh-en.docs")
    few = [*words[:2], *words[2:5], *words[words.index("-m") :]]
    made = ["compare", *few, "--documents", documents, "--trials", "200", "--sections", "scores"]
    shown = output(capsys, *made)
    [heading] = [line for line in shown.splitlines() if "± 95 %" in line]
    assert all(f"{title} ± 95 %" in heading for title in TITLES)
    found = json.loads(output(capsys, *made, "-f", "json"))
    assert [len(one["scores"]) for one in found["systems"]] == [4, 4, 4]


def test_audit_and_report(
    words: list[str], wmt23: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = [*words[:2], *words[2:5], *words[words.index("-m") :]]
    few += ["--documents", str(wmt23 / "documents" / "zh-en.docs")]
    found = json.loads(output(capsys, "audit", *few, "-f", "json"))
    assert len(found["systems"][0]["scores"]) == 4
    assert {one["audit"] for one in found["skipped"]} >= {"deletion", "straw-men"}
    page = tmp_path / "page.html"
    output(capsys, "report", *few, "--trials", "100", "-o", str(page))
    text = page.read_text(encoding="utf-8")
    assert all(title in text for title in TITLES)


def test_meta_agree_has_one_table(
    words: list[str], wmt23: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same as from published scores, where both can be had."""
    ratings = ["--ratings", str(wmt23 / "human-scores"), "--pair", "zh-en", "--criterion", "mqm"]
    more = ["--resample", "none", "-f", "json"]
    found = json.loads(output(capsys, "meta", "agree", *words, *ratings, *more))
    scores = str(wmt23 / "metric-scores" / "zh-en")
    words = ["meta", "agree", "--scores", scores, *ratings, *more]
    published = json.loads(output(capsys, *words, "-m", "COMET-refA", "MetricX-23-refA"))

    def measured(report: dict[str, object]) -> dict[str, dict[str, float]]:
        return {
            one["metric"].split("name=")[-1].split(",")[0].removesuffix("-refA"): {
                each["measure"]: each["value"] for each in one["measures"]
            }
            for one in report["agreements"]  # type: ignore[attr-defined]
        }

    ours, theirs = measured(found), measured(published)
    assert set(ours) == {"bleu", "chrf", "COMET", "MetricX-23"}
    assert set(theirs) == {"COMET", "MetricX-23"}
    for name, values in theirs.items():
        for measure, value in values.items():
            np.testing.assert_allclose(ours[name][measure], value, rtol=1e-9)
