"""The filter in OpusFilter: scores, decisions and whole configurations."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import tertium
from tests.support.integrations.texts import (
    HYPOTHESES,
    METRICS,
    REFERENCES,
    SCRIPT_REFERENCES,
    SCRIPTS,
    segments,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

opusfilter = pytest.importorskip(
    "opusfilter", reason="opusfilter is missing: make test-integrations"
)

from tertium.integrations.opusfilter import TertiumFilter  # noqa: E402

ROWS = [(ours, *theirs) for ours, theirs in zip(HYPOTHESES, REFERENCES, strict=True)]


@pytest.mark.parametrize("metric", METRICS)
def test_scores_have_the_bits_of_score(metric: str) -> None:
    found = TertiumFilter(metric, references=[1, 2]).score(iter(ROWS))
    assert list(found) == segments(metric, HYPOTHESES, REFERENCES)


@pytest.mark.parametrize(("metric", "threshold"), [("chrf", 60), ("ter", 40)])
def test_decisions_follow_the_direction(metric: str, threshold: float) -> None:
    one = TertiumFilter(metric, threshold=threshold, references=[1, 2])
    scores = segments(metric, HYPOTHESES, REFERENCES)
    good = [score >= threshold if metric == "chrf" else score <= threshold for score in scores]
    assert 0 < sum(good) < len(good)
    assert list(one.decisions(ROWS)) == good
    assert list(one.filter(iter(ROWS))) == [r for r, g in zip(ROWS, good, strict=True) if g]
    assert list(one.filterfalse(iter(ROWS))) == [
        r for r, g in zip(ROWS, good, strict=True) if not g
    ]
    clean = opusfilter.CLEAN_HIGH if metric == "chrf" else opusfilter.CLEAN_LOW
    assert one.score_direction == clean
    for limit, number in ((one.accept_threshold, len(ROWS)), (one.reject_threshold, 0)):
        other = TertiumFilter(metric, threshold=limit, references=[1, 2])
        assert sum(other.decisions(ROWS)) == number


def configured(folder: Path, step: str, parameters: dict[str, Any]) -> None:
    program = pytest.importorskip("opusfilter.opusfilter").OpusFilter
    for column in range(3):
        text = "".join(f"{row[column]}\n" for row in ROWS)
        (folder / f"{column}.txt").write_text(text, encoding="utf-8")
    step_of = {
        "type": step,
        "parameters": {
            "inputs": [f"{column}.txt" for column in range(3)],
            "filters": [
                {
                    "TertiumFilter": {"metric": "chrf", "references": [1, 2], "threshold": 60},
                    "module": "tertium.integrations.opusfilter",
                }
            ],
            **parameters,
        },
    }
    configuration = {"common": {"output_directory": str(folder)}, "steps": [step_of]}
    program(configuration).execute_steps()


def test_a_configuration_that_scores(tmp_path: Path) -> None:
    configured(tmp_path, "score", {"output": "scores.jsonl"})
    lines = (tmp_path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line)["TertiumFilter"] for line in lines]
    assert found == segments("chrf", HYPOTHESES, REFERENCES)


def test_a_configuration_that_filters(tmp_path: Path) -> None:
    configured(tmp_path, "filter", {"outputs": [f"kept.{column}" for column in range(3)]})
    kept = (tmp_path / "kept.0").read_text(encoding="utf-8").splitlines()
    scores = segments("chrf", HYPOTHESES, REFERENCES)
    assert kept == [h for h, s in zip(HYPOTHESES, scores, strict=True) if s >= 60]


def test_other_scripts_line_ends_and_nothing() -> None:
    rows = [
        (text + "\n", theirs[0] + "\n")
        for text, theirs in zip(SCRIPTS, SCRIPT_REFERENCES, strict=True)
    ]
    single = [[one[0]] for one in SCRIPT_REFERENCES]
    assert list(TertiumFilter("chrf").score(rows)) == segments("chrf", SCRIPTS, single)
    assert list(TertiumFilter("chrf").score([])) == []
    assert not TertiumFilter("chrf").accept(math.nan)


def test_refusals() -> None:
    with pytest.raises(tertium.OptionError, match=r"references: found columns \[0\], expected"):
        TertiumFilter("chrf", references=0)
    with pytest.raises(tertium.OptionError, match=r"references: found columns \[\], expected"):
        TertiumFilter("chrf", references=[])
    with pytest.raises(tertium.InputError, match="found 2 columns, expected column 2"):
        list(TertiumFilter("chrf", references=2).score([("a", "b")]))
    with pytest.raises(tertium.OptionError, match=r"^nist: found a metric that has not seen"):
        TertiumFilter("nist")
