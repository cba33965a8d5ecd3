"""Every command scores by the same metrics where none is named."""

import pytest
from tools.flags import flags_of_commands

from tertium.cli.score import usual_metrics
from tertium.decide.decide import decide
from tertium.metrics.contract.summaries import DEFAULT_METRICS
from tests.support.commands import json_output, output
from tests.support.places import SAMPLE

OWN_DEFAULT = {
    "tune": "bleu",  # what weights are tuned for, one metric at a time
    "meta curve": "bleu",  # n-grams of words, of many lengths
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


def test_python_decides_by_the_same_metrics() -> None:
    texts = ["a cat sat there"] * 8
    decision = decide(texts, {"one": texts, "two": ["a cat was there"] * 8}, audit=False, trials=20)
    assert [piece.metric.name for piece in decision.verdicts[0].metrics] == list(DEFAULT_METRICS)
