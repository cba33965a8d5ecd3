"""``tertium decide`` and ``tertium power`` as users run them: text, JSON, exit codes, mistakes."""

from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tests.support.commands import error, json_output, output, ran

PAIR = ["reference.1.en", "reference.2.en", "-i", "systems/birch.txt", "systems/elm.txt"]
BETTER = ["reference.1.en", "reference.2.en", "-i", "systems/birch.txt", "systems/alder.txt"]


@pytest.fixture(autouse=True)
def in_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)


def test_the_reversal_of_the_sample_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(
        capsys, "decide", *PAIR, "--documents", "documents.tsv", "--resample", "segments"
    )
    assert shown.startswith(
        "elm and birch: no significant difference (this test set detects 4.44 BLEU or\n"
        "2.97 chrF or more). By BLEU elm is ahead in every genre, yet birch on the whole.\n"
    )
    assert "elm is ahead of birch in every genre (news 48.31 to\n" in shown
    tables = ("metric", "─", "BLEU", "chrF")
    prose = [line for line in shown.splitlines() if not line.startswith(tables)]
    assert max(map(len, prose)) <= 80


def test_json_has_the_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    made = json_output(capsys, "decide", *PAIR, "--documents", "documents.tsv")
    assert made["systems"][1]["verdict"] == "no difference"
    assert made["systems"][1]["sentence"].endswith(
        "By BLEU elm is ahead in every genre, yet birch on the whole."
    )
    assert (made["unit"], made["units"], made["test"]) == ("document", 8, "randomization")
    assert made["requirement"] is None


@pytest.mark.parametrize(
    ("flags", "status", "said"),
    [
        ([*PAIR], 0, ""),
        ([*PAIR, "--require", "better"], 1, "required: better: does not hold\n  elm: no signif"),
        ([*PAIR, "--require", "not-worse"], 0, "required: not-worse: holds\n"),
        ([*PAIR, "--require", "not-worse"], 0, "ask for the scores by --require not-lower\n"),
        ([*PAIR, "--require", "not-lower"], 0, "required: not-lower: holds\n\n"),
        ([*PAIR, "--require", "not-worse", "--margin", "1"], 1, "by a margin of 1: does not hold"),
        ([*PAIR, "--require", "not-worse", "--margin", "9"], 0, "by a margin of 9: holds"),
        ([*BETTER, "--require", "better"], 1, "does not hold\n  alder: scores higher\n"),
        ([*BETTER, "--require", "higher"], 0, "required: higher: holds\none witness: BLEU and"),
        ([*BETTER, "--require", "higher", "--margin", "9", "3"], 0, "by a margin of 9, 3: holds"),
        ([*BETTER, "--require", "higher", "--margin", "9"], 1, "may be as low as +5.09, expected"),
    ],
)
def test_exit_codes(
    flags: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = ran(capsys, "decide", *flags, "--no-audit")
    assert (outcome.status, outcome.err) == (status, "")
    assert said in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([*PAIR[:4]], "systems: found 1, expected a baseline and at least one more"),
        ([*PAIR, "--margin", "1"], "margin: found no requirement, expected require better,"),
        ([*PAIR, "--require", "good"], "'good'"),
        ([*PAIR, "--llm", "elms"], "did you mean 'elm'?"),
        (
            [*PAIR, "--metric-kind", "trained"],
            "--metric-kind: found 'trained', expected a metric and",
        ),
        ([*PAIR, "--metric-kind", "bleu=trained"], "unknown metric 'bleu'; known: BLEU, chrF"),
        (
            [*PAIR, "--metric-kind", "BLEU=good"],
            "evidence: found 'good' for BLEU, expected overlap,",
        ),
        (
            [*PAIR, "--require", "better", "--margin", "1", "2", "3"],
            "margin: found 3, expected one",
        ),
        ([*PAIR, "--alpha", "2"], "--alpha: found '2', expected a significance level"),
        ([*PAIR, "-m", "blue"], "did you mean 'bleu'?"),
        (["missing.en", *PAIR[2:]], "missing.en: no such file"),
    ],
)
def test_mistakes(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in error(capsys, "decide", *words)


def test_scores_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        f"{name}\t{value + place * step % 5 / 10}\n"
        for name, value, step in (("birch", 0.5, 1), ("elm", 0.58, 3))
        for place in range(92)
    ]
    file = tmp_path / "JUDGE-ref.seg.score"
    file.write_text("".join(lines), encoding="utf-8")
    shown = output(capsys, "decide", *PAIR, "--scores", str(file))
    silent = "by JUDGE; BLEU and chrF: no significant\ndifference.\n"
    assert shown.startswith(f"elm scores higher than birch, {silent}")
    # What a judge of that name is only its user knows.
    evidence = ["--metric-kind", "JUDGE=reference-free", "--require", "better"]
    shown = output(capsys, "decide", *PAIR, "--scores", str(file), *evidence)
    assert shown.startswith("elm is better than birch, by JUDGE; BLEU and chrF: no significant ")


def test_compare_opens_with_the_same_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    decided = output(capsys, "decide", *BETTER, "-m", "bleu", "--no-audit")
    compared = output(capsys, "compare", *BETTER, "-m", "bleu", "--sections", "scores")
    sentence = "alder scores higher than birch, by BLEU, the only metric that was asked.\n"
    assert decided.startswith(sentence)
    assert compared.startswith(sentence)


def test_power(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "power", *PAIR, "-m", "bleu")
    assert shown.startswith(
        "elm and birch, BLEU: this test set finds a true difference of 4.44 in 80% of the\n"
        "cases, and one of 0.89, as observed, in 9%; for 80% it would take 2307 segments.\n"
    )
    assert max(map(len, shown.splitlines())) <= 80
    by_documents = json_output(capsys, "power", *PAIR, "-m", "bleu", "--documents", "documents.tsv")
    assert (by_documents["unit"], by_documents["units"]) == ("document", 8)
    assert by_documents["warnings"] == ["8 documents are few: all of this is rough"]
    (score,) = by_documents["systems"][1]["scores"]
    assert score["segments_needed"] > score["units_needed"]
    assert "difference: found 0" in error(capsys, "power", *PAIR, "--difference", "0")


def test_a_decision_says_the_power_of_the_test_set_if_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain, power = (
        output(capsys, "decide", *PAIR),
        output(capsys, "power", *PAIR),
    )
    shown = output(capsys, "decide", *PAIR, "--power")
    assert shown.startswith(plain)
    assert shown.endswith(power)
    asked = ["--power", "0.9", "--difference", "1", "--alpha", "0.1"]
    both = json_output(capsys, "decide", *PAIR, *asked)
    alone = json_output(capsys, "power", *PAIR, *asked)
    assert both["power"] == alone
    assert (alone["wanted_power"], alone["assumed"]) == (0.9, True)
    assert "power" not in json_output(capsys, "decide", *PAIR)
    assert "--difference: found no --power" in error(capsys, "decide", *PAIR, "--difference", "1")
