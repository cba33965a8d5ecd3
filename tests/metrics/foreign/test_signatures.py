"""Signatures of scores from elsewhere parse back, whatever the metric is called."""

from pathlib import Path

import pytest

from tertium import parse_metric
from tertium.errors import TertiumError
from tertium.metrics.foreign.command import CommandMetric
from tertium.metrics.foreign.file_scores import FileScores
from tertium.metrics.foreign.identity import ForeignMetric

NAMES = ["COMET", "My COMET", "BLEU", "MetricX-24", "a,b", '"quoted"', "مقياس", "度量"]


def same_again(metric: ForeignMetric, front: str) -> None:
    signature = metric.signature("2")
    again = parse_metric(f"{front}|{signature}")
    assert type(again) is type(metric)
    assert again.signature("2") == signature
    assert again.title == metric.title
    assert again.higher_is_better == metric.higher_is_better


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / "some scores.tsv"
    path.write_text("system\tsegment\tone\ttwo\na\t1\t0.5\t1\n", encoding="utf-8")
    metric = FileScores(file=str(path), label=name, column="two", model="x:y|z", higher="no")
    same_again(metric, metric.title)
    same_again(metric, "scores")


@pytest.mark.parametrize("name", NAMES)
def test_programs(name: str) -> None:
    metric = CommandMetric(run='python3 "my score.py" --a=b', label=name, release="1.2")
    same_again(metric, metric.title)
    same_again(metric, "command")


def test_what_tells_no_origin_is_unknown() -> None:
    with pytest.raises(TertiumError, match="unknown metric 'COMET'; tertium computes no"):
        parse_metric("COMET|nrefs:1|model:x|version:1")
    with pytest.raises(TertiumError, match="option of bleu 'file'"):
        parse_metric("BLEU|nrefs:1|file:x|version:1")
