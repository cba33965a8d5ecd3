"""Monstrous segments: what they cost is said before, and a limit refuses them by their place."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium import Corpus, System
from tertium.errors import InputError
from tertium.evaluation import evaluate
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.costs import (
    PATIENCE,
    CostWarning,
    Growth,
    warn_of_costs,
    warn_of_pairs,
)
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.text.input_files import open_inputs
from tertium.text.inputs import token_count
from tests.support.commands import error, output, ran

LONG = "كلمة " * 1500
"""1500 words: TERp takes half a minute for two such texts that differ everywhere."""


def told(metric: Metric, hypotheses: list[str], references: list[str | list[str]]) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        system = System(name="sys", hypotheses=hypotheses)
        warn_of_costs(metric, system, Corpus(references=references), before=10)
    assert all(one.category is CostWarning for one in found)
    return [str(one.message) for one in found]


def test_the_place_and_the_time_are_told() -> None:
    metric = parse_metric("terp")
    (message,) = told(metric, ["a", LONG, LONG], ["a", LONG, [LONG, "b"]])
    # 5.8 seconds for a thousand words, by the third power: 2 · 5.8 · 1.5³ and a little
    assert message == (
        "sys: segment 13 (and 1 more): 1500 words against 1500 may take TERp up to 39 seconds; "
        "--max-tokens N refuses such segments"
    )
    assert told(metric, [LONG, "a"], ["a", LONG]) == []
    assert told(metric, ["a b"] * 5, ["a c"] * 5) == []
    assert told(parse_metric("bleu"), [LONG * 50], [LONG * 50]) == []
    assert told(parse_metric("ter"), [LONG], [LONG]) == []
    assert len(told(parse_metric("ter[behaviour=tercom]"), [LONG], [LONG])) == 1


def test_words_are_those_of_the_metric() -> None:
    text = "猫坐在垫子上。" * 30_000
    (message,) = told(parse_metric("grr[tokenizer=zh]"), [text], [text])
    assert "210000 words against 210000 may take GRR up to 71 seconds" in message
    assert told(parse_metric("grr"), [text], [text]) == []  # one word


@pytest.mark.parametrize("name", sorted(set(METRICS) - {"scores", "command"}))
def test_no_metric_warns_of_what_is_usual(name: str) -> None:
    growth = parse_metric(name).growth or Growth(seconds=1e-9, power=1)
    assert growth.of(500, 500) < PATIENCE
    assert growth.of(growth.shortest - 1, growth.shortest - 1) <= PATIENCE
    assert growth.of(2 * growth.shortest, 2 * growth.shortest) > PATIENCE


def test_metrics_that_grow_faster_than_their_texts_say_so() -> None:
    growing = {name for name in METRICS if growth_of(name)}
    assert growing == {
        *("amber", "amber-basic", "grr", "gtm", "rouge-l", "rouge-s", "rouge-su", "rouge-w"),
        *("terp", "wer", "wrr"),
    }


def growth_of(name: str) -> Growth | None:
    return None if name in {"scores", "command"} else parse_metric(name).growth


def test_quicker_growth_has_a_lower_limit() -> None:
    assert Growth(seconds=1, power=2).shortest == 3162
    assert Growth(seconds=1, power=4).shortest == 1778
    assert Growth(seconds=1, power=2).of(0, 10**9) == 0


def test_evaluations_warn_before_they_work() -> None:
    corpus, systems = Corpus(references=[LONG]), [System(name="sys", hypotheses=[LONG])]
    for call in (
        lambda: evaluate(corpus, systems, ["terp"]),
        lambda: tertium.scored(corpus, systems, ["terp"]),
    ):
        with pytest.warns(CostWarning, match="sys: segment 1: 1500 words against 1500"):
            call()


def test_the_command_says_it_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref").write_text(f"a b\n{LONG}\n", encoding="utf-8")
    words = ["score", str(tmp_path / "ref"), "-i", str(tmp_path / "ref"), "-m", "terp", "-b"]
    done = ran(capsys, *words)
    assert (done.status, done.out) == (0, "0.0\n")
    assert done.err == (
        "tertium: warning: ref: segment 2: 1500 words against 1500 may take TERp up to 20 seconds; "
        "--max-tokens N refuses such segments\n"
    )
    assert ran(capsys, *words, "-q").err == ""


def test_candidates_against_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two texts of 1500 words against both: four times 5.8 · 1.5³ seconds, if they differed."""
    (tmp_path / "list").write_text(f"a\nb\n{LONG}\n{LONG}c\n", encoding="utf-8")
    words = ["mbr", str(tmp_path / "list"), "--lines", "2", "--utility", "wer"]
    assert ran(capsys, *words, "-f", "lines").err == ""
    with pytest.warns(CostWarning) as found:
        warn_of_pairs(parse_metric("terp"), [LONG, f"{LONG}c"], [LONG, f"{LONG}c"], "segment 1")
    assert str(found[0].message) == (
        "segment 1: 2 candidates of up to 1501 words against 2 may take TERp up to 78 seconds; "
        "--max-tokens N refuses such candidates"
    )
    short = ["a b c"] * 1000
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_pairs(parse_metric("terp"), short, short, "segment 1")
        warn_of_pairs(parse_metric("bleu"), [LONG], [LONG], "segment 1")
        warn_of_pairs(parse_metric("terp"), [LONG], ["a"], "segment 1")


@pytest.mark.parametrize("command", ["oracle --each", "mbr", "oracle", "rerank"])
def test_too_long_a_candidate_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_text("a\nb\nc d\nc, d e\n", encoding="utf-8")
    (tmp_path / "ref").write_text("a\nc\n", encoding="utf-8")
    words = [
        *command.split(),
        str(tmp_path / "list"),
        "--lines",
        "2",
        "-r",
        str(tmp_path / "ref"),
        "-q",
    ]
    words += ["--add-metric", "wer", "--against", "references"] if command == "rerank" else []
    said = "tertium: segment 1, candidate 2: 4 tokens, expected at most 3 (--max-tokens)"
    refused = ran(capsys, *words, "--max-tokens", "3")
    assert (refused.status, refused.err) == (2, f"{said}\n")
    assert ran(capsys, *words, "--max-tokens", "4").status == 0


# Tokens as 13a has them, and every Chinese character.
COUNTS = [
    ("", 0),
    (" ", 0),
    ("a b", 2),
    ("Ja, gut.", 4),
    ("猫 cat", 2),
    ("猫坐在", 3),
    ("קט, טוב", 3),
]


@pytest.mark.parametrize(("text", "count"), COUNTS)
def test_tokens(text: str, count: int) -> None:
    assert token_count(text) == count
    assert token_count(" ".join([text] * 1000)) == 1000 * count


def test_long_text_is_counted_in_pieces() -> None:
    numbers = np.arange(400_000).astype(str)
    assert token_count(" ".join(numbers)) == len(numbers)


@pytest.mark.parametrize("command", ["score", "compare", "audit", "explain", "nee"])
def test_too_long_is_refused_by_file_and_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ref").write_text("a\nb\nc d\n", encoding="utf-8")
    (tmp_path / "sys").write_text("a\nb b, b b\nc\n", encoding="utf-8")
    ref, sys_ = str(tmp_path / "ref"), str(tmp_path / "sys")
    words = [command, ref, "-i", sys_, "--max-tokens"]
    said = f"tertium: {sys_}:2: 5 tokens, expected at most 4 (--max-tokens)"
    assert error(capsys, *words, "4") == said
    assert error(capsys, *words, "1").startswith(f"tertium: {ref}:3: 2 tokens, expected at most 1")
    assert "expected a whole number from 1 on" in ran(capsys, *words, "0").err
    if command == "score":
        assert (
            output(capsys, *words, "5", "-b", "-m", "wer") == "125.0\n"
        )  # four insertions, one deletion, four words


def test_segments_of_tables_have_no_lines(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("reference\thypothesis\na\tb c d\n", encoding="utf-8")
    inputs = open_inputs(tmp_path / "t.tsv", max_tokens=2)
    with pytest.raises(InputError, match=r"t.tsv: segment 1: 3 tokens, expected at most 2"):
        inputs.load()


def test_flags_that_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score", "ref", "--max-tokens", "5"]
    assert "found with --engine" in error(capsys, *words, "--engine", "dask")
    assert "--follow: found --max-tokens too" in error(capsys, *words, "--follow", str(tmp_path))
