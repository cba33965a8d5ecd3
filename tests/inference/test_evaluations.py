"""Evaluations with intervals and tests, from Python and on the command line."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.errors import InputError
from tertium.inference import (
    approximate_randomization,
    confidence_interval,
    paired_bootstrap,
    with_intervals,
    with_paired_bootstrap,
    with_randomization,
)
from tertium.metrics.contract.table import parse_metric
from tertium.results import Evaluation
from tertium.scored import scored
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs
from tests.support.commands import error, output

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm", "alder")]
ELM = SYSTEMS[1]
ONE = ["score", *REFERENCES, "-i", ELM]
ALL = ["score", *REFERENCES, "-i", *SYSTEMS]
METRICS = ("bleu", "wer")
ROUGH = "92 segments, fewer than 120: bootstrap intervals are rough"


@pytest.fixture(scope="module")
def sample() -> Chunk:
    return open_inputs(REFERENCES, SYSTEMS).load()


@pytest.fixture(scope="module")
def evaluation(sample: Chunk) -> Evaluation:
    return tertium.evaluate(sample.corpus, sample.systems, METRICS, rows=True)


def test_rows_are_kept_only_if_asked_for(sample: Chunk, evaluation: Evaluation) -> None:
    plain = tertium.evaluate(sample.corpus, sample.systems)
    assert plain.systems[0].scores[0].rows is None
    with pytest.raises(InputError, match="found no rows"):
        with_intervals(plain)
    for number, name in enumerate(METRICS):
        rows = scored(sample.corpus, sample.systems, [name]).rows[0]
        assert rows.shape == (3, 92, len(parse_metric(name).columns))
        for system, expected in zip(evaluation.systems, rows, strict=True):
            np.testing.assert_array_equal(system.scores[number].rows, expected)


def test_results_are_those_of_single_tests(sample: Chunk, evaluation: Evaluation) -> None:
    intervals = with_intervals(evaluation, trials=200, seed=5, level=0.9)
    resampled = with_paired_bootstrap(evaluation, trials=200, seed=5)
    swapped = with_randomization(evaluation, trials=200, seed=5)
    for m, name in enumerate(METRICS):
        metric = parse_metric(name)
        rows = scored(sample.corpus, sample.systems, [metric]).rows[0]
        for s in range(3):
            alone = confidence_interval(metric, rows[s], trials=200, seed=5, level=0.9)
            assert intervals.systems[s].scores[m].interval == alone.interval
            pair = (rows[0], rows[s])
            by_bootstrap = resampled.systems[s].scores[m].test
            by_swaps = swapped.systems[s].scores[m].test
            assert by_bootstrap is not None
            assert by_swaps is not None
            if s == 0:
                assert by_bootstrap.p_value is by_swaps.p_value is None
                continue
            expected = paired_bootstrap(metric, *pair, trials=200, seed=5)
            assert by_bootstrap.p_value == expected.p_value
            assert by_bootstrap.p_value_sacrebleu == expected.p_value_moses
            assert resampled.systems[s].scores[m].interval == expected.system_interval
            again = approximate_randomization(metric, *pair, trials=200, seed=5)
            assert by_swaps.p_value == again.p_value


def test_signature_has_the_keys_of_sacrebleu(evaluation: Evaluation) -> None:
    both = with_randomization(with_intervals(evaluation, seed=7, level=0.9), trials=50, seed=7)
    for made, keys in (
        (with_intervals(evaluation), "bs:1000|seed:12345"),
        (with_paired_bootstrap(evaluation, trials=10), "bs:10|seed:12345"),
        (with_randomization(evaluation, trials=10), "ar:10|seed:12345"),
        (both, "bs:1000|ar:50|seed:7|level:0.9"),
    ):
        signature = made.systems[0].scores[0].signature
        assert signature.startswith(f"nrefs:2|{keys}|case:mixed|")
        assert parse_metric(f"BLEU|{signature}") == parse_metric("bleu")


def test_a_test_needs_two_systems(sample: Chunk) -> None:
    alone = tertium.evaluate(sample.corpus, sample.systems[:1], rows=True)
    for function in (with_paired_bootstrap, with_randomization):
        with pytest.raises(InputError, match="found 1 system, expected a baseline"):
            function(alone)


# ---- the command line -----------------------------------------------------------------------


def test_line_of_sacrebleu(capsys: pytest.CaptureFixture[str]) -> None:
    from sacrebleu.metrics.bleu import BLEU

    read = [Path(path).read_text(encoding="utf-8").splitlines() for path in [ELM, *REFERENCES]]
    theirs = BLEU()
    line = theirs.corpus_score(read[0], read[1:], n_bootstrap=1000).format(
        width=1, signature=theirs.get_signature().format()
    )
    ours = output(capsys, *ONE, "--confidence", "-f", "text", warning=ROUGH).rstrip("\n")
    # Other random numbers, so the estimates differ a little; all else is the same.
    estimate = re.compile(r"μ = ([0-9.]+) ± ([0-9.]+)")
    for one, other in zip(
        *(map(float, estimate.findall(text)[0]) for text in (ours, line)), strict=True
    ):
        assert one == pytest.approx(other, abs=0.3)
    plain = re.compile(r"version:[^ |]+|[0-9.]+ ± [0-9.]+")
    assert plain.sub("", ours) == plain.sub("", line)


def test_json(capsys: pytest.CaptureFixture[str], evaluation: Evaluation) -> None:
    flags = ("-m", *METRICS, "-f", "json", "--seed", "3")
    made = json.loads(output(capsys, *ALL, *flags, "--paired-bs", "--paired-bs-n", "300"))
    expected = with_paired_bootstrap(evaluation, trials=300, seed=3).to_dict()
    assert made == json.loads(json.dumps(expected))
    made = json.loads(output(capsys, *ALL, *flags, "-par", "-parn", "300", "-ci", "-cin", "50"))
    expected = with_randomization(
        with_intervals(evaluation, trials=50, seed=3), trials=300, seed=3
    ).to_dict()
    assert made == json.loads(json.dumps(expected))
    assert made["systems"][0]["scores"][0]["test"]["p_value"] is None
    assert 0 < made["systems"][1]["scores"][0]["test"]["p_value"] < 1


def test_table(capsys: pytest.CaptureFixture[str], evaluation: Evaluation) -> None:
    lines = output(capsys, *ALL, "-m", "bleu", "--paired-bs").splitlines()
    tested = with_paired_bootstrap(evaluation)
    assert lines[0].split() == ["system", "BLEU", "±", "95", "%", "raw", "p", "corrected", "p"]
    for line, one in zip(lines[2:5], tested.systems, strict=True):
        score = one.scores[0]
        assert score.interval is not None
        assert score.test is not None
        cells = [one.system, f"{score.value:.2f}", f"{score.interval.half_width:.2f}"]
        if score.test.p_value is not None:
            shown = "<0.0001" if score.test.p_value == 1 / 10_001 else f"{score.test.p_value:.4f}"
            fixed = score.test.adjusted_p_value
            assert fixed is not None
            decides = "<0.0001" if fixed == 1 / 10_001 else f"{fixed:.4f}"
            cells += [shown, decides + "*" * (fixed <= 0.05)]
        assert line.split() == cells
    assert "by 92 segments, 10000 resamples, seed 12345" in lines[7]
    assert lines[8].startswith(
        "raw p: against birch, paired bootstrap by 92 segments, two-sided, 10000 resamples "
        "(smallest: 0.0001)"
    )
    assert lines[9:11] == [
        "corrected p: max-T over 2 tests: 2 systems",
        "*: significant at the 5 % level",
    ]
    assert lines[11] == f"warning: {ROUGH}"
    assert lines[12].startswith("BLEU  nrefs:2|bs:10000|seed:12345|")


def test_other_formats(capsys: pytest.CaptureFixture[str], evaluation: Evaluation) -> None:
    tested = with_randomization(with_intervals(evaluation))
    flags = ("-m", *METRICS, "--paired-ar", "--confidence")
    shown = output(capsys, *ALL, *flags, "-f", "tsv", warning=ROUGH)
    tsv = [line.split("\t") for line in shown.splitlines()]
    assert tsv[0][:5] == ["system", "bleu", "bleu.low", "bleu.high", "bleu.p"]
    score = tested.systems[1].scores[1]
    assert score.interval is not None
    assert score.test is not None
    interval, test = score.interval, score.test
    numbers = [score.value, interval.low, interval.high, test.p_value, test.adjusted_p_value]
    assert tsv[2][6:] == [repr(number) for number in numbers]
    assert tsv[1][4] == tsv[1][9] == ""
    latex = output(capsys, *ALL, *flags, "-f", "latex").splitlines()
    assert latex[0] == r"\begin{tabular}{lrrrrrrrr}"
    assert latex[2].startswith(r"system & BLEU & $\pm$ 95\,\% & raw $p$ & corrected $p$ & WER ")
    assert [line.count("&") for line in latex[4:7]] == [8, 8, 8]
    text = output(capsys, *ALL, *flags, "-f", "text", warning=ROUGH).splitlines()
    assert text[3].startswith("elm\tWER|nrefs:2|bs:1000|ar:10000|seed:12345|")
    assert f"± {score.interval.half_width:.1f}) (p = {score.test.p_value:.4f})" in text[3]
    numbers_only = output(capsys, *ALL, *flags, "-b", warning=ROUGH).splitlines()
    assert numbers_only[1].split("\t")[1] == text[3].partition(" = ")[2].partition(" (I =")[0]
    level = ("--alpha", "0.5")
    short = output(capsys, *ONE, "-ci", "-sh", "-f", "text", *level, warning=ROUGH)
    assert short.startswith("BLEU|#:2|bs:1000|rs:12345|level:0.5|c:mixed|")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([*ONE, "--paired-bs"], "found 1 system, expected a baseline and at least one more"),
        ([*ALL, "--paired-bs", "--paired-ar"], "not allowed with argument"),
        ([*ALL, "--paired-bs", "-ci"], "--confidence: found with --paired-bs"),
        ([*ONE, "-ci", "-sl"], "--confidence: found with --sentence-level"),
        ([*ALL, "--paired-ar", "--by", "genre"], "--paired-ar: found with --by"),
        ([*ONE, "--seed", "1"], "--seed: found alone, expected with --confidence or --paired-bs"),
        ([*ONE, "--trials", "9"], "--confidence-n: found alone, expected with --confidence"),
        ([*ALL, "-par", "--paired-bs-n", "9"], "--paired-bs-n: found alone, expected with"),
        ([*ONE, "-ci", "--alpha", "95"], "found '95', expected a significance level such as 0.05"),
        ([*ONE, "-ci", "-cin", "0"], "found '0', expected a whole number from 1 on"),
        ([*ONE, "-ci", "--seed", str(2**64)], "expected a whole number from 0 to 2^64 - 1"),
    ],
)
def test_errors(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert expected in error(capsys, *words)
