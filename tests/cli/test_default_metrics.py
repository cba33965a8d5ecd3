"""Every command scores by the same metrics where none is named."""

import pytest
from tools.flags import flags_of_commands

import tertium
from tertium.cli.score import usual_metrics
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tests.support.commands import json_output, output
from tests.support.places import SAMPLE

OWN_DEFAULT = {
    "tune": "bleu",  # what weights are tuned for, one metric at a time
    "meta curve": "bleu",  # n-grams of words, of many lengths
    "meta rank": "all",  # of the files of scores
    "meta worth": "all that have a curve",
    "meta orange": "bleu[smoothing=lin-och] nist wer per rouge-l rouge-s gtm",  # the paper's
    "meta fit": "",  # named by the user
}
"""Commands whose metrics are about something else, and what they are."""

WORDS = [
    str(SAMPLE / "reference.1.en"),
    "-i",
    *(str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm")),
]
USUAL = " ".join(DEFAULT_METRICS)


def test_help_says_the_same_metrics_everywhere() -> None:
    said = {
        name: (flag.help or "").partition(" (default: ")[2].removesuffix(")").partition(";")[0]
        for name, flag in flags_of_commands()["--metrics"].items()
    }
    assert {name: text for name, text in said.items() if text != USUAL} == OWN_DEFAULT


@pytest.mark.parametrize("command", ["score", "compare", "decide", "power"])
def test_commands_do_what_their_help_says(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Audits, reports and training runs take the same list from the same flag."""
    quick = {"score": []}.get(command, ["--trials", "20"])
    result = json_output(capsys, command, *WORDS, *quick)
    scores = result["systems"][-1]["scores"]
    assert [score["metric"] for score in scores] == list(DEFAULT_METRICS)


def test_what_prints_as_another_program_does_has_the_metric_of_that_program(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        usual_metrics("table") == usual_metrics("json") == usual_metrics("tsv") == DEFAULT_METRICS
    )
    for words in (["-b"], ["-f", "text"], ["-f", "multi-bleu"]):
        assert output(capsys, "score", *WORDS[:3], *words) == output(
            capsys, "score", *WORDS[:3], *words, "-m", "bleu"
        )


TEXTS = ["a cat sat there"] * 8
TWO = {"one": TEXTS, "two": ["a cat was there"] * 8}


def test_python_takes_the_same_metrics() -> None:
    usual = list(DEFAULT_METRICS)
    decision = tertium.decide(TWO, TEXTS, audit=False, trials=20)
    assert [piece.metric.name for piece in decision.verdicts[0].metrics] == usual
    evaluation = tertium.evaluate(TWO, TEXTS)
    assert [score.metric.name for score in evaluation["two"].scores] == usual
    assert [metric.name for metric in tertium.scored(TWO, TEXTS).metrics] == usual
    compared = tertium.compare(TWO, TEXTS, sections=["scores"], trials=20)
    assert compared.scores is not None
    assert [metric.name for metric in compared.scores.metrics] == usual
    assert [pair.metric.name for pair in tertium.power(TWO, TEXTS, trials=20).pairs] == usual


def test_one_score_is_that_of_one_metric() -> None:
    assert tertium.score(TEXTS, TEXTS).metric.name == "bleu"
