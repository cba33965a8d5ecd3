"""``tertium score`` as users meet it: flags and formats."""

import json
import os
import re
from argparse import Namespace
from pathlib import Path

import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.cli.flags.chosen_metrics import Flag, chosen_metrics, text_flags
from tertium.errors import OptionError
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tests.support.commands import (
    PATIENCE,
    error,
    json_output,
    output,
    process,
    started,
)
from tests.support.sample import ALL, ELM, ONE, REFERENCES, SYSTEMS

DOCUMENTS = ["--documents", str(SAMPLE / "documents.tsv")]

# ---- score ----------------------------------------------------------------------------------


def test_text_line_is_that_of_sacrebleu(capsys: pytest.CaptureFixture[str]) -> None:
    from sacrebleu.metrics.bleu import BLEU

    read = [Path(path).read_text(encoding="utf-8").splitlines() for path in [ELM, *REFERENCES]]
    theirs = BLEU()
    line = theirs.corpus_score(read[0], read[1:]).format(
        width=1, signature=theirs.get_signature().format()
    )
    ours = output(capsys, *ONE, "-f", "text").rstrip("\n")
    version = re.compile(r"version:[^ |]+")
    assert version.sub("version", ours) == version.sub("version", line)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        # `sacrebleu reference.1.en reference.2.en -i systems/elm.en -m bleu -b`, same flags
        ([], "51.5"),
        (["-w", "3"], "51.497"),
        (["-w", "0"], "51"),
    ],
)
def test_score_only(flags: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, *ONE, "-b", *flags) == f"{expected}\n"


def test_score_only_is_a_row_for_each_system(capsys: pytest.CaptureFixture[str]) -> None:
    rows = output(capsys, *ALL, "-b", "-m", "bleu", "bleu-sbp").splitlines()
    # The table in the sample's README.
    assert rows == ["68.2\t67.4", "52.4\t49.7", "15.2\t14.8", "40.6\t40.5", "51.5\t51.3"]


def test_json_carries_signatures(capsys: pytest.CaptureFixture[str]) -> None:
    made = json_output(capsys, *ALL, "-m", "bleu", "bleu[order=2]")
    assert made["version"] == tertium.__version__
    assert [one["system"] for one in made["systems"]] == [Path(path).stem for path in SYSTEMS]
    for one in made["systems"]:
        for score in one["scores"]:
            assert isinstance(score["score"], float)
            assert score["signature"].startswith("nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|")
            assert "segments" not in score
    assert [one["metric"] for one in made["systems"][0]["scores"]] == ["bleu", "bleu[order=2]"]


def test_json_equals_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    read = [Path(path).read_text(encoding="utf-8").splitlines() for path in [ELM, *REFERENCES]]
    hypotheses, *references = read
    by_segment = [list(segment) for segment in zip(*references, strict=True)]
    made = json.loads(output(capsys, *ONE, "-f", "json", "-sl"))
    assert made["systems"][0]["scores"] == [
        tertium.score(hypotheses, by_segment, metric, segments=True).to_dict()
        for metric in DEFAULT_METRICS
    ]


def test_segments_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    size = 92
    made = json_output(capsys, *ALL, "-sl")
    values, letters = (score["segments"] for score in made["systems"][1]["scores"])
    assert len(values) == len(letters) == size
    tsv = output(capsys, *ALL, "-sl", "-f", "tsv").splitlines()
    assert len(tsv) == 1 + size * len(SYSTEMS)
    assert tsv[2].split("\t") == ["1", "birch", repr(values[0]), repr(letters[0])]
    text = output(capsys, *ONE, "-sl", "-f", "text").splitlines()
    assert len(text) == size
    assert all(line.startswith("BLEU|nrefs:2|case:mixed|eff:yes|") for line in text)
    numbers = output(capsys, *ONE, "-sl", "-b").splitlines()
    assert numbers == [line.rpartition(" = ")[2] for line in text]
    latex = output(capsys, *ONE, "-sl", "-f", "latex").splitlines()
    assert sum(line.endswith(r"\\") for line in latex) == 1 + size
    table = output(capsys, *ONE, "-sl").splitlines()
    assert sum("elm" in line for line in table) == size


def test_table_has_signatures_below(capsys: pytest.CaptureFixture[str]) -> None:
    made = output(capsys, *ALL, "-m", "bleu", "bleu-sbp").splitlines()
    assert made[0].split() == ["system", "BLEU", "BLEU-SBP"]
    assert made[2].split() == ["alder", "68.24", "67.39"]
    assert made[-3:-1] == ["92 segments", f"BLEU      {tertium.parse_metric('bleu').signature(2)}"]


def test_slices(capsys: pytest.CaptureFixture[str]) -> None:
    tsv = output(capsys, *ALL, *DOCUMENTS, "-m", "bleu", "--by", "genre", "-f", "tsv").splitlines()
    cells = [line.split("\t") for line in tsv]
    assert cells[0] == ["genre", "system", "bleu"]
    found = {(genre, name): round(float(value), 2) for genre, name, value in cells[1:]}
    # The table in the sample's README, and its reversal.
    assert found["all", "birch"] == 52.38
    assert found["all", "elm"] == 51.50
    assert found["news", "birch"] == 47.53
    assert found["news", "elm"] == 48.31
    assert found["web", "birch"] == 53.41
    assert found["web", "elm"] == 54.98
    made = json_output(capsys, *ONE, *DOCUMENTS, "--by", "document")
    assert len(made["systems"][0]["scores"][0]["slices"]) == 8


def test_flags_reach_the_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["-lc", "-tok", "intl", "-s", "floor", "-sv", "0.5", "-sh", "-f", "text"]
    made = output(capsys, *ONE, *flags, "-m", "bleu", "bleu-sbp[tokenizer=13a]").splitlines()
    assert made[0].startswith("BLEU|#:2|c:lc|e:no|tok:intl|s:floor[0.5]|v:")
    assert made[1].startswith("BLEU-SBP|#:2|c:lc|e:no|tok:13a|s:floor[0.5]|v:")


def test_references_between_tabs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = [Path(path).read_text(encoding="utf-8").splitlines() for path in REFERENCES]
    both = tmp_path / "both"
    rows = ("\t".join(pair) + "\n" for pair in zip(*columns, strict=True))
    both.write_text("".join(rows), encoding="utf-8")
    assert output(capsys, "score", str(both), "-nr", "2", "-i", ELM, "-f", "text") == output(
        capsys, *ONE, "-f", "text"
    )


def test_columns_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "all.tsv"
    table.write_text("gold\tmt\nthe cat sat down\tthe cat sat down\n", encoding="utf-8")
    words = ["score", str(table), "--columns", "reference=gold", "hypothesis=mt", "-i", str(table)]
    assert output(capsys, *words, "-b") == "100.0\n"


def test_hypotheses_from_standard_input() -> None:
    done = process("score", *REFERENCES, "-b", text=Path(ELM).read_bytes())
    assert done == (0, "51.5\n", "")


def test_names(capsys: pytest.CaptureFixture[str]) -> None:
    made = output(capsys, *ALL, "-f", "tsv", "--names", *"abcde").splitlines()
    assert [line.split("\t")[0] for line in made[1:]] == list("abcde")


@pytest.mark.slow
def test_threads_do_not_change_scores() -> None:
    one, two = (process(*ONE, "-sl", "-f", "tsv", "--threads", str(n)).out for n in (1, 2))
    assert one == two != ""


def test_output_file_is_complete_or_untouched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.json"
    assert output(capsys, *ONE, "-f", "json", "-o", str(path)) == ""
    kept = path.read_text(encoding="utf-8")
    assert kept == output(capsys, *ONE, "-f", "json")
    error(capsys, "score", *REFERENCES, "-i", "absent.en", "-o", str(path))
    assert path.read_text(encoding="utf-8") == kept
    assert list(tmp_path.iterdir()) == [path]


def test_output_to_a_link_and_to_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.touch()
    link.symlink_to(target)
    output(capsys, *ONE, "-b", "-o", str(link))
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "51.5\n"
    os.mkfifo(pipe)
    with started("-c", "import sys; print(open(sys.argv[1]).read())", str(pipe)) as reader:
        output(capsys, *ONE, "-b", "-o", str(pipe))
        assert reader.communicate(timeout=PATIENCE)[0] == b"51.5\n\n"
    assert pipe.is_fifo()
    assert output(capsys, *ONE, "-b", "-o", "-") == "51.5\n"


def test_table_in_a_file_has_no_colour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table"
    assert output(capsys, *ALL, "-o", str(path)) == ""
    assert "\x1b" not in path.read_text(encoding="utf-8")


# ---- metrics of the command line ------------------------------------------------------------

TOKENIZE = Flag(flag="--tokenize", option="tokenizer", text="intl")


@pytest.mark.parametrize(
    ("text", "flags", "target", "expected"),
    [
        ("bleu", [TOKENIZE], None, "bleu[tokenizer=intl]"),
        ("bleu[tokenizer=13a]", [TOKENIZE], None, "bleu"),
        ("bleu[tokenizer=char]", [TOKENIZE], None, "bleu[tokenizer=char]"),
        ("bleu[smoothing=floor[0.1],order=2]", [TOKENIZE], None, "bleu[tokenizer=intl,"),
        ("BLEU|nrefs:1|case:lc|tok:13a", [TOKENIZE], None, "bleu[lowercase=yes]"),
        ("bleu", [], "zh", "bleu[tokenizer=zh]"),
        ("bleu", [], "de", "bleu"),
        ("bleu", [TOKENIZE], "zh", "bleu[tokenizer=intl]"),
        ("bleu[tokenizer=none]", [], "zh", "bleu[tokenizer=none]"),
    ],
)
def test_brackets_before_flags_before_language(
    text: str, flags: list[Flag], target: str | None, expected: str
) -> None:
    language = text_flags(Namespace(target=target, tokenize=None, lowercase=False))
    assert chosen_metrics([text], [*language, *flags])[0].spec.startswith(expected)


def test_a_flag_must_fit_one_metric_only() -> None:
    smooth = Flag(flag="--smooth-method", option="smoothing", text="none")
    specs = [one.spec for one in chosen_metrics(["wer", "bleu"], [smooth])]
    assert specs == ["wer", "bleu[smoothing=none]"]
    with pytest.raises(OptionError, match="expected at least one with the option 'smoothing'"):
        chosen_metrics(["wer"], [smooth])
