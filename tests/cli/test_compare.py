"""``tertium compare`` on the bundled sample: formats, sections, slices, errors."""

import csv
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tertium.cli.demo import SAMPLE
from tertium.compare import SECTIONS, compare
from tertium.text.input_files import open_inputs
from tests.support.commands import Screen, error, json_output, output, ran

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
BIRCH, ELM, ALDER = (str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm", "alder"))
DOCUMENTS = ["--documents", str(SAMPLE / "documents.tsv")]
PAIR = ["compare", *REFERENCES, "-i", BIRCH, ELM, "--trials", "200"]
THREE = ["compare", *REFERENCES, "-i", BIRCH, ELM, ALDER, "--trials", "200"]

ESCAPE = "\x1b["


def tables(text: str) -> list[list[dict[str, str]]]:
    """Tab-separated tables with an empty line between them."""
    return [
        list(csv.DictReader(io.StringIO(part), delimiter="\t", quoting=csv.QUOTE_NONE))
        for part in text.split("\n\n")
    ]


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, *THREE, "-m", "bleu", "wer", "--test", "all")
    answers, _, tables = shown.partition("\n\n")
    assert answers.splitlines() == [
        "elm and birch: no significant difference.",
        "alder scores higher than birch, by BLEU and WER (error rate).",
        "(by scores alone; 'tertium decide' asks the audits, too)",
    ]
    lines = tables.splitlines()
    assert lines[0] == "scores against birch"
    assert lines[1].split() == [
        "system",
        "BLEU",
        "±",
        "95",
        "%",
        "Δ",
        "±",
        "95",
        "%",
        *("raw", "p*", "corrected", "p*"),
        *("raw", "p†", "corrected", "p†"),
        *("raw", "p‡", "corrected", "p‡"),
        "cluster",
        "ranks",
        "WER",
        "↓",
        "±",
        "95",
        "%",
        "Δ",
        "±",
        "95",
        "%",
        *("raw", "p*", "corrected", "p*"),
        *("raw", "p†", "corrected", "p†"),
        *("raw", "p‡", "corrected", "p‡"),
        "cluster",
        "ranks",
    ]
    rows = {line.split()[0]: line for line in lines[3:6]}
    # The scores are those of the sample's README; alder beats birch by every test.
    assert re.match(r"birch +52\.38 ± \d\.\d\d +2 +2–3 +39\.75", rows["birch"])
    alder = (
        r"alder +68\.24 ± \d\.\d\d +\+15\.86 ± \d\.\d\d\*†‡ "
        r"+(?:<0\.0050 +){4}(?:<0\.0001 +){2}1 +1 "
    )
    assert re.match(alder, rows["alder"])
    elm = r"elm +51\.50 ± \d\.\d\d +-0\.89 ± \d\.\d\d +(?:[01]\.\d{4} +){6}2 +2–3 "
    assert re.match(elm, rows["elm"])
    text = "\n".join(lines)
    for heading in (
        "n-grams that only one has right: elm and birch",
        "words that only one has right: alder and birch",
        "word accuracy (F1) by frequency in the references",
        "mean segment scores by reference length",
        "segments by length ratio",
        "segments that make elm better than birch",
        "segments that make alder worse than birch",
        "92 segments; tokenized with 13a",
    ):
        assert f"\n{heading}\n" in f"{text}\n"


def test_matches_are_in_brackets_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, *PAIR, "--sections", "sentences")
    assert ESCAPE not in text
    assert "  elm:       During this time[, wash, halve and] stone [the plums.]\n" in text


def test_matches_are_coloured_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output(capsys, *PAIR, "--sections", "sentences") == ""  # the screen has it
    coloured = f" time{ESCAPE}1;32m, wash, halve and{ESCAPE}0m stone {ESCAPE}1;32mthe plums."
    assert coloured in screen.getvalue()
    assert "[, wash" not in screen.getvalue()


@pytest.mark.parametrize(("columns", "grids"), [("80", 2), ("200", 1)])
def test_metrics_that_do_not_fit_a_terminal_go_below(
    columns: str,
    grids: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    output(capsys, *THREE, "-m", "bleu", "wer", "--sections", "scores", "lengths")
    text = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
    assert text.count("scores against birch") == grids
    assert len(re.findall(r"\balder +.*68\.24 ± ", text)) == 1
    assert len(re.findall(r"^(?:alder|birch|elm) +\d", text, re.MULTILINE)) == 6 * grids
    assert "…" not in text  # nothing is cut


def test_a_file_has_brackets_even_from_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout", Screen())
    path = tmp_path / "out.txt"
    output(capsys, *PAIR, "--sections", "sentences", "-o", str(path))
    assert "[, wash, halve and] stone [the plums.]" in path.read_text(encoding="utf-8")


def test_json_equals_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--test", "randomization", "--seed", "3", "--alpha", "0.1", "--top", "2"]
    made = json_output(capsys, *PAIR, *flags, "-m", "wer")
    whole = open_inputs(REFERENCES, [BIRCH, ELM]).load()
    expected = compare(
        whole.corpus,
        whole.systems,
        ["wer"],
        test="randomization",
        trials=200,
        seed=3,
        level=0.9,
        top=2,
    ).to_dict()
    assert made == json.loads(json.dumps(expected))
    assert made["scores"]["seed"] == 3


def test_slices_have_the_scores_that_score_prints(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["-m", "bleu", "bleu-sbp", *DOCUMENTS, "--by", "genre", "-f", "tsv"]
    (ours,) = tables(output(capsys, *PAIR, *flags, "--resample", "segments"))
    (theirs,) = tables(output(capsys, "score", *PAIR[1:-2], *flags))
    expected = {
        (row["genre"], row["system"], metric): float(row[metric])
        for row in theirs
        for metric in ("bleu", "bleu-sbp")
    }
    found = {(row["genre"], row["system"], row["metric"]): float(row["score"]) for row in ours}
    assert found == pytest.approx(expected)
    for row in ours:
        if row["system"] == "elm":
            first = found[row["genre"], "birch", row["metric"]]
            assert float(row["delta"]) == pytest.approx(float(row["score"]) - first)
            assert float(row["delta_low"]) < float(row["delta"]) < float(row["delta_high"])
            assert 0 < float(row["p_randomization"]) <= float(row["adjusted_p_randomization"]) <= 1
        else:
            assert row["delta"] == row["p_randomization"] == ""
    assert [row["cluster"] for row in ours if row["genre"] != "all"] == [""] * 8


@pytest.mark.parametrize("by", ["document", "length"])
def test_slices_partition_the_corpus(by: str, capsys: pytest.CaptureFixture[str]) -> None:
    (rows,) = tables(output(capsys, *PAIR, *DOCUMENTS, "-m", "bleu", "--by", by, "-f", "tsv"))
    parts = [int(row["segments"]) for row in rows if row["system"] == "elm" and row[by] != "all"]
    assert sum(parts) == 92
    assert len(parts) == {"document": 8, "length": 5}[by]


def test_contradictions_of_the_sign_test_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    by = [*DOCUMENTS, "--by", "genre", "--resample", "segments"]
    text = output(capsys, *PAIR, *by, "--test", "sign")
    assert "web: elm against birch: BLEU: the sign test contradicts the scores 53.41" in text


def test_tsv_has_a_table_for_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    found = tables(output(capsys, *PAIR, "-f", "tsv", "--sections", *SECTIONS))
    heads = [list(table[0])[:3] for table in found]
    assert heads == [
        ["segments", "system", "metric"],
        ["system", "side", "ngram"],
        ["system", "side", "ngram"],
        ["frequency", "system", "right"],
        ["length", "segments", "system"],
        ["system", "length_ratio", "lower_quartile"],
        ["of", "band", "system"],
        ["system", "side", "metric"],
    ]
    assert all(None not in row and None not in row.values() for table in found for row in table)


def test_latex(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, *THREE, "-m", "wer", "--test", "all", "-f", "latex")
    assert text.count("\\begin{tabular}") == 1  # the scores, unless more is asked for
    assert (
        "system & WER $\\downarrow$ $\\pm$ 95\\,\\% & $\\Delta$ $\\pm$ 95\\,\\% & "
        "raw $p$$^*$ & corrected $p$$^*$ & raw $p$$^\\dagger$ & corrected $p$$^\\dagger$ & "
        "raw $p$$^\\ddagger$ & corrected $p$$^\\ddagger$ & cluster & ranks \\\\\n" in text
    )
    alder = next(line for line in text.splitlines() if line.startswith("alder"))
    assert re.match(r"alder & \\textbf\{29\.15 \$\\pm\$ .*\} & \$-10\.60\$ \$\\pm\$ ", alder)
    assert "$^*$$^\\dagger$$^\\ddagger$ & $<$0.0050 & $<$0.0050 & " in alder
    assert alder.endswith(" & 1 & 1 \\\\")
    every = output(capsys, *PAIR, "-m", "bleu", "-f", "latex", "--sections", *SECTIONS, "-w", "1")
    assert every.count("\\begin{tabular}") == every.count("\\end{tabular}") == 8
    assert "\\item[81] BLEU $+0.50$ of $-0.9$, by itself $+29.6$\n" in every
    assert "time\\textbf{, wash, halve and} stone \\textbf{the plums.}\n" in every


def test_training_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "training.en.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("the the the, of\nThe train\n" * 1000)
    flags = ["--sections", "words", "--against-training", str(path), "-f", "json", "-lc"]
    words = json.loads(output(capsys, *PAIR, *flags))["words"]
    assert words["frequencies"]["source"] == "training"
    bands = {band["frequency"]: band["systems"][1] for band in words["frequencies"]["bands"]}
    assert {band["system"] for band in bands.values()} == {"elm"}
    assert list(bands) == ["0", "1000+"]  # 'the', ',', 'of' and 'train'; nothing else
    read = [Path(one).read_text(encoding="utf-8").lower() for one in REFERENCES]
    trains = [len(re.findall(r"\btrain\b", text)) for text in read]
    assert bands["1000+"]["expected"] > max(trains) > 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--sections", "ngrams", "sentence"], "argument --sections: invalid choice: 'sentence'"),
        (["--alpha", "95"], "argument --alpha: found '95', expected a significance level"),
        (["--top", "0"], "argument --top: found '0', expected a whole number from 1 on"),
        (["--by", "genre"], "no genre labels, expected a file of documents"),
        (["-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        (["-m", "chrf", "-tok", "intl"], "--tokenize: found metrics chrf, expected at least one"),
        (["--sections", "words", "--by", "length"], "by: found sections words, expected 'scores'"),
        (["--against-training", "nowhere.en"], "nowhere.en: "),
    ],
)
def test_errors_are_one_line(
    flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in error(capsys, *PAIR, *flags)


def test_one_system_is_no_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    line = error(capsys, "compare", *REFERENCES, "-i", ELM)
    assert line == "tertium: systems: found 1, expected a baseline and at least one more"


@pytest.mark.shared
def test_two_systems_of_wmt12(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shared_data / "wmt12"
    outputs = folder / "system-outputs" / "es-en"
    words = [str(folder / "newstest2012-ref.en"), "-i"]
    words += [str(outputs / f"newstest2012.es-en.{name}") for name in ("onlineA", "UPC")]
    made = json_output(capsys, "compare", *words, "--trials", "500")
    scored = json_output(capsys, "score", *words)
    base, new = (one["scores"][0]["score"] for one in scored["systems"])
    (whole,) = made["scores"]["slices"]
    score: dict[str, Any] = whole["systems"][1]["scores"][0]
    assert score["delta"] == pytest.approx(new - base)
    assert score["tests"]["randomization"]["significant"]
    assert [one["scores"][0]["cluster"] for one in whole["systems"]] == [2, 1]
    assert all(made[section] for section in SECTIONS)
    for one in made["sentences"]:
        effects = [pair["effect"] for pair in one["better"]]
        assert effects == sorted(effects, reverse=True)
        assert min(effects) > 0 > max(pair["effect"] for pair in one["worse"])


def test_equal_outputs_are_told_before_anything_else(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*REFERENCES, "-i", BIRCH, BIRCH, "--names", "birch", "twin"]
    told = "twin and birch: the outputs are the same in every segment.\n"
    assert output(capsys, "compare", *words, "--sections", "scores").startswith(told)
    assert output(capsys, "decide", *words).startswith(told)


@pytest.mark.parametrize("command", ["compare", "decide", "audit"])
def test_one_segment_is_singular(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("ref", "a b c d"), ("one", "a b c e"), ("two", "a b d c")):
        (tmp_path / name).write_text(f"{text}\n")
    files = [str(tmp_path / name) for name in ("ref", "one", "two")]
    shown = ran(capsys, command, files[0], "-i", *files[1:]).out
    assert "1 segment" in shown
    assert "1 segments" not in shown


def test_the_sign_test_is_shown_in_both_directions(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, *PAIR, "-m", "bleu", "--test", "sign")
    (line,) = [line for line in shown.splitlines() if "sign test under BLEU" in line]
    counts = re.findall(r"(\d+) better, (\d+) worse, (\d+) equal, p = ([\d.]+)", line)
    assert len(counts) == 2
    assert all(sum(map(int, one[:3])) == 92 for one in counts)
    assert "segments into the baseline" in line
    assert "segments from the baseline" in line
