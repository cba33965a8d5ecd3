"""What is made of words is cut alike by every command: not at all, unless the metric says how."""

import json
from pathlib import Path

import pytest

from tertium.decode.weights import word_metric
from tertium.metrics.contract.table import METRICS, parse_metric
from tests.support.commands import output

PLF = "((('it',-0.5,1),('U.S.,',-0.2,1),),(('is',0,1),('isn't',-1,1),),)\n".replace("n't", "n\\'t")
CUTTING = [
    name
    for name in METRICS
    if any(one.name == "tokenizer" for one in parse_metric(name).options) and name != "lrscore"
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    table = "source\treference\nx\tU.S., isn't\ny\tit is\n"
    contents = {"dev.plf": PLF * 2, "ref.en": "U.S., isn't\nit is\n", "ref.tsv": table}
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return {name: str(tmp_path / name) for name in contents}


@pytest.mark.parametrize("name", CUTTING)
def test_a_decoders_words_stay_whole(name: str) -> None:
    assert word_metric(name).spec == parse_metric(f"{name}[tokenizer=none]").spec
    assert word_metric(name, of_words=False) == parse_metric(name)
    assert word_metric(f"{name}[tokenizer=13a]") == parse_metric(name)
    assert word_metric(f"{name}|tok:13a") == parse_metric(name)
    assert word_metric(parse_metric(name)) == parse_metric(name)


def found(text: str, command: str) -> list[str]:
    """The metrics that a command's JSON says it scored by."""
    result = json.loads(text)
    return result["metrics"] if command == "tune" else [one["metric"] for one in result["scores"]]


@pytest.mark.parametrize("reference", ["ref.en", "ref.tsv"])
@pytest.mark.parametrize("command", ["oracle", "mbr", "tune"])
def test_one_rule_and_one_reader(
    command: str, reference: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = ["amber", "bleu", "bleu[tokenizer=13a]", "WER|tok:13a", "chrf"]
    expected = ["amber[tokenizer=none]", "bleu[tokenizer=none]", "bleu", "wer", "chrf"]
    words = {
        "oracle": [files["dev.plf"], files[reference], "-m", metrics[0], "--also", *metrics[1:]],
        "mbr": [
            *(files["dev.plf"], "-r", files[reference], "--utility", metrics[0]),
            *("--also", *metrics[1:], "--paths", "4", "--samples", "9"),
        ],
        "tune": [
            *(files[reference], "-i", files["dev.plf"], "-m", metrics[1], "--restarts", "0"),
            *("--also", metrics[0], *metrics[2:]),
        ],
    }
    shown = found(output(capsys, command, *words[command], "-f", "json"), command)
    assert sorted(shown) == sorted(expected)


def test_a_flag_says_how_too(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tune", files["ref.en"], "-i", files["dev.plf"], "--restarts", "0", "-f", "json"]
    shown = output(capsys, *words, "-tok", "13a", "--also", "amber[tokenizer=char]")
    assert found(shown, "tune") == ["bleu", "amber[tokenizer=char]"]
