"""The command line as users meet it: flags, formats, errors, exit codes, start-up."""

import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.cli.flags.chosen_metrics import Flag, chosen_metrics
from tertium.cli.main import COMMANDS
from tertium.cli.shell.progress import count_lines, progress_bar
from tertium.errors import OptionError
from tests.support.commands import (
    PATIENCE,
    error,
    json_output,
    output,
    process,
    python,
    ran,
    started,
)

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
ELM = str(SAMPLE / "systems" / "elm.txt")
DOCUMENTS = ["--documents", str(SAMPLE / "documents.tsv")]
ONE = ["score", *REFERENCES, "-i", ELM]
ALL = ["score", *REFERENCES, "-i", *SYSTEMS]


class Screen(io.StringIO):
    """A stream that takes itself for a terminal."""

    def isatty(self) -> bool:
        return True


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
    expected = tertium.score(hypotheses, by_segment, segments=True).to_dict()
    assert made["systems"][0]["scores"] == [expected]


def test_segments_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    size = 92
    made = json_output(capsys, *ALL, "-sl")
    values = made["systems"][1]["scores"][0]["segments"]
    assert len(values) == size
    tsv = output(capsys, *ALL, "-sl", "-f", "tsv").splitlines()
    assert len(tsv) == 1 + size * len(SYSTEMS)
    assert tsv[2].split("\t") == ["1", "birch", repr(values[0])]
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
    tsv = output(capsys, *ALL, *DOCUMENTS, "--by", "genre", "-f", "tsv").splitlines()
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


# ---- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scroe"], "unknown command 'scroe'; did you mean 'score'?"),
        (["--fast"], "unknown flag '--fast'; see"),
        (["score"], "the following arguments are required: REF"),
        ([*ONE, "--fast"], "unknown flag '--fast'"),
        ([*ONE, "--metrcs", "wer"], "unknown flag '--metrcs'; did you mean '--metrics'? see"),
        ([*ONE, "-f", "html"], "invalid choice: 'html'"),
        ([*ONE, "-w", "-1"], "found '-1', expected a whole number from 0 on"),
        ([*ONE, "--threads", "many"], "found 'many', expected a whole number from 1 on"),
        ([*ONE, "-l", "de"], "found 'de', expected source-target"),
        ([*ONE, "--columns", "mt"], "found 'mt', expected role=column"),
        ([*ONE, "-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        ([*ONE, "-m", "bleu[ordr=2]"], "unknown option of bleu 'ordr'; did you mean 'order'?"),
        ([*ONE, "-tok", "moses"], "unknown tokenizer 'moses'"),
        ([*ONE, "-m", "bleu", "bleu"], "metric 'bleu': found twice, expected once"),
        ([*ONE, "-m", "wer", "-s", "exp"], "--smooth-method: found metrics wer, expected"),
        ([*ONE, "-sv", "1"], "--smooth-value: found no --smooth-method"),
        ([*ONE, "-s", "exp", "-sv", "1"], "smoothing exp: found a value, expected none"),
        ([*ONE, "-b", "-f", "json"], "--score-only: found --format json, expected text"),
        ([*ONE, "--by", "genre", "-sl"], "--by: found with --sentence-level"),
        (
            [*ONE, "--by", "genre"],
            "no genre labels, expected a file of documents (--documents FILE)",
        ),
        (["score", "absent", "-i", ELM], "absent: "),
        ([*ONE, "-o", "absent/folder/file"], "absent/folder/file: found no folder"),
        ([*ONE, ELM], "elm.txt"),
        (
            ["score", os.devnull, "-i", os.devnull],
            f"{os.devnull}: 0 segments, expected at least one",
        ),
        (["metrics", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
    ],
)
def test_errors_are_one_line(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = error(capsys, *words)
    assert line.startswith("tertium")
    assert expected in line


def test_nothing_is_printed_before_all_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.en"
    short.write_text("only one\n", encoding="utf-8")
    line = error(capsys, "score", *REFERENCES, "-i", ELM, str(short))
    assert "short.en: 1 segment" in line
    assert "expected 92" in line


def test_interrupt_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tertium.cli.score.run", interrupted)
    assert ran(capsys, *ONE)[:2] == (130, "")


def test_progress_appears_only_when_work_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def total() -> int:
        asked.append("total")
        return 10

    for patience, quiet, shown in [(60.0, False, False), (-1.0, True, False), (-1.0, False, True)]:
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr("tertium.cli.shell.progress.PATIENCE", patience)
        with progress_bar(total, quiet=quiet) as advance:
            advance(5)
            advance(5)
        assert bool(screen.getvalue()) is shown
    assert asked == ["total"]


def test_lines_are_counted_only_where_that_is_cheap(tmp_path: Path) -> None:
    assert count_lines(REFERENCES[0]) == 92
    for name in ("a.gz", "a.tsv"):
        (tmp_path / name).touch()
    for name in ("absent", "a.gz", "a.tsv"):
        assert count_lines(str(tmp_path / name)) is None


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.report.console import console_text

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert console_text("[bold]best[/bold]", Screen()) == "\x1b[1mbest\x1b[0m\n"
    assert console_text("[bold]best[/bold]", io.StringIO()) == "best\n"


def test_a_closed_pipe_is_no_error() -> None:
    with started("-m", "tertium", *ALL, "-sl", "-f", "json") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(PATIENCE) == 141


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
    assert chosen_metrics([text], flags, target=target)[0].spec.startswith(expected)


def test_a_flag_must_fit_one_metric_only() -> None:
    smooth = Flag(flag="--smooth-method", option="smoothing", text="none")
    specs = [one.spec for one in chosen_metrics(["wer", "bleu"], [smooth])]
    assert specs == ["wer", "bleu[smoothing=none]"]
    with pytest.raises(OptionError, match="expected at least one with the option 'smoothing'"):
        chosen_metrics(["wer"], [smooth])


# ---- other commands, help, start-up ---------------------------------------------------------


def test_metrics_lists_everything(capsys: pytest.CaptureFixture[str]) -> None:
    from tertium.metrics.contract.table import METRICS

    made = json_output(capsys, "metrics")["metrics"]
    assert [one["name"] for one in made] == list(METRICS)
    shown = output(capsys, "metrics").splitlines()
    assert [line.split()[0] for line in shown[: len(made)]] == list(METRICS)
    whole = output(capsys, "metrics", *METRICS)
    for one in made:
        assert METRICS[one["name"]].citation == one["citation"]
        assert one["citation"] in whole
        assert one["options"]
    alone = output(capsys, "metrics", "bleu-sbp")
    assert "reference_length=shortest" in alone
    assert "reference_length=closest" not in alone


@pytest.mark.slow
def test_demo_shows_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    made = output(capsys, "demo")
    bleu, strict = (
        {
            name: [
                float(cells[cells.index(name) + 1 + k])
                for line in made.splitlines()
                if name in (cells := line.split()) and len(cells) <= 6 and "." in cells[-1]
            ]
            for name in ("birch", "elm")
        }
        for k in (0, 1)
    )
    (birch, *birch_by_genre), (elm, *elm_by_genre) = bleu["birch"], bleu["elm"]
    assert birch > elm
    assert [a < b for a, b in zip(birch_by_genre, elm_by_genre, strict=True)] == [True, True]
    assert [a < b for a, b in zip(*strict.values(), strict=True)] == [True, True, True]
    assert "--by genre" in made


def test_the_bare_command_shows_help(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys)
    assert all(command in shown for command in COMMANDS)


def test_plot_looks_for_its_tools_before_it_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "kaleido", None)
    monkeypatch.setattr("tertium.cli.plot.gathered", None)  # not to be called
    line = error(capsys, "plot", *REFERENCES, "-i", ELM)
    assert "package 'kaleido' is not installed" in line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"usage: tertium {command}" in output(capsys, command, "--help")


@pytest.mark.parametrize(
    ("words", "status"),
    [("--version", 0), ("--help", 0), ("score --help", 0), ("score", 2), ("nothing", 2)],
)
def test_short_answers_import_nothing_heavy(words: str, status: int) -> None:
    program = (
        "import sys\n"
        "from tertium.cli.main import main\n"
        "try: code = main(sys.argv[1:])\n"
        "except SystemExit as end: code = end.code\n"
        "heavy = {'numpy', 'rich', 'scipy', 'tertium._native', 'importlib.metadata', 'shutil'}\n"
        "print(code, sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    source = {"PYTHONPATH": str(Path(tertium.__file__).parent.parent)}
    done = python("-S", "-c", program, *words.split(), variables=source)
    assert done.status == 0, done.err
    assert done.err.splitlines()[-1] == f"{status} []"


def test_machine_formats_do_not_import_rich() -> None:
    program = (
        "import sys\n"
        "from tertium.cli.main import main\n"
        "main(sys.argv[1:])\n"
        "print('rich' in sys.modules, file=sys.stderr)\n"
    )
    done = python("-c", program, *ONE, "-f", "json")
    assert (done.status, done.err) == (0, "False\n")
